//! Durable results: one `SQLite` file, one row per game, committed when the game ends.
//!
//! The file is in WAL mode: a killed process loses nothing that was committed, readers do not wait for
//! writers, and several runs may share one file. Games that end in quick succession are committed in
//! groups. `PRIMARY KEY (run, number)` is what makes it impossible to keep a game twice.

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

pub use error::StoreError;
pub use merge::Merged;
pub(crate) use rows::GameRow;
pub use rows::RunRow;

use crate::game::{GameSummary, PlayedGame};
use crate::plan::Plan;
use crate::runner::Ended;

/// How long to wait for another process that is writing.
const BUSY: Duration = Duration::from_secs(30);

/// The largest file that is read through when it is opened.
const MAX_CHECKED_BYTES: u64 = 1 << 30;

/// A file of results.
pub struct Store {
    path: PathBuf,
    connection: Mutex<Connection>,
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
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let store = Self::connect(path, flags)?;
        store.check()?;
        Ok(store)
    }

    /// Opens a file that must exist.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        let store = Self::look_into(path)?;
        store.check()?;
        Ok(store)
    }

    /// Opens a file that must exist and may be damaged: [`Self::check`] tells. For those who ask
    /// often, and for those who want what is left.
    pub fn look_into(path: &Path) -> Result<Self, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Looks for damage. Files above a gigabyte are not read through: that would take longer than
    /// most commands.
    pub fn check(&self) -> Result<(), StoreError> {
        let size = std::fs::metadata(&self.path).map_or(0, |file| file.len());
        if size > MAX_CHECKED_BYTES {
            return Ok(());
        }
        let found: String =
            self.run_sql(|sql| sql.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)))?;
        if found == "ok" {
            return Ok(());
        }
        Err(StoreError::Damaged { path: self.path.clone(), reason: found.replace('\n', " ") })
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let told = |error: rusqlite::Error| StoreError::sql(path, &error);
        let mut connection =
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
                .map_err(told)?;
        connection.busy_timeout(BUSY).map_err(told)?;
        schema::prepare(&mut connection, path)?;
        Ok(Self { path: path.to_owned(), connection: Mutex::new(connection) })
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
        self.run_sql(|sql| {
            sql.execute("UPDATE runs SET ended = ? WHERE id = ?", params![ended.name(), run])
        })?;
        Ok(())
    }

    /// Keeps games of a run, all or none: when this returns they are on disk. Says of each whether it
    /// is new; the run may have a game of that number already.
    pub(crate) fn insert(&self, run: &str, games: &[GameRow]) -> Result<Vec<bool>, StoreError> {
        self.run_sql(|sql| {
            let transaction = Transaction::new_unchecked(sql, TransactionBehavior::Immediate)?;
            let mut insertion = rows::insertion(sql)?;
            let new = games.iter().map(|game| rows::insert(&mut insertion, run, game));
            let new = new.collect::<rusqlite::Result<Vec<bool>>>()?;
            drop(insertion);
            transaction.commit()?;
            Ok(new)
        })
    }

    /// The games of a run, by number.
    pub fn summaries(&self, run: &str) -> Result<Vec<GameSummary>, StoreError> {
        self.run_sql(|sql| rows::summaries(sql, run))
    }

    /// Calls back with every game of a run, by number.
    pub fn each_game(
        &self,
        run: &RunRow,
        on: &mut dyn FnMut(PlayedGame),
    ) -> Result<(), StoreError> {
        self.run_sql(|sql| rows::each_game(sql, run, on))
    }

    /// One game of a run.
    pub fn game(&self, run: &RunRow, number: u64) -> Result<Option<PlayedGame>, StoreError> {
        self.run_sql(|sql| rows::game(sql, run, number))
    }

    /// A number that changes when anybody else changes the file.
    pub(crate) fn version(&self) -> Result<i64, StoreError> {
        self.run_sql(|sql| sql.query_row("PRAGMA data_version", [], |row| row.get(0)))
    }

    /// All runs, the latest first.
    pub fn runs(&self) -> Result<Vec<RunRow>, StoreError> {
        self.run_sql(|sql| rows::runs(sql, None))
    }

    /// One run: its games alone are counted.
    pub fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
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

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic while the lock was held left no half row behind: `SQLite` rolls back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod faults;
#[cfg(test)]
mod tests;
