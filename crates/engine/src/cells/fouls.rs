//! Renju in the cells: what is forbidden to Black counts for nothing until it is allowed again.
//!
//! Shapes say which cells may be forbidden at all: two lines that grow, two fours, or a row of six.
//! Only those are judged by the rules, after every stone. A forbidden cell is of no kind, has the
//! policy of an occupied one and adds nothing to the evaluation; before the next stone it is given
//! back what its shapes say, so that shapes are kept as in any other game.

use collinear_rules::{Cell, Geometry, LineStones, Player};
use collinear_windows::{Stones, offsets};

use super::{CellKind, Cells};
use crate::evaluation::Evaluation;

/// The cells forbidden to Black, now and before each stone played.
#[derive(Clone, Default)]
pub(super) struct Fouls {
    now: Vec<Cell>,
    before: Vec<Vec<Cell>>,
}

const BLACK: usize = Player::Black.index();
const WHITE: usize = Player::White.index();

impl Cells {
    /// Whether Renju forbids the cell to Black.
    pub(crate) fn is_forbidden(&self, cell: Cell) -> bool {
        self.fouls.as_ref().is_some_and(|fouls| fouls.now.contains(&cell))
    }

    /// Whether a player may place a stone on this empty cell.
    pub(crate) fn is_allowed(&self, player: Player, cell: Cell) -> bool {
        player == Player::White || !self.is_forbidden(cell)
    }

    /// Whether the kinds of this player's cells may change by stones on no line of theirs: in Renju
    /// a black stone may become forbidden.
    pub(crate) fn looks_far(&self, player: Player) -> bool {
        player == Player::Black && self.fouls.is_some()
    }

    /// Another position was taken over.
    pub(super) fn find_fouls(&mut self, board: &Stones) {
        let Some(fouls) = &mut self.fouls else { return };
        fouls.before.clear();
        self.renew_fouls(board);
    }

    /// A stone is to be placed: the cells count by their shapes again.
    pub(super) fn lift_fouls(&mut self) {
        let Some(fouls) = &mut self.fouls else { return };
        let now = std::mem::take(&mut fouls.now);
        for &cell in &now {
            self.weigh_foul(cell, -1);
        }
        if let Some(fouls) = &mut self.fouls {
            fouls.before.push(now);
        }
    }

    /// A stone was placed.
    pub(super) fn renew_fouls(&mut self, board: &Stones) {
        if self.fouls.is_none() {
            return;
        }
        let mut found: Vec<Cell> = self
            .at_least(Player::Black, CellKind::ThreeThree)
            .filter(|&cell| may_be_foul(self.kind(Player::Black, cell)))
            .collect();
        add_long_rows(board, &mut found);
        found.retain(|&cell| board.is_forbidden(cell));
        for &cell in &found {
            self.weigh_foul(cell, 1);
        }
        if let Some(fouls) = &mut self.fouls {
            fouls.now = found;
        }
    }

    /// The last stone is to be taken back.
    pub(super) fn drop_fouls(&mut self) -> Vec<Cell> {
        let Some(fouls) = &mut self.fouls else { return Vec::new() };
        let now = std::mem::take(&mut fouls.now);
        let before = fouls.before.pop().unwrap_or_default();
        for cell in now {
            self.weigh_foul(cell, -1);
        }
        before
    }

    /// The last stone was taken back: these cells are forbidden again.
    pub(super) fn restore_fouls(&mut self, before: Vec<Cell>) {
        for &cell in &before {
            self.weigh_foul(cell, 1);
        }
        if let Some(fouls) = &mut self.fouls {
            fouls.now = before;
        }
    }

    /// Takes what a cell is worth to Black out of kinds, policy and totals, or puts it back.
    fn weigh_foul(&mut self, cell: Cell, sign: i32) {
        let at = cell.index();
        let view = self.views[BLACK][at];
        let kinds = &mut self.totals.kinds[BLACK];
        let [old, new] =
            if sign > 0 { [view.kind, CellKind::Quiet] } else { [CellKind::Quiet, view.kind] };
        kinds[old as usize] -= 1;
        kinds[new as usize] += 1;
        self.kinds[BLACK][at] = new;
        self.totals.mover[BLACK] -= sign * i32::from(view.weights.mover);
        self.totals.waiter[BLACK] -= sign * i32::from(view.weights.waiter);
        self.policy[BLACK][at] += sign * Evaluation::OCCUPIED;
        self.policy[WHITE][at] -= sign * i32::from(view.weights.defend);
    }

    /// Whether white stones elsewhere could make a cell that is allowed now a double three.
    pub(crate) fn may_become_foul(&self, cell: Cell) -> bool {
        let shapes = self.views[BLACK][cell.index()].shapes;
        self.fouls.is_some() && (0..4).filter(|&d| shapes.shape(d).is_three()).count() > 1
    }
}

/// Whether shapes of this kind may make a double three or a double four.
const fn may_be_foul(kind: CellKind) -> bool {
    matches!(kind, CellKind::ThreeThree | CellKind::FourThree | CellKind::OpenFour)
}

/// The empty cells between black stones that would make six or more in a row.
fn add_long_rows(board: &Stones, found: &mut Vec<Cell>) {
    const LENGTH: u32 = 6;
    let geometry: &Geometry = board.geometry();
    for line in geometry.lines() {
        let black = board.on(line, Player::Black);
        if black.count_ones() + 1 < LENGTH {
            continue;
        }
        let cells = geometry.line_cells(line);
        let white = board.on(line, Player::White);
        for start in 0..cells.len().saturating_sub(LENGTH as usize - 1) {
            let window = ((1 << LENGTH) - 1) << start;
            let empty = window & !black;
            if white & window == 0 && empty.is_power_of_two() {
                found.extend(offsets(empty).map(|index| cells[index]));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use collinear_rules::{Position, Rules};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::{State, Weights};

    /// What cells say must be what the rules say, before and after stones are taken back.
    fn agree(state: &State, position: &Position) -> usize {
        let cells = state.cells().expect("cells");
        let forbidden = position.empty_cells().filter(|&cell| position.is_forbidden(cell));
        let forbidden: Vec<Cell> = forbidden.collect();
        for cell in position.empty_cells() {
            let is_forbidden = forbidden.contains(&cell);
            assert_eq!(cells.is_forbidden(cell), is_forbidden, "{cell:?}\n{position}");
            let policy = cells.policy(Player::Black)[cell.index()];
            assert_eq!(policy < Evaluation::NOBODY, is_forbidden);
            assert!(!is_forbidden || cells.kind(Player::Black, cell) == CellKind::Quiet);
        }
        for kind in CellKind::ALL {
            let counted = position.empty_cells().filter(|&c| cells.kind(Player::Black, c) == kind);
            assert_eq!(usize::from(cells.count_of(Player::Black, kind)), counted.count());
        }
        forbidden.len()
    }

    #[test]
    fn forbidden_cells_are_those_of_the_rules() {
        let rules = Rules::RENJU;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut state = State::new(&Position::new(rules), Arc::new(Weights::for_rules(&rules)));
        let mut found = 0;
        for _ in 0..60 {
            let mut position = Position::new(rules);
            state.set(&position);
            let mut evaluations = Vec::new();
            for _ in 0..random.random_range(20..90) {
                let (x, y) = (random.random_range(3..12), random.random_range(3..12));
                let cell = rules.cell(x, y).expect("on the board");
                if position.check(cell).is_err() {
                    continue;
                }
                evaluations.push(state.evaluation());
                position.play_unchecked(cell);
                state.play(cell);
                if position.is_over() {
                    break;
                }
                found += agree(&state, &position);
            }
            let mut fresh = state.clone();
            fresh.set(&position);
            assert_eq!(fresh.evaluation(), state.evaluation());
            while position.undo().is_some() {
                state.undo();
                assert_eq!(Some(state.evaluation()), evaluations.pop());
                agree(&state, &position);
            }
        }
        assert!(found > 1000, "{found} forbidden cells are too few to mean anything");
    }
}
