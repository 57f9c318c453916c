//! What is left of a game when it is over: every turn, its time, what the agent said, and why the
//! game ended.

use std::fmt;
use std::time::Duration;

use collinear_rules::{Cell, Player, Position, Rules};

use crate::{AgentError, IllegalTurn, Report};

/// One turn of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnRecord {
    /// Who played it.
    pub player: Player,
    /// The stones in order. Empty when the turn ended the game without one.
    pub stones: Vec<Cell>,
    /// How long the agent took.
    pub time: Duration,
    /// What is left on the player's clock after the turn, its increment included.
    pub clock: Option<Duration>,
    /// The last thing the agent reported.
    pub report: Option<Report>,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody made a row.
    Row,
    /// The board is full.
    FullBoard,
    /// Nobody can make a row any more.
    DeadDraw,
    /// A turn against the rules.
    IllegalTurn(IllegalTurn),
    /// An answer that came so much too late.
    TimeForfeit {
        /// How much later than allowed, grace not counted.
        over: Duration,
    },
    /// The agent panicked; the text is what it said.
    Crash(String),
    /// The agent had no turn to offer.
    AgentError(AgentError),
    /// The game took as many stones as it may.
    MoveLimit,
    /// Somebody watching decided the game; the text says why.
    Adjudicated(String),
    /// The game was called off before its end.
    CalledOff,
}

impl Ending {
    /// One word for tables and files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::FullBoard => "full-board",
            Self::DeadDraw => "dead-draw",
            Self::IllegalTurn(_) => "illegal-turn",
            Self::TimeForfeit { .. } => "time-forfeit",
            Self::Crash(_) => "crash",
            Self::AgentError(_) => "agent-error",
            Self::MoveLimit => "move-limit",
            Self::Adjudicated(_) => "adjudicated",
            Self::CalledOff => "called-off",
        }
    }

    /// Whether the loser lost by a fault of its own rather than on the board.
    pub const fn is_fault(&self) -> bool {
        matches!(
            self,
            Self::IllegalTurn(_) | Self::TimeForfeit { .. } | Self::Crash(_) | Self::AgentError(_)
        )
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row => f.write_str("a row"),
            Self::FullBoard => f.write_str("the board is full"),
            Self::DeadDraw => f.write_str("no row is possible any more"),
            Self::IllegalTurn(reason) => write!(f, "illegal turn: {reason}"),
            Self::TimeForfeit { over } => write!(f, "time forfeit: {over:.1?} too late"),
            Self::Crash(words) => write!(f, "crash: {words}"),
            Self::AgentError(error) => write!(f, "no turn: {error}"),
            Self::MoveLimit => f.write_str("the limit of stones is reached"),
            Self::Adjudicated(reason) => write!(f, "adjudicated: {reason}"),
            Self::CalledOff => f.write_str("called off"),
        }
    }
}

/// How a game came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Somebody won.
    Won(Player),
    /// Nobody did.
    Drawn,
    /// The game was called off and counts for nothing.
    Unfinished,
}

impl GameResult {
    /// Black's points: 1, ½ or 0; none for a game that does not count.
    pub const fn black_score(self) -> Option<f64> {
        match self {
            Self::Won(Player::Black) => Some(1.0),
            Self::Won(Player::White) => Some(0.0),
            Self::Drawn => Some(0.5),
            Self::Unfinished => None,
        }
    }
}

/// A whole game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The position the agents started from: the empty board, an opening, a puzzle.
    pub start: Position,
    /// The turns the agents played, the faulty one at the end included (without stones).
    pub turns: Vec<TurnRecord>,
    /// How it came out.
    pub result: GameResult,
    /// Why it ended.
    pub ending: Ending,
    /// The position at the end.
    pub last: Position,
}

impl GameRecord {
    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.start.rules()
    }

    /// All stones in order, those of the opening included, set-up stones excluded.
    pub fn moves(&self) -> &[Cell] {
        self.last.history()
    }

    /// The time a player thought in all.
    pub fn time_of(&self, player: Player) -> Duration {
        self.turns.iter().filter(|turn| turn.player == player).map(|turn| turn.time).sum()
    }
}
