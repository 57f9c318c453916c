//! Files that somebody names: read whole, and never more than the reader is ready for.
//!
//! A name may lead anywhere: to a device that never ends, to a pipe that nobody writes to, to a
//! folder, to a file larger than the memory. Only plain files are opened, and only up to a size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputFileError {
    /// The system refused.
    #[error("{} cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A folder, a pipe or a device.
    #[error("{} is not a plain file: copy what it contains into one", path.display())]
    NotPlain {
        /// Where it is.
        path: PathBuf,
    },
    /// More than the reader takes.
    #[error("{} is larger than {}, the most that is read here", path.display(), size(*max_bytes))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        max_bytes: u64,
    },
    /// Bytes that are not text.
    #[error("{} is not text in UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
}

/// Reads a plain file of at most `max_bytes`.
pub fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, InputFileError> {
    let failed = |error| InputFileError::Io { path: path.to_owned(), error };
    // Before it is opened: to open a pipe may already take for ever.
    let about = fs::metadata(path).map_err(failed)?;
    if !about.is_file() {
        return Err(InputFileError::NotPlain { path: path.to_owned() });
    }
    let too_large = || InputFileError::TooLarge { path: path.to_owned(), max_bytes };
    if about.len() > max_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    // It may have grown, and files of `/proc` say that they are empty.
    File::open(path)
        .and_then(|file| file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > max_bytes { Err(too_large()) } else { Ok(bytes) }
}

/// The same for text in UTF-8.
pub fn read_text_file(path: &Path, max_bytes: u64) -> Result<String, InputFileError> {
    String::from_utf8(read_file(path, max_bytes)?)
        .map_err(|_| InputFileError::NotText { path: path.to_owned() })
}

/// A limit in words.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_files_are_read_up_to_a_size() {
        let folder = std::env::temp_dir().join(format!("collinear-input-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("four");
        fs::write(&file, b"four").expect("written");
        assert_eq!(read_text_file(&file, 4).expect("read"), "four");
        assert!(matches!(read_file(&file, 3), Err(InputFileError::TooLarge { max_bytes: 3, .. })));
        fs::write(&file, [0xff]).expect("written");
        assert!(matches!(read_text_file(&file, 4), Err(InputFileError::NotText { .. })));
        assert!(matches!(read_file(&folder, 4), Err(InputFileError::NotPlain { .. })));
        let missing = read_file(&folder.join("none"), 4).expect_err("not there").to_string();
        assert!(missing.contains("none cannot be read: "), "{missing}");
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_refused_at_once() {
        let endless = read_file(Path::new("/dev/zero"), 1 << 20).expect_err("endless");
        assert!(matches!(endless, InputFileError::NotPlain { .. }));
    }
}
