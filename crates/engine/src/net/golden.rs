//! A small network of random numbers and what it makes of a few boards: the golden evaluation.
//!
//! Some instructions are only promised to be exact for what the network gives them, and some builds of
//! browsers have had them wrong. So a page asks [`is_exact`](super::is_exact) before it trusts a module.

use std::sync::Arc;

use collinear_rules::Overline;
use collinear_rules::hash::fnv1a_from;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Block, Convolution, Evaluator, HIDDEN, Net, Norm, PLANES, Path, STAMP};

/// The sum that every path must give.
pub(super) const SUM: u64 = 0xda1a_065f_50ab_44d6;
/// Boards that are looked at.
const BOARDS: u64 = 4;

/// A number for everything that the network says of the boards.
pub(super) fn sum(path: Path) -> u64 {
    let (width, height) = (11, 9);
    let net = Arc::new(random_net(2, 64, 6));
    let mut evaluator = Evaluator::with_path(net, width, height, path);
    (0..BOARDS).fold(0, |sum, board| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(board);
        let cells: Vec<u8> = (0..width * height).map(|_| random.random_range(0..3)).collect();
        let value = evaluator.evaluate(&cells, board % 2 == 1);
        let numbers = evaluator.policy().iter().chain([&value]);
        numbers.fold(sum, |sum, number| fnv1a_from(sum, &number.to_bits().to_le_bytes()))
    })
}

/// A network of random numbers of the size real ones have.
pub(super) fn random_net(blocks: usize, channels: usize, seed: u64) -> Net {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut floats = |count: usize, spread: f32| -> Vec<f32> {
        (0..count).map(|_| random.random_range(-spread..spread)).collect()
    };
    let mut norms =
        |scale: f32| Norm { scale: floats(channels, scale), shift: floats(channels, 20.0) };
    let last = norms(0.02);
    let mut parts: Vec<[Norm; 3]> =
        (0..blocks).map(|_| [norms(20.0), norms(0.01), norms(0.001)]).collect();
    let stamps = floats(STAMP * STAMP * PLANES * channels, 0.5);
    let (input_bias, policy) = (floats(channels, 0.5), floats(channels, 0.5));
    let hidden = floats(2 * channels * HIDDEN, 0.2);
    let (hidden_bias, value) = (floats(HIDDEN, 0.2), floats(HIDDEN, 0.2));
    let mut weights = Xoshiro256PlusPlus::seed_from_u64(!seed);
    let mut convolution = |norm| {
        let count = 9 * channels * channels;
        Convolution::new((0..count).map(|_| weights.random_range(-127..=127)).collect(), norm)
    };
    let blocks = parts
        .drain(..)
        .map(|[norm, first, second]| Block {
            norm,
            first: convolution(first),
            second: convolution(second),
        })
        .collect();
    Net {
        k: 6,
        p: 2,
        overline: Overline::Wins,
        channels,
        stamps,
        input_bias,
        blocks,
        last,
        policy,
        policy_bias: 0.25,
        hidden,
        hidden_bias,
        value,
        value_bias: -0.5,
    }
}
