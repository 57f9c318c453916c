//! The perfect solver for gravity boards: own bitboards, own table, own book

mod board;
mod driver;
mod machine;
pub mod plain;
mod resolve;
mod search;
mod shape;
mod solver;
mod table;
mod word;
mod zugzwang;

pub use driver::Mode;
pub use shape::Unsupported;
pub use solver::{ColumnScores, DEFAULT_MEMORY, Limits, Score, Solution, SolveError, Solver};
