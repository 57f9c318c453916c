//! Which cells document 001 looks at: one or two steps from a stone, offensive and defensive.
//!
//! Where there is no candidate the document plays a random cell (§3.2), and its first black stone is
//! JJ, the middle (§3.8).

use crate::search::{Candidate, Score};
use collinear_rules::{Cell, Player, Position};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

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

/// The final generator of the document (§3.2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// Cells near own stones, and as many near opposing ones.
    pub(crate) width: usize,
    pub(crate) look: Look,
    /// For the stones that are placed where there is no candidate.
    pub(crate) seed: u64,
}

impl Near {
    /// The best `width` cells near own stones and the best `width` near opposing ones, each by the
    /// chains it would lengthen; enough for the turn.
    pub(crate) fn candidates(self, position: &Position) -> Vec<Candidate> {
        let mover = position.to_move();
        let mut list = Vec::new();
        for player in [mover, mover.opponent()] {
            let mut near: Vec<Candidate> = near(position, player)
                .into_iter()
                .map(|cell| Candidate {
                    cell,
                    utility: Score::of(chains(position, cell, player, self.look)),
                })
                .collect();
            near.sort_by_key(|c| {
                (std::cmp::Reverse(c.utility), from_centre(position.rules(), c.cell), c.cell)
            });
            near.truncate(self.width);
            list.extend(near);
        }
        // A cell near both players counts once, with its better score.
        list.sort_by_key(|c: &Candidate| (c.cell, std::cmp::Reverse(c.utility)));
        list.dedup_by_key(|c| c.cell);
        top_up(position, self.seed, &mut list);
        list
    }
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

/// Enough cells for the turn: the middle of an empty board, otherwise random ones. The same position
/// has the same ones.
pub(super) fn top_up(position: &Position, seed: u64, list: &mut Vec<Candidate>) {
    if list.len() >= position.stones_left() {
        return;
    }
    let mut legal = position.legal_cells();
    if position.stone_count() == 0 {
        legal.sort_by_key(|&cell| from_centre(position.rules(), cell));
    } else {
        legal.shuffle(&mut dice(position, seed));
    }
    for cell in legal {
        if list.len() >= position.stones_left() {
            break;
        }
        if list.iter().all(|c| c.cell != cell) {
            list.push(Candidate { cell, utility: Score::EVEN });
        }
    }
}

/// Random choices that belong to a position, so that a search may come back to it.
pub(super) fn dice(position: &Position, seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(position.key() ^ seed)
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
        let near = Near { width: 4, look: Look::Four, seed: 1 };
        assert_eq!(near.candidates(&position).len(), 4);
        assert_eq!(near.candidates(&Position::new(rules))[0].cell, centre);
    }

    #[test]
    fn without_candidates_stones_are_random() {
        // Two cells are within two steps of the only stone, and five stones are to be placed.
        let rules: Rules = "30x1,k=9,p=5,q=1".parse().expect("rules");
        let position = Position::from_moves(rules, &[Cell::new(0)]).expect("legal");
        let cells = |seed| -> Vec<Cell> {
            let near = Near { width: 4, look: Look::Four, seed };
            near.candidates(&position).iter().map(|c| c.cell).collect()
        };
        assert_eq!(cells(1).len(), 5);
        assert_eq!(cells(1), cells(1), "the same position, the same stones");
        assert!((2..9).any(|seed| cells(seed) != cells(1)), "another seed, other stones");
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
