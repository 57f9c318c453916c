//! The table of all agents: those that people play, and those of the documents. A new agent is a file
//! beside this one and a line here.

use collinear_play::Registry;

use crate::{book, perfect, random, sextant};

/// Every agent that comes with the program, by name.
pub fn registry() -> Registry {
    let players = [&book::SPEC, &perfect::SPEC, &random::SPEC, &sextant::SPEC];
    let mut all: Vec<_> =
        players.into_iter().chain(collinear_documents::registry().iter()).collect();
    all.sort_by_key(|spec| spec.name);
    Registry::new(all)
}
