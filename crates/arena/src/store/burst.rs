//! Instant games. A transaction costs some twenty system calls, more than a game of random stones,
//! and only one can be under way; a line at the end of a file costs one. So when games end in quick
//! succession, each is first written to a file beside the results, and whole batches of them become
//! rows in one transaction.
//!
//! ```text
//! game ends ─→ line in results.sqlite-burst-PID-N ─→ next game        (killed here: nothing lost)
//!                              └── 1024 lines or 50 ms ─→ one transaction ─→ file removed
//! ```
//!
//! The owner of a burst file holds its lock. Whoever opens the results takes over burst files that
//! nobody holds: those a killed process left behind.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{SetAside, StoreError};
use crate::game::{GameSummary, PlayedGame, turns_text};
use crate::plan::Plan;

/// Games further apart than this go straight into the table.
const LULL: Duration = Duration::from_millis(5);
/// Games that make a batch.
const ENOUGH_GAMES: usize = 1024;
/// Games after which a batch waits for another one's transaction to end.
const MAX_GAMES: usize = 8 * ENOUGH_GAMES;
/// How long a game waits to become a row, while others keep ending and no transaction is on.
const MAX_WAIT: Duration = Duration::from_millis(50);

/// A game as it is kept: a line of a burst file, a row of the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) run: String,
    pub(super) summary: GameSummary,
    pub(super) seeds: [u64; 2],
    pub(super) opening: usize,
    pub(super) moves: String,
    #[serde(rename = "words")]
    pub(super) detail: Option<String>,
    pub(super) turns: String,
}

impl Kept {
    pub(super) fn new(run: &str, plan: &Plan, game: PlayedGame) -> Self {
        let moves = game.moves_text(&plan.rules);
        Self {
            run: run.to_owned(),
            summary: game.summary,
            seeds: game.seeds,
            opening: game.record.opening,
            moves,
            turns: turns_text(&game.record),
            detail: game.record.end.and_then(|end| end.detail),
        }
    }

    /// As a line of a burst file.
    fn line(&self, results: &Path) -> Result<Vec<u8>, StoreError> {
        let mut line = serde_json::to_vec(self).map_err(|error| StoreError::Other {
            path: results.to_owned(),
            reason: error.to_string(),
        })?;
        line.push(b'\n');
        Ok(line)
    }
}

/// Games that are on disk but not in the table yet.
pub(super) struct Batch {
    pub(super) games: Vec<Kept>,
    path: PathBuf,
    /// Holds the lock until the batch is committed.
    file: File,
}

impl Batch {
    /// The games are rows now.
    pub(super) fn done(self) {
        drop(self.file);
        // A file that stays is taken over later; its games are known by then.
        let _ = fs::remove_file(self.path);
    }

    /// The games cannot become rows.
    pub(super) fn orphan(self, reason: &str) -> Orphan {
        Orphan { path: self.path, reason: reason.to_owned() }
    }
}

/// A burst file that nobody holds.
pub(super) enum Found {
    Batch(Batch),
    Unreadable(Orphan),
}

/// A burst file whose games cannot become rows.
pub(super) struct Orphan {
    path: PathBuf,
    reason: String,
}

impl Orphan {
    /// Renames the file, so that it is found once and its games are not lost.
    pub(super) fn set_aside(self) -> Option<SetAside> {
        let name = self.path.file_name()?.to_string_lossy().replace("-burst-", "-orphan-");
        // Process numbers come again: an earlier orphan keeps its name.
        let names = (2..).map(|n| format!("{name}-{n}"));
        let path = std::iter::once(name.clone())
            .chain(names)
            .map(|name| self.path.with_file_name(name))
            .find(|path| !path.exists())?;
        // One that cannot be renamed is found again next time.
        let path = fs::rename(&self.path, &path).map_or(self.path, |()| path);
        Some(SetAside { path, reason: self.reason })
    }
}

/// When a batch should become rows.
pub(super) enum Due {
    Not,
    /// As soon as no other transaction is under way.
    Soon,
    Now,
}

/// The state of one writer.
pub(super) struct Burst {
    results: PathBuf,
    batch: Option<Batch>,
    count: u64,
    last_game: Option<Instant>,
    began: Instant,
}

impl Burst {
    pub(super) fn new(results: &Path) -> Self {
        let results = results.to_owned();
        Self { results, batch: None, count: 0, last_game: None, began: Instant::now() }
    }

    /// Whether the next game may go straight into the table.
    pub(super) fn is_lull(&mut self) -> bool {
        let now = Instant::now();
        let before = self.last_game.replace(now);
        self.batch.is_none() && before.is_none_or(|before| now - before > LULL)
    }

    /// Writes a game down.
    pub(super) fn add(&mut self, game: Kept) -> Result<(), StoreError> {
        let line = game.line(&self.results)?;
        let mut batch = match self.batch.take() {
            Some(batch) => batch,
            None => self.begin()?,
        };
        let written = batch.file.write_all(&line);
        batch.games.push(game);
        let written = written.map_err(|error| refused(&batch.path, &error));
        self.batch = Some(batch);
        written
    }

    /// Whether it is time to make rows.
    pub(super) fn due(&self) -> Due {
        match self.batch.as_ref().map_or(0, |batch| batch.games.len()) {
            0 => Due::Not,
            MAX_GAMES.. => Due::Now,
            games if games >= ENOUGH_GAMES || self.began.elapsed() > MAX_WAIT => Due::Soon,
            _ => Due::Not,
        }
    }

    /// Gives away what there is.
    pub(super) const fn take(&mut self) -> Option<Batch> {
        self.batch.take()
    }

    fn begin(&mut self) -> Result<Batch, StoreError> {
        self.began = Instant::now();
        loop {
            self.count += 1;
            let path = beside(&self.results, &format!("{}-{}", std::process::id(), self.count));
            let told = |error: std::io::Error| refused(&path, &error);
            match OpenOptions::new().create_new(true).write(true).open(&path) {
                // Another writer of this process has it.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(told(error)),
                Ok(file) => match file.try_lock() {
                    Ok(()) if path.exists() => {
                        return Ok(Batch { games: Vec::new(), path, file });
                    }
                    // Somebody took it for abandoned before it was locked.
                    Ok(()) | Err(TryLockError::WouldBlock) => {}
                    Err(TryLockError::Error(error)) => return Err(told(error)),
                },
            }
        }
    }
}

/// Burst files beside the results that no living process holds. The lock comes with each.
pub(super) fn abandoned(results: &Path) -> Result<Vec<Found>, StoreError> {
    let folder = results.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Ok(Vec::new()) };
    let prefix = beside(results, "");
    let mut batches = Vec::new();
    for entry in entries.flatten() {
        let path = prefix.with_file_name(entry.file_name());
        let ours = prefix.file_name().is_some_and(|prefix| {
            entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
        });
        if !ours {
            continue;
        }
        // To open anything else, such as a pipe, may take for ever.
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            let reason = "it is no plain file".to_owned();
            batches.push(Found::Unreadable(Orphan { path, reason }));
            continue;
        }
        // Gone meanwhile, or held: somebody else looks after it.
        let Ok(file) = File::open(&path) else { continue };
        if file.try_lock().is_err() {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| refused(&path, &error))?;
        batches.push(match parse(&String::from_utf8_lossy(&bytes)) {
            Ok(games) => Found::Batch(Batch { games, path, file }),
            Err(reason) => Found::Unreadable(Orphan { path, reason }),
        });
    }
    Ok(batches)
}

/// The games of a burst file. A last line without its end was cut off while it was written: that
/// game had not been reported to anybody.
fn parse(text: &str) -> Result<Vec<Kept>, String> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .enumerate()
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))
        })
        .collect()
}

fn beside(results: &Path, what: &str) -> PathBuf {
    let mut name = results.file_name().unwrap_or_default().to_owned();
    name.push("-burst-");
    name.push(what);
    results.with_file_name(name)
}

fn refused(path: &Path, error: &std::io::Error) -> StoreError {
    match error.kind() {
        std::io::ErrorKind::StorageFull => StoreError::DiskFull { path: path.to_owned() },
        _ => StoreError::NotWritable { path: path.to_owned(), reason: error.to_string() },
    }
}
