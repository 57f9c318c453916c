//! Work that takes longer than a message may: searches, proofs, overlays. It is data, so that it can
//! cross to a thread of a pool or to another worker of a browser; [`Worker::run`] is the one function
//! that does a piece of it.
//!
//! Every piece heeds its stop flag and has a limit, whoever does it.

mod worker;

use std::time::Duration;

use collinear_agents::puzzles::Answer;
use collinear_play::dialogue::Reply;
use collinear_play::{Budget, Fault, Report, Step, Thought, Turn};
use collinear_rules::{Cell, Player, Position};
use serde::{Deserialize, Serialize};

use crate::wire::{
    ColumnScore, ExplainAsked, Explained, PolicyView, ShapesView, ThreatsView, WinView,
};

pub use worker::Worker;

/// How long after its time an agent that does not answer at all is waited for.
pub(crate) const HANG_PATIENCE: Duration = Duration::from_secs(5);
/// The most time of a search without a time of its own, such as a position of a review.
const MAX_SEARCH: Duration = Duration::from_secs(120);
/// The most time of a question to the solver of puzzles.
const MAX_PROOF: Duration = Duration::from_secs(15);
/// The most time of an answer to how a win goes on.
const MAX_WIN: Duration = Duration::from_secs(60);
/// The most time of an overlay that is worked out without searching.
const MAX_GLANCE: Duration = Duration::from_secs(10);

/// Tells the jobs of a room apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub struct JobNumber(pub u64);

/// Work that a room wants done.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Job {
    /// Comes back with all news of it.
    pub number: JobNumber,
    /// What to do.
    pub work: Work,
}

/// One piece of work.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum Work {
    /// An agent chooses a turn: to be played, as a hint, as an analysis.
    Think(Search),
    /// The same for one position of a review, with nothing learnt before: a second review says the
    /// same.
    Review(Search),
    /// An agent does its step of an opening.
    Open {
        /// Who, where and at what cost.
        search: Search,
        /// What is to be done.
        step: Step,
    },
    /// Stones that make a position as even as possible.
    Balance {
        /// Who judges, where and at what cost.
        search: Search,
        /// How many.
        stones: u8,
    },
    /// The exact scores of the columns of a game with gravity.
    Columns {
        /// The position.
        position: Position,
    },
    /// What both sides threaten.
    Threats {
        /// The position.
        position: Position,
        /// Its node.
        node: u32,
    },
    /// Where the network would play.
    Policy {
        /// The position.
        position: Position,
        /// Its node.
        node: u32,
    },
    /// The shapes of the lines through a cell.
    Shapes {
        /// The position.
        position: Position,
        /// Its node.
        node: u32,
        /// The cell.
        cell: Cell,
    },
    /// One position of a review of a game that is solved: exact values.
    Exact {
        /// The search that takes its place where the solver is not done within the nodes.
        search: Search,
        /// The most positions of the solver.
        nodes: u64,
    },
    /// How a win goes on.
    Win {
        /// Where it begins.
        position: Position,
        /// Its node.
        node: u32,
        /// Who is to win.
        winner: Player,
        /// The stones played since.
        stones: Turn,
    },
    /// A winning turn of a puzzle.
    Solve {
        /// The position.
        position: Position,
    },
    /// What a turn in a puzzle leads to.
    Judge {
        /// The position before the turn.
        position: Position,
        /// The turn.
        turn: Turn,
    },
    /// The steps of an idea.
    Explain {
        /// Which.
        asked: ExplainAsked,
    },
}

/// A question to an agent.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Search {
    /// Whose agent it is: it is kept for the next question of the same owner.
    pub owner: String,
    /// The agent, `name:key=value`.
    pub agent: String,
    /// For everything random in it.
    pub seed: u64,
    /// Where it is to choose a turn.
    pub position: Position,
    /// What that may cost. Its stop flag is not used: each run has its own.
    pub budget: Budget,
    /// Whether it stops after a while when others wait, to be started again.
    pub yields: Yields,
}

/// Whether work gives way to work that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Yields {
    /// It runs until it is done: a person waits for it.
    Never,
    /// It stops when others wait, and is started again later.
    ToOthers,
}

/// Which queue work waits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Searches: as many at once as there are processors for them.
    Search,
    /// Short work that must not wait behind searches.
    Glance,
}

/// What work tells while it goes on.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum Progress {
    /// How far a search is.
    Report(Report),
    /// The columns that are known.
    Columns(Vec<ColumnScore>),
}

/// What came of a piece of work.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum Outcome {
    /// Of a search.
    Found(Found),
    /// What an agent does at its step of an opening.
    Step(Result<Reply, Fault>),
    /// The scores of the columns, as far as they are known.
    Columns(Vec<ColumnScore>),
    /// The threats; none when the work was stopped.
    Threats(Option<ThreatsView>),
    /// The network's thoughts; none when the work was stopped.
    Policy(Option<PolicyView>),
    /// The shapes; none where there is nothing to tell.
    Shapes(Option<ShapesView>),
    /// A winning turn and the own turns to go, if a win is proved.
    Solution(Option<(Turn, u16)>),
    /// How a win goes on.
    Win(WinView),
    /// What a turn of a puzzle leads to; none when it is illegal.
    Answer(Option<Answer>),
    /// The steps of an idea.
    Explained(Box<Explained>),
    /// The solver of puzzles was stopped before it knew.
    Unknown,
    /// Something went wrong.
    Failed(Fault),
}

/// The result of a search.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Found {
    /// The turn, or why there is none.
    pub turn: Result<Turn, Fault>,
    /// What it cost.
    pub thought: Thought,
    /// The last report.
    pub report: Report,
    /// Whether it was stopped before it was done.
    pub stopped: bool,
    /// Whether these are balanced stones, of both colours, and no turn.
    pub balanced: bool,
}

impl Found {
    /// A search without a turn.
    pub(crate) fn failed(fault: Fault) -> Self {
        Self {
            turn: Err(fault),
            thought: Thought::default(),
            report: Report::default(),
            stopped: false,
            balanced: false,
        }
    }
}

/// News of a job.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum News {
    /// It waits behind this many others.
    Queued(u32),
    /// It begins.
    Started,
    /// It goes on.
    Progress(Progress),
    /// It has ended.
    Done(Outcome),
}

impl Work {
    /// Which queue it waits in.
    pub const fn lane(&self) -> Lane {
        match self {
            Self::Think(_)
            | Self::Review(_)
            | Self::Open { .. }
            | Self::Balance { .. }
            | Self::Columns { .. }
            | Self::Exact { .. }
            | Self::Win { .. }
            | Self::Solve { .. }
            | Self::Judge { .. }
            | Self::Explain { asked: ExplainAsked::Proof { .. } } => Lane::Search,
            Self::Threats { .. }
            | Self::Policy { .. }
            | Self::Shapes { .. }
            | Self::Explain { .. } => Lane::Glance,
        }
    }

    /// Whether it gives way.
    pub const fn yields(&self) -> Yields {
        match self {
            Self::Think(search) | Self::Review(search) => search.yields,
            Self::Columns { .. } => Yields::ToOthers,
            _ => Yields::Never,
        }
    }

    /// When it is told to stop at the latest, counted from its start.
    pub fn limit(&self) -> Duration {
        match self {
            Self::Think(search)
            | Self::Review(search)
            | Self::Open { search, .. }
            | Self::Balance { search, .. } => {
                let limit = search.budget.limit().unwrap_or(MAX_SEARCH);
                limit.saturating_add(HANG_PATIENCE)
            }
            Self::Columns { .. } | Self::Exact { .. } => MAX_SEARCH,
            Self::Win { .. } => MAX_WIN,
            Self::Solve { .. } | Self::Judge { .. } | Self::Explain { .. } => MAX_PROOF,
            Self::Threats { .. } | Self::Policy { .. } | Self::Shapes { .. } => MAX_GLANCE,
        }
    }
}
