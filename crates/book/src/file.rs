//! The bytes of a book.
//!
//! ```text
//! COLBOOK\0  version u16  length u8 + rules text  turns u16  games u32  positions u32
//! then each position, by key:
//!   to move u8  stones left u8  Black's and White's stones: number u16, then x y i8 for each
//!   wins ties losses u32  links u16
//!   each link: length u8, then x y i8 for each stone, number of the next position u32
//! checksum u64 (FNV-1a of everything before)          all numbers little-endian
//! ```

use std::collections::HashMap;

use collinear_rules::Rules;
use collinear_rules::hash::fnv1a;
use thiserror::Error;

use crate::frame::{Key, Spot};
use crate::graph::{Book, Node, Tally};

const MAGIC: &[u8; 8] = b"COLBOOK\0";
const VERSION: u16 = 2;

/// Why bytes are not a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The first bytes are not those of a book.
    #[error("this is not an opening book: it does not begin with COLBOOK")]
    NotABook,
    /// A book of another version of this program.
    #[error(
        "this is an opening book of version {found}, this program reads version {VERSION}: build it again with `collinear book build`"
    )]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The file ends too early.
    #[error("the opening book is cut off after {0} bytes: copy or build it again")]
    Truncated(usize),
    /// The checksum does not fit.
    #[error("the opening book is damaged (its checksum does not fit): copy or build it again")]
    Damaged,
    /// The rules in the file are none.
    #[error("the opening book names a game that does not exist: {0}")]
    Rules(String),
    /// A book for another game.
    #[error("the opening book is for {book}, not for {wanted}")]
    OtherRules {
        /// The book's game.
        book: Rules,
        /// The game asked for.
        wanted: Rules,
    },
}

impl Book {
    /// The book as bytes; equal books give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let rules = self.rules().to_string();
        bytes.push(rules.len() as u8);
        bytes.extend(rules.as_bytes());
        bytes.extend(self.turns.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
        bytes.extend((self.nodes.len() as u32).to_le_bytes());
        let mut keys: Vec<&Key> = self.nodes.keys().collect();
        keys.sort_unstable();
        for key in &keys {
            let Node { tally, links } = &self.nodes[*key];
            bytes.extend([key.to_move, key.left]);
            for stones in &key.stones {
                bytes.extend((stones.len() as u16).to_le_bytes());
                bytes.extend(stones.iter().flat_map(|&(x, y)| [x as u8, y as u8]));
            }
            for count in [tally.wins, tally.ties, tally.losses] {
                bytes.extend(count.to_le_bytes());
            }
            let most = usize::from(u16::MAX);
            // A link to a position that is not in the book says nothing and is left out.
            let links = links
                .iter()
                .filter_map(|(label, next)| Some((label, keys.binary_search(&next).ok()? as u32)));
            let links: Vec<_> = links.take(most).collect();
            bytes.extend((links.len() as u16).to_le_bytes());
            for (label, next) in links {
                bytes.push(label.len() as u8);
                bytes.extend(label.iter().flat_map(|&(x, y)| [x as u8, y as u8]));
                bytes.extend(next.to_le_bytes());
            }
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a book back.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let mut reader = Reader { bytes, at: 0 };
        if bytes.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
            return Err(BookError::NotABook);
        }
        reader.at = MAGIC.len();
        let found = u16::from_le_bytes(reader.take()?);
        if found != VERSION {
            return Err(BookError::Version { found });
        }
        let length = usize::from(reader.take::<1>()?[0]);
        let text = String::from_utf8_lossy(reader.slice(length)?).into_owned();
        let turns = u16::from_le_bytes(reader.take()?);
        let games = u32::from_le_bytes(reader.take()?);
        let count = u32::from_le_bytes(reader.take()?);
        // No allocation ahead of the data: a damaged count cannot ask for gigabytes.
        let mut read = Vec::new();
        for _ in 0..count {
            let key = Key {
                to_move: reader.take::<1>()?[0],
                left: reader.take::<1>()?[0],
                stones: [reader.stones()?, reader.stones()?],
            };
            let mut number = || reader.take().map(u32::from_le_bytes);
            let tally = Tally { wins: number()?, ties: number()?, losses: number()? };
            let mut links = Vec::new();
            for _ in 0..u16::from_le_bytes(reader.take()?) {
                let stones = usize::from(reader.take::<1>()?[0]);
                links.push((reader.spots(stones)?, u32::from_le_bytes(reader.take()?)));
            }
            read.push((key, tally, links));
        }
        let end = reader.at;
        let sum = u64::from_le_bytes(reader.take()?);
        if sum != fnv1a(&bytes[..end]) || reader.at != bytes.len() {
            return Err(BookError::Damaged);
        }
        let keys: Vec<Key> = read.iter().map(|(key, ..)| key.clone()).collect();
        let mut nodes = HashMap::new();
        for (key, tally, links) in read {
            let links = links.into_iter().map(|(label, next)| {
                let next = keys.get(next as usize).cloned().ok_or(BookError::Damaged)?;
                Ok((label, next))
            });
            nodes.insert(key, Node { tally, links: links.collect::<Result<_, BookError>>()? });
        }
        let rules = text.parse().map_err(|_| BookError::Rules(text))?;
        Ok(Self { rules, turns, games, nodes })
    }

    /// Reads a book that must be for this game.
    pub fn for_rules(bytes: &[u8], wanted: &Rules) -> Result<Self, BookError> {
        let book = Self::from_bytes(bytes)?;
        if book.rules() != wanted {
            return Err(BookError::OtherRules { book: *book.rules(), wanted: *wanted });
        }
        Ok(book)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], BookError> {
        let truncated = BookError::Truncated(self.bytes.len());
        let end = self.at.checked_add(length).ok_or_else(|| truncated.clone())?;
        let slice = self.bytes.get(self.at..end).ok_or(truncated)?;
        self.at = end;
        Ok(slice)
    }

    /// The stones of one colour.
    fn stones(&mut self) -> Result<Vec<Spot>, BookError> {
        let count = u16::from_le_bytes(self.take()?);
        self.spots(usize::from(count))
    }

    fn spots(&mut self, count: usize) -> Result<Vec<Spot>, BookError> {
        let pairs = self.slice(2 * count)?.chunks_exact(2);
        Ok(pairs.map(|xy| (xy[0] as i8, xy[1] as i8)).collect())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], BookError> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(N)?);
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Cell, Player};

    use super::*;

    fn sample() -> Book {
        let mut book = Book::new(Rules::GOMOKU, 6);
        for (moves, winner) in [
            (&[112, 113, 97, 98, 127][..], Some(Player::Black)),
            (&[112, 96, 97][..], Some(Player::White)),
            (&[0][..], None),
        ] {
            let moves: Vec<Cell> = moves.iter().copied().map(Cell::new).collect();
            book.add(&moves, winner).expect("legal");
        }
        book
    }

    #[test]
    fn a_book_comes_back_as_it_went() {
        let book = sample();
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes).as_ref(), Ok(&book));
        assert_eq!(Book::for_rules(&bytes, &Rules::GOMOKU), Ok(book));
        let other = Book::for_rules(&bytes, &Rules::CONNECT6).expect_err("another game");
        assert!(other.to_string().contains("is for 15x15,k=5, not for 19x19"), "{other}");
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_refused() {
        let bytes = sample().to_bytes();
        for length in 0..bytes.len() {
            assert!(Book::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x41;
            assert!(Book::from_bytes(&changed).is_err(), "byte {at}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(Book::from_bytes(&longer), Err(BookError::Damaged));
        let mut newer = bytes;
        newer[8] = 9;
        assert_eq!(Book::from_bytes(&newer), Err(BookError::Version { found: 9 }));
        assert_eq!(Book::from_bytes(b"PK\x03\x04"), Err(BookError::NotABook));
    }
}
