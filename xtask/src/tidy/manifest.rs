//! The dependencies that a `Cargo.toml` names. Ours are written one per line, so lines are enough.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

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
        Ok(Self::parse(&text))
    }

    pub(super) fn parse(text: &str) -> Self {
        let headers = text.lines().map(str::trim).filter(|line| line.starts_with('['));
        let mut found = Vec::new();
        for header in headers.filter(|header| header.ends_with("dependencies]")) {
            let kind = if header.contains("dev-dependencies") { Kind::Dev } else { Kind::Normal };
            found.extend(keys(text, header).into_iter().map(|key| (kind, key.to_owned())));
        }
        Self(found)
    }

    pub(super) fn of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(k, _)| *k == kind).map(|(_, name)| name.as_str())
    }
}

/// The keys of one table of a manifest, up to the next table.
pub(super) fn keys<'a>(manifest: &'a str, header: &str) -> Vec<&'a str> {
    manifest
        .lines()
        .skip_while(|line| line.trim() != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| {
            line.split(['=', '.', ' '])
                .next()
                .filter(|key| !key.is_empty() && !key.starts_with('#'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_both_kinds() {
        let manifest = Manifest::parse(
            "[package]\nname = \"x\"\n[dependencies]\nserde.workspace = true\n# why\nclap = \"4\"\n\n\
             [target.'cfg(unix)'.dependencies]\nnix = \"1\"\n[dev-dependencies]\ninsta = \"1\"\n",
        );
        assert_eq!(manifest.of(Kind::Normal).collect::<Vec<_>>(), ["serde", "clap", "nix"]);
        assert_eq!(manifest.of(Kind::Dev).collect::<Vec<_>>(), ["insta"]);
    }
}
