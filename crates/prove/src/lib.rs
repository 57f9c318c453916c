//! Exact values of small games of the family, with certificates anyone can check.
//!
//! [`Prover`] asks "does this player complete a row?" with depth-first proof-number search, and
//! writes what it found as a [`Certificate`]: a strategy for the winner, or one each for the two
//! players who hold a draw. [`check()`] replays a certificate with code that shares nothing with the
//! search but `rules`.
//!
//! ```
//! use collinear_prove::{Limits, Prover, Value};
//! use collinear_rules::{Player, Position, Rules};
//!
//! let rules: Rules = "4x3,k=3".parse()?;
//! let prover = Prover::new(&Position::new(rules), 1 << 20)?;
//! assert_eq!(prover.run(&Limits::default())?.value, Value::Won(Player::Black));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `board.rs`, `node.rs` | boards as words, positions as one player attacks and one defends |
//! | `judge.rs`, `refute.rs` | what is known without a search: threats, covers, dominated cells; pairings, potential |
//! | `search.rs`, `table.rs` | proof numbers, depth first, in bounded memory |
//! | `prover.rs` | questions, threads, progress, state on disk |
//! | `distance.rs` | after how many stones a win is complete |
//! | `advice.rs` | a stone that keeps the value, for players |
//! | `jobs/` | the upper part of a proof, whose edge is searched on many threads or machines |
//! | `certificate.rs`, `extract.rs` | the file, and how it is written out of the table |
//! | `check.rs` | the checker |
//! | `zones/` | wins on boards of any size: what the attacker tries is somebody else's, the walk is the checker |

#![forbid(unsafe_code)]

mod advice;
mod board;
mod certificate;
mod check;
mod distance;
mod extract;
mod jobs;
mod judge;
mod node;
mod prover;
mod refute;
mod search;
mod table;
mod zones;

use std::io;

use collinear_rules::InvalidSetup;
use thiserror::Error;

pub use advice::{Advice, is_quick, turns_of};
pub use certificate::{Certificate, FormatError, Goal, Part, Reason, Value};
pub use check::{CertificateFault, CheckError, Checked, check};
pub use jobs::{
    Answer, AnswerError, AnswerFile, AnswerFileError, Found, Job, Upper, do_job, parse_position,
    position_text,
};
pub use prover::{Asked, Limits, PROGRESS, Progress, Prover};
pub use search::Stop;
pub use zones::{Attack, CellSet, Ground, MAX_AT_ONCE, ZonePlace, ZoneTurn, ZoneWin, win_by_zones};

/// Why there is no proof.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The board does not fit.
    #[error(
        "a board of {cells} cells is too large to be searched through: at most {} cells",
        board::MAX_CELLS
    )]
    BoardTooLarge {
        /// Its cells.
        cells: usize,
    },
    /// Stones that are forbidden to one player break the arguments of the search.
    #[error("renju cannot be proved: its forbidden stones are not searched")]
    Renju,
    /// A prover stays with one game.
    #[error("the position belongs to another game than the proof")]
    OtherGame,
    /// There is nothing to prove.
    #[error("the game is over: there is nothing to prove")]
    Over,
    /// The system does not give the table its memory.
    #[error("there is no room for a table of {} MiB: ask for less", bytes >> 20)]
    Memory {
        /// What was asked for.
        bytes: usize,
    },
    /// The value is known, and the search for the distance was ended.
    #[error(
        "the row takes at least {at_least} stones; how many was not found within {nodes} nodes: the search was stopped"
    )]
    StoppedAt {
        /// No row is forced with fewer stones.
        at_least: u32,
        /// Nodes expanded so far.
        nodes: u64,
    },
    /// A limit or somebody ended the search.
    #[error("no value after {nodes} nodes: the search was stopped")]
    Stopped {
        /// Nodes expanded so far.
        nodes: u64,
    },
    /// The stones make no position.
    #[error("the position is impossible: {0}")]
    Position(#[from] InvalidSetup),
    /// The saved state belongs to another position.
    #[error(
        "the saved state is not that of this proof ({expected}): name another file, or begin afresh"
    )]
    OtherState {
        /// What it should begin with.
        expected: String,
    },
    /// The saved state was changed.
    #[error("the saved state is damaged: remove it to begin afresh")]
    DamagedState,
    /// The saved state cannot be read.
    #[error("the saved state cannot be read: {0}")]
    State(#[source] io::Error),
}

impl ProveError {
    fn state(error: io::Error) -> Self {
        if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) {
            Self::DamagedState
        } else {
            Self::State(error)
        }
    }
}
