//! Rows as document 000 prints them (§3.2): two windows around every empty tile.
//!
//! ```text
//! O . X X _ . X . . .       forward from `_`: up to k tiles, to the edge or the second colour
//!     ~~~ ^^^^^^^           then back over stones only: X X, and no empty tile; the far end gives
//!                           way, so that the window stays k long: X X _ . X .   3 stones
//! ```
//!
//! A window shorter than `k` is none. In the authors' program it goes on backwards over empty tiles
//! as well, but is then never the second of two: the text does not say so ([`Scan::completes`]).
//!
//! Tile by tile a larger value forbids smaller ones up to `k` tiles further on and erases those up to
//! `k` tiles back, whoever's they are.

use collinear_rules::Player;

use super::Row;
use crate::tablebase::shape::low;

/// A line to look along.
pub(crate) struct Scan {
    pub(crate) stones: [u64; 2],
    pub(crate) length: usize,
    pub(crate) k: usize,
    /// Whether windows that are too short take empty tiles behind the one they start from.
    pub(crate) completes: bool,
}

/// A window found from one tile in one direction.
pub(crate) struct FoundWindow {
    /// Its first tile.
    pub(crate) first: usize,
    /// Whose it is, and how many stones it holds.
    pub(crate) row: Row,
    /// Whether it needed empty tiles behind the one it starts from.
    completed: bool,
}

impl Scan {
    /// The two values of every tile, the larger first.
    pub(crate) fn rows(&self) -> Vec<[Option<Row>; 2]> {
        let mut rows = vec![[None; 2]; self.length];
        for index in 0..self.length {
            let found = self.values(index);
            let back = index.saturating_sub(self.k)..index;
            for (which, row) in found.into_iter().enumerate() {
                let Some(row) = row else { continue };
                let larger = |other: &Row| other.stones > row.stones;
                if rows[back.clone()].iter().flatten().flatten().any(larger) {
                    continue;
                }
                for other in rows[back.clone()].iter_mut().flatten() {
                    other.take_if(|other| other.stones < row.stones);
                }
                rows[index][which] = Some(row);
            }
        }
        rows
    }

    /// What an empty tile finds in both directions, before others silence it.
    fn values(&self, index: usize) -> [Option<Row>; 2] {
        match self.looks(index) {
            [Some(one), Some(other)] => {
                // Of equals the one that cannot be second comes first.
                let rank = |window: &FoundWindow| (window.row.stones, window.completed);
                let (first, second) =
                    if rank(&one) >= rank(&other) { (one, other) } else { (other, one) };
                [Some(first.row), (!second.completed).then_some(second.row)]
            }
            [one, other] => [one.or(other).map(|window| window.row), None],
        }
    }

    /// The windows that an empty tile finds forward and backward.
    pub(crate) fn looks(&self, index: usize) -> [Option<FoundWindow>; 2] {
        if self.stone(index).is_some() {
            return [None, None];
        }
        [self.window(index, 1), self.window(index, -1)]
    }

    fn window(&self, index: usize, step: isize) -> Option<FoundWindow> {
        let mut player = None;
        let mut ahead = 0;
        while ahead + 1 < self.k
            && let Some(at) = self.at(index, step, ahead + 1)
            && self.serves(at, &mut player)
        {
            ahead += 1;
        }
        let mut behind = 0;
        while behind + 1 < self.k
            && let Some(at) = self.at(index, -step, behind + 1)
            && self.stone(at).is_some()
            && self.serves(at, &mut player)
        {
            behind += 1;
        }
        let player = player?;
        let ahead = ahead.min(self.k - 1 - behind);
        let solid = behind;
        while self.completes
            && 1 + ahead + behind < self.k
            && let Some(at) = self.at(index, -step, behind + 1)
            && self.serves(at, &mut Some(player))
        {
            behind += 1;
        }
        if 1 + ahead + behind < self.k {
            return None;
        }
        let far = if step > 0 { behind } else { ahead };
        let first = index - far;
        let stones = (self.stones[player.index()] & low(self.k) << first).count_ones();
        let row = Row { player, stones };
        (stones > 0).then_some(FoundWindow { first, row, completed: behind > solid })
    }

    /// The tile this many steps on, if the line has it.
    fn at(&self, index: usize, step: isize, steps: usize) -> Option<usize> {
        index.checked_add_signed(step * steps as isize).filter(|&at| at < self.length)
    }

    fn stone(&self, at: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()] >> at & 1 != 0)
    }

    /// Whether a tile is empty or the player's; the first stone met says who that is.
    fn serves(&self, at: usize, player: &mut Option<Player>) -> bool {
        match (self.stone(at), *player) {
            (None, _) => true,
            (Some(stone), Some(own)) => stone == own,
            (stone, None) => {
                *player = stone;
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a line of Connect6, drawn with `X` and `O`; `.` where there is none.
    fn values(line: &str) -> (String, String) {
        values_of(line, false)
    }

    fn values_of(line: &str, completes: bool) -> (String, String) {
        let word = |sign| {
            line.chars().enumerate().filter(|(_, c)| *c == sign).fold(0, |w, (at, _)| w | 1 << at)
        };
        let scan = Scan { stones: [word('X'), word('O')], length: line.len(), k: 6, completes };
        let shown = |which: usize| {
            let signs = scan.rows().into_iter().map(|row| {
                row[which].map_or('.', |row| char::from_digit(row.stones, 10).expect("a digit"))
            });
            signs.collect()
        };
        (shown(0), shown(1))
    }

    #[test]
    fn both_looks_from_beside_a_row_find_it() {
        // The tiles at either side can be the far end of a window or the near end of another.
        let (first, second) = values("........XX.......");
        assert_eq!(first, "....2222..2222...");
        assert_eq!(second, ".......2..2......");
    }

    #[test]
    fn the_window_that_ends_at_the_tile_holds_stones_only() {
        // The tiles beside a pair join it to the other one; that between them sees one pair ahead,
        // an empty tile behind, and two stones, which the threes silence.
        let (first, _) = values("OXX...XX.......");
        assert_eq!(&first[3..6], "3.3");
    }

    #[test]
    fn a_window_completed_backwards_is_never_the_second() {
        let (first, second) = values_of("O..X...O", true);
        assert_eq!((&*first, &*second), (".11.111.", "........"));
        let (first, _) = values("O..X...O");
        assert_eq!(first, ".1....1.", "as printed only the ends have a whole window");
    }

    #[test]
    fn a_longer_row_silences_shorter_ones_of_either_player() {
        let (first, _) = values(".....XXX...O........");
        assert!(!first.contains(|c| "12".contains(c)), "{first}");
    }
}
