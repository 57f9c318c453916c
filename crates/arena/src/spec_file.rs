//! Reading TOML files that people write: every complaint names the file and the line.

use std::ops::Range;

use serde::de::DeserializeOwned;
use thiserror::Error;

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}, line {line}: {message}")]
pub struct FileError {
    /// The file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A file's name and text, to place complaints in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Reads the whole file into its form.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        toml::from_str(self.text).map_err(|error| {
            // Some messages go over several lines; the first says it all.
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            self.error(&error.span().unwrap_or(0..0), message)
        })
    }

    /// A complaint about a place.
    pub(crate) fn error(&self, place: &Range<usize>, message: impl Into<String>) -> FileError {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        FileError { file: self.file.to_owned(), line, message: message.into() }
    }
}
