//! Python for 64-bit ARM under qemu, so that the wheel for it is tried where no such machine is: Debian's
//! packages for that processor, unpacked below `target/cross` (nothing is installed), with lists of
//! packages of their own, so that the system's are left as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{programs, root, run};

/// What Debian's Python stands on, and what numpy needs of the system beside it.
const WANTED: [&str; 3] = ["python3.11-minimal", "libpython3.11-stdlib", "libstdc++6"];
/// Parts of the system that a program with Python as its only task does without.
const UNUSED: [&str; 7] = ["perl", "libperl", "dpkg", "tar", "mailcap", "mime", "install-info"];

/// The interpreter: a script that starts Python under qemu and tells it the script's own name, so that
/// Python starts itself again by the same way. None where Debian's packages cannot be had.
pub(crate) fn python() -> Result<Option<PathBuf>> {
    let home = root().join("target/cross/arm64");
    let script = home.join("python3");
    if script.is_file() {
        return Ok(Some(script));
    }
    if !programs::have_qemu()? {
        return Ok(None);
    }
    if let Err(error) = unpack(&home) {
        eprintln!("── skipped: Python for 64-bit ARM: {error:#}");
        return Ok(None);
    }
    programs::script(
        &script,
        &format!(
            "PYTHONHOME='{system}/usr' exec qemu-aarch64 -0 \"$0\" -L '{system}' \
             '{system}/usr/bin/python3.11' \"$@\"",
            system = home.join("system").display()
        ),
    )?;
    Ok(Some(script))
}

/// Downloads the packages and unpacks them.
fn unpack(home: &Path) -> Result<()> {
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    let packages = home.join("packages");
    for folder in ["packages", "state", "lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(home.join(folder))?;
    }
    run(apt("apt-get", home).args(["update", "-qq"]))?;
    let asked = "depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
                 --no-replaces --no-enhances";
    let output = apt("apt-cache", home).args(asked.split_whitespace()).args(WANTED).output()?;
    if !output.status.success() {
        bail!("apt-cache: {}", String::from_utf8_lossy(&output.stderr));
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names: Vec<&str> = names
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
        .filter(|name| !UNUSED.iter().any(|unused| name.starts_with(unused)))
        .collect();
    names.sort_unstable();
    names.dedup();
    run(apt("apt-get", home).args(["download", "-qq"]).args(names).current_dir(&packages))?;
    for package in fs::read_dir(&packages)? {
        run(Command::new("dpkg").arg("-x").arg(package?.path()).arg(home.join("system")))?;
    }
    fs::remove_dir_all(&packages).context("the packages")
}

/// One of apt's programs, for the other processor.
fn apt(program: &str, home: &Path) -> Command {
    let mut command = Command::new(program);
    for option in ["APT::Architecture=arm64", "APT::Architectures=arm64", "APT::Sandbox::User=root"]
    {
        command.args(["-o", option]);
    }
    for (option, folder) in
        [("Dir::State", "state"), ("Dir::State::Lists", "lists"), ("Dir::Cache", "cache")]
    {
        command.arg("-o").arg(format!("{option}={}", home.join(folder).display()));
    }
    command.args(["-o", "Dir::State::status=/dev/null"]);
    command
}
