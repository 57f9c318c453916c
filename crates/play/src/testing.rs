//! Agents that do what a test wants.

use std::thread;

use collinear_rules::Position;

use crate::{Agent, AgentError, Budget, Report, Turn};

pub(crate) type Script = fn(&Position, &Budget) -> Result<Turn, AgentError>;

/// Says that it looked at seven positions, then follows its script.
pub(crate) struct Scripted(pub(crate) Script);

impl Agent for Scripted {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        on(&Report { nodes: 7, ..Report::default() });
        (self.0)(position, budget)
    }
}

/// The first legal cells.
pub(crate) fn lowest(position: &Position, _: &Budget) -> Result<Turn, AgentError> {
    let turn: Turn = position.legal_cells().into_iter().take(position.stones_left()).collect();
    if turn.is_empty() { Err(AgentError::GameOver) } else { Ok(turn) }
}

/// The same, but not before it is told to.
pub(crate) fn until_stopped(position: &Position, budget: &Budget) -> Result<Turn, AgentError> {
    while !budget.stop.is_stopped() {
        thread::yield_now();
    }
    lowest(position, budget)
}
