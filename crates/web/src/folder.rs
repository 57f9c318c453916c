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
/// What lets a page in. It stays the same, so that bookmarks and cookies outlive the server.
const TOKEN_FILE: &str = "server.token";
/// The least length of a token that is taken from the file.
const MIN_TOKEN: usize = 16;
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
        make(path).map_err(failed)?;
        let lock = private(&path.join(LOCK_FILE)).map_err(failed)?;
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

    /// Tells a second start where this server is.
    pub(crate) fn announce(&self, address: &str) -> Result<(), FolderError> {
        self.write(ADDRESS_FILE, address)
    }

    /// The token of this folder; `new` makes one where there is none, or none that serves.
    pub(crate) fn token(&self, new: impl FnOnce() -> String) -> Result<String, FolderError> {
        let kept = fs::read_to_string(self.path.join(TOKEN_FILE)).unwrap_or_default();
        let kept = kept.trim();
        if kept.len() >= MIN_TOKEN && kept.bytes().all(|sign| sign.is_ascii_alphanumeric()) {
            // It may have been made by hand, for all to read.
            private(&self.path.join(TOKEN_FILE))
                .map_err(|error| FolderError::Io(self.path.clone(), error))?;
            return Ok(kept.to_owned());
        }
        let token = new();
        self.write(TOKEN_FILE, &token)?;
        Ok(token)
    }

    fn write(&self, name: &str, line: &str) -> Result<(), FolderError> {
        let written = private(&self.path.join(name)).and_then(|mut file| {
            file.set_len(0)?;
            writeln!(file, "{line}")
        });
        written.map_err(|error| FolderError::Io(self.path.clone(), error))
    }
}

/// Makes a folder, if need be, which only its owner may look into. One that is there already stays as
/// it is: it may be anybody's.
fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Opens a file of ours for writing, which only its owner may read, and makes it where needed.
pub(crate) fn private(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mode above is only for new files.
        if opened.metadata()?.permissions().mode() & 0o077 != 0 {
            opened.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(opened)
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

    #[test]
    fn a_token_stays_the_same_and_a_useless_one_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let take = || Folder::take(folder.path()).expect("free");
        let new = || "0123456789abcdef".to_owned();
        assert_eq!(take().token(new).expect("written"), new());
        assert_eq!(take().token(|| panic!("there is one")).expect("read"), new());
        for useless in ["", "short", "with spaces and more\n"] {
            fs::write(folder.path().join(TOKEN_FILE), useless).expect("written");
            assert_eq!(take().token(new).expect("written"), new(), "{useless:?}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_is_made_here_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;

        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        let outer = tempfile::tempdir().expect("a folder");
        let path = outer.path().join("new/data");
        fs::create_dir_all(outer.path().join("new")).expect("made");
        fs::set_permissions(outer.path().join("new"), fs::Permissions::from_mode(0o755))
            .expect("set");
        let folder = Folder::take(&path).expect("free");
        folder.announce("http://127.0.0.1:1/").expect("written");
        folder.token(|| "0123456789abcdef".to_owned()).expect("written");
        assert_eq!((mode(&outer.path().join("new")), mode(&path)), (0o755, 0o700));
        // Written for all to read by whatever came before.
        fs::set_permissions(path.join(ADDRESS_FILE), fs::Permissions::from_mode(0o644))
            .expect("set");
        folder.announce("http://127.0.0.1:2/").expect("written");
        for file in [LOCK_FILE, ADDRESS_FILE, TOKEN_FILE] {
            assert_eq!(mode(&path.join(file)), 0o600, "{file}");
        }
    }
}
