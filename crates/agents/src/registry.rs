//! The table of all agents: those that people play, and those of the documents. A new agent is a file
//! beside this one and a line here.

use collinear_play::{AgentSpec, Registry};

use crate::{book, perfect, random, sextant};

static PLAYERS: [&AgentSpec; 4] = [&book::SPEC, &perfect::SPEC, &random::SPEC, &sextant::SPEC];

/// Every agent that comes with the program, by name.
pub fn registry() -> Registry {
    by_name(PLAYERS.into_iter().chain(collinear_documents::registry().iter()))
}

/// The same as descriptions alone, which cannot be built: for a program that leaves the thinking to
/// another one and need not contain it.
pub fn descriptions() -> Registry {
    static DESCRIBED: [AgentSpec; 4] = AgentSpec::described(&PLAYERS);
    by_name(DESCRIBED.iter().chain(collinear_documents::descriptions().iter()))
}

fn by_name(specs: impl Iterator<Item = &'static AgentSpec>) -> Registry {
    let mut all: Vec<_> = specs.collect();
    all.sort_by_key(|spec| spec.name);
    Registry::new(all)
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;

    #[test]
    fn descriptions_say_the_same_and_build_nothing() {
        for (agent, described) in registry().iter().zip(descriptions().iter()) {
            assert_eq!((agent.name, agent.summary), (described.name, described.summary));
            assert_eq!(agent.options.len(), described.options.len());
            assert!(described.with_defaults().build(&Rules::CONNECT4, 1).is_err());
        }
        assert_eq!(registry().iter().count(), descriptions().iter().count());
    }
}
