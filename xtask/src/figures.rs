//! Figures in the docs that a command prints: run again, compared, written back.
//!
//! A figure is a fenced block below a comment that names its command. Only output that is the same
//! on every machine belongs here: no times, nothing that depends on a clock.
//!
//! ```text
//! <!-- figure: collinear tables --shape ..XXX... -->
//! (a fence)
//! what the command prints
//! (a fence)
//! ```
//!
//! `cargo xtask figures` writes what the commands print; with `--check` it writes nothing and fails
//! with the name of every figure that is stale.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

const MARK: &str = "<!-- figure: collinear ";
const END: &str = " -->";
const FENCE: &str = "```";

/// A figure in a file: its command and where the fenced lines are.
#[derive(Debug, PartialEq, Eq)]
struct Figure {
    arguments: Vec<String>,
    /// The line of the comment, from 0.
    line: usize,
    /// First line inside the fence and the line of the closing fence.
    body: (usize, usize),
}

/// Brings every figure of the docs up to date, or says which are not.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let check = arguments.iter().any(|argument| argument == "--check");
    let program = match arguments.iter().position(|argument| argument == "--bin") {
        Some(at) => PathBuf::from(arguments.get(at + 1).context("--bin needs a path")?),
        None => build(root)?,
    };
    let mut files: Vec<PathBuf> = vec![root.join("README.md")];
    for entry in std::fs::read_dir(root.join("docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
    files.sort();
    let (mut stale, mut count) = (Vec::new(), 0);
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let figures = figures(&lines).with_context(|| file.display().to_string())?;
        count += figures.len();
        // From the end, so that the places of the others stay right.
        for figure in figures.iter().rev() {
            let printed = printed(&program, &figure.arguments)?;
            let (start, end) = figure.body;
            if lines[start..end] != printed[..] {
                let name = figure.arguments.join(" ");
                stale.push(format!("{}:{}: {name}", file.display(), figure.line + 1));
                lines.splice(start..end, printed);
            }
        }
        let new = lines.join("\n") + "\n";
        if !check && new != text {
            std::fs::write(&file, new)?;
        }
    }
    let listed = stale.join("\n  ");
    match (stale.is_empty(), check) {
        (true, _) => eprintln!("{count} figures are up to date"),
        (false, true) => bail!("stale figures (run `cargo xtask figures`):\n  {listed}"),
        (false, false) => eprintln!("written anew:\n  {listed}"),
    }
    Ok(())
}

fn build(root: &Path) -> Result<PathBuf> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--bin", "collinear"])
        .current_dir(root)
        .status()?;
    if !status.success() {
        bail!("the program does not build");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    Ok(target.join("debug/collinear"))
}

fn printed(program: &Path, arguments: &[String]) -> Result<Vec<String>> {
    // Help is as wide as the terminal, where there is one.
    let output = Command::new(program)
        .args(arguments)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} does not start", program.display()))?;
    if !output.status.success() {
        bail!(
            "collinear {} fails: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect())
}

fn figures(lines: &[String]) -> Result<Vec<Figure>> {
    let mut found = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        let Some(command) = text.strip_prefix(MARK).and_then(|rest| rest.strip_suffix(END)) else {
            continue;
        };
        let opens = lines.get(line + 1).is_some_and(|next| next.starts_with(FENCE));
        let start = line + 2;
        let length = lines.iter().skip(start).position(|next| next.starts_with(FENCE));
        let (true, Some(length)) = (opens, length) else {
            bail!("line {}: a figure needs a fenced block below it", line + 1);
        };
        let arguments = command.split_whitespace().map(str::to_owned).collect();
        found.push(Figure { arguments, line, body: (start, start + length) });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_with_their_commands() {
        let text = "a\n<!-- figure: collinear tables --k 5 -->\n```\nx\ny\n```\nb";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let figure = Figure {
            arguments: ["tables", "--k", "5"].map(str::to_owned).into(),
            line: 1,
            body: (3, 5),
        };
        assert_eq!(figures(&lines).expect("well formed"), [figure]);
        let open: Vec<String> = text.lines().take(4).map(str::to_owned).collect();
        assert!(figures(&open).expect_err("no end").to_string().contains("line 2"));
    }
}
