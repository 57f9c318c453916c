//! Search that any agent can use: alpha-beta over an agent's utility list, and Monte Carlo with
//! fast random games.
//!
//! The crate knows no concrete agent: an agent hands in what it thinks of single stones
//! ([`Appraise`]) and gets back a whole turn.

#![forbid(unsafe_code)]

mod alphabeta;
mod appraise;
mod montecarlo;
mod playout;

pub use alphabeta::{AlphaBeta, Depth, Found};
pub use appraise::{Appraise, Candidate, Noise, Score, completes_row};
pub use montecarlo::{Estimate, MonteCarlo, Policy, Sampling};
pub use playout::{Playouts, plain_playout};
