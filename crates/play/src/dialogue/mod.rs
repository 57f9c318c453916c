//! Openings in which the players settle who plays Black: Swap1, Swap and Swap2.
//!
//! ```text
//! swap1   A puts one stone · B takes a colour
//! swap    A puts three stones (black, white, black) · B takes a colour
//! swap2   A puts three stones · B takes a colour, or puts two more (white, black) and A takes one
//! ```
//!
//! A [`Dialogue`] is what was done so far; whose step it is follows from that and from the number of
//! stones on the board. Every door has its dialogues from here: the page, the terminal, matches and
//! the protocols.

mod reply;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use collinear_rules::{Player, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use reply::{Act, Reply, candidates, preferred, reply};

/// How the players settle who plays Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningRule {
    /// A colour is taken after the first stone.
    Swap1,
    /// A colour is taken after three stones.
    Swap,
    /// The same, or two more stones are put and the other one takes a colour: the rule of Gomoku's
    /// tournaments.
    Swap2,
}

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Puts the first stones.
    Opener,
    /// Answers them.
    Chooser,
}

/// What can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// To play Black.
    Black,
    /// To play White.
    White,
    /// To put two more stones; then the other side chooses.
    TwoStones,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// So many stones are to be put, of whichever colour is to move.
    Place {
        /// Who puts them.
        side: Side,
        /// How many are left.
        stones: usize,
    },
    /// A colour is to be taken.
    Choose {
        /// Who takes it.
        side: Side,
        /// Whether two stones may be put instead.
        two_stones: bool,
    },
}

/// Something that was done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deed {
    /// Who did it.
    pub side: Side,
    /// The choice; none where stones were put.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// Stones on the board afterwards.
    pub stones: usize,
    /// Black's chance as an agent saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f32>,
}

/// An opening under way, or what one came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dialogue {
    rule: OpeningRule,
    deeds: Vec<Deed>,
}

/// Why something cannot be done in an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DialogueError {
    /// There is no opening, or it is settled.
    #[error("there is nothing to choose: the colours are settled")]
    Settled,
    /// Stones are due.
    #[error("{0} more stones are to be placed before a colour is chosen")]
    StonesFirst(usize),
    /// A choice is due.
    #[error("a colour is to be chosen before the next stone")]
    ChoiceFirst,
    /// Two stones cannot be put here.
    #[error("only a colour can be chosen here")]
    OnlyColours,
    /// What is done in an opening stays.
    #[error("the opening goes on from its last stone: earlier ones cannot be changed")]
    Fixed,
    /// The game has no such openings.
    #[error(
        "{rule} is for games with one stone per turn, without gravity, rows of at least 4 on boards of at \
         least 6×6, and not for {rules}"
    )]
    NotForThisGame {
        /// The rule.
        rule: OpeningRule,
        /// The game.
        rules: Rules,
    },
}

/// A word that is no rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the opening rules are swap, swap1 and swap2, not {0:?}")]
pub struct UnknownRule(String);

impl OpeningRule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Swap1, Self::Swap, Self::Swap2];

    /// The word in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Swap1 => "swap1",
            Self::Swap => "swap",
            Self::Swap2 => "swap2",
        }
    }

    /// Stones before the first choice.
    pub const fn first_stones(self) -> usize {
        match self {
            Self::Swap1 => 1,
            Self::Swap | Self::Swap2 => 3,
        }
    }

    /// Whether a game can begin so: nobody can have won before the colours are settled.
    pub fn check(self, rules: &Rules) -> Result<(), DialogueError> {
        let one_by_one = rules.p() == 1 && rules.q() == 1 && !rules.gravity();
        let room = rules.k() >= 4 && rules.width().min(rules.height()) >= 6;
        let fits = one_by_one && room;
        fits.then_some(()).ok_or(DialogueError::NotForThisGame { rule: self, rules: *rules })
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for OpeningRule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        let named = Self::ALL.into_iter().find(|rule| rule.name() == text);
        named.ok_or_else(|| UnknownRule(text.chars().take(40).collect()))
    }
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Opener => Self::Chooser,
            Self::Chooser => Self::Opener,
        }
    }

    /// The seat it has until the colours are settled: the opener sits at Black's.
    pub const fn seat(self) -> Player {
        match self {
            Self::Opener => Player::Black,
            Self::Chooser => Player::White,
        }
    }
}

impl Step {
    /// Who acts.
    pub const fn side(self) -> Side {
        match self {
            Self::Place { side, .. } | Self::Choose { side, .. } => side,
        }
    }
}

/// Stones on the board after two more were put.
const SECOND_STONES: usize = 5;

impl Dialogue {
    /// Nothing is done yet.
    pub const fn new(rule: OpeningRule) -> Self {
        Self { rule, deeds: Vec::new() }
    }

    /// The rule.
    pub const fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// What was done, in order.
    pub fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// What is to be done with so many stones on the board; none when the colours are settled.
    pub fn step(&self, stones: usize) -> Option<Step> {
        let mut choices = self.choices();
        let (side, due, two_stones) = match (choices.next(), choices.next()) {
            (None, _) => (Side::Opener, self.rule.first_stones(), self.rule == OpeningRule::Swap2),
            (Some((_, Choice::TwoStones)), None) => (Side::Chooser, SECOND_STONES, false),
            _ => return None,
        };
        Some(match due.saturating_sub(stones) {
            0 => Step::Choose { side: side.other(), two_stones },
            stones => Step::Place { side, stones },
        })
    }

    /// Who plays Black, once that is settled.
    pub fn black(&self) -> Option<Side> {
        match self.choices().last()? {
            (side, Choice::Black) => Some(side),
            (side, Choice::White) => Some(side.other()),
            (_, Choice::TwoStones) => None,
        }
    }

    /// Stones that stay: those before the step under way.
    pub(crate) fn fixed_stones(&self) -> usize {
        self.choices().next().map_or(0, |_| self.rule.first_stones())
    }

    /// Chooses with so many stones on the board. `chance` is Black's, where an agent chose.
    pub(crate) fn choose(
        &mut self,
        stones: usize,
        choice: Choice,
        chance: Option<f32>,
    ) -> Result<(), DialogueError> {
        match self.step(stones) {
            None => Err(DialogueError::Settled),
            Some(Step::Place { stones, .. }) => Err(DialogueError::StonesFirst(stones)),
            Some(Step::Choose { two_stones: false, .. }) if choice == Choice::TwoStones => {
                Err(DialogueError::OnlyColours)
            }
            Some(Step::Choose { side, .. }) => {
                self.deeds.push(Deed { side, choice: Some(choice), stones, chance });
                Ok(())
            }
        }
    }

    /// Notes that the stones of a step are on the board.
    pub(crate) fn placed(&mut self, side: Side, stones: usize, chance: Option<f32>) {
        self.deeds.push(Deed { side, choice: None, stones, chance });
    }

    /// What an agent thinks of the stones that it has just put.
    pub(crate) fn heard(&mut self, chance: Option<f32>) {
        if let Some(deed) = self.deeds.last_mut().filter(|deed| deed.choice.is_none()) {
            deed.chance = chance;
        }
    }

    /// Whether it can have come to this with so many stones on the board: what a file says may be
    /// anything.
    pub(crate) fn is_possible(&self, stones: usize) -> bool {
        let mut told = Self::new(self.rule);
        let mut on_board = 0;
        for deed in &self.deeds {
            let possible = match (deed.choice, told.step(on_board)) {
                (None, Some(Step::Place { side, stones })) => {
                    (side, on_board + stones) == (deed.side, deed.stones)
                }
                (Some(choice), Some(Step::Choose { side, two_stones })) => {
                    (side, on_board) == (deed.side, deed.stones)
                        && (two_stones || choice != Choice::TwoStones)
                }
                _ => false,
            };
            if !possible || deed.chance.is_some_and(|chance| !(0.0..=1.0).contains(&chance)) {
                return false;
            }
            on_board = deed.stones;
            told.deeds.push(*deed);
        }
        match told.step(on_board) {
            None => stones >= on_board,
            Some(Step::Choose { .. }) => stones == on_board,
            Some(Step::Place { stones: due, .. }) => (on_board..on_board + due).contains(&stones),
        }
    }

    fn choices(&self) -> impl Iterator<Item = (Side, Choice)> {
        self.deeds.iter().filter_map(|deed| Some((deed.side, deed.choice?)))
    }
}

impl Deed {
    /// What was done and why, in a sentence: `kate takes Black: Black wins 58 %`.
    pub fn words(&self, who: &str) -> String {
        let percent = |chance: f32| format!("{:.0} %", 100.0 * chance);
        match (self.choice, self.chance) {
            (None, None) => format!("{who} has put the stones"),
            (None, Some(black)) => {
                format!("{who} has put the stones: Black wins {}", percent(black))
            }
            (Some(Choice::Black), None) => format!("{who} takes Black"),
            (Some(Choice::Black), Some(black)) => {
                format!("{who} takes Black: Black wins {}", percent(black))
            }
            (Some(Choice::White), None) => format!("{who} takes White"),
            (Some(Choice::White), Some(black)) => {
                format!("{who} takes White: White wins {}", percent(1.0 - black))
            }
            (Some(Choice::TwoStones), None) => format!("{who} puts two more stones"),
            (Some(Choice::TwoStones), Some(black)) => {
                format!(
                    "{who} puts two more stones: neither side is ahead (Black wins {})",
                    percent(black)
                )
            }
        }
    }
}
