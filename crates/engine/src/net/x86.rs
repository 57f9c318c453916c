//! The kernel for x86-64: the one place with `unsafe`.
//!
//! Why it is sound: [`Avx2`] and [`Vnni`] have private fields and come from `detect` alone, so a value
//! of either type shows that the machine has the instructions; and every pointer read lies inside the
//! slices whose lengths [`check`] asserts at the start of each tile. The plain twin is
//! [`Plain`](super::kernel::Plain); the tests compare all paths bit by bit.
//!
//! What it buys (`cargo bench -p collinear-engine --bench net`): see `docs/learning.md`.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_storeu_si512,
};

use super::forward::{Scratch, forward};
use super::kernel::{Kernel, MOST_COLUMNS, Work};
use super::{Convolution, GROUP, Net};

/// Shows that the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Shows that the machine has AVX-512 with VNNI.
#[derive(Clone, Copy, Debug)]
pub struct Vnni(());

impl Avx2 {
    /// Does some work with these instructions.
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` shows that the machine has AVX2.
        unsafe { run_avx2(self, work) }
    }

    pub(super) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    pub(super) fn forward(
        self,
        net: &Net,
        scratch: &mut Scratch,
        board: &[u8],
        one_left: bool,
    ) -> f32 {
        // SAFETY: `self` shows that the machine has AVX2.
        unsafe { forward_avx2(self, net, scratch, board, one_left) }
    }
}

/// Functions with the instructions of a path, into which work is inlined.
#[target_feature(enable = "avx2")]
fn run_avx2<W: Work>(_: Avx2, work: W) -> W::Output {
    work.run()
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn run_vnni<W: Work>(_: Vnni, work: W) -> W::Output {
    work.run()
}

impl Vnni {
    /// Does some work with these instructions.
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` shows that the machine has AVX-512 with VNNI.
        unsafe { run_vnni(self, work) }
    }

    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni");
        has.then_some(Self(()))
    }

    pub(super) fn forward(
        self,
        net: &Net,
        scratch: &mut Scratch,
        board: &[u8],
        one_left: bool,
    ) -> f32 {
        // SAFETY: `self` shows that the machine has AVX-512 with VNNI.
        unsafe { forward_vnni(self, net, scratch, board, one_left) }
    }
}

#[target_feature(enable = "avx2")]
fn forward_avx2(
    kernel: Avx2,
    net: &Net,
    scratch: &mut Scratch,
    board: &[u8],
    one_left: bool,
) -> f32 {
    forward(kernel, net, scratch, board, one_left)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn forward_vnni(
    kernel: Vnni,
    net: &Net,
    scratch: &mut Scratch,
    board: &[u8],
    one_left: bool,
) -> f32 {
    forward(kernel, net, scratch, board, one_left)
}

/// Every byte that a tile of `columns` cells reads lies inside these slices.
#[inline(always)]
fn check(columns: usize, rows: &[&[u8]; 3], channels: usize, weights: &[i8]) {
    assert!(channels.is_multiple_of(4) && weights.len() >= 9 * channels * GROUP);
    assert!(rows.iter().all(|row| row.len() >= (columns + 2) * channels));
}

/// Calls the tile of a constant number of columns, so that its sums stay in registers.
macro_rules! by_columns {
    ($columns:expr, $tile:ident, $($argument:expr),*) => {
        // SAFETY: the kernel's value shows that the machine has the instructions.
        unsafe {
            match $columns {
                1 => $tile::<1>($($argument),*),
                2 => $tile::<2>($($argument),*),
                3 => $tile::<3>($($argument),*),
                4 => $tile::<4>($($argument),*),
                5 => $tile::<5>($($argument),*),
                6 => $tile::<6>($($argument),*),
                7 => $tile::<7>($($argument),*),
                8 => $tile::<8>($($argument),*),
                9 => $tile::<9>($($argument),*),
                _ => $tile::<MOST_COLUMNS>($($argument),*),
            }
        }
    };
}

impl Kernel for Vnni {
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
        by_columns!(columns, tile_vnni, rows, channels, weights, sums);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn tile_vnni<const COLUMNS: usize>(
    rows: [&[u8]; 3],
    channels: usize,
    weights: &[i8],
    sums: &mut [[i32; GROUP]; MOST_COLUMNS],
) {
    check(COLUMNS, &rows, channels, weights);
    let zero = _mm512_setzero_si512();
    let mut low = [zero; COLUMNS];
    let mut high = [zero; COLUMNS];
    let mut weight = weights.as_ptr();
    for row in rows {
        for dx in 0..3 {
            for four in (0..channels).step_by(4) {
                // SAFETY: `check`: 9 · channels / 4 steps of 128 bytes lie inside `weights`, and
                // `(column + dx) · channels + four + 3 < (COLUMNS + 2) · channels` inside each row.
                unsafe {
                    let [a, b]: [__m512i; 2] = [
                        _mm512_loadu_si512(weight.cast()),
                        _mm512_loadu_si512(weight.add(64).cast()),
                    ];
                    weight = weight.add(4 * GROUP);
                    let input = row.as_ptr().add(dx * channels + four);
                    for column in 0..COLUMNS {
                        let four = input.add(column * channels).cast::<i32>().read_unaligned();
                        let four = _mm512_set1_epi32(four);
                        low[column] = _mm512_dpbusd_epi32(low[column], four, a);
                        high[column] = _mm512_dpbusd_epi32(high[column], four, b);
                    }
                }
            }
        }
    }
    for column in 0..COLUMNS {
        let to = sums[column].as_mut_ptr();
        // SAFETY: 32 sums are two registers.
        unsafe {
            _mm512_storeu_si512(to.cast(), low[column]);
            _mm512_storeu_si512(to.add(16).cast(), high[column]);
        }
    }
}

impl Kernel for Avx2 {
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
        // Two cells at a time: eight of sixteen registers hold their sums.
        let mut column = 0;
        while column < columns {
            let rows = rows.map(|row| &row[column * channels..]);
            let pair = (columns - column).min(2);
            let target = &mut sums[column..column + pair];
            // SAFETY: `self` shows that the machine has AVX2.
            unsafe {
                match pair {
                    2 => tile_avx2::<2>(rows, channels, weights, target),
                    _ => tile_avx2::<1>(rows, channels, weights, target),
                }
            }
            column += pair;
        }
    }
}

#[target_feature(enable = "avx2")]
fn tile_avx2<const COLUMNS: usize>(
    rows: [&[u8]; 3],
    channels: usize,
    weights: &[i8],
    sums: &mut [[i32; GROUP]],
) {
    check(COLUMNS, &rows, channels, weights);
    let ones = _mm256_set1_epi16(1);
    let mut total = [[_mm256_setzero_si256(); 4]; COLUMNS];
    let mut weight = weights.as_ptr();
    for row in rows {
        for dx in 0..3 {
            for four in (0..channels).step_by(4) {
                // SAFETY: as in `tile_vnni`; four registers of 32 bytes are the same 128 bytes.
                unsafe {
                    let weights: [__m256i; 4] =
                        [0, 1, 2, 3].map(|part| _mm256_loadu_si256(weight.add(32 * part).cast()));
                    weight = weight.add(4 * GROUP);
                    let input = row.as_ptr().add(dx * channels + four);
                    for column in 0..COLUMNS {
                        let four = input.add(column * channels).cast::<i32>().read_unaligned();
                        let four = _mm256_set1_epi32(four);
                        for part in 0..4 {
                            // At most 2 · 127 · 127: no sum of two saturates.
                            let pairs = _mm256_maddubs_epi16(four, weights[part]);
                            let fours = _mm256_madd_epi16(pairs, ones);
                            total[column][part] = _mm256_add_epi32(total[column][part], fours);
                        }
                    }
                }
            }
        }
    }
    for column in 0..COLUMNS {
        let to = sums[column].as_mut_ptr();
        for part in 0..4 {
            // SAFETY: 32 sums are four registers.
            unsafe { _mm256_storeu_si256(to.add(8 * part).cast(), total[column][part]) };
        }
    }
}
