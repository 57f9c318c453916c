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

#[cfg(test)]
mod tests {
    use super::*;

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
