//! What the judge answers beyond continuous threats: quiet winning turns, and turns that are to hold.

use std::sync::Arc;

use collinear_engine::proof::{Proof, ProofLimits, Then, defences};
use collinear_engine::tactics::QuietLimits;
use collinear_play::{Budget, Meter, Turn, play_turn};
use collinear_rules::{Cell, Outcome, Position};
use collinear_windows::Windows;
use serde::{Deserialize, Serialize};

use super::{Answer, Judge};

/// Own turns after a quiet one.
const QUIET_PROOF_TURNS: u16 = 8;
/// Parts of the positions of a proof by fours: all that follows a quiet turn, and each proof in it.
const QUIET_PART: u64 = 10;
const QUIET_PROOF_PART: u64 = 100;

/// What a puzzle asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// A win.
    Win,
    /// A turn after which the opponent's win is gone.
    Hold,
}

impl Judge {
    /// What a whole turn in a position leads to. None when it is illegal.
    pub fn answer_to(&mut self, goal: Goal, position: &Position, turn: &[Cell]) -> Option<Answer> {
        match goal {
            Goal::Win => self.answer(position, turn),
            Goal::Hold => self
                .holds(position, turn)
                .map(|holds| if holds { Answer::Solved } else { Answer::Missed }),
        }
    }

    /// A right turn and the number of own turns to the goal, if there is one.
    pub fn solution_to(&mut self, goal: Goal, position: &Position) -> Option<(Turn, u16)> {
        if position.is_over() {
            return None;
        }
        if goal == Goal::Win {
            let found = self.solution(position);
            return found
                .or_else(|| self.quiet(position).map(|proof| (proof.turn.clone(), proof.turns())));
        }
        // Where nothing is to be held there is no puzzle, and pairs of stones are too many.
        if position.rules().p() > 1 {
            return None;
        }
        let cells = position.legal_cells();
        let mut right = None;
        let mut wrong = false;
        for cell in cells {
            if self.stop.is_stopped() {
                return None;
            }
            if right.is_some() && wrong {
                break;
            }
            match self.holds(position, &[cell]) {
                Some(true) => right = right.or(Some((vec![cell], 1))),
                _ => wrong = true,
            }
        }
        right.filter(|_| wrong)
    }

    /// Whether no win of the opponent is known after a turn. None when it is illegal.
    fn holds(&mut self, position: &Position, turn: &[Cell]) -> Option<bool> {
        let player = position.to_move();
        let mut after = position.clone();
        play_turn(&mut after, turn).ok()?;
        Some(match after.outcome() {
            Outcome::Won(winner) => winner == player,
            Outcome::Drawn => true,
            Outcome::Ongoing if self.columns.is_some() => {
                super::best_column(self.columns.as_mut()?, &after, &self.stop)?.1.get() <= 0
            }
            Outcome::Ongoing => self.win(&after).is_none(),
        })
    }

    /// A win of the player to move: by continuous threats, else one that begins with a quiet turn.
    pub(super) fn win(&mut self, position: &Position) -> Option<Arc<Proof>> {
        self.proof(position).or_else(|| self.quiet(position))
    }

    /// A win that begins with a quiet turn, of a player with one stone per turn.
    pub(super) fn quiet(&mut self, position: &Position) -> Option<Arc<Proof>> {
        if position.rules().p() > 1 {
            return None;
        }
        let meter = self.meter();
        let limits = self.quiet_limits(&meter);
        let (player, left) = (position.to_move(), position.stones_left());
        self.tactics.prove_quiet(&mut Windows::of(position), player, left, limits)
    }

    /// What a turn that forces nothing leads to.
    pub(super) fn free(&mut self, after: &Position, turn: &[Cell]) -> Answer {
        let rules = after.rules();
        if rules.p() > 1 || rules.gravity() {
            return Answer::Missed;
        }
        let meter = self.meter();
        let limits = self.quiet_limits(&meter);
        let attacker = after.to_move().opponent();
        let answers = self.tactics.answers(&mut Windows::of(after), attacker, limits);
        let Some(answer) = answers else { return Answer::Missed };
        let proof = Proof { turn: turn.to_vec(), then: Then::Quiet(answer) };
        match defences(after, &proof).into_iter().next() {
            Some(defence) => Answer::Defended { defence: defence.cells, turns: defence.turns },
            None => Answer::Missed,
        }
    }

    pub(super) fn meter(&self) -> Meter {
        Budget { stop: self.stop.clone(), ..Budget::default() }.start(1)
    }

    fn quiet_limits<'a>(&self, meter: &'a Meter) -> QuietLimits<'a> {
        let nodes = self.nodes / QUIET_PROOF_PART;
        let proof = ProofLimits { turns: QUIET_PROOF_TURNS, nodes, meter: Some(meter) };
        QuietLimits { turns: 1, proof, total: self.nodes / QUIET_PART }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Rules, notation};

    fn position(stones: &str) -> Position {
        let rules = Rules::GOMOKU;
        let cell = |name| notation::parse(&rules, name).expect("a cell");
        let cells: Vec<Cell> = stones.split(' ').map(cell).collect();
        Position::from_moves(rules, &cells).expect("legal")
    }

    fn turn(name: &str) -> Vec<Cell> {
        vec![notation::parse(&Rules::GOMOKU, name).expect("a cell")]
    }

    #[test]
    fn a_stone_that_makes_two_threes_wins_and_one_elsewhere_does_not() {
        // Black has i8 j8 and k9 k10: k8 joins them to two open threes.
        let position = position("i8 a1 j8 o1 k9 a15 k10 o15");
        let mut judge = Judge::new(&Rules::GOMOKU);
        assert_eq!(judge.proof(&position), None, "no fours win");
        let answer = judge.answer_to(Goal::Win, &position, &turn("k8"));
        assert!(matches!(answer, Some(Answer::Defended { turns: 2..=4, .. })), "{answer:?}");
        assert_eq!(judge.answer_to(Goal::Win, &position, &turn("c3")), Some(Answer::Missed));
        let (found, turns) = judge.solution_to(Goal::Win, &position).expect("a quiet win");
        assert!(turns >= 3);
        let answer = judge.answer_to(Goal::Win, &position, &found);
        assert!(matches!(answer, Some(Answer::Defended { .. })), "{answer:?}");
    }

    #[test]
    fn an_open_three_is_held_at_its_ends_alone() {
        let position = position("a1 i8 c1 j8 e3 k8");
        let mut judge = Judge::new(&Rules::GOMOKU);
        for (name, answer) in [
            ("h8", Answer::Solved),
            ("l8", Answer::Solved),
            ("f8", Answer::Missed),
            ("o15", Answer::Missed),
        ] {
            assert_eq!(judge.answer_to(Goal::Hold, &position, &turn(name)), Some(answer), "{name}");
        }
        let (found, turns) = judge.solution_to(Goal::Hold, &position).expect("a defence");
        assert_eq!((judge.holds(&position, &found), turns), (Some(true), 1));
        // Where every stone holds there is nothing to find.
        let quiet = self::position("a1 i8");
        assert_eq!(judge.solution_to(Goal::Hold, &quiet), None);
    }

    #[test]
    fn a_column_that_holds_is_told_from_one_that_loses() {
        // Red has three in the bottom row with both ends free but one.
        let rules = Rules::CONNECT4;
        let cells = [3, 10, 2, 9, 4].map(Cell::new);
        let position = Position::from_moves(rules, &cells).expect("legal");
        let mut judge = Judge::new(&rules);
        // Both ends are open: nothing holds.
        assert_eq!(judge.holds(&position, &[Cell::new(1)]), Some(false));
        assert_eq!(judge.solution_to(Goal::Hold, &position), None);
    }
}
