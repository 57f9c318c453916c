//! The players that people use, one file each, and the registry: the one table of all agents, those
//! of the documents included, that drives the command line, the page, the docs and the tests.
//!
//! ```
//! use collinear_agents::{levels, registry, strongest};
//! use collinear_play::Budget;
//! use collinear_rules::{Position, Rules};
//!
//! let registry = registry();
//! let rules = Rules::CONNECT4;
//! let mut agent = registry.parse("karplus:plies=2")?.build(&rules, 1)?;
//! let turn = agent.choose(&Position::new(rules), &Budget::default(), &mut |_| {})?;
//! assert_eq!(turn.len(), 1);
//!
//! assert_eq!(strongest(&registry, &rules).map(|spec| spec.name), Some("perfect"));
//! assert_eq!(levels(&registry, &rules)[0].name, "Any column");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![allow(
    clippy::unnecessary_wraps,
    reason = "the `build` of every agent has the type `collinear_play::Build`, also if it cannot fail"
)]

mod book;
mod coached;
pub mod exact;
mod levels;
mod openings;
pub mod parameters;
mod perfect;
mod proved;
pub mod puzzles;
mod random;
mod registry;
mod sextant;
pub mod wins;
mod zones;

pub use levels::{Level, levels, playing, strongest};
pub use openings::opening_game;
pub use registry::{descriptions, registry};
pub use zones::{FoundWin, ZoneLimits, ZoneSearch};
