//! Puzzles: positions in which the side to move has a proved win. Any turn that keeps the win is a
//! right answer: the solvers judge, not a stored move.
//!
//! Without gravity a win is one by continuous threats (`collinear_engine::proof`), with one stone per
//! turn after a quiet first turn too; with gravity the perfect solver knows every answer. The shipped
//! puzzles were found in games of our own.
//!
//! ```text
//! games.rs   levels play each other      find.rs    the puzzles of a game, proved and checked
//! rate.rs    the levels try a puzzle     themes.rs  what a puzzle is about
//! set.rs     a set as a text             check.rs   a set proved once more
//! answers.rs quiet turns, turns that are to hold
//! ```

mod answers;
mod blind;
mod check;
mod find;
mod games;
mod rate;
mod set;
mod themes;
mod tree;

use collinear_connect4 as connect4;
use collinear_engine::tactics::Tactics;
use collinear_play::{StopFlag, Turn, play_turn};
use collinear_rules::{Cell, Outcome, Player, Position, Rules, notation};
use collinear_windows::{ThreatCounter, Windows};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use answers::Goal;
pub use blind::BlindSpots;
pub use check::{Checked, order, verify};
pub use find::{Facts, Finder};
pub use games::play_game;
pub use rate::{Attempt, Ladder, RATINGS, rating};
pub use set::{Entry, SetError, Theme, read_set, set_header};
pub use tree::{AfterTurn, MAX_PROOF_TURNS, ProofDefence, ProofTree, ProofTreeError, ProofTurn};

/// Nodes of one proof: the shipped puzzles need a small part of it.
const MAX_NODES: u64 = 200_000;
/// Defences of one turn that are all looked at.
const MAX_DEFENCES: usize = 64;
/// Memory of the solver for boards with gravity.
const SOLVER_MEMORY: usize = 16 << 20;

/// A position with a proved win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Its name in the set.
    pub id: String,
    /// The position; its player to move wins.
    pub position: Position,
    /// In at most this many own turns.
    pub turns: u16,
}

/// One line of a set.
#[derive(Deserialize, Serialize)]
struct Line {
    id: String,
    game: String,
    stones: Vec<String>,
    turns: u16,
}

/// Why a line is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("puzzle on line {line}: {reason}")]
pub struct PuzzleError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl Puzzle {
    /// Who wins.
    pub fn player(&self) -> Player {
        self.position.to_move()
    }

    /// `Black wins in 3`.
    pub fn goal(&self) -> String {
        let player = match self.player() {
            Player::Black => "Black",
            Player::White => "White",
        };
        format!("{player} wins in {}", self.turns)
    }

    /// The line of a file.
    pub fn to_line(&self) -> String {
        let rules = self.position.rules();
        let line = Line {
            id: self.id.clone(),
            game: rules.to_string(),
            stones: self.position.history().iter().map(|&c| notation::name(rules, c)).collect(),
            turns: self.turns,
        };
        // A struct of texts and numbers is always JSON.
        serde_json::to_string(&line).unwrap_or_default()
    }
}

/// The puzzles of a text, one JSON object on each line.
pub fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| one(line).map_err(|reason| PuzzleError { line: number, reason }))
        .collect()
}

fn one(line: &str) -> Result<Puzzle, String> {
    let Line { id, game, stones, turns } =
        serde_json::from_str(line).map_err(|error| error.to_string())?;
    let rules: Rules = game.parse().map_err(|error| format!("{error}"))?;
    let mut position = Position::new(rules);
    for name in stones {
        let cell = notation::parse(&rules, &name).map_err(|error| error.to_string())?;
        position.play(cell).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(Puzzle { id, position, turns })
}

/// The set that comes with the program.
pub fn shipped() -> Vec<Puzzle> {
    // A test reads it; a damaged one would be empty rather than a crash.
    read(include_str!("../../puzzles/shipped.jsonl")).unwrap_or_default()
}

/// What a turn of the solving side leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The row is complete, or no defence is left.
    Solved,
    /// The win is still proved; this is the defence that holds out longest.
    Defended {
        /// The opponent's turn.
        defence: Turn,
        /// Own turns to go after it.
        turns: u16,
    },
    /// The win cannot be proved after this turn.
    Missed,
}

/// Judges puzzles of one game.
pub struct Judge {
    tactics: Tactics,
    columns: Option<connect4::Solver>,
    stop: StopFlag,
    /// Positions of one proof.
    nodes: u64,
}

impl Judge {
    /// A judge for a game.
    pub fn new(rules: &Rules) -> Self {
        let columns = rules
            .gravity()
            .then(|| connect4::Solver::with_memory(rules, SOLVER_MEMORY).ok())
            .flatten();
        let tactics = Tactics::new(rules);
        Self { tactics, columns, stop: StopFlag::default(), nodes: MAX_NODES }
    }

    /// Heeds another flag from now on. What is answered once it is set is not the truth about the
    /// position.
    pub fn heed(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// The winning turn and the number of own turns to the row, if a win can be proved.
    pub fn solution(&mut self, position: &Position) -> Option<(Turn, u16)> {
        if position.is_over() {
            return None;
        }
        if let Some(solver) = &mut self.columns {
            let (cell, score) = best_column(solver, position, &self.stop)?;
            let stones = score.stones_to_end(position.empty_count());
            return (score.get() > 0).then(|| (vec![cell], stones.div_ceil(2) as u16));
        }
        self.proof(position).map(|proof| (proof.turn.clone(), proof.turns()))
    }

    /// What a whole turn in a position leads to. None when it is illegal.
    pub fn answer(&mut self, position: &Position, turn: &[Cell]) -> Option<Answer> {
        let player = position.to_move();
        let mut after = position.clone();
        play_turn(&mut after, turn).ok()?;
        match after.outcome() {
            Outcome::Won(winner) if winner == player => return Some(Answer::Solved),
            Outcome::Ongoing => {}
            _ => return Some(Answer::Missed),
        }
        Some(if self.columns.is_some() {
            self.drop_answer(&after)
        } else {
            self.cover(&after, turn)
        })
    }

    /// With gravity: the opponent's column that loses latest.
    fn drop_answer(&mut self, after: &Position) -> Answer {
        let Some((cell, score)) =
            self.columns.as_mut().and_then(|solver| best_column(solver, after, &self.stop))
        else {
            return Answer::Missed;
        };
        if score.get() >= 0 {
            return Answer::Missed;
        }
        let stones = score.stones_to_end(after.empty_count());
        Answer::Defended { defence: vec![cell], turns: (stones / 2) as u16 }
    }

    /// Without gravity: every smallest cover of the threats must lose to another proof.
    fn cover(&mut self, after: &Position, turn: &[Cell]) -> Answer {
        let defender = after.to_move();
        let attacker = defender.opponent();
        let windows = Windows::of(after);
        if windows.can_win(defender, after.stones_left()) {
            return Answer::Missed;
        }
        let mut counter = ThreatCounter::new();
        let needed = counter.count(&windows, attacker);
        if needed > after.stones_left() {
            return Answer::Solved;
        }
        // With a stone to spare the defender is not forced.
        if needed < after.stones_left() {
            return self.free(after, turn);
        }
        let covers = counter.defences(&windows, attacker, MAX_DEFENCES + 1);
        if covers.is_empty() || covers.len() > MAX_DEFENCES {
            return Answer::Missed;
        }
        let mut longest: Option<(Turn, u16)> = None;
        for cover in covers {
            let mut defended = after.clone();
            if play_turn(&mut defended, &cover).is_err() {
                continue;
            }
            let Some((_, turns)) = self.solution(&defended) else { return Answer::Missed };
            if longest.as_ref().is_none_or(|(_, most)| turns > *most) {
                longest = Some((cover, turns));
            }
        }
        match longest {
            Some((defence, turns)) => Answer::Defended { defence, turns },
            None => Answer::Missed,
        }
    }
}

/// The column with the best score for the player to move; none when it was stopped.
fn best_column(
    solver: &mut connect4::Solver,
    position: &Position,
    stop: &StopFlag,
) -> Option<(Cell, connect4::Score)> {
    let stop = || stop.is_stopped();
    let limits = connect4::Limits { stop: Some(&stop), ..connect4::Limits::default() };
    let scores = solver.scores_within(position, connect4::Mode::Strong, &limits).ok()?.columns;
    let scored =
        scores.into_iter().enumerate().filter_map(|(column, score)| Some((column, score?)));
    let (column, score) = scored.max_by_key(|(_, score)| score.get())?;
    Some((position.drop_cell(column)?, score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_puzzle_is_solved_against_the_best_defence() {
        let puzzles = read(include_str!("../../puzzles/shipped.jsonl")).expect("a set");
        assert!(puzzles.len() >= 20, "{}", puzzles.len());
        assert!(puzzles.iter().any(|puzzle| puzzle.position.rules().gravity()));
        assert!(puzzles.iter().any(|puzzle| *puzzle.position.rules() == Rules::CONNECT6));
        for puzzle in puzzles {
            let mut judge = Judge::new(puzzle.position.rules());
            let mut position = puzzle.position.clone();
            let mut left = puzzle.turns;
            loop {
                let (turn, turns) = judge.solution(&position).expect("still won");
                assert!(turns <= left, "{}: {turns} turns, {left} left", puzzle.id);
                match judge.answer(&position, &turn).expect("legal") {
                    Answer::Solved => break,
                    Answer::Defended { defence, turns } => {
                        play_turn(&mut position, &turn).expect("legal");
                        play_turn(&mut position, &defence).expect("legal");
                        assert!(turns < left, "{}", puzzle.id);
                        left = turns;
                    }
                    Answer::Missed => panic!("{}: the proved turn is right", puzzle.id),
                }
            }
        }
    }

    #[test]
    fn other_winning_turns_are_right_and_losing_ones_are_not() {
        let rules = Rules::CONNECT6;
        let cells = |text: &str| -> Vec<Cell> {
            text.split_whitespace().map(|name| notation::parse(&rules, name).expect(name)).collect()
        };
        // Black has h10 i10 j10 k10 and is to move: rows to either side win.
        let position = Position::from_moves(rules, &cells("h10 a1 c1 i10 j10 e1 g1 k10 s19 s1 q1"))
            .expect("legal");
        let mut judge = Judge::new(&rules);
        for turn in ["g10 f10", "l10 m10", "g10 l10"] {
            assert_eq!(judge.answer(&position, &cells(turn)), Some(Answer::Solved), "{turn}");
        }
        assert_eq!(judge.answer(&position, &cells("a19 c19")), Some(Answer::Missed));
        assert_eq!(judge.answer(&position, &cells("h10 c19")), None);
    }
}
