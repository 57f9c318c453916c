//! Invariants of the tree that a program can check: those ARCHITECTURE.md states.

mod deny;
mod manifest;
mod map;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use manifest::{Kind, Manifest};
use map::Map;

/// Where the command line writes: everything else in `cli` goes through it, so that a full
/// standard error or a reader that went away is handled once.
const MAY_PRINT: [&str; 4] = [
    "crates/cli/src/report.rs",
    "crates/fuzz/src/main.rs",
    "crates/fuzz/src/kills/main.rs",
    "crates/fuzz/src/soak/main.rs",
];

/// What `rules` must not reach for.
const SYSTEM: [&str; 5] = ["std::fs", "std::io", "std::net", "std::env", "std::process"];

/// Checks the tree below `root`; the error lists every finding.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut findings = Vec::new();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let map = Map::parse(&text);
    undocumented_dependencies(root, &text, &mut findings)?;
    deny::check(root, &mut findings)?;
    let mut agents = agent_names(&root.join("crates/agents/src"))?;
    agents.extend(agent_names(&root.join("crates/documents/src"))?);
    // Openings have this word too.
    agents.retain(|name| name != "random");
    for name in crate_names(root)? {
        let folder = root.join("crates").join(&name);
        let manifest = Manifest::read(&folder)?;
        arrows(&name, &manifest, &map, &mut findings);
        let files = sources(root, &folder)?;
        unused(&name, &manifest, &files, &mut findings);
        forbids_unsafe(&name, &map, &files, &mut findings);
        for file in &files {
            file.check(&name, &agents, &mut findings);
        }
    }
    for name in map.crates() {
        if !root.join("crates").join(name).is_dir() {
            findings.push(format!("ARCHITECTURE.md: there is no crate {name}"));
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
    for name in manifest::workspace(root)? {
        if !name.starts_with("collinear-") && !architecture.contains(&format!("`{name}`")) {
            findings
                .push(format!("ARCHITECTURE.md: dependency {name} is not named with its reason"));
        }
    }
    Ok(())
}

/// The arrows of the manifest are those of the map, no more and no fewer.
fn arrows(name: &str, manifest: &Manifest, map: &Map, findings: &mut Vec<String>) {
    let Some(drawn) = map.uses(name) else {
        findings.push(format!("ARCHITECTURE.md: crate {name} is not in the table of crates"));
        return;
    };
    let used: Vec<&str> = manifest.of(Kind::Normal).filter_map(ours).collect();
    for other in used.iter().filter(|other| !drawn.contains(*other)) {
        findings.push(format!("crates/{name} uses {other}, which ARCHITECTURE.md does not draw"));
    }
    for other in drawn.iter().filter(|other| !used.contains(*other)) {
        findings.push(format!("ARCHITECTURE.md draws {name} using {other}: it does not"));
    }
}

/// The folder of one of our crates, by its package name.
fn ours(dependency: &str) -> Option<&str> {
    if dependency == "collinear" { Some("cli") } else { dependency.strip_prefix("collinear-") }
}

/// Every dependency is named somewhere in the code that may use it.
fn unused(name: &str, manifest: &Manifest, files: &[Source], findings: &mut Vec<String>) {
    for kind in [Kind::Normal, Kind::Dev] {
        for dependency in manifest.of(kind) {
            let word = dependency.replace('-', "_");
            // Doc tests are written in comments and may use what tests may.
            let used = files
                .iter()
                .filter(|file| kind == Kind::Dev || file.is_library)
                .any(|file| file.lines(kind == Kind::Dev).any(|line| has_word(line, &word)));
            if !used {
                findings.push(format!("crates/{name}: the dependency {dependency} is not used"));
            }
        }
    }
}

/// Whether a line has this word, not as a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        !in_word(line[..at].chars().next_back()) && !in_word(line[at + word.len()..].chars().next())
    })
}

/// Every crate forbids unsafe code, except those for which the map says why not.
fn forbids_unsafe(name: &str, map: &Map, files: &[Source], findings: &mut Vec<String>) {
    let is_root = |file: &&Source| {
        file.shown.ends_with("/src/lib.rs") || file.shown.ends_with("/src/main.rs")
    };
    let forbids = files.iter().filter(is_root).all(|f| f.text.contains("#![forbid(unsafe_code)]"));
    if !forbids && !map.may_be_unsafe(name) {
        findings.push(format!("crates/{name}: the crate root lacks #![forbid(unsafe_code)]"));
    }
}

/// A source file of a crate.
struct Source {
    shown: String,
    text: String,
    /// Whether it is below `src`.
    is_library: bool,
}

impl Source {
    fn check(&self, name: &str, agents: &[String], findings: &mut Vec<String>) {
        let Self { shown, text, is_library } = self;
        if !text.starts_with("//!") {
            findings.push(format!("{shown}: does not open with //! (what it is, why it exists)"));
        }
        if !is_library {
            return;
        }
        for (number, line) in self.code() {
            let printing = ["println!(", "print!(", "eprintln!(", "eprint!(", "dbg!("];
            if !MAY_PRINT.contains(&shown.as_str()) && printing.iter().any(|p| line.contains(p)) {
                findings.push(format!("{shown}:{number}: only report.rs of cli may print"));
            }
            if name == "rules" && SYSTEM.iter().any(|part| line.contains(part)) {
                findings.push(format!("{shown}:{number}: rules does no I/O"));
            }
            let named = agents.iter().find(|agent| line.contains(&format!("\"{agent}\"")));
            if let ("arena", Some(agent)) = (name, named) {
                findings.push(format!("{shown}:{number}: arena names the agent {agent}"));
            }
        }
    }

    /// Lines of code with their numbers: no comments, and no unit tests, which come last.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let tests = self.shown.ends_with("/tests.rs") || self.shown.ends_with("/testing.rs");
        let all = self.text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
        (1..).zip(all).filter(move |(_, line)| !tests && !line.trim_start().starts_with("//"))
    }

    /// All lines, with comments or without.
    fn lines(&self, comments: bool) -> impl Iterator<Item = &str> {
        self.text.lines().filter(move |line| comments || !line.trim_start().starts_with("//"))
    }
}

fn sources(root: &Path, folder: &Path) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    for file in rust_files(folder)? {
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let shown = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        found.push(Source { shown, text, is_library: file.starts_with(folder.join("src")) });
    }
    Ok(found)
}

/// The names of agents: what `AgentSpec::new("…"` says in their files.
fn agent_names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in rust_files(folder)? {
        names.extend(names_in(&fs::read_to_string(&file)?));
    }
    Ok(names)
}

fn names_in(text: &str) -> Vec<String> {
    let rows = text.split("AgentSpec::new(\"").skip(1);
    rows.filter_map(|row| row.split_once('"')).map(|(name, _)| name.to_owned()).collect()
}

fn crate_names(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target" && name != "fuzz-corpus") {
                files.extend(rust_files(&path)?);
            }
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

    fn source(shown: &str, text: &str) -> Source {
        Source { shown: shown.to_owned(), text: text.to_owned(), is_library: true }
    }

    #[test]
    fn printing_is_found_outside_tests_and_comments_only() {
        let mut findings = Vec::new();
        let text = "//! A file.\n// println!(1)\n    eprintln!(\"x\");\n#[cfg(test)]\nprintln!()";
        source("f.rs", text).check("play", &[], &mut findings);
        assert_eq!(findings, ["f.rs:3: only report.rs of cli may print"]);
    }

    #[test]
    fn io_in_rules_and_agents_in_the_arena_are_found() {
        let agents = ["sextant".to_owned()];
        let mut findings = Vec::new();
        source("r.rs", "//! R.\nuse std::fs::File;").check("rules", &agents, &mut findings);
        source("a.rs", "//! A.\nlet x = \"sextant\";").check("arena", &agents, &mut findings);
        source("b.rs", "//! B.\n// a \"sextant\"").check("arena", &agents, &mut findings);
        assert_eq!(
            findings,
            ["r.rs:2: rules does no I/O", "a.rs:2: arena names the agent sextant"]
        );
    }

    #[test]
    fn agents_are_found_in_their_rows() {
        let text =
            "static SPEC: AgentSpec = AgentSpec {\n    ..AgentSpec::new(\"kate\", build)\n};";
        assert_eq!(names_in(text), ["kate"]);
    }

    #[test]
    fn unused_dependencies_and_undrawn_arrows_are_found() {
        let manifest = Manifest::parse(
            "[dependencies]\ncollinear-rules.workspace = true\nserde.workspace = true\n\
             rand = \"1\"\n[dev-dependencies]\nproptest = \"1\"\n",
        )
        .expect("TOML");
        let files =
            [source("x/src/lib.rs", "//! X.\nuse serde::Serialize;\n// rand\nlet brand = 1;")];
        let mut findings = Vec::new();
        unused("x", &manifest, &files, &mut findings);
        assert_eq!(
            findings,
            [
                "crates/x: the dependency collinear-rules is not used",
                "crates/x: the dependency rand is not used",
                "crates/x: the dependency proptest is not used"
            ]
        );
        findings.clear();
        let map = Map::parse("| `x` | shapes | knows | not |\n");
        arrows("x", &manifest, &map, &mut findings);
        arrows("y", &manifest, &map, &mut findings);
        assert_eq!(
            findings,
            [
                "crates/x uses rules, which ARCHITECTURE.md does not draw",
                "ARCHITECTURE.md draws x using shapes: it does not",
                "ARCHITECTURE.md: crate y is not in the table of crates"
            ]
        );
    }

    #[test]
    fn a_crate_without_forbid_is_found_unless_the_map_says_why() {
        let files = [source("crates/x/src/lib.rs", "//! X.")];
        let mut findings = Vec::new();
        forbids_unsafe("x", &Map::parse("unsafe: `x`"), &files, &mut findings);
        assert!(findings.is_empty());
        forbids_unsafe("x", &Map::parse("unsafe: `y`"), &files, &mut findings);
        assert_eq!(findings, ["crates/x: the crate root lacks #![forbid(unsafe_code)]"]);
    }
}
