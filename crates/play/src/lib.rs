//! What it takes to play a game: the one model that the referee, the arena, the page, the terminal
//! and the protocols share.
//!
//! | type | what it is |
//! |---|---|
//! | [`Game`] | a game in progress: position, [`Tree`], clocks, [`End`]; play, retract, undo, redo, resign, adjudicate |
//! | [`Referee`] | plays a game between two agents to its end |
//! | [`Agent`], [`ask()`] | who chooses turns, and the one place where panics, lateness and illegal turns become a [`Fault`] |
//! | [`End`], [`Reason`] | how a game ended, in one vocabulary |
//! | [`GameRecord`] | a game written down |
//! | [`Seat`], [`TimeControl`], [`Clock`], [`Budget`] | who plays, and what a game and a turn may cost |
//! | [`Dialogue`], [`OpeningRule`] | openings in which the players choose their colours: Swap1, Swap, Swap2 |
//! | [`balance`] | stones that make a position as even as wished |
//! | [`Registry`], [`AgentSpec`] | how agents are described to people and chosen by a text |
//!
//! ```
//! use collinear_play::{Game, Reason, StopFlag, Watchdog, agent_fn, stone_by_stone};
//! use collinear_rules::Rules;
//!
//! // Plays the first free cells.
//! let mut agent = agent_fn(|position, _| {
//!     stone_by_stone(position, |ahead| ahead.legal_cells().first().copied())
//! });
//!
//! let mut game = Game::new(Rules::TICTACTOE);
//! let mut watchdog = Watchdog::default();
//! while !game.is_over() {
//!     let player = game.position().to_move();
//!     if let Err(fault) = game.ask(&mut agent, &mut watchdog, StopFlag::default(), &mut |_| {}) {
//!         game.forfeit(player, &fault)?;
//!     }
//! }
//! assert_eq!(game.end().map(|end| end.reason), Some(Reason::Row));
//! game.undo()?;
//! game.redo()?;
//! let record = game.into_record();
//! assert_eq!(record.moves().len(), 7);
//! # Ok::<(), collinear_play::Refusal>(())
//! ```
//!
//! The crate knows no concrete agent.

#![forbid(unsafe_code)]

mod agent;
mod ask;
pub mod balance;
mod budget;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod control;
mod decimal;
pub mod dialogue;
mod end;
mod fault;
mod game;
mod input_file;
pub mod instant;
mod options;
mod record;
mod referee;
mod seat;
mod spec;
#[cfg(test)]
mod testing;
mod thought;
mod time;
mod tree;
mod turn;

pub use agent::{Agent, AgentError, Line, NoValue, Report, Turn, Value, agent_fn};
pub use ask::{Answer, Watchdog, ask, guard};
pub use budget::{Budget, Clock, Meter, StopFlag};
pub use control::{ControlError, TimeControl};
pub use dialogue::{Choice, Deed, Dialogue, DialogueError, OpeningRule, Side, Step};
pub use end::{End, Reason, UnknownReason};
pub use fault::Fault;
pub use game::{Game, Refusal};
pub use input_file::{InputFileError, read_file, read_text_file};
pub use options::{Kind, OptionSpec, Options, Setting, SettingError};
pub use record::{GameRecord, ReplayError, TurnRecord};
pub use referee::{Event, Referee};
pub use seat::Seat;
pub use spec::{
    AgentChoice, AgentSpec, Aliases, Build, BuildError, Games, Registry, SpecError, Unsupported,
};
pub use thought::Thought;
pub use time::{TimeError, parse_time};
pub use tree::{Ink, Mark, NodeId, Notes, Sign, Tree};
pub use turn::{IllegalTurn, play_turn, stone_by_stone};
