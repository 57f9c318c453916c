//! The file of answers: a line that names the proof, then an answer per line, as they came. It is
//! all that a search by jobs keeps: whoever was killed reads it and goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Answer, AnswerError, Upper};

/// A file that answers are appended to.
#[derive(Debug)]
pub struct AnswerFile {
    path: PathBuf,
    file: File,
}

/// Why a file of answers is of no use.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnswerFileError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It belongs to another position.
    #[error(
        "{}: its answers are not those of this proof ({title}): name another file, or begin afresh",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What its first line should be.
        title: String,
    },
    /// One of its lines is no answer that holds.
    #[error("{} line {number}: {source}; remove the file to begin afresh", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        number: usize,
        /// What is wrong with it.
        source: AnswerError,
    },
}

impl AnswerFile {
    /// Opens a file, new or old, and has `upper` take over what it holds; says how many answers those
    /// are. A last line without an end was cut by a kill: it is left away.
    pub fn open(path: &Path, upper: &mut Upper) -> Result<(Self, u64), AnswerFileError> {
        let io = |source| AnswerFileError::Io { path: path.to_owned(), source };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(io(error)),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let title = upper.title();
        let mut lines = (1..).zip(whole.lines());
        let is_new = match lines.next() {
            None => true,
            Some((_, first)) if first == title => false,
            Some(_) => return Err(AnswerFileError::Other { path: path.to_owned(), title }),
        };
        let mut taken = 0;
        for (number, line) in lines {
            let wrong = |source| AnswerFileError::Line { path: path.to_owned(), number, source };
            let answer: Answer = line.parse().map_err(wrong)?;
            taken += u64::from(upper.report(&answer).map_err(wrong)?);
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(io)?;
        file.set_len(whole.len() as u64).map_err(io)?;
        if is_new {
            writeln!(file, "{title}").map_err(io)?;
        }
        Ok((Self { path: path.to_owned(), file }, taken))
    }

    /// Keeps an answer.
    pub fn append(&mut self, answer: &Answer) -> Result<(), AnswerFileError> {
        // In one piece, so that a kill cuts at most the last line.
        self.file
            .write_all(format!("{answer}\n").as_bytes())
            .map_err(|source| AnswerFileError::Io { path: self.path.clone(), source })
    }
}
