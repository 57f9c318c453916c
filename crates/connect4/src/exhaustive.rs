//! For tests: every position of a small board with its exact score, by plain minimax with memory.

use std::collections::HashMap;

use crate::board::{Board, has_row};
use crate::shape::BoardShape;

/// Visits every position that play can lead to, except finished games, with its exact score; of
/// mirror images one.
pub(crate) fn for_every_position<S: BoardShape>(
    shape: S,
    mut visit: impl FnMut(&Board<S::Word>, i32),
) {
    let mut known = HashMap::new();
    score(shape, &Board::empty(), &mut known);
    for (&key, &score) in &known {
        visit(&Board::from_key(shape, key), score);
    }
}

fn score<S: BoardShape>(
    shape: S,
    board: &Board<S::Word>,
    known: &mut HashMap<S::Word, i32>,
) -> i32 {
    if board.stones == shape.cells() {
        return 0;
    }
    let key = board.canonical_key(shape);
    if let Some(&score) = known.get(&key) {
        return score;
    }
    let mut best = i32::MIN;
    for column in 0..shape.width() {
        let Some(cell) = board.landing_in(shape, column) else { continue };
        best = best.max(if has_row(shape, board.me | cell) {
            ((shape.cells() + 1 - board.stones) / 2) as i32
        } else {
            -score(shape, &board.after(shape, cell), known)
        });
    }
    known.insert(key, best);
    best
}
