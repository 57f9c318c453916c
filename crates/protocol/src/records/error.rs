//! What can be wrong with a record: always with its place, what stands there and what should.

use collinear_rules::notation::NotationError;
use collinear_rules::{IllegalMove, InvalidSetup, ParseRulesError, Player};
use thiserror::Error;

use super::Format;
use crate::quote::quoted;

/// Why a record could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The format it was read as.
    pub format: Format,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Something else stands there.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What stands there, shortened and quoted.
        found: String,
        /// What should.
        expected: String,
    },
    /// A move that is not legal.
    #[error("move {number} ({stone}) is illegal: {reason}")]
    Illegal {
        /// Which stone, counted from 1.
        number: usize,
        /// As written.
        stone: String,
        /// Why.
        reason: IllegalMove,
    },
    /// A move by the wrong side.
    #[error("move {number} ({stone}) is {player}'s, but it is the other side's turn")]
    WrongTurn {
        /// Which stone, counted from 1.
        number: usize,
        /// As written.
        stone: String,
        /// The colour it is written for.
        player: Player,
    },
    /// A cell that does not exist.
    #[error("move {number}: {reason}")]
    Cell {
        /// Which stone, counted from 1.
        number: usize,
        /// Why.
        reason: NotationError,
    },
    /// The stones before the first move make no position.
    #[error("set-up: {0}")]
    Setup(#[from] InvalidSetup),
    /// The rules make no game.
    #[error("{0}")]
    Rules(#[from] ParseRulesError),
    /// Bytes that no text has.
    #[error("byte 0x{0:02x} is not text: is this a binary file?")]
    Binary(u8),
    /// More than one record may hold.
    #[error("the record is too large: {0}")]
    TooLarge(&'static str),
}

/// Why a record cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} cannot hold this game: {reason}", format.name())]
pub struct WriteError {
    /// The format.
    pub format: Format,
    /// What it lacks.
    pub reason: String,
}

/// What stands at a place, for [`Problem::Unexpected`].
pub(crate) fn found(text: &str) -> String {
    if text.is_empty() { "the end".to_owned() } else { quoted(text) }
}
