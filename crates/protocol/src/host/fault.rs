//! What an engine can do wrong, in the words that end up in the record of the lost game.

use std::time::Duration;

use collinear_play::{IllegalTurn, Reason};
use thiserror::Error;

/// Why an engine lost its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineFault {
    /// The process could not be started.
    #[error("{command:?} could not be started: {reason}")]
    Start {
        /// The command.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// It said nothing in time.
    #[error("no answer to {asked:?} within {limit:.1?}{}", words(.last))]
    NoAnswer {
        /// The line it should have answered.
        asked: String,
        /// How long it had.
        limit: Duration,
        /// The last thing it said.
        last: String,
    },
    /// Its process ended.
    #[error("it ended instead of answering {asked:?} ({status}){}", words(.last))]
    Crashed {
        /// The line it should have answered.
        asked: String,
        /// Its exit status.
        status: String,
        /// The last thing it said.
        last: String,
    },
    /// Its output ended, but not its process.
    #[error("it closed its output instead of answering {asked:?}{}", words(.last))]
    Disconnected {
        /// The line it should have answered.
        asked: String,
        /// The last thing it said.
        last: String,
    },
    /// It does not read what it is told.
    #[error("it does not read its input")]
    Deaf,
    /// It wrote without end.
    #[error("it wrote more than {0} bytes without a line end")]
    LineTooLong(usize),
    /// It said something that is not an answer.
    #[error("it answered {said:?}, expected {expected}")]
    Garbage {
        /// What it said, shortened.
        said: String,
        /// What would have been right.
        expected: String,
    },
    /// It refused in the words of its protocol.
    #[error("it refused: {said:?}")]
    Refused {
        /// What it said, shortened.
        said: String,
    },
    /// Its turn breaks the rules.
    #[error("it answered {said:?}: {reason}")]
    IllegalTurn {
        /// What it said, shortened.
        said: String,
        /// What is wrong with it.
        reason: IllegalTurn,
    },
    /// Its turn has stones beside the board, or too many.
    #[error("it answered {said:?}: {reason}")]
    ImpossibleTurn {
        /// What it said, shortened.
        said: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The protocol has no words for this.
    #[error("{0}")]
    Unsupported(String),
    /// Any of these, with what the engine wrote to its error output.
    #[error("{fault}; its error output: {stderr:?}")]
    WithStderr {
        /// What happened.
        fault: Box<EngineFault>,
        /// The end of its error output.
        stderr: String,
    },
}

impl EngineFault {
    /// The reason for which the game is lost: the same as for an agent in this process. An engine
    /// that does not answer loses on time where a clock was running.
    pub fn reason(&self, timed: bool) -> Reason {
        match self {
            Self::NoAnswer { .. } | Self::Deaf if timed => Reason::TimeForfeit,
            Self::NoAnswer { .. } | Self::Deaf => Reason::Silence,
            Self::Crashed { .. } => Reason::Crash,
            Self::Disconnected { .. } => Reason::Disconnect,
            Self::LineTooLong(_) | Self::Garbage { .. } => Reason::Misread,
            Self::IllegalTurn { .. } | Self::ImpossibleTurn { .. } => Reason::IllegalTurn,
            Self::Start { .. } | Self::Refused { .. } | Self::Unsupported(_) => Reason::AgentError,
            Self::WithStderr { fault, .. } => fault.reason(timed),
        }
    }
}

fn words(last: &str) -> String {
    if last.is_empty() { String::new() } else { format!(", its last words: {last:?}") }
}
