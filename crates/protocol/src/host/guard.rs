//! Engines end with their host, however the host ends.
//!
//! A host that is killed cannot clean up. On Unix a shell waits for the end of a pipe that only the
//! host holds open and then kills the engine's process group: the engine, the scripts it was started
//! through and whatever they started. Linux has a parent-death signal for this, but it follows the
//! thread that started the engine, reaches only one process and needs `unsafe`; the pipe does
//! without all three, and works on every Unix.
//!
//! On Windows the engine belongs to a job object, with everything that it starts. The host alone holds
//! the job open, so the system ends all of them when the host ends.

use std::process::Child;

/// Kills the engine's group when this process ends without doing so itself.
pub(super) struct Guard {
    #[cfg(unix)]
    watcher: Option<Child>,
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

impl Guard {
    /// Guards the group that this child leads. A system without a shell goes unguarded.
    #[cfg(unix)]
    pub(super) fn over(engine: &Child) -> Self {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        // Nothing is ever written to the pipe: reading ends when the host does.
        const WATCH: &str = r#"while read -r line; do :; done; kill -s KILL -- "-$1""#;
        let watcher = Command::new("/bin/sh")
            .args(["-c", WATCH, "engine-guard", &engine.id().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Out of reach of a Ctrl-C that is meant for the host.
            .process_group(0)
            .spawn();
        Self { watcher: watcher.ok() }
    }

    /// Guards the engine and what it starts. An engine that may not join a job goes unguarded.
    #[cfg(windows)]
    pub(super) fn over(engine: &Child) -> Self {
        use std::os::windows::io::AsRawHandle;
        let mut limits = win32job::ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = win32job::Job::create_with_limit_info(&limits)
            .and_then(|job| job.assign_process(engine.as_raw_handle() as isize).map(|()| job));
        Self { job: job.ok() }
    }

    #[cfg(not(any(unix, windows)))]
    pub(super) fn over(_: &Child) -> Self {
        Self {}
    }

    /// Lets the watcher go. Must come before the engine is waited for: afterwards the number of its
    /// group may be somebody else's.
    #[cfg(unix)]
    pub(super) fn dismiss(&mut self) {
        if let Some(mut watcher) = self.watcher.take() {
            // It is gone already at worst.
            let _ = watcher.kill();
            let _ = watcher.wait();
        }
    }

    /// Ends what is left of the job.
    #[cfg(windows)]
    pub(super) fn dismiss(&mut self) {
        self.job = None;
    }

    #[cfg(not(any(unix, windows)))]
    pub(super) fn dismiss(&mut self) {}
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.dismiss();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    use super::*;

    #[test]
    fn the_group_is_killed_when_the_pipe_ends_and_only_then() {
        let start = || {
            let engine = Command::new("sleep").arg("60").process_group(0).spawn();
            let engine = engine.expect("sleep");
            let guard = Guard::over(&engine);
            (engine, guard)
        };
        let (mut engine, mut guard) = start();
        guard.dismiss();
        assert!(engine.try_wait().expect("a status").is_none(), "killed without need");
        engine.kill().expect("killed");
        engine.wait().expect("reaped");

        let (mut engine, mut guard) = start();
        // What the system does to the pipe of a host that is killed.
        drop(guard.watcher.as_mut().and_then(|watcher| watcher.stdin.take()));
        let status = engine.wait().expect("a status");
        assert_eq!(status.signal(), Some(9));
    }
}

#[cfg(all(test, windows))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_engine_ends_with_its_job_and_only_then() {
        // Waits for a key that never comes.
        let mut engine = Command::new("cmd")
            .args(["/c", "cmd /c pause"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("cmd");
        let mut guard = Guard::over(&engine);
        assert!(guard.job.is_some());
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(engine.try_wait().expect("a status").is_none(), "killed without need");
        // What the system does to the job of a host that is killed.
        guard.dismiss();
        engine.wait().expect("a status");
    }
}
