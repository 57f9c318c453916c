//! When things happen by themselves: clocks run, and a turn found early waits for its time.

use std::time::Duration;

use collinear_play::instant::Instant;
use collinear_play::{Thought, Turn};

use super::Room;
use crate::wire::Purpose;

/// The least time before an agent answers a person: an instant answer is missed by the eye.
const ANSWER_PACE: Duration = Duration::from_millis(200);

/// A turn that was found, with why.
pub(super) struct ReadyTurn {
    pub(super) turn: Turn,
    pub(super) thought: Thought,
    pub(super) words: Option<String>,
}

/// The times of a room.
pub(super) struct Pace {
    /// A turn that waits for its time.
    pub(super) held: Option<(Instant, ReadyTurn)>,
    /// When the turn being played began.
    pub(super) turn_began: Instant,
    /// Up to when the running clock has paid.
    pub(super) charged: Instant,
}

impl Pace {
    pub(super) const fn new(now: Instant) -> Self {
        Self { held: None, turn_began: now, charged: now }
    }
}

impl Room {
    /// When it wants to be called without an event: a held turn is due, a clock runs out.
    pub fn next_wake(&self) -> Option<Instant> {
        let held = self.pace.held.as_ref().map(|(due, ..)| *due);
        let flag = (self.game.clock_runs() && !self.is_queued() && self.somebody_plays())
            .then(|| self.pace.charged + self.game.left());
        [held, flag, self.searches.hangs_at()].into_iter().flatten().min()
    }

    /// Plays a turn whose time has come, and ends a game whose agent does not come back.
    pub(super) fn on_time(&mut self) {
        let now = self.now;
        if let Some((_, ready)) = self.pace.held.take_if(|(due, _)| *due <= now) {
            self.play_turn(ready);
        }
        if self.searches.hangs_at().is_some_and(|at| at <= now) {
            self.give_up_on_agent();
        }
    }

    /// An agent in the queue does not pay for the time it waits, nor for what the coach says.
    fn is_queued(&self) -> bool {
        self.searches.is_queued(Purpose::Turn) || self.coach.holds()
    }

    /// Takes the time since the last look off the running clock.
    pub(super) fn charge(&mut self) {
        let time = self.now.duration_since(self.pace.charged);
        self.pace.charged = self.now;
        let runs = self.game.clock_runs() && !self.is_queued() && self.somebody_plays();
        if runs && self.game.spend(time) {
            self.friends_played();
            self.changed();
        }
    }

    /// When a turn that is found now may be shown.
    pub(super) fn due(&self) -> Instant {
        let least = if self.game.is_for_watching() {
            Duration::from_millis(u64::from(self.game.pace_ms))
        } else {
            ANSWER_PACE
        };
        self.pace.turn_began + least
    }
}
