//! Which cells document 001 looks at: one or two steps from a stone, offensive and defensive.

use crate::search::{Candidate, Score};
use collinear_rules::{Cell, Player, Position};

use crate::connectk::adjacent::{from_centre, has_neighbour};

/// How far from a stone.
const STEPS: u32 = 2;

/// In which directions chains next to a cell count for its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The document's four: its chains are counted forward only.
    Four,
    /// Both ways along each line.
    Eight,
}

/// The best `width` cells near own stones and the best `width` near opposing ones, each by the
/// chains it would lengthen. The middle of the board when there is nothing to be near to.
pub(crate) fn candidates(position: &Position, width: usize, look: Look) -> Vec<Candidate> {
    let mover = position.to_move();
    let mut list = Vec::new();
    for player in [mover, mover.opponent()] {
        let mut near: Vec<Candidate> = near(position, player)
            .into_iter()
            .map(|cell| Candidate {
                cell,
                utility: Score::of(chains(position, cell, player, look)),
            })
            .collect();
        near.sort_by_key(|c| {
            (std::cmp::Reverse(c.utility), from_centre(position.rules(), c.cell), c.cell)
        });
        near.truncate(width);
        list.extend(near);
    }
    // A cell near both players counts once, with its better score.
    list.sort_by_key(|c: &Candidate| (c.cell, std::cmp::Reverse(c.utility)));
    list.dedup_by_key(|c| c.cell);
    if list.len() < position.stones_left() {
        top_up(position, &mut list);
    }
    list
}

/// Legal cells one or two steps along a line from a stone of this player.
fn near(position: &Position, player: Player) -> Vec<Cell> {
    let legal = position.legal_cells().into_iter();
    legal
        .filter(|&cell| {
            has_neighbour(position, cell, STEPS)
                && position.geometry().lines_through(cell).iter().any(|at| {
                    let stones = position.line(at.line)[player.index()];
                    let index = u32::from(at.index);
                    let from = index.saturating_sub(STEPS);
                    stones >> from & ((1 << (index + STEPS + 1 - from)) - 1) != 0
                })
        })
        .collect()
}

/// Σ over the directions of 2^(length of the player's chain that starts next to the cell).
fn chains(position: &Position, cell: Cell, player: Player, look: Look) -> i64 {
    const MAX_LENGTH: u32 = 40;
    position
        .geometry()
        .lines_through(cell)
        .iter()
        .map(|at| {
            let stones = position.line(at.line)[player.index()];
            let index = u32::from(at.index);
            let after = stones.checked_shr(index + 1).unwrap_or(0).trailing_ones();
            let before = (stones << (63 - index) << 1).leading_ones();
            let behind = if look == Look::Eight { 1_i64 << before.min(MAX_LENGTH) } else { 0 };
            (1_i64 << after.min(MAX_LENGTH)) + behind
        })
        .sum()
}

/// Enough cells for the turn, from the middle outwards.
fn top_up(position: &Position, list: &mut Vec<Candidate>) {
    let mut legal = position.legal_cells();
    legal.sort_by_key(|&cell| from_centre(position.rules(), cell));
    for cell in legal {
        if list.len() >= position.stones_left() {
            break;
        }
        if list.iter().all(|c| c.cell != cell) {
            list.push(Candidate { cell, utility: Score::EVEN });
        }
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;

    #[test]
    fn near_cells_are_those_on_lines_within_two_steps() {
        let rules = Rules::CONNECT6;
        let centre = rules.cell(9, 9).expect("on the board");
        let position = Position::from_moves(rules, &[centre]).expect("legal");
        assert_eq!(near(&position, Player::Black).len(), 16);
        assert!(near(&position, Player::White).is_empty());
        assert_eq!(candidates(&position, 4, Look::Four).len(), 4);
        assert_eq!(candidates(&Position::new(rules), 4, Look::Four)[0].cell, centre);
    }

    #[test]
    fn chains_count_both_ways() {
        let rules: Rules = "7x1,k=5,p=3,q=3".parse().expect("rules");
        let moves = [1, 2, 4].map(Cell::new);
        let position = Position::from_moves(rules, &moves).expect("legal");
        // `.XX.X..`: on d1 two stones to the left, one to the right; three lines of nothing.
        let both = |cell| chains(&position, Cell::new(cell), Player::Black, Look::Eight);
        assert_eq!((both(3), both(6)), (4 + 2 + 3 * 2, 2 + 3 * 2));
        // Forward only, a cell behind a chain is worth nothing: the document's blind spot.
        let forward = |cell| chains(&position, Cell::new(cell), Player::Black, Look::Four);
        assert_eq!((forward(0), forward(3), forward(5)), (4 + 3, 2 + 3, 1 + 3));
    }
}
