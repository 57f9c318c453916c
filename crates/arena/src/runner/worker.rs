//! One worker: takes the next game, seats both players, plays, hands the game over.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use collinear_play::{
    Agent, AgentError, End, Event, Fault, Game, GameRecord, Reason, Referee, Side, StopFlag,
    TimeControl, guard,
};
use collinear_rules::{Cell, Geometry, Player};

use super::Job;
use super::live::LiveGames;
use super::queue::Queue;
use crate::adjudication::Adjudicator;
use crate::game::{Costs, GameSummary, PlayedGame};
use crate::plan::{Fixture, Plan};
use crate::store::{GameRow, Store};

/// What workers report.
pub(super) enum Message {
    /// A game, to be committed.
    Played(Box<GameRow>),
    /// Nothing left to do.
    Left,
}

/// What all workers of a run share.
pub(super) struct RunContext {
    pub(super) plan: Arc<Plan>,
    pub(super) stop: StopFlag,
    pub(super) queue: Queue,
    pub(super) live: Option<Arc<LiveGames>>,
    pub(super) store: Arc<Store>,
    pub(super) run: String,
}

/// The timed turn that a worker is waiting for: the thread that watches for hanging agents reads
/// it, and takes it away when it gives the game up.
#[derive(Default)]
pub(super) struct TurnWatch(Mutex<Option<WatchedTurn>>);

/// A timed turn that is being thought about.
struct WatchedTurn {
    fixture: Fixture,
    player: Player,
    since: Instant,
}

impl TurnWatch {
    fn lock(&self) -> MutexGuard<'_, Option<WatchedTurn>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as a loss of the silent player, if it has been silent for too long. From then on
    /// the worker is on its own.
    pub(super) fn give_up(&self, plan: &Plan, patience: Duration) -> Option<PlayedGame> {
        let mut turn = self.lock();
        let WatchedTurn { fixture, player, since } = turn.as_ref()?;
        let contestant = [fixture.black, fixture.white][player.index()];
        let limit = longest_turn(&plan.contestants[contestant].control)?;
        let over = since.elapsed().checked_sub(limit).filter(|over| *over > patience)?;
        let words = format!("no answer {over:.1?} after its time was over: given up");
        let lost = lost(plan, fixture, *player, Reason::TimeForfeit, words);
        *turn = None;
        lost
    }
}

/// The longest a turn may take, if turns are timed at all.
fn longest_turn(control: &TimeControl) -> Option<Duration> {
    control.turn.into_iter().chain(control.clock.map(|clock| clock.left + clock.increment)).max()
}

/// What one worker keeps from game to game.
struct Bench {
    /// Of its own: two workers that count references to one would wait for each other.
    geometry: Arc<Geometry>,
    referee: Referee,
    /// Agents that can be used again, by contestant, the longest unused first: hosted engines go on
    /// in one process.
    idle: Vec<(usize, Box<dyn Agent>)>,
}

/// Agents that a worker keeps: each may be a process or hold a large table.
const MAX_IDLE_AGENTS: usize = 8;

impl Bench {
    /// The agent of a contestant, as if built for this game.
    fn seat(&mut self, plan: &Plan, contestant: usize, seed: u64) -> Result<Box<dyn Agent>, Fault> {
        if let Some(at) = self.idle.iter().position(|(index, _)| *index == contestant) {
            let (_, mut agent) = self.idle.remove(at);
            if guard(|| agent.reseed(seed)) == Ok(true) {
                return Ok(agent);
            }
        }
        let choice = &plan.contestants[contestant].agent;
        guard(|| choice.build(&plan.rules, seed))?
            .map_err(|error| Fault::Agent(AgentError::Engine(error.to_string())))
    }

    fn keep(&mut self, contestant: usize, agent: Box<dyn Agent>) {
        self.idle.push((contestant, agent));
        if self.idle.len() > MAX_IDLE_AGENTS {
            self.idle.remove(0);
        }
    }
}

impl RunContext {
    pub(super) fn new(
        job: &Job,
        store: Arc<Store>,
        run: String,
        games: &[GameSummary],
        stop: StopFlag,
    ) -> Self {
        Self {
            plan: Arc::clone(&job.plan),
            queue: Queue::new(job, games),
            live: job.live.clone(),
            stop,
            store,
            run,
        }
    }

    /// Works until nothing is left, the run is called off, or this worker was given up.
    pub(super) fn work(&self, watch: &TurnWatch, report: &SyncSender<Message>) {
        let rules = &self.plan.adjudication;
        let mut bench = Bench {
            geometry: Arc::new(Geometry::new(self.plan.rules)),
            referee: Referee {
                max_stones: rules.max_stones,
                stop_dead_draws: rules.dead_draws,
                // Every turn makes a child of it: it must not be the one all workers share.
                stop: self.stop.child(),
                ..Referee::default()
            },
            idle: Vec::new(),
        };
        while let Some(fixture) = self.queue.take(&self.stop) {
            let played = self.play(&fixture, &mut bench, watch);
            self.hide(fixture.number);
            let game = match played {
                Played::Over(game) => game,
                Played::CalledOff => break,
                // Another worker has taken this one's place already.
                Played::GivenUp => return,
            };
            // Nobody listens any more when the run is over: then there is nothing to say.
            if report.send(Message::Played(Box::new(GameRow::new(*game)))).is_err() {
                break;
            }
        }
        let _ = report.send(Message::Left);
    }

    /// Shows a game to those who look on.
    fn show(&self, fixture: &Fixture, stones: &[Cell]) {
        if let Some(live) = &self.live {
            live.show(fixture, stones);
        }
    }

    /// A game is over, however it ended.
    pub(super) fn hide(&self, number: u64) {
        if let Some(live) = &self.live {
            live.remove(number);
        }
    }

    fn play(&self, fixture: &Fixture, bench: &mut Bench, watch: &TurnWatch) -> Played {
        let players = [fixture.black, fixture.white];
        let mut seated: Vec<Box<dyn Agent>> = Vec::with_capacity(2);
        for player in Player::BOTH {
            let (contestant, seed) = (players[player.index()], fixture.seeds[player.index()]);
            match bench.seat(&self.plan, contestant, seed) {
                Ok(agent) => seated.push(agent),
                Err(fault) => {
                    let words = format!("the agent could not be made: {fault}");
                    let game = lost(&self.plan, fixture, player, fault.reason(), words);
                    return game.map_or(Played::CalledOff, |game| Played::Over(Box::new(game)));
                }
            }
        }
        let controls = players.map(|index| self.plan.contestants[index].control);
        let start = self.plan.openings.start(&bench.geometry, fixture.round, fixture.opening_seed);
        let mut game = Game::from_position(start).with_controls(controls);
        if let Some(rule) = self.plan.opening_rule {
            // The plan was checked: the game has such openings.
            game = game.clone().with_opening_rule(rule).unwrap_or(game);
        }
        // Who has which colour may be settled in the opening.
        let mut fixture = *fixture;
        let timed = controls.iter().any(|control| longest_turn(control).is_some());
        let expect = |fixture, player| {
            if timed {
                *watch.lock() = Some(WatchedTurn { fixture, player, since: Instant::now() });
            }
        };
        expect(fixture, game.acting());
        self.show(&fixture, game.position().history());
        let mut adjudicator = Adjudicator::new(self.plan.adjudication.score);
        let mut costs = Costs::new(controls);
        let [black, white] = &mut seated[..] else { unreachable!("two players were seated") };
        let agents: [&mut dyn Agent; 2] = [&mut **black, &mut **white];
        let end = bench.referee.play(&mut game, agents, &mut |event| {
            let given_up = || timed && watch.lock().is_none();
            match &event {
                Event::Played(..) | Event::Opening(_) if given_up() => {
                    return Some(End::called_off());
                }
                Event::Played(turn, position) => {
                    costs.add(turn);
                    expect(fixture, position.to_move());
                    self.show(&fixture, position.history());
                }
                Event::Opening(game) => {
                    if game.black() == Some(Side::Chooser) {
                        fixture = fixture.with_colours_swapped();
                        costs = Costs::new([controls[1], controls[0]]);
                    }
                    expect(fixture, game.acting());
                    self.show(&fixture, game.position().history());
                }
                _ => {}
            }
            adjudicator.hear(&event)
        });
        let watched = watch.lock().take().is_some();
        if timed && !watched {
            return Played::GivenUp;
        }
        let loser = end.winner.filter(|_| end.is_fault()).map(|winner| match winner {
            Player::Black => fixture.white,
            Player::White => fixture.black,
        });
        for (contestant, agent) in players.into_iter().zip(seated) {
            // After a fault nothing an agent does can be trusted.
            if loser != Some(contestant) {
                bench.keep(contestant, agent);
            }
        }
        if let (true, Some(thought)) = (end.is_fault(), game.unanswered()) {
            let player = game.position().to_move();
            costs.add(&collinear_play::TurnRecord { player, stones: Vec::new(), thought });
        }
        PlayedGame::new(&fixture, game.into_record(), &costs)
            .map_or(Played::CalledOff, |game| Played::Over(Box::new(game)))
    }
}

/// How a game ended for its worker.
enum Played {
    Over(Box<PlayedGame>),
    CalledOff,
    GivenUp,
}

/// A game that a player lost before or beside the board: it could not be built, or it hangs.
fn lost(
    plan: &Plan,
    fixture: &Fixture,
    loser: Player,
    reason: Reason,
    words: String,
) -> Option<PlayedGame> {
    let mut record = GameRecord::new(plan.rules);
    record.end = Some(End::won(loser.opponent(), reason).with_detail(words));
    let controls = [fixture.black, fixture.white].map(|index| plan.contestants[index].control);
    PlayedGame::new(fixture, record, &Costs::new(controls))
}
