//! Text from outside: game records and engine protocols, as engine and as host.
//!
//! Everything here reads what other people and programs wrote, so everything here is bounded and
//! typed: a wrong byte becomes an error with its place, never a panic.
//!
//! [`records`] reads and writes files of games, [`engine`] lets our agents play under other
//! programs, and [`host`] lets other programs play as our agents:
//!
//! ```
//! use collinear_protocol::Protocol;
//! use collinear_protocol::host::{EngineConfig, External};
//! use collinear_rules::Rules;
//!
//! let config = EngineConfig::new("/no/such/engine --fast", Protocol::Gomocup);
//! let error = External::start(config, Rules::GOMOKU).err().expect("there is no such program");
//! assert!(error.to_string().contains("could not be started"));
//! ```

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

pub use protocol::{Protocol, UnknownProtocol, UnsupportedBoard};
