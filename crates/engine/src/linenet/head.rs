//! The small layers behind the sums, in integers.
//!
//! | what | unit | at most |
//! |---|---|---|
//! | sums over the board | 1/[`UNIT`](super::UNIT) | – |
//! | inputs, a 32nd of the sums | 1/256 | [`MOST_INPUT`] |
//! | hidden | 1/256 | [`MOST_HIDDEN`] |
//! | weights of the layers and of the last one | 1/1024 | [`MOST_WEIGHT`] |
//! | weights from the inputs to the result | 1/8192 | i16 |
//!
//! With these bounds no sum leaves an i32.

use super::CHANNELS;

/// Units of a hidden layer.
pub(crate) const HIDDEN: usize = 32;
/// The most an input counts for, and a hidden unit: 16.
pub(crate) const MOST_INPUT: i32 = 7_900;
pub(crate) const MOST_HIDDEN: i32 = 16 * HIDDEN_UNIT as i32 - 1;
/// The largest weight and bias of a layer.
pub(crate) const MOST_WEIGHT: i16 = 8_191;
pub(crate) const MOST_BIAS: i32 = 1 << 26;
/// One, in hidden units, weights, and weights from the inputs to the result.
pub(crate) const HIDDEN_UNIT: f32 = 256.0;
pub(crate) const WEIGHT_UNIT: f32 = 1024.0;
pub(crate) const DIRECT_UNIT: f32 = 8192.0;
/// Inputs are sums over the board, divided by this.
pub(crate) const POOL: f32 = 32.0;

/// Bits between 1/([`UNIT`](super::UNIT) · 32) and 1/256.
const INPUT_SHIFT: u32 = 4;
/// Bits of a weight's unit.
const WEIGHT_SHIFT: u32 = 10;
/// Bits of a direct weight's unit.
const DIRECT_SHIFT: u32 = 13;

/// A layer: the weights of each input for every unit, then biases in 1/(256 · 1024).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    pub(crate) weights: [[i16; HIDDEN]; HIDDEN],
    pub(crate) biases: [i32; HIDDEN],
}

/// What turns sums over the board into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) first: Layer,
    pub(crate) second: Layer,
    pub(crate) last: [i16; HIDDEN],
    /// From the inputs to the result.
    pub(crate) direct: [i16; CHANNELS],
    /// In 1/(256 · 8192).
    pub(crate) bias: i32,
}

impl Head {
    /// Whether all numbers are within the bounds.
    pub(crate) fn is_within_bounds(&self) -> bool {
        let weight = |weight: &i16| weight.unsigned_abs() <= MOST_WEIGHT as u16;
        let layer = |layer: &Layer| {
            layer.weights.as_flattened().iter().all(weight)
                && layer.biases.iter().all(|bias| bias.unsigned_abs() <= MOST_BIAS as u32)
        };
        layer(&self.first) && layer(&self.second) && self.last.iter().all(weight)
    }

    /// The value of sums over the board, in 1/256 of a logit.
    #[inline(always)]
    pub(crate) fn value(&self, sums: &[i32; CHANNELS]) -> i32 {
        let inputs = sums.map(|sum| rounded(sum, INPUT_SHIFT).min(MOST_INPUT));
        let hidden = self.second.units(&self.first.units(&inputs));
        let total = |weights: &[i16; HIDDEN], numbers: &[i32; HIDDEN]| {
            let products = weights.iter().zip(numbers).map(|(&w, &x)| i64::from(i32::from(w) * x));
            products.sum::<i64>()
        };
        let sum = (total(&self.last, &hidden) << (DIRECT_SHIFT - WEIGHT_SHIFT))
            + total(&self.direct, &inputs)
            + i64::from(self.bias);
        ((sum + (1 << (DIRECT_SHIFT - 1))) >> DIRECT_SHIFT) as i32
    }
}

impl Layer {
    #[inline(always)]
    fn units(&self, inputs: &[i32; HIDDEN]) -> [i32; HIDDEN] {
        let mut sums = self.biases;
        for (&input, weights) in inputs.iter().zip(&self.weights) {
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum += input * i32::from(weight);
            }
        }
        sums.map(|sum| rounded(sum, WEIGHT_SHIFT).clamp(0, MOST_HIDDEN))
    }
}

/// Divided by a power of two; halves go up.
#[inline(always)]
fn rounded(number: i32, shift: u32) -> i32 {
    (number + (1 << (shift - 1))) >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sum_leaves_its_range() {
        let most = i64::from(MOST_INPUT).max(i64::from(MOST_HIDDEN));
        let sum = most * HIDDEN as i64 * i64::from(MOST_WEIGHT) + i64::from(MOST_BIAS);
        assert!(sum + (1 << (WEIGHT_SHIFT - 1)) <= i64::from(i32::MAX));
        assert!(i64::from(MOST_INPUT) * i64::from(i16::MAX) <= i64::from(i32::MAX));
    }

    #[test]
    fn halves_go_up() {
        assert_eq!([7, 8, -8, -9].map(|number| rounded(number, 4)), [0, 1, 0, -1]);
    }
}
