//! A network in front of a board that a search plays on.

use std::sync::Arc;

use collinear_rules::Rules;

use super::{EMPTY, Evaluator, Net, OTHER, OWN};
use crate::State;

/// Evaluates the position of a [`State`]; one per thread.
pub(crate) struct BoardNet {
    evaluator: Evaluator,
    board: Vec<u8>,
}

impl BoardNet {
    pub(crate) fn new(rules: &Rules, net: &Arc<Net>) -> Self {
        Self {
            evaluator: Evaluator::new(net.clone(), rules.width(), rules.height()),
            board: vec![EMPTY; rules.cells()],
        }
    }

    /// The value's logit for the player to move. The policy is in [`policy`](Self::policy) afterwards.
    pub(crate) fn evaluate(&mut self, state: &State) -> f32 {
        let turn = state.turn();
        let geometry = state.geometry();
        let width = geometry.rules().width();
        for (row, line) in geometry.lines().take(geometry.rules().height()).enumerate() {
            let own = state.board().on(line, turn.player);
            let other = state.board().on(line, !turn.player);
            for (column, cell) in self.board[row * width..][..width].iter_mut().enumerate() {
                *cell = match (own >> column & 1, other >> column & 1) {
                    (1, _) => OWN,
                    (_, 1) => OTHER,
                    _ => EMPTY,
                };
            }
        }
        let one_left = turn.left == 1 && geometry.rules().p() > 1;
        self.evaluator.evaluate(&self.board, one_left)
    }

    /// The policy of the position evaluated last: a logit per cell, occupied ones included.
    pub(crate) fn policy(&self) -> &[f32] {
        self.evaluator.policy()
    }
}
