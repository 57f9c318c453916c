//! Turns and positions for tests by brute force.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use collinear_engine::{Engine, SearchResult};
use collinear_play::{Budget, Value};
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

/// A game of this many random stones, unless it was over before.
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

/// Stones at random near the centre: threats on both sides.
pub(crate) fn crowded(rules: Rules, stones: usize, random: &mut impl Rng) -> Position {
    let mut position = Position::new(rules);
    while position.stone_count() < stones && !position.is_over() {
        let mut draw = |size: usize| size / 2 - 4 + random.random_range(0..9);
        let (column, row) = (draw(rules.width()), draw(rules.height()));
        // An occupied cell is simply drawn again.
        let _ = position.play(rules.cell(column, row).expect("inside"));
    }
    position
}

/// Whether a thought claims a win or loss; the judge, with `nodes`, must not show the contrary.
pub(crate) fn claims(
    position: &Position,
    thought: &SearchResult,
    judge: &mut Engine,
    nodes: u64,
) -> bool {
    let mut wins = |position: &Position| {
        let judged = judge.think(position, &Budget::nodes(nodes), &mut |_| {}).expect("ongoing");
        matches!(judged.report.lines[0].value, Value::WinsIn(_))
    };
    match thought.report.lines[0].value {
        Value::WinsIn(_) => {
            let mut after = position.clone();
            thought.turn.iter().for_each(|&cell| after.play(cell).expect("legal"));
            assert!(after.is_over() || !wins(&after), "{position:?}");
            true
        }
        Value::LosesIn(_) => {
            assert!(!wins(position), "{position:?}");
            true
        }
        Value::Chance(_) | Value::Draw => false,
    }
}
