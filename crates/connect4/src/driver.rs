//! From yes-or-no questions to the score: the interval of possible scores is halved until one is
//! left.
//!
//! The idea of a score by null windows, short wins first, is that of Pons' solver.

use std::cell::Cell;
use std::ops::Neg as _;

use crate::board::Board;
use crate::machine::Machine;
use crate::parallel;
use crate::resolve::{Resolved, best_quiet, resolve, worst_quiet};
use crate::search::{Limits, Stopped, ThreadState};
use crate::shape::BoardShape;
use crate::table::Table;
use crate::word::Word;

/// How much is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The exact score: who wins and how soon.
    #[default]
    Strong,
    /// Only the sign of the score: who wins.
    Weak,
}

/// Everything that answers questions about positions.
pub(crate) struct Driver<'a, S: BoardShape, M> {
    shape: S,
    machine: M,
    table: &'a mut Table<S::Word>,
    /// One for each thread.
    states: Vec<ThreadState<S::Word>>,
    limits: &'a Limits<'a>,
    /// Positions searched.
    pub(crate) nodes: u64,
}

/// Nodes of a search that is over before other threads would be of use.
const ALONE_NODES: u64 = 20_000;

impl<'a, S: BoardShape, M: Machine> Driver<'a, S, M> {
    pub(crate) fn new(
        (shape, machine): (S, M),
        table: &'a mut Table<S::Word>,
        threads: usize,
        limits: &'a Limits<'a>,
    ) -> Self {
        let states = (0..threads.max(1)).map(|_| ThreadState::new(shape)).collect();
        Self { shape, machine, table, states, limits, nodes: 0 }
    }

    /// The score of a board with a game that goes on, which is known to be at least so much; in weak
    /// mode −1, 0 or 1.
    pub(crate) fn score(
        &mut self,
        board: &Board<S::Word>,
        mode: Mode,
        least: Option<i32>,
    ) -> Result<i32, Stopped> {
        let shape = self.shape;
        let exact = if (board.wins & board.landing(shape)).is_zero() {
            match resolve(shape, *board) {
                Resolved::Decided(score) => score,
                Resolved::Mine(end) => self.quiet_score(&end, mode, (least, None))?,
                Resolved::Theirs(end) => {
                    -self.quiet_score(&end, mode, (None, least.map(i32::neg)))?
                }
            }
        } else {
            win_now(shape, board.stones)
        };
        Ok(match mode {
            Mode::Strong => exact,
            Mode::Weak => exact.signum(),
        })
    }

    /// The score of a quiet board, not less and not more than what is known.
    fn quiet_score(
        &mut self,
        board: &Board<S::Word>,
        mode: Mode,
        known: (Option<i32>, Option<i32>),
    ) -> Result<i32, Stopped> {
        let mut least = worst_quiet(self.shape, board.stones).max(known.0.unwrap_or(i32::MIN));
        let mut most = best_quiet(self.shape, board.stones).min(known.1.unwrap_or(i32::MAX));
        if mode == Mode::Weak {
            (least, most) = (least.clamp(-1, 1), most.clamp(-1, 1));
        }
        while least < most {
            let ask = next_question(least, most);
            let found = self.ask(board, ask)?;
            if found <= ask {
                most = found;
            } else {
                least = found;
            }
        }
        Ok(least)
    }

    /// Whether the score is above `alpha`, by the contract of [`crate::search`]. When the table has
    /// become small for the search, it is doubled and the question asked again: what was found is
    /// in the table.
    fn ask(&mut self, board: &Board<S::Word>, alpha: i32) -> Result<i32, Stopped> {
        let (told, asked) = (Cell::new(false), self.limits.stop);
        let stop = || {
            told.set(told.get() || asked());
            told.get()
        };
        loop {
            let left = self.limits.nodes.saturating_sub(self.nodes);
            if left == 0 || told.get() {
                return Err(Stopped);
            }
            while self.table.room() == 0 {
                self.table.double();
            }
            let mut nodes = left.min(self.table.room());
            let states = if self.nodes < ALONE_NODES {
                if self.states.len() > 1 {
                    nodes = nodes.min(ALONE_NODES - self.nodes);
                }
                &mut self.states[..1]
            } else {
                &mut self.states[..]
            };
            let limits = Limits { nodes, stop: &stop };
            let run = parallel::ask(
                (self.shape, self.machine),
                self.table,
                states,
                (board, alpha),
                &limits,
            );
            self.nodes += run.nodes;
            self.table.count(run.nodes);
            if run.answer.is_ok() {
                return run.answer;
            }
        }
    }
}

/// The score of winning with the next stone.
pub(crate) fn win_now<S: BoardShape>(shape: S, stones: u32) -> i32 {
    ((shape.cells() + 1 - stones) / 2) as i32
}

/// The score to ask about: cheap questions first. One far from zero is answered by short searches,
/// so the interval shrinks to the scores near zero from both ends; then comes the sign, and from
/// there outwards, as scores near zero are the most frequent. Beside halving what is left it
/// searches less on most sets and more on one: docs/connect4.md.
const fn next_question(least: i32, most: i32) -> i32 {
    if most > FAR && most / 2 >= least {
        most / 2
    } else if least < -FAR && least / 2 < most {
        least / 2
    } else if least < 0 && most > 0 {
        0
    } else if least >= 0 {
        least
    } else {
        most - 1
    }
}

/// From here on a question is cheap.
const FAR: i32 = 8;
