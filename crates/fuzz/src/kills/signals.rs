//! Signals at random moments.

use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rand::Rng;
use rand::seq::IndexedRandom;

use crate::jobs::{Found, Place};
use crate::{Calm, Disturbed, go_on};

/// Half of all ends are kills; the others are what a terminal and a system ask with.
const SIGNALS: &[(&str, i32)] =
    &[("KILL", 9), ("KILL", 9), ("KILL", 9), ("TERM", 15), ("INT", 2), ("HUP", 1)];
/// A command that is asked to end and does not hangs.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(1);
/// Runs take longer when the machine is busy: moments are drawn from so much of a calm one.
const SPAN: f64 = 1.1;

/// Ends the command so many times at random moments, and begins it again each time.
pub(crate) fn disturb(
    calm: &Calm<'_>,
    folder: &Path,
    ends: usize,
    random: &mut impl Rng,
) -> Result<Disturbed> {
    let mut done = Disturbed::default();
    let place = Place { program: calm.program, folder };
    let ignored = ignored();
    let signals: Vec<(&str, i32)> =
        SIGNALS.iter().copied().filter(|(_, number)| ignored >> (number - 1) & 1 == 0).collect();
    calm.begin(folder)?;
    let mut before: Found = vec![None; calm.found.len()];
    while done.ended < ends {
        let mut child = place.command(calm.job.command).spawn().context("the program")?;
        let wait = calm.time.mul_f64(random.random_range(0.0..SPAN));
        let (word, number) = *signals.choose(random).unwrap_or(&SIGNALS[0]);
        let mut ended = wait_for(&mut child, wait)?;
        if ended.is_none() {
            let began = Instant::now();
            send(&mut child, word)?;
            ended = wait_for(&mut child, PATIENCE)?;
            done.slowest = done.slowest.max(began.elapsed());
            done.ended += 1;
            let said = match &ended {
                None => Some(format!("does not end by {word}")),
                Some(status) if !fits(status, number) => Some(format!("{status} by {word}")),
                Some(_) => None,
            };
            done.failures.extend(said);
            if ended.is_none() {
                child.kill()?;
                child.wait()?;
            }
        }
        let now = calm.job.found(&place)?;
        done.failures.extend(calm.job.check(&now, &before, &calm.found).err());
        before = now;
        if ended.is_some_and(|status| status.success()) {
            done.failures.extend(calm.check_end(folder)?.err());
            done.finished += 1;
            calm.begin(folder)?;
            before.fill(None);
        }
    }
    done.failures.extend(go_on(calm, folder)?.err());
    done.finished += 1;
    Ok(done)
}

/// The signals that this program was started to ignore, a bit each: those it starts ignore them, too.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Waits so long for the end.
fn wait_for(child: &mut Child, most: Duration) -> Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        let ended = child.try_wait()?;
        if ended.is_some() || began.elapsed() >= most {
            return Ok(ended);
        }
        thread::sleep(LOOK);
    }
}

#[cfg(unix)]
fn send(child: &mut Child, word: &str) -> Result<()> {
    let id = child.id().to_string();
    Command::new("kill").args(["-s", word, &id]).status().context("kill").map(drop)
}

#[cfg(not(unix))]
fn send(child: &mut Child, _: &str) -> Result<()> {
    let _ = Command::new("true");
    child.kill().map_err(Into::into)
}

/// Whether a program that was sent this signal may end so: it had just finished, says which signal it
/// was, or was ended by it.
#[cfg(unix)]
fn fits(status: &ExitStatus, signal: i32) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.success() || status.code() == Some(128 + signal) || status.signal() == Some(signal)
}

#[cfg(not(unix))]
fn fits(_: &ExitStatus, _: i32) -> bool {
    true
}
