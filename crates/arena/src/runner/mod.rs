//! Plays the games of a plan on several threads, keeps each one as soon as it ends, and goes on
//! where an earlier run of the same plan stopped.
//!
//! ```text
//! schedule ─→ worker ─┐  (builds both agents, plays)
//!          └→ worker ─┼─→ this thread: commits, counts, tests, watches for hanging agents, tells the caller
//! ```
//!
//! A game is on disk before anybody hears of it. Instant games are committed in groups, of those that
//! ended within [`PAUSE`]: a kill loses no game that was told of.
//!
//! An agent runs in this process and cannot be killed. One that stays silent far beyond its time
//! loses its game; its thread is left behind and another takes its place.

mod live;
mod queue;
mod worker;

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use collinear_play::StopFlag;
use serde::Serialize;
use thiserror::Error;

use crate::game::GameSummary;
use crate::plan::{Plan, PlanError};
use crate::score::Scoreboard;
use crate::stats::Bounds;
use crate::store::{GameRow, Store, StoreError};
pub use live::{LiveGame, LiveGames};
use worker::{Message, RunContext, TurnWatch};

/// Which part of a run this process plays: pair n belongs to shard n mod `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    pub index: u64,
    /// How many there are.
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
}

/// A run to be played.
#[derive(Clone)]
pub struct Job {
    /// What is played.
    pub plan: Arc<Plan>,
    /// Its length: games per matchup, or rounds of a Swiss tournament.
    pub games: u64,
    /// The program that plays: a rebuilt one starts anew.
    pub build: String,
    /// For people.
    pub name: String,
    /// The part of it played here.
    pub shard: Shard,
    /// Games at the same time.
    pub workers: usize,
    /// Stop as soon as this test is decided. For two contestants and the whole run only.
    pub sprt: Option<Bounds>,
    /// How long past its time an agent may be silent before its game is given up. Untimed turns
    /// may take any time.
    pub patience: Duration,
    /// Where its games can be seen while they are played.
    pub live: Option<Arc<LiveGames>>,
    /// Once set, no more games are begun; those under way are played to their end.
    pub pause: StopFlag,
}

impl Job {
    /// All games of a plan, one at a time, without a test.
    pub fn new(plan: Plan, games: u64) -> Self {
        Self {
            plan: Arc::new(plan),
            games,
            build: env!("CARGO_PKG_VERSION").to_owned(),
            name: "match".to_owned(),
            shard: Shard::WHOLE,
            workers: 1,
            sprt: None,
            patience: Duration::from_secs(10),
            live: None,
            pause: StopFlag::default(),
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// Every game of it (or of its shard) is played.
    Complete,
    /// The test was decided.
    Decided,
    /// It was asked to.
    Stopped,
}

impl Ended {
    /// How these games of `total` ended. After a decided test, those behind the pair that decided it
    /// are left out.
    pub(crate) fn of(score: &Scoreboard, games: &mut Vec<GameSummary>, total: u64) -> Self {
        if let Some(pair) = score.decided_by() {
            games.retain(|game| game.pair <= pair);
            Self::Decided
        } else if games.len() as u64 == total {
            Self::Complete
        } else {
            Self::Stopped
        }
    }

    /// The word for it in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Decided => "decided",
            Self::Stopped => "stopped",
        }
    }

    /// What that word means.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Complete, Self::Decided, Self::Stopped].into_iter().find(|e| e.name() == name)
    }
}

/// What a run left behind.
#[derive(Debug)]
pub struct Finished {
    /// The run's name in the store.
    pub run: String,
    /// Why it ended.
    pub ended: Ended,
    /// All games there are, by number, those of earlier sessions included. After a decided test:
    /// those up to the pair that decided it.
    pub games: Vec<GameSummary>,
    /// Games played in this run of the program.
    pub played: u64,
    /// Games the whole run (or shard) has.
    pub total: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// A finished game as a caller hears of it. All of it is in the store.
#[derive(Clone, Debug)]
pub struct EndedGame {
    /// Who, how it came out, what it cost.
    pub summary: GameSummary,
    /// For a fault or an adjudication: what happened, with the loser's last words.
    pub detail: Option<String>,
    /// Stones on the board at its end.
    pub stones: usize,
}

impl From<GameRow> for EndedGame {
    fn from(game: GameRow) -> Self {
        Self { stones: game.stones(), summary: game.summary, detail: game.detail }
    }
}

/// What a caller hears after every game.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The game; none at the very start.
    pub game: Option<&'a EndedGame>,
    /// The score so far, earlier sessions included.
    pub score: &'a Scoreboard,
    /// Games that are done, earlier sessions included.
    pub done: u64,
    /// Of them, those of earlier sessions.
    pub resumed: u64,
    /// Games of the whole run (or shard).
    pub total: u64,
    /// Time since it began.
    pub elapsed: Duration,
}

/// Why a run could not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The plan is unusable.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Results cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The test does not fit the run.
    #[error("{0}")]
    Sprt(String),
    /// The shard does not exist.
    #[error("shard {}/{} does not exist: write 1/{} to {}/{}", index + 1, of, of, of, of)]
    Shard {
        /// From 0.
        index: u64,
        /// How many.
        of: u64,
    },
    /// A Swiss round follows from all games of the rounds before.
    #[error("a Swiss tournament is played in one place: no part of it knows all results")]
    DrawnShard,
    /// No thread could be started.
    #[error("no worker could be started: {0}")]
    Workers(std::io::Error),
}

/// How often the clock of hanging agents is looked at.
const WATCH: Duration = Duration::from_millis(100);
/// Pause between hearings. To be woken for every single game would cost as much as an instant game
/// itself, and a third thread would compete with two workers for two cores.
const PAUSE: Duration = Duration::from_millis(2);
/// How long agents may take to react when the run is called off.
const STOP_WAIT: Duration = Duration::from_secs(5);

/// Plays what is left of a job. Every game is in the store before `on` hears of it.
pub fn run(
    job: &Job,
    store: &Arc<Store>,
    stop: &StopFlag,
    on: &mut dyn FnMut(&Progress<'_>),
) -> Result<Finished, RunError> {
    check(job)?;
    let schedule = job.plan.schedule(job.games);
    let run = job.plan.run_id(&job.build);
    let mine = |pair: u64| pair % job.shard.of == job.shard.index;
    let kept = || -> Result<Vec<GameSummary>, StoreError> {
        let mut games = store.summaries(&run)?;
        games.retain(|game| schedule.contains(game.number) && mine(game.pair));
        Ok(games)
    };
    let version = store.version()?;
    // Where games cannot be read, the run is left as it is.
    let mut games = kept()?;
    store.begin(&job.plan, &job.build, &job.name, schedule.len())?;
    let total = match job.shard {
        Shard::WHOLE => schedule.len(),
        _ => schedule.iter().filter(|fixture| mine(fixture.pair)).count() as u64,
    };
    let mut score = Scoreboard::new(&job.plan, job.sprt);
    for game in &games {
        score.add(game);
    }
    let resumed = games.len() as u64;
    let began = Instant::now();
    on(&Progress {
        game: None,
        score: &score,
        done: resumed,
        resumed,
        total,
        elapsed: Duration::ZERO,
    });

    let own_stop = stop.child();
    if score.is_decided() {
        own_stop.stop();
    }
    let context =
        Arc::new(RunContext::new(job, Arc::clone(store), run.clone(), &games, own_stop.clone()));
    let (sender, inbox) = mpsc::sync_channel(MAX_UNHEARD);
    let workers = job.workers.clamp(1, MAX_WORKERS).min(total.max(1) as usize);
    let mut pool = WorkerPool { watches: Vec::new(), sender: Some(sender), context };
    for _ in 0..workers {
        pool.start_worker().map_err(RunError::Workers)?;
    }
    let mut played = 0;
    let outcome = pool.listen(&inbox, job.patience, &mut |game| {
        played += 1;
        score.add(&game.summary);
        if score.is_decided() {
            own_stop.stop();
        }
        let (done, elapsed) = (resumed + played, began.elapsed());
        on(&Progress { game: Some(&game), score: &score, done, resumed, total, elapsed });
        games.push(game.summary);
    });
    outcome?;
    if store.version()? == version {
        games.sort_unstable_by_key(|game| game.number);
    } else {
        // Another process may have played some of them.
        games = kept()?;
    }
    let ended = Ended::of(&score, &mut games, total);
    // A shard does not know how far the others are.
    if job.shard == Shard::WHOLE {
        store.end(&run, ended)?;
    }
    Ok(Finished { run, ended, games, played, total, elapsed: began.elapsed() })
}

/// Games that workers may be ahead of a caller who is slow to hear of them.
const MAX_UNHEARD: usize = 1024;
/// Games that are committed at once.
const MAX_GROUP: usize = 4096;
/// More threads than any machine has cores.
const MAX_WORKERS: usize = 1024;

fn check(job: &Job) -> Result<(), RunError> {
    job.plan.check(job.games)?;
    let Shard { index, of } = job.shard;
    if index >= of {
        return Err(RunError::Shard { index, of });
    }
    if job.shard != Shard::WHOLE && job.plan.schedule(job.games).is_drawn() {
        return Err(RunError::DrawnShard);
    }
    if let Some(bounds) = &job.sprt {
        let problem = bounds.problem().or_else(|| {
            if job.plan.contestants.len() != 2 {
                Some("a sequential test needs exactly two contestants".to_owned())
            } else if job.plan.schedule(job.games).is_drawn() {
                Some("a sequential test is for a match, not for a Swiss tournament".to_owned())
            } else if job.shard != Shard::WHOLE {
                Some("a sequential test cannot be sharded: no shard sees all games".to_owned())
            } else {
                None
            }
        });
        if let Some(problem) = problem {
            return Err(RunError::Sprt(problem));
        }
    }
    Ok(())
}

/// The workers and the channel they report on.
struct WorkerPool {
    watches: Vec<Arc<TurnWatch>>,
    /// Held to start replacements; dropped when there is nothing left to do.
    sender: Option<SyncSender<Message>>,
    context: Arc<RunContext>,
}

impl WorkerPool {
    fn start_worker(&mut self) -> std::io::Result<()> {
        let Some(sender) = self.sender.clone() else { return Ok(()) };
        let (watch, context) = (Arc::new(TurnWatch::default()), Arc::clone(&self.context));
        self.watches.push(Arc::clone(&watch));
        thread::Builder::new()
            .name("arena".to_owned())
            .spawn(move || context.work(&watch, &sender))?;
        Ok(())
    }

    /// Hears every finished game until all workers have ended, or have been left behind.
    fn listen(
        &mut self,
        inbox: &Receiver<Message>,
        patience: Duration,
        on: &mut dyn FnMut(EndedGame),
    ) -> Result<(), RunError> {
        let mut working = self.watches.len();
        let mut called_off: Option<Instant> = None;
        while working > 0 {
            let first = inbox.recv_timeout(WATCH);
            let mut ended = Vec::new();
            match first {
                Err(RecvTimeoutError::Timeout) => {
                    for lost in self.overdue(patience) {
                        ended.push(lost);
                        self.start_worker().map_err(RunError::Workers)?;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(_) => {}
            }
            let heard = first.is_ok();
            for message in first.into_iter().chain(inbox.try_iter()).take(MAX_GROUP) {
                match message {
                    Message::Played(game) => ended.push(*game),
                    Message::Left => working -= 1,
                }
            }
            self.keep(ended, on)?;
            if heard && working > 0 {
                thread::sleep(PAUSE);
            }
            if self.context.stop.is_stopped() {
                let since = called_off.get_or_insert_with(Instant::now);
                if since.elapsed() > STOP_WAIT {
                    break;
                }
            }
        }
        self.sender = None;
        Ok(())
    }

    /// Commits games, then tells of them.
    fn keep(&self, ended: Vec<GameRow>, on: &mut dyn FnMut(EndedGame)) -> Result<(), RunError> {
        if ended.is_empty() {
            return Ok(());
        }
        let new = self.context.store.insert(&self.context.run, &ended).inspect_err(|_| {
            self.context.stop.stop();
        })?;
        // A game that is there already was played by another process: it counts once, as theirs.
        for game in &ended {
            self.context.hide(game.summary.number);
        }
        if self.context.queue.heard(ended.iter().map(|game| game.summary.number)) {
            let games = self.context.store.summaries(&self.context.run);
            self.context.queue.draw(&games.inspect_err(|_| self.context.stop.stop())?);
        }
        let ours = ended.into_iter().zip(new).filter(|(_, new)| *new);
        ours.for_each(|(game, _)| on(game.into()));
        Ok(())
    }

    /// Gives up the games of agents that hang: each is lost by the silent player.
    fn overdue(&self, patience: Duration) -> Vec<GameRow> {
        let plan = &self.context.plan;
        let lost = self.watches.iter().filter_map(|watch| watch.give_up(plan, patience));
        lost.map(GameRow::new).collect()
    }
}

#[cfg(test)]
mod tests;
