//! Odd and even threats of a gravity game, as they are told.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Colour;

/// What the rows of open threats say of a position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ParityView {
    /// The node whose position it is.
    pub node: u32,
    /// Who gets the top row and every second one below it when the columns are filled in pairs.
    pub answers: Colour,
    /// The open threats, column by column from the bottom.
    pub threats: Vec<ParityThreat>,
    /// How it ends if no other threat arises.
    pub filling: Option<FillingView>,
    /// What is proved of the score for the player to move: not less, and not more.
    pub bounds: Option<[i8; 2]>,
}

/// An empty cell that completes a row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct ParityThreat {
    /// Where.
    pub cell: u16,
    /// Whose row.
    pub colour: Colour,
    /// Whether its row, counted from 1, is odd.
    pub odd: bool,
    /// Whether its row is one of the owner's.
    pub serves: bool,
}

/// The end of the game in which only the threats on the board count.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct FillingView {
    /// Who wins; nobody when the board fills up.
    pub winner: Option<Colour>,
    /// With which threat.
    pub cell: Option<u16>,
    /// Whether the loser has to play below it.
    pub zugzwang: bool,
    /// The number of the last stone.
    pub stones: u32,
    /// Whether no other threat can arise.
    pub certain: bool,
}
