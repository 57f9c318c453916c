//! The transposition table: buckets of one cache line, exact keys, growth on demand.
//!
//! A key of `n` bits is multiplied by an odd number modulo 2ⁿ, which permutes the keys. The top `b`
//! bits of the product choose one of 2ᵇ buckets, the other `n − b` are kept in the entry: together
//! they are the whole product, so two positions are never taken for each other.
//!
//! ```text
//! entry  [ n − b bits of the product | 0 … 0 | 6 bits work | 8 bits bound ]
//! ```
//!
//! The `n − b` bits and the 14 must fit in the word; that decides the smallest `b`. Doubling the
//! table sends the entries of bucket i to 2i and 2i + 1 by one more bit of the product: growth keeps
//! everything that was learnt.

use crate::machine::{prefer_huge_pages, prefetch};
use crate::word::{Line, Word};

/// A bound on the score of a position for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The score is at most this.
    Upper(i32),
    /// The score is at least this.
    Lower(i32),
}

/// The table.
pub(crate) struct Table<W: Word> {
    buckets: Vec<W::Line>,
    /// log2 of the number of buckets, now and at most.
    log2: u32,
    max_log2: u32,
    /// Bits of a key.
    key_bits: u32,
    /// Nodes searched with this table.
    nodes: u64,
}

const BUCKET_BYTES: usize = 64;
const DATA_BITS: u32 = 14;
const BOUND_BITS: u32 = 8;
/// A score is stored with this offset in 7 bits, the eighth says which bound it is.
const SCORE_OFFSET: i32 = 64;
const LOWER: u64 = 1 << 7;
/// The smallest table fits in the first-level cache: it costs nothing to clear.
const MIN_LOG2: u32 = 6;
/// From this size on huge pages pay.
const HUGE_BYTES: usize = 4 << 20;
/// The table doubles when it has seen this many nodes an entry.
const NODES_PER_ENTRY: u64 = 2;

/// Where a key lives: its bucket and the part of the product that the entry keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<W> {
    bucket: usize,
    tag: W,
}

impl<W: Word> Slot<W> {
    /// A number that is hardly ever that of another position; never 0.
    pub(crate) fn mark(self) -> u64 {
        (self.tag >> DATA_BITS).low_u64() ^ (self.bucket as u64) << 40 | 1
    }
}

impl<W: Word> Table<W> {
    /// An empty table that grows to at most this many bytes.
    pub(crate) fn new(key_bits: u32, max_bytes: usize) -> Self {
        let least = (key_bits + DATA_BITS).saturating_sub(W::BITS).max(MIN_LOG2);
        let max_log2 = (max_bytes / BUCKET_BYTES).max(1).ilog2().max(least);
        Self { buckets: lines(1 << least), log2: least, max_log2, key_bits, nodes: 0 }
    }

    #[inline(always)]
    pub(crate) fn slot(&self, key: W) -> Slot<W> {
        let product = key.times(W::MIX) << (W::BITS - self.key_bits);
        let bucket = (product >> (W::BITS - self.log2)).low_u64() as usize;
        Slot { bucket, tag: product << self.log2 }
    }

    /// Asks the memory for a bucket that will be probed soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: Slot<W>) {
        prefetch(&self.buckets[slot.bucket]);
    }

    /// What is known about a position.
    #[inline(always)]
    pub(crate) fn probe(&self, slot: Slot<W>) -> Option<Bound> {
        let line = &self.buckets[slot.bucket];
        for at in 0..W::Line::LENGTH {
            let entry = line.load(at);
            if (entry ^ slot.tag) >> DATA_BITS == W::ZERO {
                return unpack(entry.low_u64());
            }
        }
        None
    }

    /// Stores a bound that took `nodes` to find, in place of the position's own entry, an
    /// empty one or the cheapest.
    #[inline(always)]
    pub(crate) fn store(&self, slot: Slot<W>, bound: Bound, nodes: u64) {
        let line = &self.buckets[slot.bucket];
        let (mut cheapest, mut least) = (0, u64::MAX);
        for at in 0..W::Line::LENGTH {
            let entry = line.load(at);
            if (entry ^ slot.tag) >> DATA_BITS == W::ZERO {
                cheapest = at;
                break;
            }
            let work = entry.low_u64() & ((1 << DATA_BITS) - 1) >> BOUND_BITS << BOUND_BITS;
            if work < least {
                (cheapest, least) = (at, work);
            }
        }
        line.store(cheapest, slot.tag | W::from_u64(pack(bound, nodes)));
    }

    /// Adds to the nodes searched with this table.
    pub(crate) const fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// How many more nodes it is large enough for.
    pub(crate) fn room(&self) -> u64 {
        if self.log2 == self.max_log2 {
            return u64::MAX;
        }
        let entries = (self.buckets.len() * W::Line::LENGTH) as u64;
        (entries * NODES_PER_ENTRY).saturating_sub(self.nodes)
    }

    /// Twice the table, with everything it knows.
    pub(crate) fn double(&mut self) {
        let old = std::mem::replace(&mut self.buckets, lines(2 << self.log2));
        for (bucket, line) in old.iter().enumerate() {
            let mut filled = [0; 2];
            for at in 0..W::Line::LENGTH {
                let entry = line.load(at);
                if entry.low_u64() & ((1 << BOUND_BITS) - 1) == 0 {
                    continue;
                }
                // The top bit of the tag becomes the lowest bit of the bucket.
                let half = (entry >> (W::BITS - 1)).low_u64() as usize;
                let data = entry & W::from_u64((1 << DATA_BITS) - 1);
                let tag = (entry ^ data) << 1;
                self.buckets[2 * bucket + half].store(filled[half], tag | data);
                filled[half] += 1;
            }
        }
        self.log2 += 1;
    }
}

fn lines<L: Default>(count: usize) -> Vec<L> {
    let mut lines = Vec::with_capacity(count);
    if count * BUCKET_BYTES >= HUGE_BYTES {
        prefer_huge_pages(&mut lines);
    }
    lines.extend(std::iter::repeat_with(L::default).take(count));
    lines
}

/// Never 0, so an empty entry holds no bound: scores lie strictly between −64 and 64.
#[inline(always)]
fn pack(bound: Bound, nodes: u64) -> u64 {
    let work = u64::from(nodes.ilog2() + 1).min((1 << (DATA_BITS - BOUND_BITS)) - 1);
    work << BOUND_BITS
        | match bound {
            Bound::Upper(score) => (score + SCORE_OFFSET) as u64,
            Bound::Lower(score) => (score + SCORE_OFFSET) as u64 | LOWER,
        }
}

#[inline(always)]
fn unpack(entry: u64) -> Option<Bound> {
    let score = (entry & (LOWER - 1)) as i32 - SCORE_OFFSET;
    if entry & (LOWER - 1) == 0 {
        None
    } else if entry & LOWER == 0 {
        Some(Bound::Upper(score))
    } else {
        Some(Bound::Lower(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Different keys of `bits` bits, spread over all of them.
    fn key<W: Word>(number: u64, bits: u32) -> W {
        let spread = W::from_u64(number).times(W::MIX.times(W::MIX));
        spread << (W::BITS - bits) >> (W::BITS - bits)
    }

    fn bounds_survive_growth<W: Word>(bits: u32) {
        let mut table = Table::<W>::new(bits, 4 << 20);
        let bound = |n: u64| {
            let score = (n % 127) as i32 - 63;
            if n.is_multiple_of(2) { Bound::Upper(score) } else { Bound::Lower(score) }
        };
        let mut found = 0;
        for n in 1..20_000 {
            table.store(table.slot(key(n, bits)), bound(n), n);
            assert_eq!(table.probe(table.slot(key(n, bits))), Some(bound(n)));
            table.count(4);
            if table.room() == 0 {
                table.double();
            }
        }
        for n in 1..40_000 {
            // What was replaced is gone, but nothing is taken for something else.
            if let Some(known) = table.probe(table.slot(key(n, bits))) {
                assert!(n < 20_000);
                assert_eq!(known, bound(n));
                found += 1;
            }
        }
        assert!(found > 15_000, "{found}");
    }

    #[test]
    fn bounds_survive_growth_on_every_size_of_board() {
        bounds_survive_growth::<u64>(20);
        bounds_survive_growth::<u64>(49);
        bounds_survive_growth::<u64>(56);
        bounds_survive_growth::<u64>(64);
        bounds_survive_growth::<u128>(72);
        bounds_survive_growth::<u128>(128);
    }
}
