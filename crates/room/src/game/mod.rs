//! One game as the page plays it: the model's game, and what only a page has: agents that can be
//! held back, a pace, a seed, and where the game came from.
//!
//! Pure logic: no time of day, no searches, no I/O. [`crate::Room`] drives it. Nothing here deletes
//! stones but [`PageGame::prune`], and that can be taken back.

mod back;
mod clock;
#[cfg(test)]
mod tests;
mod view;

use collinear_engine::analysis::Watch;
use collinear_play::{Game, NodeId, Seat};
use collinear_rules::{Cell, Player, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::convert::FormError;
use crate::friends::{FriendRefusal, Friends};

pub(crate) use view::Abilities;

/// Why something asked of a game cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Refusal {
    /// The game itself refuses.
    #[error(transparent)]
    Game(#[from] collinear_play::Refusal),
    /// The page was behind.
    #[error("the position has changed meanwhile: please place the stone again")]
    Behind,
    /// It is an agent's turn.
    #[error("it is the turn of {0}")]
    NotYours(String),
    /// Nothing was removed.
    #[error("there is nothing to bring back")]
    NothingRemoved,
    /// The text names no cell.
    #[error(transparent)]
    Typed(#[from] collinear_rules::typed::TypedError),
    /// Whoever asks may not do this in a game by a link, or not now.
    #[error(transparent)]
    Friend(#[from] FriendRefusal),
    /// No such clock.
    #[error(transparent)]
    Form(#[from] FormError),
    /// The game does not fit a record.
    #[error("{0}")]
    Record(String),
    /// No puzzle is on the board.
    #[error("this is not a puzzle")]
    NoPuzzle,
    /// Colours are being settled: the analysis says who is ahead.
    #[error("hints are for turns: the analysis says which colour is ahead")]
    NoHintInOpening,
    /// Balanced stones are those of one stone per turn.
    #[error("balanced stones are for games with one stone per turn")]
    NoBalance,
    /// No review found a mistake there.
    #[error("the review found no mistake there: review the game first")]
    NoMistake,
    /// The stones are not a turn.
    #[error("these stones are not a whole turn")]
    NoTurn,
    /// Nobody can be asked.
    #[error("no agent can analyse this game")]
    NoAnalyst,
}

/// A game with everything that belongs to it on the page.
#[derive(Clone)]
pub struct PageGame {
    /// The game itself.
    pub model: Game,
    /// Whether agents are held back.
    pub paused: bool,
    /// The least time between two turns of agents, in milliseconds.
    pub pace_ms: u32,
    /// Everything random in this game follows from it.
    pub seed: u64,
    /// The game of a run that this is a replay of.
    pub replay: Option<ReplayOf>,
    /// The puzzle that is to be solved.
    pub puzzle: Option<PuzzleOf>,
    /// The two people, each in a browser of their own, who play it by a link.
    pub friends: Option<Friends>,
    /// How much a coach says to the person who plays against an agent.
    pub coach: Option<Watch>,
    /// Why the turn that ended with a node was played, in a sentence.
    pub why: Option<(NodeId, String)>,
    /// The game before something was removed from it, until anything else changes.
    removed: Option<Box<Game>>,
}

/// Where a replay came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayOf {
    /// The run.
    pub run: String,
    /// The game's number in it.
    pub number: u32,
}

/// A puzzle on the board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PuzzleOf {
    /// Its name in the set, or its link.
    pub id: String,
    /// `Black wins in 3`.
    pub goal: String,
    /// Own turns, at most.
    pub turns: u16,
    /// Who wins, or holds.
    pub player: Player,
    /// What is asked for.
    pub wanted: collinear_agents::puzzles::Goal,
}

impl PageGame {
    /// A game to play on.
    pub const fn new(model: Game, seed: u64) -> Self {
        Self {
            model,
            paused: false,
            pace_ms: DEFAULT_PACE_MS,
            seed,
            replay: None,
            puzzle: None,
            friends: None,
            coach: None,
            why: None,
            removed: None,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.model.rules()
    }

    /// Whether no person plays.
    pub(crate) fn is_for_watching(&self) -> bool {
        !self.model.seats.iter().any(Seat::is_person)
    }

    /// The agent whose turn it is now: nobody while the game is over, held or looked back at.
    pub(crate) fn agent_to_move(&self) -> Option<(Player, &str)> {
        self.model.agent_to_move().filter(|_| !self.paused)
    }

    /// Places a person's stone; `ply` is how many stones the page saw before it.
    pub(crate) fn play_person(&mut self, ply: usize, cell: Cell) -> Result<(), Refusal> {
        if ply != self.model.position().history().len() {
            return Err(Refusal::Behind);
        }
        if let Some((player, _)) = self.agent_to_move() {
            return Err(Refusal::NotYours(self.name(player)));
        }
        let to_move = self.model.position().to_move();
        if self.puzzle.as_ref().is_some_and(|puzzle| puzzle.player != to_move) {
            return Err(Refusal::NotYours("the solver".to_owned()));
        }
        self.removed = None;
        Ok(self.model.play(cell)?)
    }

    /// The person gives up.
    pub(crate) fn resign(&mut self) -> Result<(), Refusal> {
        Ok(self.model.resign(self.model.who_resigns())?)
    }

    /// Takes back the last turn of a player and what was answered, so that they are to move again.
    pub(crate) fn take_back(&mut self, player: Player) -> Result<(), Refusal> {
        loop {
            self.model.undo()?;
            if self.model.acting() == player {
                return Ok(());
            }
        }
    }
}

/// The pause between turns of agents unless somebody changes it.
const DEFAULT_PACE_MS: u32 = 600;
