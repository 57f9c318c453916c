//! Matches and tournaments that a page starts, pauses and resumes: played by the arena's runner, kept
//! in the file of results like any other run, and watched there.

mod job;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_arena::{Job, LiveGame, LiveGames, Store, run};
use collinear_play::{Registry, StopFlag};
use collinear_room::wire::NewMatch;

use crate::Log;

/// How often a match that was told to end is looked after.
const SHUT_LOOK: Duration = Duration::from_millis(10);

/// The matches that are being played here.
#[derive(Clone, Default)]
pub(crate) struct Matches(Arc<Mutex<HashMap<String, Playing>>>);

/// One of them.
struct Playing {
    /// Ends it at once.
    stop: StopFlag,
    /// Ends it when the games under way are over.
    pause: StopFlag,
    /// Its boards.
    live: Arc<LiveGames>,
    /// Games at the same time.
    workers: usize,
}

/// What a match is played with.
pub(crate) struct Ground {
    /// All agents.
    pub(crate) registry: Registry,
    /// The file of results.
    pub(crate) results: PathBuf,
    /// Names this very program: games of different ones are kept apart.
    pub(crate) build: String,
    /// Games at the same time, those of all matches together.
    pub(crate) at_once: usize,
    /// Hears what went wrong.
    pub(crate) log: Log,
}

impl Matches {
    fn playing(&self) -> MutexGuard<'_, HashMap<String, Playing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a match and returns the name of its run. Opens the file of results and starts every
    /// engine once: not for an async task.
    pub(crate) fn start(&self, ground: Ground, new: &NewMatch) -> Result<String, String> {
        let job = job::new_job(&ground, new)?;
        let workers = (new.at_once as usize).clamp(1, ground.at_once);
        self.begin(Job { workers, ..job }, ground)
    }

    /// Goes on with a run of the file, with as many games at once as are free.
    pub(crate) fn resume(&self, ground: Ground, run: &str) -> Result<(), String> {
        let store = Store::look_into(&ground.results).map_err(|error| error.to_string())?;
        let job = job::kept_job(&ground, &store, run)?;
        let taken: usize = self.playing().values().map(|playing| playing.workers).sum();
        let workers = ground.at_once.saturating_sub(taken).max(1);
        self.begin(Job { workers, ..job }, ground).map(drop)
    }

    fn begin(&self, job: Job, ground: Ground) -> Result<String, String> {
        let id = job.plan.run_id(&job.build);
        let live = Arc::new(LiveGames::default());
        let job = Job { live: Some(Arc::clone(&live)), ..job };
        let (stop, pause, workers) = (StopFlag::default(), job.pause.clone(), job.workers);
        {
            let mut playing = self.playing();
            if playing.contains_key(&id) {
                return Err("this match is being played already".to_owned());
            }
            let taken: usize = playing.values().map(|playing| playing.workers).sum();
            if taken + workers > ground.at_once {
                return Err(format!(
                    "{taken} of {} games at once are being played already: pause a match or wait \
                     for its end",
                    ground.at_once
                ));
            }
            playing.insert(id.clone(), Playing { stop: stop.clone(), pause, live, workers });
        }
        let begun = self.spawn(job, ground, id.clone(), stop);
        if begun.is_err() {
            self.playing().remove(&id);
        }
        begun.map(|()| id)
    }

    fn spawn(&self, job: Job, ground: Ground, id: String, stop: StopFlag) -> Result<(), String> {
        // An engine that does not start is told of here, to whoever asked for it.
        job.plan.check(job.games).map_err(|error| error.to_string())?;
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
            matches.playing().remove(&id);
        };
        let thread = std::thread::Builder::new().name("match".to_owned());
        thread.spawn(work).map(drop).map_err(|error| error.to_string())
    }

    /// Ends all matches and waits until they have.
    pub(crate) async fn shut(&self) {
        self.playing().values().for_each(|playing| playing.stop.stop());
        while !self.playing().is_empty() {
            tokio::time::sleep(SHUT_LOOK).await;
        }
    }

    /// Ends a match at once; what was played stays. False when it is not being played here.
    pub(crate) fn stop(&self, run: &str) -> bool {
        self.playing().get(run).inspect(|playing| playing.stop.stop()).is_some()
    }

    /// Lets the games under way come to their end and begins no more. False when it is not being
    /// played here.
    pub(crate) fn pause(&self, run: &str) -> bool {
        self.playing().get(run).inspect(|playing| playing.pause.stop()).is_some()
    }

    /// Whether a run is being played here.
    pub(crate) fn plays(&self, run: &str) -> bool {
        self.playing().contains_key(run)
    }

    /// The games of a run that are being played here.
    pub(crate) fn live(&self, run: &str) -> Vec<LiveGame> {
        let live = self.playing().get(run).map(|playing| Arc::clone(&playing.live));
        live.map_or_else(Vec::new, |live| live.all())
    }
}
