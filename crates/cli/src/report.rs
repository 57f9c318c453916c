//! What the program says: reports on standard output, whole, and notes on standard error.
//!
//! A reader of the output that has seen enough (`| head`) is not an error. A note that cannot be
//! written (`2>/dev/full`) is lost, and nothing else happens.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::Result;
use serde::Serialize;

/// Writes a text that ends with a line break.
pub(crate) fn text(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes one line.
pub(crate) fn line(shown: impl Display) -> Result<()> {
    text(&format!("{shown}\n"))
}

/// Writes one JSON value, indented.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    text(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Writes one line of news to standard error.
pub(crate) fn note(shown: impl Display) {
    let _ = writeln!(io::stderr(), "{shown}");
}
