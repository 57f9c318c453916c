//! What can be wrong with a file of results, in words that say what to do.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why results cannot be kept or read. Whatever happens, games committed before stay.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be made.
    #[error("the folder {} for the results cannot be made: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// No such file.
    #[error("there is no file of results {}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A database of some other program.
    #[error("{} belongs to another program: it is left as it is; choose another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Tables of another version.
    #[error(
        "{} has results of format {found}, and this program reads format {known}: use the program that wrote it, or choose another file",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Not a database, or a damaged one.
    #[error(
        "{} is damaged or not a file of results ({reason}): it is left as it is; `sqlite3 FILE .recover` may save its games, or choose another file",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// No room.
    #[error(
        "the disk is full: {} keeps every game finished before; make room and run the same command again",
        path.display()
    )]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// No permission.
    #[error("{} cannot be written ({reason}): choose another file or folder", path.display())]
    NotWritable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Somebody else is writing all the time.
    #[error("{} is held by another program: try again, or choose another file", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Two files have different games under one number.
    #[error(
        "{}: game {number} of run {run} differs from the one that is here already: nothing was merged",
        path.display()
    )]
    Conflict {
        /// The file that was to be merged.
        path: PathBuf,
        /// The run.
        run: String,
        /// The game.
        number: u64,
    },
    /// Anything else.
    #[error("{}: {reason}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What was said.
        reason: String,
    },
}

impl StoreError {
    pub(super) fn sql(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, reason) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::SystemIoFailure,
            ) => Self::NotWritable { path, reason },
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Self::Damaged { path, reason }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            _ => match error {
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..) => Self::Damaged { path, reason },
                _ => Self::Other { path, reason },
            },
        }
    }
}
