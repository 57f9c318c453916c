//! Games and settings on disk: one `SQLite` file in the data folder.
//!
//! A change is written before the pages hear of it, so that a server killed at any moment comes
//! back with everything that was on a screen.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use collinear_play::End;
use collinear_rules::{Cell, Player};
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::convert::{ending, rules_name};
use crate::game::PageGame;
use crate::saved;
use crate::wire::StoredGame;

/// The most games without comments that are kept; the oldest go first. A game somebody wrote a
/// comment in is never dropped.
pub(crate) const MAX_GAMES: u32 = 1000;
/// What this program writes into `PRAGMA user_version`.
const SCHEMA: i64 = 1;

/// Why the store cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database refuses.
    #[error("the game store cannot be used: {0}")]
    Database(rusqlite::Error),
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
    /// A newer program has written the file.
    #[error(
        "the game store was written by a newer version of this program (schema {0}, this one knows \
         {SCHEMA}): use that version, or another data folder"
    )]
    Newer(i64),
    /// A fault of ours.
    #[error("the game store failed: please report what you did")]
    Failed,
    /// A stored game cannot be read.
    #[error("the stored game cannot be read: {0}")]
    Damaged(String),
}

/// Not a source: the words are in the message.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// The store.
pub(crate) struct Store {
    connection: Mutex<Connection>,
    /// The game that was forgotten last, should that have been a slip.
    forgotten: Mutex<Option<Row>>,
}

/// A row of the table of games.
pub(crate) struct Row {
    id: String,
    updated: i64,
    rules: String,
    title: String,
    stones: i64,
    finished: bool,
    body: String,
    summary: String,
    commented: bool,
}

impl Store {
    /// Opens or creates the file. One with damage is refused and left as it is.
    pub(crate) fn open(file: &Path) -> Result<Self, StoreError> {
        let damaged = |reason: String| StoreError::DamagedFile { path: file.to_owned(), reason };
        let connection = Connection::open(file)?;
        let opened = check(&connection).and_then(|found| match found {
            None => Self::prepare(connection),
            Some(reason) => Err(damaged(reason)),
        });
        opened.map_err(|error| match error {
            StoreError::Database(error) if is_damage(&error) => damaged(error.to_string()),
            error => error,
        })
    }

    /// A store that vanishes with the server.
    pub(crate) fn in_memory() -> Result<Self, StoreError> {
        Self::prepare(Connection::open_in_memory()?)
    }

    fn prepare(connection: Connection) -> Result<Self, StoreError> {
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        // With a write-ahead log a killed process loses nothing that was committed.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.execute_batch(
            "PRAGMA synchronous = NORMAL;
             CREATE TABLE IF NOT EXISTS games (
                 id TEXT PRIMARY KEY, updated INTEGER NOT NULL, rules TEXT NOT NULL,
                 title TEXT NOT NULL, stones INTEGER NOT NULL, finished INTEGER NOT NULL,
                 body TEXT NOT NULL);
             CREATE INDEX IF NOT EXISTS games_by_time ON games (updated);
             CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);",
        )?;
        let store = Self { connection: Mutex::new(connection), forgotten: Mutex::default() };
        store.migrate()?;
        Ok(store)
    }

    /// Brings a file of an earlier version up to date: schema 0 had no summaries of its games.
    fn migrate(&self) -> Result<(), StoreError> {
        let mut connection = self.connection();
        let schema: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if schema > SCHEMA {
            return Err(StoreError::Newer(schema));
        }
        if schema == SCHEMA {
            return Ok(());
        }
        let change = connection.transaction()?;
        change.execute_batch(
            "ALTER TABLE games ADD COLUMN summary TEXT NOT NULL DEFAULT '';
             ALTER TABLE games ADD COLUMN commented INTEGER NOT NULL DEFAULT 0;",
        )?;
        let rows: Vec<(String, String)> = change
            .prepare("SELECT id, body FROM games")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        for (id, body) in rows {
            // One that cannot be read any more is listed without a summary.
            if let Ok(game) = saved::read(&body) {
                let (summary, commented) = (Summary::of(&game).text()?, has_words(&game));
                change.execute(
                    "UPDATE games SET summary = ?2, commented = ?3 WHERE id = ?1",
                    params![id, summary, commented],
                )?;
            }
        }
        change.pragma_update(None, "user_version", SCHEMA)?;
        Ok(change.commit()?)
    }

    /// A panic while the lock was held leaves the database itself consistent.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a game. One that is on disk as it is keeps its place in the list.
    pub(crate) fn save(&self, row: &Row) -> Result<(), StoreError> {
        let connection = self.connection();
        let known: Option<bool> = connection
            .prepare_cached("SELECT body = ?2 FROM games WHERE id = ?1")?
            .query_row(params![row.id, row.body], |row| row.get(0))
            .optional()?;
        if known == Some(true) {
            return Ok(());
        }
        insert(&connection, row)?;
        connection
            .prepare_cached(
                "DELETE FROM games WHERE id IN
                 (SELECT id FROM games WHERE NOT commented
                  ORDER BY updated DESC, rowid DESC LIMIT -1 OFFSET ?1)",
            )?
            .execute([MAX_GAMES])?;
        Ok(())
    }

    /// Reads a game.
    pub(crate) fn load(&self, id: &str) -> Result<Option<PageGame>, StoreError> {
        let body: Option<String> = self
            .connection()
            .query_row("SELECT body FROM games WHERE id = ?1", [id], |row| row.get(0))
            .optional()?;
        body.map(|body| saved::read(&body)).transpose()
    }

    /// The name of this game if it is stored; else, where wanted, that of the newest unfinished one.
    pub(crate) fn find(
        &self,
        id: Option<&str>,
        or_newest: bool,
    ) -> Result<Option<String>, StoreError> {
        let connection = self.connection();
        let known: Option<String> = connection
            .query_row("SELECT id FROM games WHERE id = ?1", [id], |row| row.get(0))
            .optional()?;
        if known.is_some() || !or_newest {
            return Ok(known);
        }
        let newest = "SELECT id FROM games WHERE NOT finished ORDER BY updated DESC, rowid DESC";
        Ok(connection.query_row(newest, [], |row| row.get(0)).optional()?)
    }

    /// Forgets a game; [`Self::remember`] brings the last one back.
    pub(crate) fn forget(&self, id: &str) -> Result<(), StoreError> {
        let connection = self.connection();
        let row = connection
            .query_row("SELECT * FROM games WHERE id = ?1", [id], |row| {
                Ok(Row {
                    id: row.get("id")?,
                    updated: row.get("updated")?,
                    rules: row.get("rules")?,
                    title: row.get("title")?,
                    stones: row.get("stones")?,
                    finished: row.get("finished")?,
                    body: row.get("body")?,
                    summary: row.get("summary")?,
                    commented: row.get("commented")?,
                })
            })
            .optional()?;
        connection.execute("DELETE FROM games WHERE id = ?1", [id])?;
        if row.is_some() {
            *self.forgotten.lock().unwrap_or_else(PoisonError::into_inner) = row;
        }
        Ok(())
    }

    /// Brings the game back that was forgotten last; false when it is another one.
    pub(crate) fn remember(&self, id: &str) -> Result<bool, StoreError> {
        let mut forgotten = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(row) = forgotten.take_if(|row| row.id == id) else { return Ok(false) };
        insert(&self.connection(), &row)?;
        Ok(true)
    }

    /// All stored games, newest first.
    pub(crate) fn list(&self) -> Result<Vec<StoredGame>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT id, rules, title, stones, finished, updated, summary, commented FROM games
             ORDER BY updated DESC, rowid DESC",
        )?;
        let games = rows
            .query_map([], |row| {
                let summary: String = row.get(6)?;
                let summary: Summary = serde_json::from_str(&summary).unwrap_or_default();
                Ok(StoredGame {
                    id: row.get(0)?,
                    rules: row.get(1)?,
                    title: row.get(2)?,
                    stones: row.get(3)?,
                    finished: row.get(4)?,
                    updated: row.get(5)?,
                    commented: row.get(7)?,
                    black: summary.black,
                    white: summary.white,
                    ending: summary.end.as_ref().map(ending),
                    size: summary.size,
                    cells: summary.cells,
                })
            })?
            .collect::<Result<_, _>>()?;
        Ok(games)
    }

    /// The page's settings.
    pub(crate) fn settings(&self) -> Result<Option<String>, StoreError> {
        Ok(self
            .connection()
            .query_row("SELECT value FROM settings WHERE key = 'page'", [], |row| row.get(0))
            .optional()?)
    }

    /// Keeps the page's settings.
    pub(crate) fn keep_settings(&self, text: &str) -> Result<(), StoreError> {
        self.connection().execute("INSERT OR REPLACE INTO settings VALUES ('page', ?1)", [text])?;
        Ok(())
    }
}

impl Row {
    /// A game as it is now.
    pub(crate) fn of(id: &str, game: &PageGame) -> Result<Self, StoreError> {
        Ok(Self {
            id: id.to_owned(),
            updated: now(),
            rules: rules_name(game.rules()),
            title: game.title(),
            stones: game.model.position().history().len() as i64,
            finished: game.model.is_over(),
            body: saved::write(game)?,
            summary: Summary::of(game).text()?,
            commented: has_words(game),
        })
    }
}

/// The first damage that is found, if any.
fn check(connection: &Connection) -> Result<Option<String>, StoreError> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((found != "ok").then(|| found.replace('\n', " ")))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

fn insert(connection: &Connection, row: &Row) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO games
             (id, updated, rules, title, stones, finished, body, summary, commented)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            row.id,
            row.updated,
            row.rules,
            row.title,
            row.stones,
            row.finished,
            row.body,
            row.summary,
            row.commented
        ])?;
    Ok(())
}

/// What the list of games shows, kept beside each so that the list needs not read them all.
#[derive(Default, Deserialize, Serialize)]
struct Summary {
    black: String,
    white: String,
    end: Option<End>,
    /// Columns and rows.
    size: [u32; 2],
    /// Where Black's stones and White's lie in the position shown.
    cells: [Vec<u16>; 2],
}

impl Summary {
    fn of(game: &PageGame) -> Self {
        let position = game.model.position();
        let rules = game.rules();
        let stones =
            |player| position.stones(player).map(|cell: Cell| cell.index() as u16).collect();
        let [black, white] = Player::BOTH.map(|player| game.name(player));
        Self {
            black,
            white,
            end: game.model.end(),
            size: [rules.width() as u32, rules.height() as u32],
            cells: Player::BOTH.map(stones),
        }
    }

    fn text(&self) -> Result<String, StoreError> {
        serde_json::to_string(self).map_err(|error| StoreError::Damaged(error.to_string()))
    }
}

/// Whether somebody wrote anything into a game.
fn has_words(game: &PageGame) -> bool {
    game.model.tree().noted().any(|(_, notes)| notes.has_words())
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_play::{Game, Reason, Seat};
    use collinear_rules::Rules;

    fn save(store: &Store, id: &str, game: &PageGame) {
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
        game.goto(2).expect("a node");
        game.comment(2, "<b>not bold</b>").expect("a node");
        game
    }

    #[test]
    fn a_game_comes_back_from_a_reopened_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        let game = game();
        save(&Store::open(&file).expect("a store"), "a", &game);
        let back = Store::open(&file).and_then(|store| store.load("a")).expect("read");
        let back = back.expect("there");
        assert_eq!(back.board(), game.board());
        assert_eq!(back.nodes(), game.nodes());
        assert_eq!(back.seed, 7);
    }

    #[test]
    fn a_damaged_file_is_named_and_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        let store = Store::open(&file).expect("a store");
        for id in 0..40 {
            save(&store, &format!("{id}"), &game());
        }
        drop(store);
        let mut bytes = std::fs::read(&file).expect("read");
        let middle = bytes.len() / 2;
        bytes[middle..].fill(0xff);
        std::fs::write(&file, &bytes).expect("written");
        let error = Store::open(&file).map(drop).expect_err("refused").to_string();
        assert!(error.contains("games.db is damaged") && error.contains(".recover"), "{error}");
        assert_eq!(std::fs::read(&file).expect("read"), bytes);
    }

    #[test]
    fn all_are_listed_and_commented_ones_are_never_dropped() {
        let store = Store::in_memory().expect("a store");
        save(&store, "words", &game());
        let mut bare = PageGame::new(Game::new(Rules::TICTACTOE), 1);
        bare.model.play(Cell::new(4)).expect("legal");
        for at in 0..=MAX_GAMES {
            save(&store, &format!("{at}"), &bare);
        }
        let list = store.list().expect("a list");
        assert_eq!(list.len(), MAX_GAMES as usize + 1);
        assert!(list.iter().any(|game| game.id == "words" && game.commented));
        assert!(list.iter().all(|game| game.id != "0"), "the oldest of the others is gone");
    }

    #[test]
    fn a_store_of_the_version_before_opens_and_a_newer_one_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        std::fs::copy("tests/data/games-schema-0.bin", &file).expect("copied");
        let store = Store::open(&file).expect("migrated");
        let list = store.list().expect("a list");
        assert_eq!(list.len(), 3);
        for game in &list {
            let read = store.load(&game.id).expect("read").expect("there");
            match game.rules.as_str() {
                "connect6" => {
                    assert_eq!((read.nodes().len(), read.model.node().number()), (7, 6));
                    let end = read.model.end().expect("resigned on a variation");
                    assert_eq!(
                        (end.winner, end.reason),
                        (Some(Player::White), Reason::Resignation)
                    );
                    assert_eq!(read.nodes()[2].comment, "a comment");
                }
                "connect4" => {
                    let clock = read.board().clock.expect("a clock");
                    assert_eq!(clock.left_ms, [59_697, 60_800]);
                    assert_eq!(read.name(Player::White), "Level 1");
                }
                _ => assert_eq!(read.board().link, "gomoku/b-h8.h9/w-g8/t-white-1/i10"),
            }
            assert!(game.cells.iter().any(|cells| !cells.is_empty()), "{}", game.title);
        }
        assert!(list.iter().any(|game| game.commented) && list.iter().any(|game| !game.commented));
        drop(store);
        Store::open(&file).expect("opens again");
        let newer = Connection::open(&file).expect("a file");
        newer.pragma_update(None, "user_version", 99).expect("set");
        assert!(matches!(Store::open(&file), Err(StoreError::Newer(99))));
    }

    #[test]
    fn damaged_bodies_are_errors_and_unknown_ids_are_none() {
        let store = Store::in_memory().expect("a store");
        assert!(store.load("nobody").expect("no error").is_none());
        save(&store, "a", &game());
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
        assert_eq!(damage("random", "sequences"), None);
    }

    #[test]
    fn the_list_is_newest_first_and_settings_stay() {
        let store = Store::in_memory().expect("a store");
        for id in ["a", "b"] {
            save(&store, id, &game());
        }
        save(&store, "a", &game());
        let list = store.list().expect("a list");
        assert_eq!(list.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(list[0].title, "Person – Easy");
        assert_eq!((list[0].black.as_str(), list[0].white.as_str()), ("Person", "Easy"));
        assert_eq!((list[0].size, &list[0].cells), ([19, 19], &[vec![180], vec![1]]));
        store.forget("b").expect("forgotten");
        assert_eq!(store.list().expect("a list").len(), 1);
        assert!(!store.remember("a").expect("no error"), "that one was not forgotten");
        assert!(store.remember("b").expect("no error") && !store.remember("b").expect("once"));
        assert_eq!(store.list().expect("a list").len(), 2);
        store.keep_settings("{}").expect("kept");
        assert_eq!(store.settings().expect("read").as_deref(), Some("{}"));
    }
}
