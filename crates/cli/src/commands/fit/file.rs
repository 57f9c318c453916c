//! Files of games and labels that grow while a command works: begun, gone on with, never mixed and never
//! cut without a copy of what was cut.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use collinear_engine::fit::records::{FileKind, Origin, Records, header_bytes};
use collinear_engine::fit::{GameFile, SearchedGame};
use collinear_play::StopFlag;
use indicatif::ProgressBar;

use super::{Session, read, show, style};
use crate::{out_file, report};

/// A file to append to.
pub(super) struct Growing {
    pub(super) file: File,
    /// What it held before: whole records only.
    pub(super) bytes: Vec<u8>,
}

/// The file to append to, after its last whole record. Records of another origin are refused, unless they are to
/// be replaced.
pub(super) fn open(path: &Path, kind: FileKind, origin: &Origin, fresh: bool) -> Result<Growing> {
    let context = || out_file::cannot_write(path);
    let is_there = std::fs::metadata(path).is_ok_and(|there| there.len() > 0);
    if fresh || !is_there {
        out_file::check(path, fresh)?;
        out_file::write(path, &header_bytes(kind, origin))?;
    }
    let mut file = OpenOptions::new().write(true).open(path).with_context(context)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            bail!("{} is being written by another program: name another file", show(path))
        }
        // Where there are no locks, there is one writer less to notice.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    let mut bytes = read(path)?;
    let records = Records::from_bytes(&bytes, kind).with_context(|| show(path))?;
    let differences = records.origin.differences(origin);
    if !differences.is_empty() {
        bail!(
            "{} was made with {}: name another file, or --fresh replaces it",
            show(path),
            differences.join("; ")
        );
    }
    let whole = records.whole;
    if whole < bytes.len() {
        let kept = keep_aside(path, &bytes[whole..])?;
        report::note(format_args!(
            "{}: the last record was not finished; its {} bytes are in {} now",
            show(path),
            bytes.len() - whole,
            show(&kept)
        ));
        file.set_len(whole as u64).with_context(context)?;
        bytes.truncate(whole);
    }
    file.seek(SeekFrom::End(0)).with_context(context)?;
    Ok(Growing { file, bytes })
}

/// Writes bytes to a new file beside another.
fn keep_aside(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    const MOST: usize = 1000;
    for number in 1..=MOST {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".torn-{number}"));
        let beside = PathBuf::from(name);
        if !beside.exists() {
            out_file::write(&beside, bytes)?;
            return Ok(beside);
        }
    }
    bail!("{} has {MOST} torn ends beside it: look at them and remove them", show(path))
}

/// The games of a file that is only read.
pub(super) fn games(path: &Path) -> Result<GameFile> {
    let bytes = read(path)?;
    let file = GameFile::from_bytes(&bytes).with_context(|| show(path))?;
    if file.whole < bytes.len() {
        report::note(format_args!(
            "{}: the last game was not finished; its {} bytes are left out",
            show(path),
            bytes.len() - file.whole
        ));
    }
    Ok(file)
}

/// Where games go as they end.
pub(super) struct Sink<'a> {
    path: &'a Path,
    session: &'a Session,
    /// Set when the time is over or the file cannot be written.
    pub(super) stop: StopFlag,
    bar: ProgressBar,
    file: Mutex<(File, std::io::Result<()>)>,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        path: &'a Path,
        file: File,
        session: &'a Session,
        games: u64,
        done: usize,
    ) -> Result<Self> {
        let bar = ProgressBar::new(games).with_style(style()?).with_position(done as u64);
        let stop = session.asked.child();
        Ok(Self { path, session, stop, bar, file: Mutex::new((file, Ok(()))) })
    }

    pub(super) fn add(&self, game: &SearchedGame) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.0.write_all(&game.to_bytes()) {
            file.1 = Err(error);
            self.stop.stop();
        }
        self.bar.inc(1);
        if self.session.is_late() {
            self.stop.stop();
        }
    }

    pub(super) fn finish(self) -> Result<()> {
        let games = self.bar.position();
        self.bar.finish_and_clear();
        let (file, written) = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        let context = || out_file::cannot_write(self.path);
        written.and_then(|()| file.sync_all()).with_context(context)?;
        report::line(format_args!("{games} games in {}", show(self.path)))?;
        self.session.result()
    }
}
