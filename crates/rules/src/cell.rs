//! The two smallest words of the game: a cell of the board and a player.

use std::ops::Not;

/// A cell of the board: `row * width + column`, row 0 at the bottom, column 0 at the left.
///
/// ```text
///  6  7  8      3×3: the cell in the middle is Cell(4),
///  3  4  5      a stone dropped into the right column lands on Cell(2)
///  0  1  2
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// The cell with this index; [`crate::Rules::cell`] is the checked way from coordinates.
    pub const fn new(index: usize) -> Self {
        Self(index as u16)
    }

    /// The index into anything that has one entry a cell.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cell({})", self.0)
    }
}

/// The player of the black stones, who opens, or of the white ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Places the first `q` stones.
    Black,
    /// Answers.
    White,
}

impl Player {
    /// Black, then White.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black and 1 for White: the index into anything kept per colour.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `black` or `white`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }
}

impl Not for Player {
    type Output = Self;

    fn not(self) -> Self {
        self.opponent()
    }
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
