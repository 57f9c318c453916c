//! Everything the board page does that needs no server: messages, games, searches, analysis, puzzles,
//! records and links.
//!
//! A [`Room`] is one game with the pages that look at it, as a state machine: [`Room::step`] takes
//! an [`Event`] and returns [`Effect`]s, and [`Room::next_wake`] says when it wants to be called
//! without one. The [`Lobby`] answers what is asked without a game. Neither waits, reads a clock,
//! draws a random number or opens a file; whoever hosts them does.
//!
//! ```text
//!            ToLobby ┌───────┐ Answer
//! page ─────────────▶│ Lobby │─────────▶ host ─── Store
//!   ▲  ToGame        └───────┘            │
//!   │        ┌──────┐  Effect::Start      ▼
//!   └────────│ Room │──────────▶ Worker::run(&Work, &StopFlag)
//!    ToPage  └──────┘◀──────────  Event::Job
//! ```
//!
//! The server (`collinear-web`) is one host: a task for each room, a pool of threads for the work and
//! `SQLite` behind [`Store`]. A browser can be another.

#![forbid(unsafe_code)]

mod assess;
mod backup;
mod columns;
mod convert;
mod explain;
mod friends;
mod game;
mod insight;
pub mod json;
mod link;
mod lobby;
mod openings;
mod parity;
mod puzzles;
mod record;
mod room;
mod saved;
mod seats;
mod store;
mod text;
mod win;
pub mod wire;
pub mod work;

pub use convert::{FormError, check_sides, control, rules_name, rules_of};
pub use friends::{Friends, Person, room_id, room_secret};
pub use game::{PageGame, PuzzleOf, ReplayOf};
pub use lobby::{Answer, Errand, Keep, Lobby};
pub use room::{ClientId, Effect, Event, Room};
pub use seats::{SeatError, seat};
pub use store::{MAX_GAMES, MemoryStore, Row, Store, StoreError};
