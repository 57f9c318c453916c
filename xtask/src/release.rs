//! Everything that a tag gives to people, built into one folder with checksums.
//!
//! | artefact | for |
//! |---|---|
//! | `collinear-V-x86_64-unknown-linux-musl.tar.gz`, `…aarch64…` | any Linux: one static program, manual pages, completions |
//! | `collinear-V-*-apple-darwin.tar.gz` | macOS, built on a Mac |
//! | `collinear-V-x86_64-pc-windows-gnu.zip` | Windows |
//! | `pbrain-collinear-V.zip` | managers of Gomoku tournaments |
//! | `collinear_games-V-*.whl`, `.tar.gz` | Python, by `pip install` |
//!
//! Each is then tried as its users get it ([`artefacts`]), and the crates are packed as
//! for crates.io. What cannot be built here is named with the reason; with `CI=true` that is an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::cross::{Cross, Tools};
use crate::publish::{self, Staged};
use crate::{artefacts, cargo_command, copy_folder, programs, root, run, step, windows};

/// The static programs for Linux.
const LINUX: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];
/// What a Mac builds: its programs and its wheels. Everything else is built on Linux.
const MAC: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];
/// Where wheels are for.
const WHEELS: [&str; 3] =
    ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu"];
/// What goes into every archive.
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// The most that Gomocup takes.
const GOMOCUP_BYTES: u64 = 70_000_000;

/// Builds and tries what can be built here. Nothing is published: that is the workflows' part. Names of
/// artefacts build only these: `--only x86_64-unknown-linux-musl`.
pub(crate) fn run_all(arguments: &[String]) -> Result<()> {
    let only = match arguments {
        [dry] if dry == "--dry-run" => None,
        [dry, only, name] if dry == "--dry-run" && only == "--only" => Some(name.as_str()),
        _ => bail!(
            "cargo xtask release --dry-run builds every artefact, with --only NAME one of them; a \
             pushed tag publishes them"
        ),
    };
    publish::is_at_home()?;
    let version = version()?;
    tag_fits(&version)?;
    let folder = root().join("target/release-artifacts");
    if only.is_none() && folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let mut missing = Vec::new();
    let mut tried = |name: &str, make: &dyn Fn() -> Result<bool>| {
        if only.is_some_and(|only| only != name) {
            return;
        }
        match make() {
            Ok(true) => {}
            Ok(false) => missing.push(format!("{name}: this machine lacks what it takes")),
            Err(error) => missing.push(format!("{name}: {error:#}")),
        }
    };
    let python = programs::have_python()?;
    if cfg!(target_os = "macos") {
        for target in MAC {
            tried(target, &|| program(&folder, &version, target));
            tried(&format!("wheel-{target}"), &|| wheel(&folder, target));
        }
    } else {
        for target in LINUX {
            tried(target, &|| program(&folder, &version, target));
        }
        tried("windows", &|| windows_archive(&folder, &version));
        tried("gomocup", &|| gomocup_archive(&folder, &version));
        for target in WHEELS.into_iter().filter(|_| python) {
            tried(&format!("wheel-{target}"), &|| wheel(&folder, target));
        }
        tried("sdist", &|| Ok(python && source(&folder)?));
        tried("crates", &|| publish::publish(&["--dry-run".to_owned()]).map(|()| true));
    }
    let table = artefacts::table(&folder, &version)?;
    eprintln!("\n{table}");
    for line in &missing {
        eprintln!("not built: {line}");
    }
    if !missing.is_empty() && std::env::var("CI").is_ok_and(|value| value == "true") {
        bail!("{} artefacts were not built", missing.len());
    }
    Ok(())
}

/// The archive for tournament managers alone.
pub(crate) fn gomocup() -> Result<()> {
    let folder = root().join("target/release-artifacts");
    fs::create_dir_all(&folder)?;
    let version = version()?;
    if gomocup_archive(&folder, &version)? {
        eprintln!("── {}", folder.join(format!("pbrain-collinear-{version}.zip")).display());
    }
    Ok(())
}

/// The workspace's version.
pub(crate) fn version() -> Result<String> {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version.context("the workspace has no version")?.to_owned())
}

/// A tag names the version that is released, and the changelog has its section.
fn tag_fits(version: &str) -> Result<()> {
    if let Ok(tag) = std::env::var("GITHUB_REF_NAME")
        && std::env::var("GITHUB_REF_TYPE").is_ok_and(|kind| kind == "tag")
    {
        ensure!(tag == format!("v{version}"), "the tag {tag} is not v{version} of Cargo.toml");
    }
    let changelog = fs::read_to_string(root().join("CHANGELOG.md"))?;
    let section = format!("## [{version}]");
    ensure!(changelog.contains(&section), "CHANGELOG.md has no section {section}");
    Ok(())
}

/// Manual pages, which the repository has, and completions, as the program prints them.
fn extras(program: &Path) -> Result<PathBuf> {
    let folder = root().join("target/release-extras");
    fs::create_dir_all(folder.join("completions"))?;
    copy_folder(&root().join("crates/cli/man"), &folder.join("man"))?;
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = Command::new(program).args(["completions", shell]).output()?;
        if !output.status.success() {
            bail!("completions {shell}: {}", String::from_utf8_lossy(&output.stderr));
        }
        fs::write(folder.join("completions").join(format!("collinear.{shell}")), output.stdout)?;
    }
    Ok(folder)
}

/// Extras from this machine's own program.
fn extras_here() -> Result<PathBuf> {
    run(cargo_command().args(["build", "--quiet", "-p", "collinear"]))?;
    extras(&root().join("target/debug/collinear"))
}

/// The program for Linux or a Mac: for Linux a static one, which starts on every distribution.
fn program(folder: &Path, version: &str, target: &str) -> Result<bool> {
    let Some(cross) = Cross::find(target)?.filter(Cross::has_rustup) else { return Ok(false) };
    let build = ["--release", "--quiet", "--locked", "-p", "collinear"];
    step(target, || {
        if target.contains("linux") {
            cross.zig(&Tools::get()?, "zigbuild", &build)
        } else {
            cross.build(&build, &[])
        }
    })?;
    let name = format!("collinear-{version}-{target}");
    let content = content(&name, &cross.made("release").join("collinear"), &extras_here()?)?;
    run(Command::new("tar")
        .arg("-czf")
        .arg(folder.join(format!("{name}.tar.gz")))
        .arg("-C")
        .arg(content.parent().context("a folder")?)
        .arg(&name))?;
    Ok(true)
}

/// The program for Windows.
fn windows_archive(folder: &Path, version: &str) -> Result<bool> {
    let Some(program) = windows::build()? else { return Ok(false) };
    let name = format!("collinear-{version}-x86_64-pc-windows-gnu");
    zip(&content(&name, &program, &extras_here()?)?, folder)?;
    Ok(true)
}

/// The same alone, under the name that tournament managers start.
fn gomocup_archive(folder: &Path, version: &str) -> Result<bool> {
    let Some(program) = windows::build()? else { return Ok(false) };
    let content = empty(&format!("pbrain-collinear-{version}"))?;
    fs::copy(&program, content.join("pbrain-collinear.exe"))?;
    fs::copy(root().join("docs/gomocup.txt"), content.join("readme.txt"))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(licence), content.join(format!("{licence}.txt")))?;
    }
    let bytes: u64 = fs::read_dir(&content)?
        .map(|entry| Ok(entry?.metadata()?.len()))
        .sum::<std::io::Result<_>>()?;
    ensure!(bytes <= GOMOCUP_BYTES, "{bytes} bytes are more than Gomocup takes: {GOMOCUP_BYTES}");
    zip(&content, folder)?;
    Ok(true)
}

/// The package for Python on one kind of machine; on Linux zig links it against a glibc old enough for
/// all distributions.
fn wheel(folder: &Path, target: &str) -> Result<bool> {
    if Cross::find(target)?.is_none_or(|cross| !cross.has_rustup()) {
        return Ok(false);
    }
    let linux = target.contains("linux");
    if target.contains("windows") && !programs::have_mingw()? {
        return Ok(false);
    }
    step(&format!("wheel for {target}"), || {
        run(Tools::get()?
            .maturin()?
            .args(["build", "--release", "--quiet", "--locked", "--target", target])
            .args(linux.then_some("--zig"))
            .args(["--manifest-path", "crates/python/Cargo.toml", "--out"])
            .arg(folder))
    })?;
    Ok(true)
}

/// The package for Python as source, with the page and the experiments inside.
fn source(folder: &Path) -> Result<bool> {
    step("source distribution", || {
        let _staged = Staged::new()?;
        run(Tools::get()?
            .maturin()?
            .args(["sdist", "--quiet", "--manifest-path", "crates/python/Cargo.toml", "--out"])
            .arg(folder))
    })?;
    Ok(true)
}

/// A folder with a program, texts, manual pages and completions.
fn content(name: &str, program: &Path, extras: &Path) -> Result<PathBuf> {
    let folder = empty(name)?;
    fs::copy(program, folder.join(program.file_name().context("a program")?))?;
    for text in TEXTS {
        fs::copy(root().join(text), folder.join(text))?;
    }
    for part in ["man", "completions"] {
        copy_folder(&extras.join(part), &folder.join(part))?;
    }
    Ok(folder)
}

/// An empty folder to be packed.
fn empty(name: &str) -> Result<PathBuf> {
    let folder = root().join("target/release-content").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
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
