//! One file per agent, and the registry: the one table that drives the command line, the page, the
//! docs and the tests.

#![forbid(unsafe_code)]
#![allow(
    clippy::unnecessary_wraps,
    reason = "the `build` of every agent has the type `collinear_play::Build`, also if it cannot fail"
)]

mod adjacent;
mod alicante;
mod book;
mod genetic;
mod karplus;
mod kate;
mod levels;
mod listed;
mod mesh;
mod montecarlo;
mod option_file;
mod perfect;
pub mod puzzles;
mod random;
mod registry;
mod sequences;
mod sextant;
mod tablebase;
mod tactics;
mod threats;
mod windows;

pub use levels::{Level, levels, playing, strongest};
pub use registry::registry;
