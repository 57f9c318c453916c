//! Reports on standard output, whole: a reader that has seen enough (`| head`) is no error.

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
pub(crate) fn line(shown: impl std::fmt::Display) -> Result<()> {
    text(&format!("{shown}\n"))
}

/// Writes one JSON value, indented.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    text(&(serde_json::to_string_pretty(value)? + "\n"))
}
