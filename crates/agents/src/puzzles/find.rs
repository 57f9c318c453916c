//! Finds puzzles in a game: the moments at which a win or a last defence appears, each of them proved,
//! replayed by the independent checker, and dropped where too many turns would do.

use std::sync::Arc;

use collinear_connect4::{Limits, Mode, Score};
use collinear_engine::proof::{self, Proof, ProofLimits, check};
use collinear_play::StopFlag;
use collinear_rules::{Cell, Player, Position, Rules};
use collinear_windows::{Windows, offsets};

use super::rate::{Ladder, rating};
use super::set::{Entry, Theme};
use super::{Answer, Goal, Judge, themes};

/// Positions of one proof while puzzles are made: what is shipped is within reach of a phone.
const NODES: u64 = 20_000;
/// Own turns of a win.
const TURNS: std::ops::RangeInclusive<u16> = 2..=9;
/// First turns that may be right: with one stone per turn, with more, with gravity.
const MAX_RIGHT: u16 = 3;
const MAX_RIGHT_OF_MANY: u16 = 15;
const MAX_RIGHT_COLUMNS: u16 = 2;
/// Turns of the threatened win that a defence stops: an open three everybody sees, a four-three not.
const MIN_THREAT: u16 = 3;
/// Stones that no win by fours refutes, before the quiet ones are looked for.
const MAX_OPEN: usize = 8;
/// Turns of several stones that are looked at to count the right ones.
const MAX_TURNS_TRIED: usize = 120;
/// Stones before which no puzzle begins; with gravity the solver is quick from here on.
const MIN_STONES: usize = 7;
const MIN_DROPPED: usize = 13;
/// Puzzles of one game.
const MAX_PER_GAME: usize = 6;

/// What was found out about a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Own turns to the goal, at most.
    pub turns: u16,
    /// First turns that are known to be right.
    pub right: u16,
    /// In the order of [`Theme::ALL`].
    pub themes: Vec<Theme>,
}

/// Finds puzzles in games of one set of rules.
pub struct Finder {
    rules: Rules,
    judge: Judge,
    /// Of the levels that rate; none where nobody does.
    seed: Option<u64>,
}

impl Finder {
    /// A finder for a game; the seed is that of the levels that rate.
    pub fn new(rules: &Rules, seed: u64) -> Self {
        Self { rules: *rules, judge: Judge::new(rules).within(NODES), seed: Some(seed) }
    }

    /// Leaves the rating at 0: nobody tries what is found.
    #[must_use]
    pub fn unrated(mut self) -> Self {
        self.seed = None;
        self
    }

    /// Heeds a flag from now on: what is found once it is set is not to be used.
    pub fn heed(&mut self, stop: StopFlag) {
        self.judge.heed(stop);
    }

    /// The puzzles of a game, in the order in which they come up.
    pub fn find(&mut self, stones: &[Cell]) -> Vec<Entry> {
        let mut position = Position::new(self.rules);
        let mut found: Vec<Entry> = Vec::new();
        // Whoever had a win at the turn before has the same puzzle still.
        let mut had = [false; 2];
        for &stone in stones {
            let whole = position.stones_left() == self.rules.p();
            if whole && position.stone_count() >= self.first() && found.len() < MAX_PER_GAME {
                let had = &mut had[usize::from(position.to_move() == Player::White)];
                self.judge.clear();
                let goal = self.goal(&position);
                if let Some(goal) = goal
                    && !(goal == Goal::Win && *had)
                    && let Some(facts) = self.facts(&position, goal)
                {
                    let entry = self.entry(&position, goal, facts);
                    // What was judged after the flag was set is not true of the position.
                    if !self.judge.stop.is_stopped() {
                        found.push(entry);
                    }
                }
                *had = goal == Some(Goal::Win);
            }
            if position.play(stone).is_err() || position.is_over() || self.judge.stop.is_stopped() {
                break;
            }
        }
        found
    }

    fn first(&self) -> usize {
        if self.rules.gravity() { MIN_DROPPED } else { MIN_STONES }
    }

    fn entry(&mut self, position: &Position, goal: Goal, facts: Facts) -> Entry {
        let Facts { turns, right, themes } = facts;
        let mut entry = Entry { position: position.clone(), goal, turns, right, rating: 0, themes };
        if let Some(seed) = self.seed {
            entry.rating = rating(&self.attempts(&entry, seed));
        }
        entry
    }

    /// What the levels make of a puzzle, with this seed.
    pub fn attempts(&mut self, entry: &Entry, seed: u64) -> Vec<super::Attempt> {
        self.judge.clear();
        let seed = seed ^ entry.position.canonical_key();
        Ladder::new(&self.rules, seed).try_all(&mut self.judge, entry)
    }

    /// What could be asked here, before anything is proved.
    fn goal(&mut self, position: &Position) -> Option<Goal> {
        if self.rules.gravity() {
            let scores = self.judge.scores(position)?;
            let all = || scores.iter().flatten();
            if all().any(|score| score.get() > 0) {
                return Some(Goal::Win);
            }
            let empty = position.empty_count();
            let slow = |score: &&Score| score.get() < 0 && score.stones_to_end(empty) > 2;
            let one = all().filter(|score| score.get() == 0).count() == 1;
            return (one && all().filter(slow).count() > 1).then_some(Goal::Hold);
        }
        if self.judge.proof(position).is_some() {
            return Some(Goal::Win);
        }
        if self.rules.p() > 1 {
            return None;
        }
        if self.judge.threat(position).is_some_and(|proof| proof.turns() >= MIN_THREAT) {
            return Some(Goal::Hold);
        }
        self.judge.quiet(position).map(|_| Goal::Win)
    }

    /// Proves a puzzle and counts its right turns; none where it is no good puzzle.
    pub fn facts(&mut self, position: &Position, goal: Goal) -> Option<Facts> {
        self.judge.clear();
        match (self.rules.gravity(), goal) {
            (true, _) => self.columns(position, goal),
            (false, Goal::Win) => self.win(position),
            (false, Goal::Hold) => self.hold(position),
        }
    }

    fn columns(&mut self, position: &Position, goal: Goal) -> Option<Facts> {
        let scores = self.judge.scores(position)?;
        let right = |score: &Score| match goal {
            Goal::Win => score.get() > 0,
            Goal::Hold => score.get() >= 0,
        };
        let columns = scores.iter().flatten().count();
        let count = scores.iter().flatten().filter(|score| right(score)).count() as u16;
        let best = scores.iter().flatten().max()?;
        let turns = match goal {
            Goal::Win => best.stones_to_end(position.empty_count()).div_ceil(2) as u16,
            Goal::Hold => 1,
        };
        let wanted = goal == Goal::Hold || TURNS.contains(&turns);
        if !wanted || count == 0 || count > MAX_RIGHT_COLUMNS || columns < usize::from(count) + 2 {
            return None;
        }
        let mut themes = match goal {
            Goal::Win => themes::of_columns(&self.judge.best_line(position)?, position),
            Goal::Hold => vec![Theme::Defence],
        };
        themes.extend(long(turns));
        Some(Facts { turns, right: count, themes })
    }

    fn win(&mut self, position: &Position) -> Option<Facts> {
        let proof = match self.judge.proof(position) {
            Some(proof) => proof,
            None => self.judge.quiet(position)?,
        };
        check(position, &proof).ok()?;
        let turns = proof.turns();
        if !TURNS.contains(&turns) || !self.is_right(position, &proof.turn) {
            return None;
        }
        let (turns_tried, most) = if self.rules.p() == 1 {
            (position.legal_cells().into_iter().map(|cell| vec![cell]).collect(), MAX_RIGHT)
        } else {
            (forcing(position), MAX_RIGHT_OF_MANY)
        };
        let right = self.count(position, &turns_tried, most)?.max(1);
        let mut themes = themes::of_proof(position, &proof);
        themes.extend(long(turns));
        Some(Facts { turns, right, themes })
    }

    /// How many turns are right; none when there are more than `most`.
    fn count(&mut self, position: &Position, turns: &[Vec<Cell>], most: u16) -> Option<u16> {
        let mut right = 0;
        for turn in turns {
            right += u16::from(self.is_right(position, turn));
            if right > most {
                return None;
            }
        }
        Some(right)
    }

    fn is_right(&mut self, position: &Position, turn: &[Cell]) -> bool {
        let answer = self.judge.answer_to(Goal::Win, position, turn);
        matches!(answer, Some(Answer::Solved | Answer::Defended { .. }))
    }

    /// Every stone but a few loses to a win by threats, which the checker replays.
    fn hold(&mut self, position: &Position) -> Option<Facts> {
        let mut open = Vec::new();
        for cell in position.legal_cells() {
            let mut after = position.clone();
            after.play(cell).ok()?;
            if after.is_over() {
                continue;
            }
            match self.judge.proof(&after) {
                Some(proof) => check(&after, &proof).ok()?,
                None => open.push(after),
            }
            if open.len() > MAX_OPEN {
                return None;
            }
        }
        // These are looked at as long as whoever solves the puzzle will have them looked at.
        let mut patient = Judge::new(&self.rules);
        patient.heed(self.judge.stop.clone());
        let mut right = 0;
        for after in open {
            match patient.win(&after) {
                Some(proof) => check(&after, &proof).ok()?,
                None => right += 1,
            }
            if right > MAX_RIGHT {
                break;
            }
        }
        let few = (1..=MAX_RIGHT).contains(&right);
        few.then(|| Facts { turns: 1, right, themes: vec![Theme::Defence] })
    }
}

fn long(turns: u16) -> Option<Theme> {
    (turns >= 5).then_some(Theme::Long)
}

/// Turns of two stones that threaten in more than one place, spread evenly where there are many.
fn forcing(position: &Position) -> Vec<Vec<Cell>> {
    let (mut windows, player) = (Windows::of(position), position.to_move());
    let p = position.rules().p();
    let geometry = windows.geometry().clone();
    let mut cells: Vec<Cell> = Vec::new();
    for (line, found) in windows.lines_within(player, 2 * p) {
        for offset in offsets(found) {
            let empties = windows.empties(line, offset);
            cells.extend(offsets(empties).map(|index| geometry.line_cells(line)[index]));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    let mut counter = collinear_windows::ThreatCounter::new();
    let mut turns = Vec::new();
    for (at, &first) in cells.iter().enumerate() {
        windows.place(first, player);
        for &second in &cells[at + 1..] {
            windows.place(second, player);
            if counter.count_within(&windows, player, p, p) >= p {
                turns.push(vec![first, second]);
            }
            windows.remove(second, player);
        }
        windows.remove(first, player);
    }
    let step = turns.len().div_ceil(MAX_TURNS_TRIED).max(1);
    turns.into_iter().step_by(step).collect()
}

impl Judge {
    /// A judge that looks at so many positions for each proof.
    pub(super) fn within(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Forgets what it learnt: the next answer is that of a new one.
    pub(super) fn clear(&mut self) {
        self.tactics.clear();
        if let Some(solver) = &mut self.columns {
            solver.clear();
        }
    }

    /// The exact score of every column.
    fn scores(&mut self, position: &Position) -> Option<Vec<Option<Score>>> {
        let stop = || self.stop.is_stopped();
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        Some(self.columns.as_mut()?.scores_within(position, Mode::Strong, &limits).ok()?.columns)
    }

    /// The stones of the best play of both to the end.
    fn best_line(&mut self, position: &Position) -> Option<Vec<Cell>> {
        let stop = || self.stop.is_stopped();
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        self.columns.as_mut()?.line(position, position.empty_count(), &limits).ok()
    }

    /// A win of the player to move by continuous threats.
    pub(super) fn proof(&mut self, position: &Position) -> Option<Arc<Proof>> {
        let (player, left) = (position.to_move(), position.stones_left());
        self.by_threats(&mut Windows::of(position), player, left)
    }

    /// A win by continuous threats of the player who is not to move, if he were.
    fn threat(&mut self, position: &Position) -> Option<Arc<Proof>> {
        let p = position.rules().p();
        self.by_threats(&mut Windows::of(position), position.to_move().opponent(), p)
    }

    fn by_threats(
        &mut self,
        windows: &mut Windows,
        player: Player,
        left: usize,
    ) -> Option<Arc<proof::Proof>> {
        let meter = self.meter();
        let limits =
            ProofLimits { nodes: self.nodes, meter: Some(&meter), ..ProofLimits::default() };
        self.tactics.prove(windows, player, left, limits).proof()
    }
}
