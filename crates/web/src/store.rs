//! Games and settings on disk: one `SQLite` file in the data folder.
//!
//! A change is written before the pages hear of it, so that a server killed at any moment comes
//! back with everything that was on a screen.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use collinear_rules::{Player, Position, Rules, Setup, notation};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::convert::rules_name;
use crate::game::Game;
use crate::tree::{NodeId, Tree};
use crate::wire::{Ending, GameInfo, Seat, StoredGame, Timing};

/// The most games kept; the oldest go first.
const MAX_GAMES: u32 = 1000;

/// Why the store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database refuses.
    #[error("the game store cannot be used: {0}")]
    Database(#[from] rusqlite::Error),
    /// A stored game cannot be read.
    #[error("the stored game cannot be read: {0}")]
    Damaged(String),
}

/// The store.
pub(crate) struct Store {
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens or creates the file.
    pub(crate) fn open(file: &Path) -> Result<Self, StoreError> {
        Self::prepare(Connection::open(file)?)
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
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// A panic while the lock was held leaves the database itself consistent.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a game. One that is on disk as it is keeps its place in the list.
    pub(crate) fn save(&self, id: &str, game: &Game) -> Result<(), StoreError> {
        let body = serde_json::to_string(&Saved::of(game))
            .map_err(|error| StoreError::Damaged(error.to_string()))?;
        let connection = self.connection();
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO games SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
                 WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = ?1 AND body = ?7)",
            )?
            .execute(params![
                id,
                now(),
                rules_name(game.rules()),
                game.title(),
                game.position().history().len() as i64,
                game.ending().is_some(),
                body
            ])?;
        connection
            .prepare_cached(
                "DELETE FROM games WHERE id IN
                 (SELECT id FROM games ORDER BY updated DESC LIMIT -1 OFFSET ?1)",
            )?
            .execute([MAX_GAMES])?;
        Ok(())
    }

    /// Reads a game.
    pub(crate) fn load(&self, id: &str) -> Result<Option<Game>, StoreError> {
        let body: Option<String> = self
            .connection()
            .query_row("SELECT body FROM games WHERE id = ?1", [id], |row| row.get(0))
            .optional()?;
        body.map(|body| {
            serde_json::from_str::<Saved>(&body)
                .map_err(|error| StoreError::Damaged(error.to_string()))?
                .game()
        })
        .transpose()
    }

    /// Forgets a game.
    pub(crate) fn forget(&self, id: &str) -> Result<(), StoreError> {
        self.connection().execute("DELETE FROM games WHERE id = ?1", [id])?;
        Ok(())
    }

    /// The stored games, newest first.
    pub(crate) fn list(&self) -> Result<Vec<StoredGame>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT id, rules, title, stones, finished, updated FROM games
             ORDER BY updated DESC, rowid DESC LIMIT 200",
        )?;
        let games = rows
            .query_map([], |row| {
                Ok(StoredGame {
                    id: row.get(0)?,
                    rules: row.get(1)?,
                    title: row.get(2)?,
                    stones: row.get(3)?,
                    finished: row.get(4)?,
                    updated: row.get(5)?,
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

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// A game as it lies on disk.
#[derive(Deserialize, Serialize)]
struct Saved {
    rules: String,
    #[serde(default)]
    setup: Option<SavedSetup>,
    seats: [Seat; 2],
    timing: Timing,
    paused: bool,
    pace_ms: u32,
    seed: u64,
    #[serde(default)]
    info: Vec<GameInfo>,
    left_ms: [u32; 2],
    tree: Tree,
    current: NodeId,
    live: bool,
    ended: Option<(NodeId, Ending)>,
}

#[derive(Deserialize, Serialize)]
struct SavedSetup {
    black: Vec<String>,
    white: Vec<String>,
    to_move: (String, usize),
}

impl Saved {
    fn of(game: &Game) -> Self {
        let rules = game.rules();
        let names = |cells: &[collinear_rules::Cell]| {
            cells.iter().map(|&cell| notation::name(rules, cell)).collect()
        };
        let setup = game.setup();
        let is_empty = setup.black.is_empty() && setup.white.is_empty() && setup.to_move.is_none();
        Self {
            rules: rules.to_string(),
            setup: (!is_empty).then(|| SavedSetup {
                black: names(&setup.black),
                white: names(&setup.white),
                to_move: (game.root().to_move().name().to_owned(), game.root().stones_left()),
            }),
            seats: game.seats.clone(),
            timing: game.timing,
            paused: game.paused,
            pace_ms: game.pace_ms,
            seed: game.seed,
            info: game.info.clone(),
            left_ms: game.left_ms,
            tree: game.tree.clone(),
            current: game.current(),
            live: game.is_live(),
            ended: game.declared_end(),
        }
    }

    fn game(self) -> Result<Game, StoreError> {
        let damaged = |what: &dyn std::fmt::Display| StoreError::Damaged(what.to_string());
        let rules: Rules = self.rules.parse().map_err(|error| damaged(&error))?;
        let mut setup = Setup::default();
        if let Some(saved) = &self.setup {
            let cells = |names: &[String]| {
                names
                    .iter()
                    .map(|name| notation::parse(&rules, name).map_err(|error| damaged(&error)))
                    .collect::<Result<Vec<_>, _>>()
            };
            let player = Player::BOTH.into_iter().find(|player| player.name() == saved.to_move.0);
            setup = Setup {
                black: cells(&saved.black)?,
                white: cells(&saved.white)?,
                to_move: player.map(|player| (player, saved.to_move.1)),
            };
        }
        let root = Position::from_setup(rules, &setup).map_err(|error| damaged(&error))?;
        let mut game = Game::from_root(root, setup, self.seats, self.timing, self.seed);
        game.paused = self.paused;
        game.pace_ms = self.pace_ms;
        game.info = self.info;
        game.left_ms = self.left_ms;
        game.tree = self.tree;
        let known = |node: NodeId| node.index() < game.tree.len();
        if !game.is_sound() || !known(self.current) || self.ended.is_some_and(|(n, _)| !known(n)) {
            return Err(damaged(&"its moves do not fit its rules"));
        }
        game.restore(self.current, self.live, self.ended);
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::Cell;

    fn game() -> Game {
        let seats = [Seat::Person, Seat::Agent { spec: "random".into(), label: "Easy".into() }];
        let timing = Timing::Clock { start_ms: 60_000, increment_ms: 1000 };
        let mut game = Game::new(Rules::CONNECT6, seats, timing, 7);
        for cell in [180, 1, 2, 3] {
            game.play(Cell::new(cell)).expect("legal");
        }
        game.goto(2).expect("a node");
        game.tree.set_comment(game.current(), "<b>not bold</b>".into());
        game
    }

    #[test]
    fn a_game_comes_back_from_a_reopened_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        let game = game();
        Store::open(&file).and_then(|store| store.save("a", &game)).expect("saved");
        let back = Store::open(&file).and_then(|store| store.load("a")).expect("read");
        let back = back.expect("there");
        assert_eq!(back.board(), game.board());
        assert_eq!(back.tree, game.tree);
        assert_eq!(back.seed, 7);
    }

    #[test]
    fn damaged_bodies_are_errors_and_unknown_ids_are_none() {
        let store = Store::in_memory().expect("a store");
        assert!(store.load("nobody").expect("no error").is_none());
        store.save("a", &game()).expect("saved");
        let damage = |from: &str, to: &str| {
            store.save("a", &game()).expect("saved");
            store
                .connection()
                .execute("UPDATE games SET body = replace(body, ?1, ?2)", [from, to])
                .expect("changed");
            store.load("a").err().map(|error| error.to_string())
        };
        assert!(damage("19x19", "3x3").is_some());
        assert!(damage("\"current\":2", "\"current\":99").is_some());
        assert!(damage("{", "").is_some());
        assert_eq!(damage("random", "sequences"), None);
    }

    #[test]
    fn the_list_is_newest_first_and_settings_stay() {
        let store = Store::in_memory().expect("a store");
        for id in ["a", "b"] {
            store.save(id, &game()).expect("saved");
        }
        store.save("a", &game()).expect("nothing new");
        let list = store.list().expect("a list");
        assert_eq!(list.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(list[0].title, "Person – Easy");
        store.forget("b").expect("forgotten");
        assert_eq!(store.list().expect("a list").len(), 1);
        store.keep_settings("{}").expect("kept");
        assert_eq!(store.settings().expect("read").as_deref(), Some("{}"));
    }
}
