//! Licences, sources and doubled crates, held to `deny.toml` with nothing but `cargo metadata`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// Where crates may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The part of `deny.toml` that is read here.
#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    skip: Vec<String>,
}

/// The part of `cargo metadata` that is read here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

/// Adds a finding for everything that `deny.toml` does not allow.
pub(super) fn check(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    let deny: Deny = toml::from_str(&fs::read_to_string(root.join("deny.toml"))?)?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root)
        .output()
        .context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    judge(&deny, &metadata.packages, findings);
    Ok(())
}

fn judge(deny: &Deny, packages: &[Package], findings: &mut Vec<String>) {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Package { name, version, license, source } in packages {
        // Our own crates have no source.
        let Some(source) = source else { continue };
        if source != REGISTRY {
            findings.push(format!("deny.toml: {name} comes from {source}"));
        }
        let license = license.as_deref().unwrap_or_default();
        if !is_allowed(license, &deny.licenses.allow) {
            findings.push(format!("deny.toml: {name} {version} has the licence {license:?}"));
        }
        versions.entry(name).or_default().push(version);
    }
    for (name, versions) in versions {
        if versions.len() > 1 && !deny.bans.skip.iter().any(|skipped| skipped == name) {
            let versions = versions.join(", ");
            findings.push(format!("deny.toml: {name} is there more than once: {versions}"));
        }
    }
}

/// Whether an SPDX expression can be satisfied with allowed licences; `/` is an old way to write OR.
fn is_allowed(expression: &str, allow: &[String]) -> bool {
    let expression = expression.replace('/', " OR ");
    let text = expression.trim();
    let any = split(text, " OR ");
    if any.len() > 1 {
        return any.iter().any(|part| is_allowed(part, allow));
    }
    let all = split(text, " AND ");
    if all.len() > 1 {
        return all.iter().all(|part| is_allowed(part, allow));
    }
    match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner, allow),
        None => allow.iter().any(|known| known == text),
    }
}

/// Splits at a word outside brackets.
fn split<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 && at >= start && text[at..].starts_with(word) => {
                parts.push(text[start..at].trim());
                start = at + word.len();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, license: &str, source: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some(license.to_owned()),
            source: Some(source.to_owned()),
        }
    }

    #[test]
    fn expressions_are_read_as_people_write_them() {
        let allow = ["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned);
        for good in ["MIT", "GPL-3.0 OR MIT", "MIT/Apache-2.0", "(MIT OR GPL-3.0) AND Unicode-3.0"]
        {
            assert!(is_allowed(good, &allow), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "", "(GPL-3.0 OR X) AND MIT"] {
            assert!(!is_allowed(bad, &allow), "{bad}");
        }
    }

    #[test]
    fn licences_sources_and_doubles_are_found() {
        let deny: Deny =
            toml::from_str("[licenses]\nallow = [\"MIT\"]\n[bans]\nskip = [\"b\"]").expect("TOML");
        let packages = [
            package("a", "1.0.0", "MIT", REGISTRY),
            package("a", "2.0.0", "MIT", REGISTRY),
            package("b", "1.0.0", "GPL-3.0", REGISTRY),
            package("b", "2.0.0", "MIT", "git+https://example.org/b"),
        ];
        let mut findings = Vec::new();
        judge(&deny, &packages, &mut findings);
        assert_eq!(
            findings,
            [
                "deny.toml: b 1.0.0 has the licence \"GPL-3.0\"",
                "deny.toml: b comes from git+https://example.org/b",
                "deny.toml: a is there more than once: 1.0.0, 2.0.0"
            ]
        );
    }
}
