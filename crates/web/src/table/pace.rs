//! When things happen by themselves: clocks run, and a turn found early waits for its time.

use std::time::{Duration, Instant};

use collinear_play::Turn;

use super::Table;
use crate::wire::{Purpose, Seat};

/// The least time before an agent answers a person: an instant answer is missed by the eye.
const ANSWER_PACE: Duration = Duration::from_millis(200);

/// The times of a table.
pub(super) struct Pace {
    /// A turn that waits for its time.
    pub(super) held: Option<(Instant, Turn)>,
    /// When the turn being played began.
    pub(super) turn_began: Instant,
    /// Up to when the running clock has paid.
    pub(super) charged: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        let now = Instant::now();
        Self { held: None, turn_began: now, charged: now }
    }
}

impl Table {
    /// When something happens by itself: a held turn is due, a clock runs out.
    pub(super) fn next_wake(&self) -> Option<Instant> {
        let held = self.pace.held.as_ref().map(|(due, _)| *due);
        let flag = (self.game.clock_runs() && !self.is_queued()).then(|| {
            let left = self.game.left_ms[self.game.position().to_move().index()];
            self.pace.charged + Duration::from_millis(u64::from(left))
        });
        [held, flag].into_iter().flatten().min()
    }

    /// Plays a turn whose time has come.
    pub(super) fn on_time(&mut self) {
        if self.pace.held.as_ref().is_some_and(|(due, _)| *due <= Instant::now())
            && let Some((_, turn)) = self.pace.held.take()
        {
            self.play_turn(&turn);
        }
    }

    /// An agent in the queue does not pay for the time it waits.
    fn is_queued(&self) -> bool {
        self.searches.is_queued(Purpose::Turn)
    }

    /// Takes the time since the last look off the running clock.
    pub(super) fn charge(&mut self) {
        let now = Instant::now();
        let ms = now.duration_since(self.pace.charged).as_millis() as u32;
        if !self.game.clock_runs() || self.is_queued() || self.audience.is_empty() {
            self.pace.charged = now;
        } else if ms > 0 {
            self.pace.charged = now;
            if self.game.spend(ms) {
                self.changed();
            }
        }
    }

    /// When a turn that is found now may be shown.
    pub(super) fn due(&self) -> Instant {
        let least = if self.game.seats.contains(&Seat::Person) {
            ANSWER_PACE
        } else {
            Duration::from_millis(u64::from(self.game.pace_ms))
        };
        self.pace.turn_began + least
    }
}
