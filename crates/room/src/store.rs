//! Where games and settings are kept: a trait, since a server has a database and a browser has not,
//! and a store in memory.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use collinear_play::End;
use collinear_rules::{Cell, Player};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::convert::{ending, rules_name};
use crate::friends::room_secret;
use crate::game::PageGame;
use crate::json;
use crate::saved;
use crate::wire::StoredGame;

/// The most games without comments that are kept; the oldest go first. A game somebody wrote a
/// comment in is never dropped.
pub const MAX_GAMES: u32 = 1000;

/// Why a store has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It does not work.
    #[error("the game store cannot be used: {0}")]
    Unusable(String),
    /// A stored game cannot be read.
    #[error("the stored game cannot be read: {0}")]
    Damaged(String),
}

/// Keeps games and settings. Any method may take as long as a disk does.
pub trait Store: Send + Sync {
    /// Writes a game and puts it first in the list; one that is there as it is keeps its place. The
    /// oldest without comments go when there are more than [`MAX_GAMES`] of them.
    fn save(&self, row: &Row) -> Result<(), StoreError>;

    /// The text of a game.
    fn body(&self, id: &str) -> Result<Option<String>, StoreError>;

    /// The latest game that has not ended and is not played by a link.
    fn latest_unfinished(&self) -> Result<Option<String>, StoreError>;

    /// Forgets a game.
    fn forget(&self, id: &str) -> Result<(), StoreError>;

    /// Brings the game back that was forgotten last; false when it is another one.
    fn remember(&self, id: &str) -> Result<bool, StoreError>;

    /// All games, the latest first.
    fn list(&self) -> Result<Vec<StoredGame>, StoreError>;

    /// The page's settings.
    fn settings(&self) -> Result<Option<String>, StoreError>;

    /// Keeps the page's settings.
    fn keep_settings(&self, text: &str) -> Result<(), StoreError>;

    /// Reads a game.
    fn load(&self, id: &str) -> Result<Option<PageGame>, StoreError> {
        self.body(id)?.map(|body| saved::read(&body)).transpose()
    }
}

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The game: `connect6`.
    pub rules: String,
    /// Who plays: `Person – sequences`.
    pub title: String,
    /// Stones on the line shown.
    pub stones: u32,
    /// Whether it has ended.
    pub finished: bool,
    /// Everything, as a text.
    pub body: String,
    /// What a list shows of it, as a text.
    pub summary: String,
    /// Whether somebody wrote a comment in it.
    pub commented: bool,
}

impl Row {
    /// A game as it is now.
    pub fn of(id: &str, game: &PageGame) -> Result<Self, StoreError> {
        Ok(Self {
            id: id.to_owned(),
            rules: rules_name(game.rules()),
            title: game.title(),
            stones: game.model.position().history().len() as u32,
            finished: game.model.is_over(),
            body: saved::write(game)?,
            summary: Summary::of(game).text()?,
            commented: game.model.tree().noted().any(|(_, notes)| notes.has_words()),
        })
    }

    /// The game in a list, last changed at this Unix time.
    pub fn listed(self, updated: i64) -> StoredGame {
        let summary: Summary = json::read(&self.summary).unwrap_or_default();
        StoredGame {
            room: room_secret(&self.id).map(str::to_owned),
            id: self.id,
            rules: self.rules,
            title: self.title,
            black: summary.black,
            white: summary.white,
            stones: self.stones,
            finished: self.finished,
            ending: summary.end.as_ref().map(ending),
            size: summary.size,
            cells: summary.cells,
            commented: self.commented,
            updated,
        }
    }
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

/// A store that is gone with the program.
pub struct MemoryStore {
    /// Seconds since 1970.
    clock: fn() -> i64,
    contents: Mutex<Contents>,
}

#[derive(Default)]
struct Contents {
    games: HashMap<String, Kept>,
    /// Gives the games their order.
    changes: u64,
    forgotten: Option<Kept>,
    settings: Option<String>,
}

struct Kept {
    change: u64,
    updated: i64,
    row: Row,
}

impl Contents {
    /// The games, the latest first.
    fn latest(&self) -> Vec<&Kept> {
        let mut games: Vec<_> = self.games.values().collect();
        games.sort_by_key(|kept| std::cmp::Reverse(kept.change));
        games
    }
}

impl MemoryStore {
    /// An empty store; the clock tells the seconds since 1970.
    pub fn new(clock: fn() -> i64) -> Self {
        Self { clock, contents: Mutex::default() }
    }

    /// Puts a game there as it was when it was changed last; it becomes the latest.
    pub fn restore(&self, row: Row, updated: i64) {
        let mut contents = self.contents();
        contents.changes += 1;
        let kept = Kept { change: contents.changes, updated, row };
        contents.games.insert(kept.row.id.clone(), kept);
    }

    /// A game, and when it was changed last.
    pub fn row(&self, id: &str) -> Option<(Row, i64)> {
        self.contents().games.get(id).map(|kept| (kept.row.clone(), kept.updated))
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn save(&self, row: &Row) -> Result<(), StoreError> {
        let mut contents = self.contents();
        if contents.games.get(&row.id).is_some_and(|known| known.row.body == row.body) {
            return Ok(());
        }
        contents.changes += 1;
        let kept = Kept { change: contents.changes, updated: (self.clock)(), row: row.clone() };
        contents.games.insert(row.id.clone(), kept);
        let bare = contents.latest().into_iter().filter(|kept| !kept.row.commented);
        let gone: Vec<String> =
            bare.skip(MAX_GAMES as usize).map(|kept| kept.row.id.clone()).collect();
        for id in gone {
            contents.games.remove(&id);
        }
        Ok(())
    }

    fn body(&self, id: &str) -> Result<Option<String>, StoreError> {
        Ok(self.contents().games.get(id).map(|kept| kept.row.body.clone()))
    }

    fn latest_unfinished(&self) -> Result<Option<String>, StoreError> {
        let contents = self.contents();
        let goes_on = |kept: &&Kept| !kept.row.finished && room_secret(&kept.row.id).is_none();
        let unfinished = contents.latest().into_iter().find(goes_on);
        Ok(unfinished.map(|kept| kept.row.id.clone()))
    }

    fn forget(&self, id: &str) -> Result<(), StoreError> {
        let mut contents = self.contents();
        if let Some(kept) = contents.games.remove(id) {
            contents.forgotten = Some(kept);
        }
        Ok(())
    }

    fn remember(&self, id: &str) -> Result<bool, StoreError> {
        let mut contents = self.contents();
        let Some(kept) = contents.forgotten.take_if(|kept| kept.row.id == id) else {
            return Ok(false);
        };
        contents.games.insert(id.to_owned(), kept);
        Ok(true)
    }

    fn list(&self) -> Result<Vec<StoredGame>, StoreError> {
        let contents = self.contents();
        let listed = |kept: &Kept| kept.row.clone().listed(kept.updated);
        Ok(contents.latest().into_iter().map(listed).collect())
    }

    fn settings(&self) -> Result<Option<String>, StoreError> {
        Ok(self.contents().settings.clone())
    }

    fn keep_settings(&self, text: &str) -> Result<(), StoreError> {
        self.contents().settings = Some(text.to_owned());
        Ok(())
    }
}
