//! What the page's tests need from the system: Node and Chromium. Installed with Debian's packages
//! where we may; elsewhere the person is told, and only these tests are left out (never in CI).

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

/// The oldest Node that the page's tools run on.
const NODE: &str = "Node 20 or newer with npm";

/// Whether the page's tests can run.
pub(crate) fn have_node() -> Result<bool> {
    if works("node") && works("npm") {
        return Ok(true);
    }
    install(&["nodejs", "npm"]);
    found_or_told(works("node") && works("npm"), NODE)
}

/// Whether the browser tests can run.
pub(crate) fn have_chromium() -> Result<bool> {
    if works("chromium") {
        return Ok(true);
    }
    install(&["chromium"]);
    found_or_told(works("chromium"), "Chromium as `chromium`")
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
        &[&["install", "-y", "-qq", "--no-install-recommends"], packages].concat(),
    ] {
        let mut apt = Command::new("apt-get");
        apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        if !apt.status().is_ok_and(|status| status.success()) {
            return;
        }
    }
}

fn found_or_told(found: bool, what: &str) -> Result<bool> {
    if found {
        return Ok(true);
    }
    if std::env::var("CI").is_ok_and(|value| value == "true") {
        bail!("{what} is missing and could not be installed");
    }
    eprintln!("── skipped: the browser tests need {what}; install it and run this again");
    Ok(false)
}
