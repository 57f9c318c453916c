//! The museum: five documents about k-in-a-row games played again, each with its agents, its tables
//! and its experiments. `docs/documents.md` says, requirement by requirement, what is faithful.
//!
//! ```text
//! connectk/    document 000: agents for the Connect-k family, and the threat counters it compares
//! alicante/    document 001: a Connect6 engine and its genetic search
//! tablebase/   document 002: what a line means, as tables, and a player by them
//! karplus/     document 003: Connect Four by plies
//! kate.rs      document 004: Connect Four by the clock
//! explain/     their ideas step by step, as data to print or to draw
//! search/      what these agents share: alpha-beta over lists of utilities, random games
//! studies/     experiments that are more than matches (with the feature `studies`)
//! ```
//!
//! Nothing else in Collinear is built on this crate: the registry lists its agents, and a few
//! commands show its tables. The players that people use live in `collinear-agents`.
//!
//! ```
//! use collinear_play::Budget;
//! use collinear_rules::{Position, Rules};
//!
//! let registry = collinear_documents::registry();
//! let rules = Rules::CONNECT4;
//! let mut agent = registry.parse("3ply_fevala")?.build(&rules, 1)?;
//! let turn = agent.choose(&Position::new(rules), &Budget::default(), &mut |_| {})?;
//! assert_eq!(turn.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![allow(
    clippy::unnecessary_wraps,
    reason = "the `build` of every agent has the type `collinear_play::Build`, also if it cannot fail"
)]

mod alicante;
pub mod connectk;
pub mod explain;
mod karplus;
pub mod kate;
pub mod search;
#[cfg(feature = "studies")]
pub mod studies;
pub mod tablebase;
#[cfg(test)]
mod testing;

use collinear_play::{AgentSpec, Registry};

static SPECS: [&AgentSpec; 11] = [
    &connectk::adjacent::SPEC,
    &alicante::SPEC,
    &alicante::genetic::SPEC,
    &karplus::SPEC,
    &kate::SPEC,
    &connectk::mesh::SPEC,
    &connectk::montecarlo::SPEC,
    &connectk::sequences::SPEC,
    &tablebase::player::SPEC,
    &connectk::threats::SPEC,
    &connectk::windows::SPEC,
];

/// Every agent of the documents.
pub fn registry() -> Registry {
    Registry::new(SPECS.to_vec())
}

/// The same as descriptions alone, which cannot be built.
pub fn descriptions() -> Registry {
    static DESCRIBED: [AgentSpec; 11] = AgentSpec::described(&SPECS);
    Registry::new(DESCRIBED.iter().collect())
}
