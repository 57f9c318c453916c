//! Our agents as engines: a session on standard input and output in any of the protocols.
//!
//! Commands are read while the agent thinks. `stop` ends the search at once, and so do `quit` and
//! the end of the input, which end the session too: an engine does not outlive its host, whatever
//! it was told to think about. The turn found so far is still printed.

mod desk;
mod driver;
mod gomocup;
mod letters;
#[cfg(test)]
mod tests;
mod ugi;

use std::io::{self, Read, Write};
use std::time::Duration;

use collinear_play::{Agent, Budget, BuildError};
use collinear_rules::Rules;

use crate::Protocol;

/// What an engine session needs to know about the engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The name it gives itself.
    pub name: String,
    /// The game to begin with; protocols that can name another one.
    pub rules: Rules,
    /// What a turn may cost when the host sets no limit. Without any limit here either, an agent
    /// may think until it is stopped.
    pub budget: Budget,
    /// How long the session may go on when the host has quit or is gone: for the turn found so far
    /// and for the answers to what was said before.
    pub last_words: Duration,
}

/// What the host asks of the agent besides its turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// The most memory in bytes.
    pub memory: Option<u64>,
    /// The most threads.
    pub threads: Option<u32>,
}

/// Makes the agent of a session; called again when rules or demands change.
pub type AgentMaker<'a> = dyn Fn(&Rules, &Demands) -> Result<Box<dyn Agent>, BuildError> + 'a;

/// Runs a session until the host quits or is gone.
pub fn serve(
    protocol: Protocol,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
    options: &EngineOptions,
    make: &AgentMaker<'_>,
) -> io::Result<()> {
    protocol
        .check(&options.rules)
        .map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, reason))?;
    let desk = desk::Desk::new(options, make, output);
    match protocol {
        Protocol::Cloudict => driver::run(letters::Letters::cloudict(), input, desk),
        Protocol::Sau => driver::run(letters::Letters::sau(), input, desk),
        Protocol::Gomocup => driver::run(gomocup::Gomocup::new(options.rules), input, desk),
        Protocol::Ugi => driver::run(ugi::Ugi::default(), input, desk),
    }
}
