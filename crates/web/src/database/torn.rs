//! What is left of the file of games when the machine stops at any moment: every stone that was
//! confirmed is there, and nothing stands in the way of the next one.
//!
//! A write goes to the end of the journal (`-wal`), and now and then the journal's pages are copied into
//! the file. So a stop leaves a journal that ends, or is zeros from there on, at any sector, or a file
//! that is new up to any sector and old behind it, beside a whole journal.

use std::fs;
use std::path::Path;

use collinear_play::Game;
use collinear_room::{PageGame, Row, Store};
use collinear_rules::{Cell, Rules};

use super::Database;

/// What a disk writes whole or not at all.
const SECTOR: usize = 512;
/// Stones of the game that is saved after each of them.
const STONES: usize = 8;

/// The files of a store.
struct Disk {
    file: Vec<u8>,
    journal: Vec<u8>,
}

impl Disk {
    fn of(path: &Path) -> Self {
        let journal = fs::read(path.with_file_name("games.db-wal")).unwrap_or_default();
        Self { file: fs::read(path).expect("read"), journal }
    }

    /// The game that a server finds which starts with this disk; it then goes on.
    fn found(&self) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        fs::write(&path, &self.file).expect("written");
        fs::write(path.with_file_name("games.db-wal"), &self.journal).expect("written");
        let store = Database::open(&path).expect("opens");
        let found = store.body("game").expect("read");
        store.save(&row(STONES)).expect("goes on");
        drop(store);
        let again = Database::open(&path).expect("opens again");
        assert_eq!(again.body("game").expect("read"), Some(row(STONES).body));
        assert_eq!(again.list().expect("a list").len(), 1, "none twice");
        found
    }
}

/// The game with so many stones.
fn row(stones: usize) -> Row {
    let mut game = PageGame::new(Game::new(Rules::CONNECT6), 7);
    for cell in 0..stones {
        game.model.play(Cell::new(40 * cell)).expect("legal");
    }
    Row::of("game", &game).expect("a row")
}

/// The disk after every stone was confirmed, how long the journal was after each, and the file after
/// the journal was copied into it.
fn confirmed() -> (Disk, Vec<usize>, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.db");
    // Closed once, so that the tables stand in the file.
    drop(Database::open(&path).expect("a store"));
    let store = Database::open(&path).expect("a store");
    let bytes = (0..STONES).map(|stones| {
        store.save(&row(stones)).expect("saved");
        Disk::of(&path).journal.len()
    });
    let bytes = bytes.collect();
    let disk = Disk::of(&path);
    store.connection().execute_batch("PRAGMA wal_checkpoint(FULL)").expect("copied");
    let copied = fs::read(&path).expect("read");
    (disk, bytes, copied)
}

#[test]
fn a_journal_that_ends_anywhere_keeps_what_was_confirmed_before() {
    let (disk, bytes, _) = confirmed();
    assert!(disk.journal.len() > 20 * SECTOR, "{} bytes", disk.journal.len());
    let sectors = (0..disk.journal.len()).step_by(SECTOR);
    for end in sectors.flat_map(|end| [end, end + 1]).chain([disk.journal.len()]) {
        let before = bytes.iter().filter(|bytes| **bytes <= end).count();
        let expected = before.checked_sub(1).map(|stones| row(stones).body);
        let cut = disk.journal[..end].to_vec();
        // Systems extend a file before they fill it.
        let zeros = [&cut[..], &vec![0; disk.journal.len() - end]].concat();
        for journal in [cut, zeros] {
            let found = Disk { file: disk.file.clone(), journal }.found();
            assert_eq!(found, expected, "the journal ends at {end}");
        }
    }
}

#[test]
fn a_copy_into_the_file_that_stops_anywhere_loses_nothing() {
    let (disk, _, copied) = confirmed();
    assert_ne!(disk.file, copied, "the copy does something");
    for end in (0..=copied.len()).step_by(SECTOR) {
        let rest = disk.file.get(end..).unwrap_or_default();
        let file = [&copied[..end], rest].concat();
        let found = Disk { file, journal: disk.journal.clone() }.found();
        assert_eq!(found, Some(row(STONES - 1).body), "the copy stops at {end}");
    }
}
