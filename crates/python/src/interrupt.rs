//! Long work that Ctrl-C can stop: it runs on a thread of its own without the interpreter's lock,
//! while the caller's thread looks for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use collinear_play::StopFlag;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Runs the work. A signal sets the flag, and its exception is raised when the work has ended.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut inbox) = mpsc::channel();
    thread::Builder::new().name("collinear".to_owned()).spawn(move || {
        // Whoever waits learns of a panic by the silence; nobody else cares.
        if let Ok(result) = catch_unwind(AssertUnwindSafe(work)) {
            let _ = sender.send(result);
        }
    })?;
    let mut signal = None;
    loop {
        let heard;
        (inbox, heard) = py.detach(move || {
            let heard = inbox.recv_timeout(LOOK);
            (inbox, heard)
        });
        match heard {
            Ok(result) => return signal.map_or(Ok(result), Err),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(signal.unwrap_or_else(|| {
                    PyRuntimeError::new_err("the work panicked: this is a bug of collinear")
                }));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(raised) = py.check_signals() {
                    stop.stop();
                    signal = Some(raised);
                }
            }
        }
    }
}
