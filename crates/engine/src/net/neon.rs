//! The kernels for 64-bit ARM, with `unsafe` for their reads and writes and one instruction alone.
//!
//! Why it is sound: NEON belongs to every 64-bit ARM processor; [`Dot`] has a private field and comes
//! from `detect` alone, so a value of it shows that the machine has the dot product; and every pointer
//! lies inside the slices whose lengths [`tile`] asserts at its start. The plain twin is
//! [`Plain`](super::kernel::Plain); the tests compare all paths bit by bit.
//!
//! ```text
//! inputs, four of one cell, repeated    a b c d  a b c d  a b c d  a b c d     16 × i8
//! weights of four outputs               . . . .  . . . .  . . . .  . . . .     16 × i8
//! products, pairs added                 ±±  ±±   ±±  ±±   ±±  ±±   ±±  ±±       8 × i16
//! pairs of those added to the sums      sum 0    sum 1    sum 2    sum 3        4 × i32
//! ```
//!
//! The dot product (`sdot`, ARMv8.2 and later, every Apple processor) does the last two lines at once.
//! Its intrinsic is not in the oldest compiler we build with, so it is written as what it is.

use std::arch::aarch64::{
    int8x16_t, int32x4_t, vdupq_n_s32, vget_low_s8, vld1q_s8, vmull_high_s8, vmull_s8, vpadalq_s16,
    vpaddq_s16, vreinterpretq_s8_s32, vst1q_s32,
};
use std::arch::{asm, is_aarch64_feature_detected};

use super::kernel::{Kernel, MOST_COLUMNS};
use super::{Convolution, GROUP};

/// What every processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neon;

/// Shows that the machine has the dot product.
#[derive(Clone, Copy, Debug)]
pub struct Dot(());

impl Dot {
    pub(super) fn detect() -> Option<Self> {
        is_aarch64_feature_detected!("dotprod").then_some(Self(()))
    }
}

/// Four products of bytes into each of four sums.
trait Multiply: Copy {
    fn add(self, total: int32x4_t, inputs: int8x16_t, weights: int8x16_t) -> int32x4_t;
}

impl Multiply for Neon {
    #[inline(always)]
    fn add(self, total: int32x4_t, inputs: int8x16_t, weights: int8x16_t) -> int32x4_t {
        // SAFETY: NEON belongs to every processor of this architecture.
        unsafe {
            let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
            let high = vmull_high_s8(inputs, weights);
            // At most 2 · 127 · 127: no sum of two overflows.
            vpadalq_s16(total, vpaddq_s16(low, high))
        }
    }
}

impl Multiply for Dot {
    #[inline(always)]
    fn add(self, mut total: int32x4_t, inputs: int8x16_t, weights: int8x16_t) -> int32x4_t {
        // SAFETY: `self` shows that the machine has the instruction, which touches these registers alone.
        unsafe {
            asm!(
                ".arch_extension dotprod",
                "sdot {total:v}.4s, {inputs:v}.16b, {weights:v}.16b",
                total = inout(vreg) total,
                inputs = in(vreg) inputs,
                weights = in(vreg) weights,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        total
    }
}

/// Registers that hold the 32 sums of a cell.
const PARTS: usize = GROUP / 4;

impl<M: Multiply> Kernel for M {
    #[inline(always)]
    fn tile(
        self,
        columns: usize,
        rows: [&[u8]; 3],
        by: &Convolution,
        group: usize,
        sums: &mut [[i32; GROUP]; MOST_COLUMNS],
    ) {
        let (channels, weights) = (by.norm.scale.len(), by.group(group));
        // Two cells at a time: sixteen of 32 registers hold their sums.
        let mut column = 0;
        while column < columns {
            let rows = rows.map(|row| &row[column * channels..]);
            match &mut sums[column..columns.min(column + 2)] {
                pair @ [_, _] => tile::<2, M>(self, rows, channels, weights, pair),
                one => tile::<1, M>(self, rows, channels, weights, one),
            }
            column += 2;
        }
    }
}

#[inline(always)]
fn tile<const COLUMNS: usize, M: Multiply>(
    multiply: M,
    rows: [&[u8]; 3],
    channels: usize,
    weights: &[i8],
    sums: &mut [[i32; GROUP]],
) {
    assert!(channels.is_multiple_of(4) && weights.len() >= 9 * channels * GROUP);
    assert!(rows.iter().all(|row| row.len() >= (COLUMNS + 2) * channels));
    // SAFETY: NEON belongs to every processor of this architecture.
    let mut total: [[int32x4_t; PARTS]; COLUMNS] = [[unsafe { vdupq_n_s32(0) }; PARTS]; COLUMNS];
    let mut weight = weights.as_ptr();
    for row in rows {
        for dx in 0..3 {
            for four in (0..channels).step_by(4) {
                // SAFETY: 9 · channels / 4 steps of 128 bytes lie inside `weights`, and
                // `(column + dx) · channels + four + 3 < (COLUMNS + 2) · channels` inside each row.
                unsafe {
                    let input = row.as_ptr().add(dx * channels + four);
                    let inputs: [_; COLUMNS] = std::array::from_fn(|column| {
                        let four = input.add(column * channels).cast::<i32>().read_unaligned();
                        vreinterpretq_s8_s32(vdupq_n_s32(four))
                    });
                    for part in 0..PARTS {
                        let weights = vld1q_s8(weight.add(16 * part));
                        for column in 0..COLUMNS {
                            let sums = &mut total[column][part];
                            *sums = multiply.add(*sums, inputs[column], weights);
                        }
                    }
                    weight = weight.add(4 * GROUP);
                }
            }
        }
    }
    for (sums, total) in sums.iter_mut().zip(&total) {
        for (sums, &total) in sums.as_chunks_mut::<4>().0.iter_mut().zip(total) {
            // SAFETY: a chunk of four sums is one register.
            unsafe { vst1q_s32(sums.as_mut_ptr(), total) };
        }
    }
}
