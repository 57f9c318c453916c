//! The kernel for browsers with relaxed SIMD, with `unsafe` for its reads and writes alone.
//!
//! The dot product of signed bytes with bytes of seven bits is what the network was made for: what
//! differs between processors is how larger numbers saturate, so every browser computes the same
//! integers. Whether it does, `golden` asks.
//!
//! Why it is sound: a module with these instructions is refused as a whole where they are missing, and
//! every pointer lies inside the slices whose lengths [`tile`] asserts at its start. The plain twin is
//! [`Plain`](super::kernel::Plain).

use std::arch::wasm32::{
    i32x4_relaxed_dot_i8x16_i7x16_add, i32x4_splat, v128, v128_load, v128_store,
};

use super::forward::{Scratch, forward};
use super::kernel::{Kernel, MOST_COLUMNS};
use super::{Convolution, GROUP, Net};

/// Registers that hold the 32 sums of a cell.
const PARTS: usize = GROUP / 4;

/// The module that has it was compiled for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relaxed;

impl Relaxed {
    #[target_feature(enable = "relaxed-simd")]
    pub(super) fn forward(
        self,
        net: &Net,
        scratch: &mut Scratch,
        board: &[u8],
        one_left: bool,
    ) -> f32 {
        forward(self, net, scratch, board, one_left)
    }
}

impl Kernel for Relaxed {
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
        // Two cells at a time: sixteen registers hold their sums.
        let mut column = 0;
        while column < columns {
            let rows = rows.map(|row| &row[column * channels..]);
            match &mut sums[column..columns.min(column + 2)] {
                pair @ [_, _] => tile::<2>(rows, channels, weights, pair),
                one => tile::<1>(rows, channels, weights, one),
            }
            column += 2;
        }
    }
}

#[target_feature(enable = "relaxed-simd")]
fn tile<const COLUMNS: usize>(
    rows: [&[u8]; 3],
    channels: usize,
    weights: &[i8],
    sums: &mut [[i32; GROUP]],
) {
    assert!(channels.is_multiple_of(4) && weights.len() >= 9 * channels * GROUP);
    assert!(rows.iter().all(|row| row.len() >= (COLUMNS + 2) * channels));
    let mut total: [[v128; PARTS]; COLUMNS] = [[i32x4_splat(0); PARTS]; COLUMNS];
    let mut weight = weights.as_ptr();
    for row in rows {
        for dx in 0..3 {
            for four in (0..channels).step_by(4) {
                // SAFETY: 9 · channels / 4 steps of 128 bytes lie inside `weights`, and
                // `(column + dx) · channels + four + 3 < (COLUMNS + 2) · channels` inside each row.
                unsafe {
                    let input = row.as_ptr().add(dx * channels + four);
                    let inputs: [v128; COLUMNS] = std::array::from_fn(|column| {
                        let four = input.add(column * channels).cast::<i32>();
                        i32x4_splat(four.read_unaligned())
                    });
                    for part in 0..PARTS {
                        let weights = v128_load(weight.add(16 * part).cast());
                        for column in 0..COLUMNS {
                            let sums = &mut total[column][part];
                            *sums =
                                i32x4_relaxed_dot_i8x16_i7x16_add(weights, inputs[column], *sums);
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
            unsafe { v128_store(sums.as_mut_ptr().cast(), total) };
        }
    }
}
