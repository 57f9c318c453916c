//! The repository's own chores. `cargo xtask test` is everything CI checks, `cargo xtask tidy` the
//! part that reads the sources: see `tidy.rs` for the rules it holds the tree to.

mod browser;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND
  test    format, lints, tidy, all tests, the page's tests, the browser tests
  tidy    every file opens with //!, dependencies point one way, libraries do not print
  page    build the page into page/dist";

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let result = match command.as_str() {
        "test" => test(),
        "tidy" => step("tidy", || tidy::check(&root())),
        "page" => page_packages().and_then(|()| npm("build the page", &["run", "build"])),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<()> {
    step("tidy", || tidy::check(&root()))?;
    cargo("format", &["fmt", "--all", "--", "--check"])?;
    cargo("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo("tests", &["test", "--workspace", "--quiet"])?;
    if !browser::have_node()? {
        return Ok(());
    }
    page_packages()?;
    npm("page: types", &["run", "check"])?;
    npm("page: unit tests", &["test"])?;
    if browser::have_chromium()? {
        cargo(
            "build the program for the browser tests",
            &["build", "--quiet", "--bin", "collinear"],
        )?;
        npm("page: browser tests", &["run", "e2e"])?;
    }
    Ok(())
}

/// `npm ci` would be stricter, but refuses a lock file written on one system that does not list the
/// optional packages of all the others.
fn page_packages() -> Result<()> {
    npm("page: packages", &["install", "--no-save", "--no-audit", "--no-fund"])
}

/// The repository, wherever the command was started.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(1).map_or_else(PathBuf::new, Into::into)
}

fn cargo(what: &str, arguments: &[&str]) -> Result<()> {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    step(what, || run(Command::new(program).args(arguments).current_dir(root())))
}

fn npm(what: &str, arguments: &[&str]) -> Result<()> {
    step(what, || run(Command::new("npm").args(arguments).current_dir(root().join("page"))))
}

/// Says what begins and how long it took.
fn step(what: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    eprintln!("── {what}");
    let start = Instant::now();
    work().with_context(|| what.to_owned())?;
    eprintln!("── {what}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
