//! The first two generators of candidates in document 001 (§3.2), which its last one replaced.
//!
//! The first lists the cells beside own stones, a random ten of them. The second joins a cell beside an
//! own stone with a cell beside an opposing one, scores each such pair stone by stone as evaluation c
//! does, and keeps the ten best: turns, not cells. Both look one step ahead in the document's four
//! directions, and place random stones where there is nothing to look from.
//!
//! ```text
//!   . . .        . . .
//!   . X a        a: the cells that a stone offers: right, above, above right, below right
//!   . . a
//! ```
//!
//! *Own* are always the stones of the player who thinks, also in the opponent's turns: the listing
//! asks for the colour of the program and not for whose turn it is.

use collinear_rules::{Cell, DIRECTIONS, Direction, Player, Position};
use rand::seq::IndexedRandom;

use super::candidates::{Look, dice, top_up};
use super::evaluation::{Chains, move_value};
use crate::search::{Candidate, Score};

/// Cells of the first generator, pairs of the second.
const MOST: usize = 10;

/// The first generator: ten random neighbours of own stones.
pub(super) fn own(position: &Position, me: Player, look: Look, seed: u64) -> Vec<Candidate> {
    let beside = beside(position, me, look);
    let few = beside.choose_multiple(&mut dice(position, seed), MOST);
    let mut list: Vec<Candidate> =
        few.map(|&cell| Candidate { cell, utility: Score::EVEN }).collect();
    top_up(position, seed, &mut list);
    list
}

/// Two stones that are played together, with their score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) chain: Cell,
    pub(super) block: Cell,
    pub(super) score: Score,
}

/// The second generator: the ten best pairs of a cell beside an own stone and one beside an opposing
/// one, best first.
pub(super) fn pairs(position: &Position, me: Player, look: Look, chains: Chains) -> Vec<Pair> {
    let mover = position.to_move();
    let scored = |player| -> Vec<(Cell, i64)> {
        let cells = beside(position, player, look).into_iter();
        cells.map(|cell| (cell, move_value(position, cell, me, chains))).collect()
    };
    let (own, opposing) = (scored(me), scored(me.opponent()));
    let mut ahead = position.clone();
    let mut pairs = Vec::new();
    for &(chain, first) in &own {
        ahead.play_unchecked(chain);
        let over = ahead.is_over();
        for &(block, second) in &opposing {
            // One stone per turn: the second one is the opponent's, and there is no pair.
            let together = over || ahead.to_move() == mover;
            if block == chain || !together || (!over && ahead.check(block).is_err()) {
                continue;
            }
            let wins = over || completes(&mut ahead, block);
            let score = if wins { Score::MAX } else { Score::of(first + second) };
            pairs.push(Pair { chain, block, score });
        }
        ahead.undo();
    }
    pairs.sort_by_key(|pair| (std::cmp::Reverse(pair.score), pair.chain, pair.block));
    pairs.truncate(MOST);
    pairs
}

fn completes(position: &mut Position, cell: Cell) -> bool {
    position.play_unchecked(cell);
    let over = position.is_over();
    position.undo();
    over
}

/// The cells of pairs that may be the next stone: after `played`, the first stone of the turn, its
/// partners.
pub(super) fn next_of_pairs(pairs: &[Pair], played: Option<Cell>) -> Vec<Candidate> {
    let mut list: Vec<Candidate> = Vec::new();
    for pair in pairs {
        let cell = match played {
            None => pair.chain,
            Some(first) if first == pair.chain => pair.block,
            Some(_) => continue,
        };
        if list.iter().all(|c| c.cell != cell) {
            list.push(Candidate { cell, utility: pair.score });
        }
    }
    list
}

/// Legal cells one step from the stones of a player.
fn beside(position: &Position, player: Player, look: Look) -> Vec<Cell> {
    let rules = position.rules();
    let mut cells = Vec::new();
    for stone in position.stones(player) {
        for direction in DIRECTIONS {
            let (dx, dy) = Direction::step(direction);
            for sign in if look == Look::Eight { &[1, -1][..] } else { &[1] } {
                let x = rules.column(stone).wrapping_add_signed(sign * dx);
                let cell = rules.cell(x, rules.row(stone).wrapping_add_signed(sign * dy));
                cells.extend(cell.filter(|&cell| position.check(cell).is_ok()));
            }
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Rules, notation};

    fn position(moves: &str) -> Position {
        let rules = Rules::CONNECT6;
        let cells: Vec<Cell> = moves
            .split_whitespace()
            .map(|name| notation::parse(&rules, name).expect(name))
            .collect();
        Position::from_moves(rules, &cells).expect("legal")
    }

    fn names(list: impl IntoIterator<Item = Cell>) -> String {
        let cells: Vec<Cell> = list.into_iter().collect();
        notation::names(&Rules::CONNECT6, &cells)
    }

    #[test]
    fn a_stone_offers_the_cells_ahead_of_it() {
        let one = position("j10");
        assert_eq!(names(beside(&one, Player::Black, Look::Four)), "k9 k10 j11 k11");
        assert_eq!(beside(&one, Player::Black, Look::Eight).len(), 8);
        // White has no stone yet: random ones, as the document's second condition says.
        let cells = own(&one, Player::White, Look::Four, 3);
        assert_eq!(cells.len(), 2);
        assert!(beside(&one, Player::White, Look::Four).is_empty());
    }

    #[test]
    fn ten_random_ones_of_many() {
        let many = position("j10 a1 s19 e5 n14 a19 s1 e14 n5 c1 q1");
        let all = beside(&many, Player::Black, Look::Four);
        assert_eq!(all.len(), 20);
        let chosen = own(&many, Player::Black, Look::Four, 1);
        assert_eq!(chosen.len(), MOST);
        assert!(chosen.iter().all(|c| all.contains(&c.cell)));
        assert_eq!(chosen, own(&many, Player::Black, Look::Four, 1));
    }

    #[test]
    fn the_pair_that_wins_comes_first() {
        // Black has four in a row that ends at m10: n10 is ahead of it, and White's stone at n9 offers
        // o10; so one pair completes six.
        let four = position("j10 n9 a1 k10 l10 a19 c1 m10 s19 s1 q1");
        assert_eq!(four.to_move(), Player::Black);
        let found = pairs(&four, Player::Black, Look::Four, Chains::Last);
        assert_eq!(found.len(), MOST);
        assert_eq!(names([found[0].chain, found[0].block]), "n10 o10");
        assert_eq!(found[0].score, Score::MAX);
        assert!(found[1].score < Score::MAX);
        let next = next_of_pairs(&found, Some(found[0].chain));
        assert_eq!(next[0].cell, found[0].block);
    }
}
