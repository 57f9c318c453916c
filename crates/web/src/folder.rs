//! The data folder: one server at a time writes into it, and leaves its address there, so that a
//! second start can open the running one.
//!
//! Two servers would each keep their own picture of a game and write over the other's moves.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

/// Locked as long as a server runs.
const LOCK_FILE: &str = "server.lock";
/// Where the running server is; it may carry a token.
const ADDRESS_FILE: &str = "server.address";
/// How long a second start waits for the address of the first, which has only just begun.
const ADDRESS_PATIENCE: Duration = Duration::from_secs(3);
const ADDRESS_LOOK: Duration = Duration::from_millis(20);

/// Why a data folder cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It cannot be made or written.
    #[error("cannot use the data folder {0}: {1}")]
    Io(PathBuf, io::Error),
    /// Another server has it.
    #[error(
        "Collinear already runs with the data folder {folder}{}: end it first, or choose another folder with --data",
        address.as_ref().map(|address| format!(", at {address}")).unwrap_or_default()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Where the other server is.
        address: Option<String>,
    },
}

/// A data folder that is ours until this is dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes the folder where needed and takes it.
    pub(crate) fn take(path: &Path) -> Result<Self, FolderError> {
        let failed = |error| FolderError::Io(path.to_owned(), error);
        fs::create_dir_all(path).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let lock = options.open(path.join(LOCK_FILE)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::Taken {
                    folder: path.to_owned(),
                    address: address(&path.join(ADDRESS_FILE)),
                });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // The address of a server that was killed leads nowhere.
        match fs::remove_file(path.join(ADDRESS_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(Self { path: path.to_owned(), _lock: lock }),
        }
    }

    /// Tells a second start where this server is. Only the owner may read it: it may hold a token.
    pub(crate) fn announce(&self, address: &str) -> Result<(), FolderError> {
        let file = self.path.join(ADDRESS_FILE);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(file).and_then(|mut file| writeln!(file, "{address}"));
        written.map_err(|error| FolderError::Io(self.path.clone(), error))
    }
}

/// Waits for a whole line: the other server may be about to write it.
fn address(file: &Path) -> Option<String> {
    let begun = Instant::now();
    while begun.elapsed() < ADDRESS_PATIENCE {
        let text = fs::read_to_string(file).unwrap_or_default();
        if let Some(address) = text.strip_suffix('\n') {
            return Some(address.to_owned());
        }
        std::thread::sleep(ADDRESS_LOOK);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_has_a_folder_and_the_next_learns_where_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = Folder::take(folder.path()).expect("free");
        first.announce("http://127.0.0.1:4655/").expect("written");
        match Folder::take(folder.path()) {
            Err(FolderError::Taken { address, .. }) => {
                assert_eq!(address.as_deref(), Some("http://127.0.0.1:4655/"));
            }
            other => panic!("{other:?}"),
        }
        drop(first);
        let second = Folder::take(folder.path()).expect("free again");
        assert!(!folder.path().join(ADDRESS_FILE).exists(), "the old address leads nowhere");
        drop(second);
    }
}
