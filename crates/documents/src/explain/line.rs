//! A line of a board as people write it: `..XX.O`, Black's stones `X` and White's `O`.

use std::fmt;

use collinear_rules::Player;
use serde::Serialize;
use thiserror::Error;

/// The stones of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LineStones {
    /// Black's and White's stones, a bit per tile, the first tile lowest.
    stones: [u64; 2],
    length: usize,
}

/// Why a text is not a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// A sign that is neither a stone nor an empty tile.
    #[error("{sign:?} at place {place} is neither X, O nor .")]
    Sign {
        /// The sign.
        sign: char,
        /// Its place, from 1.
        place: usize,
    },
    /// No tile, or more than a board has.
    #[error("a line has 1 to {most} tiles, not {length}")]
    Length {
        /// Tiles given.
        length: usize,
        /// The most there can be.
        most: usize,
    },
}

impl LineStones {
    /// The longest line of a board.
    pub const MAX_LENGTH: usize = 64;

    /// Reads a line.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        let mut line = Self { stones: [0; 2], length: 0 };
        for sign in text.chars() {
            let stone = match sign {
                '.' => None,
                'X' | 'x' => Some(0),
                'O' | 'o' => Some(1),
                _ => return Err(LineError::Sign { sign, place: line.length + 1 }),
            };
            if let Some(colour) = stone
                && line.length < Self::MAX_LENGTH
            {
                line.stones[colour] |= 1 << line.length;
            }
            line.length += 1;
        }
        if (1..=Self::MAX_LENGTH).contains(&line.length) {
            Ok(line)
        } else {
            Err(LineError::Length { length: line.length, most: Self::MAX_LENGTH })
        }
    }

    /// Tiles of the line.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Black's and White's stones, a bit per tile.
    pub const fn stones(&self) -> [u64; 2] {
        self.stones
    }

    /// Whose stone is there.
    pub fn at(&self, tile: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()] >> tile & 1 != 0)
    }
}

impl fmt::Display for LineStones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.length).try_for_each(|tile| {
            f.write_str(match self.at(tile) {
                None => ".",
                Some(Player::Black) => "X",
                Some(Player::White) => "O",
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_refused() {
        let line = LineStones::parse("..XxO.").expect("a line");
        assert_eq!((line.to_string().as_str(), line.length()), ("..XXO.", 6));
        assert_eq!(LineStones::parse("..1"), Err(LineError::Sign { sign: '1', place: 3 }));
        assert!(matches!(LineStones::parse(""), Err(LineError::Length { length: 0, .. })));
        assert!(matches!(LineStones::parse(&".".repeat(65)), Err(LineError::Length { .. })));
        assert!(LineStones::parse(&"X".repeat(64)).is_ok());
    }
}
