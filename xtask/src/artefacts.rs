//! Tries every artefact of a release as whoever gets it would: unpacked into an empty folder, a static
//! program with nothing else on its machine, a page in a browser, or installed by pip ([`wheels`]), and run
//! there. Gives the table of names and sizes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, ensure};

use crate::wine::{PAGE_PORT, Wine, page_answers};
use crate::{copy_folder, page_packages, programs, root, run, step_value, wheels};

/// Starts that are timed; the fastest counts, as the machine may be busy.
const STARTS: usize = 5;

/// Names, sizes and times to start, in the order of the names, and what does not work.
pub(crate) struct Table {
    pub(crate) text: String,
    pub(crate) failed: Vec<String>,
}

/// Writes `SHA256SUMS`, and tries every artefact that was made since then.
pub(crate) fn table(folder: &Path, version: &str, since: Option<SystemTime>) -> Result<Table> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.retain(|name| name.contains(version));
    names.sort();
    let output = Command::new("sha256sum").args(&names).current_dir(folder).output()?;
    ensure!(output.status.success(), "sha256sum: {}", String::from_utf8_lossy(&output.stderr));
    fs::write(folder.join("SHA256SUMS"), output.stdout)?;
    let mut text = String::from("| artefact | MB | starts in | tried |\n|---|---|---|---|\n");
    let mut failed = Vec::new();
    for name in names {
        let file = folder.join(&name);
        let about = fs::metadata(&file)?;
        if since.is_some_and(|since| about.modified().is_ok_and(|made| made < since)) {
            continue;
        }
        let tried = step_value(&format!("{name}: tried"), || trial(&file, &name, version));
        let (time, how) = match tried {
            Ok(Some(Tried { milliseconds, how })) => {
                (milliseconds.map(|time| format!("{time:.0} ms")), how)
            }
            Ok(None) => (None, "not here"),
            Err(error) => {
                failed.push(format!("{error:#}"));
                (None, "**fails**")
            }
        };
        let (size, time) = (about.len() as f64 / 1e6, time.unwrap_or_else(|| "–".to_owned()));
        writeln!(text, "| `{name}` | {size:.1} | {time} | {how} |")?;
    }
    Ok(Table { text, failed })
}

pub(crate) struct Tried {
    /// To start; none for what has no start of its own.
    pub(crate) milliseconds: Option<f64>,
    pub(crate) how: &'static str,
}

/// None where this machine cannot run the artefact.
fn trial(file: &Path, name: &str, version: &str) -> Result<Option<Tried>> {
    let here = std::env::consts::ARCH;
    if name.starts_with("collinear_games") {
        return wheels::trial(file, name, version);
    }
    if name.ends_with("-site.tar.gz") || is_package(file) {
        return in_browser(file);
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
        return Ok(Some(Tried { milliseconds: Some(milliseconds), how: "under Wine" }));
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
    Ok(Some(Tried { milliseconds: Some(milliseconds), how }))
}

/// The page without a server, or the npm package, served from where it was unpacked, in a browser. Both
/// are wanted by the tests, so each is tried with the other beside it.
fn in_browser(file: &Path) -> Result<Option<Tried>> {
    if !programs::have_node()? || !programs::have_chromium()? {
        return Ok(None);
    }
    let is_package = is_package(file);
    let folder = emptied("page")?;
    let (site, package) = (folder.join("site"), folder.join("npm/collinear"));
    for (into, made) in [(&site, "target/site"), (&package, "target/npm/collinear")] {
        if (into == &package) == is_package {
            fs::create_dir_all(into)?;
            let unpack = ["--strip-components", "1", "-xzf"];
            run(Command::new("tar").args(unpack).arg(file).arg("-C").arg(into))?;
        } else {
            copy_folder(&root().join(made), into)?;
        }
    }
    let tests = if is_package { "package" } else { "offline" };
    page_packages()?;
    run(Command::new("npm")
        .args(["run", "--silent", "e2e", "--", "--project", "site", tests])
        .env("SITE", &site)
        .current_dir(root().join("page")))?;
    Ok(Some(Tried { milliseconds: None, how: "in Chromium" }))
}

/// Whether it is an archive of npm's.
fn is_package(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "tgz")
}

/// Whether a static program could be tried in a root that has nothing but its folder: no libraries, no
/// `/proc`, no certificates, no time zones, as in the container. Where we may not make one, nothing is
/// said of it.
fn runs_alone(program: &Path) -> Result<bool> {
    let alone = |root: &Path, arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--root"]).arg(root).args(arguments).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let works = |mut command: Command| command.status().is_ok_and(|end| end.success());
    let name = program.to_string_lossy();
    if !name.contains("linux-musl") || !works(alone(Path::new("/"), &["/bin/true"])) {
        return Ok(false);
    }
    let folder = program.parent().context("a folder")?;
    for arguments in [&["/collinear", "solve", "4455"][..], &["/collinear", "bench", "--check"]] {
        ensure!(works(alone(folder, arguments)), "{name} does not run alone: {arguments:?}");
    }
    let port = PAGE_PORT.to_string();
    let serve =
        ["/collinear", "serve", "--no-open", "--no-token", "--data", "/data", "--port", &port];
    let mut server = alone(folder, &serve).spawn()?;
    let answer = page_answers();
    server.kill()?;
    server.wait()?;
    answer.map(|()| true).context("the server alone on its machine")
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
