//! What it takes to play a game: the [`Agent`] trait, budgets and clocks, the specs that describe
//! agents to people, the referee of one game, and the conformance suite every agent passes.
//!
//! The crate knows no concrete agent.

mod agent;
mod budget;
mod spec;

pub use agent::{Agent, AgentError, Line, Report, Turn, Value};
pub use budget::{Budget, Clock, Meter, StopFlag};
pub use spec::parse_time;
pub use spec::{
    AgentChoice, AgentSpec, BuildError, Games, Kind, OptionSpec, Options, Registry, Setting,
    SpecError, Unsupported,
};
