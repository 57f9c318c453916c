//! The transposition table: what was found out about a position, shared by all threads.
//!
//! Two words an entry, written without locks. The first is the key exclusive-or the second, so an
//! entry that two threads wrote halves of matches no key (Hyatt & Mann, "A lock-less
//! transposition table", 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use collinear_rules::Cell;

use super::score::{self, Score};

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// At least this.
    Lower,
    /// At most this.
    Upper,
    /// Exactly this.
    Exact,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) depth: i32,
    pub(crate) best: Option<Cell>,
    /// Whether a proof search of that many nodes (a power of two) found nothing here.
    pub(crate) unproved: u8,
}

impl Entry {
    /// Whether its score says enough about this window.
    pub(crate) fn settles(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

/// A table of fixed size.
pub(crate) struct Table {
    slots: Vec<[AtomicU64; 2]>,
    age: AtomicU8,
}

/// Depths are stored in a byte, from here on.
const DEPTH_OFFSET: i32 = 32;
const NO_CELL: u64 = 0xffff;

impl Table {
    /// Bytes of an entry.
    pub(crate) const ENTRY: usize = size_of::<[AtomicU64; 2]>();

    /// A table of about this many mebibytes, at least one.
    pub(crate) fn new(mebibytes: usize) -> Self {
        let slots = (mebibytes.max(1) << 20) / Self::ENTRY;
        // Zero pages: nothing is written before it is used, so a large table costs no time.
        Self { slots: bytemuck::zeroed_vec(1 << slots.ilog2()), age: AtomicU8::new(0) }
    }

    /// Its size.
    pub(crate) fn mebibytes(&self) -> usize {
        (self.slots.len() * Self::ENTRY) >> 20
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for [key, data] in &self.slots {
            key.store(0, Ordering::Relaxed);
            data.store(0, Ordering::Relaxed);
        }
    }

    /// Marks what is stored so far as old: it yields to what comes.
    pub(crate) fn grow_older(&self) {
        self.age.store(self.age.load(Ordering::Relaxed).wrapping_add(1) & 63, Ordering::Relaxed);
    }

    #[inline]
    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    /// What is known; `distance` turns from the root, for wins are stored relative to here.
    #[inline]
    pub(crate) fn get(&self, key: u64, distance: i32) -> Option<Entry> {
        let [first, second] = self.slot(key);
        let data = second.load(Ordering::Relaxed);
        if first.load(Ordering::Relaxed) ^ data != key || data == 0 {
            return None;
        }
        let bound = match data >> 40 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        let cell = data >> 16 & NO_CELL;
        Some(Entry {
            score: score::from_here(i32::from(data as u16 as i16), distance),
            bound,
            depth: (data >> 32 & 0xff) as i32 - DEPTH_OFFSET,
            best: (cell != NO_CELL).then(|| Cell::new(cell as usize)),
            unproved: (data >> 48 & 0xff) as u8,
        })
    }

    /// Stores an entry; deeper entries of this turn stay.
    #[inline]
    pub(crate) fn put(&self, key: u64, distance: i32, entry: Entry) {
        let [first, second] = self.slot(key);
        let age = u64::from(self.age.load(Ordering::Relaxed));
        let old = second.load(Ordering::Relaxed);
        if old != 0 && first.load(Ordering::Relaxed) ^ old != key {
            let old_depth = (old >> 32 & 0xff) as i32 - DEPTH_OFFSET;
            if old >> 42 & 63 == age && old_depth > entry.depth + 4 {
                return;
            }
        }
        let score = score::to_here(entry.score, distance) as i16 as u16;
        let bound = match entry.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let data = u64::from(score)
            | entry.best.map_or(NO_CELL, |cell| cell.index() as u64) << 16
            | ((entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64) << 32
            | bound << 40
            | age << 42
            | u64::from(entry.unproved) << 48;
        first.store(key ^ data, Ordering::Relaxed);
        second.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let table = Table::new(1);
        let entry = Entry {
            score: -score::WIN + 7,
            bound: Bound::Upper,
            depth: -3,
            best: Some(Cell::new(360)),
            unproved: 9,
        };
        table.put(0x1234_5678_9abc_def0, 4, entry);
        assert_eq!(table.get(0x1234_5678_9abc_def0, 4), Some(entry));
        // The same loss, reached two turns later, is two turns further away.
        let later = table.get(0x1234_5678_9abc_def0, 6).map(|entry| entry.score);
        assert_eq!(later, Some(-score::WIN + 9));
        assert_eq!(table.get(0x1234_5678_9abc_def1, 4), None);
        table.clear();
        assert_eq!(table.get(0x1234_5678_9abc_def0, 4), None);
    }
}
