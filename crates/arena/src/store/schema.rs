//! The tables of a file of results, whose file it is, and files of earlier versions.

use std::path::Path;

use collinear_rules::{Rules, notation};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::StoreError;
use crate::game::stones_key;

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

/// What turns a file of version n + 1 into one of the next, from version 1 on.
const UPGRADES: [&str; VERSION as usize - 1] = [
    "ALTER TABLE runs ADD COLUMN planned INTEGER; ALTER TABLE runs ADD COLUMN ended TEXT;",
    "UPDATE games SET ending = 'time-forfeit' WHERE ending = 'hang';
     ALTER TABLE games ADD COLUMN key INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE games ADD COLUMN black_sure_but_lost INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE games ADD COLUMN white_sure_but_lost INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE games ADD COLUMN black_gave_up_early INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE games ADD COLUMN white_gave_up_early INTEGER NOT NULL DEFAULT 0;",
];

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
            fill_keys(&transaction)?;
        }
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Games of versions before the third have no keys yet.
pub(super) fn fill_keys(connection: &Connection) -> rusqlite::Result<()> {
    let mut games = connection.prepare(
        "SELECT run, number, moves, rules FROM games JOIN runs ON run = id WHERE key = 0",
    )?;
    let mut fill = connection.prepare("UPDATE games SET key = ? WHERE run = ? AND number = ?")?;
    let rows: Vec<(String, i64, String, String)> = games
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect::<Result<_, _>>()?;
    for (run, number, moves, rules) in rows {
        // What cannot be read is found out when somebody asks for that game.
        let Some(key) = rules.parse().ok().and_then(|rules| moves_key(&rules, &moves)) else {
            continue;
        };
        fill.execute(rusqlite::params![key as i64, run, number])?;
    }
    Ok(())
}

fn moves_key(rules: &Rules, moves: &str) -> Option<u64> {
    let cells: Result<Vec<_>, _> =
        moves.split_whitespace().map(|name| notation::parse(rules, name)).collect();
    cells.ok().map(|cells| stones_key(&cells))
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
}
