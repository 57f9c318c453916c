//! A second opinion: alpha-beta, asked by the network search for a proved win.
//!
//! With one stone per turn its search by threes and fours proves wins that neither the network nor a
//! search for quiet turns sees. It is asked at the root, and of the position after the turn that the
//! network search likes best.

use std::sync::atomic::AtomicU64;

use collinear_play::{Budget, Turn, Value};
use collinear_rules::Position;

use super::deepen::{Depths, lead};
use super::settings::Settings;
use super::table::Table;
use super::worker::{Shared, Worker};
use crate::State;
use crate::tactics::Tactics;

/// Its transposition table, in mebibytes.
const MEMORY: usize = 8;

/// Somebody to ask; remembers from question to question.
pub(crate) struct SecondOpinion {
    table: Table,
}

impl SecondOpinion {
    /// None where alpha-beta has no search of its own for such turns.
    pub(crate) fn new(state: &State) -> Option<Self> {
        state.cells().map(|_| Self { table: Table::new(MEMORY) })
    }

    /// The winning turn of the player to move and its length, if it is proved within the budget.
    /// The state stands at the position.
    pub(crate) fn win(
        &self,
        state: &mut State,
        tactics: &mut Tactics,
        position: &Position,
        budget: &Budget,
    ) -> Option<(Turn, u16)> {
        let meter = budget.start(1);
        let nodes = AtomicU64::new(0);
        let shared = Shared { table: &self.table, meter: &meter, nodes: &nodes, busy: None };
        let mut worker = Worker::new(state, Settings::default(), shared, tactics);
        let depths = Depths::of(position, budget);
        let thought = lead(&mut worker, position, depths, 1, &meter, &mut |_| {});
        match thought.report.lines.first()?.value {
            Value::WinsIn(turns) => Some((thought.turn, turns)),
            _ => None,
        }
    }
}
