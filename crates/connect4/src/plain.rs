//! The slow twin: negamax on [`Position`], nothing clever, nothing shared with the solver.
//!
//! Tests hold the solver against it, and benchmarks show what the cleverness buys.

use collinear_rules::{Outcome, Position};

/// The exact score of a position for its mover (see [`crate::Score`]), by trying everything with
/// alpha-beta; `nodes` counts the positions looked at.
pub fn score(position: &mut Position, nodes: &mut u64) -> i8 {
    let most = position.rules().cells() as i8;
    negamax(position, -most, most, nodes)
}

/// Fail-hard alpha-beta: the score, clamped to `alpha..=beta`.
fn negamax(position: &mut Position, alpha: i8, beta: i8, nodes: &mut u64) -> i8 {
    *nodes += 1;
    match position.outcome() {
        Outcome::Drawn => return 0,
        Outcome::Won(_) => {
            let left = (position.rules().cells() + 2 - position.stone_count()) / 2;
            return -(left as i8);
        }
        Outcome::Ongoing => {}
    }
    let mut best = alpha;
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        best = best.max(-negamax(position, -beta, -best, nodes));
        position.undo();
        if best >= beta {
            break;
        }
    }
    best
}
