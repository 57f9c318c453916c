//! A conversation with an engine: lines out, awaited lines in, all of it within a limit.

use std::time::{Duration, Instant};

use collinear_play::StopFlag;

use super::fault::Fault;
use super::process::Process;
use crate::lines::{Input, MOST_BYTES};
use crate::quote::short;

/// How often the stop flag is looked at while an answer is awaited.
const STOP_CHECK: Duration = Duration::from_millis(10);
/// How long an engine that was told to stop may still take.
const STOP_PATIENCE: Duration = Duration::from_secs(2);

pub(super) struct Link {
    process: Process,
    goodbye: &'static str,
    stop_word: Option<&'static str>,
    deadline: Instant,
    limit: Duration,
    stop: Option<StopFlag>,
    asked: String,
    last: String,
}

impl Link {
    pub(super) fn open(
        command: &str,
        goodbye: &'static str,
        stop_word: Option<&'static str>,
    ) -> Result<Self, Fault> {
        let process = Process::start(command)?;
        let now = Instant::now();
        Ok(Self {
            process,
            goodbye,
            stop_word,
            deadline: now,
            limit: Duration::ZERO,
            stop: None,
            asked: String::new(),
            last: String::new(),
        })
    }

    /// What follows must be answered within this time.
    pub(super) fn limit(&mut self, limit: Duration, stop: Option<StopFlag>) {
        self.deadline = Instant::now() + limit;
        self.limit = limit;
        self.stop = stop;
    }

    /// Sends a line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.asked = short(line);
        self.last.clear();
        self.process.send(line)
    }

    /// Waits for the line that `answer` takes as one; other lines are passed over.
    pub(super) fn await_answer<T>(
        &mut self,
        mut answer: impl FnMut(&str) -> Option<Result<T, Fault>>,
    ) -> Result<T, Fault> {
        loop {
            let now = Instant::now();
            if self.stop.as_ref().is_some_and(StopFlag::is_stopped) {
                self.stop = None;
                if let Some(word) = self.stop_word {
                    self.process.send(word)?;
                }
                self.deadline = self.deadline.min(now + STOP_PATIENCE);
            }
            let left = self.deadline.saturating_duration_since(now);
            let wait = if self.stop.is_some() { left.min(STOP_CHECK) } else { left };
            match self.process.receive(wait) {
                None if left > wait => {}
                None => {
                    let (asked, last) = (self.asked.clone(), self.last.clone());
                    return Err(Fault::NoAnswer { asked, limit: self.limit, last });
                }
                Some(Input::Line(line)) => {
                    self.last = short(line.trim());
                    if let Some(result) = answer(line.trim()) {
                        return result;
                    }
                }
                Some(Input::TooLong) => return Err(Fault::LineTooLong(MOST_BYTES)),
                Some(Input::End) => {
                    let status = self.process.status();
                    let (asked, last) = (self.asked.clone(), self.last.clone());
                    return Err(Fault::Died { asked, status, last });
                }
            }
        }
    }

    /// The last line it said, shortened.
    pub(super) fn last_line(&self) -> &str {
        &self.last
    }

    /// Kills the engine and adds its error output to the fault.
    pub(super) fn blame(mut self, fault: Fault) -> Fault {
        self.process.kill();
        let stderr = self.process.stderr();
        self.goodbye = "";
        if stderr.is_empty() {
            return fault;
        }
        let tail: Vec<char> = stderr.chars().rev().take(300).collect();
        Fault::WithStderr { fault: Box::new(fault), stderr: tail.into_iter().rev().collect() }
    }

    /// Whether it ends by itself when its input is closed or it is told to.
    pub(super) fn ends_by_itself(mut self, word: Option<&str>, wait: Duration) -> bool {
        match word {
            Some(word) => drop(self.process.send(word)),
            None => self.process.close_input(),
        }
        self.goodbye = "";
        let deadline = Instant::now() + wait;
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            if self.process.receive(left) == Some(Input::End) {
                return true;
            }
        }
        false
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if !self.goodbye.is_empty() {
            self.process.end(self.goodbye);
        }
    }
}
