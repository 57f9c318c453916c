//! The search: is the score of a quiet position above `alpha`?
//!
//! Contract of [`Search::node`]: the result `r` bounds the score `v` of the position for its mover,
//! `v ≤ r` if `r ≤ alpha`, and `v ≥ r` if `r > alpha`. The window has no width: one question, one
//! bit of an answer; [`crate::driver`] asks until the score is known.

use crate::board::Board;
use crate::machine::Machine;
use crate::parallel::Busy;
use crate::resolve::{Resolved, best_quiet, resolve, worst_quiet};
use crate::shape::BoardShape;
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

/// What a thread remembers from one question to the next.
pub(crate) struct ThreadState<W> {
    /// The children of all nodes of the current path, one after the other.
    children: Vec<Child<W>>,
    /// How well a stone on a cell has served each side: ±`MAX_HISTORY` at the most.
    history: Vec<i32>,
}

/// One search with everything it needs.
pub(crate) struct Search<'a, S: BoardShape, M> {
    pub(crate) shape: S,
    pub(crate) machine: M,
    pub(crate) table: &'a Table<S::Word>,
    /// What other threads are at, if there are any.
    pub(crate) others: Option<&'a Busy>,
    pub(crate) state: &'a mut ThreadState<S::Word>,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) nodes: u64,
    pub(crate) next_check: u64,
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
    /// Where the history of the node's move is kept.
    history: u32,
}

/// Nodes between two looks at the limits.
pub(crate) const CHECK_NODES: u64 = 512;
/// The scale of the move order: a threat is worth four full histories.
const THREAT_WORTH: i32 = 1 << 14;
/// For every half column away from the middle.
const OFF_CENTRE_COST: i32 = 1536;
const MAX_HISTORY: i32 = 4096;
/// What lets a child wait for all others.
const DEFERRED: i32 = -(1 << 29);
/// One success or failure moves the history by a 32nd of what is left.
const HISTORY_SHIFT: u32 = 5;

impl<W: Word> ThreadState<W> {
    pub(crate) fn new<S: BoardShape<Word = W>>(shape: S) -> Self {
        Self {
            children: Vec::with_capacity((shape.cells() * shape.width()) as usize),
            history: vec![0; 2 * W::BITS as usize],
        }
    }
}

impl<S: BoardShape, M: Machine> Search<'_, S, M> {
    /// Whether the score is above `alpha`; see the contract above.
    pub(crate) fn is_above(&mut self, board: &Board<S::Word>, alpha: i32) -> Result<i32, Stopped> {
        self.state.children.clear();
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
        let first = self.state.children.len();
        let result = self.expand(board, alpha, first);
        self.state.children.truncate(first);
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
            moves &= !cell;
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
            let history = (board.stones % 2) * S::Word::BITS + cell.lowest();
            let order = self.order(&end, cell, mine) + self.state.history[history as usize];
            self.state.children.push(Child { board: end, slot, mine, order, history });
        }

        // Step 2: what the table knows about the children may end the node before any search.
        let mut at = first;
        while at < self.state.children.len() {
            let child = self.state.children[at];
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
                    self.state.children.swap_remove(at);
                }
                _ => at += 1,
            }
        }

        // Step 3: the others, most promising first.
        let mut at = first;
        while at < self.state.children.len() {
            let mut next = at;
            for other in at + 1..self.state.children.len() {
                if self.state.children[other].order > self.state.children[next].order {
                    next = other;
                }
            }
            self.state.children.swap(at, next);
            let score = match self.others {
                Some(others) if self.state.children[at].board.stones < others.most_stones => {
                    match self.search_beside(others, at, at > first, alpha)? {
                        Some(score) => score,
                        // Another thread is at it: what nobody is at comes first.
                        None => continue,
                    }
                }
                _ => self.search_child(at, alpha)?,
            };
            best = best.max(score);
            if best > alpha {
                self.learn(first, at);
                break;
            }
            at += 1;
        }
        Ok(best)
    }

    #[inline(always)]
    fn search_child(&mut self, at: usize, alpha: i32) -> Result<i32, Stopped> {
        let Child { board, mine, .. } = self.state.children[at];
        if mine {
            self.machine.search(self, &board, alpha)
        } else {
            Ok(-self.machine.search(self, &board, -alpha - 1)?)
        }
    }

    /// The child at `at` beside other threads: they may have answered since it was listed, and what
    /// one of them is searching now can wait, once.
    fn search_beside(
        &mut self,
        others: &Busy,
        at: usize,
        can_wait: bool,
        alpha: i32,
    ) -> Result<Option<i32>, Stopped> {
        let child = &mut self.state.children[at];
        match (self.table.probe(child.slot), child.mine) {
            (Some(Bound::Lower(score)), true) if score > alpha => return Ok(Some(score)),
            (Some(Bound::Upper(score)), true) if score <= alpha => return Ok(Some(score)),
            (Some(Bound::Upper(score)), false) if -score > alpha => return Ok(Some(-score)),
            (Some(Bound::Lower(score)), false) if -score <= alpha => return Ok(Some(-score)),
            _ => {}
        }
        let mark = child.slot.mark();
        if can_wait && child.order > DEFERRED / 2 && others.has(mark) {
            child.order += DEFERRED;
            return Ok(None);
        }
        others.enter(mark);
        let score = self.search_child(at, alpha);
        others.leave(mark);
        score.map(Some)
    }

    /// The child at `best` was worth searching, those from `first` up to it were not.
    #[inline(always)]
    fn learn(&mut self, first: usize, best: usize) {
        for &Child { history, .. } in &self.state.children[first..best] {
            let worth = &mut self.state.history[history as usize];
            *worth -= (MAX_HISTORY + *worth) >> HISTORY_SHIFT;
        }
        let worth = &mut self.state.history[self.state.children[best].history as usize];
        *worth += (MAX_HISTORY - *worth) >> HISTORY_SHIFT;
    }

    /// What to search first: threats made, the move kept (an opponent who had to answer has not
    /// chosen), then the middle of the board, and what has served well elsewhere. Keeping the move
    /// counts as much as a threat: on the easy openings of Pons that saves two thirds of the nodes.
    #[inline(always)]
    fn order(&self, end: &Board<S::Word>, cell: S::Word, mine: bool) -> i32 {
        let shape = self.shape;
        let column = (cell.lowest() / shape.stride()) as i32;
        let off_centre = (2 * column - (shape.width() as i32 - 1)).abs();
        let threats = if mine { end.wins.count() + 1 } else { end.threats.count() };
        threats as i32 * THREAT_WORTH - off_centre * OFF_CENTRE_COST
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limits.nodes || (self.limits.stop)() {
            return Err(Stopped);
        }
        self.next_check = (self.nodes + CHECK_NODES).min(self.limits.nodes);
        Ok(())
    }
}
