//! Search that any agent can use: alpha-beta over an agent's utility list, and Monte Carlo with
//! fast random games.
//!
//! The module knows no concrete agent: an agent hands in what it thinks of single stones
//! ([`Appraise`]) and gets back a whole turn.
//!
//! ```
//! use collinear_play::Budget;
//! use collinear_rules::{Position, Rules, notation};
//! use collinear_documents::search::{MonteCarlo, Policy, Sampling};
//! use rand::SeedableRng;
//! use rand_xoshiro::Xoshiro256PlusPlus;
//!
//! let rules = Rules::TICTACTOE;
//! let mut position = Position::new(rules);
//! for name in ["b2", "a1", "b1", "a2"] {
//!     position.play(notation::parse(&rules, name)?)?;
//! }
//! let sampling = Sampling {
//!     playouts: 1000,
//!     near: 0,
//!     policy: Policy::Bound,
//!     keep: false,
//!     share: 0.0,
//!     explore: 1.0,
//!     slip: false,
//! };
//! let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
//! let meter = Budget::default().start(1);
//! let mut search = MonteCarlo::new(position.geometry().clone());
//! let best = search.stone(&position, &sampling, &meter, &mut random, &mut 0)[0];
//! assert_eq!(notation::name(&rules, best.cell), "b3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabeta;
mod appraise;
pub(crate) mod balanced;
pub(crate) mod listed;
mod montecarlo;
mod playout;
mod rows;

pub use alphabeta::{AlphaBeta, BestTurn, Depth, MAX_TIES};
pub use appraise::{Appraise, Candidate, Noise, Score, completes_row};
pub use montecarlo::{Estimate, MonteCarlo, Policy, Sampling};
pub use playout::{Playouts, plain_playout};
