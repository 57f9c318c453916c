//! A file that appears whole or not at all: it is written beside its place, forced to the disk and
//! moved there last. Whatever is interrupted, the file that was there before stays. Drafts that a kill
//! left behind are removed when the next one for the same place is begun.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How the names of drafts end.
const DRAFT_ENDING: &str = ".part";

/// An output file under construction. Dropped without [`commit`](Self::commit) it leaves nothing.
#[derive(Debug)]
pub struct WholeFile {
    writer: Option<BufWriter<Draft>>,
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
        Ok(Self { writer: Some(BufWriter::new(Draft(file))), draft, target })
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
            writer.flush().and_then(|()| if moved { writer.get_ref().sync() } else { Ok(()) });
        drop(writer);
        let placed =
            written.and_then(|()| if moved { rename(&self.draft, &self.target) } else { Ok(()) });
        match placed {
            Ok(()) if moved => sync_folder(&self.target),
            Ok(()) => {}
            Err(_) => self.discard(),
        }
        placed
    }

    /// Whether a file is called as drafts are.
    pub fn is_draft(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == &DRAFT_ENDING[1..])
    }

    fn discard(&self) {
        if self.draft != self.target {
            // Nothing is lost when it cannot be removed either.
            let _ = fs::remove_file(&self.draft);
        }
    }
}

/// The open file. Tests let each of its steps fail.
#[derive(Debug)]
struct Draft(File);

impl Draft {
    fn sync(&self) -> io::Result<()> {
        #[cfg(test)]
        faults::step()?;
        self.0.sync_all()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(test)]
        faults::step().inspect_err(|_| {
            // Half of it came through.
            let _ = self.0.write(&bytes[..bytes.len() / 2]);
        })?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn rename(draft: &Path, target: &Path) -> io::Result<()> {
    #[cfg(test)]
    faults::step()?;
    fs::rename(draft, target)
}

/// A new file beside `target`, locked by whoever writes it. Two programs, or two threads of one, never
/// share a draft, and a draft that a kill left behind is not taken over.
fn draft_of(target: &Path) -> io::Result<(PathBuf, File)> {
    const MAX_TRIES: u32 = 1000;
    remove_stale_drafts(target);
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..MAX_TRIES {
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{}-{number}{DRAFT_ENDING}", std::process::id()));
        let draft = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&draft) {
            Ok(file) => {
                // Somebody may have taken it for abandoned before it was locked; where a file system
                // knows no locks, nobody does.
                let held = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
                if held && draft.exists() {
                    return Ok((draft, file));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// Removes drafts for `target` that no living process holds.
fn remove_stale_drafts(target: &Path) {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return };
    let Some(name) = target.file_name() else { return };
    let prefix = format!("{}.", name.to_string_lossy());
    for entry in entries.flatten() {
        let found = entry.file_name();
        let found = found.to_string_lossy();
        let number = found.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(DRAFT_ENDING));
        let ours = number.and_then(|number| number.split_once('-')).is_some_and(|(id, count)| {
            [id, count].iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        });
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // Whoever writes it holds the lock; a file that cannot be removed costs nothing but room.
        if File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
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

/// A disk on which one step fails, or after which nothing happens any more.
#[cfg(test)]
mod faults {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        /// Steps until one fails; none at all unless a test asks.
        static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    }

    /// The step after this many fails.
    pub(super) fn fail_after(steps: Option<u32>) {
        LEFT.set(steps);
    }

    pub(super) fn step() -> io::Result<()> {
        match LEFT.get() {
            None => Ok(()),
            Some(0) => {
                LEFT.set(None);
                Err(io::ErrorKind::StorageFull.into())
            }
            Some(left) => {
                LEFT.set(Some(left - 1));
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Larger than the buffer: several writes, then the flush, the sync, the move.
    #[test]
    fn whatever_step_fails_the_old_file_or_the_new_one_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let (old, new) = (vec![1_u8; 100_000], vec![2_u8; 200_000]);
        let write = |bytes: &[u8]| -> io::Result<()> {
            let mut file = WholeFile::create(&path)?;
            bytes.chunks(3000).try_for_each(|chunk| file.write_all(chunk))?;
            file.commit()
        };
        for step in 0.. {
            write(&old).expect("no fault yet");
            faults::fail_after(Some(step));
            let written = write(&new);
            faults::fail_after(None);
            let there = fs::read(&path).expect("read");
            assert_eq!(there, if written.is_ok() { &new[..] } else { &old[..] }, "step {step}");
            assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "no draft is left");
            if written.is_ok() {
                assert!(step > 20, "{step} steps were tried");
                return;
            }
        }
    }

    #[test]
    fn drafts_of_a_killed_program_are_removed_and_nobody_elses() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.json");
        let beside = |name: &str| folder.path().join(name);
        let alive = WholeFile::create(&path).expect("a draft");
        for name in
            ["state.json.999999-0.part", "state.json.part", "state.json.a-0.part", "y.1-0.part"]
        {
            fs::write(beside(name), "x").expect("written");
        }
        WholeFile::write(&path, b"new").expect("written");
        assert!(!beside("state.json.999999-0.part").exists());
        for name in ["state.json.part", "state.json.a-0.part", "y.1-0.part"] {
            assert!(beside(name).exists(), "{name} is not ours");
        }
        alive.commit().expect("the draft of the living is there");
    }

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
