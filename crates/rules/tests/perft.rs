//! Counting whole game trees: numbers that others have published, and a plain twin elsewhere.

mod reference;

use std::collections::HashSet;

use collinear_rules::{Outcome, Position, Rules};
use reference::Mailbox;

/// Games from here to their end.
fn games(position: &mut Position) -> u64 {
    if position.is_over() {
        return 1;
    }
    position
        .legal_cells()
        .into_iter()
        .map(|cell| {
            position.play_unchecked(cell);
            let count = games(position);
            position.undo();
            count
        })
        .sum()
}

/// Positions by number of stones, those after `depth` stones included.
fn positions(rules: Rules, depth: usize) -> Vec<usize> {
    let mut layer = vec![Position::new(rules)];
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for position in &layer {
            for cell in position.legal_cells() {
                let mut child = position.clone();
                child.play_unchecked(cell);
                if seen.insert(child.key()) {
                    next.push(child);
                }
            }
        }
        counts.push(next.len());
        layer = next;
    }
    counts
}

/// Move sequences of exactly `depth` stones, by the fast position.
fn perft(position: &mut Position, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        count += perft(position, depth - 1);
        position.undo();
    }
    count
}

/// The same by the plain one.
fn plain_perft(position: &mut Mailbox, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for cell in position.legal_cells() {
        position.play(cell);
        count += plain_perft(position, depth - 1);
        position.undo();
    }
    count
}

#[test]
fn tic_tac_toe_has_255168_games_and_5478_positions() {
    // S. Schaefer, "MathRec Solutions (Tic-Tac-Toe)" (2002).
    assert_eq!(games(&mut Position::new(Rules::TICTACTOE)), 255_168);
    assert_eq!(positions(Rules::TICTACTOE, 9).iter().sum::<usize>(), 5_478);
}

#[test]
fn connect_four_positions_by_ply() {
    // OEIS A212693.
    let known = [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275];
    assert_eq!(positions(Rules::CONNECT4, 8), known);
}

#[test]
fn small_boards_agree_with_the_plain_twin() {
    for (text, depth) in [
        ("4x4,k=3,p=2,q=1", 5),
        ("5x5,k=4,p=2,q=1", 4),
        ("6x3,k=3,p=2,q=1,exact", 4),
        ("3x3,k=3,p=3,q=2", 9),
        ("4x3,k=3,p=2,q=1,gravity", 9),
        ("6x6,k=6,p=2,q=1", 3),
    ] {
        let rules: Rules = text.parse().expect(text);
        let fast = perft(&mut Position::new(rules), depth);
        assert_eq!(fast, plain_perft(&mut Mailbox::new(rules), depth), "{text} to {depth} stones");
    }
}

#[test]
fn a_full_board_without_a_row_is_drawn() {
    let mut drawn = 0;
    let mut stack = vec![Position::new(Rules::TICTACTOE)];
    let mut seen = HashSet::new();
    while let Some(position) = stack.pop() {
        if position.outcome() == Outcome::Drawn {
            drawn += 1;
        }
        for cell in position.legal_cells() {
            let mut child = position.clone();
            child.play_unchecked(cell);
            if seen.insert(child.key()) {
                stack.push(child);
            }
        }
    }
    // 16 ways to place five X and four O with no row; a count anyone can check on paper.
    assert_eq!(drawn, 16);
}
