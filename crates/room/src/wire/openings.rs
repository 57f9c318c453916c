//! What the explorer of openings is told.

use serde::Serialize;
use ts_rs::TS;

use super::{Colour, RulesView};

/// A position, and how the games of a source went on from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OpeningsView {
    /// The rules.
    pub rules: RulesView,
    /// The stones, in order of play, those that were set up first.
    pub stones: Vec<OpeningStone>,
    /// Who is to move.
    pub to_move: Colour,
    /// Stones left of the turn.
    pub stones_left: u32,
    /// Stones of the whole turn.
    pub turn_stones: u32,
    /// Whether the game is over.
    pub over: bool,
    /// What the opening is called, if it has a name.
    pub opening: Option<OpeningNamed>,
    /// Games of the source, wherever they went.
    pub games: u32,
    /// What came of those that reached the position.
    pub results: OpeningResults,
    /// The turns they took, most games first.
    pub turns: Vec<OpeningTurn>,
    /// On an empty board: the named openings of the game.
    pub names: Vec<OpeningEntry>,
}

/// A named opening on the board of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OpeningEntry {
    /// What it is called.
    pub opening: OpeningNamed,
    /// Its stones.
    pub cells: Vec<u16>,
}

/// A stone of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OpeningStone {
    /// Where.
    pub cell: u16,
    /// Whose.
    pub colour: Colour,
}

/// Games by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct OpeningResults {
    /// Black won.
    pub black: u32,
    /// Nobody did.
    pub drawn: u32,
    /// White won.
    pub white: u32,
}

/// A turn that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OpeningTurn {
    /// Its stones.
    pub cells: Vec<u16>,
    /// What came of the games through the position it leads to.
    pub results: OpeningResults,
    /// What the opening is called then, if it has a name.
    pub opening: Option<OpeningNamed>,
}

/// A named opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OpeningNamed {
    /// `D4`
    pub code: String,
    /// `Kagetsu`
    pub name: String,
    /// `花月`
    pub japanese: String,
}
