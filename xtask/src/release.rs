//! Everything that a tag gives to people, built into one folder with checksums.
//!
//! | artefact | for |
//! |---|---|
//! | `collinear-V-x86_64-unknown-linux-musl.tar.gz`, `…aarch64…` | any Linux: one static program, manual pages, completions |
//! | `collinear-V-x86_64-pc-windows-gnu.zip` | Windows |
//! | `pbrain-collinear-V.zip` | managers of Gomoku tournaments |
//! | `collinear_games-V-*.whl`, `.tar.gz` | Python, by `pip install` |
//!
//! An artefact that cannot be built here is named with the reason; with `CI=true` that is an error.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cross::{Cross, Tools};
use crate::{cargo_command, programs, root, run, step, windows};

/// The static programs for Linux.
const LINUX: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];
/// Where wheels are for.
const WHEELS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
/// What goes into every archive.
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Builds what can be built here. Nothing is published: that is the workflows' part.
pub(crate) fn run_all(arguments: &[String]) -> Result<()> {
    if arguments != ["--dry-run"] {
        bail!("cargo xtask release --dry-run builds every artefact; a pushed tag publishes them");
    }
    let folder = root().join("target/release-artifacts");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let version = version()?;
    let mut missing = Vec::new();
    let mut tried = |what: &str, made: Result<bool>| match made {
        Ok(true) => {}
        Ok(false) => missing.push(format!("{what}: this machine lacks what it takes")),
        Err(error) => missing.push(format!("{what}: {error:#}")),
    };
    let extras = step_value("manual pages and completions", extras)?;
    for target in LINUX {
        tried(target, linux(&folder, &version, target, &extras));
    }
    tried("Windows", windows_archives(&folder, &version, &extras));
    if programs::have_python()? {
        for target in WHEELS {
            tried("wheel", wheel(&folder, target));
        }
        tried("source distribution", source(&folder));
    }
    let table = sums(&folder)?;
    eprintln!("\n{table}");
    for line in &missing {
        eprintln!("not built: {line}");
    }
    if !missing.is_empty() && std::env::var("CI").is_ok_and(|value| value == "true") {
        bail!("{} artefacts were not built", missing.len());
    }
    Ok(())
}

/// The workspace's version.
pub(crate) fn version() -> Result<String> {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version.context("the workspace has no version")?.to_owned())
}

/// Manual pages and completions, as the program of this machine prints them.
fn extras() -> Result<PathBuf> {
    let folder = root().join("target/release-extras");
    fs::create_dir_all(folder.join("completions"))?;
    run(cargo_command()
        .args(["run", "--release", "--quiet", "-p", "collinear", "--", "man"])
        .arg(folder.join("man")))?;
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = cargo_command()
            .args(["run", "--release", "--quiet", "-p", "collinear", "--", "completions", shell])
            .output()?;
        if !output.status.success() {
            bail!("completions {shell}: {}", String::from_utf8_lossy(&output.stderr));
        }
        fs::write(folder.join("completions").join(format!("collinear.{shell}")), output.stdout)?;
    }
    Ok(folder)
}

/// One static program that starts on every distribution.
fn linux(folder: &Path, version: &str, target: &str, extras: &Path) -> Result<bool> {
    let Some(cross) = Cross::find(target)? else { return Ok(false) };
    let tools = Tools::get()?;
    step(target, || {
        cross.zigbuild(&tools, &["--release", "--quiet", "--locked", "-p", "collinear"])
    })?;
    let name = format!("collinear-{version}-{target}");
    let content = content(&name, &[cross.made("release").join("collinear")], extras)?;
    run(Command::new("tar")
        .arg("-czf")
        .arg(folder.join(format!("{name}.tar.gz")))
        .arg("-C")
        .arg(content.parent().context("a folder")?)
        .arg(&name))?;
    Ok(true)
}

/// The program for Windows, and alone under the name that tournament managers start.
fn windows_archives(folder: &Path, version: &str, extras: &Path) -> Result<bool> {
    let Some(program) = windows::build()? else { return Ok(false) };
    let name = format!("collinear-{version}-x86_64-pc-windows-gnu");
    zip(&content(&name, std::slice::from_ref(&program), extras)?, folder)?;
    let gomocup = root().join("target/release-content").join(format!("pbrain-collinear-{version}"));
    if gomocup.exists() {
        fs::remove_dir_all(&gomocup)?;
    }
    fs::create_dir_all(&gomocup)?;
    fs::copy(&program, gomocup.join("pbrain-collinear.exe"))?;
    fs::copy(root().join("docs/gomocup.txt"), gomocup.join("readme.txt"))?;
    zip(&gomocup, folder)?;
    Ok(true)
}

/// The package for Python on one kind of machine; zig links it against a glibc old enough for all.
fn wheel(folder: &Path, target: &str) -> Result<bool> {
    if Cross::find(target)?.is_none_or(|cross| !cross.has_rustup()) {
        return Ok(false);
    }
    step(&format!("wheel for {target}"), || {
        run(Tools::get()?
            .maturin()?
            .args(["build", "--release", "--quiet", "--zig", "--target", target])
            .args(["--manifest-path", "crates/python/Cargo.toml", "--out"])
            .arg(folder))
    })?;
    Ok(true)
}

/// The package for Python as source.
fn source(folder: &Path) -> Result<bool> {
    step("source distribution", || {
        run(Tools::get()?
            .maturin()?
            .args(["sdist", "--quiet", "--manifest-path", "crates/python/Cargo.toml", "--out"])
            .arg(folder))
    })?;
    Ok(true)
}

/// A folder with programs, texts, manual pages and completions.
fn content(name: &str, programs: &[PathBuf], extras: &Path) -> Result<PathBuf> {
    let folder = root().join("target/release-content").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for program in programs {
        fs::copy(program, folder.join(program.file_name().context("a program")?))?;
    }
    for text in TEXTS {
        fs::copy(root().join(text), folder.join(text))?;
    }
    run(Command::new("cp")
        .arg("-r")
        .arg(extras.join("man"))
        .arg(extras.join("completions"))
        .arg(&folder))?;
    Ok(folder)
}

/// `folder` as a zip archive of the same name.
fn zip(folder: &Path, into: &Path) -> Result<()> {
    let name = folder.file_name().context("a folder")?.to_string_lossy().into_owned();
    run(Command::new("python3")
        .args(["-m", "zipfile", "-c"])
        .arg(into.join(format!("{name}.zip")))
        .arg(&name)
        .current_dir(folder.parent().context("a folder")?))
}

/// Writes `SHA256SUMS`; gives a table of names and sizes.
fn sums(folder: &Path) -> Result<String> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.sort();
    let output = Command::new("sha256sum").args(&names).current_dir(folder).output()?;
    if !output.status.success() {
        bail!("sha256sum: {}", String::from_utf8_lossy(&output.stderr));
    }
    fs::write(folder.join("SHA256SUMS"), output.stdout)?;
    let mut table = String::from("| artefact | MB |\n|---|---|\n");
    for name in names {
        let size = fs::metadata(folder.join(&name))?.len();
        writeln!(table, "| `{name}` | {:.1} |", size as f64 / 1e6)?;
    }
    Ok(table)
}

fn step_value<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let mut value = None;
    step(what, || {
        value = Some(work()?);
        Ok(())
    })?;
    value.context("a step without result")
}
