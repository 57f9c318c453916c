//! Sextant, the flagship player for boards without gravity.

pub mod analysis;
pub mod bench;
pub mod fit;
pub mod net;
mod lines;
pub mod patterns;
pub mod proof;
mod search;
mod state;
pub mod tactics;
mod weights;

pub use search::{Engine, Feature, Features, Settings, Thought};
pub use state::{State, TurnPoint};
pub use weights::{Entry, Weights, WeightsError};
