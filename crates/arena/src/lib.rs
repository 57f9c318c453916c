//! Pairings, the runner, durable results, ratings, experiments, reports and plots
