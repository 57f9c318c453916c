//! The solver as others see it: positions in, scores out.

use std::sync::Arc;

use collinear_rules::{Cell, Outcome, Position, Rules};
use thiserror::Error;

use crate::board::Board;
use crate::book::Book;
use crate::driver::{Driver, Mode};
use crate::machine::{Machine, Modern, Portable};
use crate::search::{self, Stopped};
use crate::shape::{self, BoardShape, Unsupported, with_shape};
use crate::table::Table;
use crate::word::Word;

/// What a position is worth to the player to move, in Pons' scale: 0 is a draw, n > 0 a win after
/// which n of the winner's stones would be left to place (1: with the very last), −n a loss the
/// same way. Larger is better: sooner wins and later losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i8);

impl Score {
    /// The score with this number, which lies between −63 and 63.
    pub const fn new(score: i8) -> Self {
        Self(score)
    }

    /// The number.
    pub const fn get(self) -> i8 {
        self.0
    }

    /// How many stones will be played until the game ends with best play, from a position with this
    /// score and number of empty cells.
    pub fn stones_to_end(self, empty: usize) -> usize {
        let left = usize::from(self.0.unsigned_abs());
        match self.0 {
            0 => empty,
            // The winner's last stone has an odd number when he is to move, an even one otherwise,
            // and leaves him `left − 1` stones more, out of half of what is empty.
            1.. => 2 * (empty.div_ceil(2) - left) + 1,
            ..0 => 2 * (empty / 2 + 1 - left),
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

/// What the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The exact score; in weak mode only its sign.
    pub score: Score,
    /// Positions searched.
    pub nodes: u64,
}

/// What the solver found about every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnScores {
    /// The score for the player to move of a stone in each column; `None` where it is full.
    pub columns: Vec<Option<Score>>,
    /// Positions searched.
    pub nodes: u64,
}

/// Why a position has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Nobody is to move.
    #[error("the game is over: there is nothing to solve")]
    GameOver,
    /// The position belongs to another game than the solver.
    #[error("the position is one of {position}, but the solver was made for {solver}")]
    OtherRules {
        /// The position's rules.
        position: Rules,
        /// The solver's rules.
        solver: Rules,
    },
    /// The limits were reached before the answer was known.
    #[error("stopped after {nodes} nodes, before the answer was known")]
    Stopped {
        /// Positions searched.
        nodes: u64,
    },
}

/// When to give up. The default never does.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The most nodes for one call.
    pub nodes: Option<u64>,
    /// Asked every few hundred nodes; true ends the search.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

/// Whether the solver knows a game.
pub fn solves(rules: &Rules) -> bool {
    shape::check(rules).is_ok()
}

/// The perfect player's knowledge: the score of any position of a gravity game.
///
/// What it learns stays in its table, so related positions are solved faster one after the other.
///
/// ```
/// use collinear_connect4::Solver;
/// use collinear_rules::{Position, Rules};
///
/// let rules: Rules = "6x5,k=4,gravity".parse()?;
/// let mut solver = Solver::new(&rules)?;
/// let solution = solver.solve(&Position::new(rules))?;
/// assert_eq!(solution.score.get(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    rules: Rules,
    engine: Box<dyn Engine>,
    memory: usize,
    threads: usize,
    book: Option<Arc<Book>>,
}

/// The default limit of the table: more is slower, as every probe then misses every cache.
pub const DEFAULT_MEMORY: usize = 256 << 20;

impl Solver {
    /// A solver for a game, with the embedded book if it is one of that game.
    pub fn new(rules: &Rules) -> Result<Self, Unsupported> {
        let mut solver = Self::without_book(rules)?;
        // No other game has an embedded book.
        solver.book = Book::embedded().filter(|book| book.rules() == rules).map(Arc::new);
        Ok(solver)
    }

    /// A solver that searches for every answer.
    pub fn without_book(rules: &Rules) -> Result<Self, Unsupported> {
        let memory = DEFAULT_MEMORY;
        let engine = engine(rules, memory)?;
        Ok(Self { rules: *rules, engine, memory, threads: 1, book: None })
    }

    /// A solver with the embedded book, if there is one, and another limit for its table.
    pub fn with_memory(rules: &Rules, bytes: usize) -> Result<Self, Unsupported> {
        Ok(Self::new(rules)?.memory(bytes))
    }

    /// The same solver with another limit for its table, in bytes; it forgets what it has learnt.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self.clear();
        self
    }

    /// The same solver with this many threads at work on each position. The score is the same with any
    /// number; how many nodes are searched differs from run to run with more than one.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The same solver with a book, which is ignored if it is one of another game.
    #[must_use]
    pub fn book(mut self, book: Option<Arc<Book>>) -> Self {
        self.book = book.filter(|book| *book.rules() == self.rules);
        self
    }

    /// The game.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Forgets everything learnt.
    pub fn clear(&mut self) {
        self.engine.clear(self.memory);
    }

    /// The exact score of a position.
    pub fn solve(&mut self, position: &Position) -> Result<Solution, SolveError> {
        self.solve_within(position, Mode::Strong, &Limits::default())
    }

    /// The score of a position, within limits.
    pub fn solve_within(
        &mut self,
        position: &Position,
        mode: Mode,
        limits: &Limits<'_>,
    ) -> Result<Solution, SolveError> {
        self.check(position)?;
        // The book knows every position that play can lead to; one that was set up may be another.
        let played = position.history().len() == position.stone_count();
        let book = self.book.as_deref().filter(|_| played);
        self.engine.solve(position, book, (mode, self.threads), limits)
    }

    /// The exact score of the position with this key.
    pub(crate) fn solve_key(
        &mut self,
        key: u128,
        stop: &dyn Fn() -> bool,
    ) -> Result<Solution, SolveError> {
        self.engine.solve_key(key, stop)
    }

    fn check(&self, position: &Position) -> Result<(), SolveError> {
        if position.rules() != &self.rules {
            return Err(SolveError::OtherRules { position: *position.rules(), solver: self.rules });
        }
        if position.is_over() { Err(SolveError::GameOver) } else { Ok(()) }
    }

    /// The score for the player to move of a stone in each column; `None` where it is full.
    pub fn scores(&mut self, position: &Position) -> Result<Vec<Option<Score>>, SolveError> {
        Ok(self.scores_within(position, Mode::Strong, &Limits::default())?.columns)
    }

    /// The same within limits; the nodes count for all columns together.
    pub fn scores_within(
        &mut self,
        position: &Position,
        mode: Mode,
        limits: &Limits<'_>,
    ) -> Result<ColumnScores, SolveError> {
        self.check(position)?;
        let mut left = limits.nodes;
        let mut position = position.clone();
        let mut nodes = 0;
        let mut columns = Vec::with_capacity(self.rules.width());
        for column in 0..self.rules.width() {
            let Some(cell) = position.drop_cell(column) else {
                columns.push(None);
                continue;
            };
            position.play_unchecked(cell);
            let score = match position.outcome() {
                Outcome::Won(_) => {
                    let left = (self.rules.cells() + 2 - position.stone_count()) / 2;
                    if mode == Mode::Weak { 1 } else { left as i8 }
                }
                Outcome::Drawn => 0,
                Outcome::Ongoing => {
                    let limits = Limits { nodes: left, ..*limits };
                    let solution = self.solve_within(&position, mode, &limits)?;
                    left = left.map(|left| left.saturating_sub(solution.nodes));
                    nodes += solution.nodes;
                    -solution.score.get()
                }
            };
            position.undo();
            columns.push(Some(Score(score)));
        }
        Ok(ColumnScores { columns, nodes })
    }

    /// A line of best play to the end of the game, or its first `most` stones.
    pub fn line(
        &mut self,
        position: &Position,
        most: usize,
        limits: &Limits<'_>,
    ) -> Result<Vec<Cell>, SolveError> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while line.len() < most && !position.is_over() {
            let scores = self.scores_within(&position, Mode::Strong, limits)?.columns;
            let best = scores.iter().flatten().max();
            let column = middle_out(scores.len()).find(|&c| scores[c].as_ref() == best);
            let Some(cell) = column.and_then(|column| position.drop_cell(column)) else { break };
            position.play_unchecked(cell);
            line.push(cell);
        }
        Ok(line)
    }
}

/// The columns from the middle outwards: among equals the middle is the natural choice.
fn middle_out(width: usize) -> impl Iterator<Item = usize> {
    (0..width)
        .map(move |i| if i % 2 == 0 { usize::midpoint(width, i) } else { (width - 1 - i) / 2 })
}

/// A solver whose shape is hidden.
trait Engine: Send {
    fn solve(
        &mut self,
        position: &Position,
        book: Option<&Book>,
        how: (Mode, usize),
        limits: &Limits<'_>,
    ) -> Result<Solution, SolveError>;
    fn solve_key(&mut self, key: u128, stop: &dyn Fn() -> bool) -> Result<Solution, SolveError>;
    fn clear(&mut self, memory: usize);
}

struct Shaped<S: BoardShape, M> {
    shape: S,
    machine: M,
    table: Table<S::Word>,
}

fn engine(rules: &Rules, memory: usize) -> Result<Box<dyn Engine>, Unsupported> {
    with_shape!(rules, |shape| shaped(shape, memory))
}

fn shaped<S: BoardShape>(shape: S, memory: usize) -> Box<dyn Engine> {
    let table = Table::new(shape.key_bits(), memory);
    match Modern::detect() {
        Some(machine) => Box::new(Shaped { shape, machine, table }),
        None => Box::new(Shaped { shape, machine: Portable, table }),
    }
}

impl<S: BoardShape, M: Machine> Shaped<S, M> {
    fn search(
        &mut self,
        board: &Board<S::Word>,
        (mode, threads): (Mode, usize),
        least: Option<i32>,
        limits: &search::Limits<'_>,
    ) -> Result<Solution, SolveError> {
        let means = (self.shape, self.machine);
        let mut driver = Driver::new(means, &mut self.table, threads, limits);
        let score = driver.score(board, mode, least);
        let nodes = driver.nodes;
        match score {
            Ok(score) => Ok(Solution { score: Score(score as i8), nodes }),
            Err(Stopped) => Err(SolveError::Stopped { nodes }),
        }
    }
}

impl<S: BoardShape, M: Machine> Engine for Shaped<S, M> {
    fn solve(
        &mut self,
        position: &Position,
        book: Option<&Book>,
        (mode, threads): (Mode, usize),
        limits: &Limits<'_>,
    ) -> Result<Solution, SolveError> {
        let board = Board::new(self.shape, position);
        if let Some(score) = book.and_then(|book| book.score(self.shape, &board)) {
            let score = if mode == Mode::Weak { score.signum() } else { score };
            return Ok(Solution { score: Score(score as i8), nodes: 0 });
        }
        // Just beyond the book: the stone that led here is no better than the best one there was.
        let least = book.and_then(|book| {
            let mut before = position.clone();
            before.undo()?;
            Some(-book.score(self.shape, &Board::new(self.shape, &before))?)
        });
        let never = || false;
        let limits = search::Limits {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            stop: limits.stop.unwrap_or(&never),
        };
        self.search(&board, (mode, threads), least, &limits)
    }

    fn solve_key(&mut self, key: u128, stop: &dyn Fn() -> bool) -> Result<Solution, SolveError> {
        let board = Board::from_key(self.shape, S::Word::from_u128(key));
        let limits = search::Limits { nodes: u64::MAX, stop };
        self.search(&board, (Mode::Strong, 1), None, &limits)
    }

    fn clear(&mut self, memory: usize) {
        self.table = Table::new(self.shape.key_bits(), memory);
    }
}
