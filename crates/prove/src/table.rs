//! What the search remembers: proof and disproof numbers by position, in bounded memory.
//!
//! Entries hold their whole key, so no two positions are ever confused and what is proved stays
//! true. A full bucket gives up the entry that cost the fewest nodes to find; nothing but time is
//! lost, since whatever is missing is searched again.

use std::io::{self, Read, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use collinear_rules::hash::mix;

use crate::node::{Key, NO_LIMIT};

/// "Infinitely many": the number that says a node is decided.
pub(crate) const INFINITE: u32 = u32::MAX;

/// How far a node is from being proved and from being disproved: the least number of open nodes
/// that would have to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl Numbers {
    pub(crate) const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };

    pub(crate) const fn decided(wins: bool) -> Self {
        if wins { Self::PROVED } else { Self::DISPROVED }
    }

    /// Whether a search leaves such numbers: of a decided node, or of an open one.
    const fn are_possible(self) -> bool {
        match (self.proof, self.disproof) {
            (0, INFINITE) | (INFINITE, 0) => true,
            (0 | INFINITE, _) | (_, 0 | INFINITE) => false,
            _ => true,
        }
    }

    /// Whether the attacker wins, once it is known.
    pub(crate) const fn verdict(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) numbers: Numbers,
    /// Nodes searched below it, at most `u32::MAX`; 0 when only arguments were tried.
    pub(crate) effort: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    low: u64,
    high: u64,
    proof: u32,
    disproof: u32,
    effort: u32,
    turn: u16,
    idle: u8,
    rest: u8,
}

const WAYS: usize = 4;

type Bucket = Mutex<[Slot; WAYS]>;

/// Buckets that come into being together when one of them is first written: a small proof in a large
/// table costs no more than in a small one.
const PAGE: usize = 256;

/// The table; workers share it.
pub(crate) struct Table {
    pages: Vec<OnceLock<Box<[Bucket]>>>,
}

impl Table {
    /// A table of at most this many bytes, and at least one page, if there is room for the list of its pages.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let count = (bytes / (PAGE * size_of::<Bucket>())).max(1);
        let mut pages = Vec::new();
        pages.try_reserve_exact(count).ok()?;
        pages.resize_with(count, OnceLock::new);
        Some(Self { pages })
    }

    /// The page and the bucket in it.
    fn place(&self, key: &Key) -> (&OnceLock<Box<[Bucket]>>, usize) {
        let turn = u64::from(key.turn) | u64::from(key.idle) << 16 | u64::from(!key.rest) << 24;
        let hash = mix(key.low ^ mix(key.high ^ mix(turn)));
        let index = (u128::from(hash) * (self.pages.len() * PAGE) as u128) >> 64;
        (&self.pages[index as usize / PAGE], index as usize % PAGE)
    }

    /// What is known of a position.
    pub(crate) fn get(&self, key: &Key) -> Option<Entry> {
        let (page, index) = self.place(key);
        let bucket = page.get()?[index].lock().unwrap_or_else(PoisonError::into_inner);
        bucket.iter().find(|slot| slot.holds(key)).map(|slot| Entry {
            numbers: Numbers { proof: slot.proof, disproof: slot.disproof },
            effort: slot.effort,
        })
    }

    /// Remembers a position.
    pub(crate) fn put(&self, key: &Key, entry: Entry) {
        let (page, index) = self.place(key);
        let page = page.get_or_init(|| (0..PAGE).map(|_| Bucket::default()).collect());
        let mut bucket = page[index].lock().unwrap_or_else(PoisonError::into_inner);
        let place = bucket.iter().position(|slot| slot.holds(key)).or_else(|| {
            bucket.iter().enumerate().min_by_key(|(_, slot)| slot.effort).map(|(index, _)| index)
        });
        let Some(slot) = place.map(|index| &mut bucket[index]) else { return };
        // Another worker may have decided the position meanwhile; and what cost nothing pushes out
        // nothing that did.
        let decided = slot.holds(key) && (slot.proof == 0 || slot.disproof == 0);
        if decided || entry.effort < slot.effort && entry.effort == 0 {
            return;
        }
        let Key { low, high, turn, idle, rest } = *key;
        let Numbers { proof, disproof } = entry.numbers;
        *slot = Slot { low, high, proof, disproof, effort: entry.effort, turn, idle, rest };
    }
}

impl Slot {
    fn holds(&self, key: &Key) -> bool {
        (self.turn, self.idle, self.rest) == (key.turn, key.idle, key.rest)
            && self.low == key.low
            && self.high == key.high
    }
}

/// Bytes of one entry in a file.
const SLOT_BYTES: usize = 32;

/// Entries that are saved at most, those that cost most: 256 MiB.
const MAX_SAVED: u64 = 8 << 20;

impl Table {
    /// All entries.
    fn slots(&self) -> impl Iterator<Item = Slot> {
        let buckets = self.pages.iter().filter_map(OnceLock::get).flatten();
        let buckets = buckets.map(|bucket| *bucket.lock().unwrap_or_else(PoisonError::into_inner));
        buckets.flatten().filter(|slot| slot.turn != 0)
    }

    /// Writes at most this many entries, those that cost most: the others are soon found again.
    fn save_at_most(&self, most: u64, out: &mut impl Write) -> io::Result<()> {
        let mut by_size = [0_u64; 33];
        self.slots().for_each(|slot| by_size[size_of_effort(slot.effort)] += 1);
        let mut room = most;
        let mut fit = |count: &u64| {
            room = room.checked_sub(*count)?;
            Some(())
        };
        let least = by_size.len() - by_size.iter().rev().map_while(&mut fit).count();
        for slot in self.slots().filter(|slot| size_of_effort(slot.effort) >= least) {
            let mut bytes = Vec::with_capacity(SLOT_BYTES);
            bytes.extend(slot.low.to_le_bytes());
            bytes.extend(slot.high.to_le_bytes());
            bytes.extend(slot.proof.to_le_bytes());
            bytes.extend(slot.disproof.to_le_bytes());
            bytes.extend(slot.effort.to_le_bytes());
            bytes.extend(slot.turn.to_le_bytes());
            bytes.extend([slot.idle, slot.rest]);
            out.write_all(&bytes)?;
        }
        // An unused entry ends the list.
        out.write_all(&[0; SLOT_BYTES])
    }

    /// Writes the entries, those that cost least only while there are few.
    pub(crate) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        self.save_at_most(MAX_SAVED, out)
    }

    /// Reads entries back, as many as fit. Those of the first kind of files know of no limits.
    pub(crate) fn load(&self, input: &mut impl Read, knows_limits: bool) -> io::Result<()> {
        let mut bytes = [0; SLOT_BYTES];
        bytes[SLOT_BYTES - 1] = NO_LIMIT;
        let length = if knows_limits { SLOT_BYTES } else { SLOT_BYTES - 1 };
        let word = |at: usize, bytes: &[u8; SLOT_BYTES]| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let long = |at: usize, bytes: &[u8; SLOT_BYTES]| {
            u64::from(word(at, bytes)) | u64::from(word(at + 4, bytes)) << 32
        };
        loop {
            input.read_exact(&mut bytes[..length])?;
            let key = Key {
                low: long(0, &bytes),
                high: long(8, &bytes),
                turn: u16::from_le_bytes([bytes[28], bytes[29]]),
                idle: bytes[30],
                rest: bytes[31],
            };
            if key.turn == 0 {
                return Ok(());
            }
            let numbers = Numbers { proof: word(16, &bytes), disproof: word(20, &bytes) };
            if !numbers.are_possible() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.put(&key, Entry { numbers, effort: word(24, &bytes) });
        }
    }
}

/// Bits of the nodes that an entry cost.
const fn size_of_effort(effort: u32) -> usize {
    (u32::BITS - effort.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_file_keeps_what_cost_most() {
        let table = Table::new(1 << 20).expect("memory");
        for number in 1..=1000 {
            let key = Key { low: number, turn: 1, rest: NO_LIMIT, ..Key::default() };
            table.put(&key, Entry { numbers: Numbers::PROVED, effort: number as u32 });
        }
        let mut file = Vec::new();
        table.save_at_most(600, &mut file).expect("memory");
        let again = Table::new(1 << 20).expect("memory");
        again.load(&mut file.as_slice(), true).expect("its own file");
        let kept: Vec<u32> = again.slots().map(|slot| slot.effort).collect();
        // 512 to 1000 fit; with 256 to 511 they would be too many.
        assert_eq!(kept.len(), 489);
        assert!(kept.iter().all(|&effort| effort >= 512));
        assert!(again.slots().all(|slot| slot.rest == NO_LIMIT));
    }
}
