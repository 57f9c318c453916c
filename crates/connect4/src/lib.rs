//! The perfect solver for gravity boards: the exact score of every position of Connect Four and of
//! its relatives with other widths, heights and row lengths, as long as the board fits in 128 bits.
//!
//! ```text
//! shape.rs     the board as bits, drawn                 word.rs    u64 or u128
//! board.rs     a position in two words; where a stone wins
//! resolve.rs   forced chains, played out without search
//! zugzwang.rs  bounds from who must move, with their proof
//! parity.rs    odd and even threats, for people to look at
//! search.rs    is the score above alpha? one bit per question
//! driver.rs    which questions to ask                   parallel.rs several threads at one
//! table.rs     what was learnt, exactly                 machine.rs the processor (unsafe)
//! book/        whole levels of the game, a few bits per position
//! solver.rs    the face of it all                       plain.rs   the slow twin
//! ```
//!
//! The contract of everything inside: scores are for the player to move, in Pons' scale (see
//! [`Score`]); a bound is never wrong, so every answer is exact.
//!
//! ```
//! use collinear_connect4::Solver;
//! use collinear_rules::{Position, Rules};
//!
//! let rules: Rules = "5x4,k=4,gravity".parse()?;
//! let mut position = Position::new(rules);
//! for column in [2, 0, 2, 0, 2] {
//!     position.play(position.drop_cell(column).expect("room"))?;
//! }
//! let scores = Solver::new(&rules)?.scores(&position)?;
//! let best = scores.iter().flatten().max().expect("a column has room");
//! assert_eq!(scores.iter().position(|score| score.as_ref() == Some(best)), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The search is compiled twice, for old and for new processors: everything it calls must become
// part of it, or it would be compiled for the old ones only.
#![allow(clippy::inline_always)]

mod board;
mod book;
mod driver;
#[cfg(test)]
mod exhaustive;
mod machine;
mod parallel;
mod parity;
pub mod plain;
mod resolve;
mod search;
mod shape;
mod solver;
mod table;
mod word;
mod zugzwang;

pub use book::resumable;
pub use book::{Book, BookError, BookMaker, Chunk, MakeError};
pub use driver::Mode;
pub use parity::{Bounds, Filling, Parity, Threat};
pub use shape::Unsupported;
pub use solver::{
    ColumnScores, DEFAULT_MEMORY, Limits, Score, Solution, SolveError, Solver, solves,
};
