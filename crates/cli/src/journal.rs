//! The journal of a long search: what is done of it, kept beside the output while it is made, so that
//! an interrupted search goes on where it stopped.
//!
//! One JSON object per line: first what is being made, then each piece as soon as it is done. A last
//! line that was cut off is done again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What came of one piece of a search.
pub(crate) trait Piece: Serialize + DeserializeOwned {
    /// Which piece it is.
    fn number(&self) -> u64;
}

#[derive(Serialize, Deserialize)]
struct Header {
    /// The name is that of the first search that had a journal.
    openings: String,
}

/// The journal of one search.
pub(crate) struct Journal<T> {
    path: PathBuf,
    file: Mutex<File>,
    known: HashMap<u64, T>,
}

impl<T: Piece> Journal<T> {
    /// Opens the journal beside an output file. `purpose` names everything that decides what is
    /// found: a journal of another search is refused.
    pub(crate) fn open(output: &Path, purpose: &str) -> Result<Self> {
        let mut name = output.as_os_str().to_owned();
        name.push(".journal");
        let path = PathBuf::from(name);
        let place = || format!("the journal {}", path.display());
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .with_context(place)?;
        let mut lines = BufReader::new(&file).lines();
        let mut known = HashMap::new();
        match lines.next().transpose().with_context(place)? {
            None => {
                let header = Header { openings: purpose.to_owned() };
                let line = serde_json::to_string(&header)? + "\n";
                (&file).write_all(line.as_bytes()).with_context(place)?;
            }
            Some(first) => {
                let header: Option<Header> = serde_json::from_str(&first).ok();
                if header.is_none_or(|header| header.openings != purpose) {
                    bail!(
                        "{} belongs to another search: finish that one, remove the file, or choose another -o",
                        path.display()
                    );
                }
                for line in lines {
                    // What cannot be read was cut off in the middle; that piece is done again.
                    if let Ok(piece) = serde_json::from_str::<T>(&line.with_context(place)?) {
                        known.insert(piece.number(), piece);
                    }
                }
                // A line that was cut off must not swallow the next one.
                (&file).write_all(b"\n").with_context(place)?;
            }
        }
        Ok(Self { path, file: Mutex::new(file), known })
    }

    /// What is known of a piece.
    pub(crate) fn known(&self, number: u64) -> Option<&T> {
        self.known.get(&number)
    }

    /// Writes a piece down.
    pub(crate) fn add(&self, piece: &T) -> Result<()> {
        let line = serde_json::to_string(piece)? + "\n";
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
            .with_context(|| format!("the journal {} cannot be written", self.path.display()))
    }

    /// The search is done and its output written.
    pub(crate) fn finish(self) {
        // A journal that stays behind costs nothing but space.
        let _ = std::fs::remove_file(&self.path);
    }
}
