//! A file that appears whole or not at all: it is written beside its place and moved there last.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An output file under construction. Dropped without [`commit`](Self::commit) it leaves nothing.
pub(crate) struct WholeFile {
    writer: Option<BufWriter<File>>,
    /// Where it is written; the same as `target` for pipes and devices, which cannot be replaced.
    draft: PathBuf,
    target: PathBuf,
}

impl WholeFile {
    /// Begins to write a file that will be at `target`.
    pub(crate) fn create(target: &Path) -> io::Result<Self> {
        let special = fs::metadata(target).is_ok_and(|there| !there.is_file());
        let (draft, file) = if special {
            (target.to_owned(), OpenOptions::new().write(true).open(target)?)
        } else {
            let mut name = target.as_os_str().to_owned();
            name.push(format!(".{}.part", std::process::id()));
            let draft = PathBuf::from(name);
            let file = File::create(&draft)?;
            (draft, file)
        };
        Ok(Self { writer: Some(BufWriter::new(file)), draft, target: target.to_owned() })
    }

    /// Puts the finished file in its place.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        if let Some(mut writer) = self.writer.take() {
            let moved = self.draft != self.target;
            let written = writer
                .flush()
                .and_then(|()| if moved { writer.get_ref().sync_all() } else { Ok(()) });
            drop(writer);
            let placed = written
                .and_then(|()| if moved { fs::rename(&self.draft, &self.target) } else { Ok(()) });
            if placed.is_err() {
                self.discard();
            }
            return placed;
        }
        Ok(())
    }

    fn discard(&self) {
        if self.draft != self.target {
            // Nothing is lost when it cannot be removed either.
            let _ = fs::remove_file(&self.draft);
        }
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
