//! The clocks of a game: what a turn costs, and what an agent may spend.

use std::time::Duration;

use collinear_play::{Budget, Clock};
use collinear_rules::Player;

use super::Game;
use crate::wire::{EndingReason, Timing};

impl Game {
    pub(super) fn finish_turn(&mut self, player: Player) {
        if let Timing::Clock { increment_ms, .. } = self.timing {
            let left = &mut self.left_ms[player.index()];
            *left = left.saturating_add(increment_ms);
            self.tree.set_clocks(self.current, self.left_ms);
        }
    }

    /// Takes time off the clock of the player to move; true when it has run out.
    pub(crate) fn spend(&mut self, ms: u32) -> bool {
        let player = self.position.to_move();
        let left = &mut self.left_ms[player.index()];
        *left = left.saturating_sub(ms);
        if *left == 0 && self.clock_runs() {
            self.end(player.opponent(), EndingReason::Time);
            return true;
        }
        false
    }

    /// Whether a clock is running: from the second turn on, while the game goes on.
    pub(crate) fn clock_runs(&self) -> bool {
        matches!(self.timing, Timing::Clock { .. })
            && self.live
            && !self.paused
            && self.ending().is_none()
            && !self.players.is_empty()
            && self.trouble.is_none()
    }

    /// What the agent to move may spend on this turn.
    pub(crate) fn budget(&self) -> Budget {
        match self.timing {
            Timing::Turn { ms } => Budget::time(Duration::from_millis(u64::from(ms))),
            Timing::Clock { increment_ms, .. } => {
                let left = self.left_ms[self.position.to_move().index()];
                Budget {
                    clock: Some(Clock {
                        left: Duration::from_millis(u64::from(left)),
                        increment: Duration::from_millis(u64::from(increment_ms)),
                    }),
                    ..Budget::default()
                }
            }
        }
    }
}
