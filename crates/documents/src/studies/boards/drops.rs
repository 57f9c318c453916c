//! Boards of Connect Four: columns of characters as document 003 has them, its planned byte per column,
//! and a word of bits for each player.
//!
//! All are walked as the document's program walks: X plays, X and O are swapped, the next player is X
//! again; a disc that completes four is a win, and nothing follows it.

use super::{Measured, Walked, measure};
use crate::karplus::bytes::{Bytes, InvertTable};

const WIDTH: usize = 7;
const HEIGHT: usize = 6;

/// A board on which X moves.
trait Drops {
    fn has_room(&self, column: usize) -> bool;
    fn play(&mut self, column: usize);
    fn unplay(&mut self, column: usize);
    fn invert(&mut self);
    /// Whether the top disc of a column, X's, completes four.
    fn is_movewin(&self, column: usize) -> bool;
}

/// All ways, the document's own first.
pub(super) fn ways(plies: u32, runs: u32) -> Vec<Measured> {
    let table = InvertTable::new();
    vec![
        measure("columns of characters", size_of::<Characters>(), runs, || {
            walk(&mut Characters::empty(), plies)
        }),
        measure("a byte per column, swapped by table", size_of::<Bytes>(), runs, || {
            walk(&mut ByTable { bytes: Bytes::EMPTY, table: &table }, plies)
        }),
        measure("a word of bits per player", size_of::<Words>(), runs, || {
            walk(&mut Words::empty(), plies)
        }),
    ]
}

fn walk(board: &mut impl Drops, plies: u32) -> Walked {
    let mut walked = Walked::default();
    for column in 0..WIDTH {
        if !board.has_room(column) {
            continue;
        }
        board.play(column);
        walked.boards += 1;
        if board.is_movewin(column) {
            walked.wins += 1;
        } else if plies > 1 {
            board.invert();
            let below = walk(board, plies - 1);
            walked.boards += below.boards;
            walked.wins += below.wins;
            board.invert();
        }
        board.unplay(column);
    }
    walked
}

/// An array of columns, each an array of characters.
struct Characters([[u8; HEIGHT]; WIDTH]);

impl Characters {
    const fn empty() -> Self {
        Self([[b' '; HEIGHT]; WIDTH])
    }

    fn filled(&self, column: usize) -> usize {
        self.0[column].iter().take_while(|&&sign| sign != b' ').count()
    }
}

impl Drops for Characters {
    fn has_room(&self, column: usize) -> bool {
        self.0[column][HEIGHT - 1] == b' '
    }

    fn play(&mut self, column: usize) {
        let row = self.filled(column);
        self.0[column][row] = b'X';
    }

    fn unplay(&mut self, column: usize) {
        let row = self.filled(column) - 1;
        self.0[column][row] = b' ';
    }

    fn invert(&mut self) {
        for sign in self.0.as_flattened_mut() {
            *sign = match *sign {
                b'X' => b'O',
                b'O' => b'X',
                other => other,
            };
        }
    }

    fn is_movewin(&self, column: usize) -> bool {
        let row = self.filled(column) - 1;
        let own =
            |x: usize, y: usize| self.0.get(x).and_then(|column| column.get(y)) == Some(&b'X');
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy): (isize, isize)| {
            let run = |sign: isize| {
                (1..4)
                    .take_while(|i| {
                        let x = column.wrapping_add_signed(sign * i * dx);
                        own(x, row.wrapping_add_signed(sign * i * dy))
                    })
                    .count()
            };
            1 + run(1) + run(-1) >= 4
        })
    }
}

struct ByTable<'a> {
    bytes: Bytes,
    table: &'a InvertTable,
}

impl Drops for ByTable<'_> {
    fn has_room(&self, column: usize) -> bool {
        self.bytes.has_room(column)
    }

    fn play(&mut self, column: usize) {
        self.bytes.play(column);
    }

    fn unplay(&mut self, column: usize) {
        self.bytes.unplay(column);
    }

    fn invert(&mut self) {
        self.bytes.invert(self.table);
    }

    fn is_movewin(&self, column: usize) -> bool {
        self.bytes.is_movewin(column)
    }
}

/// A bit per cell, columns of seven bits of which the top one stays empty.
struct Words {
    x: u64,
    all: u64,
}

impl Words {
    const fn empty() -> Self {
        Self { x: 0, all: 0 }
    }

    const fn column(column: usize) -> u64 {
        ((1 << HEIGHT) - 1) << (column * (HEIGHT + 1))
    }
}

impl Drops for Words {
    fn has_room(&self, column: usize) -> bool {
        self.all & Self::column(column) != Self::column(column)
    }

    fn play(&mut self, column: usize) {
        let next = ((self.all & Self::column(column)) + (1 << (column * (HEIGHT + 1))))
            & Self::column(column)
            & !self.all;
        self.x |= next;
        self.all |= next;
    }

    fn unplay(&mut self, column: usize) {
        let discs = self.all & Self::column(column);
        let top = 1 << discs.ilog2();
        self.x &= !top;
        self.all &= !top;
    }

    fn invert(&mut self) {
        self.x ^= self.all;
    }

    fn is_movewin(&self, _: usize) -> bool {
        [1, HEIGHT, HEIGHT + 1, HEIGHT + 2].into_iter().any(|step| {
            let pairs = self.x & self.x >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_boards_tell_the_same() {
        // 7^n up to six discs: no column is full and from the seventh disc on rows end lines.
        for (plies, boards) in [(1, 7), (4, 7 + 49 + 343 + 2401)] {
            assert!(ways(plies, 1).iter().all(|way| way.walked == Walked { boards, wins: 0 }));
        }
        let ways = ways(8, 1);
        assert!(ways[0].walked.wins > 0);
        for way in &ways {
            assert_eq!(way.walked, ways[0].walked, "{}", way.name);
        }
    }
}
