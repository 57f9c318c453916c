//! Several threads at one question: they share the table, and each leaves to the others what they
//! are at (after Feldmann's ABDADA, in Cheng's simplified form).
//!
//! Each thread asks the whole question. A node's first child is searched at once; of the others, a
//! child that another thread is searching waits until those that nobody is at are done. By then its
//! answer is often in the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::board::Board;
use crate::machine::Machine;
use crate::search::{CHECK_NODES, Limits, Search, Stopped, ThreadState};
use crate::shape::BoardShape;
use crate::table::Table;

/// The positions that threads are searching now. Two positions may share a place: then one of them
/// is searched without a word to the others, which costs time, never the answer.
pub(crate) struct Busy {
    marks: [AtomicU64; BUSY],
    /// Positions with more stones are small enough to be searched twice.
    pub(crate) most_stones: u32,
}

const BUSY: usize = 1024;
/// Empty cells from which on threads tell each other what they are at.
const LARGE: u32 = 18;

impl Busy {
    fn new(cells: u32) -> Self {
        Self {
            marks: std::array::from_fn(|_| AtomicU64::new(0)),
            most_stones: (cells + 1).saturating_sub(LARGE),
        }
    }

    fn place(&self, mark: u64) -> &AtomicU64 {
        &self.marks[(mark.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % BUSY]
    }

    pub(crate) fn has(&self, mark: u64) -> bool {
        self.place(mark).load(Ordering::Relaxed) == mark
    }

    pub(crate) fn enter(&self, mark: u64) {
        self.place(mark).store(mark, Ordering::Relaxed);
    }

    pub(crate) fn leave(&self, mark: u64) {
        self.place(mark).store(0, Ordering::Relaxed);
    }
}

/// What one run of the search did.
pub(crate) struct Run {
    /// See [`Search::node`].
    pub(crate) answer: Result<i32, Stopped>,
    pub(crate) nodes: u64,
}

/// A question for the threads with these states, within limits for all of them together.
pub(crate) fn ask<S: BoardShape, M: Machine>(
    (shape, machine): (S, M),
    table: &Table<S::Word>,
    states: &mut [ThreadState<S::Word>],
    (board, alpha): (&Board<S::Word>, i32),
    limits: &Limits<'_>,
) -> Run {
    let share = limits.nodes.div_ceil(states.len() as u64);
    let ask = |state: &mut ThreadState<S::Word>, others: Option<&Busy>, stop: &dyn Fn() -> bool| {
        let limits = Limits { nodes: share, stop };
        let next_check = CHECK_NODES.min(share);
        let mut search =
            Search { shape, machine, table, others, state, limits: &limits, nodes: 0, next_check };
        let answer = search.is_above(board, alpha);
        Run { answer, nodes: search.nodes }
    };
    let [own, helpers @ ..] = states else { return Run { answer: Err(Stopped), nodes: 0 } };
    if helpers.is_empty() {
        return ask(own, None, limits.stop);
    }
    let busy = Busy::new(shape.cells());
    let done = AtomicBool::new(false);
    let (busy, done, ask) = (&busy, &done, &ask);
    std::thread::scope(|scope| {
        let helpers: Vec<_> = helpers
            .iter_mut()
            .filter_map(|state| {
                let help = move || {
                    let run = ask(state, Some(busy), &|| done.load(Ordering::Relaxed));
                    if run.answer.is_ok() {
                        done.store(true, Ordering::Relaxed);
                    }
                    run
                };
                // Where the system has no thread to spare, those that there are search.
                std::thread::Builder::new().spawn_scoped(scope, help).ok()
            })
            .collect();
        let own = ask(own, Some(busy), &|| done.load(Ordering::Relaxed) || (limits.stop)());
        done.store(true, Ordering::Relaxed);
        helpers.into_iter().fold(own, |all, helper| {
            let run = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Run { answer: all.answer.or(run.answer), nodes: all.nodes + run.nodes }
        })
    })
}
