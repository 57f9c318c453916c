//! The agents of the command line: all of ours, and external engines.
//!
//! `external` runs commands, so it is here and not in `collinear_agents`: the page, where a
//! stranger may type, never gets it.

use collinear_play::Registry;
use collinear_protocol::host::EXTERNAL;

/// Every agent a command line or a file may name.
pub(crate) fn registry() -> Registry {
    Registry::new(collinear_agents::registry().iter().chain([&EXTERNAL]).collect())
}
