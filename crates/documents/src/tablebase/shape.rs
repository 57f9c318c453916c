//! The shape of a connection: which of its cells hold a stone, and the number Φ that names it.
//!
//! Xu, Ma and Xu ("A method to construct knowledge table-base in k-in-a-row games", SAC 2009)
//! read a shape as a binary number: one bit per cell, the head of the connection the lowest bit. On
//! paper the head is at the right, so a shape is written like the number it is:
//!
//! ```text
//! XX.XX...   length 8, bits 1101 1000 = 216
//! ```
//!
//! All shapes of length k … n then get consecutive numbers: Φ = 2^length − 2^k + bits.

use std::fmt;

use thiserror::Error;

/// The row length and the stones per turn: all that a line needs to know of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRules {
    k: u8,
    p: u8,
}

/// The stones on a run of cells without opposing stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    length: u8,
    stones: u64,
}

/// Why there is no such shape, or no such table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// `k` is out of range.
    #[error("k = {0} is out of range: a row takes 2 to 64 stones")]
    RowLength(usize),
    /// `p` is out of range for this `k`.
    #[error(
        "p = {p} is out of range: with k = {k} a turn takes 1 to {most} stones, \
         else the first turn would win",
        most = k - 1
    )]
    StonesPerTurn {
        /// Stones in a row that win.
        k: usize,
        /// Stones a turn asked for.
        p: usize,
    },
    /// A run too short to matter or too long for a machine word.
    #[error("a shape of {length} cells is out of range: with k = {k} it takes {k} to 64 cells")]
    Length {
        /// Cells asked for.
        length: usize,
        /// Stones in a row that win.
        k: usize,
    },
    /// A sign that is neither a stone nor an empty cell.
    #[error(
        "{sign:?} at place {place} is not a cell of a shape: write X for a stone, . for an empty cell"
    )]
    Sign {
        /// The sign.
        sign: char,
        /// Where it stands, from 1.
        place: usize,
    },
    /// Tables for lines shorter than a row, or larger than memory should hold.
    #[error(
        "n = {n} is out of range: with k = {k} tables are built for lines of {k} to {most} cells"
    )]
    LineLength {
        /// Line length asked for.
        n: usize,
        /// Stones in a row that win.
        k: usize,
        /// The longest line.
        most: usize,
    },
}

impl LineRules {
    /// Six in a row, two stones per turn: the game of the paper.
    pub const CONNECT6: Self = Self { k: 6, p: 2 };

    /// Checks the numbers.
    pub const fn new(k: usize, p: usize) -> Result<Self, ShapeError> {
        if k < 2 || k > 64 {
            return Err(ShapeError::RowLength(k));
        }
        if p == 0 || p >= k {
            return Err(ShapeError::StonesPerTurn { k, p });
        }
        Ok(Self { k: k as u8, p: p as u8 })
    }

    /// Stones in a row that win.
    pub const fn k(&self) -> usize {
        self.k as usize
    }

    /// Stones a turn.
    pub const fn p(&self) -> usize {
        self.p as usize
    }

    /// Own stones from which one turn wins.
    pub const fn threat(&self) -> usize {
        (self.k - self.p) as usize
    }

    /// Number of shapes of lengths k … n.
    pub const fn shapes_up_to(&self, n: usize) -> u128 {
        (1 << (n + 1)) - (1 << self.k)
    }
}

impl Shape {
    /// A shape from its length and bits; bits beyond the length are dropped.
    pub const fn new(k: usize, length: usize, stones: u64) -> Result<Self, ShapeError> {
        if length < k || length > 64 {
            return Err(ShapeError::Length { length, k });
        }
        Ok(Self { length: length as u8, stones: stones & low(length) })
    }

    /// Reads a shape as it is written: `X` a stone, `.` an empty cell, the head at the right.
    ///
    /// ```
    /// use collinear_documents::tablebase::Shape;
    ///
    /// let shape = Shape::parse(6, "XX.XX...")?;
    /// assert_eq!((shape.length(), shape.stones()), (8, 216));
    /// assert_eq!(shape.phi(6), 408);
    /// # Ok::<(), collinear_documents::tablebase::ShapeError>(())
    /// ```
    pub fn parse(k: usize, text: &str) -> Result<Self, ShapeError> {
        let mut stones = 0;
        let mut length = 0;
        for (place, sign) in text.trim().chars().enumerate() {
            let stone = match sign {
                'X' | 'x' => 1,
                '.' => 0,
                _ => return Err(ShapeError::Sign { sign, place: place + 1 }),
            };
            stones = stones << 1 | stone;
            length += 1;
        }
        Self::new(k, length, stones)
    }

    /// Cells of the shape.
    pub const fn length(&self) -> usize {
        self.length as usize
    }

    /// One bit per cell, the head the lowest.
    pub const fn stones(&self) -> u64 {
        self.stones
    }

    /// Whether the cell at this distance from the head holds a stone.
    pub const fn has_stone(&self, index: usize) -> bool {
        self.stones >> index & 1 != 0
    }

    /// The shape with one more stone, `index` cells from the head.
    #[must_use]
    pub const fn place(self, index: usize) -> Self {
        debug_assert!(index < self.length());
        Self { stones: self.stones | 1 << index, ..self }
    }

    /// The empty cells, as bits.
    pub const fn empties(&self) -> u64 {
        !self.stones & low(self.length())
    }

    /// The same shape seen from its other end.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { stones: self.stones.reverse_bits() >> (64 - self.length as u32), ..self }
    }

    /// Φ: the number of this shape among all shapes of length `k` and more.
    pub const fn phi(&self, k: usize) -> u128 {
        (1 << self.length) - (1 << k) + self.stones as u128
    }

    /// The shape with this number; none where lines would be longer than 64.
    pub fn from_phi(k: usize, phi: u128) -> Option<Self> {
        let above = phi.checked_add(1 << k)?;
        let length = above.checked_ilog2()? as usize;
        let stones = (above - (1 << length)) as u64;
        Self::new(k, length, stones).ok()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signs = (0..self.length()).rev().map(|i| if self.has_stone(i) { 'X' } else { '.' });
        f.pad(&signs.collect::<String>())
    }
}

/// The lowest `n` bits, `n` from 1 to 64.
pub(crate) const fn low(n: usize) -> u64 {
    u64::MAX >> (64 - n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_paper() {
        // §2.3: shape 216 of lengths 8 and 11 has the numbers 408 and 2200.
        for (length, phi) in [(8, 408), (11, 2200)] {
            let shape = Shape::new(6, length, 216).expect("a shape");
            assert_eq!(shape.phi(6), phi);
            assert_eq!(Shape::from_phi(6, phi), Some(shape));
        }
    }

    #[test]
    fn phi_numbers_all_shapes_without_a_gap() {
        for (k, n) in [(2, 8), (6, 12), (5, 11)] {
            let shapes = (k..=n).flat_map(|length| {
                (0..1_u64 << length).map(move |bits| Shape::new(k, length, bits).expect("a shape"))
            });
            let mut count = 0;
            for (number, shape) in shapes.enumerate() {
                assert_eq!(shape.phi(k), number as u128);
                assert_eq!(Shape::from_phi(k, number as u128), Some(shape));
                count += 1;
            }
            let rules = LineRules::new(k, 1).expect("valid");
            assert_eq!(count, rules.shapes_up_to(n));
        }
        let longest = Shape::new(6, 64, u64::MAX).expect("a shape");
        assert_eq!(Shape::from_phi(6, longest.phi(6)), Some(longest));
        assert_eq!(Shape::from_phi(6, longest.phi(6) + 1), None);
        assert_eq!(Shape::from_phi(6, u128::MAX), None);
    }

    #[test]
    fn sizes_of_the_papers_table_2() {
        // Table 2 in units of 1024; for 19×19 it prints 999.94 K where 1023.94 K is right.
        let size = |k, n| LineRules::new(k, 1).expect("valid").shapes_up_to(n);
        assert_eq!(size(6, 19), 1_048_512);
        assert_eq!(size(6, 13), 16_320);
        assert_eq!(size(6, 15), 65_472);
        assert_eq!(size(5, 15), 65_504);
    }

    #[test]
    fn text_and_mirror() {
        let shape = Shape::parse(4, " X..xX. ").expect("a shape");
        assert_eq!(shape.to_string(), "X..XX.");
        assert_eq!(shape.mirrored().to_string(), ".XX..X");
        assert_eq!(shape.place(0).to_string(), "X..XXX");
        let whole = "X".repeat(64);
        assert_eq!(Shape::parse(4, &whole).expect("a shape").to_string(), whole);
    }

    #[test]
    fn what_is_no_shape_is_refused_with_a_reason() {
        let refusal = |k, text: &str| Shape::parse(k, text).expect_err(text).to_string();
        assert!(refusal(6, "XX.O...").contains("'O' at place 4"));
        assert!(refusal(6, "XX...").contains("6 to 64"));
        assert!(refusal(6, "").contains("shape of 0 cells"));
        assert!(refusal(6, &".".repeat(65)).contains("shape of 65 cells"));
        assert!(LineRules::new(1, 1).is_err() && LineRules::new(65, 1).is_err());
        let error = LineRules::new(6, 6).expect_err("p = k").to_string();
        assert!(error.contains("1 to 5"), "{error}");
    }
}
