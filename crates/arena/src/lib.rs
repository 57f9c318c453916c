//! Matches, tournaments and experiments whose numbers can be trusted.
//!
//! A [`plan::Plan`] says what is played and numbers the games; the [`runner`] plays them, each with
//! seeds of its own, and the [`store`] keeps each one as soon as it ends; [`stats`] turns results
//! into numbers. The crate names no agent: contestants come from a registry it is given.

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod experiment;
pub mod game;
pub mod opening;
pub mod plan;
pub mod report;
pub mod runner;
pub mod score;
mod seed;
mod spec_file;
pub mod standings;
pub mod stats;
pub mod store;
#[cfg(test)]
mod testing;
pub mod tournament;
pub mod tune;
mod whole_file;

pub use spec_file::FileError;
pub use whole_file::WholeFile;
