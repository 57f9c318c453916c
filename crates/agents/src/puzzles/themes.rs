//! What a puzzle is about, read off its proof.

use std::sync::Arc;

use collinear_engine::proof::{Proof, Then, line};
use collinear_rules::{Cell, Position};
use collinear_windows::{Windows, has_shapes, shapes};

use super::set::Theme;

/// The themes of a win by threats.
pub(super) fn of_proof(position: &Position, proof: &Arc<Proof>) -> Vec<Theme> {
    let mut themes = Vec::new();
    if has_shapes(position.rules()) {
        let quiet = matches!(proof.then, Then::Quiet(_));
        themes.push(if quiet { Theme::Quiet } else { Theme::Fours });
        if has_four_three(position, &line(position, proof)) {
            themes.push(Theme::FourThree);
        }
        themes.sort_unstable();
    } else if position.rules().p() == 2 {
        themes.push(Theme::DoubleThreat);
    }
    themes
}

/// Whether a stone of the winner makes a four and a three at once, each on a line of its own.
fn has_four_three(position: &Position, line: &[Cell]) -> bool {
    let player = position.to_move();
    let mut position = position.clone();
    line.iter().any(|&cell| {
        let own = position.to_move() == player;
        if position.play(cell).is_err() || !own {
            return false;
        }
        let with: Vec<_> = shapes(&position, player)
            .into_iter()
            .filter(|found| found.stones.contains(&cell))
            .collect();
        let four = with.iter().find(|found| found.shape.is_four());
        four.is_some_and(|four| {
            with.iter().any(|three| three.shape.is_three() && three.line != four.line)
        })
    })
}

/// The themes of a win with gravity, from the best play of both sides.
pub(super) fn of_columns(line: &[Cell], start: &Position) -> Vec<Theme> {
    let winner = start.to_move();
    let mut position = start.clone();
    let mut themes = Vec::new();
    for (at, &cell) in line.iter().enumerate() {
        let last = at + 2 == line.len();
        // The loser's last stone: no row is threatened before it, and every column lets one in.
        if last && position.to_move() != winner && threats(&position) == 0 {
            themes.push(Theme::Zugzwang);
        }
        if position.play(cell).is_err() || position.is_over() {
            break;
        }
        if position.to_move() != winner && threats(&position) > 1 {
            themes.push(Theme::DoubleThreat);
        }
    }
    themes.sort_unstable();
    themes.dedup();
    themes
}

/// Columns in which the player who is not to move would win at once.
fn threats(position: &Position) -> usize {
    let mover = position.to_move();
    let windows = Windows::of(position);
    let geometry = windows.geometry().clone();
    let mut cells: Vec<Cell> = Vec::new();
    for (line, found) in windows.lines_within(mover.opponent(), 1) {
        for offset in collinear_windows::offsets(found) {
            let empties = windows.empties(line, offset);
            cells.extend(
                collinear_windows::offsets(empties).map(|index| geometry.line_cells(line)[index]),
            );
        }
    }
    cells.sort_unstable();
    cells.dedup();
    let legal = position.legal_cells();
    cells.into_iter().filter(|cell| legal.contains(cell)).count()
}
