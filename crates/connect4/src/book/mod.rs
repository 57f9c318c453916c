//! The book: exact scores of every position with a given number of stones.
//!
//! It holds whole levels, the deepest first and then every fourth above it. A position between two
//! levels follows by minimax over at most four stones; a position beyond the deepest is searched.
//! Symmetric positions share an entry; positions that a forced chain decides have none. The key of a
//! position is a byte per column on boards up to seven rows: see [`Board::key`].
//!
//! ```text
//! file  "C4BOOK" version rules levels            the numbers are little-endian
//!       per level: stones, keys, seed, segment, starts, bits
//!       the tables of the levels, one after the other
//!       checksum of everything before it
//! ```

mod function;
mod make;
pub mod resumable;
mod shipped;

use std::borrow::Cow;

use collinear_rules::Rules;
use thiserror::Error;

use crate::board::Board;
use crate::driver::win_now;
use crate::resolve::{Resolved, best_quiet, resolve, worst_quiet};
use crate::shape::BoardShape;
use crate::word::Word;
use function::Function;

pub use make::{BookMaker, Chunk, MakeError};

/// Stones between two levels of the book.
const STEP: u32 = 4;

/// Exact scores of whole levels of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    rules: Rules,
    levels: Vec<Level>,
    bytes: Cow<'static, [u8]>,
}

#[derive(Clone, Debug, PartialEq)]
struct Level {
    stones: u32,
    positions: u64,
    function: Function,
    /// Where its table begins among the bytes.
    at: usize,
}

/// Why bytes are not a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file does not begin like a book.
    #[error("this is not a Connect Four book")]
    Magic,
    /// A book of a later program.
    #[error("the book has format {0}; this program reads format {VERSION}: make the book anew")]
    Version(u8),
    /// Bytes are missing or do not make sense.
    #[error("the book is damaged at byte {0}: make or fetch it anew")]
    Damaged(usize),
    /// The checksum is wrong.
    #[error("the book is damaged: its checksum does not fit; make or fetch it anew")]
    Checksum,
}

const MAGIC: &[u8] = b"C4BOOK";
const VERSION: u8 = 1;

impl Book {
    /// The book for 7×6 that is part of the program; in a browser, once it is lent.
    pub fn embedded() -> Option<Self> {
        // Its checksum is a matter for the tests.
        Self::parse(Cow::Borrowed(shipped::bytes()?)).ok()
    }

    /// Reads a book.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, BookError> {
        if !bytes.starts_with(MAGIC) {
            return Err(BookError::Magic);
        }
        let body = bytes.len().saturating_sub(size_of::<u64>());
        let (content, sum) = bytes.split_at(body);
        if checksum(content).to_le_bytes() != sum {
            return Err(BookError::Checksum);
        }
        let book = Self::parse(Cow::Owned(bytes))?;
        if book.leads_down() { Ok(book) } else { Err(BookError::Damaged(MAGIC.len())) }
    }

    /// What stands at the end of a file with this content: nothing a forger could not work out.
    pub fn checksum(content: &[u8]) -> u64 {
        checksum(content)
    }

    /// Whether every position up to the deepest level is a few stones above a level: otherwise a
    /// look into the book would be a search of the whole game.
    fn leads_down(&self) -> bool {
        let cells = self.rules.cells() as u32;
        let steps = self.levels.windows(2).all(|pair| pair[0].stones == pair[1].stones + STEP);
        let ends = [self.levels.first(), self.levels.last()].map(|l| l.map(|level| level.stones));
        steps && matches!(ends, [Some(deepest), Some(last)] if deepest < cells && last < STEP)
    }

    /// The whole file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The game.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Stones of the deepest level: every position up to there is known.
    pub fn depth(&self) -> usize {
        self.levels.first().map_or(0, |level| level.stones as usize)
    }

    /// Positions with an entry.
    pub fn len(&self) -> u64 {
        self.levels.iter().map(|level| level.positions).sum()
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn parse(bytes: Cow<'static, [u8]>) -> Result<Self, BookError> {
        let mut reader = Reader { bytes: &bytes, at: 0 };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(BookError::Magic);
        }
        let version = reader.number(1)? as u8;
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let length = reader.number(1)? as usize;
        let damaged = BookError::Damaged(reader.at);
        let text = std::str::from_utf8(reader.take(length)?).map_err(|_| damaged.clone())?;
        let rules: Rules = text.parse().map_err(|_| damaged)?;
        let count = reader.number(1)?;
        let mut levels = Vec::new();
        for _ in 0..count {
            let start = reader.at;
            let (stones, positions) = (reader.number(1)? as u32, reader.number(8)?);
            let function = Function {
                seed: reader.number(8)?,
                segment: reader.number(4)? as u32,
                starts: reader.number(4)? as u32,
                bits: reader.number(1)? as u32,
            };
            let sound = (1..=8).contains(&function.bits)
                && function.segment.is_power_of_two()
                && function.segment <= 1 << 18
                && (1..1 << 24).contains(&function.starts);
            if !sound {
                return Err(BookError::Damaged(start));
            }
            levels.push(Level { stones, positions, function, at: 0 });
        }
        for level in &mut levels {
            level.at = reader.at;
            reader.take(level.function.bytes() as usize)?;
        }
        if reader.at + size_of::<u64>() != bytes.len() {
            return Err(BookError::Damaged(reader.at));
        }
        Ok(Self { rules, levels, bytes })
    }

    /// The book of these levels, deepest first: stones, keys and values with their bits.
    fn from_levels(rules: &Rules, levels: Vec<(u32, Vec<u128>, Vec<u8>, u32)>) -> Self {
        let text = rules.to_string();
        let mut bytes = [MAGIC, &[VERSION, text.len() as u8], text.as_bytes()].concat();
        bytes.push(levels.len() as u8);
        let mut tables = Vec::new();
        for (stones, keys, values, bits) in levels {
            let (function, table) = Function::build(&keys, &values, bits);
            bytes.push(stones as u8);
            bytes.extend((keys.len() as u64).to_le_bytes());
            bytes.extend(function.seed.to_le_bytes());
            bytes.extend(function.segment.to_le_bytes());
            bytes.extend(function.starts.to_le_bytes());
            bytes.push(function.bits as u8);
            tables.extend(table);
        }
        bytes.extend(tables);
        bytes.extend(checksum(&bytes).to_le_bytes());
        Self::parse(Cow::Owned(bytes)).expect("just written")
    }

    /// The score of a position that arose from the empty board with at most [`Self::depth`] stones.
    pub(crate) fn score<S: BoardShape>(&self, shape: S, board: &Board<S::Word>) -> Option<i32> {
        (board.stones as usize <= self.depth()).then(|| {
            let most = shape.cells() as i32;
            self.negamax(shape, board, -most, most)
        })
    }

    /// Fail-soft alpha-beta down to the next level.
    fn negamax<S: BoardShape>(
        &self,
        shape: S,
        board: &Board<S::Word>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let landing = board.landing(shape);
        if !(board.wins & landing).is_zero() {
            return win_now(shape, board.stones);
        }
        if let Resolved::Decided(score) = resolve(shape, *board) {
            return score;
        }
        if let Some(level) = self.levels.iter().find(|level| level.stones == board.stones) {
            let table = &self.bytes[level.at..];
            let key = board.canonical_key(shape).to_u128();
            return decode(shape, board.stones, level.function.get(table, key));
        }
        let forced = landing & board.threats;
        let mut moves = if forced.is_zero() { landing & !(board.threats >> 1) } else { forced };
        let mut best = i32::MIN;
        while !moves.is_zero() && best < beta {
            let cell = moves.lowest_bit();
            moves &= !cell;
            let after = board.after(shape, cell);
            best = best.max(-self.negamax(shape, &after, -beta, -alpha.max(best)));
        }
        best
    }
}

/// The number of different values at a level.
fn value_bits<S: BoardShape>(shape: S, stones: u32) -> u32 {
    let most = best_quiet(shape, stones) - worst_quiet(shape, stones);
    (most as u32).checked_ilog2().map_or(1, |log| log + 1)
}

fn encode<S: BoardShape>(shape: S, stones: u32, score: i32) -> u8 {
    (score - worst_quiet(shape, stones)) as u8
}

fn decode<S: BoardShape>(shape: S, stones: u32, value: u8) -> i32 {
    // A forged table may hold values that no score has.
    (i32::from(value) + worst_quiet(shape, stones)).min(best_quiet(shape, stones))
}

/// Eight bytes at a time, each mixed into the whole.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    }) ^ bytes.len() as u64
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], BookError> {
        let bytes = self
            .at
            .checked_add(length)
            .and_then(|end| self.bytes.get(self.at..end))
            .ok_or(BookError::Damaged(self.at))?;
        self.at += length;
        Ok(bytes)
    }

    /// A number of this many bytes.
    fn number(&mut self, length: usize) -> Result<u64, BookError> {
        let mut word = [0; 8];
        word[..length].copy_from_slice(self.take(length)?);
        Ok(u64::from_le_bytes(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BookMaker, Solver};

    fn small_book() -> Book {
        let rules: Rules = "4x4,k=4,gravity".parse().expect("rules");
        let maker = BookMaker::new(&rules, 4).expect("small");
        let mut solver = Solver::without_book(&rules).expect("small");
        let chunk = maker.solve(&mut solver, 0..maker.len(), &|| false).expect("solved");
        maker.finish(&chunk.scores).expect("made")
    }

    #[test]
    fn any_damage_is_noticed() {
        let bytes = small_book().as_bytes().to_vec();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(Book::from_bytes(damaged).is_err(), "byte {at}");
            assert!(Book::from_bytes(bytes[..at].to_vec()).is_err(), "length {at}");
        }
        assert_eq!(Book::from_bytes(b"hello".to_vec()), Err(BookError::Magic));
    }

    #[test]
    fn wrong_numbers_behind_a_right_checksum_are_refused_without_panic() {
        let bytes = small_book().as_bytes().to_vec();
        let body = bytes.len() - size_of::<u64>();
        for at in MAGIC.len()..80 {
            for value in [0, 1, 0x7f, 0xff] {
                let mut forged = bytes[..body].to_vec();
                forged[at] = value;
                forged.extend(checksum(&forged).to_le_bytes());
                // Some of these are books with other scores; none may end the program.
                let _ = Book::from_bytes(forged);
            }
        }
        // The stones of the deepest level: a book without a level in reach would have to search.
        let at = MAGIC.len() + 2 + "4x4,k=4,gravity".len() + 1;
        assert_eq!(bytes[at], 4);
        for stones in [5, 16, 200] {
            let mut forged = bytes[..body].to_vec();
            forged[at] = stones;
            forged.extend(checksum(&forged).to_le_bytes());
            assert!(matches!(Book::from_bytes(forged), Err(BookError::Damaged(_))), "{stones}");
        }
    }

    #[test]
    fn the_embedded_book_is_whole() {
        let bytes = shipped::bytes().expect("a native program has it");
        let book = Book::from_bytes(bytes.to_vec()).expect("whole");
        assert_eq!(*book.rules(), Rules::CONNECT4);
    }
}
