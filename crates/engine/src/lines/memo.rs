//! What a line of the board is worth, remembered by what stands on it.
//!
//! A search meets the same few thousand lines again
//! and again, so the worth of a line is looked up by its stones; only the first time it is summed
//! from the patterns of its empty cells. A lookup replaces some sixteen pattern changes.

use collinear_rules::Player;

use crate::weights::Weights;

/// The stones on a line of `length` cells: bit `i` is its cell `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineStones {
    pub(crate) stones: [u64; 2],
    /// 0 for lines that are worth nothing whatever stands on them.
    pub(crate) length: u32,
}

/// Sums of the evaluation over the empty cells of a line, or of all lines, for each colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// If the colour is to move.
    pub(crate) mover: [i32; 2],
    /// If the other one is.
    pub(crate) waiter: [i32; 2],
}

impl Sums {
    /// These sums after a part of them has changed.
    #[inline]
    pub(crate) fn after_change(self, from: Self, to: Self) -> Self {
        let change = |sums: [i32; 2], from: [i32; 2], to: [i32; 2]| {
            [sums[0] + to[0] - from[0], sums[1] + to[1] - from[1]]
        };
        Self {
            mover: change(self.mover, from.mover, to.mover),
            waiter: change(self.waiter, from.waiter, to.waiter),
        }
    }
}

/// What a line gives to the policy of one of its cells, for either colour to move.
pub(crate) type CellPolicy = [i32; 2];

/// The lines seen last. Those whose stones fall on the same slot push each other out.
#[derive(Clone)]
pub(crate) struct LineMemo {
    slots: Vec<(LineStones, Sums)>,
    /// Per slot the policy of the line's cells, `stride` of them.
    policies: Vec<CellPolicy>,
    stride: usize,
}

/// Slots: enough for a search, few enough for a core's second cache.
const SLOTS: usize = 1 << 13;

impl LineMemo {
    /// A memory for lines of at most this many cells.
    pub(crate) fn new(longest: usize) -> Self {
        Self {
            slots: vec![Default::default(); SLOTS],
            policies: vec![[0; 2]; SLOTS * longest],
            stride: longest,
        }
    }

    /// The sums of a line.
    #[inline]
    pub(crate) fn sums(&mut self, line: LineStones, weights: &Weights) -> Sums {
        let slot = self.find(line, weights);
        self.slots[slot].1
    }

    /// The policy of a line's cells; 0 where a stone is.
    #[inline]
    pub(crate) fn policy(&mut self, line: LineStones, weights: &Weights) -> &[CellPolicy] {
        let first = self.find(line, weights) * self.stride;
        &self.policies[first..first + line.length as usize]
    }

    #[inline]
    fn find(&mut self, line: LineStones, weights: &Weights) -> usize {
        let [black, white] = line.stones;
        let mixed = (black ^ white.rotate_left(24) ^ u64::from(line.length) << 56)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (mixed >> (u64::BITS - SLOTS.ilog2())) as usize;
        if self.slots[slot].0 != line {
            self.compute(slot, line, weights);
        }
        slot
    }

    #[cold]
    fn compute(&mut self, slot: usize, line: LineStones, weights: &Weights) {
        let policies = &mut self.policies[slot * self.stride..][..line.length as usize];
        let mut sums = Sums::default();
        for (index, policy) in policies.iter_mut().enumerate() {
            *policy = [0; 2];
            if (line.stones[0] | line.stones[1]) >> index & 1 != 0 {
                continue;
            }
            for player in Player::BOTH {
                let (own, other) = (player.index(), player.opponent().index());
                let entry = weights.seen(line, index, player);
                sums.mover[own] += i32::from(entry.mover);
                sums.waiter[own] += i32::from(entry.waiter);
                policy[own] += i32::from(entry.attack);
                policy[other] += i32::from(entry.defend);
            }
        }
        self.slots[slot] = (line, sums);
    }
}
