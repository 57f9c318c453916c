//! A file that appears whole or not at all: it is written beside its place, forced to the disk and
//! moved there last. Whatever is interrupted, the file that was there before stays.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An output file under construction. Dropped without [`commit`](Self::commit) it leaves nothing.
#[derive(Debug)]
pub struct WholeFile {
    writer: Option<BufWriter<File>>,
    /// Where it is written; the same as `target` for pipes and devices, which cannot be replaced.
    draft: PathBuf,
    target: PathBuf,
}

impl WholeFile {
    /// Begins to write a file that will be at `target`. A link is followed, so that it stays one.
    pub fn create(target: &Path) -> io::Result<Self> {
        let special = fs::metadata(target).is_ok_and(|there| !there.is_file());
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let (draft, file) = if special {
            (target.clone(), OpenOptions::new().write(true).open(&target)?)
        } else {
            draft_of(&target)?
        };
        Ok(Self { writer: Some(BufWriter::new(file)), draft, target })
    }

    /// Writes a whole file at once.
    pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = Self::create(target)?;
        file.write_all(bytes)?;
        file.commit()
    }

    /// Puts the finished file in its place.
    pub fn commit(mut self) -> io::Result<()> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        let moved = self.draft != self.target;
        let written =
            writer.flush().and_then(|()| if moved { writer.get_ref().sync_all() } else { Ok(()) });
        drop(writer);
        let placed = written
            .and_then(|()| if moved { fs::rename(&self.draft, &self.target) } else { Ok(()) });
        match placed {
            Ok(()) if moved => sync_folder(&self.target),
            Ok(()) => {}
            Err(_) => self.discard(),
        }
        placed
    }

    fn discard(&self) {
        if self.draft != self.target {
            // Nothing is lost when it cannot be removed either.
            let _ = fs::remove_file(&self.draft);
        }
    }
}

/// A new file beside `target`. Two programs, or two threads of one, never share a draft, and a
/// draft that a kill left behind is not taken over.
fn draft_of(target: &Path) -> io::Result<(PathBuf, File)> {
    const MAX_TRIES: u32 = 1000;
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..MAX_TRIES {
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{}-{number}.part", std::process::id()));
        let draft = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&draft) {
            Ok(file) => return Ok((draft, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// Makes the new name durable where the system can; the file itself is on the disk already.
fn sync_folder(target: &Path) {
    if let Some(folder) = target.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(0), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            self.discard();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_differ_and_what_was_there_stays_until_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        WholeFile::write(&path, b"before").expect("written");
        let (mut one, mut two) =
            (WholeFile::create(&path).expect("one"), WholeFile::create(&path).expect("two"));
        one.write_all(b"one").expect("written");
        two.write_all(b"two and more").expect("written");
        assert_eq!(fs::read(&path).expect("read"), b"before");
        one.commit().expect("in place");
        assert_eq!(fs::read(&path).expect("read"), b"one");
        drop(two);
        assert_eq!(fs::read(&path).expect("read"), b"one");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "no draft is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        WholeFile::write(&file, b"old").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        WholeFile::write(&link, b"new").expect("written");
        assert_eq!(fs::read(&file).expect("read"), b"new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    }
}
