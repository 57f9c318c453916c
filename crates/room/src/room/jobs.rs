//! The jobs of a room: each is started once, and cancelled as soon as nobody wants it any more.
//!
//! Who asked for a job keeps its number. After every step the room compares what runs with what is
//! still wanted and cancels the rest, so no place that drops a number can forget to.

use super::Effect;
use crate::work::{Job, JobNumber, Work};

#[derive(Default)]
pub(super) struct Jobs {
    count: u64,
    /// Started, and not done.
    running: Vec<JobNumber>,
}

impl Jobs {
    /// Starts a piece of work.
    pub(super) fn start(&mut self, work: Work, effects: &mut Vec<Effect>) -> JobNumber {
        self.count += 1;
        let number = JobNumber(self.count);
        self.running.push(number);
        effects.push(Effect::Start(Job { number, work }));
        number
    }

    /// A job has ended by itself.
    pub(super) fn done(&mut self, number: JobNumber) {
        self.running.retain(|running| *running != number);
    }

    /// Cancels what is not wanted any more.
    pub(super) fn keep_only(&mut self, wanted: &[JobNumber], effects: &mut Vec<Effect>) {
        self.running.retain(|number| {
            let is_wanted = wanted.contains(number);
            if !is_wanted {
                effects.push(Effect::Cancel(*number));
            }
            is_wanted
        });
    }

    /// How many run.
    pub(super) fn running(&self) -> usize {
        self.running.len()
    }
}
