//! Agents on threads of their own, so that the screen stays alive while they think.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::thread;

use collinear_play::{Agent, Budget, Report, Turn};
use collinear_rules::Position;

/// A position to think about.
pub(crate) struct Job {
    /// Comes back with every answer.
    pub(crate) id: u64,
    pub(crate) position: Position,
    pub(crate) budget: Budget,
}

/// What an agent says, and about which job.
pub(crate) struct Answer {
    pub(crate) id: u64,
    pub(crate) said: Said,
}

pub(crate) enum Said {
    /// Thinking aloud.
    Report(Report),
    /// The stones chosen.
    Turn(Turn),
    /// No stones, and why.
    Failed(String),
}

/// Gives an agent a thread; it ends when the sender of jobs is dropped.
pub(crate) fn spawn(mut agent: Box<dyn Agent>, answers: Sender<Answer>) -> Sender<Job> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    thread::spawn(move || {
        agent.new_game();
        while let Ok(Job { id, position, budget }) = inbox.recv() {
            let say = |said| answers.send(Answer { id, said }).is_ok();
            let chosen = catch_unwind(AssertUnwindSafe(|| {
                agent.choose(&position, &budget, &mut |report| {
                    say(Said::Report(report.clone()));
                })
            }));
            let said = match chosen {
                Ok(Ok(turn)) => Said::Turn(turn),
                Ok(Err(error)) => Said::Failed(error.to_string()),
                Err(_) => Said::Failed("the agent crashed".to_owned()),
            };
            if !say(said) {
                return;
            }
        }
    });
    jobs
}
