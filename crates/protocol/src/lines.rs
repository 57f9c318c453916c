//! Lines from a pipe that may send anything: bounded, whatever ends them, whatever is in them.

use std::io::{BufRead, BufReader, ErrorKind, Read};

/// The longest line either side may send. A whole 64×64 game as a move list takes 25 KB.
pub(crate) const MAX_BYTES: usize = 64 * 1024;

/// What came off the pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line without its end; never empty.
    Line(String),
    /// More than [`MAX_BYTES`] without a line end. What follows up to the next end is dropped.
    TooLong,
    /// Nothing will come any more.
    End,
}

/// Reads lines that end in LF, CR or both; empty ones are skipped.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    skipping: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), skipping: false }
    }

    /// Waits for the next line.
    pub(crate) fn next(&mut self) -> Input {
        let mut line: Vec<u8> = Vec::new();
        loop {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            if bytes.is_empty() {
                return if line.is_empty() { Input::End } else { finished(&line) };
            }
            let end = bytes.iter().position(|&b| b == b'\n' || b == b'\r');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if !self.skipping {
                line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            }
            self.reader.consume(taken);
            if end.is_some() {
                self.skipping = false;
            }
            if line.len() > MAX_BYTES {
                self.skipping = end.is_none();
                return Input::TooLong;
            }
            if end.is_some() && !line.is_empty() {
                return finished(&line);
            }
        }
    }
}

fn finished(line: &[u8]) -> Input {
    Input::Line(String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_and_a_last_line_without_one() {
        let mut lines = Lines::new(&b"one\r\ntwo\rthree\n\n\nfour"[..]);
        for text in ["one", "two", "three", "four"] {
            assert_eq!(lines.next(), Input::Line(text.to_owned()));
        }
        assert_eq!(lines.next(), Input::End);
        assert_eq!(lines.next(), Input::End);
    }

    #[test]
    fn a_long_line_is_reported_once_and_then_dropped() {
        let mut bytes = vec![b'x'; 10 << 20];
        bytes.extend_from_slice(b"\nafter\xff\n");
        let mut lines = Lines::new(&bytes[..]);
        assert_eq!(lines.next(), Input::TooLong);
        assert_eq!(lines.next(), Input::Line("after\u{fffd}".to_owned()));
    }
}
