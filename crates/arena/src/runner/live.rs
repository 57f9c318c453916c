//! The games that are being played, for those who want to look on.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use collinear_rules::Cell;

use crate::plan::Fixture;

/// The boards of a run as they stand.
#[derive(Debug, Default)]
pub struct LiveGames(Mutex<BTreeMap<u64, LiveGame>>);

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    /// Its number in the run.
    pub number: u64,
    /// Index of the contestant who moves first.
    pub black: usize,
    /// Index of the other.
    pub white: usize,
    /// The stones so far, those of the opening included.
    pub stones: Vec<Cell>,
}

impl LiveGames {
    fn games(&self) -> MutexGuard<'_, BTreeMap<u64, LiveGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them, by number.
    pub fn all(&self) -> Vec<LiveGame> {
        self.games().values().cloned().collect()
    }

    pub(super) fn show(&self, fixture: &Fixture, stones: &[Cell]) {
        let Fixture { number, black, white, .. } = *fixture;
        self.games().insert(number, LiveGame { number, black, white, stones: stones.to_vec() });
    }

    pub(super) fn remove(&self, number: u64) {
        self.games().remove(&number);
    }
}
