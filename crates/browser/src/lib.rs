//! The page's logic and the engine for a browser, without a server.
//!
//! The same module is loaded several times, each time by a worker of its own:
//!
//! ```text
//! page ◀─ texts ─▶ front worker: Front (Lobby, Room)     never searches, so it always answers
//!                     │ Said::Start        ▲ Heard::News
//!                     ▼                    │
//!                  search workers: room::work::Worker    ended and started anew where work is cancelled
//! ```
//!
//! Everything crosses the border to JavaScript as JSON, in both directions through one function each
//! (`abi`). JavaScript lends the clock, keeps the rows of the store, and starts the workers.

#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
#[allow(unsafe_code)]
mod abi;
mod front;
mod said;
mod search;
mod store;

pub use front::Front;
pub use said::{Heard, Said};
pub use search::Searcher;
