//! The repository's own chores. `cargo xtask test` is everything CI checks, `cargo xtask tidy` the
//! part that reads the sources: see `tidy.rs` for the rules it holds the tree to.

#![forbid(unsafe_code)]

mod cross;
mod figures;
mod programs;
mod python;
mod release;
mod tidy;
mod windows;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND
  test    tidy, format, lints, docs, all tests, the docs' figures, package lists, the build
          for the browser, the page's tests, the browser tests, and what `python` does
  tidy    what ARCHITECTURE.md promises and a program can check, and deny.toml
  fuzz    hostile input for everything that reads input: [--minutes N] [--target NAME] [--seed N],
          or --kills N: as many kill -9 in the middle of matches
  soak    pages that play and come back while the server is killed: [--minutes N] [--clients N]
          [--kill-every SECONDS]; stones, losses, latencies, memory
  figures run the commands behind the docs' figures again; --check only names the stale ones
  python  build the Python package, run its tests and everybody else's, build the docs site
  browser what must run in a browser builds for it
  windows build collinear.exe with MinGW and try it under Wine
  release --dry-run: build every artefact of a release into target/release-artifacts
  page    build the page into page/dist";

/// What must run in a browser, with all that it uses.
const BROWSER: [&str; 1] = ["collinear-room"];

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let result = match command.as_str() {
        "test" => test(),
        "tidy" => step("tidy", || tidy::check(&root())),
        "soak" => soak(&std::env::args().skip(2).collect::<Vec<_>>()),
        "fuzz" => fuzz(&std::env::args().skip(2).collect::<Vec<_>>()),
        "figures" => figures::run(&root(), &std::env::args().skip(2).collect::<Vec<_>>()),
        "python" => python::check(),
        "browser" => browser(),
        "windows" => windows::check(),
        "release" => release::run_all(&std::env::args().skip(2).collect::<Vec<_>>()),
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
    packages()?;
    browser()?;
    page()?;
    python::check()
}

/// The libraries that the page without a server is made of build for the browser.
fn browser() -> Result<()> {
    step("build for the browser", || {
        let Some(cross) = cross::Cross::find("wasm32-unknown-unknown")? else { return Ok(()) };
        let crates = BROWSER.iter().flat_map(|name| ["-p", name]);
        let arguments: Vec<&str> =
            ["--release", "--quiet", "--lib"].into_iter().chain(crates).collect();
        cross.build(&arguments, &[])
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

/// Every crate can be listed for packaging, and what a user needs is in the list.
fn packages() -> Result<()> {
    step("package lists", || {
        for entry in std::fs::read_dir(root().join("crates"))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let package =
                if name == "cli" { "collinear".to_owned() } else { format!("collinear-{name}") };
            let arguments = ["package", "--list", "--allow-dirty", "--quiet", "-p", &package];
            let output = cargo_command().args(arguments).output()?;
            let list = String::from_utf8_lossy(&output.stdout).into_owned();
            if !output.status.success() {
                bail!("{package}: {}", String::from_utf8_lossy(&output.stderr));
            }
            let needed = if name == "cli" { "man/collinear.1" } else { "src/lib.rs" };
            if !list.lines().any(|line| line == needed) {
                bail!("{package}: {needed} is not in the package");
            }
        }
        Ok(())
    })
}

/// Runs the fuzzers, or the test that kills matches.
fn fuzz(arguments: &[String]) -> Result<()> {
    if let [kills, number] = arguments
        && kills == "--kills"
    {
        let test = ["test", "--release", "-p", "collinear", "--test", "arena", "killing"];
        return step("kills", || run(cargo_command().args(test).env("COLLINEAR_KILLS", number)));
    }
    step("fuzz", || {
        let program = [
            "run",
            "--release",
            "--quiet",
            "-p",
            "collinear-fuzz",
            "--bin",
            "collinear-fuzz",
            "--",
        ];
        run(cargo_command().args(program).args(arguments))
    })
}

/// Serves, plays and kills for minutes.
fn soak(arguments: &[String]) -> Result<()> {
    cargo("soak: the program", &["build", "--release", "--quiet", "-p", "collinear"])?;
    step("soak", || {
        let soak = ["run", "--release", "--quiet", "-p", "collinear-fuzz", "--bin"];
        let program = root().join("target/release/collinear");
        run(cargo_command()
            .args(soak)
            .args(["collinear-soak", "--", "--program"])
            .arg(program)
            .args(arguments))
    })
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

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
