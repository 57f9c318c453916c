//! Turns and positions for tests by brute force.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use collinear_rules::{Cell, Position, Rules};
use rand::Rng;

/// Every set of `size` of these cells.
pub(crate) fn turns(cells: &[Cell], size: usize) -> Vec<Vec<Cell>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (index, &cell) in cells.iter().enumerate() {
        for mut turn in turns(&cells[index + 1..], size - 1) {
            turn.push(cell);
            found.push(turn);
        }
    }
    found
}

/// A game of so many random stones, unless it was over before.
pub(crate) fn random_position(
    rules: Rules,
    stones: usize,
    random: &mut impl Rng,
) -> Option<Position> {
    let mut position = Position::new(rules);
    for _ in 0..stones {
        let legal = position.legal_cells();
        position.play(*legal.get(random.random_range(0..legal.len().max(1)))?).ok()?;
    }
    (!position.is_over()).then_some(position)
}
