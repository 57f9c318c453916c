//! Standard input for a session that ends at once when its host is gone: when the input ends, or the
//! process is asked to end.
//!
//! A session that hears of the end stops its search and says the turn found so far. Whatever keeps
//! it from that (an agent that is being built, a pipe that nobody reads), the process does not
//! outlive its host.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use crate::signals;

/// How long a session has for its last words.
pub(crate) const LAST_WORDS: Duration = Duration::from_millis(60);
/// When the process ends without them.
const END_AFTER: Duration = Duration::from_millis(80);
/// Bytes read at once.
const PIECE_BYTES: usize = 1 << 16;

/// Reads standard input until it ends or the process is asked to end.
pub(crate) struct SessionInput {
    pieces: Receiver<Vec<u8>>,
    piece: io::Cursor<Vec<u8>>,
    /// Set by a signal: nothing that was sent before counts any more.
    over: Arc<AtomicBool>,
}

impl SessionInput {
    /// Begins to read. To be called once: the process has one standard input and one set of signals.
    pub(crate) fn open() -> Result<Self> {
        // An empty piece is the end.
        let (sender, pieces) = mpsc::sync_channel::<Vec<u8>>(4);
        let over = Arc::new(AtomicBool::new(false));
        let (wake, set) = (sender.clone(), Arc::clone(&over));
        signals::watch(move |signal| {
            set.store(true, Ordering::Relaxed);
            // Where the queue is full nobody waits for it.
            let _ = wake.try_send(Vec::new());
            end_soon(signal.exit_code());
        })?;
        thread::spawn(move || copy(&sender));
        Ok(Self { pieces, piece: io::Cursor::new(Vec::new()), over })
    }
}

/// Ends the process when the time for last words is over.
fn end_soon(code: u8) {
    thread::sleep(END_AFTER);
    std::process::exit(code.into());
}

fn copy(sender: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        let count = match io::stdin().read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let sent = sender.send(buffer[..count].to_vec());
        if count == 0 {
            return end_soon(0);
        }
        if sent.is_err() {
            return;
        }
    }
}

impl Read for SessionInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.over.load(Ordering::Relaxed) || buffer.is_empty() {
            return Ok(0);
        }
        let count = self.piece.read(buffer)?;
        if count > 0 {
            return Ok(count);
        }
        let piece = self.pieces.recv().unwrap_or_default();
        self.piece = io::Cursor::new(piece);
        self.piece.read(buffer)
    }
}
