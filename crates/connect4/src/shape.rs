//! Width, height and row length of a board as the bit tricks need them.
//!
//! A column takes `stride` bits, at least one more than its cells, so that nothing that is shifted
//! sideways ever reaches a cell of another row:
//!
//! ```text
//!  7 15 23 31 39 47 55      7×6 with the stride 8 it has here:
//!  6 14 22 30 38 46 54      the two top rows are never occupied;
//!  ─────────────────────    row 6 takes the carry of a full column
//!  5 13 21 29 37 45 53
//!  4 12 20 28 36 44 52      a step to the right is a shift by 8,
//!  3 11 19 27 35 43 51      up by 1, diagonally by 9 and 7;
//!  2 10 18 26 34 42 50      the mirror image is a swap of the bytes
//!  1  9 17 25 33 41 49
//!  0  8 16 24 32 40 48
//! ```
//!
//! [`Fixed`] makes everything a constant of the compiler (the board everyone plays), [`Sized`]
//! carries the same numbers as data (every other board): one search, written once for both.

use collinear_rules::Rules;
use thiserror::Error;

use crate::word::Word;

/// A board's measures and masks.
pub(crate) trait BoardShape: Copy + Send + Sync + 'static {
    type Word: Word;

    fn width(self) -> u32;
    fn height(self) -> u32;
    /// Stones in a row that win.
    fn k(self) -> u32;
    /// Bits a column.
    fn stride(self) -> u32;
    /// The lowest cell of every column.
    fn bottom(self) -> Self::Word;
    /// Every cell.
    fn full(self) -> Self::Word;
    /// The top cell of every column and every second one below it: what the player gets who always
    /// answers in the same column.
    fn follow_up(self) -> Self::Word;

    #[inline(always)]
    fn cells(self) -> u32 {
        self.width() * self.height()
    }

    /// Up, right, and both diagonals, as distances between bits; only up on a board too narrow for
    /// any other row. So `k − 1` steps stay below the bits of the word: with `width ≥ k` they are
    /// at most `(k − 1)(stride + 1) < k · stride ≤ width · stride` where `stride ≥ k`, and below 32
    /// where it is not.
    #[inline(always)]
    fn directions(self) -> [u32; 4] {
        if self.width() < self.k() {
            return [1; 4];
        }
        [1, self.stride(), self.stride() - 1, self.stride() + 1]
    }

    /// Every bit of a column, those above the board included.
    #[inline(always)]
    fn column(self, column: u32) -> Self::Word {
        let low = (Self::Word::ONE << (self.stride() - 1)) - Self::Word::ONE;
        (low | (low + Self::Word::ONE)) << (column * self.stride())
    }

    /// These cells and all above them, given one or more cells per column.
    #[inline(always)]
    fn up_from(self, cells: Self::Word) -> Self::Word {
        // In a column 2^height − 2^row has the bits from the row up.
        (((self.bottom() << self.height()) - cells) | cells) & self.full()
    }

    /// Bits of a key: all columns.
    #[inline(always)]
    fn key_bits(self) -> u32 {
        self.width() * self.stride()
    }

    /// The image under left-right reflection.
    #[inline(always)]
    fn mirror(self, bits: Self::Word) -> Self::Word {
        if self.stride() == 8 {
            return bits.swap_bytes() >> (Self::Word::BITS - self.key_bits());
        }
        let mut image = Self::Word::ZERO;
        for column in 0..self.width() {
            let moved = (bits & self.column(column)) >> (column * self.stride());
            image |= moved << ((self.width() - 1 - column) * self.stride());
        }
        image
    }
}

/// A board known to the compiler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed<const W: u32, const H: u32, const K: u32>;

impl<const W: u32, const H: u32, const K: u32> Fixed<W, H, K> {
    const STRIDE: u32 = stride(W, H, u64::BITS);
    const BOTTOM: u64 = rows(W, Self::STRIDE, 1) as u64;
    const FULL: u64 = rows(W, Self::STRIDE, (1 << H) - 1) as u64;
    const FOLLOW_UP: u64 = rows(W, Self::STRIDE, follow_up_column(H)) as u64;
}

impl<const W: u32, const H: u32, const K: u32> BoardShape for Fixed<W, H, K> {
    type Word = u64;

    #[inline(always)]
    fn width(self) -> u32 {
        W
    }

    #[inline(always)]
    fn height(self) -> u32 {
        H
    }

    #[inline(always)]
    fn k(self) -> u32 {
        K
    }

    #[inline(always)]
    fn stride(self) -> u32 {
        Self::STRIDE
    }

    #[inline(always)]
    fn bottom(self) -> u64 {
        Self::BOTTOM
    }

    #[inline(always)]
    fn full(self) -> u64 {
        Self::FULL
    }

    #[inline(always)]
    fn follow_up(self) -> u64 {
        Self::FOLLOW_UP
    }
}

/// A board given as data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sized<W> {
    width: u8,
    height: u8,
    k: u8,
    stride: u8,
    bottom: W,
    full: W,
    follow_up: W,
}

impl<W: Word> Sized<W> {
    /// The shape of these rules, which [`check`] has accepted for words this wide.
    pub(crate) fn new(rules: &Rules) -> Self {
        let (width, height) = (rules.width() as u32, rules.height() as u32);
        let stride = stride(width, height, W::BITS);
        Self {
            width: width as u8,
            height: height as u8,
            k: rules.k() as u8,
            stride: stride as u8,
            bottom: W::from_u128(rows(width, stride, 1)),
            full: W::from_u128(rows(width, stride, (1 << height) - 1)),
            follow_up: W::from_u128(rows(width, stride, follow_up_column(height))),
        }
    }
}

impl<W: Word> BoardShape for Sized<W> {
    type Word = W;

    #[inline(always)]
    fn width(self) -> u32 {
        u32::from(self.width)
    }

    #[inline(always)]
    fn height(self) -> u32 {
        u32::from(self.height)
    }

    #[inline(always)]
    fn k(self) -> u32 {
        u32::from(self.k)
    }

    #[inline(always)]
    fn stride(self) -> u32 {
        u32::from(self.stride)
    }

    #[inline(always)]
    fn bottom(self) -> W {
        self.bottom
    }

    #[inline(always)]
    fn full(self) -> W {
        self.full
    }

    #[inline(always)]
    fn follow_up(self) -> W {
        self.follow_up
    }
}

/// Runs an expression with the shape of these rules: one compiled copy each for the board everyone
/// plays, for boards of 64 bits and for boards of 128.
macro_rules! with_shape {
    ($rules:expr, |$shape:ident| $body:expr) => {
        match $crate::shape::check($rules) {
            Err(reason) => Err(reason),
            Ok(_) if *$rules == ::collinear_rules::Rules::CONNECT4 => {
                let $shape = $crate::shape::Fixed::<7, 6, 4>;
                Ok($body)
            }
            Ok(bits) if bits <= u64::BITS => {
                let $shape = $crate::shape::Sized::<u64>::new($rules);
                Ok($body)
            }
            Ok(_) => {
                let $shape = $crate::shape::Sized::<u128>::new($rules);
                Ok($body)
            }
        }
    };
}
pub(crate) use with_shape;

/// Why the solver does not know a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Stones do not fall, or a turn has several.
    #[error("the solver knows gravity games with one stone per turn; {0} is another game")]
    Game(Rules),
    /// The row length is out of range.
    #[error("the solver knows 3 to 6 in a row, not {0}")]
    RowLength(usize),
    /// The board does not fit in 128 bits.
    #[error(
        "a board of {width}x{height} is too large to solve: width times (height + 1) may be at most 128"
    )]
    TooLarge {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
}

/// Bits a board needs, or why the solver does not know the game.
pub(crate) fn check(rules: &Rules) -> Result<u32, Unsupported> {
    let one_stone = rules.p() == 1 && rules.q() == 1;
    if !rules.gravity() || !one_stone || !rules.overlines_win() {
        return Err(Unsupported::Game(*rules));
    }
    if !(3..=6).contains(&rules.k()) {
        return Err(Unsupported::RowLength(rules.k()));
    }
    let (width, height) = (rules.width(), rules.height());
    let bits = width * (height + 1);
    if bits > 128 { Err(Unsupported::TooLarge { width, height }) } else { Ok(bits as u32) }
}

/// a byte per column where that fits: mirroring is then one instruction.
const fn stride(width: u32, height: u32, bits: u32) -> u32 {
    if height < 8 && width * 8 <= bits { 8 } else { height + 1 }
}

/// The same rows of every column.
const fn rows(width: u32, stride: u32, column: u128) -> u128 {
    let mut all = 0;
    let mut at = 0;
    while at < width {
        all |= column << (at * stride);
        at += 1;
    }
    all
}

/// The top cell and every second one below it.
const fn follow_up_column(height: u32) -> u128 {
    let mut column = 0;
    let mut above = 0;
    while above < height {
        column |= 1 << (height - 1 - above);
        above += 2;
    }
    column
}
