//! The jobs of a room: each is started once, and cancelled as soon as nobody wants it any more.
//!
//! Who asked for a job keeps its number. After every step the room compares what runs with what is
//! still wanted and cancels the rest, so no place that drops a number can forget to.

use std::collections::BTreeSet;

use super::Effect;
use crate::work::{Job, JobNumber, Work};

#[derive(Default)]
pub(super) struct Jobs {
    count: u64,
    /// Started, and not done.
    running: BTreeSet<JobNumber>,
}

impl Jobs {
    /// Starts a piece of work.
    pub(super) fn start(&mut self, work: Work, effects: &mut Vec<Effect>) -> JobNumber {
        self.count += 1;
        let number = JobNumber(self.count);
        self.running.insert(number);
        effects.push(Effect::Start(Job { number, work }));
        number
    }

    /// A job has ended by itself.
    pub(super) fn done(&mut self, number: JobNumber) {
        self.running.remove(&number);
    }

    /// Cancels what is not wanted any more.
    pub(super) fn keep_only(&mut self, wanted: &BTreeSet<JobNumber>, effects: &mut Vec<Effect>) {
        let unwanted = self.running.difference(wanted).copied();
        effects.extend(unwanted.map(Effect::Cancel));
        self.running.retain(|number| wanted.contains(number));
    }

    /// How many run.
    pub(super) fn running(&self) -> usize {
        self.running.len()
    }
}
