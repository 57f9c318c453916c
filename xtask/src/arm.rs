//! The engine on 64-bit ARM, run by qemu: the same evaluations and the same search, bit by bit, and how
//! many instructions each path of the network takes. Times under an emulator would say nothing.
//!
//! Programs for macOS are not run here, but that everything compiles for it can be seen.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::cross::{Cross, Tools};
use crate::{programs, run, step};

const TARGET: &str = "aarch64-unknown-linux-musl";
const MAC: &str = "aarch64-apple-darwin";
/// The network's paths, the golden evaluations and the signature of the search.
const TESTS: [&str; 2] = ["net::", "every_game_is_searched_as_expected"];
const PATHS: [&str; 3] = ["NEON dot product", "NEON", "portable"];
/// A processor without the dot product.
const OLD: &str = "cortex-a53";

/// Builds and tests, as far as this machine can.
pub(crate) fn check() -> Result<()> {
    if let Some(cross) = Cross::find(MAC)?.filter(Cross::has_rustup) {
        step("macOS: everything compiles", || {
            cross.zig(&Tools::get()?, "check", &["--quiet", "--locked", "-p", "collinear"])
        })?;
    }
    if !programs::have_qemu()? {
        return Ok(());
    }
    let Some(cross) = Cross::find(TARGET)?.filter(Cross::has_rustup) else {
        eprintln!("── skipped: the tests for 64-bit ARM need rustup target add {TARGET}");
        return Ok(());
    };
    let tests = ["--quiet", "-p", "collinear-engine", "--lib", "--"];
    step("arm: golden evaluations, signature of the search", || {
        run(&mut cross.pure("test", &[&tests[..], &TESTS].concat())?)
    })?;
    step("arm: a processor without the dot product", || {
        let tests = [&tests[..], &TESTS[..1]].concat();
        run(cross.pure("test", &tests)?.env("QEMU_CPU", OLD))
    })?;
    step("arm: instructions of an evaluation", || {
        run(&mut cross.pure(
            "build",
            &["--release", "--quiet", "-p", "collinear-engine", "--example", "evaluations"],
        )?)?;
        let program = cross.made("release").join("examples/evaluations");
        let counts = PATHS.map(|path| instructions(&program, path));
        for (path, count) in PATHS.iter().zip(counts) {
            eprintln!(
                "   {path}: {:.2} million instructions per evaluation of a 9×9 board",
                count? as f64 / 1e6
            );
        }
        Ok(())
    })
}

/// Instructions of one evaluation: those of two less those of one, so that the start does not count.
fn instructions(program: &Path, path: &str) -> Result<u64> {
    let count = |evaluations: &str| {
        // One line of the log for each instruction.
        let mut child = Command::new("qemu-aarch64")
            .args(["-singlestep", "-d", "exec,nochain", "-D", "/dev/stderr"])
            .arg(program)
            .args([path, evaluations])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("qemu-aarch64")?;
        let mut log = BufReader::with_capacity(1 << 20, child.stderr.take().context("a log")?);
        let (mut lines, mut line) = (0, Vec::new());
        while log.read_until(b'\n', &mut line)? > 0 {
            lines += u64::from(line.starts_with(b"Trace"));
            line.clear();
        }
        ensure!(child.wait()?.success(), "evaluations {path} failed");
        anyhow::Ok(lines)
    };
    Ok(count("2")? - count("1")?)
}
