//! A small residual network that looks at a board and says who is better and where to play.
//!
//! ```text
//! planes: own stones · opponent's stones · board · "one stone left of the turn"
//!    │ 5×5 convolution, as stamps: a stone adds 25 columns of numbers
//!    ▼
//!    x ──┬─ norm, relu ─ 3×3 ─ norm, relu ─ 3×3 ─┬─ (+) ─ … blocks … ─ norm, relu ─┬─ 1×1 → a logit per cell
//!        └───────────────────────────────────────┘                                └─ mean and maximum of
//!                                                                each channel → 64 → the value's logit
//! ```
//! It is fully convolutional: any board size works with the same weights. The stream `x` is f32. What
//! enters a 3×3 convolution is rounded to 0..=127 and multiplied by 8-bit weights; with seven bits no
//! sum of the AVX2 path can saturate, so every path computes the same integers, and since no path
//! fuses multiplications with additions the results are equal to the last bit on every machine.

// Inlining is what makes one source serve every path: see `forward`.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

mod board;
mod file;
mod forward;
mod golden;
mod kernel;
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod neon;
#[cfg(all(target_family = "wasm", feature = "relaxed-simd"))]
#[allow(unsafe_code)]
mod relaxed;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

use std::sync::Arc;

use collinear_rules::hash::fnv1a;
use collinear_rules::{Overline, Player, Rules};

pub(crate) use board::BoardNet;
pub use file::NetError;
pub use kernel::Path;
pub(crate) use kernel::Work;

use crate::Part;
use forward::Scratch;

/// The cells around a stone that the first layer reaches, in each direction.
const REACH: usize = 2;
/// Width of the first layer's kernel.
const STAMP: usize = 2 * REACH + 1;
/// Input planes: own, opponent's, board, one stone left.
const PLANES: usize = 4;
/// Channels that one pass of the kernel computes; a network has a multiple of it.
const GROUP: usize = 32;
/// Units of the value head's hidden layer.
const HIDDEN: usize = 64;

/// The weights of a network, for one row length, turn length and row rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    k: u8,
    p: u8,
    overline: Overline,
    channels: usize,
    /// `[offset in the 5×5 kernel][plane][channel]`.
    stamps: Vec<f32>,
    input_bias: Vec<f32>,
    blocks: Vec<Block>,
    /// The norm after the last block.
    last: Norm,
    policy: Vec<f32>,
    policy_bias: f32,
    /// `[mean then maximum of each channel][hidden]`.
    hidden: Vec<f32>,
    hidden_bias: Vec<f32>,
    value: Vec<f32>,
    value_bias: f32,
}

/// `x·scale + shift` for each channel.
#[derive(Clone, Debug, PartialEq)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

#[derive(Clone, Debug, PartialEq)]
struct Block {
    /// From the stream to the 0..=127 that enter the first convolution.
    norm: Norm,
    /// Its result, scaled and shifted, is what enters the second one.
    first: Convolution,
    second: Convolution,
}

/// A 3×3 convolution of 8-bit numbers and the norm that turns its sums back into numbers.
#[derive(Clone, Debug, PartialEq)]
struct Convolution {
    /// `[output / 32][row][column][input / 4][output % 32][input % 4]`, as the kernel reads them.
    weights: Vec<i8>,
    /// The same as floats, `[output / 32][row][column][input][output % 32]`, for the portable path.
    floats: Vec<f32>,
    norm: Norm,
}

impl Convolution {
    fn new(weights: Vec<i8>, norm: Norm) -> Self {
        let floats = weights
            .chunks_exact(4 * GROUP)
            .flat_map(|four| {
                (0..4).flat_map(|input| four.iter().skip(input).step_by(4).copied().map(f32::from))
            })
            .collect();
        Self { weights, floats, norm }
    }

    /// The weights of one group of outputs.
    #[cfg(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_family = "wasm", feature = "relaxed-simd")
    ))]
    fn group(&self, group: usize) -> &[i8] {
        let length = 9 * self.norm.scale.len() * GROUP;
        &self.weights[group * length..][..length]
    }
}

impl Net {
    /// The shipped network for a game, if there is one: it must have the same row length, turn length
    /// and row rule. The size of the board is free.
    pub fn for_rules(rules: &Rules) -> Option<Arc<Self>> {
        Part::NETS
            .iter()
            .filter(|part| part.suits(rules))
            .filter_map(|part| Self::from_bytes(part.bytes()?).ok())
            .find(|net| net.suits(rules))
            .map(Arc::new)
    }

    /// The shipped network that guides alpha-beta in a game: its own, or that of a kindred game.
    pub fn guide_for(rules: &Rules) -> Option<Arc<Self>> {
        let own = Self::for_rules(rules);
        own.or_else(|| {
            let part = Part::NETS.iter().find(|part| part.serves(rules))?;
            Self::from_bytes(part.bytes()?).ok().filter(|net| net.guides(rules)).map(Arc::new)
        })
    }

    /// Whether a network for a game comes with the program, loaded or not.
    pub fn is_shipped_for(rules: &Rules) -> bool {
        Part::NETS.iter().any(|part| part.suits(rules))
    }

    /// Whether it was trained for the way rows and turns are in this game.
    pub fn suits(&self, rules: &Rules) -> bool {
        !rules.gravity()
            && (usize::from(self.k), usize::from(self.p)) == (rules.k(), rules.p())
            && !rules.is_renju()
            && self.overline == rules.overline(Player::White)
    }

    /// Whether alpha-beta may ask it about this game: its own, and with one stone per turn one where longer rows
    /// do not win (+134 Elo, 71 to 206, together with line patterns, 100 ms). Not Renju: there the line patterns
    /// alone are better by 80 Elo (22 to 142) at 100 ms.
    pub fn guides(&self, rules: &Rules) -> bool {
        let is_kindred = (usize::from(self.k), 1, 1) == (rules.k(), usize::from(self.p), rules.p())
            && self.overline == Overline::Wins;
        self.suits(rules) || (is_kindred && !rules.gravity() && !rules.is_renju())
    }

    /// A checksum of all its numbers, as hexadecimal digits.
    pub fn checksum(&self) -> String {
        format!("{:016x}", fnv1a(&self.to_bytes()))
    }

    /// What it is, in a few words: `4 blocks of 32 channels`.
    pub fn describe(&self) -> String {
        format!("{} blocks of {} channels", self.blocks.len(), self.channels)
    }
}

/// Whether the fastest path of this machine gives the numbers that it must: the golden evaluation.
pub fn is_exact() -> bool {
    golden::sum(Path::fastest()) == golden::SUM
}

/// What stands on a cell, seen by the player to move.
pub const EMPTY: u8 = 0;
/// A stone of the player to move.
pub const OWN: u8 = 1;
/// A stone of the opponent.
pub const OTHER: u8 = 2;

/// A network with the memory to evaluate boards of one size; one per thread.
#[derive(Clone, Debug)]
pub struct Evaluator {
    net: Arc<Net>,
    path: Path,
    scratch: Scratch,
}

impl Evaluator {
    /// For boards of this size, with the fastest path of this machine.
    pub fn new(net: Arc<Net>, width: usize, height: usize) -> Self {
        Self::with_path(net, width, height, Path::fastest())
    }

    /// The same with a path of choice, to compare them.
    pub fn with_path(net: Arc<Net>, width: usize, height: usize, path: Path) -> Self {
        let scratch = Scratch::new(&net, width, height);
        Self { net, path, scratch }
    }

    /// The value's logit for the player to move on a board of [`EMPTY`], [`OWN`] and [`OTHER`], row by
    /// row; `one_left` says that this is the last stone of a turn of several. The policy is in
    /// [`policy`](Self::policy) afterwards.
    pub fn evaluate(&mut self, board: &[u8], one_left: bool) -> f32 {
        self.path.forward(&self.net, &mut self.scratch, board, one_left)
    }

    /// A logit for every cell, occupied ones included.
    pub fn policy(&self) -> &[f32] {
        &self.scratch.policy
    }

    /// The network.
    pub const fn net(&self) -> &Arc<Net> {
        &self.net
    }
}

#[cfg(test)]
mod tests;
