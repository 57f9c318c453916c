//! Matches and tournaments that a page starts: played by the arena's runner on one worker, kept in
//! the file of results like any other run, and watched there.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_arena::{Job, OpeningSource, RunSpec, Store, run};
use collinear_play::{Registry, StopFlag, TimeControl};
use collinear_room::wire::{NewMatch, Seat};
use collinear_room::{rules_of, seat};
use rand::Rng;

use crate::Log;

/// The most players of a tournament.
const MAX_PLAYERS: usize = 8;
/// The most games of a matchup.
const MAX_GAMES: u32 = 1000;
/// The longest turn.
const MAX_TURN_MS: u32 = 60_000;
/// The most stones before each pair of games.
const MAX_OPENING: u32 = 20;
/// Matches of pages at once: each takes a core.
const MAX_RUNNING: usize = 1;
/// How often a match that was told to end is looked after.
const SHUT_LOOK: Duration = Duration::from_millis(10);

/// The matches that pages have started and that still run.
#[derive(Clone, Default)]
pub(crate) struct Matches(Arc<Mutex<HashMap<String, StopFlag>>>);

/// What a match is played with.
pub(crate) struct Ground {
    /// All agents.
    pub(crate) registry: Registry,
    /// The file of results.
    pub(crate) results: PathBuf,
    /// Names this very program: games of different ones are kept apart.
    pub(crate) build: String,
    /// Hears what went wrong.
    pub(crate) log: Log,
}

impl Matches {
    fn running(&self) -> MutexGuard<'_, HashMap<String, StopFlag>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a match and returns the name of its run. Opens the file of results: not for an async
    /// task.
    pub(crate) fn start(&self, ground: Ground, new: &NewMatch) -> Result<String, String> {
        let job = job(&ground, new)?;
        let id = job.plan.run_id(&job.build);
        let stop = StopFlag::default();
        {
            let mut running = self.running();
            if running.len() >= MAX_RUNNING {
                return Err("a match is being played already: stop it or wait for its end".into());
            }
            running.insert(id.clone(), stop.clone());
        }
        let begun = self.spawn(job, ground, id.clone(), stop);
        if begun.is_err() {
            self.running().remove(&id);
        }
        begun.map(|()| id)
    }

    fn spawn(&self, job: Job, ground: Ground, id: String, stop: StopFlag) -> Result<(), String> {
        let store = Arc::new(Store::open(&ground.results).map_err(|error| error.to_string())?);
        // The run is in the list from now on.
        store
            .begin(&job.plan, &job.build, &job.name, job.plan.schedule(job.games).len())
            .map_err(|error| error.to_string())?;
        let matches = self.clone();
        let work = move || {
            if let Err(error) = run(&job, &store, &stop, &mut |_| {}) {
                (ground.log)(&format!("run {id}: {error}"));
            }
            matches.running().remove(&id);
        };
        let thread = std::thread::Builder::new().name("match".to_owned());
        thread.spawn(work).map(drop).map_err(|error| error.to_string())
    }

    /// Ends all matches and waits until they have.
    pub(crate) async fn shut(&self) {
        self.running().values().for_each(StopFlag::stop);
        while !self.running().is_empty() {
            tokio::time::sleep(SHUT_LOOK).await;
        }
    }

    /// Ends a match; what was played stays. False when no page started it or it is over.
    pub(crate) fn stop(&self, run: &str) -> bool {
        self.running().get(run).inspect(|stop| stop.stop()).is_some()
    }
}

fn job(ground: &Ground, new: &NewMatch) -> Result<Job, String> {
    let rules = rules_of(&new.rules).map_err(|error| error.to_string())?;
    if !(2..=MAX_PLAYERS).contains(&new.players.len()) {
        return Err(format!("a match has 2 players, a tournament up to {MAX_PLAYERS}"));
    }
    if !(1..=MAX_GAMES).contains(&new.games)
        || !(1..=MAX_TURN_MS).contains(&new.time_ms)
        || new.openings > MAX_OPENING
    {
        return Err(format!(
            "from 1 to {MAX_GAMES} games, up to {} seconds per turn and {MAX_OPENING} stones of \
             an opening can be asked for",
            MAX_TURN_MS / 1000
        ));
    }
    for spec in &new.players {
        // The same limits as for a seat at the board.
        let wanted = Seat::Agent { spec: spec.clone(), label: String::new() };
        seat(&ground.registry, &rules, wanted).map_err(|error| error.to_string())?;
    }
    let spec = RunSpec {
        limits: TimeControl::turn(Duration::from_millis(u64::from(new.time_ms))),
        openings: OpeningSource::Word(format!("random:{}", new.openings)),
        opening_rule: new.opening_rule.map(Into::into),
        seed: rand::rng().random(),
        ..RunSpec::new(rules, new.players.clone(), u64::from(new.games))
    };
    spec.job(&ground.registry, &ground.build).map_err(|error| error.to_string())
}
