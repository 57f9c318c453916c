//! What a node tells without a search: who completes a row at once, which threats must be covered,
//! which cells are worth a stone.
//!
//! Three arguments, all about the mover M and the opponent O:
//!
//! 1. M completes a live window that lacks no more cells than M has stones left.
//! 2. Otherwise every window that O could complete with a full turn must be hit within this turn.
//!    The order of a turn's stones does not matter, so the next stone hits one chosen window; and
//!    it must leave windows that the stones after it can hit.
//! 3. A cell is dominated by another when every live window of either colour through the first
//!    also holds the second: the stone on the second does all that the first does, and more.
//!
//! With gravity a cell may be out of reach and a stone may harm, with exact rows too: there only
//! what stays true is used.

use crate::board::{Board, bits};
use crate::node::{Live, Node};

/// What is known at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// The attacker completes a row.
    Wins,
    /// The attacker never does.
    Fails,
    /// One of these cells is as good as any.
    Open {
        /// The cells.
        moves: u64,
    },
}

/// Judges a node by its live windows.
pub(crate) fn judge(board: &Board, node: &Node, live: &Live) -> Judgement {
    if live.attack.is_empty() {
        return Judgement::Fails;
    }
    let (own, other) = if node.turn.attacks {
        (&live.attack, &live.defence)
    } else {
        (&live.defence, &live.attack)
    };
    let mover =
        |wins: bool| if wins == node.turn.attacks { Judgement::Wins } else { Judgement::Fails };
    let empty = node.empty(board);
    let playable = board.playable(empty);
    if completes(board, own, node.turn.left, playable) {
        return mover(true);
    }
    let moves = if board.nature.gravity {
        if board.p == 1 && node.turn.left == 1 {
            match other
                .iter()
                .filter(|w| w.is_power_of_two() && *w & playable != 0)
                .fold(0, |s, w| s | w)
            {
                0 => playable,
                one if one.is_power_of_two() => one,
                _ => return mover(false),
            }
        } else {
            playable
        }
    } else {
        match forced(other, u32::from(board.p), u32::from(node.turn.left)) {
            Some(0) => return mover(false),
            Some(cells) => cells,
            None => empty,
        }
    };
    Judgement::Open { moves: if board.nature.free() { undominated(live, moves) } else { moves } }
}

/// Whether a player with these live windows completes one within the turn. With gravity only a
/// row that the next stone makes is seen.
pub(crate) fn completes(board: &Board, own: &[u64], left: u8, playable: u64) -> bool {
    if board.nature.gravity {
        own.iter().any(|w| w.is_power_of_two() && w & playable != 0)
    } else {
        own.iter().any(|w| w.count_ones() <= u32::from(left))
    }
}

/// The cells of one threatened window that a first covering stone can take, none when the stones
/// do not suffice; `None` without a threat.
fn forced(other: &[u64], p: u32, left: u32) -> Option<u64> {
    let smallest = threatened(other, p)?;
    let threats: Vec<u64> = other.iter().copied().filter(|w| w.count_ones() <= p).collect();
    Some(bits(smallest).filter(|&cell| coverable(&threats, cell, left - 1)).fold(0, |s, c| s | c))
}

/// Of the windows that a player with these live windows could complete with a full turn, the one
/// that lacks fewest cells; of several the least as a number.
pub(crate) fn threatened(own: &[u64], p: u32) -> Option<u64> {
    let threats = own.iter().copied().filter(|w| w.count_ones() <= p);
    threats.min_by_key(|&window| (window.count_ones(), window))
}

/// Whether this many stones hit every threat that a set of cells does not.
fn coverable(threats: &[u64], taken: u64, stones: u32) -> bool {
    let Some(&open) = threats.iter().find(|&&threat| threat & taken == 0) else { return true };
    stones > 0 && bits(open).any(|cell| coverable(threats, taken | cell, stones - 1))
}

/// The cells of a set that no other cell dominates; of equal cells the lowest.
pub(crate) fn undominated(live: &Live, moves: u64) -> u64 {
    // For every cell the cells common to all live windows through it.
    let mut common = [u64::MAX; 64];
    for window in live.attack.iter().chain(&live.defence) {
        for cell in bits(*window) {
            common[cell.trailing_zeros() as usize] &= window;
        }
    }
    let relevant = live.attack.iter().chain(&live.defence).fold(0, |set, window| set | window);
    bits(moves & relevant)
        .filter(|&cell| {
            let through = |cell: u64| common[cell.trailing_zeros() as usize];
            bits(through(cell) & !cell).all(|other| through(other) & cell != 0 && cell < other)
        })
        .fold(0, |set, cell| set | cell)
}
