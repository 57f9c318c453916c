//! Which stones other threads are searching right now, so that this one begins elsewhere.
//!
//! All threads walk the same tree. A thread that is about to search a stone which another thread
//! has begun at the same depth puts it off; when it comes back, the answer stands in the
//! transposition table (T. Kerrigan, "Simplified ABDADA", after Weill's ABDADA of 1996).

use std::sync::atomic::{AtomicU64, Ordering};

/// A small table of keys; a lost race costs double work, never a wrong answer.
pub(super) struct Busy(Vec<AtomicU64>);

/// Searches under way are few: threads times plies.
const SLOTS: usize = 1 << 12;

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % SLOTS]
    }

    /// Whether another thread searches this.
    #[inline]
    pub(super) fn has(&self, key: u64) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key
    }

    /// This thread begins.
    #[inline]
    pub(super) fn begin(&self, key: u64) {
        self.slot(key).store(key, Ordering::Relaxed);
    }

    /// This thread is done.
    #[inline]
    pub(super) fn end(&self, key: u64) {
        let _ = self.slot(key).compare_exchange(key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// The key of a position searched to a depth.
#[inline]
pub(super) const fn at_depth(key: u64, depth: i32) -> u64 {
    (key ^ depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
}

/// The stones of a node in the order to try them: one after the other, then those put off.
pub(super) struct Queue {
    next: usize,
    count: usize,
    /// A bit for each stone put off; those beyond the first 64 never are.
    later: u64,
}

impl Queue {
    /// The stones of a list from one index to before another.
    pub(super) const fn new(from: usize, to: usize) -> Self {
        Self { next: from, count: to, later: 0 }
    }

    /// Index of the next stone, and whether it may still be put off.
    #[inline]
    pub(super) const fn next(&mut self) -> Option<(usize, bool)> {
        if self.next < self.count {
            self.next += 1;
            return Some((self.next - 1, self.next <= u64::BITS as usize));
        }
        if self.later == 0 {
            return None;
        }
        let index = self.later.trailing_zeros() as usize;
        self.later &= self.later - 1;
        Some((index, false))
    }

    pub(super) const fn put_off(&mut self, index: usize) {
        self.later |= 1 << index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_put_off_come_last_and_once() {
        let mut queue = Queue::new(0, 4);
        let mut order = Vec::new();
        while let Some((index, may_wait)) = queue.next() {
            if may_wait && index % 2 == 1 {
                queue.put_off(index);
            } else {
                order.push(index);
            }
        }
        assert_eq!(order, [0, 2, 1, 3]);
    }

    #[test]
    fn a_search_is_known_while_it_lasts() {
        let busy = Busy::new();
        let (here, deeper) = (at_depth(77, 4), at_depth(77, 5));
        busy.begin(here);
        assert!(busy.has(here) && !busy.has(deeper));
        busy.end(deeper);
        assert!(busy.has(here));
        busy.end(here);
        assert!(!busy.has(here));
    }
}
