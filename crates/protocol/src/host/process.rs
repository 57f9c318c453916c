//! A child process with bounded pipes, killed with all its children when it is let go or when this
//! process ends.
//!
//! Three threads serve it: one writes its input (a deaf engine must not block us), one reads lines
//! off its output, one keeps the end of its error output.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::fault::EngineFault;
use super::guard::Guard;
use crate::lines::{Input, Lines};

/// Lines in flight in either direction; beyond them the pipes hold up whoever writes.
const MAX_LINES: usize = 256;
/// What is kept of the error output.
const STDERR_BYTES: usize = 2048;
/// How long an engine may take to end after it was told to.
const GOODBYE: Duration = Duration::from_millis(200);

pub(super) struct Process {
    child: Child,
    guard: Guard,
    to: Option<SyncSender<String>>,
    from: Receiver<Input>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    /// Disconnected when the error output has ended.
    stderr_ended: Receiver<()>,
    /// The group is killed and the child waited for.
    gone: bool,
}

impl Process {
    /// Starts a command, in this folder if one is given.
    pub(super) fn start(command: &str, folder: Option<&Path>) -> Result<Self, EngineFault> {
        let failed = |reason: String| EngineFault::Start { command: command.to_owned(), reason };
        let words = split(command).ok_or_else(|| failed("a quote is not closed".to_owned()))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| failed("cmd=… is missing".to_owned()))?;
        // Whether a relative program is looked up before or after the folder changes depends on the
        // system: say it.
        let names_a_folder = program.contains(std::path::is_separator);
        let inside = folder.filter(|_| names_a_folder).map(|folder| folder.join(program));
        let mut command = inside.map_or_else(|| Command::new(program), Command::new);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut command);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let guard = Guard::over(&child);
        let (to, outbox) = mpsc::sync_channel::<String>(MAX_LINES);
        let (inbox, from) = mpsc::sync_channel(MAX_LINES);
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let (at_end, stderr_ended) = mpsc::channel();
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_lines(stdin, &outbox));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &inbox));
        }
        if let Some(pipe) = child.stderr.take() {
            let tail = Arc::clone(&stderr);
            thread::spawn(move || {
                keep_tail(pipe, &tail);
                drop(at_end);
            });
        }
        Ok(Self { child, guard, to: Some(to), from, stderr, stderr_ended, gone: false })
    }

    /// The process number.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn send(&self, line: &str) -> Result<(), EngineFault> {
        let sent = self.to.as_ref().map(|to| to.try_send(line.to_owned()));
        match sent {
            Some(Err(mpsc::TrySendError::Full(_))) => Err(EngineFault::Deaf),
            // That its input is closed shows when the answer is awaited.
            _ => Ok(()),
        }
    }

    /// The next thing it says; none when nothing came in time.
    pub(super) fn receive(&self, wait: Duration) -> Option<Input> {
        match self.from.recv_timeout(wait) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Input::End),
        }
    }

    /// The end of the error output of a process that was killed.
    pub(super) fn stderr(&self) -> String {
        // What it wrote before it died may still be in the pipe.
        let _ = self.stderr_ended.recv_timeout(GOODBYE);
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = tail.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// What to call the end of its output: a crash when the process has ended, or else a closed
    /// connection. The process stays to be reaped, so that its group cannot become somebody else's.
    pub(super) fn end_fault(&mut self, asked: String, last: String) -> EngineFault {
        for _ in 0..20 {
            if let Some(status) = peek_status(&mut self.child) {
                return EngineFault::Crashed { asked, status, last };
            }
            thread::sleep(Duration::from_millis(5));
        }
        EngineFault::Disconnected { asked, last }
    }

    /// Says the last word, waits a moment, and kills what is left of the group.
    pub(super) fn end(&mut self, goodbye: &str) {
        // Whatever fails here, the group is killed below.
        let _ = self.send(goodbye);
        self.to = None;
        let deadline = Instant::now() + GOODBYE;
        while let Some(wait) = deadline.checked_duration_since(Instant::now()) {
            if self.receive(wait) == Some(Input::End) {
                break;
            }
        }
        self.kill();
    }

    pub(super) fn kill(&mut self) {
        if !std::mem::replace(&mut self.gone, true) {
            kill_group(&mut self.child);
            self.guard.dismiss();
            let _ = self.child.wait();
        }
    }

    /// Closes its input, as a host that dies would.
    pub(super) fn close_input(&mut self) {
        self.to = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_lines(mut stdin: impl Write, outbox: &Receiver<String>) {
    while let Ok(mut line) = outbox.recv() {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, inbox: &SyncSender<Input>) {
    let mut lines = Lines::new(stdout);
    loop {
        let input = lines.next();
        let last = input == Input::End;
        if inbox.send(input).is_err() || last {
            return;
        }
    }
}

fn keep_tail(mut pipe: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&buffer[..count]);
        let excess = tail.len().saturating_sub(STDERR_BYTES);
        tail.drain(..excess);
    }
}

/// The words of a command line: blanks separate, double quotes and backslashes keep them.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut signs = command.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' if cfg!(unix) => word.get_or_insert_default().push(signs.next()?),
            blank if blank.is_whitespace() && !quoted => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

/// The command line that [`split`] takes apart into these words.
pub(super) fn join(words: &[String]) -> String {
    let quoted = |word: &String| {
        let escaped =
            if cfg!(unix) { word.replace('\\', r"\\").replace('"', r#"\""#) } else { word.clone() };
        format!("\"{escaped}\"")
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    // The child leads its group and is not reaped yet, so the number is still its own.
    let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
}

#[cfg(unix)]
fn peek_status(child: &mut Child) -> Option<String> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use nix::unistd::Pid;
    let id = Id::Pid(Pid::from_raw(child.id() as i32));
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT | WaitPidFlag::WNOHANG;
    match waitid(id, flags) {
        Ok(WaitStatus::Exited(_, code)) => Some(format!("exit code {code}")),
        Ok(WaitStatus::Signaled(_, signal, _)) => Some(format!("killed by {signal}")),
        _ => None,
    }
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

/// What it started dies with its guard.
#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// A process that has ended keeps its number while we hold its handle.
#[cfg(not(unix))]
fn peek_status(child: &mut Child) -> Option<String> {
    let code = child.try_wait().ok()??.code()?;
    // The codes of crashes are known by their hexadecimal form.
    Some(if code < 0 { format!("exit code {code:#x}") } else { format!("exit code {code}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_split_at_blanks() {
        let words = |text| split(text).map(|words| words.join("|"));
        assert_eq!(words("a  b"), Some("a|b".to_owned()));
        assert_eq!(words(r#""my engine" -x """#), Some("my engine|-x|".to_owned()));
        assert_eq!(words(r#""open"#), None);
        let hard = [r"a\b", "two words", r#"a"quote"#, ""].map(str::to_owned);
        assert_eq!(split(&join(&hard)), Some(hard.to_vec()));
    }
}
