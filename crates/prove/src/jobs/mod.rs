//! Job-level search: the upper part of a proof is a tree that one process holds, and the positions
//! at its edge are jobs that anybody may do anywhere (Wu et al., *Job-level proof number search*).
//!
//! ```text
//!  Upper ── next() ──→ Job ── do_job() on some thread or machine ──→ Answer ── report() ──→ Upper
//! ```
//!
//! A job asks one thing, "does this player complete a row from here?", within a number of nodes. An
//! answer brings a strategy, which the checker goes through before it is believed, or says that the
//! nodes did not suffice. Jobs and answers are lines of text: they travel to other
//! machines, and a file of answers is all that a search has to keep. An answer that comes twice
//! changes nothing.

mod answers;
mod learn;
mod upper;

use std::fmt::{self, Write as _};
use std::str::FromStr;

use collinear_rules::{Player, Position, Rules, Setup, notation};
use thiserror::Error;

use crate::certificate::{Goal, Part, Reason, player, setup_of};
use crate::node::Question;
use crate::search::Stopped;
use crate::{CheckError, Limits, ProveError, Prover, Stop};

pub use answers::{AnswerFile, AnswerFileError};
pub use upper::Upper;

/// "Does this player complete a row from here?"
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The game.
    pub rules: Rules,
    /// The position.
    pub setup: Setup,
    /// Who is to complete a row.
    pub attacker: Player,
    /// The defender's own rows do not count.
    pub weak: bool,
    /// Nodes that may be spent.
    pub nodes: u64,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The job.
    pub job: Job,
    /// Nodes spent.
    pub nodes: u64,
    /// What was found.
    pub found: Found,
}

/// What a job finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The nodes were too few.
    Open,
    /// The attacker completes a row, by this strategy.
    Wins(Vec<u8>),
    /// The same where the defender's rows do not count, which shows nothing and is believed: that
    /// form of the question is then given up.
    WinsWeak,
    /// The attacker does not, by this strategy of the defender.
    Holds(Vec<u8>),
}

/// Why an answer is not taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// It is not written as an answer is.
    #[error("{0:?} is not an answer to a job")]
    Text(String),
    /// It is about another game or position.
    #[error("the answer belongs to another proof: {0}")]
    Foreign(String),
    /// Its strategy does not hold.
    #[error("the strategy of an answer does not hold: {0}")]
    Refused(#[from] CheckError),
}

impl Job {
    fn question(&self) -> Question {
        Question { attacker: self.attacker, weak: self.weak }
    }
}

impl Answer {
    /// The claim of the answer, for the checker.
    fn part(&self) -> Option<Part> {
        let Job { attacker, weak, .. } = self.job;
        match &self.found {
            Found::Wins(bytes) => {
                let reason = Reason::Strong(bytes.clone());
                Some(Part { player: attacker, goal: Goal::Wins, reason })
            }
            Found::Holds(bytes) => {
                let kind = if weak { Reason::Weak } else { Reason::Strong };
                Some(Part { player: !attacker, goal: Goal::Holds, reason: kind(bytes.clone()) })
            }
            Found::Open | Found::WinsWeak => None,
        }
    }
}

/// Does a job with a table of this many bytes.
pub fn do_job(job: &Job, memory: usize, stop: &Stop<'_>) -> Result<Answer, ProveError> {
    let position = Position::from_setup(job.rules, &job.setup)?;
    let prover = Prover::new(&position, memory)?;
    let limits = Limits { nodes: Some(job.nodes), stop: Some(stop), ..Limits::default() };
    // The strategy is written whatever it takes: the question is answered by then.
    let written = |goal| prover.strategy(job.attacker, job.weak, goal, &limits);
    let found = match prover.ask(job.question(), &limits) {
        Ok(true) if job.weak => Found::WinsWeak,
        Ok(true) => Found::Wins(written(Goal::Wins)?),
        Ok(false) => Found::Holds(written(Goal::Holds)?),
        Err(Stopped) if stop() => return Err(ProveError::Stopped { nodes: prover.nodes() }),
        Err(Stopped) => Found::Open,
    };
    Ok(Answer { job: job.clone(), nodes: prover.nodes(), found })
}

/// A position as text: `5x5,k=4;c3;d4 a1;white 1`.
pub fn position_text(position: &Position) -> String {
    setup_text(position.rules(), &setup_of(position))
}

/// Reads a position back.
pub fn parse_position(text: &str) -> Option<Position> {
    let (rules, setup) = parse_setup(&mut text.split(';'))?;
    Position::from_setup(rules, &setup).ok()
}

fn setup_text(rules: &Rules, setup: &Setup) -> String {
    let names = |stones| notation::names(rules, stones);
    let (player, left) = setup.to_move.unwrap_or((Player::Black, rules.q()));
    format!("{rules};{};{};{player} {left}", names(&setup.black), names(&setup.white))
}

fn parse_setup<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Option<(Rules, Setup)> {
    let rules: Rules = fields.next()?.parse().ok()?;
    let mut stones = || {
        let names = fields.next()?.split_whitespace();
        names.map(|name| notation::parse(&rules, name).ok()).collect::<Option<Vec<_>>>()
    };
    let (black, white) = (stones()?, stones()?);
    let (name, left) = fields.next()?.split_once(' ')?;
    let to_move = Some((player(name)?, left.parse().ok()?));
    Some((rules, Setup { black, white, to_move }))
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = if self.weak { "weak" } else { "strong" };
        let position = setup_text(&self.rules, &self.setup);
        write!(f, "{position};{};{form};{}", self.attacker, self.nodes)
    }
}

impl FromStr for Job {
    type Err = AnswerError;

    fn from_str(text: &str) -> Result<Self, AnswerError> {
        let read = || {
            let mut fields = text.split(';');
            let (rules, setup) = parse_setup(&mut fields)?;
            let attacker = player(fields.next()?)?;
            let weak = match fields.next()? {
                "weak" => true,
                "strong" => false,
                _ => return None,
            };
            let nodes = fields.next()?.parse().ok()?;
            fields.next().is_none().then_some(Self { rules, setup, attacker, weak, nodes })
        };
        read().ok_or_else(|| AnswerError::Text(text.to_owned()))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}|", self.job, self.nodes)?;
        match &self.found {
            Found::Open => f.write_str("open|"),
            Found::WinsWeak => f.write_str("wins-weak|"),
            Found::Wins(bytes) => write!(f, "wins|{}", hex(bytes)),
            Found::Holds(bytes) => write!(f, "holds|{}", hex(bytes)),
        }
    }
}

impl FromStr for Answer {
    type Err = AnswerError;

    fn from_str(text: &str) -> Result<Self, AnswerError> {
        let read = || {
            let fields: Vec<&str> = text.split('|').collect();
            let [job, nodes, kind, strategy] = fields[..] else { return None };
            let found = match (kind, unhex(strategy)?) {
                ("open", _) => Found::Open,
                ("wins-weak", _) => Found::WinsWeak,
                ("wins", bytes) => Found::Wins(bytes),
                ("holds", bytes) => Found::Holds(bytes),
                _ => return None,
            };
            Some(Self { job: job.parse().ok()?, nodes: nodes.parse().ok()?, found })
        };
        read().ok_or_else(|| AnswerError::Text(text.chars().take(120).collect()))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match *pair {
            [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
            _ => None,
        })
        .collect()
}
