//! The move loop: the stones of a node one after the other, and what they come to.
//!
//! Both searches use it. A search asks for the [next stone](Worker::next_stone), searches what
//! follows, and [notes](Worker::note) the score; at the end it [stores](Worker::finish) the best.
//! What is in here: the order, stones that another thread is busy with, stones tried before in
//! another order, more stones where all lose, the principal variation, and what a cutoff teaches.

use collinear_rules::Cell;

use super::busy::{self, Queue};
use super::frame::Node;
use super::score::{self, INFINITE, MAX_EVALUATION, Score};
use super::table::{Bound, Entry};
use super::widen::{Listed, Widened};
use super::worker::Worker;

/// Depth from which threads divide the stones of a node among them.
const BUSY_DEPTH: i32 = 2;

/// The stones of a node while they are tried.
pub(super) struct Siblings {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// The best score so far, and its stone.
    pub(super) best: Score,
    pub(super) best_cell: Option<Cell>,
    pub(super) bound: Bound,
    /// Stones tried so far.
    pub(super) tried: usize,
    listed: Listed,
    queue: Queue,
    /// A loss is proved, whatever was tried.
    is_lost: bool,
    /// Some stones of the list were tried in another order, or must not be tried here.
    left_some_out: bool,
}

/// A stone to try.
#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) cell: Cell,
    at: usize,
    /// What other threads see it by.
    busy: Option<u64>,
}

impl Siblings {
    /// The best stone, where it is better than alpha was.
    pub(super) fn raised(&self) -> Option<Cell> {
        self.best_cell.filter(|_| self.bound != Bound::Upper)
    }
}

impl Worker<'_> {
    /// The stones in the list of a node, in their order.
    pub(super) fn siblings(
        &self,
        node: Node,
        [alpha, beta]: [Score; 2],
        listed: Listed,
    ) -> Siblings {
        Siblings {
            alpha,
            beta,
            best: -INFINITE,
            best_cell: None,
            bound: Bound::Upper,
            tried: 0,
            listed,
            queue: Queue::new(0, self.frames[node.ply].list.len()),
            is_lost: false,
            left_some_out: false,
        }
    }

    /// The next stone to try; those that another thread is busy with come last. Where one is found
    /// that does not lose, none after the first `most` of the list (move count pruning).
    pub(super) fn next_stone(
        &mut self,
        siblings: &mut Siblings,
        node: Node,
        depth: i32,
        most: usize,
    ) -> Option<Next> {
        let Node { ply, distance, .. } = node;
        let turn = self.state.turn();
        loop {
            let Some((at, may_wait)) = siblings.queue.next() else {
                // A loss against these stones is not a loss yet.
                let from = self.frames[ply].list.len();
                match self.widen(node, siblings.best, &mut siblings.listed) {
                    Widened::More => {
                        siblings.queue = Queue::new(from, self.frames[ply].list.len());
                        continue;
                    }
                    Widened::Lost(score) => {
                        siblings.best = score;
                        siblings.is_lost = true;
                    }
                    Widened::Enough => {}
                }
                return None;
            };
            if at >= most && siblings.best > -MAX_EVALUATION {
                continue;
            }
            let cell = self.frames[ply].list[at].cell;
            if self.frames[ply].excluded == Some(cell)
                || self.was_tried(cell, node)
                || turn.left == 1 && distance == 0 && self.is_excluded(cell)
            {
                siblings.left_some_out = true;
                continue;
            }
            let busy = self.shared.busy.filter(|_| depth >= BUSY_DEPTH).map(|busy| {
                let child = self.state.key() ^ self.state.geometry().stone_key(cell, turn.player);
                (busy, busy::at_depth(child, depth))
            });
            if may_wait && siblings.tried > 0 && busy.is_some_and(|(busy, key)| busy.has(key)) {
                siblings.queue.put_off(at);
                continue;
            }
            self.frames[ply].trying = at;
            return Some(Next { cell, at, busy: busy.map(|(_, key)| key) });
        }
    }

    /// Tells the other threads what this one begins with, and plays the stone.
    #[inline]
    pub(super) fn begin(&mut self, next: Next) {
        if let (Some(busy), Some(key)) = (self.shared.busy, next.busy) {
            busy.begin(key);
        }
        self.state.play(next.cell);
    }

    /// Takes the stone back, and tells the other threads.
    #[inline]
    pub(super) fn end(&mut self, next: Next) {
        self.state.undo();
        if let (Some(busy), Some(key)) = (self.shared.busy, next.busy) {
            busy.end(key);
        }
    }

    /// Notes the score of a stone that was tried. Says whether it is good enough to try no other.
    pub(super) fn note(
        &mut self,
        siblings: &mut Siblings,
        node: Node,
        depth: i32,
        next: Next,
        score: Score,
    ) -> bool {
        siblings.tried += 1;
        if score <= siblings.best {
            return false;
        }
        siblings.best = score;
        siblings.best_cell = Some(next.cell);
        if score <= siblings.alpha {
            return false;
        }
        siblings.alpha = score;
        siblings.bound = Bound::Exact;
        let [here, after, ..] = &mut self.frames[node.ply..] else { return false };
        here.line.clear();
        here.line.push(next.cell);
        here.line.extend_from_slice(&after.line);
        if node.ply == 0 {
            self.root_score = Some(score);
        }
        if score < siblings.beta {
            return false;
        }
        siblings.bound = Bound::Lower;
        let player = self.state.turn().player;
        let tried = &self.frames[node.ply].list[..=next.at];
        self.order.reward(tried, player, depth, node.ply);
        true
    }

    /// Stores what the stones came to, `best` with it, and gives the score of the node.
    pub(super) fn finish(
        &self,
        siblings: &Siblings,
        node: Node,
        key: u64,
        depth: i32,
        best: Option<Cell>,
        unproved: u8,
    ) -> Score {
        let Siblings { bound, is_lost, .. } = *siblings;
        let is_complete = siblings.listed.is_complete && self.frames[node.ply].excluded.is_none();
        let mut score = siblings.best;
        // A loss is proved only if every stone was tried.
        if score <= -score::PROVED && !is_complete && !is_lost {
            score = score::doubted(score, self.doubt);
        }
        // A loss may rest on turns that were tried in another order; whoever comes another way does
        // not know them.
        let is_whole = is_lost || !siblings.left_some_out || score > -score::PROVED;
        let stored = if is_whole { score } else { score::doubted(score, self.doubt) };
        self.store(key, node.distance, Entry { score: stored, bound, depth, best, unproved });
        score
    }

    /// Whether an earlier stone of this turn had this cell as an earlier sibling.
    fn was_tried(&self, cell: Cell, node: Node) -> bool {
        self.frames[node.turn_start..node.ply]
            .iter()
            .any(|frame| frame.list[..frame.trying].iter().any(|candidate| candidate.cell == cell))
    }

    /// Whether this last stone would repeat a turn that the root must not play.
    fn is_excluded(&self, cell: Cell) -> bool {
        if self.excluded.is_empty() {
            return false;
        }
        let mut turn: Vec<Cell> = self.state.played().chain([cell]).collect();
        turn.sort_unstable();
        self.excluded.contains(&turn)
    }
}
