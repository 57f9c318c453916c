//! The judged candidates of `collinear openings`, kept beside the output while it is made, so that
//! an interrupted search goes on where it stopped.
//!
//! One JSON object per line: first what is being made, then each candidate as soon as it is judged.
//! A last line that was cut off is judged again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use collinear_arena::ColourTally;
use serde::{Deserialize, Serialize};

/// What became of one candidate.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Judged {
    /// Which.
    pub(crate) number: u64,
    /// How its games went.
    pub(crate) tally: ColourTally,
}

#[derive(Serialize, Deserialize)]
struct Header {
    openings: String,
}

/// The journal of one search.
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    known: HashMap<u64, ColourTally>,
}

impl Journal {
    /// Opens the journal beside an output file. `purpose` names everything that decides which
    /// openings are found: a journal of another search is refused.
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
                    // What cannot be read was cut off in the middle; that candidate is judged again.
                    if let Ok(Judged { number, tally }) =
                        serde_json::from_str(&line.with_context(place)?)
                    {
                        known.insert(number, tally);
                    }
                }
                // A line that was cut off must not swallow the next one.
                (&file).write_all(b"\n").with_context(place)?;
            }
        }
        Ok(Self { path, file: Mutex::new(file), known })
    }

    /// What is known of a candidate.
    pub(crate) fn known(&self, number: u64) -> Option<ColourTally> {
        self.known.get(&number).copied()
    }

    /// Writes a candidate down.
    pub(crate) fn add(&self, judged: Judged) -> Result<()> {
        let line = serde_json::to_string(&judged)? + "\n";
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
