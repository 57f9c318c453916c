//! The tables of a file of results, and whose file it is.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::StoreError;

/// "Clnr": marks a file as ours in its header.
const APPLICATION_ID: i64 = 0x436c_6e72;
/// Raised whenever the tables change.
const VERSION: i64 = 3;
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
    ending  TEXT    NOT NULL,   -- the name of the reason: 'row', 'full-board', 'crash', …
    words   TEXT,               -- of a fault: what happened, with the last words
    opening INTEGER NOT NULL,   -- stones of the opening, at the head of moves
    moves   TEXT    NOT NULL,   -- 'j10 k11 …'
    black_seed  INTEGER NOT NULL, white_seed  INTEGER NOT NULL,
    black_turns INTEGER NOT NULL, white_turns INTEGER NOT NULL,
    black_us    INTEGER NOT NULL, white_us    INTEGER NOT NULL,
    black_nodes INTEGER NOT NULL, white_nodes INTEGER NOT NULL,
    black_depth INTEGER NOT NULL, white_depth INTEGER NOT NULL,
    turns   TEXT    NOT NULL,   -- JSON: [stones, µs, depth, nodes, value] per turn
    key     INTEGER NOT NULL DEFAULT 0, -- the same for games with the same stones
    black_sure_but_lost INTEGER NOT NULL DEFAULT 0, white_sure_but_lost INTEGER NOT NULL DEFAULT 0,
    black_gave_up_early INTEGER NOT NULL DEFAULT 0, white_gave_up_early INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;";

/// Checks whose file it is, makes the tables in a new one, and sets the journal up.
pub(super) fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let told = |error: rusqlite::Error| StoreError::sql(path, &error);
    let first_table: Option<String> = connection
        .query_row("SELECT name FROM sqlite_master LIMIT 1", [], |row| row.get(0))
        .optional()
        .map_err(told)?;
    if first_table.is_some() {
        if number(connection, "application_id").map_err(told)? != APPLICATION_ID {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        let found = number(connection, "user_version").map_err(told)?;
        if found != VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found, known: VERSION });
        }
    }
    // Before the transaction: the mode cannot change inside one. NORMAL flushes at checkpoints
    // only: a killed process loses nothing, a power cut may lose the last games but no file.
    connection.pragma_update(None, "journal_mode", "WAL").map_err(told)?;
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(told)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(told)?;
    if first_table.is_some() { Ok(()) } else { make_tables(connection).map_err(told) }
}

/// All or nothing, and nothing where another process was faster.
fn make_tables(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if number(&transaction, "user_version")? == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
}
