//! Search any agent can use: alpha-beta over a utility list, Monte Carlo, transposition table
