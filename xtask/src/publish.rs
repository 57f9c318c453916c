//! Crates as crates.io takes them: with the page, the experiments and the licences inside.
//!
//! In the repository these lie outside the crates that embed them. They are put in for as long as cargo
//! packs, and taken away again.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::{cargo_command, copy_folder, root, run, step};

const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// What lies in the crates only while they are packed.
pub(crate) struct Staged(Vec<PathBuf>);

impl Staged {
    pub(crate) fn new() -> Result<Self> {
        let mut staged = Self(Vec::new());
        let crates = root().join("crates");
        for (from, to) in [("page/dist", "web/page"), ("experiments", "cli/experiments")] {
            let to = crates.join(to);
            staged.0.push(to.clone());
            copy_folder(&root().join(from), &to)?;
        }
        for (folder, _) in published()? {
            for licence in LICENCES {
                let to = crates.join(&folder).join(licence);
                staged.0.push(to.clone());
                fs::copy(root().join(licence), &to)?;
            }
        }
        Ok(staged)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for path in &self.0 {
            let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            if let Err(error) = gone {
                eprintln!("── {} is left behind: {error}", path.display());
            }
        }
    }
}

/// Folder and package of every crate that is published.
pub(crate) fn published() -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("crates"))? {
        let folder = entry?.file_name().to_string_lossy().into_owned();
        let file = root().join("crates").join(&folder).join("Cargo.toml");
        let manifest: toml::Table = fs::read_to_string(&file)?.parse()?;
        let package = manifest.get("package").context("a manifest without package")?;
        if package.get("publish").and_then(toml::Value::as_bool) != Some(false) {
            let name = package.get("name").and_then(toml::Value::as_str).context("no name")?;
            found.push((folder, name.to_owned()));
        }
    }
    found.sort();
    Ok(found)
}

/// Every crate can be listed for packaging, and what a user needs is in the list.
pub(crate) fn lists() -> Result<()> {
    let _staged = Staged::new()?;
    for (folder, package) in published()? {
        let arguments = ["package", "--list", "--allow-dirty", "--quiet", "-p", &package];
        let output = cargo_command().args(arguments).output()?;
        let list = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            bail!("{package}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let own: &[&str] = match folder.as_str() {
            "cli" => &["man/collinear.1", "experiments/karplus-1.toml"],
            "web" => &["page/index.html"],
            _ => &[],
        };
        for needed in ["src/lib.rs", "README.md", "LICENSE-MIT", "LICENSE-APACHE"].iter().chain(own)
        {
            if !list.lines().any(|line| line == *needed) {
                bail!("{package}: {needed} is not in the package");
            }
        }
    }
    Ok(())
}

/// Packs every crate, builds each from its package and, unless it is a dry run, publishes them: cargo
/// goes from the crates that need nothing to those that need them.
pub(crate) fn publish(arguments: &[String]) -> Result<()> {
    let dry = match arguments {
        [] => None,
        [word] if word == "--dry-run" => Some("--dry-run"),
        _ => bail!("cargo xtask publish [--dry-run]"),
    };
    if dry.is_none() {
        is_at_home()?;
    }
    let _staged = Staged::new()?;
    step("crates", || {
        let mut command = cargo_command();
        command.args(["publish", "--allow-dirty", "--locked"]).args(dry);
        for (_, package) in published()? {
            command.args(["-p", &package]);
        }
        run(&mut command)
    })
}

/// Whether the workflow runs in the repository that the manifests name.
pub(crate) fn is_at_home() -> Result<()> {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    let named = manifest["workspace"]["package"]["repository"].as_str().context("no repository")?;
    let Ok(here) = std::env::var("GITHUB_REPOSITORY") else { return Ok(()) };
    if !named.ends_with(&format!("/{here}")) {
        bail!(
            "the manifests name {named}, and this is {here}: set `repository` in Cargo.toml and the \
             addresses in crates/python/pyproject.toml"
        );
    }
    Ok(())
}
