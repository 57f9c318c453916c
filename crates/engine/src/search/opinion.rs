//! A second opinion: alpha-beta, asked by the network search for a proved win.
//!
//! With one stone per turn its search by threes and fours proves wins that neither the network nor a
//! search for quiet turns sees. It is asked at the root, and of the position after the turn that the
//! network search likes best.

use std::sync::atomic::AtomicU64;

use collinear_play::{Budget, Turn, Value};
use collinear_rules::Position;

use super::deepen::{Depths, Wanted, lead};
use super::params::SearchParams;
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
    params: SearchParams,
}

impl SecondOpinion {
    /// None where alpha-beta has no search of its own for such turns.
    pub(crate) fn new(state: &State, params: &SearchParams) -> Option<Self> {
        state.cells().map(|_| Self { table: Table::new(MEMORY), params: *params })
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
        let mut worker = Worker::new(state, Settings::default(), &self.params, shared, tactics);
        let depths = Depths::of(position, budget);
        let wanted = Wanted { lines: 1, known: &[] };
        let thought = lead(&mut worker, position, depths, wanted, &meter, &mut |_| {});
        match thought.report.lines.first()?.value {
            Value::WinsIn(turns) => Some((thought.turn, turns)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Weights;
    use collinear_rules::{Rules, notation};
    use std::sync::Arc;

    #[test]
    fn it_proves_a_win_by_threes_and_leaves_the_board_as_it_was() {
        // From a game lost to another program; the network gives the winning stone less than 1 %.
        let mut position = Position::new(Rules::GOMOKU);
        for name in "e6 f9 j10 e8 g11 f8 g8 f7 f6 g6 d9 g7 h7".split(' ') {
            let cell = notation::parse(&Rules::GOMOKU, name).expect("a cell");
            position.play(cell).expect("legal");
        }
        let mut state = State::new(&position, Arc::new(Weights::for_rules(&Rules::GOMOKU)));
        let mut tactics = Tactics::new(&Rules::GOMOKU);
        let before = (state.key(), state.turn(), state.empty_count());
        let opinion =
            SecondOpinion::new(&state, &SearchParams::default()).expect("one stone per turn");
        let budget = Budget::nodes(200_000);
        let (turn, turns) =
            opinion.win(&mut state, &mut tactics, &position, &budget).expect("a win");
        assert_eq!(turn.len(), 1);
        assert!(turns >= 2, "{turns}");
        assert_eq!((state.key(), state.turn(), state.empty_count()), before);
        // The other side has no win to find.
        position.play(turn[0]).expect("legal");
        state.play(turn[0]);
        assert!(opinion.win(&mut state, &mut tactics, &position, &Budget::nodes(20_000)).is_none());
    }

    #[test]
    fn turns_of_two_stones_have_none() {
        let position = Position::new(Rules::CONNECT6);
        let state = State::new(&position, Arc::new(Weights::for_rules(&Rules::CONNECT6)));
        assert!(SecondOpinion::new(&state, &SearchParams::default()).is_none());
    }
}
