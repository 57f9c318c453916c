//! The dependencies that a `Cargo.toml` names.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::Table;

/// Who needs a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The crate itself, on some system at least.
    Normal,
    /// Its tests and benchmarks.
    Dev,
}

/// A crate's dependencies.
pub(super) struct Manifest(Vec<(Kind, String)>);

impl Manifest {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let file = folder.join("Cargo.toml");
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        Self::parse(&text).with_context(|| file.display().to_string())
    }

    pub(super) fn parse(text: &str) -> Result<Self> {
        let manifest: Table = text.parse()?;
        let systems = manifest.get("target").and_then(toml::Value::as_table);
        let systems = systems.into_iter().flat_map(Table::values);
        let tables: Vec<&Table> =
            systems.filter_map(toml::Value::as_table).chain([&manifest]).collect();
        let sections = [
            (Kind::Normal, "dependencies"),
            (Kind::Normal, "build-dependencies"),
            (Kind::Dev, "dev-dependencies"),
        ];
        let found = sections.into_iter().flat_map(|(kind, section)| {
            tables.iter().flat_map(move |table| {
                let names = table.get(section).and_then(toml::Value::as_table);
                names.into_iter().flat_map(Table::keys).map(move |name| (kind, name.clone()))
            })
        });
        Ok(Self(found.collect()))
    }

    pub(super) fn of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(k, _)| *k == kind).map(|(_, name)| name.as_str())
    }
}

/// The names of the workspace's dependencies.
pub(super) fn workspace(root: &Path) -> Result<Vec<String>> {
    let manifest: Table = fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let names = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let names = names.and_then(toml::Value::as_table).context("no [workspace.dependencies]")?;
    Ok(names.keys().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_both_kinds() {
        let text = "[package]\nname = \"x\"\n[dependencies]\nserde.workspace = true\n# why\nclap = \"4\"\n\n\
             [target.'cfg(unix)'.dependencies]\nnix = \"1\"\n[dev-dependencies]\ninsta = \"1\"\n";
        let manifest = Manifest::parse(text).expect("TOML");
        let mut normal: Vec<&str> = manifest.of(Kind::Normal).collect();
        normal.sort_unstable();
        assert_eq!(normal, ["clap", "nix", "serde"]);
        assert_eq!(manifest.of(Kind::Dev).collect::<Vec<_>>(), ["insta"]);
    }
}
