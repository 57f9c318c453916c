//! System calls that fail, or are the last ones that happen: by `strace`, which comes between the
//! program and Linux, so that nothing of the program has to be written for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::jobs::Place;
use crate::{Calm, Disturbed, go_on};

/// What makes files durable, and how it fails.
const CALLS: [(&str, &str); 6] = [
    ("write", "ENOSPC"),
    ("pwrite64", "ENOSPC"),
    ("writev", "EIO"),
    ("fsync,fdatasync", "EIO"),
    ("rename,renameat,renameat2", "EACCES"),
    ("ftruncate,unlink", "EIO"),
];
/// Exit codes of failures that are told of.
const TOLD: [i32; 2] = [1, 2];

/// Lets system calls fail at so many points of the command.
pub(crate) fn disturb(calm: &Calm<'_>, folder: &Path, points: usize) -> Result<Disturbed> {
    let mut done = Disturbed::default();
    for (calls, error) in CALLS {
        calm.begin(folder)?;
        let most = count(calm, folder, calls)?;
        for point in spread(most, points) {
            for how in [format!("error={error}"), "signal=KILL".to_owned()] {
                calm.begin(folder)?;
                let inject = format!("inject={calls}:{how}:when={point}");
                let status = traced(calm, folder, &["-o", "/dev/null", "-e", &inject], calls)?;
                let told = status.code().is_some_and(|code| code == 0 || TOLD.contains(&code));
                done.ended += 1;
                if !told && !how.starts_with("signal") {
                    done.failures.push(format!("{calls} {how} at {point}: {status}"));
                }
                // The call may have come after the result, which no command writes over.
                if calm.has_results(folder)? {
                    done.finished += 1;
                    continue;
                }
                if let Err(reason) = go_on(calm, folder)? {
                    done.failures.push(format!("{calls} {how} at {point}: {reason}"));
                }
                done.finished += 1;
            }
        }
    }
    Ok(done)
}

/// How often the call is made that a thread makes most often: `strace` counts so.
fn count(calm: &Calm<'_>, folder: &Path, calls: &str) -> Result<usize> {
    let log = folder.with_extension("trace");
    let shown = log.to_string_lossy().into_owned();
    let status = traced(calm, folder, &["-o", &shown], calls)?;
    if !status.success() {
        bail!("{} under strace: {status}", calm.job.name);
    }
    // Each line begins with the thread and the call.
    let mut made = BTreeMap::<String, usize>::new();
    let text = fs::read_to_string(&log)?;
    for (call, _) in text.lines().filter_map(|line| line.split_once('(')) {
        *made.entry(call.to_owned()).or_default() += 1;
    }
    Ok(made.into_values().max().unwrap_or(0))
}

/// The command under `strace`.
fn traced(
    calm: &Calm<'_>,
    folder: &Path,
    more: &[&str],
    calls: &str,
) -> Result<std::process::ExitStatus> {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "--seccomp-bpf", "-e", &format!("trace={calls}")]).args(more);
    command.arg("--").arg(calm.program).args(calm.job.command.split_whitespace());
    Place { program: calm.program, folder }.inside(&mut command);
    command.status().context("strace, which this needs, does not start")
}

/// So many of the points 1 to `most`, the first and the last among them.
fn spread(most: usize, points: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = if most <= points {
        (1..=most).collect()
    } else {
        (0..points).map(|at| 1 + at * (most - 1) / (points - 1).max(1)).collect()
    };
    chosen.dedup();
    chosen
}
