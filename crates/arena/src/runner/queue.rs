//! What is to be played next: the games of the plan in order, without those that are done. The games
//! of a Swiss round wait for the round before.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_play::StopFlag;

use super::{Job, Shard};
use crate::game::GameSummary;
use crate::plan::{Fixture, Schedule};
use crate::swiss::Swiss;

/// How often a worker that waits for a round looks whether the run is called off.
const LOOK: Duration = Duration::from_millis(50);

/// The games that are left.
pub(super) struct Queue {
    schedule: Schedule,
    shard: Shard,
    players: usize,
    seed: u64,
    done: HashSet<u64>,
    pause: StopFlag,
    state: Mutex<State>,
    drawn: Condvar,
}

#[derive(Default)]
struct State {
    /// No smaller number is left.
    next: u64,
    /// The round that is being played, where rounds are drawn.
    round: Option<DrawnRound>,
}

struct DrawnRound {
    stage: u64,
    matchups: Vec<(usize, usize)>,
    /// Games of it that are not on disk.
    open: HashSet<u64>,
}

impl Queue {
    /// All games of a job but those that are on disk.
    pub(super) fn new(job: &Job, games: &[GameSummary]) -> Self {
        let queue = Self {
            schedule: job.plan.schedule(job.games),
            shard: job.shard,
            players: job.plan.contestants.len(),
            seed: job.plan.seed,
            done: games.iter().map(|game| game.number).collect(),
            pause: job.pause.clone(),
            state: Mutex::default(),
            drawn: Condvar::new(),
        };
        if queue.schedule.is_drawn() {
            queue.draw(games);
        }
        queue
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game nobody has played; none when there is none, or the run is paused or
    /// called off.
    pub(super) fn take(&self, stop: &StopFlag) -> Option<Fixture> {
        let mut state = self.state();
        while state.next < self.schedule.end() && !stop.is_stopped() && !self.pause.is_stopped() {
            let number = state.next;
            if self.schedule.is_drawn() {
                let stage = self.schedule.stage_of(number);
                match state.round.as_ref().map(|round| round.stage) {
                    // All rounds are played.
                    None => return None,
                    Some(drawn) if drawn < stage => {
                        let waited = self.drawn.wait_timeout(state, LOOK);
                        state = waited.unwrap_or_else(PoisonError::into_inner).0;
                        continue;
                    }
                    Some(_) => {}
                }
            }
            state.next += 1;
            let fixture = self.fixture(&state, number).filter(|fixture| {
                !self.done.contains(&number) && fixture.pair % self.shard.of == self.shard.index
            });
            if fixture.is_some() {
                return fixture;
            }
        }
        None
    }

    fn fixture(&self, state: &State, number: u64) -> Option<Fixture> {
        match &state.round {
            // What stands before the round that is being played is done.
            Some(round) if self.schedule.stage_of(number) != round.stage => None,
            Some(round) => self.schedule.fixture(number, &round.matchups),
            None => self.schedule.get(number),
        }
    }

    /// Hears that games are on disk. True when that was the last of a round: the next one is to be
    /// [drawn](Self::draw).
    pub(super) fn heard(&self, numbers: impl Iterator<Item = u64>) -> bool {
        let mut state = self.state();
        let Some(round) = &mut state.round else { return false };
        for number in numbers {
            round.open.remove(&number);
        }
        round.open.is_empty()
    }

    /// Draws the first round that is not complete by the games on disk.
    pub(super) fn draw(&self, games: &[GameSummary]) {
        let next = Swiss::next(self.players, &self.schedule, self.seed, games);
        let played: HashSet<u64> = games.iter().map(|game| game.number).collect();
        let round = next.map(|(stage, drawn)| DrawnRound {
            stage,
            matchups: drawn.meetings,
            open: self.schedule.stage(stage).filter(|number| !played.contains(number)).collect(),
        });
        let mut state = self.state();
        state.round = round;
        self.drawn.notify_all();
    }
}
