//! Inputs out of good examples: a few small changes each, all from a seed.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The longest input; readers have limits of their own, tested elsewhere.
const MAX_BYTES: usize = 1 << 14;
/// The most changes of one input.
const MAX_CHANGES: u32 = 8;
/// Numbers at the edge of something.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "64",
    "65",
    "255",
    "256",
    "65535",
    "4294967296",
    "1e309",
    "18446744073709551615",
    "0.5",
];

/// Makes one input.
pub struct Mutator(Xoshiro256PlusPlus);

impl Mutator {
    /// The mutator of case `n` of a seed.
    pub fn new(seed: u64, n: u64) -> Self {
        let mixed = collinear_rules::hash::mix(collinear_rules::hash::mix(seed) ^ n);
        Self(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// An example with a few changes.
    pub fn mutate(&mut self, examples: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
        let mut bytes = examples.choose(&mut self.0).cloned().unwrap_or_default();
        for _ in 0..self.0.random_range(1..=MAX_CHANGES) {
            self.change(&mut bytes, examples, words);
            bytes.truncate(MAX_BYTES);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, examples: &[Vec<u8>], words: &[&str]) {
        let length = bytes.len();
        let at = self.0.random_range(0..=length);
        let end = (at + self.0.random_range(0..=16)).min(length);
        match self.0.random_range(0..10) {
            0 if at < length => bytes[at] ^= 1 << self.0.random_range(0..8),
            1 if at < length => bytes[at] = self.0.random(),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            4 => {
                let part = bytes[at..end].to_vec();
                let times = self.0.random_range(1..200);
                bytes.splice(at..at, part.repeat(times));
            }
            5 => {
                let word = words.choose(&mut self.0).copied().unwrap_or_default();
                bytes.splice(at..at, word.bytes());
            }
            6 => {
                let word = words.choose(&mut self.0).copied().unwrap_or_default();
                bytes.splice(at..end, word.bytes());
            }
            7 => self.number(bytes, at),
            8 => {
                let other = examples.choose(&mut self.0).cloned().unwrap_or_default();
                let from = self.0.random_range(0..=other.len());
                bytes.splice(at.., other[from..].iter().copied());
            }
            _ => bytes.truncate(at),
        }
    }

    /// Replaces the next number by one at the edge of something.
    fn number(&mut self, bytes: &mut Vec<u8>, from: usize) {
        let Some(first) = (from..bytes.len()).find(|&at| bytes[at].is_ascii_digit()) else {
            return;
        };
        let digits = bytes[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = NUMBERS.choose(&mut self.0).copied().unwrap_or_default();
        bytes.splice(first..first + digits, number.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_follows_from_its_seed_and_number() {
        let examples = [b"19x19,k=6,p=2,q=1".to_vec(), b"connect4".to_vec()];
        let case = |seed, n| Mutator::new(seed, n).mutate(&examples, &["gravity"]);
        assert_eq!(case(1, 7), case(1, 7));
        let different = (0..100).filter(|&n| case(1, n) != case(2, n)).count();
        assert!(different > 80, "{different}");
        assert!((0..1000).all(|n| case(3, n).len() <= MAX_BYTES));
    }
}
