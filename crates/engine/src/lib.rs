//! Sextant, the flagship player for every game of the family, and what it is made of.
//!
//! | module | what it is |
//! |---|---|
//! | [`Engine`] | the player: a search for a position and a budget |
//! | [`proof`] | threat-space proof search: wins by continuous threats, with replayable proofs |
//! | [`tactics`] | covers, proofs and complete defence for every searcher |
//! | [`analysis`] | a game or a position explained: mistakes, their grades, why |
//! | [`net`] | a residual network with integer arithmetic, and its file |
//! | [`fit`] | games and positions to learn from, and the weights learnt |
//! | [`State`], [`patterns`] | the incremental evaluation by lines |
//! | [`Combos`], [`Shape`], [`CellKind`] | the same by cells, for one stone per turn |
//! | [`bench`](mod@bench) | the node count that says whether a change was meant to change the search |
//!
//! ```
//! use collinear_engine::{Engine, Settings};
//! use collinear_play::{Budget, Value};
//! use collinear_rules::{Position, Rules, notation};
//!
//! let rules = Rules::GOMOKU;
//! let mut position = Position::new(rules);
//! for name in ["h8", "a1", "i8", "a3", "j8", "a5", "k8", "g8"] {
//!     position.play(notation::parse(&rules, name)?)?;
//! }
//! let mut engine = Engine::new(&rules, Settings::default(), 1);
//! let thought = engine.think(&position, &Budget::nodes(1000), &mut |_| {})?;
//! assert_eq!(notation::names(&rules, &thought.turn), "l8");
//! assert_eq!(thought.report.lines[0].value, Value::WinsIn(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate reads no text and starts no process.

pub mod analysis;
pub mod bench;
mod cells;
mod evaluation;
pub mod fit;
mod linenet;
mod lines;
pub mod net;
mod params;
pub mod patterns;
pub mod proof;
mod puct;
mod search;
mod shipped;
mod state;
pub mod tactics;
mod weights;

pub use cells::{CellKind, ComboWeights, Combos, Shape};
pub use linenet::{LineNet, LineNetError};
pub use params::{
    ParamError, ParamSpec, Params, ProofParams, PuctParams, SearchParams, TacticsParams,
};
pub use search::{Engine, Feature, Features, SearchResult, Searcher, Settings};
pub use shipped::Part;
pub use state::{State, TurnPoint};
pub use weights::{PatternWeights, Weights, WeightsError};
