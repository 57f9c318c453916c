//! Text from outside: game records and engine protocols, as engine and as host
