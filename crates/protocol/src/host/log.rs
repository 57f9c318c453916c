//! What was said on both sides, line by line, in a file for whoever debugs an engine.
//!
//! ```text
//! 12.345 4711 > move JKJL          to the engine
//! 12.346 4711 < VCF time : 0.000   from the engine
//! 12.900 4711 ! passed over        what the host made of the line before
//! ```
//!
//! Seconds since the engine was started, its process number, the direction. Several engines may
//! write to one file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// The most an engine process may add to its log.
const MAX_LOG_BYTES: usize = 64 << 20;

/// The log of one engine process; without a file it swallows everything.
pub(super) struct Log {
    file: Option<File>,
    process: u32,
    since: Instant,
    written: usize,
}

impl Log {
    /// A log that appends to this file, if there is to be one.
    pub(super) fn open(path: Option<&Path>, process: u32) -> io::Result<Self> {
        let append = |path: &Path| OpenOptions::new().create(true).append(true).open(path);
        let file = path.map(append).transpose()?;
        Ok(Self { file, process, since: Instant::now(), written: 0 })
    }

    /// A line to the engine.
    pub(super) fn sent(&mut self, line: &str) {
        self.write('>', line);
    }

    /// A line from the engine.
    pub(super) fn heard(&mut self, line: &str) {
        self.write('<', line);
    }

    /// What the host made of it.
    pub(super) fn note(&mut self, text: &str) {
        self.write('!', text);
    }

    fn write(&mut self, mark: char, text: &str) {
        let Some(file) = &mut self.file else { return };
        let seconds = self.since.elapsed().as_secs_f64();
        // One write for each line, so that those of several engines do not mix.
        let line = format!("{seconds:.3} {} {mark} {}\n", self.process, text.escape_debug());
        self.written += line.len();
        // A log that cannot be written must not cost the engine its game.
        if file.write_all(line.as_bytes()).is_err() || self.written > MAX_LOG_BYTES {
            self.file = None;
        }
    }
}
