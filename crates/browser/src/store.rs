//! Games and settings: in memory, and every change is said, so that the browser can keep it.

use std::sync::{Arc, Mutex, PoisonError};

use collinear_room::wire::StoredGame;
use collinear_room::{MAX_GAMES, MemoryStore, Row, Store, StoreError};

use crate::said::{Said, StoredRow};

/// What is to be said once the step under way is over.
pub(crate) type Outbox = Arc<Mutex<Vec<Said>>>;

/// See the module.
pub(crate) struct BrowserStore {
    memory: MemoryStore,
    clock: fn() -> i64,
    outbox: Outbox,
}

impl BrowserStore {
    /// A store with these games, the oldest first.
    pub(crate) fn new(
        clock: fn() -> i64,
        outbox: Outbox,
        games: Vec<StoredRow>,
        settings: Option<&str>,
    ) -> Self {
        let memory = MemoryStore::new(clock);
        for StoredRow { updated, row } in games {
            memory.restore(row, updated);
        }
        if let Some(settings) = settings {
            // Memory never refuses.
            let _ = memory.keep_settings(settings);
        }
        Self { memory, clock, outbox }
    }

    fn say(&self, said: Said) {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner).push(said);
    }

    fn ids(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.memory.list()?.into_iter().map(|game| game.id).collect())
    }
}

impl Store for BrowserStore {
    fn save(&self, row: &Row) -> Result<(), StoreError> {
        if self.memory.body(&row.id)?.as_ref() == Some(&row.body) {
            return Ok(());
        }
        let before = self.ids()?;
        self.memory.save(row)?;
        self.say(Said::Save { game: StoredRow { updated: (self.clock)(), row: row.clone() } });
        if before.len() >= MAX_GAMES as usize {
            let left = self.ids()?;
            for id in before.into_iter().filter(|id| !left.contains(id)) {
                self.say(Said::Forget { id });
            }
        }
        Ok(())
    }

    fn body(&self, id: &str) -> Result<Option<String>, StoreError> {
        self.memory.body(id)
    }

    fn latest_unfinished(&self) -> Result<Option<String>, StoreError> {
        self.memory.latest_unfinished()
    }

    fn forget(&self, id: &str) -> Result<(), StoreError> {
        self.memory.forget(id)?;
        self.say(Said::Forget { id: id.to_owned() });
        Ok(())
    }

    fn remember(&self, id: &str) -> Result<bool, StoreError> {
        let is_back = self.memory.remember(id)?;
        if let Some((row, updated)) = self.memory.row(id).filter(|_| is_back) {
            self.say(Said::Save { game: StoredRow { updated, row } });
        }
        Ok(is_back)
    }

    fn list(&self) -> Result<Vec<StoredGame>, StoreError> {
        self.memory.list()
    }

    fn settings(&self) -> Result<Option<String>, StoreError> {
        self.memory.settings()
    }

    fn keep_settings(&self, text: &str) -> Result<(), StoreError> {
        self.memory.keep_settings(text)?;
        self.say(Said::Settings { text: text.to_owned() });
        Ok(())
    }
}
