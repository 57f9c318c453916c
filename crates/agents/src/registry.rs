//! The table of all agents. A new agent is a file beside this one and a line here.

use collinear_play::Registry;

use crate::{
    adjacent, alicante, book, genetic, karplus, kate, mesh, montecarlo, perfect, random, sequences,
    sextant, threats, windows,
};

/// Every agent of this crate.
pub fn registry() -> Registry {
    Registry::new(vec![
        &adjacent::Spec,
        &alicante::Spec,
        &book::Spec,
        &genetic::Spec,
        &karplus::Spec,
        &kate::Spec,
        &mesh::Spec,
        &montecarlo::Spec,
        &perfect::Spec,
        &random::Spec,
        &sequences::Spec,
        &sextant::Spec,
        &threats::Spec,
        &windows::Spec,
    ])
}
