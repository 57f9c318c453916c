//! The innermost loop, by the instructions a machine has: sums of 8-bit products for up to ten
//! neighbouring cells and 32 output channels at a time.

use super::forward::{Scratch, forward};
use super::{Convolution, GROUP, Net};

/// Neighbouring cells in one call of the kernel: 20 of AVX-512's 32 registers hold their sums.
pub(super) const MOST_COLUMNS: usize = 10;

/// One way to compute the sums.
pub(super) trait Kernel: Copy {
    /// For each of `columns` cells, the sums over a 3×3 neighbourhood. `rows` are the rows above, at
    /// and below, from the left neighbour of the first cell on; `group` says which 32 outputs.
    fn tile(
        self,
        columns: usize,
        rows: [&[u8]; 3],
        by: &Convolution,
        group: usize,
        sums: &mut [[i32; GROUP]; MOST_COLUMNS],
    );
}

/// Works everywhere: plain loops over floats, which any compiler turns into vector instructions. The sum
/// of a row is at most 127 · 127 · 3 · 256 < 2²⁴, so every sum is exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl Kernel for Plain {
    #[inline(always)]
    fn tile(
        self,
        columns: usize,
        rows: [&[u8]; 3],
        by: &Convolution,
        group: usize,
        sums: &mut [[i32; GROUP]; MOST_COLUMNS],
    ) {
        let channels = by.norm.scale.len();
        let weights = &by.floats.as_chunks::<GROUP>().0[group * 9 * channels..][..9 * channels];
        for (column, sums) in sums.iter_mut().take(columns).enumerate() {
            *sums = [0; GROUP];
            for (row, weights) in rows.iter().zip(weights.chunks_exact(3 * channels)) {
                let inputs = &row[column * channels..][..3 * channels];
                let mut total = [0.0_f32; GROUP];
                for (&input, weights) in inputs.iter().zip(weights) {
                    // About half of the inputs are zero.
                    if input != 0 {
                        let input = f32::from(input);
                        for lane in 0..GROUP {
                            total[lane] += input * weights[lane];
                        }
                    }
                }
                for lane in 0..GROUP {
                    sums[lane] += total[lane] as i32;
                }
            }
        }
    }
}

/// Work that any instructions can do: plain loops, which become vector instructions of the path they run on.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it; to be inlined always, or the loops are compiled without the path's instructions.
    fn run(self) -> Self::Output;
}

/// The instructions an evaluation uses. All give the same numbers.
#[derive(Clone, Copy, Debug)]
pub enum Path {
    /// Whatever the compiler makes of plain loops.
    Portable,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(super::x86::Avx2),
    /// AVX-512 with VNNI.
    #[cfg(target_arch = "x86_64")]
    Vnni(super::x86::Vnni),
    /// NEON with the dot product.
    #[cfg(target_arch = "aarch64")]
    Dot(super::neon::Dot),
    /// NEON, which every 64-bit ARM processor has.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// Relaxed SIMD of WebAssembly.
    #[cfg(all(target_family = "wasm", feature = "relaxed-simd"))]
    Relaxed,
}

impl Path {
    /// Every path of this machine, the fastest first.
    pub fn available() -> Vec<Self> {
        let mut paths = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            paths.extend(super::x86::Vnni::detect().map(Self::Vnni));
            paths.extend(super::x86::Avx2::detect().map(Self::Avx2));
        }
        #[cfg(target_arch = "aarch64")]
        {
            paths.extend(super::neon::Dot::detect().map(Self::Dot));
            paths.push(Self::Neon);
        }
        #[cfg(all(target_family = "wasm", feature = "relaxed-simd"))]
        paths.push(Self::Relaxed);
        paths.push(Self::Portable);
        paths
    }

    /// The fastest one of this machine.
    pub fn fastest() -> Self {
        Self::available()[0]
    }

    /// Its name for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Vnni(_) => "AVX-512 VNNI",
            #[cfg(target_arch = "aarch64")]
            Self::Dot(_) => "NEON dot product",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "NEON",
            #[cfg(all(target_family = "wasm", feature = "relaxed-simd"))]
            Self::Relaxed => "relaxed SIMD",
        }
    }

    /// Does some work with these instructions.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(path) => path.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Vnni(path) => path.run(work),
            // NEON is there on every machine that has the path.
            _ => work.run(),
        }
    }

    pub(super) fn forward(
        self,
        net: &Net,
        scratch: &mut Scratch,
        board: &[u8],
        one_left: bool,
    ) -> f32 {
        match self {
            Self::Portable => forward(Plain, net, scratch, board, one_left),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(kernel) => kernel.forward(net, scratch, board, one_left),
            #[cfg(target_arch = "x86_64")]
            Self::Vnni(kernel) => kernel.forward(net, scratch, board, one_left),
            #[cfg(target_arch = "aarch64")]
            Self::Dot(kernel) => forward(kernel, net, scratch, board, one_left),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => forward(super::neon::Neon, net, scratch, board, one_left),
            #[cfg(all(target_family = "wasm", feature = "relaxed-simd"))]
            Self::Relaxed => super::relaxed::Relaxed.forward(net, scratch, board, one_left),
        }
    }
}
