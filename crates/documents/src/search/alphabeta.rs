//! Minimax with alpha-beta pruning over an agent's utility list (document 000, §4).
//!
//! The atom is a stone, so a level of the search is a stone and the score changes sign only when
//! the turn passes. Only the best `width` cells of each list are searched. Within a turn of
//! several stones a cell already searched as an earlier stone is marked and left out below its
//! later siblings, so no set of stones is searched twice:
//!
//! ```text
//!        a            b            c           two stones per turn, cells a b c
//!      b   c        a̶   c        a̶   b̶         marks: a below b; a, b below c
//!     ab   ac           bc                      three sets instead of six orders
//! ```
//!
//! Marks end with the turn. Depth is deepened one stone at a time; when the budget is spent the
//! result of the last finished depth stands, and before the first there is the agent's own list:
//! a turn is always ready.

use collinear_play::{Meter, Turn};
use collinear_rules::{Cell, Outcome, Position};
use rayon::prelude::*;

use crate::search::{Appraise, Candidate, Noise, Score, completes_row};

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// This many stones.
    Stones(u32),
    /// To the end of this many turns, the present one included.
    Turns(u32),
}

impl Depth {
    /// In stones from this position.
    pub fn stones(self, position: &Position) -> u32 {
        match self {
            Self::Stones(stones) => stones.max(1),
            Self::Turns(turns) => {
                let later = turns.max(1) - 1;
                position.stones_left() as u32 + later * position.rules().p() as u32
            }
        }
    }
}

/// With more equals than this a list says nothing, and a search of all of them would not end.
pub const MAX_TIES: usize = 32;

/// A search and its settings.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta {
    /// How far to look.
    pub depth: Depth,
    /// How many cells of each list to search.
    pub width: usize,
    /// Whether cells as good as the best are searched beyond the width, up to [`MAX_TIES`].
    pub ties: bool,
    /// Whether whoever asks for a turn asks again for each of its stones, and plays the first.
    pub anew: bool,
    /// Whether the first stone's alternatives are searched side by side. The turn is the same
    /// either way; under a node budget one thread searches, to stay replayable.
    pub parallel: bool,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestTurn {
    /// All stones left of the turn, or fewer when the last one wins.
    pub turn: Turn,
    /// The expected line of play; it begins with the searched stones of the turn.
    pub line: Vec<Cell>,
    /// Worth to the player to move.
    pub score: Score,
    /// The depth that was finished, in stones.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl AlphaBeta {
    /// The best turn. `on` hears the result of each finished depth. Nodes are counted on from `spent`.
    /// None when the game is over.
    pub fn search<A: Appraise>(
        &self,
        position: &Position,
        appraiser: &mut A,
        noise: &Noise,
        meter: &Meter,
        spent: u64,
        on: &mut dyn FnMut(&BestTurn),
    ) -> Option<BestTurn> {
        appraiser.load(position);
        let mut search = Search {
            position: position.clone(),
            appraiser: appraiser.clone(),
            noise,
            meter,
            width: self.width,
            ties: self.ties,
            marks: Vec::new(),
            turn_marks: 0,
            lists: Vec::new(),
            lines: Vec::new(),
            nodes: spent,
        };
        let root = search.take_list(0)?;
        let first = root.first()?;
        let mut found = BestTurn {
            turn: Turn::new(),
            line: vec![first.cell],
            score: first.utility,
            depth: 0,
            nodes: 0,
        };
        for depth in 1..=self.depth.stones(position) {
            // Half of the time gone: the next depth would not be finished.
            if depth > 1 && meter.is_past(0.5) {
                break;
            }
            let parallel = self.parallel && meter.max_nodes() == u64::MAX;
            let Ok((score, line)) = search.root(&root, depth, parallel) else { break };
            found = BestTurn { turn: Turn::new(), line, score, depth, nodes: search.nodes };
            search.complete(&mut found);
            on(&found);
            if score.decided().is_some() {
                break;
            }
        }
        // Nothing was searched to its end: the agent's own choice.
        if found.turn.is_empty() {
            search.complete(&mut found);
        }
        found.nodes = search.nodes;
        Some(found)
    }
}

/// The budget is spent: back to the root, nothing below counts.
struct Spent;

/// How often the meter is asked. Agents' lists take microseconds, so that is soon enough.
const METER_NODES: u64 = 16;

#[derive(Clone)]
struct Search<'a, A> {
    position: Position,
    appraiser: A,
    noise: &'a Noise,
    meter: &'a Meter,
    width: usize,
    ties: bool,
    /// Cells searched as earlier stones, of all turns on the way from the root.
    marks: Vec<Cell>,
    /// Where the marks of the turn at hand begin.
    turn_marks: usize,
    /// Buffers, one per level.
    lists: Vec<Vec<Candidate>>,
    lines: Vec<Vec<Cell>>,
    nodes: u64,
}

impl<A: Appraise> Search<'_, A> {
    /// Searches every candidate of the first stone. The first of the best wins ties, whatever the
    /// number of threads.
    fn root(
        &mut self,
        list: &[Candidate],
        depth: u32,
        parallel: bool,
    ) -> Result<(Score, Vec<Cell>), Spent> {
        if depth == 1 && !A::EVALUATES {
            let (score, cell) = self.frontier(list, 0);
            return Ok((score, vec![cell]));
        }
        let marking = self.position.stones_left() > 1;
        let mut best = (Score::NOTHING, Vec::new());
        let serial = if parallel { 1 } else { list.len() };
        for candidate in &list[..serial] {
            let score = self.child(candidate.cell, depth, best.0, -Score::NOTHING, 0)?;
            if score > best.0 {
                best = (score, self.line_from(candidate.cell, 0));
            }
            if marking {
                self.marks.push(candidate.cell);
            }
        }
        let rest = list[serial..].par_iter().enumerate().map(|(before, candidate)| {
            let mut fork = self.clone();
            fork.nodes = 0;
            if marking {
                fork.marks.extend(list[serial..serial + before].iter().map(|c| c.cell));
            }
            let score = fork.child(candidate.cell, depth, best.0, -Score::NOTHING, 0)?;
            Ok((score, fork.line_from(candidate.cell, 0), fork.nodes))
        });
        let rest: Vec<Result<_, Spent>> = rest.collect();
        self.marks.clear();
        for result in rest {
            let (score, line, nodes) = result?;
            self.nodes += nodes;
            if score > best.0 {
                best = (score, line);
            }
        }
        Ok(best)
    }

    /// Score of the position for the player to move: exact inside the bounds, otherwise a bound on
    /// the same side. [`Score::NOTHING`] when marks leave nothing to search.
    fn node(
        &mut self,
        depth: u32,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Score, Spent> {
        self.lines[ply].clear();
        let Some(list) = self.take_list(ply) else { return Ok(Score::NOTHING) };
        if depth == 1 && !A::EVALUATES {
            let (score, cell) = self.frontier(&list, ply);
            self.lines[ply].push(cell);
            self.lists[ply] = list;
            return Ok(score);
        }
        let (marks, marking) = (self.marks.len(), self.position.stones_left() > 1);
        let mut best = Score::NOTHING;
        let mut spent = false;
        for candidate in &list {
            let Ok(score) = self.child(candidate.cell, depth, alpha, beta, ply) else {
                spent = true;
                break;
            };
            if score > best {
                best = score;
                self.lines[ply] = self.line_from(candidate.cell, ply);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
            if marking {
                self.marks.push(candidate.cell);
            }
        }
        self.marks.truncate(marks);
        self.lists[ply] = list;
        if spent { Err(Spent) } else { Ok(best) }
    }

    /// Plays a stone, scores what follows for its player, and takes it back.
    fn child(
        &mut self,
        cell: Cell,
        depth: u32,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Score, Spent> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(METER_NODES) && self.meter.is_spent(self.nodes) {
            return Err(Spent);
        }
        while self.lines.len() < ply + 2 {
            self.lines.push(Vec::new());
        }
        self.lines[ply + 1].clear();
        let player = self.position.to_move();
        self.position.play_unchecked(cell);
        self.appraiser.place(cell, player);
        let score = match self.position.outcome() {
            Outcome::Won(_) => Ok(self.appraiser.row(ply + 1)),
            Outcome::Drawn => Ok(Score::EVEN),
            Outcome::Ongoing if depth == 1 => Ok(self.appraiser.value(&self.position, player)),
            Outcome::Ongoing if self.position.to_move() == player => {
                self.node(depth - 1, alpha, beta, ply + 1)
            }
            Outcome::Ongoing => {
                let marks = std::mem::replace(&mut self.turn_marks, self.marks.len());
                let score = self.node(depth - 1, -beta, -alpha, ply + 1);
                self.turn_marks = marks;
                score.map(std::ops::Neg::neg)
            }
        };
        self.appraiser.remove(cell, player);
        self.position.undo();
        score
    }

    /// The best of the list by utility, a row before anything else.
    fn frontier(&mut self, list: &[Candidate], ply: usize) -> (Score, Cell) {
        self.nodes += list.len() as u64;
        list.iter()
            .find(|c| completes_row(&self.position, c.cell))
            .map_or((list[0].utility, list[0].cell), |c| (Score::win(ply + 1), c.cell))
    }

    /// The best unmarked cells, best first; none if all are marked. The caller gives the buffer
    /// back to `lists[ply]`.
    fn take_list(&mut self, ply: usize) -> Option<Vec<Candidate>> {
        while self.lists.len() <= ply {
            self.lists.push(Vec::new());
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        if !self.position.is_over() {
            self.appraiser.list(&self.position, &mut list);
        }
        let marked = &self.marks[self.turn_marks..];
        if !marked.is_empty() {
            list.retain(|candidate| !marked.contains(&candidate.cell));
        }
        let mut most = self.width;
        if self.ties {
            let best = list.iter().map(|candidate| candidate.utility).max();
            let equal = list.iter().filter(|candidate| Some(candidate.utility) == best).count();
            most = most.max(equal.min(MAX_TIES));
        }
        self.noise.sort(&mut list, most);
        if list.is_empty() {
            self.lists[ply] = list;
            return None;
        }
        Some(list)
    }

    fn line_from(&self, cell: Cell, ply: usize) -> Vec<Cell> {
        let rest = self.lines.get(ply + 1).map_or(&[][..], Vec::as_slice);
        std::iter::once(cell).chain(rest.iter().copied()).collect()
    }

    /// Fills the turn: the searched stones, then the agent's own choice for those the search did
    /// not reach.
    fn complete(&mut self, found: &mut BestTurn) {
        let player = self.position.to_move();
        let mut line = found.line.iter().copied();
        while self.position.to_move() == player && !self.position.is_over() {
            let next = line.next().or_else(|| {
                let list = self.take_list(0)?;
                let row = list.iter().find(|c| completes_row(&self.position, c.cell));
                row.or(list.first()).map(|c| c.cell)
            });
            let Some(cell) = next else { break };
            self.position.play_unchecked(cell);
            self.appraiser.place(cell, player);
            found.turn.push(cell);
        }
        for &cell in found.turn.iter().rev() {
            self.position.undo();
            self.appraiser.remove(cell, player);
        }
    }
}

#[cfg(test)]
mod tests;
