//! The tables of a file of results, whose file it is, and files of earlier versions.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::StoreError;

/// "Clnr": marks a file as ours in its header.
const APPLICATION_ID: i64 = 0x436c_6e72;
/// Raised whenever the tables change.
const VERSION: i64 = 2;
/// Pages of journal before it is worked into the file: each time flushes the disk, and with
/// instant agents the usual 1000 pages are a fraction of a second.
const CHECKPOINT_PAGES: i64 = 16_384;

const TABLES: &str = "
CREATE TABLE runs (
    id      TEXT PRIMARY KEY,   -- hash of plan and build
    plan    TEXT NOT NULL,      -- JSON: rules, contestants, openings, seed, …
    rules   TEXT NOT NULL,
    build   TEXT NOT NULL,      -- the program that plays it
    name    TEXT NOT NULL,      -- for people: 'match', 'karplus-1', …
    started TEXT NOT NULL DEFAULT (datetime('now')),
    planned INTEGER,            -- games it is to have, all shards together
    ended   TEXT                -- 'complete', 'decided' or 'stopped'; null: goes on, or was killed
) WITHOUT ROWID;
CREATE TABLE games (
    run     TEXT    NOT NULL REFERENCES runs(id),
    number  INTEGER NOT NULL,
    pair    INTEGER NOT NULL,
    black   INTEGER NOT NULL,   -- index into the plan's contestants
    white   INTEGER NOT NULL,
    result  TEXT    NOT NULL,   -- 'black', 'white' or 'draw'
    ending  TEXT    NOT NULL,   -- 'row', 'full-board', 'crash', 'time-forfeit', …
    words   TEXT,               -- of a fault: what happened, with the last words
    opening INTEGER NOT NULL,   -- stones of the opening, at the head of moves
    moves   TEXT    NOT NULL,   -- 'j10 k11 …'
    black_seed  INTEGER NOT NULL, white_seed  INTEGER NOT NULL,
    black_turns INTEGER NOT NULL, white_turns INTEGER NOT NULL,
    black_us    INTEGER NOT NULL, white_us    INTEGER NOT NULL,
    black_nodes INTEGER NOT NULL, white_nodes INTEGER NOT NULL,
    black_depth INTEGER NOT NULL, white_depth INTEGER NOT NULL,
    turns   TEXT    NOT NULL,   -- JSON: [stones, µs, depth, nodes, chance] a turn
    PRIMARY KEY (run, number)
) WITHOUT ROWID;";

/// What turns a file of version n + 1 into one of the next, from version 1 on.
const UPGRADES: [&str; VERSION as usize - 1] =
    ["ALTER TABLE runs ADD COLUMN planned INTEGER; ALTER TABLE runs ADD COLUMN ended TEXT;"];

/// Checks whose file it is, makes the tables in a new one, brings an older one up to date, and sets
/// the journal up.
pub(super) fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let told = |error: rusqlite::Error| StoreError::sql(path, &error);
    let first_table: Option<String> = connection
        .query_row("SELECT name FROM sqlite_master LIMIT 1", [], |row| row.get(0))
        .optional()
        .map_err(told)?;
    let mut current = false;
    if first_table.is_some() {
        if number(connection, "application_id").map_err(told)? != APPLICATION_ID {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        let found = number(connection, "user_version").map_err(told)?;
        if !(1..=VERSION).contains(&found) {
            return Err(StoreError::Version { path: path.to_owned(), found, known: VERSION });
        }
        current = found == VERSION;
    }
    // Before the transaction: the mode cannot change inside one. NORMAL flushes at checkpoints
    // only: a killed process loses nothing, a power cut may lose the last games but no file.
    connection.pragma_update(None, "journal_mode", "WAL").map_err(told)?;
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(told)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(told)?;
    if current { Ok(()) } else { bring_up_to_date(connection).map_err(told) }
}

/// All or nothing, and nothing where another process was faster.
fn bring_up_to_date(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match number(&transaction, "user_version")? {
        0 => {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        }
        found => {
            for upgrade in &UPGRADES[(found - 1) as usize..] {
                transaction.execute_batch(upgrade)?;
            }
        }
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
}
