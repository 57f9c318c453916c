//! The Python package: builds the wheel, installs it into a fresh environment and runs everything
//! there is about it: types, tests, the suites of other projects, notebooks, the docs site.
//!
//! All packages come by name and are installed once, in `target/python/packages`; the fresh
//! environment, which has nothing but the wheel, sees them through a path file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{programs, root, run, step, step_value};

/// What the tests cannot do without, besides the wheel.
const REQUIREMENTS: &str = "crates/python/tests/requirements.txt";
/// Other projects whose suites run over our games; one that cannot be had is left out.
const SUITES: &str = "crates/python/tests/suites.txt";

/// Everything about the package, where there is a Python.
pub(crate) fn check() -> Result<()> {
    if !programs::have_python()? {
        return Ok(());
    }
    let home = root().join("target/python");
    let packages = step_value("python: packages", || packages(&home))?;
    let wheel = step_value("python: wheel", || wheel(&home, &packages))?;
    let python = step_value("python: fresh environment", || fresh(&home, &packages, &wheel))?;
    step("python: types", || types(&python))?;
    step("python: tests, suites and notebooks", || {
        let tests = root().join("crates/python/tests");
        run(python_command(&python)
            .args(["-m", "pytest", "-p", "no:cacheprovider"])
            .current_dir(tests))
    })?;
    step("docs site", || book(&home, &python))
}

/// The environment with all packages, made anew when the list of them changes.
fn packages(home: &Path) -> Result<PathBuf> {
    let environment = home.join("packages");
    let read = |file: &str| fs::read_to_string(root().join(file)).with_context(|| file.to_owned());
    let suites = read(SUITES)?;
    let wanted = read(REQUIREMENTS)? + &suites;
    let stamp = environment.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(environment);
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let pip = |what: &[&str]| {
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(environment.join("bin/python"))
            .args(install)
            .args(what)
            .current_dir(root()))
    };
    pip(&["-r", REQUIREMENTS]).context(
        "the packages of the Python tests cannot be installed: is a package index reachable?",
    )?;
    let mut all = true;
    for suite in suites.lines().filter(|line| !line.starts_with('#')) {
        if pip(&[suite]).is_err() {
            eprintln!("── skipped: {suite} cannot be installed, so its tests are left out");
            all = false;
        }
    }
    // What is missing is asked for again the next time.
    if all {
        fs::write(stamp, wanted)?;
    }
    Ok(environment)
}

/// Builds the wheel; on Linux zig links it against a glibc old enough for every distribution.
fn wheel(home: &Path, packages: &Path) -> Result<PathBuf> {
    let folder = home.join("wheels");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(packages.join("bin")).chain(std::env::split_paths(&path));
    let (zig, tag) =
        if cfg!(target_os = "linux") { (&["--zig"][..], "manylinux") } else { (&[][..], "abi3") };
    run(Command::new(packages.join("bin/maturin"))
        .args(["build", "--release", "--quiet", "--manifest-path", "crates/python/Cargo.toml"])
        .args(zig)
        .arg("--out")
        .arg(&folder)
        .env("PATH", std::env::join_paths(paths)?)
        .env("VIRTUAL_ENV", packages)
        .current_dir(root()))?;
    let wheel = fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).find(|file| {
        let name = file.to_string_lossy();
        name.contains(tag) && name.contains("abi3") && name.ends_with(".whl")
    });
    wheel.with_context(|| format!("no {tag} wheel for abi3 in {}", folder.display()))
}

/// A new environment with the wheel in it; the other packages are lent by the kept one.
fn fresh(home: &Path, packages: &Path, wheel: &Path) -> Result<PathBuf> {
    let environment = home.join("fresh");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let python = environment.join("bin/python");
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"])
        .arg(wheel))?;
    let lent = site_packages(packages)?;
    fs::write(site_packages(&environment)?.join("lent.pth"), format!("{}\n", lent.display()))?;
    Ok(python)
}

fn site_packages(environment: &Path) -> Result<PathBuf> {
    let library = environment.join("lib");
    let versions = fs::read_dir(&library).with_context(|| library.display().to_string())?;
    let found = versions.flatten().map(|entry| entry.path().join("site-packages"));
    found.into_iter().find(|path| path.is_dir()).context("an environment without site-packages")
}

/// The stubs are those of the library, and package and tests pass mypy's strict mode.
fn types(python: &Path) -> Result<()> {
    let config = root().join("crates/python/pyproject.toml");
    let config = config.to_string_lossy();
    let cache = root().join("target/python/mypy");
    let cache = cache.to_string_lossy();
    let mypy =
        ["-m", "mypy", "--config-file", &config, "--cache-dir", &cache, "--no-error-summary"];
    run(python_command(python).args(mypy).args(["-p", "collinear"]).current_dir(root()))?;
    let tests = root().join("crates/python/tests");
    run(python_command(python).args(mypy).arg(".").current_dir(tests))?;
    run(python_command(python)
        .args(["-m", "mypy.stubtest", "collinear._native", "--mypy-config-file", &config])
        .args(["--concise", "--ignore-disjoint-bases", "--allowlist", "stubtest.txt"])
        .current_dir(root().join("crates/python/tests")))
}

/// Builds the site into `target/book` and follows every link.
fn book(home: &Path, python: &Path) -> Result<()> {
    let program = home.join("mdbook/bin/mdbook");
    if !program.is_file() {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let install = [
            "install",
            "mdbook",
            "--version",
            MDBOOK,
            "--no-default-features",
            "--locked",
            "--debug",
            "--quiet",
            "--root",
        ];
        run(Command::new(cargo).args(install).arg(home.join("mdbook")))
            .context("mdbook cannot be installed")?;
    }
    run(Command::new(program).args(["build", "docs"]).current_dir(root()))?;
    run(python_command(python).args(["crates/python/links.py", "target/book"]).current_dir(root()))
}

/// The version of mdBook the site is built with.
const MDBOOK: &str = "0.5.4";

fn python_command(python: &Path) -> Command {
    let mut command = Command::new(python);
    // What the caller's shell has set must not leak into the environment under test.
    command.env_remove("PYTHONPATH").env_remove("VIRTUAL_ENV").env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
