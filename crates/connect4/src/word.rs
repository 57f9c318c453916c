//! The machine word a board lives in: `u64` where it fits, `u128` beyond.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr, Sub};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the solver asks of a word; both implementors are plain integers.
pub(crate) trait Word:
    Copy
    + Debug
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// A cache line of entries of the transposition table that threads may share.
    type Line: Line<Self>;

    /// Bits of the word.
    const BITS: u32;
    const ZERO: Self;
    const ONE: Self;
    /// An odd number with about half of its bits set: multiplying by it permutes the words and
    /// lets every bit of the key reach the top bits.
    const MIX: Self;

    fn count(self) -> u32;
    fn lowest(self) -> u32;
    fn times(self, factor: Self) -> Self;
    /// The bytes in reverse order.
    fn swap_bytes(self) -> Self;
    fn low_u64(self) -> u64;
    fn from_u64(low: u64) -> Self;
    fn to_u128(self) -> u128;
    /// Keeps the low bits.
    fn from_u128(wide: u128) -> Self;

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// More than one bit is set.
    #[inline(always)]
    fn several(self) -> bool {
        !self.is_zero() && !(self & (self - Self::ONE)).is_zero()
    }

    /// The lowest bit alone.
    #[inline(always)]
    fn lowest_bit(self) -> Self {
        self & (!self + Self::ONE)
    }
}

macro_rules! word {
    ($type:ty, $line:ty, $mix:expr) => {
        impl Word for $type {
            type Line = $line;
            const BITS: u32 = <$type>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MIX: Self = $mix;

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn times(self, factor: Self) -> Self {
                self.wrapping_mul(factor)
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                self.swap_bytes()
            }

            #[inline(always)]
            fn low_u64(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn from_u64(low: u64) -> Self {
                Self::from(low)
            }

            #[inline(always)]
            fn to_u128(self) -> u128 {
                u128::from(self)
            }

            #[inline(always)]
            fn from_u128(wide: u128) -> Self {
                wide as Self
            }

            #[inline(always)]
            fn several(self) -> bool {
                self & self.wrapping_sub(1) != 0
            }

            #[inline(always)]
            fn lowest_bit(self) -> Self {
                self & self.wrapping_neg()
            }
        }
    };
}

word!(u64, Line64, 0x9e37_79b9_7f4a_7c15);
word!(u128, Line128, 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);

/// A cache line of words. Loads and stores are relaxed: every entry speaks for itself.
pub(crate) trait Line<W>: Default + Send + Sync {
    /// Words in a line.
    const LENGTH: usize;

    fn load(&self, at: usize) -> W;
    fn store(&self, at: usize, word: W);
}

/// Eight words of 64 bits.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Line64([AtomicU64; 8]);

impl Line<u64> for Line64 {
    const LENGTH: usize = 8;

    #[inline(always)]
    fn load(&self, at: usize) -> u64 {
        self.0[at].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn store(&self, at: usize, word: u64) {
        self.0[at].store(word, Ordering::Relaxed);
    }
}

/// Four words of 128 bits, each in two halves that two threads may write at the same time. The high
/// half is kept exclusive-or the low one: halves of two different words decode to a third, whose key
/// no position has but by a chance of one in 2⁶⁴.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Line128([[AtomicU64; 2]; 4]);

impl Line<u128> for Line128 {
    const LENGTH: usize = 4;

    #[inline(always)]
    fn load(&self, at: usize) -> u128 {
        let [low, high] = &self.0[at];
        let low = low.load(Ordering::Relaxed);
        u128::from(high.load(Ordering::Relaxed) ^ low) << 64 | u128::from(low)
    }

    #[inline(always)]
    fn store(&self, at: usize, word: u128) {
        let [low, high] = &self.0[at];
        low.store(word as u64, Ordering::Relaxed);
        high.store((word >> 64) as u64 ^ word as u64, Ordering::Relaxed);
    }
}
