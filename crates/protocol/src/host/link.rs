//! A conversation with an engine: lines out, awaited lines in, all of it within a limit.

use std::time::{Duration, Instant};

use collinear_play::StopFlag;

use super::EngineConfig;
use super::fault::EngineFault;
use super::log::Log;
use super::process::Process;
use crate::lines::{Input, MAX_BYTES};
use crate::quote::short;

/// How often the stop flag is looked at while an answer is awaited.
const STOP_CHECK: Duration = Duration::from_millis(10);
/// How long an engine that was told to stop may still take.
const STOP_PATIENCE: Duration = Duration::from_secs(2);
/// Lines left over from earlier that are dropped before a question; a flood beyond them is heard
/// while the answer is awaited.
const MAX_STALE_LINES: usize = 4096;

/// How long most engines are left alone after they have spoken: some print their turn a moment
/// before they listen again, and drop what comes in between; some say more than their answer, which
/// would else be heard as the next one.
pub(super) const PAUSE: Duration = Duration::from_millis(5);

/// The words a protocol has for every conversation.
#[derive(Clone, Copy)]
pub(super) struct Conventions {
    /// The last word of a session.
    pub(super) goodbye: &'static str,
    /// Ends a turn early, where there is a word for it.
    pub(super) stop: Option<&'static str>,
    /// How long an engine that has just said something must be left alone before it is spoken to.
    pub(super) pause: Duration,
}

/// What a line means to whoever waits for an answer.
pub(super) enum Heard<T> {
    /// The answer.
    Answer(T),
    /// The answer, with a remark for the log.
    Remarkable(T, &'static str),
    /// Nothing.
    Chatter,
    /// Nothing that is known: the engine's fault if these were its last words and no answer comes in
    /// time.
    Unclear(EngineFault),
    /// Perhaps an answer gone wrong: the engine's fault if nothing better comes in time.
    NearMiss(EngineFault),
    /// Certainly an answer, and a wrong one.
    EngineFault(EngineFault),
}

pub(super) struct Link {
    process: Process,
    log: Log,
    conventions: Conventions,
    /// Whether the engine still has to be told goodbye.
    open: bool,
    deadline: Instant,
    limit: Duration,
    stop: Option<StopFlag>,
    asked: String,
    last: String,
    last_heard: Instant,
}

impl Link {
    pub(super) fn open(
        config: &EngineConfig,
        conventions: Conventions,
    ) -> Result<Self, EngineFault> {
        let process = Process::start(&config.command, config.folder.as_deref())?;
        let log =
            Log::open(config.log.as_deref(), process.id()).map_err(|error| EngineFault::Start {
                command: config.command.clone(),
                reason: format!("its log cannot be written: {error}"),
            })?;
        let now = Instant::now();
        Ok(Self {
            process,
            log,
            conventions,
            open: true,
            deadline: now,
            limit: Duration::ZERO,
            stop: None,
            asked: String::new(),
            last: String::new(),
            last_heard: now,
        })
    }

    /// Begins a question that must be answered within this time. What the engine said before it
    /// answers nothing any more and is dropped.
    pub(super) fn question(&mut self, limit: Duration, stop: Option<StopFlag>) {
        self.pause();
        for _ in 0..MAX_STALE_LINES {
            match self.process.receive(Duration::ZERO) {
                Some(Input::Line(line)) => {
                    self.log.heard(&line);
                    self.log.note("came before the question: dropped");
                }
                Some(Input::TooLong) => self.log.note("a line without end: dropped"),
                // That it has ended shows again when the answer is awaited.
                Some(Input::End) | None => break,
            }
        }
        self.deadline = Instant::now() + limit;
        self.limit = limit;
        self.stop = stop;
    }

    /// Gives an engine that has just spoken the time to listen again.
    fn pause(&self) {
        let rest = self.conventions.pause.saturating_sub(self.last_heard.elapsed());
        if !rest.is_zero() {
            std::thread::sleep(rest);
        }
    }

    /// Sends a line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), EngineFault> {
        self.asked = short(line);
        self.last.clear();
        self.send(line)
    }

    fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        self.log.sent(line);
        self.process.send(line)
    }

    /// Waits for the line that `answer` takes as one; other lines are passed over.
    pub(super) fn await_answer<T>(
        &mut self,
        mut answer: impl FnMut(&str) -> Heard<T>,
    ) -> Result<T, EngineFault> {
        let (mut near_miss, mut unclear) = (None, None);
        loop {
            let now = Instant::now();
            if self.stop.as_ref().is_some_and(StopFlag::is_stopped) {
                self.stop = None;
                if let Some(word) = self.conventions.stop {
                    self.send(word)?;
                }
                self.deadline = self.deadline.min(now + STOP_PATIENCE);
            }
            let left = self.deadline.saturating_duration_since(now);
            let wait = if self.stop.is_some() { left.min(STOP_CHECK) } else { left };
            match self.process.receive(wait) {
                None if left > wait => {}
                None => return Err(near_miss.or(unclear).unwrap_or_else(|| self.silence())),
                Some(Input::Line(line)) => {
                    let line = line.trim();
                    self.last = short(line);
                    self.last_heard = Instant::now();
                    self.log.heard(line);
                    unclear = None;
                    match answer(line) {
                        Heard::Answer(answer) => return Ok(answer),
                        Heard::Remarkable(answer, remark) => {
                            self.log.note(remark);
                            return Ok(answer);
                        }
                        Heard::Chatter => {}
                        Heard::Unclear(fault) => unclear = Some(fault),
                        Heard::NearMiss(fault) => {
                            self.log.note("not in the form of an answer: passed over");
                            near_miss = Some(fault);
                        }
                        Heard::EngineFault(fault) => return Err(fault),
                    }
                    // A flood must not carry us past the limit.
                    if left.is_zero() {
                        return Err(near_miss.or(unclear).unwrap_or_else(|| self.silence()));
                    }
                }
                Some(Input::TooLong) => return Err(EngineFault::LineTooLong(MAX_BYTES)),
                Some(Input::End) => {
                    let (asked, last) = (self.asked.clone(), self.last.clone());
                    return Err(self.process.end_fault(asked, last));
                }
            }
        }
    }

    fn silence(&self) -> EngineFault {
        let (asked, last) = (self.asked.clone(), self.last.clone());
        EngineFault::NoAnswer { asked, limit: self.limit, last }
    }

    /// The last line it said, shortened.
    pub(super) fn last_line(&self) -> &str {
        &self.last
    }

    /// Kills the engine and adds its error output to the fault.
    pub(super) fn blame(mut self, fault: EngineFault) -> EngineFault {
        self.log.note(&fault.to_string());
        self.process.kill();
        let stderr = self.process.stderr();
        self.open = false;
        if stderr.is_empty() {
            return fault;
        }
        let tail: Vec<char> = stderr.chars().rev().take(300).collect();
        EngineFault::WithStderr { fault: Box::new(fault), stderr: tail.into_iter().rev().collect() }
    }

    /// Whether it ends by itself when its input is closed or it is told to.
    pub(super) fn ends_by_itself(mut self, word: Option<&str>, wait: Duration) -> bool {
        match word {
            Some(word) => drop(self.process.send(word)),
            None => self.process.close_input(),
        }
        self.open = false;
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
        if self.open {
            self.log.sent(self.conventions.goodbye);
            self.process.end(self.conventions.goodbye);
        }
    }
}
