//! What is left of a file of results when the machine stops at any moment: every game that was
//! confirmed is there, none twice, and nothing stands in the way of going on.
//!
//! A commit writes frames at the end of the journal (`-wal`), a checkpoint copies pages from the
//! journal into the file. So a stop leaves a journal that ends, or is torn, at any point, or a file of
//! which any part is old and the rest new, beside a whole journal. Each of these states is made here
//! and opened.

use std::fs;
use std::path::Path;

use super::tests::{game, in_folder};
use super::*;
use crate::testing::plan;

/// Bytes of a page, of the journal's head, and of the head of each of its frames.
const PAGE: usize = 4096;
const JOURNAL_HEAD: usize = 32;
const FRAME: usize = PAGE + 24;

/// A file of results as it is on disk at some moment.
struct Disk {
    file: Vec<u8>,
    journal: Vec<u8>,
}

impl Disk {
    fn of(path: &Path) -> Self {
        let journal = fs::read(path.with_file_name("results.sqlite-wal")).unwrap_or_default();
        Self { file: fs::read(path).expect("read"), journal }
    }

    /// The numbers of the games that a program finds which starts with this disk; it then goes on.
    fn games(&self) -> Vec<u64> {
        let (_folder, path) = in_folder("results.sqlite");
        fs::write(&path, &self.file).expect("written");
        fs::write(path.with_file_name("results.sqlite-wal"), &self.journal).expect("written");
        let store = Store::open(&path).expect("opens");
        let plan = plan(2);
        let run = plan.run_id("1");
        let found: Vec<u64> =
            store.summaries(&run).expect("games").iter().map(|game| game.number).collect();
        store.begin(&plan, "1", "match", 1000).expect("goes on");
        let more = [GameRow::new(game(999, &[3]))];
        assert_eq!(store.insert(&run, &more).expect("goes on"), [true]);
        store.check().expect("whole");
        found
    }
}

/// A run with games that were confirmed one after the other, and how long the journal was then.
struct Confirmed {
    disk: Disk,
    /// The disk after everything in the journal has been copied into the file.
    checkpointed: Vec<u8>,
    journal_bytes: Vec<usize>,
}

fn confirmed(games: u64) -> Confirmed {
    let (_folder, path) = in_folder("results.sqlite");
    let store = Store::open(&path).expect("opens");
    let plan = plan(2);
    let run = store.begin(&plan, "1", "match", games).expect("begins");
    store.lock().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("copied");
    let mut journal_bytes = Vec::new();
    for number in 0..games {
        // Long enough for pages to be split on the way.
        let stones: Vec<usize> = (0..42).filter(|cell| cell % 7 % 2 == 0).take(12).collect();
        store.insert(&run, &[GameRow::new(game(number, &stones))]).expect("inserted");
        journal_bytes.push(Disk::of(&path).journal.len());
    }
    let disk = Disk::of(&path);
    store.lock().execute_batch("PRAGMA wal_checkpoint(FULL)").expect("copied");
    let checkpointed = fs::read(&path).expect("read");
    Confirmed { disk, checkpointed, journal_bytes }
}

/// Points at which a write may end: where a frame begins, within its head, at its page, in the middle
/// of the page, before its last byte.
fn points(bytes: usize) -> impl Iterator<Item = usize> {
    let frames = (bytes - JOURNAL_HEAD) / FRAME;
    let within = [0, 1, 23, 24, FRAME / 2, FRAME - 1];
    (0..frames).flat_map(move |frame| within.map(|at| JOURNAL_HEAD + frame * FRAME + at)).chain([
        0,
        1,
        JOURNAL_HEAD - 1,
        bytes,
    ])
}

#[test]
fn a_journal_that_ends_anywhere_keeps_what_was_confirmed_before() {
    let Confirmed { disk, journal_bytes, .. } = confirmed(12);
    let mut states = 0;
    for end in points(disk.journal.len()) {
        let before = journal_bytes.iter().filter(|bytes| **bytes <= end).count() as u64;
        let cut = disk.journal[..end].to_vec();
        // The rest never came, or came as zeros: systems extend a file before they fill it.
        let zeros = [&cut[..], &vec![0; disk.journal.len() - end]].concat();
        for journal in [cut, zeros] {
            let found = Disk { file: disk.file.clone(), journal }.games();
            assert_eq!(found, (0..before).collect::<Vec<_>>(), "the journal ends at {end}");
            states += 1;
        }
    }
    assert!(states > 100, "{states}");
}

#[test]
fn a_copy_into_the_file_that_stops_anywhere_loses_nothing() {
    let Confirmed { disk, checkpointed, journal_bytes } = confirmed(300);
    let all: Vec<u64> = (0..journal_bytes.len() as u64).collect();
    let (old, new) = (&disk.file, &checkpointed);
    assert!(new.len() > old.len() && new.len() / PAGE > 5, "the copy does something");
    let pages = new.len() / PAGE;
    for page in 0..=pages {
        for within in [0, 1, PAGE / 2, PAGE - 1] {
            let end = (page * PAGE + within).min(new.len());
            let rest = old.get(end..).unwrap_or_default();
            let file = [&new[..end], rest].concat();
            let found = Disk { file, journal: disk.journal.clone() }.games();
            assert_eq!(found, all, "the copy stops at {end}");
        }
    }
}
