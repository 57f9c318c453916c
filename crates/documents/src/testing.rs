//! Positions for the tests of agents.

use collinear_rules::{Position, Rules};
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// An unfinished game of random stones.
pub(crate) fn random_position(rules: Rules, rng: &mut SmallRng) -> Position {
    loop {
        let mut position = Position::new(rules);
        for _ in 0..rng.random_range(0..rules.cells()) {
            let Some(&cell) = position.legal_cells().choose(rng) else { break };
            position.play_unchecked(cell);
        }
        if !position.is_over() {
            return position;
        }
    }
}
