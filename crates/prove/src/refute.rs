//! Arguments that the attacker never completes a row, without a search. All of them let the
//! defender's own rows aside, so they hold with and without them.
//!
//! - **Groups** (pairing strategies when p = 1; Hales and Jewett 1963): disjoint groups of `p + 1`
//!   empty cells such that every live window of the attacker holds a whole group. Whenever the
//!   attacker's turn touches groups, the defender takes a cell in each: a turn has `p` stones, so
//!   at most `p` groups are touched and none is filled.
//! - **Potential** (Erdős and Selfridge 1973, Beck 1982): the sum of `(1+p)^(-r/p)` over the live
//!   windows, `r` the cells they lack. Below `1/(1+p)` with the attacker to move, and below 1 with
//!   the defender to begin a whole turn, the defender who always lowers it most holds.
//! - **Follow-up** (Allis 1988, "claimeven"), with gravity and p = 1: every column has an even
//!   number of empty cells and the defender always answers on top of the attacker's stone, which
//!   gives the defender every second cell.

use std::cmp::Reverse;
use std::ops::Range;

use crate::board::{Board, bits};
use crate::node::{Live, Node};

/// How far below its bound the potential has to be, so that roundings do not matter.
const MARGIN: f64 = 1e-6;

/// The potential of windows by the cells they lack, and the bounds it is held against.
#[derive(Debug)]
pub(crate) struct Potential {
    weights: Vec<f64>,
    attacker_begins: f64,
}

impl Potential {
    pub(crate) fn new(board: &Board) -> Self {
        let p = f64::from(board.p);
        let weights = (0..=board.k).map(|lacks| (1.0 + p).powf(-f64::from(lacks) / p)).collect();
        Self { weights, attacker_begins: 1.0 / (1.0 + p) }
    }

    /// The sum over the attacker's live windows.
    pub(crate) fn of(&self, live: &Live) -> f64 {
        live.attack.iter().map(|window| self.weights[window.count_ones() as usize]).sum()
    }

    /// Whether a sum is low enough for the defender.
    pub(crate) fn refutes(&self, board: &Board, node: &Node, sum: f64) -> bool {
        if board.nature.gravity {
            return false;
        }
        let bound = match (node.turn.attacks, node.turn.left) {
            (true, left) if left > board.p => return false,
            (false, left) if left == board.p => 1.0,
            _ => self.attacker_begins,
        };
        sum < bound * (1.0 - MARGIN)
    }
}

/// The groups of a defence, if some are found within this many steps; the attacker is to move.
pub(crate) fn groups(board: &Board, node: &Node, live: &Live, steps: u32) -> Option<Vec<u64>> {
    let size = u32::from(board.p) + 1;
    if board.nature.gravity || !node.turn.attacks || node.turn.left > board.p || size > board.k {
        return None;
    }
    let mut sorted = live.attack.clone();
    sorted.sort_unstable_by_key(|window| window.count_ones());
    if sorted.first().is_some_and(|window| window.count_ones() < size) {
        return None;
    }
    let mut windows: Vec<u64> = Vec::with_capacity(4 * sorted.len());
    for window in sorted {
        // What blocks a part of a window blocks the window.
        if windows.iter().all(|part| part & window != *part) {
            windows.push(window);
        }
    }
    let all = 0..windows.len();
    let mut search = Groups { size, steps, windows, choices: Vec::new(), found: Vec::new() };
    search.cover(all, 0).then_some(search.found)
}

/// The search for groups. Its lists are stacks: each level adds to the end and takes off again.
struct Groups {
    size: u32,
    steps: u32,
    /// The windows that have no group yet, level after level.
    windows: Vec<u64>,
    /// Groups to try, each with the number of windows that it blocks.
    choices: Vec<(Reverse<u32>, u64)>,
    found: Vec<u64>,
}

impl Groups {
    /// Chooses groups for the windows of a level with the cells that are not used.
    fn cover(&mut self, level: Range<usize>, used: u64) -> bool {
        // The window with the fewest cells to choose from has the fewest choices.
        let mut tightest = u64::MAX;
        for window in &self.windows[level.clone()] {
            let free = window & !used;
            if free.count_ones() < self.size {
                return false;
            }
            if free.count_ones() < tightest.count_ones() {
                tightest = free;
            }
        }
        if level.is_empty() {
            return true;
        }
        let first = self.choices.len();
        for group in subsets(tightest, self.size) {
            let windows = self.windows[level.clone()].iter();
            let blocked = windows.filter(|&&window| window & group == group).count();
            self.choices.push((Reverse(blocked as u32), group));
        }
        self.choices[first..].sort_unstable();
        let below = self.windows.len();
        for choice in first..self.choices.len() {
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            let group = self.choices[choice].1;
            self.found.push(group);
            for index in level.clone() {
                if self.windows[index] & group != group {
                    self.windows.push(self.windows[index]);
                }
            }
            if self.cover(below..self.windows.len(), used | group) {
                return true;
            }
            self.windows.truncate(below);
            self.found.pop();
        }
        self.choices.truncate(first);
        false
    }
}

/// The subsets of this many cells.
fn subsets(set: u64, size: u32) -> impl Iterator<Item = u64> {
    let mut cells = [0; 64];
    let count = bits(set).zip(&mut cells).map(|(bit, cell)| *cell = bit).count() as u32;
    // The numbers below 2^count with `size` bits, in order (Gosper's hack).
    let mut next = if size > count { 0 } else { (1_u64 << size) - 1 };
    std::iter::from_fn(move || {
        if next == 0 || u64::BITS - next.leading_zeros() > count {
            return None;
        }
        let chosen = next;
        let lowest = next & next.wrapping_neg();
        let carried = next.wrapping_add(lowest);
        next = if carried == 0 { 0 } else { carried | (((carried ^ next) >> 2) / lowest) };
        Some(bits(chosen).fold(0, |out, bit| out | cells[bit.trailing_zeros() as usize]))
    })
}

/// Whether answering on top of each stone holds; the attacker is to move.
pub(crate) fn follow_up(board: &Board, node: &Node, live: &Live) -> bool {
    if !board.nature.gravity || board.p != 1 || !node.turn.attacks || node.turn.left != 1 {
        return false;
    }
    let empty = node.empty(board);
    let mut answers = 0;
    for column in &board.columns {
        let cells = empty & column;
        if !cells.count_ones().is_multiple_of(2) {
            return false;
        }
        answers |= bits(cells).skip(1).step_by(2).fold(0, |set, cell| set | cell);
    }
    live.attack.iter().all(|window| window & answers != 0)
}
