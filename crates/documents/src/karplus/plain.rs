//! The search of document 003 as the document tells it: plain minimax over every line of play,
//! every board evaluated from scratch.
//!
//! It is here for two reasons: the tests hold the pruned search against it, value by value and
//! best move by best move, and `search=plain` lets anyone measure the document's "seven times as
//! long for each ply".

use collinear_play::Meter;
use collinear_rules::{Cell, Outcome, Player, Position};

use super::decay::{INFINITY, Unit, faded};
use super::evaluation::{Evaluation, WIN};
use super::search::{Best, CLOCK_CHECK_NODES};

/// Minimax without any shortcut.
pub(crate) struct Plain<'a> {
    evaluation: &'a Evaluation,
    unit: Unit,
    meter: &'a Meter,
    nodes: u64,
    spent: bool,
}

impl<'a> Plain<'a> {
    /// A search with this evaluation.
    pub(crate) const fn new(evaluation: &'a Evaluation, unit: Unit, meter: &'a Meter) -> Self {
        Self { evaluation, unit, meter, nodes: 0, spent: false }
    }

    /// Boards looked at.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// All moves with the largest value, looking `plies` discs ahead; of those that the budget
    /// had time for.
    pub(crate) fn best(&mut self, position: &Position, plies: u32) -> Best {
        let mut best = Best { value: -INFINITY, cells: Vec::new() };
        let mut ahead = position.clone();
        let mut cells = position.legal_cells();
        // The order changes no value; a win at hand should not be missed for lack of time.
        cells.sort_by_key(|&cell| !wins(&mut ahead, cell));
        for cell in cells {
            let value = self.disc(&mut ahead, cell, plies);
            if self.spent {
                break;
            }
            if value > best.value {
                best = Best { value, cells: vec![cell] };
            } else if value == best.value {
                best.cells.push(cell);
            }
        }
        best.cells.sort_unstable();
        best
    }

    /// What a disc on this cell is worth to the player to move.
    pub(crate) fn disc(&mut self, position: &mut Position, cell: Cell, plies: u32) -> i64 {
        self.nodes += 1;
        self.spent |=
            self.nodes.is_multiple_of(CLOCK_CHECK_NODES) && self.meter.is_spent(self.nodes);
        let mover = position.to_move();
        position.play_unchecked(cell);
        let value = match position.outcome() {
            Outcome::Won(_) => self.unit.leaf(WIN),
            _ if plies == 1 || self.spent => self.unit.leaf(self.evaluate(position, mover)),
            Outcome::Drawn => 0,
            Outcome::Ongoing => {
                let replies = position.legal_cells().into_iter();
                let best = replies.map(|reply| self.disc(position, reply, plies - 1)).max();
                -faded(best.unwrap_or(0))
            }
        };
        position.undo();
        value
    }

    /// The sum over all fours, seen by the player who has just moved. wineval never looks at them.
    fn evaluate(&self, position: &Position, mover: Player) -> i64 {
        if *self.evaluation == Evaluation::WINEVAL {
            return 0;
        }
        let geometry = position.geometry();
        let mut sum = 0;
        for window in geometry.windows() {
            let (mut own, mut other, mut needed) = (0, 0, 0);
            for &cell in geometry.window_cells(window) {
                match position.at(cell) {
                    Some(player) if player == mover => own += 1,
                    Some(_) => other += 1,
                    None => needed += discs_up_to(position, cell),
                }
            }
            sum += if self.evaluation.by_moves {
                match (own, other) {
                    (1.., 0) => Evaluation::by_needed(needed),
                    (0, 1..) => -Evaluation::by_needed(needed),
                    _ => 0,
                }
            } else {
                i64::from(self.evaluation.four(own, other))
            };
        }
        sum
    }
}

/// Discs that must fall until this empty cell is filled.
fn discs_up_to(position: &Position, cell: Cell) -> u32 {
    let rules = position.rules();
    let landing = position.drop_cell(rules.column(cell)).map_or(0, |landing| rules.row(landing));
    (rules.row(cell) + 1).saturating_sub(landing) as u32
}

fn wins(position: &mut Position, cell: Cell) -> bool {
    position.play_unchecked(cell);
    let won = matches!(position.outcome(), Outcome::Won(_));
    position.undo();
    won
}

#[cfg(test)]
mod tests {
    use collinear_play::Budget;
    use collinear_rules::Rules;

    use super::*;

    #[test]
    fn moves_needed_count_the_discs_below() {
        let mut position = Position::new(Rules::CONNECT4);
        for column in [0, 6, 1, 6, 2] {
            position.play(position.drop_cell(column).expect("room")).expect("legal");
        }
        let rules = *position.rules();
        let needed = |x, y| discs_up_to(&position, rules.cell(x, y).expect("on the board"));
        assert_eq!((needed(3, 0), needed(3, 2), needed(6, 2), needed(6, 5)), (1, 3, 1, 4));
        // X needs one disc for its row of three and two for the next four; O's column needs two.
        let meter = Budget::default().start(1);
        let plain = Plain::new(&Evaluation::NEEDED, Unit::INTEGER, &meter);
        let value = plain.evaluate(&position, Player::Black);
        assert!(value > 32, "{value}");
        assert_eq!(value, -plain.evaluate(&position, Player::White));
    }
}
