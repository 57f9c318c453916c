//! The seam between players and everything that lets them play.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use collinear_rules::{Cell, Position};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::dialogue::{Reply, Step};
use crate::{Budget, Reason};

/// A player: given a position with stones left in the turn, names the cells for all of them.
pub trait Agent: Send {
    /// Chooses all the stones left of this turn: exactly [`Position::stones_left`] cells, or fewer
    /// when the last one wins.
    ///
    /// `on` hears progress while the agent thinks; how often is up to the agent.
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError>;

    /// Does a step of an opening in which the players choose their colours, if it has a way of its
    /// own to do so. None: what it does follows from its turns and values, see
    /// [`dialogue::reply`](crate::dialogue::reply()).
    fn step(
        &mut self,
        position: &Position,
        step: Step,
        budget: &Budget,
    ) -> Option<Result<Reply, AgentError>> {
        let _ = (position, step, budget);
        None
    }

    /// Forgets what belongs to the game before; called before every game.
    fn new_game(&mut self) {}

    /// Becomes what an agent freshly built with this seed would be, if it can: then whoever plays
    /// many games keeps it, with its process or its tables. False: it must be built anew.
    fn reseed(&mut self, seed: u64) -> bool {
        let _ = seed;
        false
    }
}

/// An agent that is no more than a function of the position and the budget: for tests, trials and
/// scripts.
pub fn agent_fn(
    choose: impl FnMut(&Position, &Budget) -> Result<Turn, AgentError> + Send,
) -> impl Agent {
    FnAgent(choose)
}

struct FnAgent<F>(F);

impl<F: FnMut(&Position, &Budget) -> Result<Turn, AgentError> + Send> Agent for FnAgent<F> {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        (self.0)(position, budget)
    }
}

/// The stones of one turn in the order they are placed.
pub type Turn = Vec<Cell>;

/// Why an agent has no turn to offer. For the referee each of these loses the game.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AgentError {
    /// The position has no stone left to place.
    #[error("the game is over: there is nothing to choose")]
    GameOver,
    /// The agent's engine process failed; the text says how, with its last words.
    #[error("{0}")]
    Engine(String),
    /// Something that has a name of its own among the ends of games: a process that died, an
    /// answer that cannot be read. So a hosted engine loses for the same reason as one in process.
    #[error("{words}")]
    Fault {
        /// What it is called.
        reason: Reason,
        /// What happened, with the last words.
        words: String,
    },
}

impl AgentError {
    /// The reason for which the agent's game is lost.
    pub const fn reason(&self) -> Reason {
        match self {
            Self::Fault { reason, .. } => *reason,
            Self::GameOver | Self::Engine(_) => Reason::AgentError,
        }
    }
}

/// What a line of play is worth to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// Chance to win between 0 and 1, a draw counting half.
    Chance(f32),
    /// A proved win with the n-th own turn from now (1: this turn).
    WinsIn(u16),
    /// A proved loss with the n-th turn of the opponent.
    LosesIn(u16),
    /// A proved draw.
    Draw,
}

impl Value {
    /// A number that orders values for the player to move: the sooner win and the later loss is
    /// higher, and every proved result lies outside all chances but the draw.
    pub fn rank(self) -> f32 {
        match self {
            Self::WinsIn(turns) => 1.0 + 1.0 / (1.0 + f32::from(turns)),
            Self::LosesIn(turns) => -1.0 / (1.0 + f32::from(turns)),
            other => other.chance(),
        }
    }

    /// As a chance between 0 and 1, for graphs and comparisons.
    pub const fn chance(self) -> f32 {
        match self {
            Self::Chance(chance) => chance,
            Self::WinsIn(_) => 1.0,
            Self::LosesIn(_) => 0.0,
            Self::Draw => 0.5,
        }
    }
}

impl fmt::Display for Value {
    /// `0.52`, `win 3`, `loss 2`, `draw`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chance(chance) => write!(f, "{chance}"),
            Self::WinsIn(turns) => write!(f, "win {turns}"),
            Self::LosesIn(turns) => write!(f, "loss {turns}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// A text that is not a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a value is a chance between 0 and 1, `win N`, `loss N` or `draw`")]
pub struct NoValue;

impl FromStr for Value {
    type Err = NoValue;

    fn from_str(text: &str) -> Result<Self, NoValue> {
        let turns = |text: &str| text.parse().map_err(|_| NoValue);
        match text.split_once(' ') {
            Some(("win", text)) => turns(text).map(Self::WinsIn),
            Some(("loss", text)) => turns(text).map(Self::LosesIn),
            None if text == "draw" => Ok(Self::Draw),
            _ => {
                let chance: f32 = text.parse().map_err(|_| NoValue)?;
                (0.0..=1.0).contains(&chance).then_some(Self::Chance(chance)).ok_or(NoValue)
            }
        }
    }
}

/// One line of play the agent considers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its worth for the player to move.
    pub value: Value,
    /// The stones, one after the other, across turns.
    pub stones: Vec<Cell>,
}

/// What an agent tells while it thinks: the best lines so far, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Depth reached, in stones unless the agent documents otherwise.
    pub depth: u32,
    /// Positions looked at so far in this turn.
    pub nodes: u64,
    /// Time since the turn began.
    pub elapsed: Duration,
    /// Best first; one unless several were asked for.
    pub lines: Vec<Line>,
    /// Anything else worth a sentence: "book move, seen 12 times".
    pub note: Option<String>,
}
