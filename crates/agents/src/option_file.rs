//! Files that options name: only regular ones of a sensible size are read, so that a device or a
//! pipe neither fills the memory nor blocks a search for ever.

use std::fs::File;
use std::io::{self, Read};

use thiserror::Error;

/// Why a file named by an option is not read.
#[derive(Debug, Error)]
pub(crate) enum OptionFileError {
    /// A folder, a device or a pipe.
    #[error("this is not a regular file")]
    NotAFile,
    /// More bytes than any such file has.
    #[error("this file has more than {0} bytes")]
    TooLarge(u64),
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The contents of a regular file of at most `max` bytes.
pub(crate) fn read(path: &str, max: u64) -> Result<Vec<u8>, OptionFileError> {
    // Asked before it is opened: opening a pipe waits for its writer.
    let about = std::fs::metadata(path)?;
    if !about.is_file() {
        return Err(OptionFileError::NotAFile);
    }
    let mut bytes = Vec::new();
    // It may grow, or be one that tells no size.
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max { Err(OptionFileError::TooLarge(max)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_sensible_size_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, [7; 100]).expect("written");
        let name = file.to_str().expect("a name");
        assert_eq!(read(name, 100).expect("small enough").len(), 100);
        assert!(matches!(read(name, 99), Err(OptionFileError::TooLarge(99))));
        let folder = folder.path().to_str().expect("a name");
        assert!(matches!(read(folder, 99), Err(OptionFileError::NotAFile)));
        assert!(matches!(read("/nowhere/at/all", 99), Err(OptionFileError::Io(_))));
    }

    #[test]
    #[cfg(unix)]
    fn devices_are_no_files() {
        assert!(matches!(read("/dev/zero", 99), Err(OptionFileError::NotAFile)));
    }
}
