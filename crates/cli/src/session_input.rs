//! Standard input for a session that Ctrl-C or a polite kill must end as the end of the input does:
//! the turn found so far is reported, and external engines are shut down.

use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use anyhow::Result;

/// Bytes read at once.
const PIECE_BYTES: usize = 1 << 16;

/// Reads standard input until it ends or the process is asked to end.
pub(crate) struct SessionInput {
    pieces: Receiver<Vec<u8>>,
    piece: io::Cursor<Vec<u8>>,
    ended: bool,
}

impl SessionInput {
    /// Begins to read. To be called once: the process has one standard input and one handler.
    pub(crate) fn open() -> Result<Self> {
        // An empty piece is the end.
        let (sender, pieces) = mpsc::sync_channel::<Vec<u8>>(4);
        let interrupted = sender.clone();
        ctrlc::set_handler(move || {
            // When the session has ended already there is nobody to tell.
            let _ = interrupted.send(Vec::new());
        })?;
        thread::spawn(move || copy(&sender));
        Ok(Self { pieces, piece: io::Cursor::new(Vec::new()), ended: false })
    }
}

fn copy(sender: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        let count = match io::stdin().read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        if sender.send(buffer[..count].to_vec()).is_err() || count == 0 {
            return;
        }
    }
}

impl Read for SessionInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.piece.read(buffer)?;
        if count > 0 || buffer.is_empty() || self.ended {
            return Ok(count);
        }
        let piece = self.pieces.recv().unwrap_or_default();
        self.ended = piece.is_empty();
        self.piece = io::Cursor::new(piece);
        self.piece.read(buffer)
    }
}
