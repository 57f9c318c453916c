//! What games say about the players: scores, Elo, sequential tests, ratings.
//!
//! Everything here is pure: counts in, numbers out. The unit of evidence is the *pair*, one opening
//! played twice with colours swapped: the two games share the opening, so they are not independent,
//! and error bars counted from single games would be wrong.

mod crosstable;
mod elo;
mod least_squares;
mod logistic;
mod ratings;
mod sample;
mod sprt;
mod tally;

pub use crosstable::Crosstable;
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use least_squares::{LeastSquares, Observations};
pub use logistic::{Logistic, ScorePoint};
pub use ratings::{RatedGame, Rating, Ratings};
pub use sample::Sample;
pub use sprt::{Bounds, EloScale, Sprt, SprtVerdict};
pub use tally::{Interval, Tally};

/// The 97.5 % point of the normal distribution: two-sided intervals of 95 %.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The chance that a standard normal value is below `z`.
pub(crate) fn normal_below(z: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-z / std::f64::consts::SQRT_2)
}
