//! Everything that a store keeps as one text: games, settings, the progress in puzzles. It leads from one
//! browser to another, and between the program on a computer and the page without a server.

use serde::{Deserialize, Serialize};

use crate::json;
use crate::lobby::MAX_SETTINGS;
use crate::saved;
use crate::store::{Row, Store, StoreError};

/// The version that is written.
const VERSION: u32 = 1;
/// The longest name of a game.
const MAX_ID: usize = 64;

#[derive(Deserialize, Serialize)]
struct Backup {
    /// Names the format, too.
    #[serde(rename = "collinear-backup")]
    version: u32,
    /// The oldest first.
    games: Vec<Saved>,
    #[serde(default)]
    settings: Option<String>,
}

/// A game under its name.
#[derive(Deserialize, Serialize)]
struct Saved {
    id: String,
    body: String,
}

/// What came of a restored text.
pub(crate) struct Restored {
    /// Games that were not there.
    pub(crate) games: u32,
    /// The settings that are kept now, if the text had any.
    pub(crate) settings: Option<String>,
}

/// Everything in the store.
pub(crate) fn write(store: &dyn Store) -> Result<String, StoreError> {
    let mut games = Vec::new();
    for listed in store.list()?.into_iter().rev() {
        if let Some(body) = store.body(&listed.id)? {
            games.push(Saved { id: listed.id, body });
        }
    }
    let backup = Backup { version: VERSION, games, settings: store.settings()? };
    serde_json::to_string(&backup).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// Puts back what a text has: games that are there already stay as they are. Nothing is stored unless
/// all of it can be read.
pub(crate) fn restore(store: &dyn Store, text: &str) -> Result<Restored, String> {
    let backup: Backup = json::read(text)
        .map_err(|error| format!("this is not a backup of this program: {error}"))?;
    if backup.version > VERSION {
        let version = backup.version;
        return Err(format!("the backup has version {version}: a later program can read it"));
    }
    let failed = |error: StoreError| error.to_string();
    let mut rows = Vec::new();
    for (number, Saved { id, body }) in (1..).zip(backup.games) {
        if id.is_empty()
            || id.len() > MAX_ID
            || !id.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return Err(format!("game {number} of the backup has no usable name"));
        }
        let game =
            saved::read(&body).map_err(|error| format!("game {number} of the backup: {error}"))?;
        rows.push(Row::of(&id, &game).map_err(failed)?);
    }
    if backup.settings.as_ref().is_some_and(|settings| settings.len() > MAX_SETTINGS) {
        return Err("the settings of the backup are too large to keep".to_owned());
    }
    let mut games = 0;
    for row in rows {
        if store.body(&row.id).map_err(failed)?.is_none() {
            store.save(&row).map_err(failed)?;
            games += 1;
        }
    }
    if let Some(settings) = &backup.settings {
        store.keep_settings(settings).map_err(failed)?;
    }
    Ok(Restored { games, settings: backup.settings })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use collinear_rules::{Cell, Rules};

    use super::*;
    use crate::{Lobby, MemoryStore};

    fn filled() -> MemoryStore {
        let store = MemoryStore::new(|| 1);
        let lobby = Lobby { registry: collinear_agents::descriptions(), books: Arc::default() };
        for (number, id) in ["a1", "b2", "c3"].into_iter().enumerate() {
            let mut game = lobby.default_game(number as u64);
            game.model.play(Cell::new(number)).expect("empty");
            store.save(&Row::of(id, &game).expect("written")).expect("memory");
        }
        store.keep_settings("{\"solved\":[\"one\"]}").expect("memory");
        store
    }

    #[test]
    fn another_store_gets_everything_in_its_order() {
        let (from, to) = (filled(), MemoryStore::new(|| 2));
        let text = write(&from).expect("memory");
        let restored = restore(&to, &text).expect("whole");
        assert_eq!((restored.games, restored.settings), (3, from.settings().expect("memory")));
        let ids = |store: &MemoryStore| -> Vec<String> {
            store.list().expect("memory").into_iter().map(|game| game.id).collect()
        };
        assert_eq!(ids(&to), ["c3", "b2", "a1"]);
        assert_eq!(ids(&to), ids(&from));
        assert_eq!(write(&to).expect("memory"), text);
    }

    #[test]
    fn games_that_are_there_stay_as_they_are() {
        let (from, to) = (filled(), filled());
        let lobby = Lobby { registry: collinear_agents::descriptions(), books: Arc::default() };
        let game = lobby.default_game(9);
        assert_eq!(*game.rules(), Rules::CONNECT6);
        to.save(&Row::of("b2", &game).expect("written")).expect("memory");
        let before = to.body("b2").expect("memory");
        let restored = restore(&to, &write(&from).expect("memory")).expect("whole");
        assert_eq!((restored.games, to.body("b2").expect("memory")), (0, before));
    }

    #[test]
    fn a_text_that_cannot_be_read_changes_nothing() {
        let whole = write(&filled()).expect("memory");
        for text in [
            "",
            "{}",
            "{\"collinear-backup\":99,\"games\":[]}",
            "{\"collinear-backup\":1,\"games\":[{\"id\":\"../x\",\"body\":\"\"}]}",
            &whole.replace("\"id\":\"c3\",\"body\":\"{", "\"id\":\"c3\",\"body\":\"["),
            &whole[..whole.len() - 1],
        ] {
            let store = MemoryStore::new(|| 1);
            assert!(restore(&store, text).is_err(), "{text}");
            assert!(store.list().expect("memory").is_empty());
        }
    }
}
