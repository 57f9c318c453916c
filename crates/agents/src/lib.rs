//! One file per agent, and the registry: the one table that drives the command line, the page, the
//! docs and the tests.
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

mod adjacent;
mod alicante;
mod balanced;
mod book;
mod genetic;
mod karplus;
mod kate;
mod levels;
mod listed;
mod mesh;
mod montecarlo;
mod perfect;
pub mod puzzles;
mod random;
mod registry;
mod sequences;
mod sextant;
mod tablebase;
mod tactics;
#[cfg(test)]
mod testing;
mod threats;
mod windows;

pub use levels::{Level, levels, playing, strongest};
pub use registry::registry;
