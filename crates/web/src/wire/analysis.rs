//! What searches tell: thinking agents, hints, analysis lines.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// An agent's turn.
    Turn,
    /// A hint for a person.
    Hint,
    /// The analysis of the position shown.
    Analysis,
}

/// News of a search.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SearchView {
    /// What it is for.
    pub purpose: Purpose,
    /// The node whose position is searched.
    pub node: u32,
    /// The agent.
    pub agent: String,
    /// Searches that run before this one gets its turn; 0 when it runs.
    pub waiting: u32,
    /// Whether it has ended.
    pub done: bool,
    /// Depth reached.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: f64,
    /// Milliseconds so far.
    pub ms: u32,
    /// Best first.
    pub lines: Vec<EngineLine>,
    /// Anything else worth a sentence.
    pub note: Option<String>,
    /// The stones of a finished hint.
    pub turn: Vec<u16>,
    /// Why the search failed.
    pub problem: Option<String>,
}

/// One line of play.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct EngineLine {
    /// What it is worth, seen from Black.
    pub worth: Worth,
    /// Black's chance to win, 0 to 1.
    pub chance: f32,
    /// The stones.
    pub cells: Vec<u16>,
}

/// What a line is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Worth {
    /// An estimate.
    Chance,
    /// A proved win.
    Win {
        /// Of whom.
        winner: super::Colour,
        /// In so many of the winner's turns.
        turns: u16,
    },
    /// A proved draw.
    Draw,
}
