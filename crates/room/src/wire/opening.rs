//! Openings in which the players choose their colours, as the page sees them.

use collinear_play::{Choice, Game, OpeningRule as Rule, Side, Step};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How the players settle who plays Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OpeningRule {
    /// A colour is taken after the first stone.
    Swap1,
    /// A colour is taken after three stones.
    Swap,
    /// The same, or two more stones are put and the other one takes a colour.
    Swap2,
}

/// Who acts in an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OpeningSide {
    /// Puts the first stones; sits on Black's seat until the colours are settled.
    Opener,
    /// Answers them.
    Chooser,
}

/// What can be chosen in an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OpeningChoice {
    /// To play Black.
    Black,
    /// To play White.
    White,
    /// To put two more stones.
    TwoStones,
}

/// What is to be done next in an opening.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OpeningStep {
    /// So many stones are to be put.
    Place {
        /// Who puts them.
        side: OpeningSide,
        /// How many.
        stones: u32,
    },
    /// A colour is to be taken.
    Choose {
        /// Who takes it.
        side: OpeningSide,
        /// Whether two stones may be put instead.
        two_stones: bool,
    },
}

/// Something that was done in an opening.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, TS)]
pub struct OpeningDeed {
    /// The name of who did it.
    pub who: String,
    /// The choice; none where stones were put.
    pub choice: Option<OpeningChoice>,
    /// Stones on the board afterwards.
    pub stones: u32,
    /// Black's chance as an agent saw it.
    pub chance: Option<f32>,
}

/// An opening under way, or how the colours were settled.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, TS)]
pub struct OpeningView {
    /// The rule.
    pub rule: OpeningRule,
    /// What is to be done; none when the colours are settled.
    pub step: Option<OpeningStep>,
    /// What was done.
    pub deeds: Vec<OpeningDeed>,
}

impl From<OpeningRule> for Rule {
    fn from(rule: OpeningRule) -> Self {
        match rule {
            OpeningRule::Swap1 => Self::Swap1,
            OpeningRule::Swap => Self::Swap,
            OpeningRule::Swap2 => Self::Swap2,
        }
    }
}

impl From<Rule> for OpeningRule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Swap1 => Self::Swap1,
            Rule::Swap => Self::Swap,
            Rule::Swap2 => Self::Swap2,
        }
    }
}

impl From<Side> for OpeningSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Opener => Self::Opener,
            Side::Chooser => Self::Chooser,
        }
    }
}

impl From<OpeningChoice> for Choice {
    fn from(choice: OpeningChoice) -> Self {
        match choice {
            OpeningChoice::Black => Self::Black,
            OpeningChoice::White => Self::White,
            OpeningChoice::TwoStones => Self::TwoStones,
        }
    }
}

impl From<Choice> for OpeningChoice {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Black => Self::Black,
            Choice::White => Self::White,
            Choice::TwoStones => Self::TwoStones,
        }
    }
}

impl From<Step> for OpeningStep {
    fn from(step: Step) -> Self {
        match step {
            Step::Place { side, stones } => {
                Self::Place { side: side.into(), stones: stones as u32 }
            }
            Step::Choose { side, two_stones } => Self::Choose { side: side.into(), two_stones },
        }
    }
}

impl OpeningView {
    /// The opening of a game, if it has one; `name` says what to call a side.
    pub(crate) fn of(game: &Game, name: impl Fn(Side) -> String) -> Option<Self> {
        let dialogue = game.dialogue()?;
        let deeds = dialogue.deeds().iter().map(|deed| OpeningDeed {
            who: name(deed.side),
            choice: deed.choice.map(Into::into),
            stones: deed.stones as u32,
            chance: deed.chance,
        });
        Some(Self {
            rule: dialogue.rule().into(),
            step: game.step().map(Into::into),
            deeds: deeds.collect(),
        })
    }
}
