//! The agents of the command line: all of ours, and external engines.
//!
//! `external` runs commands, so it is here and not in `collinear_agents`: the page, where a
//! stranger may type, never gets it. Engines with a name run what their owner has written down,
//! so the page has them too.

use collinear_play::{AgentSpec, Registry};
use collinear_protocol::host::{EXTERNAL, named_engine};

use crate::engines_file::EnginesFile;
use crate::report;

/// Every agent a command line or a file may name.
pub(crate) fn registry() -> Registry {
    let ours = collinear_agents::registry();
    Registry::new(ours.iter().chain([&EXTERNAL]).chain(named()).collect())
}

/// Every agent the page may name.
pub(crate) fn page_registry() -> Registry {
    Registry::new(collinear_agents::registry().iter().chain(named()).collect())
}

fn named() -> Vec<&'static AgentSpec> {
    match EnginesFile::load() {
        Ok(file) => {
            file.engines.iter().map(|(name, entry)| named_engine(name, &entry.config())).collect()
        }
        Err(error) => {
            // Nobody should lose the other agents for it.
            report::note(format_args!("your engines are left out: {error:#}"));
            Vec::new()
        }
    }
}
