//! Games and settings on disk: one `SQLite` file in the data folder.
//!
//! A change is written before the pages hear of it, so that a server killed at any moment comes
//! back with everything that was on a screen.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use collinear_room::wire::StoredGame;
use collinear_room::{MAX_GAMES, Row, Store, StoreError, room_id};
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use thiserror::Error;

use crate::folder::private;

/// What this program writes into `PRAGMA user_version`.
const SCHEMA: i64 = 1;
/// The columns of a game.
const COLUMNS: &str = "id, updated, rules, title, stones, finished, body, summary, commented";

/// Why the file of games cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The database refuses.
    #[error("the game store cannot be used: {0}")]
    Database(rusqlite::Error),
    /// The file cannot be made or written.
    #[error("cannot write the file of games {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Not a database, or a damaged one.
    #[error(
        "{} is damaged or no file of games ({reason}): it is left as it is; `sqlite3 FILE .recover` \
         may save its games, or move it away to begin with none",
        path.display()
    )]
    DamagedFile {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Another version of the program has written the file.
    #[error(
        "the game store was written by another version of this program (schema {0}, this one knows \
         {SCHEMA}): use that version, or another data folder"
    )]
    Schema(i64),
}

/// Not a source: the words are in the message.
impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// A file of games.
pub(crate) struct Database {
    connection: Mutex<Connection>,
    /// The game that was forgotten last, should that have been a slip.
    forgotten: Mutex<Option<(i64, Row)>>,
}

impl Database {
    /// Opens or creates the file. One with damage is refused and left as it is.
    pub(crate) fn open(file: &Path) -> Result<Self, DatabaseError> {
        let damaged = |reason: String| DatabaseError::DamagedFile { path: file.to_owned(), reason };
        // Only its owner may read it, nor the files that SQLite puts beside it, which follow its mode.
        private(file).map_err(|error| DatabaseError::File { path: file.to_owned(), error })?;
        let connection = Connection::open(file)?;
        let opened = check(&connection).and_then(|found| match found {
            None => Self::prepare(connection),
            Some(reason) => Err(damaged(reason)),
        });
        opened.map_err(|error| match error {
            DatabaseError::Database(error) if is_damage(&error) => damaged(error.to_string()),
            error => error,
        })
    }

    fn prepare(connection: Connection) -> Result<Self, DatabaseError> {
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let schema: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let is_new = !connection.table_exists(None, "games")?
            && !connection.table_exists(None, "settings")?;
        if schema != SCHEMA && !(is_new && schema == 0) {
            return Err(DatabaseError::Schema(schema));
        }
        // With a write-ahead log a killed process loses nothing that was committed.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.execute_batch(
            "PRAGMA synchronous = NORMAL;
             BEGIN;
             CREATE TABLE IF NOT EXISTS games (
                 id TEXT PRIMARY KEY, updated INTEGER NOT NULL, rules TEXT NOT NULL,
                 title TEXT NOT NULL, stones INTEGER NOT NULL, finished INTEGER NOT NULL,
                 body TEXT NOT NULL, summary TEXT NOT NULL, commented INTEGER NOT NULL);
             CREATE INDEX IF NOT EXISTS games_by_time ON games (updated);
             CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
             PRAGMA user_version = 1;
             COMMIT;",
        )?;
        Ok(Self { connection: Mutex::new(connection), forgotten: Mutex::default() })
    }

    /// A panic while the lock was held leaves the database itself consistent.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, row: &Row) -> rusqlite::Result<()> {
        let connection = self.connection();
        let known: Option<bool> = connection
            .prepare_cached("SELECT body = ?2 FROM games WHERE id = ?1")?
            .query_row(params![row.id, row.body], |row| row.get(0))
            .optional()?;
        if known == Some(true) {
            return Ok(());
        }
        insert(&connection, row, now())?;
        connection
            .prepare_cached(
                "DELETE FROM games WHERE id IN
                 (SELECT id FROM games WHERE NOT commented
                  ORDER BY updated DESC, rowid DESC LIMIT -1 OFFSET ?1)",
            )?
            .execute([MAX_GAMES])?;
        Ok(())
    }

    fn delete(&self, id: &str) -> rusqlite::Result<()> {
        let connection = self.connection();
        let query = format!("SELECT {COLUMNS} FROM games WHERE id = ?1");
        let row = connection.query_row(&query, [id], read).optional()?;
        connection.execute("DELETE FROM games WHERE id = ?1", [id])?;
        if row.is_some() {
            *self.forgotten.lock().unwrap_or_else(PoisonError::into_inner) = row;
        }
        Ok(())
    }

    fn read_all(&self) -> rusqlite::Result<Vec<StoredGame>> {
        let connection = self.connection();
        let query = format!("SELECT {COLUMNS} FROM games ORDER BY updated DESC, rowid DESC");
        let mut rows = connection.prepare_cached(&query)?;
        let games = rows.query_map([], read)?;
        games.map(|game| game.map(|(updated, row)| row.listed(updated))).collect()
    }

    /// One text, if the question has an answer.
    fn text(&self, query: &str, key: Option<&str>) -> Result<Option<String>, StoreError> {
        let connection = self.connection();
        let found = connection.query_row(query, rusqlite::params_from_iter(key), |row| row.get(0));
        found.optional().map_err(unusable)
    }
}

impl Store for Database {
    fn save(&self, row: &Row) -> Result<(), StoreError> {
        self.write(row).map_err(unusable)
    }

    fn body(&self, id: &str) -> Result<Option<String>, StoreError> {
        self.text("SELECT body FROM games WHERE id = ?1", Some(id))
    }

    fn latest_unfinished(&self) -> Result<Option<String>, StoreError> {
        let newest = "SELECT id FROM games WHERE NOT finished AND substr(id, 1, length(?1)) <> ?1
                      ORDER BY updated DESC, rowid DESC";
        self.text(newest, Some(&room_id("")))
    }

    fn forget(&self, id: &str) -> Result<(), StoreError> {
        self.delete(id).map_err(unusable)
    }

    fn remember(&self, id: &str) -> Result<bool, StoreError> {
        let mut forgotten = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((updated, row)) = forgotten.take_if(|(_, row)| row.id == id) else {
            return Ok(false);
        };
        insert(&self.connection(), &row, updated).map_err(unusable)?;
        Ok(true)
    }

    fn list(&self) -> Result<Vec<StoredGame>, StoreError> {
        self.read_all().map_err(unusable)
    }

    fn settings(&self) -> Result<Option<String>, StoreError> {
        self.text("SELECT value FROM settings WHERE key = ?1", Some(SETTINGS_KEY))
    }

    fn keep_settings(&self, text: &str) -> Result<(), StoreError> {
        let query = "INSERT OR REPLACE INTO settings VALUES (?1, ?2)";
        self.connection().execute(query, [SETTINGS_KEY, text]).map(drop).map_err(unusable)
    }
}

/// Where the settings of the page stand.
const SETTINGS_KEY: &str = "page";

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn unusable(error: rusqlite::Error) -> StoreError {
    StoreError::Unusable(error.to_string())
}

/// The first damage that is found, if any.
fn check(connection: &Connection) -> Result<Option<String>, DatabaseError> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((found != "ok").then(|| found.replace('\n', " ")))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

fn insert(connection: &Connection, row: &Row, updated: i64) -> rusqlite::Result<()> {
    let query = format!(
        "INSERT OR REPLACE INTO games ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    );
    let Row { id, rules, title, stones, finished, body, summary, commented } = row;
    let mut insert = connection.prepare_cached(&query)?;
    let values = params![id, updated, rules, title, stones, finished, body, summary, commented];
    insert.execute(values).map(drop)
}

/// When a game was changed, and the game.
fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, Row)> {
    let game = Row {
        id: row.get("id")?,
        rules: row.get("rules")?,
        title: row.get("title")?,
        stones: row.get("stones")?,
        finished: row.get("finished")?,
        body: row.get("body")?,
        summary: row.get("summary")?,
        commented: row.get("commented")?,
    };
    Ok((row.get("updated")?, game))
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

#[cfg(test)]
mod torn;

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_play::{Game, Seat};
    use collinear_room::{MemoryStore, PageGame};
    use collinear_rules::{Cell, Rules};

    fn save(store: &dyn Store, id: &str, game: &PageGame) {
        Row::of(id, game).and_then(|row| store.save(&row)).expect("saved");
    }

    fn game() -> PageGame {
        let seats = [Seat::Person, Seat::Agent { spec: "random".into(), label: "Easy".into() }];
        let control = "clock=60s+1s".parse().expect("a control");
        let game = Game::new(Rules::CONNECT6).with_seats(seats).with_controls([control; 2]);
        let mut game = PageGame::new(game, 7);
        for cell in [180, 1, 2, 3] {
            game.model.play(Cell::new(cell)).expect("legal");
        }
        let node = game.model.tree().node(2).expect("a node");
        game.model.go_to(node).expect("there");
        game.model.notes_mut(node).expect("there").comment = "<b>not bold</b>".to_owned();
        game
    }

    /// A store on disk, and its folder.
    fn on_disk() -> (tempfile::TempDir, Database) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Database::open(&folder.path().join("games.db")).expect("a store");
        (folder, store)
    }

    /// What every store promises is asked of both.
    fn both(ask: impl Fn(&dyn Store)) {
        ask(&MemoryStore::new(now));
        ask(&on_disk().1);
    }

    #[test]
    fn a_game_comes_back_from_a_reopened_file() {
        let (folder, store) = on_disk();
        let game = game();
        save(&store, "a", &game);
        drop(store);
        let back = Database::open(&folder.path().join("games.db")).expect("a store").load("a");
        let back = back.expect("read").expect("there");
        assert_eq!(Row::of("a", &back), Row::of("a", &game));
        assert_eq!(back.seed, 7);
    }

    #[test]
    #[cfg(unix)]
    fn others_cannot_read_the_games() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        std::fs::write(&file, "").expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("set");
        let store = Database::open(&file).expect("a store");
        save(&store, "a", &game());
        for entry in std::fs::read_dir(folder.path()).expect("a folder") {
            let entry = entry.expect("a file");
            let mode = entry.metadata().expect("there").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{:?}", entry.file_name());
        }
    }

    #[test]
    fn a_damaged_file_is_named_and_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        let store = Database::open(&file).expect("a store");
        for id in 0..40 {
            save(&store, &format!("{id}"), &game());
        }
        drop(store);
        let mut bytes = std::fs::read(&file).expect("read");
        let middle = bytes.len() / 2;
        bytes[middle..].fill(0xff);
        std::fs::write(&file, &bytes).expect("written");
        let error = Database::open(&file).map(drop).expect_err("refused").to_string();
        assert!(error.contains("games.db is damaged") && error.contains(".recover"), "{error}");
        assert_eq!(std::fs::read(&file).expect("read"), bytes);
    }

    #[test]
    fn all_are_listed_and_commented_ones_are_never_dropped() {
        both(|store| {
            save(store, "words", &game());
            let mut bare = PageGame::new(Game::new(Rules::TICTACTOE), 1);
            bare.model.play(Cell::new(4)).expect("legal");
            for at in 0..=MAX_GAMES {
                save(store, &format!("{at}"), &bare);
            }
            let list = store.list().expect("a list");
            assert_eq!(list.len(), MAX_GAMES as usize + 1);
            assert!(list.iter().any(|game| game.id == "words" && game.commented));
            assert!(list.iter().all(|game| game.id != "0"), "the oldest of the others is gone");
        });
    }

    #[test]
    fn a_file_of_another_version_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        drop(Database::open(&file).expect("a store"));
        drop(Database::open(&file).expect("opens again"));
        for schema in [0, 99] {
            let other = Connection::open(&file).expect("a file");
            other.pragma_update(None, "user_version", schema).expect("set");
            let refused = Database::open(&file).map(drop);
            assert!(matches!(refused, Err(DatabaseError::Schema(found)) if found == schema));
        }
    }

    #[test]
    fn damaged_bodies_are_errors_and_unknown_ids_are_none() {
        let (_folder, store) = on_disk();
        assert!(store.load("nobody").expect("no error").is_none());
        let damage = |from: &str, to: &str| {
            save(&store, "a", &game());
            store
                .connection()
                .execute("UPDATE games SET body = replace(body, ?1, ?2)", [from, to])
                .expect("changed");
            store.load("a").err().map(|error| error.to_string())
        };
        assert!(damage("19x19", "3x3").is_some());
        assert!(damage("\"node\":2", "\"node\":99").is_some());
        assert!(damage("{", "").is_some());
        let other = damage("\"version\":2", "\"version\":9").expect("refused");
        assert!(other.contains("version 9"), "{other}");
        assert_eq!(damage("random", "sequences"), None);
    }

    #[test]
    fn the_list_is_newest_first_and_settings_stay() {
        both(|store| {
            for id in ["a", "b"] {
                save(store, id, &game());
            }
            save(store, "a", &game());
            let list = store.list().expect("a list");
            assert_eq!(list.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), ["b", "a"]);
            assert_eq!(list[0].title, "Person – Easy");
            assert_eq!((list[0].black.as_str(), list[0].white.as_str()), ("Person", "Easy"));
            assert_eq!((list[0].size, &list[0].cells), ([19, 19], &[vec![180], vec![1]]));
            assert!(list[0].updated > 0);
            assert_eq!(store.latest_unfinished().expect("read").as_deref(), Some("b"));
            store.forget("b").expect("forgotten");
            assert_eq!(store.list().expect("a list").len(), 1);
            assert!(!store.remember("a").expect("no error"), "that one was not forgotten");
            assert!(store.remember("b").expect("no error") && !store.remember("b").expect("once"));
            assert_eq!(store.list().expect("a list").len(), 2);
            store.keep_settings("{}").expect("kept");
            assert_eq!(store.settings().expect("read").as_deref(), Some("{}"));
        });
    }
}
