//! Games as the page sees them: rules, seats, clocks, the move tree and the position shown.

use crate::json::tagged_enum;
use collinear_play::Reason;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whose stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Colour {
    /// Opens.
    Black,
    /// Answers.
    White,
}

/// The numbers of a game as typed into the form; any of them may be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RulesForm {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Stones in a row that win.
    pub k: u32,
    /// Stones a turn.
    pub p: u32,
    /// Stones of the first turn.
    pub q: u32,
    /// Whether stones fall.
    pub gravity: bool,
    /// Whether only rows of exactly `k` win.
    pub exact: bool,
    /// What becomes of stones that Renju forbids to Black.
    #[serde(default)]
    #[ts(as = "Option<Fouls>", optional)]
    pub fouls: Fouls,
}

/// What becomes of stones that Renju forbids to Black; anything but `none` makes the game Renju.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Fouls {
    /// The game is not Renju.
    #[default]
    None,
    /// They cannot be placed.
    Refused,
    /// They lose the game.
    Lose,
}

/// Valid rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RulesView {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Stones in a row that win.
    pub k: u32,
    /// Stones a turn.
    pub p: u32,
    /// Stones of the first turn.
    pub q: u32,
    /// Whether stones fall.
    pub gravity: bool,
    /// Whether only rows of exactly `k` win.
    pub exact: bool,
    /// What becomes of stones that Renju forbids to Black.
    pub fouls: Fouls,
    /// The short name: `connect6`, or the long form of an own game.
    pub name: String,
}

/// A game with a name.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PresetInfo {
    /// `connect6`.
    pub name: String,
    /// Its rules.
    pub rules: RulesView,
}

/// What can be played with these rules, or why nothing can.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FormCheck {
    /// The rules, when they are valid.
    pub rules: Option<RulesView>,
    /// Why they are not.
    pub problem: Option<String>,
    /// Names of the agents that play this game.
    pub agents: Vec<String>,
    /// Opponents from weak to strong.
    pub levels: Vec<Level>,
    /// Whether the players may settle who plays Black by an opening rule.
    pub openings: bool,
}

/// A strength to choose instead of an agent and its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Level {
    /// `Level 3`.
    pub label: String,
    /// `Casual`.
    pub name: String,
    /// The agent it stands for.
    pub spec: String,
    /// Elo above the first level, where it was measured.
    pub elo: Option<u32>,
}

/// One agent of the registry.
#[derive(Clone, Debug, Serialize, TS)]
pub struct AgentInfo {
    /// The name in specs.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Where its idea comes from.
    pub source: String,
    /// What can be set.
    pub options: Vec<OptionInfo>,
}

/// One option of an agent.
#[derive(Clone, Debug, Serialize, TS)]
pub struct OptionInfo {
    /// The key in specs.
    pub name: String,
    /// One line.
    pub help: String,
    /// Type, range, default.
    pub kind: OptionKind,
}

/// Type, range and default of an option.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum OptionKind {
    /// A whole number.
    Int {
        /// Smallest.
        #[ts(type = "number")]
        min: i64,
        /// Largest.
        #[ts(type = "number")]
        max: i64,
        /// Unless given.
        #[ts(type = "number")]
        default: i64,
    },
    /// A real number.
    Float {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Unless given.
        default: f64,
    },
    /// Yes or no.
    Bool {
        /// Unless given.
        default: bool,
    },
    /// One of several words.
    Choice {
        /// The words.
        values: Vec<String>,
        /// Unless given.
        default: String,
    },
    /// A time such as `500ms`, or other free text.
    Text {
        /// Unless given.
        default: String,
    },
}

tagged_enum! {
tag = "type";
/// Who sits on one side of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person at this screen.
    Person,
    /// An agent.
    Agent {
        /// `name:key=value`.
        spec: String,
        /// What to call it; the spec unless a level was chosen.
        label: String,
    },
}
}

tagged_enum! {
tag = "type";
/// How time is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// No clock; agents think at most so long a turn.
    Turn {
        /// Milliseconds.
        ms: u32,
    },
    /// A clock for each side; who runs out of time loses.
    Clock {
        /// Milliseconds at the start.
        start_ms: u32,
        /// Milliseconds added after each turn.
        increment_ms: u32,
    },
}
}

/// A game to begin.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NewGame {
    /// The numbers.
    pub rules: RulesForm,
    /// Black's seat.
    pub black: Seat,
    /// White's seat.
    pub white: Seat,
    /// How time is kept.
    pub timing: Timing,
    /// How the players settle who plays Black; then `black` is who puts the first stones.
    #[serde(default)]
    #[ts(as = "Option<Option<super::OpeningRule>>", optional)]
    pub opening_rule: Option<super::OpeningRule>,
}

/// A position to set up.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NewSetup {
    /// The numbers.
    pub rules: RulesForm,
    /// Black's stones.
    pub black: Vec<u16>,
    /// White's stones.
    pub white: Vec<u16>,
    /// Whose turn it is.
    pub to_move: Colour,
    /// Stones left of that turn.
    pub stones_left: u32,
}

/// What does not change while a game is played.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GameView {
    /// The name under which it is stored.
    pub id: String,
    /// Its rules.
    pub rules: RulesView,
    /// Black's seat and White's.
    pub seats: [Seat; 2],
    /// How time is kept.
    pub timing: Timing,
    /// Stones on the board before the first move.
    pub setup: [Vec<u16>; 2],
    /// Who makes the first move.
    pub first_to_move: Colour,
    /// With how many stones.
    pub first_stones: u32,
    /// What is known from a record: event, players, date.
    pub info: Vec<GameInfo>,
    /// What one could play against instead.
    pub levels: Vec<Level>,
    /// The agent that analyses this game and gives hints, if there is one.
    pub analyst: Option<String>,
    /// The record formats that can hold this game.
    pub formats: Vec<FormatInfo>,
    /// What can be shown on its board besides the stones.
    pub overlays: Vec<super::Overlay>,
    /// The game of a run that this is a replay of.
    pub replay: Option<ReplayView>,
    /// The puzzle to be solved.
    pub puzzle: Option<PuzzleInfo>,
}

/// A position with a proved win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PuzzleInfo {
    /// Its name in the set.
    pub id: String,
    /// Its game.
    pub rules: RulesView,
    /// `Black wins in 3`.
    pub goal: String,
    /// Own turns to the row, at most.
    pub turns: u16,
    /// Who is to win, or to hold.
    pub colour: Colour,
    /// Whether a turn is asked for after which the opponent's win is gone.
    pub hold: bool,
}

/// How a puzzle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum PuzzleProgress {
    /// The win is still there.
    Going,
    /// Done.
    Solved,
    /// The last turn gave the win away; it was taken back.
    Wrong,
}

/// What there is to say of a puzzle; the page has the sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PuzzleWords {
    /// The win is complete.
    Solved,
    /// The turn keeps the win.
    Right {
        /// Own turns to go.
        turns: u16,
    },
    /// The turn lets the win slip.
    Slipped,
    /// A first hint: the cells where to look.
    Look {
        /// Them.
        cells: Vec<u16>,
    },
    /// The second hint: a stone of a winning turn.
    Try {
        /// Where.
        cell: u16,
        /// `h8: four-three, wins in 4 (VCF)`, where the game's players have words for it.
        why: Option<String>,
    },
    /// Nothing wins here any more.
    Lost,
    /// The solver was not done in time.
    Late,
}

/// Where a replay came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ReplayView {
    /// The run.
    pub run: String,
    /// The game's number in it.
    pub number: u32,
}

/// A record format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct FormatInfo {
    /// The name to ask for it.
    pub name: String,
    /// The ending of its files.
    pub extension: String,
}

/// One line of a record's head.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct GameInfo {
    /// `event`, `black`, …
    pub key: String,
    /// Its text.
    pub value: String,
}

/// One stone in the move tree.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct NodeView {
    /// Names the node as long as it is in the tree.
    pub id: u32,
    /// The node before; none for the root, which has no stone.
    pub parent: Option<u32>,
    /// Where the stone lies; none for the root.
    pub cell: Option<u16>,
    /// A comment.
    pub comment: String,
    /// Black's chance to win after the stone, where a search has told it.
    pub chance: Option<f32>,
}

/// The position shown and how the game stands.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing the page asks about")]
pub struct BoardView {
    /// The node shown.
    pub node: u32,
    /// The stones played up to here.
    pub moves: Vec<u16>,
    /// Their colours: `b` or `w` each.
    pub colours: String,
    /// Whose turn it is.
    pub to_move: Colour,
    /// Stones left of the turn.
    pub stones_left: u32,
    /// Stones of a full turn at this point.
    pub turn_stones: u32,
    /// The end of the game, when it has ended at this node.
    pub ending: Option<Ending>,
    /// The winning rows.
    pub rows: Vec<Vec<u16>>,
    /// The cells that Renju forbids to Black, who is to move.
    pub forbidden: Vec<u16>,
    /// Whether the game goes on from here; false while one looks back.
    pub live: bool,
    /// The opening in which the players settle who plays Black.
    pub opening: Option<super::OpeningView>,
    /// Whether agents are held back.
    pub paused: bool,
    /// The least time between turns of agents.
    pub pace_ms: u32,
    /// The clocks, when there are any.
    pub clock: Option<ClockView>,
    /// Why an agent played the turn that ends here, in a sentence.
    pub why: Option<String>,
    /// The game and its moves for the address.
    pub link: String,
    /// Whether there is anything to take back, or an earlier position to step to.
    pub can_undo: bool,
    /// Whether there is anything to play again, or a later position to step to.
    pub can_redo: bool,
}

/// Both clocks at the moment of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ClockView {
    /// Milliseconds left for Black and for White.
    pub left_ms: [u32; 2],
    /// Whose clock runs.
    pub running: Option<Colour>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Ending {
    /// Who won; none for a draw.
    pub winner: Option<Colour>,
    /// Why, by the name it has everywhere: `row`, `full-board`, `resignation`, …
    #[ts(type = "EndReason")]
    pub reason: Reason,
    /// What happened, in words: the last words of an agent that crashed.
    pub detail: Option<String>,
}

/// A stored game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StoredGame {
    /// Its name in the store.
    pub id: String,
    /// The game: `connect6`.
    pub rules: String,
    /// Who plays: `Person – sequences`.
    pub title: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// Stones on the line shown.
    pub stones: u32,
    /// Whether it has ended.
    pub finished: bool,
    /// How, when it has.
    pub ending: Option<Ending>,
    /// Columns and rows.
    pub size: [u32; 2],
    /// The stones of Black and of White in the position shown.
    pub cells: [Vec<u16>; 2],
    /// Whether somebody wrote comments: then it is never dropped.
    pub commented: bool,
    /// The secret of its room's link, if it is played by one.
    pub room: Option<String>,
    /// Seconds since 1970 of the last change.
    #[ts(type = "number")]
    pub updated: i64,
}
