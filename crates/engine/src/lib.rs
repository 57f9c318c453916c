//! Sextant, the flagship player for boards without gravity.

pub mod analysis;
pub mod bench;
pub mod fit;
mod lines;
pub mod net;
pub mod patterns;
pub mod proof;
mod puct;
mod search;
mod state;
pub mod tactics;
mod weights;

pub use search::{Engine, Feature, Features, Searcher, Settings, Thought};
pub use state::{State, TurnPoint};
pub use weights::{Entry, Weights, WeightsError};
