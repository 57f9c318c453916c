//! Work that takes longer than a message may: searches, proofs, overlays. It is data, so that it can
//! cross to a thread of a pool or to another worker of a browser; [`Worker::run`] is the one function
//! that does a piece of it.
//!
//! Every piece heeds its stop flag and has a limit, whoever does it.

mod worker;

use std::time::Duration;

use collinear_agents::puzzles::{Answer, Goal};
use collinear_play::dialogue::Reply;
use collinear_play::{Budget, Fault, GameRecord, NodeId, Report, Step, Thought, Turn};
use collinear_rules::{Cell, Player, Position, Rules};
use serde::{Deserialize, Serialize};

use crate::game::PuzzleOf;
use crate::wire::{
    CoachLevel, CoachWarning, ColumnScore, DangerView, ExplainAsked, Explained, OpeningsView,
    ParityView, PolicyView, PuzzleInfo, ReviewView, Sealed, ShapesView, ThreatsView, TriedView,
    WinView,
};

pub use worker::Worker;

/// How long after its time an agent that does not answer at all is waited for.
pub(crate) const HANG_PATIENCE: Duration = Duration::from_secs(5);
/// The most time of a search without a time of its own, such as a position of a review.
const MAX_SEARCH: Duration = Duration::from_secs(120);
/// The most time of a question to the solver of puzzles.
const MAX_PROOF: Duration = Duration::from_secs(15);
/// The most time of an answer to how a win goes on, and of a look through a game for puzzles.
const MAX_WIN: Duration = Duration::from_secs(60);
/// The most time of what is worked out without searching: overlays, records.
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
    /// What odd and even threats say of a game with gravity.
    Parity {
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
    /// What the opponent of the player to move threatens.
    Danger {
        /// The position.
        position: Position,
        /// Its node.
        node: u32,
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
    /// A right turn of a puzzle.
    Solve {
        /// The position.
        position: Position,
        /// What is asked for.
        goal: Goal,
    },
    /// What a turn in a puzzle leads to.
    Judge {
        /// The position before the turn.
        position: Position,
        /// The turn.
        turn: Turn,
        /// What is asked for.
        goal: Goal,
    },
    /// The puzzles in a game.
    FindPuzzles {
        /// Its rules.
        rules: Rules,
        /// Its stones, from an empty board.
        stones: Vec<Cell>,
    },
    /// The steps of an idea.
    Explain {
        /// Which.
        asked: ExplainAsked,
    },
    /// How games went on from a position.
    Openings {
        /// The position.
        position: Position,
        /// A list of games; without it the worker's own book.
        games: Option<String>,
    },
    /// The turns of a reviewed line are judged.
    Assess(Box<Assess>),
    /// The coach judges a turn.
    Warn {
        /// It.
        played: Box<Played>,
        /// How much he says.
        level: CoachLevel,
        /// The node that it leads to.
        node: u32,
    },
    /// A turn tried at a mistake is judged.
    Try {
        /// It.
        played: Box<Played>,
        /// The stones that were tried.
        stones: Turn,
        /// The node before it.
        node: u32,
    },
    /// The games of a record.
    Read {
        /// Its text; of a `RenLib` file, a character for each byte.
        text: String,
        /// Which of its games, if it has several.
        index: Option<u32>,
        /// The game on the board: moves that do not name theirs are read in it.
        open: Option<Rules>,
    },
    /// A game becomes a record.
    Write {
        /// It.
        record: Box<GameRecord>,
        /// The name of the format.
        format: String,
        /// The review that stands in it as comments and variations.
        review: Option<Box<Assess>>,
    },
    /// The list of shipped puzzles.
    Puzzles,
    /// A puzzle is to be opened: a shipped one, or a position that has to be proved one.
    Puzzle {
        /// The name of a shipped one, or a link.
        id: String,
        /// The position of the link, or why it is none.
        linked: Result<Unproved, String>,
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
    Threats(Option<Sealed<ThreatsView>>),
    /// The network's thoughts; none when the work was stopped.
    Policy(Option<Sealed<PolicyView>>),
    /// What odd and even threats say; none where stones do not fall.
    Parity(Option<Sealed<ParityView>>),
    /// The shapes; none where there is nothing to tell.
    Shapes(Option<Sealed<ShapesView>>),
    /// A right turn of a puzzle, if one is proved.
    Solution(Option<Solution>),
    /// What the opponent threatens; none when the work was stopped.
    Danger(Option<Sealed<DangerView>>),
    /// How a win goes on.
    Win(Sealed<WinView>),
    /// What a turn of a puzzle leads to.
    Judged(Judged),
    /// The puzzles of a game, as lines of a set: those found before the work was stopped.
    FoundPuzzles(Vec<String>),
    /// The steps of an idea.
    Explained(Sealed<Explained>),
    /// How games went on, or why that is not known.
    Openings(Result<Sealed<OpeningsView>, String>),
    /// The turns of a line, judged.
    Assessed(Sealed<ReviewView>),
    /// What the coach has to say to a turn, if anything.
    Warned(Option<Sealed<CoachWarning>>),
    /// How good a turn is that was tried.
    Tried(Sealed<TriedView>),
    /// What a record holds, or why it cannot be read.
    Read(Result<InRecord, String>),
    /// A record, or why its format cannot hold it.
    Written(Result<Written, String>),
    /// The shipped puzzles.
    Puzzles(Sealed<Vec<PuzzleInfo>>),
    /// A puzzle with its win, or why it is none.
    Puzzle(Result<Box<Posed>, String>),
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
    /// Why the turn, in a sentence; of balanced stones, what they are.
    pub words: Option<String>,
}

/// What a review knows when every position of its line was searched.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Assess {
    /// How deep it looked, 1 to 3.
    pub effort: u8,
    /// The position before the line.
    pub start: Position,
    /// The nodes of the line, the root first.
    pub line: Vec<NodeId>,
    /// The stones of the line.
    pub stones: Vec<Cell>,
    /// What searches said of the positions, in the order of the line.
    pub searched: Vec<Searched>,
    /// Who won the game.
    pub winner: Option<Player>,
}

/// What a search said of a position: the best turn, and what was told of it last.
pub type Searched = (Turn, Report);

/// A turn, and what searches said of the positions before and after it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Played {
    /// The position before it.
    pub before: Position,
    /// Its stones.
    pub turn: Turn,
    /// What was said of the position before it.
    pub then: Searched,
    /// What was said of the position after it, where that was searched.
    pub now: Option<Searched>,
}

/// A position that is to become a puzzle, in how many turns it does not know.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Unproved {
    /// It.
    pub position: Position,
    /// What is asked for.
    pub goal: Goal,
}

/// A puzzle that can be solved.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Posed {
    /// Its position.
    pub position: Position,
    /// What there is to know about it.
    pub puzzle: PuzzleOf,
}

/// What a record holds.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum InRecord {
    /// A game, with texts that may be shown.
    Game(Box<GameRecord>),
    /// Several games to choose from, a line for each.
    Choices(Vec<String>),
}

/// A record.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Written {
    /// A name for the file.
    pub name: String,
    /// It.
    pub text: String,
    /// What the format leaves out.
    pub losses: Vec<String>,
}

/// A right turn of a puzzle.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Solution {
    /// Its stones.
    pub turn: Turn,
    /// Own turns to go.
    pub turns: u16,
    /// What it does, in a sentence.
    pub words: Option<String>,
}

/// What a turn of a puzzle leads to.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Judged {
    /// It; none when the turn is illegal.
    pub answer: Option<Answer>,
    /// What the defence does, in a sentence.
    pub words: Option<String>,
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
            words: None,
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
            | Self::Danger { .. }
            | Self::Solve { .. }
            | Self::Judge { .. }
            | Self::FindPuzzles { .. }
            | Self::Puzzle { .. }
            | Self::Explain { asked: ExplainAsked::Proof { .. } } => Lane::Search,
            Self::Threats { .. }
            | Self::Policy { .. }
            | Self::Parity { .. }
            | Self::Shapes { .. }
            | Self::Openings { .. }
            | Self::Assess(_)
            | Self::Warn { .. }
            | Self::Try { .. }
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::Puzzles
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
            Self::Win { .. } | Self::FindPuzzles { .. } => MAX_WIN,
            Self::Solve { .. }
            | Self::Judge { .. }
            | Self::Puzzle { .. }
            | Self::Danger { .. }
            | Self::Explain { .. } => MAX_PROOF,
            Self::Threats { .. }
            | Self::Policy { .. }
            | Self::Parity { .. }
            | Self::Shapes { .. }
            | Self::Openings { .. }
            | Self::Assess(_)
            | Self::Warn { .. }
            | Self::Try { .. }
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::Puzzles => MAX_GLANCE,
        }
    }
}
