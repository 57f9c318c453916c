//! The search: is the score of a quiet position above `alpha`?
//!
//! Contract of [`Search::node`]: the result `r` bounds the score `v` of the position for its mover,
//! `v ≤ r` if `r ≤ alpha`, and `v ≥ r` if `r > alpha`. The window has no width: one question, one
//! bit of an answer; [`crate::driver`] asks until the score is known.

use crate::board::Board;
use crate::machine::Machine;
use crate::resolve::{Resolved, best_quiet, resolve, worst_quiet};
use crate::shape::Shape;
use crate::table::{Bound, Slot, Table};
use crate::word::Word;
use crate::zugzwang;

/// The search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// When to stop.
pub(crate) struct Limits<'a> {
    pub(crate) nodes: u64,
    pub(crate) stop: &'a dyn Fn() -> bool,
}

/// One search with everything it needs.
pub(crate) struct Search<'a, S: Shape, M> {
    pub(crate) shape: S,
    pub(crate) machine: M,
    pub(crate) table: &'a mut Table<S::Word>,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) nodes: u64,
    /// The children of all nodes of the current path, one after the other.
    children: Vec<Child<S::Word>>,
    next_check: u64,
    history: Vec<i32>,
}

/// A quiet position below a node.
#[derive(Clone, Copy)]
struct Child<W> {
    board: Board<W>,
    slot: Slot<W>,
    /// Whether the player who moves at the node moves here too.
    mine: bool,
    /// Higher is searched first.
    order: i32,
    place: u32,
}

/// Nodes between two looks at the limits and at the size of the table.
const CHECK_NODES: u64 = 512;

impl<'a, S: Shape, M: Machine> Search<'a, S, M> {
    pub(crate) fn new(
        shape: S,
        machine: M,
        table: &'a mut Table<S::Word>,
        limits: &'a Limits<'a>,
    ) -> Self {
        let children = Vec::with_capacity((shape.cells() * shape.width()) as usize);
        let next_check = CHECK_NODES.min(limits.nodes);
        Self {
            shape,
            machine,
            table,
            limits,
            nodes: 0,
            children,
            next_check,
            history: vec![0; 2 * S::Word::BITS as usize],
        }
    }

    /// Whether the score is above `alpha`; see the contract above.
    pub(crate) fn is_above(&mut self, board: &Board<S::Word>, alpha: i32) -> Result<i32, Stopped> {
        self.children.clear();
        self.machine.search(self, board, alpha)
    }

    /// One node: `board` is quiet.
    #[inline(always)]
    pub(crate) fn node(&mut self, board: &Board<S::Word>, alpha: i32) -> Result<i32, Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.look_up()?;
        }
        let before = self.nodes;
        let first = self.children.len();
        let result = self.expand(board, alpha, first);
        self.children.truncate(first);
        let best = result?;
        let bound = if best > alpha { Bound::Lower(best) } else { Bound::Upper(best) };
        let slot = self.table.slot(board.canonical_key(self.shape));
        self.table.store(slot, bound, self.nodes - before + 1);
        Ok(best)
    }

    #[inline(always)]
    fn expand(&mut self, board: &Board<S::Word>, alpha: i32, first: usize) -> Result<i32, Stopped> {
        let shape = self.shape;
        let mut best = i32::MIN;

        // Step 1: resolve every child; what is decided or bounded well enough needs no search.
        let mut moves = board.landing(shape) & !(board.threats >> 1);
        while !moves.is_zero() {
            let cell = moves.lowest_bit();
            moves = moves & !cell;
            let (end, mine) = match resolve(shape, board.after(shape, cell)) {
                Resolved::Decided(score) => {
                    best = best.max(-score);
                    if best > alpha {
                        return Ok(best);
                    }
                    continue;
                }
                Resolved::Mine(end) => (end, false),
                Resolved::Theirs(end) => (end, true),
            };
            let mut most = best_quiet(shape, end.stones);
            if let Some(bound) =
                zugzwang::upper_bound(shape, &end, if mine { alpha } else { -alpha - 1 })
            {
                most = most.min(bound);
            }
            let least = worst_quiet(shape, end.stones);
            let (least, most) = if mine { (least, most) } else { (-most, -least) };
            if least > alpha {
                return Ok(least);
            }
            if most <= alpha {
                best = best.max(most);
                continue;
            }
            let slot = self.table.slot(end.canonical_key(shape));
            self.table.prefetch(slot);
            let order = self.order(&end, cell, mine);
            let place = (board.stones & 1) * S::Word::BITS + cell.lowest();
            let order = order + self.history[place as usize];
            self.children.push(Child { board: end, slot, mine, order, place });
        }

        // Step 2: what the table knows about the children may end the node before any search.
        let mut at = first;
        while at < self.children.len() {
            let child = self.children[at];
            let bound = match (self.table.probe(child.slot), child.mine) {
                (None, _) => {
                    at += 1;
                    continue;
                }
                (Some(bound), true) => bound,
                (Some(Bound::Upper(score)), false) => Bound::Lower(-score),
                (Some(Bound::Lower(score)), false) => Bound::Upper(-score),
            };
            match bound {
                Bound::Lower(score) if score > alpha => return Ok(score),
                Bound::Upper(score) if score <= alpha => {
                    best = best.max(score);
                    self.children.swap_remove(at);
                }
                _ => at += 1,
            }
        }

        // Step 3: the others, most promising first.
        for at in first..self.children.len() {
            let mut next = at;
            for other in at + 1..self.children.len() {
                if self.children[other].order > self.children[next].order {
                    next = other;
                }
            }
            self.children.swap(at, next);
            let Child { board, mine, .. } = self.children[at];
            let score = if mine {
                self.machine.search(self, &board, alpha)?
            } else {
                -self.machine.search(self, &board, -alpha - 1)?
            };
            best = best.max(score);
            if best > alpha {
                for &Child { place, .. } in &self.children[first..at] {
                    let h = &mut self.history[place as usize];
                    *h -= (4096 + *h) >> 5;
                }
                let place = self.children[at].place;
                let h = &mut self.history[place as usize];
                *h += (4096 - *h) >> 5;
                break;
            }
        }
        Ok(best)
    }

    /// Cells where the player wins count most, then the middle of the board.
    #[inline(always)]
    fn order(&self, end: &Board<S::Word>, cell: S::Word, mine: bool) -> i32 {
        let shape = self.shape;
        let column = (cell.lowest() / shape.stride()) as i32;
        let off_centre = (2 * column - (shape.width() as i32 - 1)).abs();
        let (own, other) = if mine { (end.wins, end.threats) } else { (end.threats, end.wins) };
        let _ = other;
        // The player who is not to move while the number of empty cells is even.
        let follows = (shape.cells() - end.stones).is_multiple_of(2) != mine;
        let good = if follows { shape.follow_up() } else { !shape.follow_up() };
        let _ = good;
        (own.count() as i32 + i32::from(mine)) * (1 << 14) - off_centre * 1536
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limits.nodes || (self.limits.stop)() {
            return Err(Stopped);
        }
        self.table.grow_for(CHECK_NODES);
        self.next_check = (self.nodes + CHECK_NODES).min(self.limits.nodes);
        Ok(())
    }
}
