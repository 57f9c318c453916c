//! A game as it is kept: who, how it came out and why, every stone, and what each turn cost.

use std::fmt::Write;

use collinear_play::referee::{Ending, GameRecord, GameResult, TurnRecord};
use collinear_rules::{Cell, Player, Rules, notation};
use serde::{Deserialize, Serialize};

use crate::plan::Fixture;
use crate::stats::RatedGame;

/// What the statistics need of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSummary {
    /// Its number in the run.
    pub number: u64,
    /// The pair it belongs to.
    pub pair: u64,
    /// Index of the contestant who moved first.
    pub black: usize,
    /// Index of the other.
    pub white: usize,
    /// How it came out.
    pub result: Outcome,
    /// One word for why it ended.
    pub ending: String,
    /// What Black's turns cost, and White's.
    pub sides: [Side; 2],
}

/// How a finished game came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Nobody did.
    Draw,
}

/// What one player's turns cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Turns played.
    pub turns: u64,
    /// Time, in microseconds.
    pub micros: u64,
    /// Nodes reported.
    pub nodes: u64,
    /// Depths reported, added up over the turns.
    pub depth: u64,
}

/// A game with all its stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// What the statistics need.
    pub summary: GameSummary,
    /// The seeds the two players were built with.
    pub seeds: [u64; 2],
    /// Stones of the opening, at the head of `moves`.
    pub opening: usize,
    /// All stones in order.
    pub moves: Vec<Cell>,
    /// For a fault or an adjudication: what happened, with the loser's last words.
    pub words: Option<String>,
    /// A JSON array with an array a turn: stones, microseconds, then, where the agent reported,
    /// depth, nodes and its chance to win.
    pub turns: String,
}

impl Outcome {
    /// Black's half points.
    pub const fn half_points(self) -> u8 {
        match self {
            Self::Black => 2,
            Self::Draw => 1,
            Self::White => 0,
        }
    }

    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Draw => "draw",
        }
    }

    /// The outcome of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Black, Self::White, Self::Draw].into_iter().find(|outcome| outcome.name() == name)
    }

    /// The one where this player lost.
    pub const fn lost_by(player: Player) -> Self {
        match player {
            Player::Black => Self::White,
            Player::White => Self::Black,
        }
    }
}

impl GameSummary {
    /// As the ratings see it.
    pub const fn rated(&self) -> RatedGame {
        RatedGame {
            black: self.black,
            white: self.white,
            half_points: self.result.half_points(),
            pair: self.pair,
        }
    }
}

impl PlayedGame {
    /// The game of a finished record; none when it was called off.
    pub(crate) fn from_record(fixture: &Fixture, record: &GameRecord) -> Option<Self> {
        let result = match record.result {
            GameResult::Won(Player::Black) => Outcome::Black,
            GameResult::Won(Player::White) => Outcome::White,
            GameResult::Drawn => Outcome::Draw,
            GameResult::Unfinished => return None,
        };
        let words = (record.ending.is_fault() || matches!(record.ending, Ending::Adjudicated(_)))
            .then(|| record.ending.to_string());
        let mut sides = [Side::default(); 2];
        for turn in &record.turns {
            sides[turn.player.index()].add(turn);
        }
        // Added up first: turns of instant agents round to nothing one by one.
        for player in Player::BOTH {
            sides[player.index()].micros = record.time_of(player).as_micros() as u64;
        }
        Some(Self {
            summary: GameSummary {
                number: fixture.number,
                pair: fixture.pair,
                black: fixture.black,
                white: fixture.white,
                result,
                ending: record.ending.name().to_owned(),
                sides,
            },
            seeds: fixture.seeds,
            opening: record.start.history().len(),
            moves: record.moves().to_vec(),
            words,
            turns: turns_text(&record.turns),
        })
    }

    /// A game that a player lost before or beside the board: it could not be built, or it hangs.
    pub(crate) fn lost(fixture: &Fixture, loser: Player, ending: &str, words: String) -> Self {
        Self {
            summary: GameSummary {
                number: fixture.number,
                pair: fixture.pair,
                black: fixture.black,
                white: fixture.white,
                result: Outcome::lost_by(loser),
                ending: ending.to_owned(),
                sides: [Side::default(); 2],
            },
            seeds: fixture.seeds,
            opening: 0,
            moves: Vec::new(),
            words: Some(words),
            turns: "[]".to_owned(),
        }
    }

    /// The stones as text: `j10 k11 …`.
    pub fn moves_text(&self, rules: &Rules) -> String {
        notation::names(rules, &self.moves)
    }
}

impl Side {
    fn add(&mut self, turn: &TurnRecord) {
        self.turns += 1;
        if let Some(report) = &turn.report {
            self.nodes += report.nodes;
            self.depth += u64::from(report.depth);
        }
    }
}

impl std::ops::AddAssign for Side {
    fn add_assign(&mut self, other: Self) {
        self.turns += other.turns;
        self.micros += other.micros;
        self.nodes += other.nodes;
        self.depth += other.depth;
    }
}

fn turns_text(turns: &[TurnRecord]) -> String {
    let mut text = String::with_capacity(2 + 12 * turns.len());
    for turn in turns {
        text.push(if text.is_empty() { '[' } else { ',' });
        // Writing into a string cannot fail.
        let _ = write!(text, "[{},{}", turn.stones.len(), turn.time.as_micros());
        if let Some(report) = &turn.report {
            let _ = write!(text, ",{},{}", report.depth, report.nodes);
            if let Some(line) = report.lines.first() {
                let _ = write!(text, ",{:.3}", line.value.chance());
            }
        }
        text.push(']');
    }
    if text.is_empty() {
        text.push('[');
    }
    text.push(']');
    text
}
