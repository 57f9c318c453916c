//! Durable results: one `SQLite` file, one row a game, committed when the game ends.
//!
//! Games that end in quick succession go by way of a [`burst`] file. The file is in WAL mode: a
//! killed process loses nothing that was committed, readers do not wait for writers, and several
//! runs may share one file. `PRIMARY KEY (run, number)` is what makes it
//! impossible to keep a game twice.

mod burst;
mod error;
mod merge;
mod rows;
mod schema;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use burst::{Batch, Burst, Kept};
pub use error::StoreError;
pub use merge::Merged;
pub use rows::RunRow;

use crate::game::{GameSummary, PlayedGame};
use crate::plan::Plan;
use crate::runner::Ended;

/// How long to wait for another process that is writing.
const BUSY: Duration = Duration::from_secs(30);

/// A file of results.
pub struct Store {
    path: PathBuf,
    connection: Mutex<Connection>,
    burst: Mutex<Burst>,
}

impl Store {
    /// Opens the file, or makes it and the folders above it. A file of something else, of another
    /// version or with damage is refused and left as it is.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::Folder {
                path: folder.to_owned(),
                reason: error.to_string(),
            })?;
        }
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens a file that must exist.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let told = |error: rusqlite::Error| StoreError::sql(path, &error);
        let mut connection =
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
                .map_err(told)?;
        connection.busy_timeout(BUSY).map_err(told)?;
        schema::prepare(&mut connection, path)?;
        let store = Self {
            path: path.to_owned(),
            connection: Mutex::new(connection),
            burst: Mutex::new(Burst::new(path)),
        };
        for batch in burst::abandoned(path)? {
            store.commit(batch)?;
        }
        Ok(store)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Notes a run and how many games it is to have. One that is there already goes on. Returns
    /// its id.
    pub fn begin(
        &self,
        plan: &Plan,
        build: &str,
        name: &str,
        planned: u64,
    ) -> Result<String, StoreError> {
        let id = plan.run_id(build);
        let rules = plan.rules.to_string();
        self.run_sql(|sql| {
            sql.execute(
                "INSERT INTO runs (id, plan, rules, build, name, planned) VALUES (?, ?, ?, ?, ?, ?)
                 ON CONFLICT (id) DO UPDATE SET planned = excluded.planned, ended = NULL",
                params![id, plan.description(), rules, build, name, planned as i64],
            )
        })?;
        Ok(id)
    }

    /// Notes how a run ended. One without such a note goes on, or was killed.
    pub fn end(&self, run: &str, ended: Ended) -> Result<(), StoreError> {
        self.flush()?;
        self.run_sql(|sql| {
            sql.execute("UPDATE runs SET ended = ? WHERE id = ?", params![ended.name(), run])
        })?;
        Ok(())
    }

    /// Keeps a game: when this returns it is on disk, as a row or on its way to become one. False
    /// when the run is known to have a game of that number already.
    pub fn insert(&self, run: &str, plan: &Plan, game: &PlayedGame) -> Result<bool, StoreError> {
        let kept = Kept::new(run, plan, game);
        let mut burst = self.lock_burst();
        if burst.is_lull() {
            drop(burst);
            return self.run_sql(|sql| rows::insert(sql, &kept));
        }
        let due = burst.add(kept)?;
        // The other workers go on writing lines while this one makes rows of a batch.
        drop(burst);
        due.map_or(Ok(()), |batch| self.commit(batch))?;
        Ok(true)
    }

    /// Makes rows of all games that are on their way.
    pub fn flush(&self) -> Result<(), StoreError> {
        let batch = self.lock_burst().take();
        batch.map_or(Ok(()), |batch| self.commit(batch))
    }

    fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        self.run_sql(|sql| {
            let transaction = Transaction::new_unchecked(sql, TransactionBehavior::Immediate)?;
            for game in &batch.games {
                rows::insert(sql, game)?;
            }
            transaction.commit()
        })?;
        batch.done();
        Ok(())
    }

    /// The games of a run, by number.
    pub fn summaries(&self, run: &str) -> Result<Vec<GameSummary>, StoreError> {
        self.flush()?;
        self.run_sql(|sql| rows::summaries(sql, run))
    }

    /// Calls back with every game of a run, by number.
    pub fn each_game(
        &self,
        run: &RunRow,
        on: &mut dyn FnMut(PlayedGame),
    ) -> Result<(), StoreError> {
        self.flush()?;
        self.run_sql(|sql| rows::each_game(sql, run, on))
    }

    /// One game of a run.
    pub fn game(&self, run: &RunRow, number: u64) -> Result<Option<PlayedGame>, StoreError> {
        self.flush()?;
        self.run_sql(|sql| rows::game(sql, run, number))
    }

    /// All runs, the latest first.
    pub fn runs(&self) -> Result<Vec<RunRow>, StoreError> {
        self.flush()?;
        self.run_sql(|sql| rows::runs(sql, None))
    }

    /// One run: its games alone are counted.
    pub fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
        self.flush()?;
        self.run_sql(|sql| rows::runs(sql, Some(id))).map(|mut runs| runs.pop())
    }

    /// The games of a plan, by whichever build played most of them; of equals the latest.
    pub fn best_run_of(&self, plan: &Plan) -> Result<Vec<GameSummary>, StoreError> {
        let best: Option<String> = self.run_sql(|sql| {
            sql.query_row(
                "SELECT id FROM runs WHERE plan = ?
                 ORDER BY (SELECT COUNT(*) FROM games WHERE run = id) DESC, started DESC LIMIT 1",
                [plan.description()],
                |row| row.get(0),
            )
            .optional()
        })?;
        best.map_or(Ok(Vec::new()), |run| self.summaries(&run))
    }

    /// Games of the same plan that another build of the program played.
    pub fn games_of_other_builds(&self, plan: &Plan, build: &str) -> Result<u64, StoreError> {
        self.run_sql(|sql| {
            sql.query_row(
                "SELECT COUNT(*) FROM games JOIN runs ON run = id WHERE plan = ? AND build <> ?",
                params![plan.description(), build],
                |row| row.get::<_, i64>(0).map(|n| n as u64),
            )
        })
    }

    /// Forgets a run and its games.
    pub fn forget(&self, run: &str) -> Result<(), StoreError> {
        self.flush()?;
        self.run_sql(|sql| {
            sql.execute_batch("BEGIN IMMEDIATE")?;
            sql.execute("DELETE FROM games WHERE run = ?", [run])?;
            sql.execute("DELETE FROM runs WHERE id = ?", [run])?;
            sql.execute_batch("COMMIT")
        })
    }

    fn run_sql<T>(
        &self,
        act: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        act(&self.lock()).map_err(|error| StoreError::sql(&self.path, &error))
    }

    fn lock_burst(&self) -> MutexGuard<'_, Burst> {
        self.burst.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A panic while the lock was held left no half row behind: `SQLite` rolls back.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // What cannot be committed now stays in its burst file, for whoever opens the results next.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests;
