//! Everything that a tag gives to people, built into one folder with checksums.
//!
//! | artefact | for |
//! |---|---|
//! | `collinear-V-x86_64-unknown-linux-musl.tar.gz`, `…aarch64…` | any Linux: one static program, manual pages, completions |
//! | `collinear-V-*-apple-darwin.tar.gz` | macOS, built on a Mac |
//! | `collinear-V-x86_64-pc-windows-gnu.zip` | Windows |
//! | `pbrain-collinear-V.zip` | managers of Gomoku tournaments |
//! | `collinear_games-V-*.whl`, `.tar.gz` | Python, by `pip install` |
//! | `collinear-V-site.tar.gz` | any static host: the page without a server |
//! | `collinear-V.tgz` | pages of others, by `npm install` |
//!
//! Each is then tried as its users get it ([`artefacts`]), and the crates are packed as
//! for crates.io. What cannot be built here is named with the reason; with `CI=true` that is an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};

use crate::cross::{Cross, Tools};
use crate::publish::{self, Staged};
use crate::{artefacts, cargo_command, copy_folder, programs, root, run, site, step, windows};

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

/// What was asked for, and what became of it.
struct Release {
    folder: PathBuf,
    version: String,
    /// The only artefact wanted, where not all are.
    only: Option<String>,
    /// What this machine cannot build.
    lacking: Vec<String>,
    failed: Vec<String>,
}

/// Builds and tries what can be built here. Nothing is published: that is the workflows' part. Names of
/// artefacts build only these: `--only x86_64-unknown-linux-musl`.
pub(crate) fn run_all(arguments: &[String]) -> Result<()> {
    let only = match arguments {
        [dry] if dry == "--dry-run" => None,
        [dry, only, name] if dry == "--dry-run" && only == "--only" => Some(name.clone()),
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
    let begun = SystemTime::now();
    let mut release = Release { folder, version, only, lacking: Vec::new(), failed: Vec::new() };
    let known = release.build_all()?;
    if let Some(only) = release.only.as_ref().filter(|only| !known.contains(only)) {
        bail!("{only} is not an artefact of this system: there are {}", known.join(", "));
    }
    // Asked for one, what lay there before is not tried again.
    let since = release.only.is_some().then_some(begun);
    let mut table = artefacts::table(&release.folder, &release.version, since)?;
    release.failed.append(&mut table.failed);
    eprintln!("\n{}", table.text);
    for name in &release.lacking {
        eprintln!("not built: {name}: this machine lacks what it takes");
    }
    for fault in &release.failed {
        eprintln!("failed: {fault}");
    }
    let strict = std::env::var("CI").is_ok_and(|value| value == "true");
    let faults = release.failed.len() + if strict { release.lacking.len() } else { 0 };
    ensure!(faults == 0, "{faults} artefacts were not built or do not work");
    Ok(())
}

impl Release {
    /// Builds everything that is built on this kind of machine; gives the names.
    fn build_all(&mut self) -> Result<Vec<String>> {
        let (folder, version) = (self.folder.clone(), self.version.clone());
        let mut known = Vec::new();
        let mut tried = |name: &str, make: &dyn Fn() -> Result<bool>| {
            known.push(name.to_owned());
            if self.only.as_ref().is_some_and(|only| only != name) {
                return;
            }
            match make() {
                Ok(true) => {}
                Ok(false) => self.lacking.push(name.to_owned()),
                Err(error) => self.failed.push(format!("{name}: {error:#}")),
            }
        };
        let python = programs::have_python()?;
        if cfg!(target_os = "macos") {
            for target in MAC {
                tried(target, &|| program(&folder, &version, target));
                tried(&format!("wheel-{target}"), &|| wheel(&folder, target));
            }
            return Ok(known);
        }
        for target in LINUX {
            tried(target, &|| program(&folder, &version, target));
        }
        tried("windows", &|| windows_archive(&folder, &version));
        tried("gomocup", &|| gomocup_archive(&folder, &version));
        for target in WHEELS {
            tried(&format!("wheel-{target}"), &|| Ok(python && wheel(&folder, target)?));
        }
        tried("sdist", &|| Ok(python && source(&folder)?));
        tried("site", &|| site_archive(&folder, &version));
        tried("crates", &|| publish::publish(&["--dry-run".to_owned()]).map(|()| true));
        Ok(known)
    }
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
    content(&name, &cross.made("release").join("collinear"), &extras_here()?)?;
    tar(&name, folder)?;
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
    let Some(cross) = Cross::find(target)?.filter(Cross::has_rustup) else { return Ok(false) };
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
            .arg(folder)
            // Most of it is compiled already for the program.
            .env("CARGO_TARGET_DIR", cross.home()))
    })?;
    Ok(true)
}

/// The package for Python as source, with the page and the experiments inside.
fn source(folder: &Path) -> Result<bool> {
    step("source distribution", || {
        let _staged = Staged::new()?;
        run(Tools::get()?
            .maturin()?
            .args(["sdist", "--manifest-path", "crates/python/Cargo.toml", "--out"])
            .arg(folder))
    })?;
    Ok(true)
}

/// The page without a server for any static host, and the npm package made of it.
fn site_archive(folder: &Path, version: &str) -> Result<bool> {
    let Some(site) = site::build()? else { return Ok(false) };
    let name = format!("collinear-{version}-site");
    copy_folder(&site, &empty(&name)?)?;
    tar(&name, folder)?;
    let package = format!("collinear-{version}.tgz");
    let made = root().join("target/npm").join(&package);
    if made.is_file() {
        fs::copy(made, folder.join(package))?;
    }
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

/// Where what is packed is put together.
fn contents() -> PathBuf {
    root().join("target/release-content")
}

/// An empty folder to be packed.
fn empty(name: &str) -> Result<PathBuf> {
    let folder = contents().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The folder of this name as an archive of the same name.
fn tar(name: &str, into: &Path) -> Result<()> {
    let archive = into.join(format!("{name}.tar.gz"));
    run(Command::new("tar").arg("-czf").arg(archive).arg("-C").arg(contents()).arg(name))
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
