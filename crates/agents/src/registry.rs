//! The table of all agents. A new agent is a file beside this one and a line here.

use collinear_play::Registry;

use crate::{
    adjacent, alicante, book, genetic, karplus, kate, mesh, montecarlo, perfect, random, sequences,
    sextant, tablebase, threats, windows,
};

/// Every agent of this crate.
pub fn registry() -> Registry {
    Registry::new(vec![
        &adjacent::SPEC,
        &alicante::SPEC,
        &book::SPEC,
        &genetic::SPEC,
        &karplus::SPEC,
        &kate::SPEC,
        &mesh::SPEC,
        &montecarlo::SPEC,
        &perfect::SPEC,
        &random::SPEC,
        &sequences::SPEC,
        &sextant::SPEC,
        &tablebase::SPEC,
        &threats::SPEC,
        &windows::SPEC,
    ])
}
