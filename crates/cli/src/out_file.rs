//! Files that a command writes: whole or not at all, and never over finished work unless asked to.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use collinear_arena::WholeFile;
use collinear_arena::report::ReportStore;

/// Checks, before any work is done, that the result can go to `path`: an earlier result is
/// replaced only with `--fresh`, and the folder must be there. An empty file is nothing to lose.
pub(crate) fn check(path: &Path, fresh: bool) -> Result<()> {
    if let Ok(there) = fs::metadata(path) {
        if there.is_dir() {
            bail!("{} is a folder: name a file", path.display());
        }
        if there.is_file() && there.len() > 0 && !fresh {
            bail!("{} already exists: --fresh replaces it", path.display());
        }
        return Ok(());
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            bail!("{} cannot be written: there is no folder {}", path.display(), folder.display())
        }
        _ => Ok(()),
    }
}

/// Checks, before anything is played, that a report of that name can go into the folder `out`: what
/// is there already, unless it is an earlier report of the same run, is replaced only with `--fresh`.
pub(crate) fn check_report(out: &Path, name: &str, run: &str, fresh: bool) -> Result<()> {
    let reports = ReportStore::at(out.to_owned());
    let folder = reports.folder(name);
    if let Some(file) = folder.ancestors().find(|at| at.exists()).filter(|at| !at.is_dir()) {
        bail!("{} is a file: name a folder", file.display());
    }
    if !fresh && reports.is_taken(name, run) {
        bail!("{} already exists: --fresh replaces it", folder.display());
    }
    Ok(())
}

/// Begins to write the file.
pub(crate) fn create(path: &Path) -> Result<WholeFile> {
    WholeFile::create(path).with_context(|| cannot_write(path))
}

/// Writes the file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    WholeFile::write(path, bytes).with_context(|| cannot_write(path))
}

/// What is said when the file could not be written.
pub(crate) fn cannot_write(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}
