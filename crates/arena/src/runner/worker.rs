//! One worker: takes the next game, builds both players, plays, commits.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use collinear_play::referee::{Event, Game, GameResult, Seat, Verdict, play_game};
use collinear_play::{Agent, StopFlag, TimeControl};
use collinear_rules::{Geometry, Player};

use super::{Heard, Job};
use crate::adjudication::Adjudicator;
use crate::game::PlayedGame;
use crate::plan::{Fixture, Plan, Schedule};
use crate::store::{Pen, Store, StoreError};

/// What workers report.
pub(super) enum Message {
    /// A game, already committed.
    Played(Heard),
    /// The store refused.
    Failed(StoreError),
    /// Nothing left to do.
    Left,
}

/// What all workers share.
pub(super) struct Office {
    pub(super) plan: Arc<Plan>,
    pub(super) stop: StopFlag,
    schedule: Schedule,
    shard: super::Shard,
    store: Arc<Store>,
    run: String,
    done: HashSet<u64>,
    next: Mutex<u64>,
}

/// Where the watchman sees what a worker is waiting for.
#[derive(Default)]
pub(super) struct Post(Mutex<Option<Vigil>>);

/// A timed turn that is being thought about.
struct Vigil {
    fixture: Fixture,
    player: Player,
    since: Instant,
}

impl Post {
    fn lock(&self) -> MutexGuard<'_, Option<Vigil>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as a loss of the silent player, if it has been silent for too long. From then on
    /// the worker is on its own.
    pub(super) fn give_up(&self, plan: &Plan, patience: Duration) -> Option<PlayedGame> {
        let mut vigil = self.lock();
        let Vigil { fixture, player, since } = vigil.as_ref()?;
        let contestant = [fixture.black, fixture.white][player.index()];
        let limit = longest_turn(&plan.contestants[contestant].control)?;
        let over = since.elapsed().checked_sub(limit).filter(|over| *over > patience)?;
        let words = format!("no answer {over:.1?} after its time was over: given up");
        let lost = PlayedGame::lost(fixture, *player, "hang", words);
        *vigil = None;
        Some(lost)
    }
}

/// The longest a turn may take, if turns are timed at all.
fn longest_turn(control: &TimeControl) -> Option<Duration> {
    control.turn.into_iter().chain(control.clock.map(|clock| clock.left + clock.increment)).max()
}

impl Office {
    pub(super) fn new(
        job: &Job,
        store: Arc<Store>,
        run: String,
        done: HashSet<u64>,
        stop: StopFlag,
    ) -> Self {
        Self {
            schedule: job.plan.schedule(job.games),
            plan: Arc::clone(&job.plan),
            shard: job.shard,
            next: Mutex::new(0),
            stop,
            store,
            run,
            done,
        }
    }

    /// Works until nothing is left, the run is called off, or this worker was given up.
    pub(super) fn work(&self, post: &Post, report: &SyncSender<Message>) {
        // A geometry of its own: two workers that count references to one would wait for each other.
        let geometry = Arc::new(Geometry::new(self.plan.rules));
        let pen = self.pen();
        while let Some(fixture) = self.take() {
            let message = match self.play(&fixture, &geometry, post) {
                Played::Over(game) => {
                    let heard = Heard::from(&*game);
                    match self.keep(&pen, *game) {
                        Ok(true) => Message::Played(heard),
                        // Another process plays this very run: the game counts once, as theirs.
                        Ok(false) => continue,
                        Err(error) => Message::Failed(error),
                    }
                }
                Played::CalledOff => break,
                // Somebody else has this place already.
                Played::GivenUp => return,
            };
            let over = matches!(message, Message::Failed(_));
            // Nobody listens any more when the run is over: then there is nothing to say.
            if report.send(message).is_err() || over {
                break;
            }
        }
        let _ = report.send(Message::Left);
    }

    /// Commits a game; false when it is there already.
    pub(super) fn keep(&self, pen: &Pen, game: PlayedGame) -> Result<bool, StoreError> {
        self.store.insert(pen, &self.run, &self.plan, game)
    }

    /// To keep games with.
    pub(super) fn pen(&self) -> Pen {
        self.store.pen()
    }

    /// Makes rows of games that are on their way.
    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.store.flush()
    }

    /// The next game nobody has played.
    fn take(&self) -> Option<Fixture> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        while *next < self.schedule.end() && !self.stop.is_stopped() {
            let number = *next;
            *next += 1;
            let fixture = self.schedule.get(number).filter(|fixture| {
                !self.done.contains(&number) && fixture.pair % self.shard.of == self.shard.index
            });
            if fixture.is_some() {
                return fixture;
            }
        }
        None
    }

    fn play(&self, fixture: &Fixture, geometry: &Arc<Geometry>, post: &Post) -> Played {
        let contestants = [fixture.black, fixture.white].map(|i| &self.plan.contestants[i]);
        let mut agents: Vec<Box<dyn Agent>> = Vec::with_capacity(2);
        for player in Player::BOTH {
            let (choice, seed) =
                (&contestants[player.index()].agent, fixture.seeds[player.index()]);
            match catch_unwind(AssertUnwindSafe(|| choice.build(&self.plan.rules, seed))) {
                Ok(Ok(agent)) => agents.push(agent),
                Ok(Err(error)) => return not_built(fixture, player, &error.to_string()),
                Err(_) => return not_built(fixture, player, "it panicked while being made"),
            }
        }
        let rules = &self.plan.adjudication;
        let game = Game {
            start: self.plan.openings.start(geometry, fixture.round, fixture.opening_seed),
            max_stones: rules.max_stones,
            stop_dead_draws: rules.dead_draws,
            // Every turn makes a child of the game's flag: it must not be the one all workers share.
            stop: self.stop.child(),
        };
        let [black, white] = &mut agents[..] else { unreachable!("two players were built") };
        let seats = [(black, contestants[0]), (white, contestants[1])]
            .map(|(agent, c)| Seat { agent: &mut **agent, control: c.control });
        let timed = contestants.iter().any(|c| longest_turn(&c.control).is_some());
        let watch = |player| {
            if timed {
                *post.lock() = Some(Vigil { fixture: *fixture, player, since: Instant::now() });
            }
        };
        watch(game.start.to_move());
        let mut adjudicator = Adjudicator::new(rules.score);
        let record = play_game(&game, seats, &mut |event| {
            if let Event::Played(_, position) = &event {
                if timed && post.lock().is_none() {
                    let reason = "given up".to_owned();
                    return Some(Verdict { result: GameResult::Unfinished, reason });
                }
                watch(position.to_move());
            }
            adjudicator.hear(&event)
        });
        let watched = post.lock().take().is_some();
        if timed && !watched {
            return Played::GivenUp;
        }
        PlayedGame::from_record(fixture, &record)
            .map_or(Played::CalledOff, |game| Played::Over(Box::new(game)))
    }
}

/// How a game ended for its worker.
enum Played {
    Over(Box<PlayedGame>),
    CalledOff,
    GivenUp,
}

fn not_built(fixture: &Fixture, player: Player, reason: &str) -> Played {
    let words = format!("the agent could not be made: {reason}");
    Played::Over(Box::new(PlayedGame::lost(fixture, player, "agent-error", words)))
}
