//! Ending games whose result is clear.

use collinear_play::{End, Event, Reason, Value};
use collinear_rules::Player;
use serde::{Deserialize, Serialize};

/// When games end early. By default never.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Drawn when this many stones are on the board.
    pub max_stones: Option<usize>,
    /// Drawn as soon as nobody can make a row any more.
    pub dead_draws: bool,
    /// Decided when both players agree about the winner.
    pub score: Option<ScoreRule>,
}

/// Both players must call the same winner for some turns running.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRule {
    /// The chance that counts as certain, between ½ and 1.
    pub chance: f32,
    /// Turns in a row, those of both players counted.
    pub turns: u32,
}

impl ScoreRule {
    /// Whether it can decide a game at all, and not both ways.
    pub fn is_sensible(&self) -> bool {
        self.chance > 0.5 && self.chance <= 1.0
    }
}

/// Watches one game.
pub(crate) struct Adjudicator {
    rule: Option<ScoreRule>,
    claim: Option<Player>,
    agreed: u32,
}

impl Adjudicator {
    pub(crate) const fn new(rule: Option<ScoreRule>) -> Self {
        Self { rule, claim: None, agreed: 0 }
    }

    /// The end of the game after an event, if the rule is met.
    pub(crate) fn hear(&mut self, event: &Event<'_>) -> Option<End> {
        let (rule, Event::Played(turn, _)) = (self.rule?, event) else { return None };
        let value = turn.thought.value;
        let claim = value.and_then(|value| winner(turn.player, value, rule.chance));
        self.agreed = match claim {
            Some(_) if claim == self.claim => self.agreed + 1,
            Some(_) => 1,
            None => 0,
        };
        self.claim = claim;
        claim.filter(|_| self.agreed >= rule.turns.max(2)).map(|player| {
            let words = format!("both players saw {player} winning for {} turns", self.agreed);
            End::won(player, Reason::Adjudicated).with_detail(words)
        })
    }
}

fn winner(player: Player, value: Value, certain: f32) -> Option<Player> {
    let chance = value.chance();
    if chance >= certain {
        Some(player)
    } else if chance <= 1.0 - certain {
        Some(player.opponent())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use collinear_play::{Thought, TurnRecord};
    use collinear_rules::{Position, Rules};

    use super::*;

    fn turn(player: Player, chance: Option<f32>) -> TurnRecord {
        let thought = Thought { value: chance.map(Value::Chance), ..Thought::default() };
        TurnRecord { player, stones: Vec::new(), thought }
    }

    #[test]
    fn both_must_agree_for_long_enough() {
        use Player::{Black, White};
        let board = Position::new(Rules::TICTACTOE);
        let mut adjudicator = Adjudicator::new(Some(ScoreRule { chance: 0.9, turns: 3 }));
        let mut hear = |player, chance| {
            let turn = turn(player, chance);
            adjudicator.hear(&Event::Played(&turn, &board)).and_then(|end| end.winner)
        };
        assert_eq!(hear(Black, Some(0.95)), None);
        assert_eq!(hear(White, Some(0.2)), None, "White is not sure");
        assert_eq!(hear(Black, Some(0.95)), None);
        assert_eq!(hear(White, Some(0.05)), None);
        assert_eq!(hear(Black, None), None, "silence starts again");
        assert_eq!(hear(White, Some(0.05)), None);
        assert_eq!(hear(Black, Some(0.99)), None);
        assert_eq!(hear(White, Some(0.01)), Some(Black));
    }
}
