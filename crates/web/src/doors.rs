//! Which links lead to a room: the secrets of all games that are played by one.
//!
//! Every request asks, so they are kept here and not looked up on disk. A secret has 128 random bits,
//! and a table of keyed hashes does not tell how much of a guess was right.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use collinear_room::{Store, StoreError, room_secret};

/// See the module.
pub(crate) struct Doors(Mutex<HashSet<String>>);

impl Doors {
    /// The doors to the rooms that are stored.
    pub(crate) fn of(store: &dyn Store) -> Result<Self, StoreError> {
        let secrets = store.list()?.into_iter().filter_map(|game| game.room).collect();
        Ok(Self(Mutex::new(secrets)))
    }

    fn open(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a link with this secret leads to a room.
    pub(crate) fn lead(&self, secret: &str) -> bool {
        self.open().contains(secret)
    }

    /// Opens the door to a room.
    pub(crate) fn add(&self, secret: String) {
        self.open().insert(secret);
    }

    /// Opens or shuts the door of a stored game, if it is played by a link.
    pub(crate) fn set(&self, id: &str, is_there: bool) {
        let Some(secret) = room_secret(id) else { return };
        if is_there {
            self.add(secret.to_owned());
        } else {
            self.open().remove(secret);
        }
    }
}
