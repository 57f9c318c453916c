//! Text from outside: game records and engine protocols, as engine and as host.
//!
//! Everything here reads what other people and programs wrote, so everything here is bounded and
//! typed: a wrong byte becomes an error with its place, never a panic.

#![forbid(unsafe_code)]

pub mod engine;
mod gomocup;
pub mod host;
mod letters;
mod lines;
mod protocol;
mod quote;
pub mod records;
mod ugi;

pub use protocol::Protocol;
