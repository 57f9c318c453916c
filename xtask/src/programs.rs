//! What tests need from the system: Node and Chromium for the page's, Python for the package's.
//! Installed with Debian's packages where we may; elsewhere the person is told, and only these tests
//! are left out (never in CI).

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::run;

/// Somebody else may be installing at the moment: seconds to wait for that.
const LOCK_WAIT: [&str; 2] = ["-o", "DPkg::Lock::Timeout=300"];
/// The oldest Node that the page's tools run on.
const NODE: &str = "Node 20 or newer with npm";

/// Whether the page's tests can run.
pub(crate) fn have_node() -> Result<bool> {
    if works("node") && works("npm") {
        return Ok(true);
    }
    install(&["nodejs", "npm"]);
    found_or_told(works("node") && works("npm"), "the page's tests", NODE)
}

/// Whether the browser tests can run.
pub(crate) fn have_chromium() -> Result<bool> {
    if works("chromium") {
        return Ok(true);
    }
    install(&["chromium"]);
    found_or_told(works("chromium"), "the browser tests", "Chromium as `chromium`")
}

/// Whether the tests of the Python package can run.
pub(crate) fn have_python() -> Result<bool> {
    if python_works() {
        return Ok(true);
    }
    install(&["python3", "python3-venv"]);
    found_or_told(
        python_works(),
        "the tests of the Python package",
        "Python 3.11 or newer with venv",
    )
}

/// Whether C and Rust can be linked for Windows.
pub(crate) fn have_mingw() -> Result<bool> {
    if !works("x86_64-w64-mingw32-gcc") {
        install(&["gcc-mingw-w64-x86-64"]);
    }
    found_or_told(
        works("x86_64-w64-mingw32-gcc"),
        "builds for Windows",
        "MinGW as `x86_64-w64-mingw32-gcc`",
    )
}

/// Whether programs for Windows can run.
pub(crate) fn have_wine() -> Result<bool> {
    if !works("wine") {
        install(&["wine", "wine64"]);
    }
    found_or_told(works("wine"), "trials of the program for Windows", "Wine as `wine`")
}

/// Whether programs for 64-bit ARM can run.
pub(crate) fn have_qemu() -> Result<bool> {
    if !works("qemu-aarch64") {
        install(&["qemu-user"]);
    }
    found_or_told(works("qemu-aarch64"), "the tests for 64-bit ARM", "qemu as `qemu-aarch64`")
}

/// Writes a script for the shell that can be started.
pub(crate) fn script(file: &Path, lines: &str) -> Result<()> {
    fs::create_dir_all(file.parent().context("a folder")?)?;
    fs::write(file, format!("#!/bin/sh\n{lines}\n"))?;
    run(Command::new("chmod").arg("+x").arg(file))
}

fn python_works() -> bool {
    let question = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
    Command::new("python3")
        .args(["-c", question])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn works(program: &str) -> bool {
    let quiet =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Tries apt; whether it worked shows when the program is asked for again.
fn install(packages: &[&str]) {
    if !works("apt-get") {
        return;
    }
    eprintln!("── installing {}", packages.join(" "));
    for arguments in [
        &["update", "-qq"][..],
        &[&["install", "-y", "-qq", "--no-install-recommends"], &LOCK_WAIT[..], packages].concat(),
    ] {
        let mut apt = Command::new("apt-get");
        apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        if !apt.status().is_ok_and(|status| status.success()) {
            return;
        }
    }
}

fn found_or_told(found: bool, who: &str, what: &str) -> Result<bool> {
    if found {
        return Ok(true);
    }
    if std::env::var("CI").is_ok_and(|value| value == "true") {
        bail!("{what} is missing and could not be installed");
    }
    eprintln!("── skipped: {who} need {what}; install it and run this again");
    Ok(false)
}
