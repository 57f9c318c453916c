//! How the program is asked to end: Ctrl-C, a polite kill, a closed terminal.
//!
//! A signal is sent to the process, so the one that came is kept for the process: commands stop in
//! their own way, and [`failure`](crate::failure) turns it into the exit code that shells expect.
//! A signal that was ignored when the program started stays ignored: `nohup` asks for that, and
//! so does a script that starts the program in the background.

use std::sync::atomic::{AtomicI32, Ordering};

use anyhow::{Context, Result};

/// A request to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signal(i32);

/// What Ctrl-C sends; the only one where a system does not tell them apart.
const INTERRUPT: i32 = 2;
/// Shells count a program that a signal ended from here.
const SIGNALLED: u8 = 128;

/// The first signal that came; 0 before.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

impl Signal {
    /// SIGINT.
    pub(crate) const INTERRUPT: Self = Self(INTERRUPT);

    /// 129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM.
    pub(crate) const fn exit_code(self) -> u8 {
        SIGNALLED + self.0 as u8
    }
}

/// Whether the program has been asked to end, and how.
pub(crate) fn received() -> Option<Signal> {
    Some(Signal(RECEIVED.load(Ordering::Relaxed))).filter(|signal| signal.0 != 0)
}

/// Calls `act` on a thread of its own whenever the program is asked to end, for the first time or
/// again. To be called once.
pub(crate) fn watch(mut act: impl FnMut(Signal) + Send + 'static) -> Result<()> {
    let received = move |signal: i32| {
        let first = RECEIVED.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed);
        act(Signal(first.err().unwrap_or(signal)));
    };
    listen(received).context("Ctrl-C cannot be watched for")
}

#[cfg(unix)]
fn listen(mut received: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let heard =
        [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(heard)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            received(signal);
        }
    })?;
    Ok(())
}

/// The signals that whoever started the program had it ignore, a bit each; none where the system does
/// not say.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn listen(mut received: impl FnMut(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || received(INTERRUPT))
}
