//! How a proof goes on: the winning turn, every defence against it, and the winning turn that answers
//! each of them, down to the row.
//!
//! Without gravity the defences are the smallest sets of stones that stop every threat: whoever places
//! fewer loses at once, and a proof by threats answers all of them. With gravity they are all columns.

use std::fmt::Write as _;

use collinear_play::play_turn;
use collinear_rules::{Cell, Outcome, Player, Position, notation};
use collinear_windows::{ThreatCounter, Windows};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Judge, MAX_DEFENCES};

/// A larger tree is not for reading: what lies beyond is counted and left out.
pub const MAX_PROOF_TURNS: usize = 150;

/// A proof as a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofTree {
    /// Who wins.
    pub player: Player,
    /// In at most this many own turns.
    pub turns: u16,
    /// The first turn.
    pub first: ProofTurn,
    /// Winning turns in the tree.
    pub shown: usize,
    /// Defences whose answer the tree has no room for.
    pub left_out: usize,
}

/// A winning turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofTurn {
    /// Its stones.
    pub stones: Vec<String>,
    /// What it leads to.
    pub then: AfterTurn,
    /// The defences, if there are any.
    pub defences: Vec<ProofDefence>,
}

/// What a winning turn leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterTurn {
    /// The row is complete.
    Row,
    /// More stones are needed against its threats than a turn has.
    TooMany,
    /// It can be answered.
    Defences,
}

/// An answer to a winning turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofDefence {
    /// Its stones.
    pub stones: Vec<String>,
    /// How the win goes on; none where the tree has no room for it.
    pub answer: Option<Box<ProofTurn>>,
}

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProofTreeError {
    /// The game is over.
    #[error("the game is over: there is nothing to prove")]
    GameOver,
    /// No win can be proved.
    #[error("no win of {} by threats can be proved here", .0.name())]
    NoProof(Player),
    /// A turn leaves the opponent a stone to spare, or more defences than anybody reads.
    #[error("a turn of this proof leaves too many answers to show")]
    TooWide,
    /// It was stopped.
    #[error("the proof did not finish in time")]
    Stopped,
}

impl ProofTree {
    /// Proves the win of the player to move, and writes the proof down.
    pub fn of(judge: &mut Judge, position: &Position) -> Result<Self, ProofTreeError> {
        if position.is_over() {
            return Err(ProofTreeError::GameOver);
        }
        let player = position.to_move();
        let solution = judge.solution(position);
        if judge.stop.is_stopped() {
            return Err(ProofTreeError::Stopped);
        }
        let (turn, turns) = solution.ok_or(ProofTreeError::NoProof(player))?;
        let mut growth = Growth { judge, player, shown: 0, left_out: 0 };
        let first = growth.turn(position, &turn)?;
        let Growth { shown, left_out, .. } = growth;
        Ok(Self { player, turns, first, shown, left_out })
    }

    /// The tree as indented lines.
    pub fn text(&self) -> String {
        let mut out = format!(
            "{} wins in {} {}\n",
            self.player,
            self.turns,
            if self.turns == 1 { "turn" } else { "turns" }
        );
        self.first.write(&mut out, 1);
        if self.left_out > 0 {
            // Writing into a string cannot fail.
            let _ = writeln!(
                out,
                "{} defences are answered too and not shown: no more than {MAX_PROOF_TURNS} turns are",
                self.left_out
            );
        }
        out
    }
}

impl ProofTurn {
    fn write(&self, out: &mut String, depth: usize) {
        let what = match self.then {
            AfterTurn::Row => " a row",
            AfterTurn::TooMany => " no turn stops all threats",
            AfterTurn::Defences => "",
        };
        let _ = writeln!(out, "{:indent$}{}{what}", "", self.stones.join(" "), indent = 2 * depth);
        for defence in &self.defences {
            let rest = if defence.answer.is_some() { "" } else { " …" };
            let indent = 2 * depth + 2;
            let _ = writeln!(out, "{:indent$}against {}:{rest}", "", defence.stones.join(" "));
            if let Some(answer) = &defence.answer {
                answer.write(out, depth + 2);
            }
        }
    }
}

struct Growth<'a> {
    judge: &'a mut Judge,
    player: Player,
    shown: usize,
    left_out: usize,
}

impl Growth<'_> {
    fn turn(&mut self, before: &Position, turn: &[Cell]) -> Result<ProofTurn, ProofTreeError> {
        let unproved = ProofTreeError::NoProof(self.player);
        self.shown += 1;
        let mut after = before.clone();
        play_turn(&mut after, turn).map_err(|_| unproved)?;
        let names = |cells: &[Cell]| -> Vec<String> {
            cells.iter().map(|&cell| notation::name(before.rules(), cell)).collect()
        };
        let (then, defences) = match after.outcome() {
            Outcome::Won(_) => (AfterTurn::Row, Vec::new()),
            _ => self.judge.defences(&after),
        };
        if then == AfterTurn::Defences && !(1..=MAX_DEFENCES).contains(&defences.len()) {
            return Err(ProofTreeError::TooWide);
        }
        let mut shown = Vec::new();
        for defence in defences {
            let mut defended = after.clone();
            play_turn(&mut defended, &defence).map_err(|_| ProofTreeError::TooWide)?;
            let answer = if self.shown < MAX_PROOF_TURNS {
                let solution = self.judge.solution(&defended);
                if self.judge.stop.is_stopped() {
                    return Err(ProofTreeError::Stopped);
                }
                let (turn, _) = solution.ok_or(unproved)?;
                Some(Box::new(self.turn(&defended, &turn)?))
            } else {
                self.left_out += 1;
                None
            };
            shown.push(ProofDefence { stones: names(&defence), answer });
        }
        Ok(ProofTurn { stones: names(turn), then, defences: shown })
    }
}

impl Judge {
    /// What can be tried against the threats of the player who has just moved.
    fn defences(&self, after: &Position) -> (AfterTurn, Vec<Vec<Cell>>) {
        if self.columns.is_some() {
            let columns = after.legal_cells().into_iter().map(|cell| vec![cell]);
            return (AfterTurn::Defences, columns.collect());
        }
        let (windows, attacker) = (Windows::of(after), after.to_move().opponent());
        let mut counter = ThreatCounter::new();
        if counter.count(&windows, attacker) > after.stones_left() {
            return (AfterTurn::TooMany, Vec::new());
        }
        (AfterTurn::Defences, counter.defences(&windows, attacker, MAX_DEFENCES + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::shipped;
    use collinear_rules::Rules;

    /// Every line of the tree ends in a row or in too many threats, no later than promised.
    fn depth(turn: &ProofTurn) -> u16 {
        let below = turn.defences.iter().filter_map(|d| d.answer.as_deref()).map(depth).max();
        match turn.then {
            // The row itself is the next turn.
            AfterTurn::TooMany => 2,
            AfterTurn::Row => 1,
            AfterTurn::Defences => 1 + below.expect("a defence with its answer"),
        }
    }

    #[test]
    fn shipped_puzzles_are_proved_against_every_defence() {
        for rules in [Rules::CONNECT6, Rules::GOMOKU, Rules::CONNECT4] {
            let puzzles = shipped();
            let short = puzzles.iter().filter(|puzzle| *puzzle.position.rules() == rules);
            let puzzle = short.min_by_key(|puzzle| puzzle.turns).expect("a puzzle");
            let mut judge = Judge::new(&rules);
            let tree = ProofTree::of(&mut judge, &puzzle.position).expect("a proof");
            assert_eq!(tree.player, puzzle.player());
            assert!(tree.shown <= MAX_PROOF_TURNS);
            if tree.left_out == 0 {
                assert!(depth(&tree.first) <= tree.turns, "{}: {}", puzzle.id, tree.text());
            }
        }
    }

    #[test]
    fn no_win_no_tree() {
        let mut judge = Judge::new(&Rules::GOMOKU);
        let position = Position::new(Rules::GOMOKU);
        let refused = ProofTree::of(&mut judge, &position).expect_err("an empty board");
        assert_eq!(refused, ProofTreeError::NoProof(Player::Black));
        assert_eq!(refused.to_string(), "no win of black by threats can be proved here");
    }
}
