//! What is called proved holds in every position of small boards, and in endgames of Connect Four as
//! the solver knows them; what is a rule of thumb is measured.

use std::collections::HashMap;

use collinear_rules::{Rules, notation};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::solver::Solver;

/// A position of Connect Four from the columns of its stones, counted from 1.
fn played(text: &str) -> Position {
    let mut position = Position::new(Rules::CONNECT4);
    for sign in text.chars() {
        let cell = notation::parse_pons(&position, sign).expect("a column");
        position.play(cell).expect("legal");
    }
    position
}

/// Endgames without a row after moves that are random, but hand over nothing at once where that can be
/// helped: `empty` cells are left.
fn endgames(rules: Rules, empty: usize, count: usize, seed: u64) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::new(rules);
        while !position.is_over() && position.empty_count() > empty {
            let legal = position.legal_cells();
            let sound: Vec<Cell> =
                legal.iter().copied().filter(|&cell| is_sound(&position, cell)).collect();
            let open = if sound.is_empty() { &legal } else { &sound };
            position.play_unchecked(open[random.random_range(0..open.len())]);
        }
        if !position.is_over() {
            found.push(position);
        }
    }
    found
}

/// Whether the opponent cannot complete a row right after this stone.
fn is_sound(position: &Position, cell: Cell) -> bool {
    let mut after = position.clone();
    after.play_unchecked(cell);
    !after.is_over()
        && after.legal_cells().iter().all(|&reply| !wins(&after, reply, after.to_move()))
}

#[test]
fn threats_are_the_cells_that_win() {
    for position in endgames(Rules::CONNECT4, 20, 300, 1) {
        let parity = Parity::of(&position).expect("a gravity game");
        let mut slow = Vec::new();
        for cell in position.empty_cells() {
            for player in Player::BOTH {
                // Set up with one stone more, whatever lies below it.
                let board = |at: Cell| if at == cell { Some(player) } else { position.at(at) };
                if has_row_through(&position, cell, board) {
                    slow.push((cell, player));
                }
            }
        }
        let mut fast: Vec<_> = parity.threats.iter().map(|t| (t.cell, t.player)).collect();
        fast.sort_by_key(|(cell, player)| (cell.index(), player.index()));
        slow.sort_by_key(|(cell, player)| (cell.index(), player.index()));
        assert_eq!(fast, slow);
    }
}

/// Looks at every window of four through a cell.
fn has_row_through(
    position: &Position,
    cell: Cell,
    board: impl Fn(Cell) -> Option<Player>,
) -> bool {
    WAYS.into_iter().any(|way| {
        (-3..=0).any(|from| {
            let cells = (from..from + 4).map(|steps| step(position, cell, way, steps));
            let Some(cells) = cells.collect::<Option<Vec<_>>>() else { return false };
            cells.iter().all(|&at| board(at) == board(cell))
        })
    })
}

/// Every position of a small board that play leads to.
fn all_positions(position: &mut Position, seen: &mut HashMap<u64, Position>) {
    if position.is_over() || seen.contains_key(&position.key()) {
        return;
    }
    seen.insert(position.key(), position.clone());
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        all_positions(position, seen);
        position.undo();
    }
}

#[test]
fn what_is_proved_holds_in_every_position_of_small_boards() {
    let (mut certain, mut lost, mut won, mut held) = (0, 0, 0, 0);
    for text in ["4x4,k=3,gravity", "4x4,k=4,gravity", "5x3,k=3,gravity", "3x5,k=3,gravity"] {
        let rules: Rules = text.parse().expect(text);
        let mut solver = Solver::without_book(&rules).expect(text);
        let mut seen = HashMap::new();
        all_positions(&mut Position::new(rules), &mut seen);
        for position in seen.values() {
            let exact = solver.solve(position).expect("solved").score;
            let parity = Parity::of(position).expect(text);
            let bounds = parity.bounds.expect("not over");
            assert!(
                bounds.least <= exact && exact <= bounds.most,
                "{text} {position:?} {exact} {bounds:?}"
            );
            if let Some(filling) = parity.filling.filter(|filling| filling.certain) {
                assert_eq!(filling.score, exact, "{text} {position:?}");
                certain += 1;
            }
            lost += usize::from(bounds.most.get() < 0);
            won += usize::from(bounds.least.get() > 0);
            held += usize::from(bounds.most.get() == 0);
        }
    }
    assert!(
        certain > 1000 && lost > 1000 && won > 1000 && held > 1000,
        "{certain} {lost} {won} {held}"
    );
}

#[test]
fn what_is_proved_holds_in_endgames_of_connect_four() {
    let mut solver = Solver::without_book(&Rules::CONNECT4).expect("Connect Four").memory(16 << 20);
    let mut decided = 0;
    for empty in [8, 11, 14, 17] {
        for position in endgames(Rules::CONNECT4, empty, 150, empty as u64) {
            let exact = solver.solve(&position).expect("solved").score;
            let parity = Parity::of(&position).expect("a gravity game");
            let bounds = parity.bounds.expect("not over");
            assert!(bounds.least <= exact && exact <= bounds.most, "{position:?}");
            decided += usize::from(bounds.least.get() > 0 || bounds.most.get() < 0);
        }
    }
    assert!(decided > 100, "{decided}");
}

/// The figures of docs/studies.md. What zugzwang says is not certain while threats may arise, and the
/// page says so: here is how often it is right.
#[test]
fn how_often_the_filling_of_columns_foretells_the_winner() {
    let mut solver = Solver::without_book(&Rules::CONNECT4).expect("Connect Four").memory(16 << 20);
    let mut said = Vec::new();
    for empty in [10, 14, 18] {
        let (mut right, mut all) = (0, 0);
        for position in endgames(Rules::CONNECT4, empty, 400, 7 + empty as u64) {
            let parity = Parity::of(&position).expect("a gravity game");
            // What hangs at once needs no parity.
            let quiet = parity.threats.iter().all(|threat| !threat.playable);
            let Some(filling) = parity.filling.filter(|_| quiet && !parity.threats.is_empty())
            else {
                continue;
            };
            let exact = solver.solve(&position).expect("solved").score;
            all += 1;
            right += usize::from(exact.get().signum() == filling.score.get().signum());
        }
        said.push((empty, right, all));
    }
    // Cells left, winner or draw foretold, positions with threats of which none can be taken at once.
    assert_eq!(said, [(10, 118, 151), (14, 91, 140), (18, 85, 169)]);
}

/// The small game of columns against plain minimax over whole boards in which nothing else counts.
#[test]
fn the_filling_is_that_of_plain_minimax() {
    for (nth, position) in endgames(Rules::CONNECT4, 9, 60, 3).into_iter().enumerate() {
        let parity = Parity::of(&position).expect("a gravity game");
        let filling = parity.filling.expect("small");
        let mut heights: Vec<usize> = (0..7)
            .map(|column| position.drop_cell(column).map_or(6, |cell| Rules::CONNECT4.row(cell)))
            .collect();
        let slow = minimax(&position, &parity.threats, &mut heights, 0);
        assert_eq!(filling.score.get(), slow, "{nth} {position:?}");
        if let Some((winner, cell)) = filling.wins {
            assert!(parity.threats.iter().any(|t| t.cell == cell && t.player == winner));
            assert_eq!(winner == position.to_move(), slow > 0);
        }
    }
}

fn minimax(position: &Position, threats: &[Threat], heights: &mut [usize], placed: usize) -> i8 {
    let player = if placed.is_multiple_of(2) { position.to_move() } else { !position.to_move() };
    let stones = position.stone_count() + placed;
    let mut best = None;
    for column in 0..7 {
        let Some(cell) = Rules::CONNECT4.cell(column, heights[column]) else { continue };
        let score = if threats.iter().any(|t| t.cell == cell && t.player == player) {
            ((43 - stones) / 2) as i8
        } else {
            heights[column] += 1;
            let score = -minimax(position, threats, heights, placed + 1);
            heights[column] -= 1;
            score
        };
        best = best.max(Some(score));
    }
    best.unwrap_or(0)
}

#[test]
fn rows_belong_to_those_who_get_them() {
    // Nobody has moved: the second player answers on top and gets the even rows.
    let parity = Parity::of(&Position::new(Rules::CONNECT4)).expect("a gravity game");
    assert_eq!(parity.answers, Player::White);
    assert_eq!(parity.threats, []);
    // After one stone it is still the second player who does.
    assert_eq!(Parity::of(&played("4")).expect("gravity").answers, Player::White);
    let other: Rules = "4x4,k=4".parse().expect("rules");
    assert!(Parity::of(&Position::new(other)).is_err());
}
