//! What the coach of a game is asked and tells: warnings before a turn is final, what the opponent
//! threatens, and mistakes that are played once more.

use crate::json::tagged_enum;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Colour, Outlook, Sealed, ThreatSide, TurnGrade};

/// How much a coach says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CoachLevel {
    /// Nothing.
    #[default]
    Off,
    /// He warns of turns after which the opponent has a proved win.
    Losses,
    /// Of mistakes and missed wins, too.
    Mistakes,
    /// Of inaccuracies, too.
    Inaccuracies,
}

tagged_enum! {
tag = "type";
/// What is asked of the coach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoachDeed {
    /// To say more or less from now on.
    Level {
        /// How much.
        level: CoachLevel,
    },
    /// To let the turn pass that he warned of.
    Keep,
    /// What the opponent threatens now.
    Threats,
}
}

/// The coach of a game.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct CoachView {
    /// How much he says.
    pub level: CoachLevel,
    /// What he says now.
    pub says: CoachSays,
}

/// What a coach says.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum CoachSays {
    /// Nothing.
    Nothing,
    /// He looks at the turn just played; the opponent waits.
    Looking,
    /// The turn just played deserves a second thought; the opponent waits.
    Warns {
        /// What is wrong with it.
        #[ts(as = "CoachWarning")]
        warning: Sealed<CoachWarning>,
    },
    /// That turn was taken back.
    TakenBack {
        /// What was wrong with it.
        #[ts(as = "CoachWarning")]
        warning: Sealed<CoachWarning>,
    },
}

/// What is wrong with a turn.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, TS)]
pub struct CoachWarning {
    /// The node that the turn leads to.
    pub node: u32,
    /// Whose turn.
    pub colour: Colour,
    /// Its stones.
    pub turn: Vec<u16>,
    /// How good it was.
    pub grade: TurnGrade,
    /// What kind of mistake.
    pub kind: MistakeKind,
    /// What the player had before it.
    pub had: Outlook,
    /// What is left.
    pub got: Outlook,
    /// How the opponent answers.
    pub answer: Vec<u16>,
    /// What that does, in words; may be empty.
    pub why: String,
    /// A better turn.
    pub better: Vec<u16>,
    /// What that does, in words; may be empty.
    pub reason: String,
}

/// What kind of mistake a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum MistakeKind {
    /// A row could have been completed at once.
    MissedRow,
    /// A proved win is gone.
    MissedWin,
    /// The opponent could complete a row, and still can.
    LeftRow,
    /// The disc made room for a row of the opponent.
    MadeRow,
    /// The opponent threatened to win by force, and still does.
    LeftThreat,
    /// The opponent has a proved win since this turn.
    LetWin,
    /// Worse than the best turn.
    Worse,
}

/// What the opponent of the player to move threatens.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, TS)]
pub struct DangerView {
    /// The node whose position it is.
    pub node: u32,
    /// Whose threats.
    pub colour: Colour,
    /// How he would win if it were his turn; empty where nothing was found.
    pub turn: Vec<u16>,
    /// In how many own turns; 0 where nothing was found.
    pub turns: u16,
    /// What that turn does, in words; may be empty.
    pub why: String,
    /// His windows, shapes, and what stops them.
    pub side: ThreatSide,
}

/// A turn that was tried at a mistake of the game that was reviewed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, TS)]
pub struct TriedView {
    /// The node before the mistake.
    pub node: u32,
    /// The stones that were tried.
    pub stones: Vec<u16>,
    /// Whether they are a right answer; none where nobody was done in time.
    pub right: Option<bool>,
    /// How good they are.
    pub grade: TurnGrade,
    /// What they leave their player.
    pub got: Outlook,
    /// How the opponent answers.
    pub answer: Vec<u16>,
    /// What that does, in words; may be empty.
    pub why: String,
}
