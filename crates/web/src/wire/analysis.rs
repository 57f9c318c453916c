//! What searches and tables tell: thinking agents, analysis lines, threats, exact scores, shapes.

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
    /// One position of a review of the whole game.
    Review,
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
    /// The hint in words.
    pub words: Option<String>,
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

/// What can be shown on the board besides the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Overlay {
    /// What both sides threaten.
    Threats,
    /// The exact score of every column.
    Columns,
    /// What was played here before.
    Book,
    /// The lines through the cell under the pointer, asked for cell by cell.
    Shapes,
    /// Where the network would play.
    Policy,
}

/// What both sides threaten in a position.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ThreatsView {
    /// The node whose position it is.
    pub node: u32,
    /// Of Black and of White.
    pub sides: [ThreatSide; 2],
}

/// What one side threatens.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ThreatSide {
    /// The least number of stones that stop everything; one more than a turn has means: too many.
    pub exact: u32,
    /// Whether counting was given up: `exact` is then only a lower bound.
    pub at_least: bool,
    /// Whether no turn stops it.
    pub unstoppable: bool,
    /// Whether the side is to move and wins with this turn.
    pub wins_now: bool,
    /// The windows from which one turn wins: first and last cell, and the empty ones.
    pub windows: Vec<ThreatWindow>,
    /// The smallest sets of cells that stop everything.
    pub defences: Vec<Vec<u16>>,
}

/// A window from which one turn wins.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ThreatWindow {
    /// Its first cell.
    pub from: u16,
    /// Its last cell.
    pub to: u16,
    /// Its empty cells.
    pub empty: Vec<u16>,
}

/// The exact scores of a gravity game.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ColumnsView {
    /// The node whose position it is.
    pub node: u32,
    /// For each column what a stone there is worth to the player to move.
    pub columns: Vec<ColumnScore>,
    /// Whether all columns are known.
    pub done: bool,
    /// Searches that run before this one gets its turn.
    pub waiting: u32,
}

/// What a stone in a column is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ColumnScore {
    /// No room.
    Full,
    /// Not known yet.
    Unknown,
    /// Known.
    Score {
        /// 0 a draw; n > 0 a win with n own stones left to place, −n a loss the same way.
        score: i8,
        /// Stones until the game ends, this one included.
        stones: u32,
    },
}

/// The connections through a cell.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ShapesView {
    /// The cell.
    pub cell: u16,
    /// Its node, as positions change.
    pub node: u32,
    /// One entry for each line and colour that has a connection there.
    pub lines: Vec<ShapeLine>,
}

/// One connection through a cell.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ShapeLine {
    /// Whose.
    pub colour: super::Colour,
    /// `→`, `↑`, `↗` or `↘`.
    pub direction: String,
    /// Its cells.
    pub cells: Vec<u16>,
    /// The stones on it: `.XX.X.`
    pub drawing: String,
    /// Its type: `L3`.
    pub kind: String,
    /// What a stone on the cell would make of it; none where one lies.
    pub becomes: Option<String>,
}

/// What was played in a position before, according to the book.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct BookView {
    /// The node whose position it is.
    pub node: u32,
    /// The turns seen, most games first.
    pub turns: Vec<BookTurn>,
}

/// One turn of the book.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct BookTurn {
    /// Its stones.
    pub cells: Vec<u16>,
    /// Games that went this way.
    pub games: u32,
    /// Points a game for the player to move, a tie counting half.
    pub score: f64,
}

/// What the network thinks of a position without any search.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct PolicyView {
    /// The node whose position it is.
    pub node: u32,
    /// Black's chance to win, 0 to 1.
    pub chance: f32,
    /// Where it would place the next stone, the likeliest cell first; the unlikely ones are left out.
    pub cells: Vec<PolicyCell>,
}

/// How much the network likes a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct PolicyCell {
    /// The cell.
    pub cell: u16,
    /// Its share of 1.
    pub share: f32,
}

/// A game reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReviewView {
    /// How hard it was looked at, from 1 to 3.
    pub effort: u8,
    /// How Black and White played.
    pub sides: [SideReview; 2],
    /// Every turn of the line.
    pub turns: Vec<TurnReview>,
    /// The node after the turn at which most was lost, if that was a mistake at least.
    pub turning_point: Option<u32>,
    /// What went wrong, in a few sentences, one on a line.
    pub summary: String,
}

/// How one side played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SideReview {
    /// How much of its chances it kept, 0 to 100.
    pub accuracy: f32,
    /// Turns clearly worse than the best.
    pub inaccuracies: u32,
    /// Turns that cost a good part of the chances.
    pub mistakes: u32,
    /// Turns that turned the game.
    pub blunders: u32,
    /// Proved wins that were there and are gone.
    pub missed_wins: u32,
}

/// One turn, judged.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TurnReview {
    /// The node of its last stone.
    pub node: u32,
    /// The node before its first stone.
    pub before: u32,
    /// Whose turn.
    pub colour: super::Colour,
    /// Black's chance before it.
    pub chance_before: f32,
    /// Black's chance after it.
    pub chance_after: f32,
    /// How good it was.
    pub grade: TurnGrade,
    /// Whether a proved win was there and is gone.
    pub missed_win: bool,
    /// The turn that was preferred.
    pub better: Vec<u16>,
    /// The line expected after it, its own stones included.
    pub line: Vec<u16>,
    /// What there is to say.
    pub words: String,
}

/// How good a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum TurnGrade {
    /// The best, or little lost.
    Good,
    /// A clearly better turn was there.
    Inaccuracy,
    /// Costs a good part of the chances.
    Mistake,
    /// Turned the game, or missed a proved win.
    Blunder,
}
