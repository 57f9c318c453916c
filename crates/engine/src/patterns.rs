//! Line patterns: what one colour sees from a cell along one line, as a small number.
//!
//! Looking from a cell, a colour sees its own stones and free cells up to the first enemy stone,
//! the border, or `k − 1` cells away; nothing further can share a window with the cell.
//!
//! ```text
//!     O . X . ? X . . . X      k = 6, seen by X from the cell marked ?
//!         ╰──L──╯ ╰─R──╯       left 3 cells (.X.), right 5 (X...X): blocked by O on the left
//! ```
//!
//! The pair (L, R) and the own stones inside number the pattern: Σ 2^(L+R) = (2^k − 1)² codes, 3,969
//! for six in a row instead of the 3^10 full contents, because what lies behind an enemy stone
//! cannot matter. Patterns too short to hold a window share code 0: the line is dead there.

/// How far a pattern looks at most; rows longer than 8 are seen in part.
const MAX_REACH: usize = 7;

/// The pattern number of a cell on a line for a colour.
pub type Code = u16;

/// The code of every pattern in which no window fits.
pub const DEAD: Code = 0;

/// A pattern spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Cells seen before the cell.
    pub left: usize,
    /// Cells seen behind it.
    pub right: usize,
    /// Own stones: bit `i` is the cell `left − i` before the cell, the bits from `left` on are the
    /// cells behind it.
    pub stones: u32,
}

impl Pattern {
    /// Own stones in each window of `k` cells that holds the cell, from left to right.
    pub fn windows(self, k: usize) -> impl Iterator<Item = usize> {
        let low = u64::from(self.stones) & ((1 << self.left) - 1);
        let line = low | u64::from(self.stones >> self.left) << (self.left + 1);
        let length = self.left + 1 + self.right;
        (0..=self.left)
            .filter(move |start| start + k <= length && *start + k > self.left)
            .map(move |start| (line >> start & ((1 << k) - 1)).count_ones() as usize)
    }
}

/// The numbering of the patterns of one row length.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternSpace {
    k: usize,
    reach: usize,
    /// The first code for each (left, right).
    bases: [[u16; MAX_REACH + 1]; MAX_REACH + 1],
    patterns: Vec<Pattern>,
}

impl PatternSpace {
    /// The patterns of `k` in a row.
    pub fn new(k: usize) -> Self {
        let reach = k.saturating_sub(1).min(MAX_REACH);
        // Longer rows than the reach can see: what is seen counts as if it were the whole.
        let fits = k.min(reach + 1);
        let mut bases = [[DEAD; MAX_REACH + 1]; MAX_REACH + 1];
        let mut patterns = vec![Pattern { left: 0, right: 0, stones: 0 }];
        for (left, bases) in bases.iter_mut().enumerate().take(reach + 1) {
            for (right, base) in bases.iter_mut().enumerate().take(reach + 1) {
                if left + 1 + right >= fits && k > 1 {
                    *base = patterns.len() as u16;
                    patterns.extend((0..1_u32 << (left + right)).map(|stones| Pattern {
                        left,
                        right,
                        stones,
                    }));
                }
            }
        }
        Self { k: fits, reach, bases, patterns }
    }

    /// Number of codes.
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there is no code but the dead one.
    pub fn is_empty(&self) -> bool {
        self.patterns.len() <= 1
    }

    /// How far a pattern looks to either side.
    pub const fn reach(&self) -> usize {
        self.reach
    }

    /// The window length the patterns are made for: `k`, less where rows are too long to see.
    pub const fn window(&self) -> usize {
        self.k
    }

    /// The pattern with this code.
    pub fn pattern(&self, code: Code) -> Pattern {
        self.patterns[usize::from(code)]
    }

    /// The code seen from index `at` of a line of `length` cells with these words of stones.
    #[inline]
    pub fn code(&self, own: u64, enemy: u64, at: usize, length: usize) -> Code {
        let before = enemy & ((1 << at) - 1);
        // The border counts as an enemy one step before index 0.
        let wall = (before << 1 | 1).ilog2() as usize;
        let left = (at - wall).min(self.reach);
        let behind = (enemy >> at >> 1) | 1 << (length - 1 - at);
        let right = (behind.trailing_zeros() as usize).min(self.reach);
        let base = self.bases[left & 7][right & 7];
        if base == DEAD {
            return DEAD;
        }
        let low = own >> (at - left) & ((1 << left) - 1);
        let high = own >> at >> 1 & ((1 << right) - 1);
        base + (low | high << left) as u16
    }

    /// The code of the mirror image.
    pub fn mirrored(&self, code: Code) -> Code {
        let Pattern { left, right, stones } = self.pattern(code);
        if code == DEAD {
            return DEAD;
        }
        let flip = |bits: u32, n: usize| if n == 0 { 0 } else { bits.reverse_bits() >> (32 - n) };
        let low = flip(stones >> left, right);
        let high = flip(stones & ((1 << left) - 1), left);
        self.bases[right][left] + (low | high << right) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_in_a_row_has_few_patterns() {
        let space = PatternSpace::new(6);
        // (2^6 − 1)² less those where no window fits, plus the dead one: L + R ≥ 5.
        let live: usize = (0..6)
            .flat_map(|l| (0..6).map(move |r| (l, r)))
            .filter(|(l, r)| l + r >= 5)
            .map(|(l, r)| 1 << (l + r))
            .sum();
        assert_eq!(space.len(), live + 1);
        assert!(PatternSpace::new(1).is_empty());
    }

    #[test]
    fn codes_spell_what_the_line_shows() {
        let space = PatternSpace::new(6);
        // O . X . ? X . . . X   indices 0 … 9
        let own = 1 << 2 | 1 << 5 | 1 << 9;
        let pattern = space.pattern(space.code(own, 1, 4, 10));
        assert_eq!((pattern.left, pattern.right), (3, 5));
        assert_eq!(pattern.stones, 0b1000_1010);
        assert_eq!(pattern.windows(6).collect::<Vec<_>>(), [2, 2, 1, 2]);
    }

    #[test]
    fn windows_of_a_pattern_are_the_live_windows_through_the_cell() {
        for k in 2..=8 {
            let space = PatternSpace::new(k);
            for seed in 0..2000_u64 {
                let mix = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
                let length = k + (mix >> 40) as usize % 12;
                let all = (1_u64 << length) - 1;
                let at = (mix >> 50) as usize % length;
                let free = !(1 << at);
                let own = mix & all & free & (mix >> 3);
                let enemy = !own & all & free & (mix >> 7) & (mix >> 11);
                let pattern = space.pattern(space.code(own, enemy, at, length));
                let live: Vec<usize> = (0..=length - k)
                    .filter(|&s| s <= at && at < s + k)
                    .map(|s| ((1_u64 << k) - 1) << s)
                    .filter(|window| window & enemy == 0)
                    .map(|window| (window & own).count_ones() as usize)
                    .collect();
                assert_eq!(pattern.windows(k).collect::<Vec<_>>(), live, "k={k} seed={seed}");
                let flip = |w: u64| w.reverse_bits() >> (64 - length);
                let image = space.code(flip(own), flip(enemy), length - 1 - at, length);
                assert_eq!(image, space.mirrored(space.code(own, enemy, at, length)));
            }
        }
    }
}
