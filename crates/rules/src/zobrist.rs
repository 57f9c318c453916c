//! Zobrist keys: one pseudo-random word for each stone on each cell and each state of the turn.
//!
//! The words are a hash of what they stand for, so they need no table on disk and are the same in
//! every run: keys may be written to files.

use crate::hash::mix;
use crate::{Cell, Player};

pub(crate) const fn stone(cell: Cell, player: Player) -> u64 {
    mix((cell.index() as u64) << 1 | player.index() as u64)
}

/// Who is to move with how many stones left; far away from the numbers that stones use.
pub(crate) const fn turn(player: Player, stones_left: u8) -> u64 {
    mix(1 << 40 | (stones_left as u64) << 1 | player.index() as u64)
}
