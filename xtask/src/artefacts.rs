//! Tries every artefact of a release as whoever gets it would: unpacked into an empty folder, a static
//! program with nothing else on its machine, or installed by pip ([`wheels`]), and run there. Gives the
//! table of names and sizes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::wine::Wine;
use crate::{programs, root, run, step_value, wheels};

/// Starts that are timed; the fastest counts, as the machine may be busy.
const STARTS: usize = 5;

/// Writes `SHA256SUMS`; gives a table of names, sizes and times to start, in the order of the names.
pub(crate) fn table(folder: &Path, version: &str) -> Result<String> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.retain(|name| name.contains(version));
    names.sort();
    let output = Command::new("sha256sum").args(&names).current_dir(folder).output()?;
    ensure!(output.status.success(), "sha256sum: {}", String::from_utf8_lossy(&output.stderr));
    fs::write(folder.join("SHA256SUMS"), output.stdout)?;
    let mut table = String::from("| artefact | MB | starts in | tried |\n|---|---|---|---|\n");
    for name in names {
        let file = folder.join(&name);
        let size = fs::metadata(&file)?.len() as f64 / 1e6;
        let tried = step_value(&format!("{name}: tried"), || trial(&file, &name, version))?;
        let (time, how) = match tried {
            Some(Tried { milliseconds, how }) => (format!("{milliseconds:.0} ms"), how),
            None => ("–".to_owned(), "not here"),
        };
        writeln!(table, "| `{name}` | {size:.1} | {time} | {how} |")?;
    }
    Ok(table)
}

pub(crate) struct Tried {
    pub(crate) milliseconds: f64,
    pub(crate) how: &'static str,
}

/// None where this machine cannot run the artefact.
fn trial(file: &Path, name: &str, version: &str) -> Result<Option<Tried>> {
    let here = std::env::consts::ARCH;
    if name.starts_with("collinear_games") {
        return wheels::trial(file, name, version);
    }
    let folder = emptied("unpacked")?;
    if let Some(inner) = name.strip_suffix(".zip") {
        run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(file).arg(&folder))?;
        if !programs::have_wine()? {
            return Ok(None);
        }
        let program =
            if name.starts_with("pbrain") { "pbrain-collinear.exe" } else { "collinear.exe" };
        let wine = Wine::prepare(&folder.join(inner).join(program))?;
        let milliseconds = fastest(|| {
            let printed = wine.prints("collinear.exe", &["version"], "")?;
            ensure!(printed.contains(version), "version prints {printed}");
            Ok(())
        })?;
        return Ok(Some(Tried { milliseconds, how: "under Wine" }));
    }
    run(Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(&folder))?;
    let program = folder.join(name.trim_end_matches(".tar.gz")).join("collinear");
    let native = name.contains(here);
    if !native && !programs::have_qemu()? {
        return Ok(None);
    }
    let command = || {
        if native { Command::new(&program) } else { emulated(&program) }
    };
    let prints = |arguments: &[&str]| -> Result<String> {
        let output = command().args(arguments).env_clear().current_dir(&folder).output()?;
        ensure!(output.status.success(), "{arguments:?} ended with {}", output.status);
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    ensure!(!prints(&["solve", "4455"])?.is_empty(), "solve prints nothing");
    let how = match (native, native && runs_alone(&program)?) {
        (false, _) => "under qemu",
        (true, false) => "here",
        (true, true) => "here, and alone on its machine",
    };
    let milliseconds = fastest(|| {
        let printed = prints(&["version"])?;
        ensure!(printed.contains(version), "version prints {printed}");
        Ok(())
    })?;
    Ok(Some(Tried { milliseconds, how }))
}

/// Whether a static program could be tried in a root that has nothing but its folder: no libraries, no
/// certificates, no time zones. Where we may not make one, nothing is said of it.
fn runs_alone(program: &Path) -> Result<bool> {
    let alone = |root: &Path, arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--root"]).arg(root).args(arguments).env_clear();
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|end| end.success())
    };
    let name = program.to_string_lossy();
    if !name.contains("linux-musl") || !alone(Path::new("/"), &["/bin/true"]) {
        return Ok(false);
    }
    let folder = program.parent().context("a folder")?;
    for arguments in [&["/collinear", "solve", "4455"][..], &["/collinear", "bench", "--check"]] {
        ensure!(alone(folder, arguments), "{name} does not run alone: {arguments:?}");
    }
    Ok(true)
}

fn emulated(program: &Path) -> Command {
    // By its full name: the trial clears the environment.
    let mut command = Command::new("/usr/bin/qemu-aarch64");
    command.arg(program);
    command
}

/// Milliseconds of the fastest run.
pub(crate) fn fastest(mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..STARTS {
        let start = Instant::now();
        work()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}

/// An empty folder of this name.
pub(crate) fn emptied(name: &str) -> Result<PathBuf> {
    let folder = root().join("target/release-tried").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
