//! A puzzle in a room: the person's whole turns are judged by the solver, and the best defence is
//! played against them.

use collinear_agents::puzzles::Answer;
use collinear_play::{NodeId, Thought};
use collinear_rules::{Cell, Rules};

use super::Room;
use super::pace::ReadyTurn;
use crate::convert::cells;
use crate::game::Refusal;
use crate::wire::{PuzzleProgress, PuzzleWords, ToPage};
use crate::work::{JobNumber, Judged, Solution, Work};

/// The question to the solver that is not answered yet, and how much was told of the position shown.
#[derive(Default)]
pub(super) struct Judging {
    question: Option<Question>,
    /// The node at which a first hint was given.
    hinted: Option<NodeId>,
}

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
        self.question.map(|question| question.job)
    }

    /// Nobody waits for the answer any more.
    pub(super) fn stop(&mut self) {
        self.question = None;
    }

    /// What was asked with this number, if it is the latest question.
    fn answered(&mut self, number: JobNumber) -> Option<About> {
        self.question.take_if(|question| question.job == number).map(|question| question.about)
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
        let job = self.start(Work::Judge { position: before, turn, goal: puzzle.wanted });
        self.judging.question = Some(Question { job, about: About::Turn });
    }

    /// Asks the solver for a winning turn.
    pub(super) fn puzzle_hint(&mut self) -> Result<(), Refusal> {
        let goal = self.game.puzzle.as_ref().ok_or(Refusal::NoPuzzle)?.wanted;
        let position = self.game.model.position().clone();
        let job = self.start(Work::Solve { position, goal });
        self.judging.question = Some(Question { job, about: About::Hint });
        Ok(())
    }

    /// The solver knows a winning turn, or that there is none.
    pub(super) fn solved(&mut self, number: JobNumber, solution: Option<Solution>) {
        if self.judging.answered(number).is_none() {
            return;
        }
        let (state, words) = match solution {
            Some(solution) => (PuzzleProgress::Going, self.hint_to(solution)),
            None => (PuzzleProgress::Wrong, PuzzleWords::Lost),
        };
        self.clients.tell_all(ToPage::PuzzleState { state, words });
    }

    /// First where to look, the next time at the same position the stone and what it does there.
    fn hint_to(&mut self, Solution { turn, words: why, .. }: Solution) -> PuzzleWords {
        let node = self.game.model.node();
        if self.judging.hinted.replace(node) == Some(node) {
            return PuzzleWords::Try { cell: turn[0].index() as u16, why };
        }
        PuzzleWords::Look { cells: cells(&around(self.game.rules(), turn[0])) }
    }

    /// The solver has judged a turn.
    pub(super) fn judged(&mut self, number: JobNumber, judged: Judged) {
        if self.judging.answered(number).is_none() {
            return;
        }
        if self.game.puzzle.is_none() {
            return;
        }
        let (state, words) = match judged.answer {
            Some(Answer::Solved) => (PuzzleProgress::Solved, PuzzleWords::Solved),
            Some(Answer::Defended { defence, turns }) => {
                let thought = Thought::default();
                self.play_turn(ReadyTurn { turn: defence, thought, words: judged.words });
                (PuzzleProgress::Going, PuzzleWords::Right { turns })
            }
            Some(Answer::Missed) | None => {
                self.take_turn_back();
                (PuzzleProgress::Wrong, PuzzleWords::Slipped)
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
        let words = PuzzleWords::Late;
        self.clients.tell_all(ToPage::PuzzleState { state: PuzzleProgress::Going, words });
    }

    /// The stones stay in the tree: redo shows them again.
    fn take_turn_back(&mut self) {
        let _ = self.game.undo();
        self.changed();
    }
}

/// The part of the board that a cell lies in: about a third of it each way, or of the columns where
/// stones fall.
fn around(rules: &Rules, cell: Cell) -> Vec<Cell> {
    const PARTS: usize = 3;
    let part = |at: usize, side: usize| (at * PARTS) / side;
    let (column, row) = (rules.column(cell), rules.row(cell));
    let near = |other: &Cell| {
        part(rules.column(*other), rules.width()) == part(column, rules.width())
            && (rules.gravity()
                || part(rules.row(*other), rules.height()) == part(row, rules.height()))
    };
    rules.all_cells().filter(near).collect()
}
