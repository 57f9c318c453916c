//! What an agent can do wrong when it is asked for a turn. Wherever it plays, the same fault has
//! the same name.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{AgentError, IllegalTurn, Reason};

/// Why a question to an agent brought no turn. The agent should not be asked again: after a panic
/// it may be in any state.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Fault {
    /// Its turn breaks the rules.
    #[error("{0}")]
    IllegalTurn(#[from] IllegalTurn),
    /// The answer came so much too late.
    #[error("{over:.1?} too late")]
    Late {
        /// How much later than allowed, grace not counted.
        over: Duration,
    },
    /// It panicked; the text is what it said.
    #[error("{0}")]
    Crash(String),
    /// It had no turn to offer.
    #[error("{0}")]
    Agent(#[from] AgentError),
}

impl Fault {
    /// The reason for which its game is lost.
    pub const fn reason(&self) -> Reason {
        match self {
            Self::IllegalTurn(_) => Reason::IllegalTurn,
            Self::Late { .. } => Reason::TimeForfeit,
            Self::Crash(_) => Reason::Crash,
            Self::Agent(error) => error.reason(),
        }
    }
}

impl From<&Fault> for Reason {
    fn from(fault: &Fault) -> Self {
        fault.reason()
    }
}
