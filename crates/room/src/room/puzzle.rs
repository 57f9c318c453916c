//! A puzzle in a room: the person's whole turns are judged by the solver, and the best defence is
//! played against them.

use collinear_agents::puzzles::Answer;
use collinear_engine::analysis::why;
use collinear_play::{Thought, Turn, Value};
use collinear_rules::{Cell, notation};
use collinear_windows::has_shapes;

use super::Room;
use crate::game::Refusal;
use crate::wire::{PuzzleProgress, ToPage};
use crate::work::{JobNumber, Work};

/// The question to the solver that is not answered yet.
#[derive(Default)]
pub(super) struct Judging(Option<Question>);

#[derive(Clone, Copy)]
struct Question {
    job: JobNumber,
    about: About,
}

/// What the solver is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// The person's turn, which is on the board.
    Turn,
    /// A winning turn, for a hint.
    Hint,
}

impl Judging {
    /// The job that is wanted.
    pub(super) fn job(&self) -> Option<JobNumber> {
        self.0.map(|question| question.job)
    }

    /// Nobody waits for the answer any more.
    pub(super) fn stop(&mut self) {
        self.0 = None;
    }

    /// What was asked with this number, if it is the latest question.
    fn answered(&mut self, number: JobNumber) -> Option<About> {
        self.0.take_if(|question| question.job == number).map(|question| question.about)
    }
}

impl Room {
    /// After a person's stone: a whole turn is judged.
    pub(super) fn judge_turn(&mut self) {
        let Some(puzzle) = &self.game.puzzle else { return };
        let position = self.game.model.position();
        if position.to_move() == puzzle.player && !position.is_over() {
            return;
        }
        let opening = self.game.model.opening();
        let stones = position.history().get(opening..).unwrap_or_default();
        let others = |cell: &Cell| position.at(*cell) != Some(puzzle.player);
        let from = stones.iter().rposition(others).map_or(0, |at| at + 1);
        let turn = stones[from..].to_vec();
        let mut before = position.clone();
        for _ in &turn {
            before.undo();
        }
        let job = self.start(Work::Judge { position: before, turn });
        self.judging = Judging(Some(Question { job, about: About::Turn }));
    }

    /// Asks the solver for a winning turn.
    pub(super) fn puzzle_hint(&mut self) -> Result<(), Refusal> {
        if self.game.puzzle.is_none() {
            return Err(Refusal::NoPuzzle);
        }
        let job = self.start(Work::Solve { position: self.game.model.position().clone() });
        self.judging = Judging(Some(Question { job, about: About::Hint }));
        Ok(())
    }

    /// The solver knows a winning turn, or that there is none.
    pub(super) fn solved(&mut self, number: JobNumber, solution: Option<(Turn, u16)>) {
        if self.judging.answered(number).is_none() {
            return;
        }
        let (state, words) = match solution {
            Some((turn, turns)) => {
                let position = self.game.model.position();
                let rules = position.rules();
                // One stone is the whole turn: what it does is the hint.
                let named = || why(position, &turn, Some(Value::WinsIn(turns)));
                let words = if has_shapes(rules) { named() } else { None };
                let found =
                    || format!("a winning turn has a stone on {}", notation::name(rules, turn[0]));
                (PuzzleProgress::Going, words.unwrap_or_else(found))
            }
            None => (PuzzleProgress::Wrong, "nothing wins here: take a turn back".to_owned()),
        };
        self.clients.tell_all(ToPage::PuzzleState { state, words });
    }

    /// The solver has judged a turn.
    pub(super) fn judged(&mut self, number: JobNumber, answer: Option<Answer>) {
        if self.judging.answered(number).is_none() {
            return;
        }
        let Some(puzzle) = self.game.puzzle.clone() else { return };
        let (state, words) = match answer {
            Some(Answer::Solved) => (PuzzleProgress::Solved, format!("{}: solved", puzzle.goal)),
            Some(Answer::Defended { defence, turns }) => {
                self.play_turn(&defence, Thought::default());
                (PuzzleProgress::Going, format!("right: {turns} to go"))
            }
            Some(Answer::Missed) | None => {
                self.take_turn_back();
                (PuzzleProgress::Wrong, "that turn does not keep the win: try another".to_owned())
            }
        };
        self.clients.tell_all(ToPage::PuzzleState { state, words });
    }

    /// The solver was stopped by its limit, or has failed.
    pub(super) fn not_judged(&mut self, number: JobNumber) {
        let Some(about) = self.judging.answered(number) else { return };
        if about == About::Turn {
            self.take_turn_back();
        }
        let words = "the solver did not finish in time: please try again".to_owned();
        self.clients.tell_all(ToPage::PuzzleState { state: PuzzleProgress::Going, words });
    }

    /// The stones stay in the tree: redo shows them again.
    fn take_turn_back(&mut self) {
        let _ = self.game.undo();
        self.changed();
    }
}
