//! Zobrist keys: one pseudo-random word for each stone on each cell and each state of the turn.
//!
//! The words are a hash of what they stand for, so they need no table on disk and are the same in
//! every run: keys may be written to files.

use crate::{Cell, Player};

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014): a bijection that mixes every bit.
const fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

pub(crate) const fn stone(cell: Cell, player: Player) -> u64 {
    mix((cell.index() as u64) << 1 | player.index() as u64)
}

/// Who is to move with how many stones left; far away from the numbers that stones use.
pub(crate) const fn turn(player: Player, stones_left: u8) -> u64 {
    mix(1 << 40 | (stones_left as u64) << 1 | player.index() as u64)
}
