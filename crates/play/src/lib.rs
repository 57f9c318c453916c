//! What it takes to play a game: the [`Agent`] trait, budgets and clocks, the specs that describe
//! agents to people, the referee of one game, and the conformance suite every agent passes.
//!
//! The crate knows no concrete agent.

mod agent;
mod budget;
pub mod conformance;
mod control;
mod record;
mod referee;
mod spec;
mod turn;

pub use agent::{Agent, AgentError, Line, Report, Turn, Value};
pub use budget::{Budget, Clock, Meter, StopFlag};
pub use control::{ControlError, TimeControl};
pub use record::{Ending, GameRecord, GameResult, TurnRecord};
pub use referee::{Event, Game, Seat, Verdict, play_game};
pub use spec::parse_time;
pub use spec::{
    AgentChoice, AgentSpec, Aliases, Build, BuildError, Games, Kind, OptionSpec, Options, Registry,
    Setting, SpecError, Unsupported,
};
pub use turn::{IllegalTurn, play_turn};
