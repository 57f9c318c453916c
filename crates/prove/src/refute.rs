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
    let mut windows: Vec<u64> = Vec::with_capacity(live.attack.len());
    let mut sorted = live.attack.clone();
    sorted.sort_unstable_by_key(|window| window.count_ones());
    for window in sorted {
        if window.count_ones() < size {
            return None;
        }
        // What blocks a part of a window blocks the window.
        if windows.iter().all(|part| part & window != *part) {
            windows.push(window);
        }
    }
    // Every group takes its own cells: there must be enough for the windows that share none.
    let mut search = Groups { size, steps, found: Vec::new() };
    search.cover(&windows, 0).then_some(search.found)
}

struct Groups {
    size: u32,
    steps: u32,
    found: Vec<u64>,
}

impl Groups {
    /// Chooses groups for the windows that have none, with the cells that are not used.
    fn cover(&mut self, windows: &[u64], used: u64) -> bool {
        // The window with the fewest cells to choose from has the fewest choices.
        let mut tightest = u64::MAX;
        for window in windows {
            let free = window & !used;
            if free.count_ones() < self.size {
                return false;
            }
            if free.count_ones() < tightest.count_ones() {
                tightest = free;
            }
        }
        if windows.is_empty() {
            return true;
        }
        let mut choices: Vec<(usize, u64)> = subsets(tightest, self.size)
            .map(|group| (windows.iter().filter(|&&w| w & group == group).count(), group))
            .collect();
        choices.sort_unstable_by_key(|&(covered, group)| (std::cmp::Reverse(covered), group));
        for (_, group) in choices {
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            self.found.push(group);
            let rest: Vec<u64> =
                windows.iter().copied().filter(|&window| window & group != group).collect();
            if self.cover(&rest, used | group) {
                return true;
            }
            self.found.pop();
        }
        false
    }
}

/// The subsets of this many cells.
fn subsets(set: u64, size: u32) -> impl Iterator<Item = u64> {
    let cells: Vec<u64> = bits(set).collect();
    (0_u64..1 << cells.len()).filter(move |choice| choice.count_ones() == size).map(move |choice| {
        bits(choice).fold(0, |out, bit| out | cells[bit.trailing_zeros() as usize])
    })
}

/// Whether answering on top of each stone holds; the attacker is to move.
pub(crate) fn follow_up(board: &Board, node: &Node, live: &Live) -> bool {
    if !board.nature.gravity || board.p != 1 || !node.turn.attacks || node.turn.left != 1 {
        return false;
    }
    let empty = node.empty(board);
    let mut answers = 0;
    for column in board.columns() {
        let cells = empty & column;
        if !cells.count_ones().is_multiple_of(2) {
            return false;
        }
        answers |= bits(cells).skip(1).step_by(2).fold(0, |set, cell| set | cell);
    }
    live.attack.iter().all(|window| window & answers != 0)
}
