//! Bringing the files of many machines together.

use std::path::Path;

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};

/// What a merge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Runs that were new.
    pub runs: u64,
    /// Games that were new.
    pub games: u64,
    /// Games that were here already.
    pub known: u64,
}

/// The same game under the same number must have the same stones and result in both files.
const CONFLICT: &str = "
SELECT a.run, a.number FROM other.games a JOIN main.games b USING (run, number)
WHERE a.moves <> b.moves OR a.result <> b.result OR a.black <> b.black OR a.white <> b.white
LIMIT 1";

/// What becomes of a game of the other file that is here already and differs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Differing {
    Refused,
    LeftOut,
}

impl Store {
    /// Takes over the runs and games of another file, all or nothing. Games that are here already
    /// must be the same: a game is never counted twice and never replaced.
    pub fn merge(&self, other: &Path) -> Result<Merged, StoreError> {
        self.bring_in(other, Differing::Refused)
    }

    /// Takes over what is new. Games that are here already stay, also where the other file has them
    /// differently: with a clock, a part that is played a second time may differ.
    pub fn merge_new(&self, other: &Path) -> Result<Merged, StoreError> {
        self.bring_in(other, Differing::LeftOut)
    }

    fn bring_in(&self, other: &Path, differing: Differing) -> Result<Merged, StoreError> {
        // Opening it on its own first checks that it is one of ours, and recovers its journal.
        drop(Self::open_existing(other)?);
        let told = |error: rusqlite::Error| StoreError::sql(other, &error);
        let connection = self.lock();
        connection
            .execute("ATTACH DATABASE ? AS other", params![other.to_string_lossy()])
            .map_err(told)?;
        let outcome = (|| {
            connection.execute_batch("BEGIN IMMEDIATE").map_err(told)?;
            let conflict: Option<(String, i64)> = connection
                .query_row(CONFLICT, [], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
                .map_err(told)?;
            if let Some((run, number)) = conflict
                && differing == Differing::Refused
            {
                let number = number as u64;
                return Err(StoreError::Conflict { path: other.to_owned(), run, number });
            }
            let runs = connection
                .execute("INSERT OR IGNORE INTO main.runs SELECT * FROM other.runs", [])
                .map_err(told)?;
            connection
                .execute(
                    "UPDATE main.runs SET planned =
                         MAX(COALESCE(runs.planned, o.planned), COALESCE(o.planned, runs.planned))
                     FROM other.runs o WHERE o.id = main.runs.id",
                    [],
                )
                .map_err(told)?;
            let games = connection
                .execute("INSERT OR IGNORE INTO main.games SELECT * FROM other.games", [])
                .map_err(told)?;
            let all: i64 = connection
                .query_row("SELECT COUNT(*) FROM other.games", [], |row| row.get(0))
                .map_err(told)?;
            connection.execute_batch("COMMIT").map_err(told)?;
            let (runs, games) = (runs as u64, games as u64);
            Ok(Merged { runs, games, known: all as u64 - games })
        })();
        if outcome.is_err() && !connection.is_autocommit() {
            // The error that counts is the one that led here.
            let _ = connection.execute_batch("ROLLBACK");
        }
        let _ = connection.execute_batch("DETACH DATABASE other");
        outcome
    }
}
