//! What a coach would say about a game: the value of each turn, what was better, which wins were
//! missed.
//!
//! Every position of the game is searched once. A turn's loss is the chance its player had before
//! it less the chance the next position leaves him; a proved win before a turn that is gone at the
//! player's next turn is a missed win.

use std::sync::Arc;

use collinear_play::{Budget, Value};
use collinear_rules::{Cell, IllegalMove, Outcome, Player, Position};

use crate::Engine;
use crate::proof::Proof;

/// One turn of a game, judged.
#[derive(Clone, Debug)]
pub struct TurnAnalysis {
    /// Stones on the board before it.
    pub start: usize,
    /// Whose turn.
    pub player: Player,
    /// The stones played.
    pub played: Vec<Cell>,
    /// The turn the engine prefers.
    pub best: Vec<Cell>,
    /// The line it expects.
    pub line: Vec<Cell>,
    /// What the position was worth to the player.
    pub value: Value,
    /// What it was worth to him after his turn.
    pub after: Value,
    /// Depth of the search, in stones.
    pub depth: u32,
    /// The proof of a win that was there.
    pub proof: Option<Arc<Proof>>,
    /// How good the turn was.
    pub grade: Grade,
}

/// How good a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The engine's own choice, or as good.
    Best,
    /// Little lost.
    Good,
    /// A clearly better turn was there.
    Inaccuracy,
    /// Costs a good part of the chances.
    Mistake,
    /// Turns the game.
    Blunder,
    /// A proved win was there and is gone.
    MissedWin,
}

impl Grade {
    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MissedWin => "missed win",
        }
    }
}

impl TurnAnalysis {
    /// Chance to win that the turn gave away, 0 or more.
    pub fn loss(&self) -> f32 {
        (self.value.chance() - self.after.chance()).max(0.0)
    }
}

/// Judges every turn of a game that starts from `start`.
pub fn analyze(
    engine: &mut Engine,
    start: &Position,
    stones: &[Cell],
    budget: &Budget,
    on: &mut dyn FnMut(usize),
) -> Result<Vec<TurnAnalysis>, IllegalMove> {
    let mut position = start.clone();
    let mut turns: Vec<TurnAnalysis> = Vec::new();
    let mut at = 0;
    while at < stones.len() && !position.is_over() && !budget.stop.is_stopped() {
        let Ok(thought) = engine.think(&position, budget, &mut |_| {}) else { break };
        let player = position.to_move();
        let turn_start = position.stone_count();
        let length = position.stones_left().min(stones.len() - at);
        let mut played = Vec::new();
        for &cell in &stones[at..at + length] {
            position.play(cell)?;
            played.push(cell);
            if position.is_over() {
                break;
            }
        }
        at += played.len();
        let (value, line) = thought
            .report
            .lines
            .first()
            .map_or((Value::Draw, Vec::new()), |line| (line.value, line.stones.clone()));
        turns.push(TurnAnalysis {
            start: turn_start,
            player,
            played,
            best: thought.turn,
            line,
            value,
            after: value,
            depth: thought.report.depth,
            proof: thought.proof,
            grade: Grade::Best,
        });
        on(at);
    }
    let end = last_value(engine, &position, budget);
    judge(&mut turns, &position, end);
    Ok(turns)
}

/// The value after the last stone, for the player who would be next.
fn last_value(engine: &mut Engine, position: &Position, budget: &Budget) -> Value {
    match position.outcome() {
        Outcome::Drawn => Value::Draw,
        Outcome::Won(winner) if winner == position.to_move() => Value::WinsIn(1),
        Outcome::Won(_) => Value::LosesIn(1),
        Outcome::Ongoing => engine
            .think(position, budget, &mut |_| {})
            .ok()
            .and_then(|thought| thought.report.lines.first().map(|line| line.value))
            .unwrap_or(Value::Draw),
    }
}

fn judge(turns: &mut [TurnAnalysis], end: &Position, last: Value) {
    let winner = match end.outcome() {
        Outcome::Won(player) => Some(player),
        Outcome::Drawn | Outcome::Ongoing => None,
    };
    for index in 0..turns.len() {
        let is_last = index + 1 == turns.len();
        let next = turns.get(index + 1).map_or(last, |turn| turn.value);
        let next_player = turns.get(index + 1).map_or(end.to_move(), |turn| turn.player);
        let player = turns[index].player;
        let mut after = if next_player == player { next } else { turned(next) };
        if is_last && winner == Some(player) {
            after = Value::WinsIn(1);
        }
        // A win that is still there at the next own turn was not lost; but a row that could have
        // been completed at once was missed, even if the opponent let it stand.
        let later = turns.get(index + 2).map(|turn| turn.value);
        let lasted = matches!(later, Some(Value::WinsIn(_)))
            || winner == Some(player) && index + 3 >= turns.len();
        let still_wins =
            matches!(after, Value::WinsIn(_)) || lasted && turns[index].value != Value::WinsIn(1);
        let turn = &mut turns[index];
        turn.after = after;
        let (mut played, mut best) = (turn.played.clone(), turn.best.clone());
        played.sort_unstable();
        best.sort_unstable();
        turn.grade = if matches!(turn.value, Value::WinsIn(_)) && !still_wins {
            Grade::MissedWin
        } else if played == best || still_wins {
            Grade::Best
        } else {
            match turn.loss() {
                loss if loss < 0.03 => Grade::Best,
                loss if loss < 0.10 => Grade::Good,
                loss if loss < 0.20 => Grade::Inaccuracy,
                loss if loss < 0.40 => Grade::Mistake,
                _ => Grade::Blunder,
            }
        };
    }
}

/// The same value with the other player's eyes.
const fn turned(value: Value) -> Value {
    match value {
        Value::Chance(chance) => Value::Chance(1.0 - chance),
        Value::WinsIn(turns) => Value::LosesIn(turns),
        Value::LosesIn(turns) => Value::WinsIn(turns),
        Value::Draw => Value::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use collinear_rules::{Rules, notation};

    #[test]
    fn a_missed_win_and_a_blunder_are_named() {
        let rules = Rules::TICTACTOE;
        let stones: Vec<Cell> = ["a1", "b1", "b2", "a2", "b3", "c3", "c1"]
            .iter()
            .map(|name| notation::parse(&rules, name).expect("a cell"))
            .collect();
        let mut engine = Engine::new(&rules, Settings { memory: 1, ..Settings::default() }, 0);
        let budget = Budget::depth(9);
        let start = Position::new(rules);
        let turns = analyze(&mut engine, &start, &stones, &budget, &mut |_| {}).expect("legal");
        assert_eq!(turns.len(), 7);
        // After a1 b1 b2 White must stop the diagonal: a2 loses at once, b3 does not take the win.
        assert_eq!(turns[4].value, Value::WinsIn(1));
        assert_eq!(turns[4].grade, Grade::MissedWin);
        assert_eq!(turns[4].best, [notation::parse(&rules, "c3").expect("a cell")]);
        assert!(turns[1].grade >= Grade::Mistake, "{:?}", turns[1]);
    }
}
