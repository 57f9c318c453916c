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
    // Stones of this turn and of the opponent's next one, as far as they count.
    let left = u32::from(node.turn.left.min(node.rest));
    let next = u32::from(board.p.min(node.rest.saturating_sub(node.turn.left)));
    let moves = if board.nature.gravity {
        if completes(board, own, node.turn.left, playable)
            || own.iter().any(|&window| reaches(board, window, empty, left))
        {
            return mover(true);
        }
        match forced_below(board, other, empty, (u32::from(node.turn.left), next)) {
            Some(0) => return mover(false),
            Some(cells) => cells,
            None => playable,
        }
    } else {
        if completes(board, own, node.turn.left, playable) {
            return mover(true);
        }
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

/// With gravity: whether a window can be completed with this many stones, those below its cells
/// included. With exact rows a stone below might spoil it, so none may be needed.
fn reaches(board: &Board, window: u64, empty: u64, stones: u32) -> bool {
    if window.count_ones() > stones {
        return false;
    }
    let needed = board.supported(window, empty);
    needed.count_ones() <= stones && (needed == window || !board.nature.exact)
}

/// With gravity: where the next of `left` stones goes when the opponent could complete a window with
/// the `next` stones after them; none when the stones do not suffice, `None` without a threat.
///
/// One stone of this turn lies in the window then, on those of the turn that fill the column below.
/// The order of columns does not matter, so the next stone is the lowest of them.
fn forced_below(board: &Board, other: &[u64], empty: u64, (left, next): (u32, u32)) -> Option<u64> {
    if board.nature.exact && (board.p > 1 || left > 1) {
        // The mover may have a row to complete that `reaches` does not see.
        return None;
    }
    let playable = board.playable(empty);
    let threats = other.iter().copied().filter(|&window| reaches(board, window, empty, next));
    let covers = threats.map(|window| {
        bits(window)
            .map(|cell| board.supported(cell, empty))
            .filter(|column| column.count_ones() <= left)
            .fold(0, |set, column| set | column & playable)
    });
    let least = covers.clone().min_by_key(|cells| cells.count_ones())?;
    // One stone cannot be in two places.
    let common = if left == 1 { covers.fold(least, |set, cells| set & cells) } else { least };
    Some(common)
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
