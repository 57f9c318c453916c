//! Invariants of the tree that a program can check: those ARCHITECTURE.md states.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Which of our crates each crate may use: arrows point one way.
const MAY_USE: [(&str, &[&str]); 13] = [
    ("rules", &[]),
    ("shapes", &["rules"]),
    ("play", &["rules"]),
    ("search", &["rules", "shapes", "play"]),
    ("engine", &["rules", "shapes", "play", "search"]),
    ("connect4", &["rules"]),
    ("book", &["rules"]),
    ("agents", &["rules", "shapes", "play", "search", "engine", "connect4", "book"]),
    ("arena", &["rules", "play"]),
    ("protocol", &["rules", "play"]),
    (
        "web",
        &[
            "rules", "shapes", "play", "search", "engine", "connect4", "book", "agents", "arena",
            "protocol",
        ],
    ),
    (
        "cli",
        &[
            "rules", "shapes", "play", "search", "engine", "connect4", "book", "agents", "arena",
            "protocol", "web",
        ],
    ),
    ("python", &["rules", "shapes", "play", "connect4", "agents", "arena", "protocol", "web"]),
];

/// Crates that talk to a person and may print.
const MAY_PRINT: [&str; 1] = ["cli"];

/// Checks the tree below `root`; the error lists every finding.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut findings = Vec::new();
    let architecture =
        fs::read_to_string(root.join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    undocumented_dependencies(root, &architecture, &mut findings)?;
    for (name, may_use) in MAY_USE {
        let folder = root.join("crates").join(name);
        directions(&folder, name, may_use, &mut findings)?;
        for file in rust_files(&folder)? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let shown = file.strip_prefix(root).unwrap_or(&file).display().to_string();
            if !text.starts_with("//!") {
                findings
                    .push(format!("{shown}: does not open with //! (what it is, why it exists)"));
            }
            if !MAY_PRINT.contains(&name) && file.starts_with(folder.join("src")) {
                prints(&shown, &text, &mut findings);
            }
        }
    }
    let known: Vec<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    for entry in fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !known.contains(&name.as_str()) {
            findings.push(format!("crates/{name}: not in xtask's table of dependency directions"));
        }
    }
    if findings.is_empty() { Ok(()) } else { bail!("\n{}", findings.join("\n")) }
}

/// Every dependency of the workspace stands in ARCHITECTURE.md with its reason.
fn undocumented_dependencies(
    root: &Path,
    architecture: &str,
    findings: &mut Vec<String>,
) -> Result<()> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    for name in section(&manifest, "[workspace.dependencies]") {
        if !name.starts_with("collinear-") && !architecture.contains(&format!("`{name}`")) {
            findings
                .push(format!("ARCHITECTURE.md: dependency {name} is not named with its reason"));
        }
    }
    Ok(())
}

fn directions(
    folder: &Path,
    name: &str,
    may_use: &[&str],
    findings: &mut Vec<String>,
) -> Result<()> {
    let manifest =
        fs::read_to_string(folder.join("Cargo.toml")).with_context(|| name.to_owned())?;
    for dependency in section(&manifest, "[dependencies]") {
        if let Some(ours) = dependency.strip_prefix("collinear-")
            && !may_use.contains(&ours)
        {
            findings.push(format!("crates/{name}: must not depend on {ours}"));
        }
    }
    Ok(())
}

/// The keys of one table of a manifest, up to the next table.
fn section<'a>(manifest: &'a str, header: &str) -> Vec<&'a str> {
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

fn prints(shown: &str, text: &str, findings: &mut Vec<String>) {
    for (number, line) in text.lines().enumerate() {
        // Unit tests come last in a file and may print.
        if line.trim() == "#[cfg(test)]" {
            return;
        }
        let code = line.trim_start();
        let printing = ["println!(", "print!(", "eprintln!(", "eprint!(", "dbg!("];
        if !code.starts_with("//") && printing.iter().any(|call| code.contains(call)) {
            findings.push(format!("{shown}:{}: a library must not print", number + 1));
        }
    }
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_section() {
        let manifest = "[a]\nx = 1\n[dependencies]\nserde.workspace = true\n# why\nclap = \"4\"\n\n[b]\ny = 1\n";
        assert_eq!(section(manifest, "[dependencies]"), ["serde", "clap"]);
    }

    #[test]
    fn printing_is_found_outside_tests_and_comments_only() {
        let mut findings = Vec::new();
        prints(
            "f.rs",
            "// println!(1)\n    eprintln!(\"x\");\n#[cfg(test)]\nprintln!()",
            &mut findings,
        );
        assert_eq!(findings, ["f.rs:2: a library must not print"]);
    }
}
