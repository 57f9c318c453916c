//! Sextant, the flagship player for boards without gravity.

pub mod patterns;
pub mod proof;
mod state;
mod weights;

pub use state::{CellWorth, State, TurnPoint};
pub use weights::{Entry, Weights, WeightsError};
