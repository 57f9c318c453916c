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
//! (`abi`). JavaScript lends the clock, keeps the rows of the store, starts the workers, and fetches the
//! [`parts`] that a piece of work needs. The features `front` and `search` make a module of each half, so
//! that the first stone waits for the smaller one alone. Pages of other people ask a search worker
//! [`Question`]s instead.

#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
#[allow(unsafe_code)]
mod abi;
#[cfg(feature = "front")]
mod front;
pub mod parts;
#[cfg(feature = "search")]
mod question;
mod said;
#[cfg(feature = "search")]
mod search;
#[cfg(feature = "search")]
pub mod signature;
#[cfg(feature = "front")]
mod store;

#[cfg(feature = "front")]
pub use front::Front;
#[cfg(feature = "search")]
pub use question::Question;
pub use said::{Heard, Said};
#[cfg(feature = "search")]
pub use search::Searcher;
