//! A game as it is kept: who, how it came out and why, every stone, and what each turn cost.

use collinear_play::{GameRecord, NodeId, Reason, Thought, TimeControl, TurnRecord, Value};
use collinear_rules::hash::{fnv1a, mix};
use collinear_rules::{Cell, Player, Rules, notation};
use serde::{Deserialize, Serialize};

use crate::plan::Fixture;
use crate::stats::RatedGame;

/// What the statistics need of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// Its number in the run.
    pub number: u64,
    /// The pair it belongs to.
    pub pair: u64,
    /// Index of the contestant who moved first.
    pub black: usize,
    /// Index of the other.
    pub white: usize,
    /// Who won; nobody in a draw.
    pub winner: Option<Player>,
    /// Why it ended.
    pub reason: Reason,
    /// What Black's turns cost, and White's.
    pub sides: [Side; 2],
    /// The same for games with the same stones.
    pub key: u64,
}

/// What one player's turns cost, and how its opinion of them stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Turns played.
    pub turns: u64,
    /// Time, in microseconds.
    pub micros: u64,
    /// Nodes reported.
    pub nodes: u64,
    /// Depths reported, added up over the turns.
    pub depth: u64,
    /// Games in which it gave itself a chance of [`SURE`] or more, and lost.
    #[serde(skip_serializing_if = "is_zero")]
    pub sure_but_lost: u64,
    /// Turns in which it gave itself a chance of at most 1 − [`SURE`] without a proof, and yet
    /// used less than half of its time.
    #[serde(skip_serializing_if = "is_zero")]
    pub gave_up_early: u64,
}

const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The chance from which on a player is sure of winning.
pub const SURE: f32 = 0.95;

/// A game with all its stones.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// What the statistics need.
    pub summary: GameSummary,
    /// The seeds the two players were built with.
    pub seeds: [u64; 2],
    /// The game itself. The players' names are in the plan.
    pub record: GameRecord,
}

impl GameSummary {
    /// Black's half points.
    pub const fn half_points(&self) -> u8 {
        match self.winner {
            Some(Player::Black) => 2,
            None => 1,
            Some(Player::White) => 0,
        }
    }

    /// `black`, `white` or `draw`: the words of files and messages.
    pub const fn result_name(&self) -> &'static str {
        result_name(self.winner)
    }

    /// Index of the contestant who lost.
    pub fn loser(&self) -> Option<usize> {
        self.winner.map(|winner| match winner {
            Player::Black => self.white,
            Player::White => self.black,
        })
    }

    /// The same for games that repeat each other: same players, same stones.
    pub(crate) fn identity(&self) -> u64 {
        mix(self.key ^ mix((self.black as u64) << 32 | self.white as u64))
    }

    /// As the ratings see it.
    pub const fn rated(&self) -> RatedGame {
        RatedGame {
            black: self.black,
            white: self.white,
            half_points: self.half_points(),
            pair: self.pair,
        }
    }
}

impl PlayedGame {
    /// The game of a finished record; none when it was called off.
    pub(crate) fn new(fixture: &Fixture, record: GameRecord, costs: &Costs) -> Option<Self> {
        let end = record.end.as_ref().filter(|end| end.counts())?;
        let summary = GameSummary {
            number: fixture.number,
            pair: fixture.pair,
            black: fixture.black,
            white: fixture.white,
            winner: end.winner,
            reason: end.reason,
            sides: costs.sides(end.winner),
            key: stones_key(&record.moves()),
        };
        Some(Self { summary, seeds: fixture.seeds, record })
    }

    /// The words for people about a fault or an adjudication.
    pub fn detail(&self) -> Option<&str> {
        self.record.end.as_ref()?.detail.as_deref()
    }

    /// The stones as text: `j10 k11 …`.
    pub fn moves_text(&self, rules: &Rules) -> String {
        notation::names(rules, &self.record.moves())
    }
}

/// The same number for the same stones in the same order.
pub(crate) fn stones_key(stones: &[Cell]) -> u64 {
    let mut bytes = Vec::with_capacity(2 * stones.len());
    bytes.extend(stones.iter().flat_map(|cell| (cell.index() as u16).to_le_bytes()));
    fnv1a(&bytes)
}

/// Adds up what turns cost while a game is on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    sides: [Side; 2],
    nanos: [u128; 2],
    controls: [TimeControl; 2],
    was_sure: [bool; 2],
}

impl Costs {
    pub(crate) fn new(controls: [TimeControl; 2]) -> Self {
        Self { sides: [Side::default(); 2], nanos: [0; 2], controls, was_sure: [false; 2] }
    }

    pub(crate) fn add(&mut self, turn: &TurnRecord) {
        let at = turn.player.index();
        let Thought { time, nodes, depth, value, .. } = turn.thought;
        let side = &mut self.sides[at];
        side.turns += 1;
        side.nodes += nodes.unwrap_or(0);
        side.depth += u64::from(depth.unwrap_or(0));
        let time = time.unwrap_or_default();
        // Added up first: turns of instant agents round to nothing one by one.
        self.nanos[at] += time.as_nanos();
        let Some(value) = value else { return };
        self.was_sure[at] |= value.chance() >= SURE;
        if let (Value::Chance(chance), Some(limit)) = (value, self.controls[at].turn) {
            side.gave_up_early += u64::from(chance <= 1.0 - SURE && time < limit / 2);
        }
    }

    fn sides(&self, winner: Option<Player>) -> [Side; 2] {
        let mut sides = self.sides;
        for player in Player::BOTH {
            let at = player.index();
            sides[at].micros = (self.nanos[at] / 1000) as u64;
            let lost = winner == Some(player.opponent());
            sides[at].sure_but_lost = u64::from(lost && self.was_sure[at]);
        }
        sides
    }
}

impl std::ops::AddAssign for Side {
    fn add_assign(&mut self, other: Self) {
        self.turns += other.turns;
        self.micros += other.micros;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.sure_but_lost += other.sure_but_lost;
        self.gave_up_early += other.gave_up_early;
    }
}

const fn result_name(winner: Option<Player>) -> &'static str {
    match winner {
        Some(player) => player.name(),
        None => "draw",
    }
}

/// The winner of a result's name; an error for no such name.
pub(crate) fn winner_of(name: &str) -> Result<Option<Player>, UnknownResult> {
    let results = [Some(Player::Black), Some(Player::White), None];
    results.into_iter().find(|w| result_name(*w) == name).ok_or(UnknownResult)
}

/// A word that names no result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnknownResult;

/// The turns of a record as they are kept: a JSON array with an array per turn: stones,
/// microseconds, then, where the agent reported, depth, nodes and its value (a chance, `"win 3"`,
/// `"loss 2"` or `"draw"`).
pub(crate) fn turns_text(record: &GameRecord) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(2 + 12 * record.tree.len());
    let mut turn = |stones: usize, thought: &Thought| {
        text.push(if text.is_empty() { '[' } else { ',' });
        // Writing into a string cannot fail, here and below.
        let _ = write!(text, "[{stones},{}", thought.time.unwrap_or_default().as_micros());
        if let (Some(depth), Some(nodes)) = (thought.depth, thought.nodes) {
            let _ = write!(text, ",{depth},{nodes}");
            let _ = match thought.value {
                None => Ok(()),
                Some(Value::Chance(chance)) => write!(text, ",{chance:.3}"),
                Some(proof) => write!(text, ",\"{proof}\""),
            };
        }
        text.push(']');
    };
    let mut stones = 0;
    // Both come by identity, and a stone's is above that of the one before it.
    let mut noted = record.tree.noted().peekable();
    for node in record.tree.main_line().skip(1 + record.opening) {
        stones += 1;
        while noted.next_if(|(other, _)| *other < node).is_some() {}
        // Every turn of an agent has its time at its last stone.
        if let Some((_, notes)) = noted.next_if(|(other, _)| *other == node) {
            turn(std::mem::take(&mut stones), &notes.thought);
        }
    }
    if let Some(thought) = &record.unanswered {
        turn(0, thought);
    }
    if text.is_empty() {
        text.push('[');
    }
    text.push(']');
    text
}

/// Writes kept turns into a record that has its stones.
pub(crate) fn read_turns(record: &mut GameRecord, text: &str) -> Result<(), serde_json::Error> {
    let turns: Vec<KeptTurn> = serde_json::from_str(text)?;
    let nodes: Vec<NodeId> = record.tree.main_line().collect();
    let mut at = record.opening;
    for KeptTurn(stones, micros, depth, nodes_seen, value) in turns {
        at = at.saturating_add(stones);
        let thought = Thought {
            time: Some(std::time::Duration::from_micros(micros)),
            clock: None,
            nodes: nodes_seen,
            depth,
            value: value.and_then(KeptValue::value),
        };
        match nodes.get(at).filter(|_| stones > 0) {
            Some(&node) => {
                if let Some(notes) = record.tree.notes_mut(node) {
                    notes.thought = thought;
                }
            }
            None => record.unanswered = Some(thought),
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct KeptTurn(
    usize,
    u64,
    #[serde(default)] Option<u32>,
    #[serde(default)] Option<u64>,
    #[serde(default)] Option<KeptValue>,
);

#[derive(Deserialize)]
#[serde(untagged)]
enum KeptValue {
    Chance(f32),
    Proof(String),
}

impl KeptValue {
    fn value(self) -> Option<Value> {
        match self {
            Self::Chance(chance) => Some(Value::Chance(chance)),
            Self::Proof(text) => text.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn turn(value: Value, millis: u64) -> TurnRecord {
        let thought =
            Thought { value: Some(value), ..Thought::timed(Duration::from_millis(millis)) };
        TurnRecord { player: Player::Black, stones: vec![Cell::new(0)], thought }
    }

    #[test]
    fn opinions_are_counted_when_the_end_is_known() {
        let control = TimeControl::turn(Duration::from_millis(100));
        let mut costs = Costs::new([control; 2]);
        for (value, millis) in [
            (Value::Chance(0.96), 100),
            (Value::Chance(0.04), 20),
            (Value::Chance(0.04), 80),
            (Value::LosesIn(2), 1),
        ] {
            costs.add(&turn(value, millis));
        }
        let lost = costs.sides(Some(Player::White))[0];
        assert_eq!((lost.sure_but_lost, lost.gave_up_early, lost.micros), (1, 1, 201_000));
        assert_eq!(costs.sides(None)[0].sure_but_lost, 0);
    }

    #[test]
    fn turns_come_back_as_they_were_kept() {
        let moves: Vec<Cell> = (0..8).map(Cell::new).collect();
        let mut record = GameRecord::from_moves(Rules::CONNECT6, &moves).expect("legal");
        record.opening = 1;
        let said = Thought { nodes: Some(9), depth: Some(4), ..Thought::default() };
        let values = [Value::Chance(0.25), Value::WinsIn(3), Value::LosesIn(1), Value::Draw];
        for (at, value) in [3, 5, 7].into_iter().zip(values) {
            let node = record.tree.main_line().nth(at).expect("a node");
            let time = Some(Duration::from_micros(at as u64));
            let notes = record.tree.notes_mut(node).expect("there");
            notes.thought = Thought { time, value: Some(value), ..said };
        }
        record.unanswered = Some(Thought::timed(Duration::from_micros(7)));
        let text = turns_text(&record);
        assert_eq!(text, r#"[[2,3,4,9,0.250],[2,5,4,9,"win 3"],[2,7,4,9,"loss 1"],[0,7]]"#);
        let mut back = GameRecord::from_moves(Rules::CONNECT6, &moves).expect("legal");
        back.opening = 1;
        read_turns(&mut back, &text).expect("turns");
        assert_eq!(back, record);
        assert!(read_turns(&mut back, "[[1]]").is_err());
    }
}
