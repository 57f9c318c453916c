//! The decisions of opening protocols: Swap2 as Gomocup asks for it (`SWAP2BOARD`), Swap2 and Soosorv
//! as Yixin-Board does.
//!
//! ```text
//! swap2     as `collinear_play::dialogue` has it, each step asked for by itself
//! soosorv   A puts three stones of 26 patterns · B may swap · White puts the fourth and says N ·
//!           the other may swap · Black names N fifth stones · White picks one
//! ```
//!
//! Every choice is the agent's opinion of the position: a colour is taken when it is ahead, and where
//! neither is, stones are sought that keep it so. What the host must remember, it remembers: nothing
//! of this stays here.

use collinear_play::{Budget, Choice, Turn, Value, balance, dialogue};
use collinear_rules::{Cell, Position, Rules};

use super::super::driver::{Question, Task};
use super::thinking::Thinking;
use crate::gomocup::turn;

/// How a program wants to hear of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `SWAP`, or points in one line.
    Gomocup,
    /// `MESSAGE SWAP2 …`
    Yixin,
}

/// What the agent is asked to decide. Stones are on the desk's board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Three stones that leave both colours even.
    Open,
    /// Three stones lie: a colour, or two stones.
    Choose,
    /// Three stones lie and neither colour is ahead: two stones that keep it so.
    Pair,
    /// Five stones lie: a colour.
    ChooseLast,
    /// Soosorv: three stones of a pattern.
    SoosorvOpen,
    /// Soosorv: whether to take Black, three or four stones lie; then the number of fifth stones.
    SoosorvSwap { step: u8, fifths: u16 },
    /// Soosorv: the fourth stone.
    SoosorvFourth,
    /// Soosorv: how many fifth stones Black shall name after this fourth one.
    SoosorvCount(Cell),
    /// Soosorv: the number of fifth stones.
    SoosorvFifths(u16),
    /// Soosorv: the best of these fifth stones for White.
    SoosorvPick(Vec<Cell>),
}

/// What follows from an answer.
pub(super) enum Next {
    Say(Vec<String>),
    Ask(Decision),
}

/// The most fifth stones of Soosorv-8.
pub(super) const MAX_FIFTHS: u16 = 8;
/// Symmetric stones count once, so more are looked at than are named.
const SPARE_FIFTHS: u16 = 8;

impl Decision {
    /// What to ask the agent. The position may have to be another one than that on the desk.
    pub(super) fn question(
        &self,
        position: &Position,
        budget: Budget,
    ) -> Result<(Option<Position>, Question), String> {
        let part = |time: Option<std::time::Duration>, n: u32| time.map(|time| time / n);
        // Two questions share the time.
        let half = Budget { time: part(budget.time, 2), ..budget.clone() };
        let turn = |budget: Budget| Question { budget, task: Task::Turn };
        let nearest = |candidates: Vec<Vec<Cell>>, target: f32, budget: Budget| Question {
            budget,
            task: Task::Nearest { candidates, target },
        };
        let lines = |lines: u16| Budget { lines, ..budget.clone() };
        let question = match self {
            Self::Open => match dialogue::candidates(position, 3) {
                none if none.is_empty() => {
                    return Err("the board is too small for swap2".to_owned());
                }
                all => nearest(all, 0.5, budget),
            },
            Self::SoosorvOpen => nearest(patterns(position.rules())?, 0.5, budget),
            Self::Choose | Self::SoosorvFourth => turn(half),
            Self::Pair => nearest(dialogue::candidates(position, 2), 0.5, half),
            Self::ChooseLast => turn(budget),
            Self::SoosorvSwap { fifths, .. } => turn(lines((*fifths).max(1))),
            Self::SoosorvCount(cell) => {
                let mut ahead = position.clone();
                ahead.play(*cell).map_err(|error| error.to_string())?;
                let budget = Budget { lines: MAX_FIFTHS + SPARE_FIFTHS, ..half };
                return Ok((Some(ahead), turn(budget)));
            }
            Self::SoosorvFifths(count) => turn(lines(count + SPARE_FIFTHS)),
            Self::SoosorvPick(cells) => {
                nearest(cells.iter().map(|&cell| vec![cell]).collect(), 0.0, budget)
            }
        };
        Ok((None, question))
    }

    /// What the agent's answer comes to.
    pub(super) fn answer(
        &self,
        position: &Position,
        stones: &Turn,
        thinking: &Thinking,
        form: Form,
    ) -> Next {
        let rules = position.rules();
        let chance = thinking.value().map_or(0.5, Value::chance);
        let choice = dialogue::preferred(chance, *self == Self::Choose);
        let black = choice == Choice::Black;
        let points = |cells: &[Cell]| vec![turn(rules, cells)];
        let at = |cell: Cell| turn(rules, &[cell]).replace(',', " ");
        let moves = |protocol: &str, first: usize, cells: &[Cell]| -> Vec<String> {
            let named = (first..).zip(cells);
            named.map(|(n, &cell)| format!("MESSAGE {protocol} MOVE{n} {}", at(cell))).collect()
        };
        let yes = |swap: bool| if swap { "YES" } else { "NO" };
        Next::Say(match (self, form) {
            (Self::Choose, _) if choice == Choice::TwoStones => return Next::Ask(Self::Pair),
            (Self::Choose | Self::ChooseLast, Form::Gomocup) if black => vec!["SWAP".to_owned()],
            (Self::Open | Self::Pair | Self::Choose | Self::ChooseLast, Form::Gomocup) => {
                points(stones)
            }
            (Self::Open, Form::Yixin) => moves("SWAP2", 1, stones),
            (Self::Choose, Form::Yixin) => {
                vec![format!("MESSAGE SWAP2 SWAP1 {}", yes(black))]
            }
            (Self::Pair, Form::Yixin) => moves("SWAP2", 4, stones),
            (Self::ChooseLast, Form::Yixin) => {
                vec![format!("MESSAGE SWAP2 SWAP2 {}", yes(black))]
            }
            (Self::SoosorvOpen, _) => moves("SOOSORV", 1, stones),
            // White moves next: Black is taken where White is behind. With the fourth stone on the
            // board Black moves next, but gets the worst of the fifth stones he names.
            (Self::SoosorvSwap { step: 1, .. }, _) => {
                vec![format!("MESSAGE SOOSORV SWAP1 {}", yes(chance < 0.5))]
            }
            (Self::SoosorvSwap { fifths, .. }, _) => {
                let worst = nth_chance(thinking, usize::from(*fifths), chance);
                vec![format!("MESSAGE SOOSORV SWAP2 {}", yes(worst < 0.5))]
            }
            (Self::SoosorvFourth, _) => match stones.first() {
                Some(&cell) => return Next::Ask(Self::SoosorvCount(cell)),
                None => Vec::new(),
            },
            // As many as leave the worst of them leaves both colours even.
            (Self::SoosorvCount(cell), _) => {
                let uneven = |&n: &u16| {
                    let distance = (nth_chance(thinking, usize::from(n), chance) - 0.5).abs();
                    (distance * 1e6) as u32
                };
                let count = (1..=MAX_FIFTHS).min_by_key(uneven).unwrap_or(1);
                vec![format!("MESSAGE SOOSORV MOVE4 {} {count}", at(*cell))]
            }
            (Self::SoosorvFifths(count), _) => {
                let fifths = fifths(position, thinking, usize::from(*count));
                let mut said = vec!["MESSAGE SOOSORV MOVE5 REFRESH".to_owned()];
                said.extend(fifths.iter().map(|&c| format!("MESSAGE SOOSORV MOVE5 {}", at(c))));
                said.push("MESSAGE SOOSORV MOVE5 DONE".to_owned());
                said
            }
            (Self::SoosorvPick(_), _) => {
                stones.iter().map(|&c| format!("MESSAGE SOOSORV MOVE5C {}", at(c))).collect()
            }
        })
    }
}

/// What the n-th best line is worth to the player to move.
fn nth_chance(thinking: &Thinking, n: usize, best: f32) -> f32 {
    let lines = thinking.lines();
    lines.get(n.saturating_sub(1)).or(lines.last()).map_or(best, |line| line.value.chance())
}

/// The best next stones, no two of them symmetric; where the agent named too few, others.
fn fifths(position: &Position, thinking: &Thinking, count: usize) -> Vec<Cell> {
    let named = thinking.lines().iter().filter_map(|line| line.stones.first().copied());
    let others = balance::next_stones(position).into_iter().filter_map(|s| s.first().copied());
    let mut seen = std::collections::HashSet::new();
    let new = |&cell: &Cell| {
        let mut ahead = position.clone();
        ahead.play(cell).is_ok() && seen.insert(ahead.canonical_key())
    };
    named.chain(others).filter(new).take(count).collect()
}

/// The 26 patterns of Renju: the second stone beside the first in the centre, the third within the
/// middle 5×5.
fn patterns(rules: &Rules) -> Result<Vec<Vec<Cell>>, String> {
    let small = || "the board is too small for soosorv".to_owned();
    let (x, y) = (rules.width() / 2, rules.height() / 2);
    let cell =
        |dx: usize, dy: usize| rules.cell((x + dx).checked_sub(2)?, (y + dy).checked_sub(2)?);
    let centre = cell(2, 2).ok_or_else(small)?;
    let mut seen = std::collections::HashSet::new();
    let mut found = Vec::new();
    for second in [cell(2, 3), cell(3, 3)] {
        let second = second.ok_or_else(small)?;
        for third in (0..25).map(|n| cell(n % 5, n / 5)) {
            let stones = vec![centre, second, third.ok_or_else(small)?];
            let position = Position::from_moves(*rules, &stones);
            if position.is_ok_and(|position| seen.insert(position.canonical_key())) {
                found.push(stones);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_26_patterns() {
        assert_eq!(patterns(&Rules::GOMOKU).map(|all| all.len()), Ok(26));
        assert!(patterns(&"20x1,k=5".parse().expect("rules")).is_err());
    }
}
