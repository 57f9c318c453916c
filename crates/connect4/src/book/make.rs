//! Making a book: list the positions of the deepest level, solve them chunk by chunk, fill in the
//! levels above by minimax.
//!
//! Chunks are independent: whoever makes the book may solve them in any order, on any number of
//! threads, and keep what is done between two runs.

use std::ops::Range;

use collinear_rules::Rules;
use thiserror::Error;

use super::{Book, STEP, encode, value_bits};
use crate::board::Board;
use crate::resolve::{Resolved, resolve};
use crate::shape::{BoardShape, Unsupported, with_shape};
use crate::solver::{SolveError, Solver};
use crate::word::Word;

/// A book under construction.
pub struct BookMaker {
    rules: Rules,
    depth: u32,
    /// The undecided positions of the deepest level, sorted: neighbours share much of their search.
    keys: Vec<u128>,
}

/// Some solved positions of a book under construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Their scores.
    pub scores: Vec<i8>,
    /// Positions searched for them.
    pub nodes: u64,
}

/// Why a book cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The solver does not know the game.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The level has more positions than memory is given to.
    #[error("a book of depth {depth} has more than {most} positions: choose a smaller depth")]
    TooDeep {
        /// The depth asked for.
        depth: usize,
        /// The most positions.
        most: usize,
    },
}

/// The most positions of a level: 200 million take 3.2 GB while the book is made.
const MAX_POSITIONS: usize = 200_000_000;

impl BookMaker {
    /// Lists the positions of the level.
    pub fn new(rules: &Rules, depth: usize) -> Result<Self, MakeError> {
        let too_deep = MakeError::TooDeep { depth, most: MAX_POSITIONS };
        if depth >= rules.cells() {
            return Err(too_deep);
        }
        let keys = with_shape!(rules, |shape| level(shape, depth as u32))?.ok_or(too_deep)?;
        Ok(Self { rules: *rules, depth: depth as u32, keys })
    }

    /// Positions to solve.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether every position of the level is decided anyway.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// A number that tells this list from others.
    pub fn fingerprint(&self) -> u64 {
        self.keys.iter().fold(u64::from(self.depth), |sum, &key| {
            (sum ^ key as u64 ^ (key >> 64) as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        })
    }

    /// Solves some of the positions. The solver keeps what it learns for the next chunk.
    pub fn solve(
        &self,
        solver: &mut Solver,
        chunk: Range<usize>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Chunk, SolveError> {
        let mut solved = Chunk { scores: Vec::with_capacity(chunk.len()), nodes: 0 };
        for &key in &self.keys[chunk] {
            let solution = solver.solve_key(key, stop)?;
            solved.scores.push(solution.score.get());
            solved.nodes += solution.nodes;
        }
        Ok(solved)
    }

    /// The book, given the scores of all positions in their order.
    pub fn finish(&self, scores: &[i8]) -> Result<Book, MakeError> {
        Ok(with_shape!(&self.rules, |shape| finish(shape, self, scores))?)
    }
}

/// The canonical keys of all undecided positions with this many stones; none if there are too many.
fn level<S: BoardShape>(shape: S, stones: u32) -> Option<Vec<u128>> {
    let mut keys = vec![Board::empty().key(shape)];
    for _ in 0..stones {
        keys = keys
            .iter()
            .flat_map(|&key| successors(shape, &Board::from_key(shape, key)))
            .map(|board| board.canonical_key(shape))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        if keys.len() > MAX_POSITIONS {
            return None;
        }
    }
    keys.retain(|&key| is_open(shape, &Board::from_key(shape, key)));
    Some(keys.into_iter().map(Word::to_u128).collect())
}

/// The positions after every stone that does not win.
fn successors<S: BoardShape>(shape: S, board: &Board<S::Word>) -> Vec<Board<S::Word>> {
    (0..shape.width())
        .filter_map(|column| board.landing_in(shape, column))
        .filter(|&cell| (board.wins & cell).is_zero())
        .map(|cell| board.after(shape, cell))
        .collect()
}

/// Whether the position needs an entry.
fn is_open<S: BoardShape>(shape: S, board: &Board<S::Word>) -> bool {
    (board.wins & board.landing(shape)).is_zero()
        && !matches!(resolve(shape, *board), Resolved::Decided(_))
}

fn finish<S: BoardShape>(shape: S, maker: &BookMaker, scores: &[i8]) -> Book {
    let mut levels = Vec::new();
    let mut stones = maker.depth;
    let mut keys = maker.keys.clone();
    let mut scores = scores.to_vec();
    loop {
        let values = scores.iter().map(|&score| encode(shape, stones, i32::from(score))).collect();
        levels.push((stones, keys, values, value_bits(shape, stones)));
        if stones < STEP {
            break;
        }
        // The level above, from a book of the levels so far.
        let deeper = Book::from_levels(&maker.rules, levels.clone());
        stones -= STEP;
        keys = level(shape, stones).unwrap_or_default();
        scores = keys
            .iter()
            .map(|&key| {
                let board = Board::from_key(shape, S::Word::from_u128(key));
                deeper.score(shape, &board).unwrap_or_default() as i8
            })
            .collect();
    }
    Book::from_levels(&maker.rules, levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::for_every_position;
    use crate::shape::Fixed;

    #[test]
    fn as_many_positions_after_each_stone_as_the_literature_counts() {
        // Distinct positions after n stones, finished games included: OEIS A212693.
        let expected = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275];
        let shape = Fixed::<7, 6, 4>;
        let mut keys = vec![Board::empty().key(shape)];
        let mut finished = Vec::new();
        for count in expected {
            assert_eq!(keys.len() + finished.len(), count);
            let boards: Vec<_> = keys.iter().map(|&key| Board::from_key(shape, key)).collect();
            finished = boards
                .iter()
                .flat_map(|board| {
                    let wins = board.wins & board.landing(shape);
                    (0..7).filter_map(move |column| {
                        let cell = board.landing_in(shape, column)?;
                        (!(wins & cell).is_zero()).then(|| board.after(shape, cell).key(shape))
                    })
                })
                .collect();
            keys = boards
                .iter()
                .flat_map(|board| successors(shape, board))
                .map(|board| board.key(shape))
                .collect();
            for list in [&mut keys, &mut finished] {
                list.sort_unstable();
                list.dedup();
            }
        }
    }

    #[test]
    fn a_book_knows_every_position_down_to_its_depth() {
        for (text, depth) in
            [("5x4,k=4,gravity", 7), ("4x4,k=3,gravity", 4), ("6x3,k=4,gravity", 0)]
        {
            let rules: Rules = text.parse().expect(text);
            let maker = BookMaker::new(&rules, depth).expect(text);
            let mut solver = Solver::without_book(&rules).expect(text);
            let chunk = maker.solve(&mut solver, 0..maker.len(), &|| false).expect(text);
            let book = maker.finish(&chunk.scores).expect(text);
            assert_eq!(book, Book::from_bytes(book.as_bytes().to_vec()).expect(text));
            assert_eq!(book.depth(), depth);
            let mut known = 0;
            with_shape!(&rules, |shape| for_every_position(shape, |board, exact| {
                if let Some(score) = book.score(shape, board) {
                    assert_eq!(score, exact, "{text} {board:?}");
                    known += 1;
                }
            }))
            .expect(text);
            assert!(known >= maker.len());
        }
    }
}
