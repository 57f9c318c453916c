//! Agents on threads of their own, so that the board stays alive while they think, and so that an
//! agent that never answers holds up nothing but its own thread.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use collinear_agents::strongest;
use collinear_play::{
    Agent, AgentChoice, Answer, Budget, BuildError, Registry, Report, StopFlag, Watchdog, guard,
};
use collinear_rules::{Player, Position, Rules};

use super::Chair;

/// What the agents are to do for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// The agent of this side is to choose its turn.
    Turn(Player),
    /// Somebody strong is to choose for the person.
    Hint,
}

/// What an agent says, and about which question.
pub(crate) struct News {
    pub(crate) id: u64,
    pub(crate) said: Said,
}

pub(crate) enum Said {
    /// Thinking aloud.
    Report(Report),
    /// The stones chosen, or the fault.
    Answer(Answer),
}

/// A position to think about.
struct Job {
    id: u64,
    position: Position,
    budget: Budget,
}

/// One agent: how to make it, and its thread once it has one.
struct Thinker {
    choice: AgentChoice,
    seed: u64,
    jobs: Option<Sender<Job>>,
}

/// The agents of one game.
pub(crate) struct Thinkers {
    rules: Rules,
    seats: [Option<Thinker>; 2],
    adviser: Option<Thinker>,
    say: Sender<News>,
    news: Receiver<News>,
    /// Ends the thinking that goes on.
    stop: StopFlag,
}

impl Thinkers {
    /// Makes the players, so that one that cannot be made is told of before the game.
    pub(crate) fn new(
        registry: &Registry,
        rules: Rules,
        chairs: &[Chair; 2],
        seed: u64,
    ) -> Result<Self, BuildError> {
        let (say, news) = mpsc::channel();
        let adviser = strongest(registry, &rules).map(|spec| Thinker {
            choice: spec.with_defaults(),
            seed,
            jobs: None,
        });
        let seat = |chair: &Chair, seed| {
            chair.0.clone().map(|choice| Thinker { choice, seed, jobs: None })
        };
        let seats = [seat(&chairs[0], seed), seat(&chairs[1], seed.wrapping_add(1))];
        let stop = StopFlag::default();
        let mut thinkers = Self { rules, seats, adviser, say, news, stop };
        for thinker in thinkers.seats.iter_mut().flatten() {
            thinker.start(&thinkers.rules, &thinkers.say)?;
        }
        Ok(thinkers)
    }

    /// Asks; the news carry this number. What was thought about before ends.
    pub(crate) fn ask(
        &mut self,
        wish: Wish,
        id: u64,
        position: &Position,
        budget: &Budget,
    ) -> Result<(), BuildError> {
        self.stop();
        let budget = Budget { stop: self.stop.clone(), ..budget.clone() };
        let thinker = match wish {
            Wish::Turn(player) => self.seats[player.index()].as_mut(),
            Wish::Hint => self.adviser.as_mut(),
        };
        let Some(thinker) = thinker else {
            return Err(BuildError::Other(format!("nobody here plays {}", self.rules)));
        };
        let job = Job { id, position: position.clone(), budget };
        // The thread of an agent that made a fault is gone, and another agent takes its place.
        let unheard = match &thinker.jobs {
            Some(jobs) => jobs.send(job).err().map(|unheard| unheard.0),
            None => Some(job),
        };
        if let Some(job) = unheard {
            let jobs = thinker.start(&self.rules, &self.say)?;
            // A thread that was just started listens.
            let _ = jobs.send(job);
        }
        Ok(())
    }

    /// Nobody waits for the thoughts that go on.
    pub(crate) fn stop(&mut self) {
        self.stop.stop();
        self.stop = StopFlag::default();
    }

    /// Lets go of an agent that does not answer.
    pub(crate) fn dismiss(&mut self, wish: Wish) {
        self.stop();
        let thinker = match wish {
            Wish::Turn(player) => self.seats[player.index()].as_mut(),
            Wish::Hint => self.adviser.as_mut(),
        };
        if let Some(thinker) = thinker {
            thinker.jobs = None;
        }
    }

    /// What was said since, if anything.
    pub(crate) fn news(&self) -> Option<News> {
        self.news.try_recv().ok()
    }

    /// The next thing that is said within this time.
    pub(crate) fn wait(&self, time: Duration) -> Option<News> {
        self.news.recv_timeout(time).ok()
    }
}

impl Thinker {
    fn start(&mut self, rules: &Rules, say: &Sender<News>) -> Result<&Sender<Job>, BuildError> {
        let made = guard(|| self.choice.build(rules, self.seed));
        let agent = made.map_err(|fault| BuildError::Other(fault.to_string()))??;
        Ok(self.jobs.insert(spawn(agent, say.clone())))
    }
}

/// Gives an agent a thread; it ends when the sender of jobs is dropped, or after a fault.
fn spawn(mut agent: Box<dyn Agent>, say: Sender<News>) -> Sender<Job> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    thread::spawn(move || {
        let mut watchdog = Watchdog::default();
        let mut begun = guard(|| agent.new_game());
        while let Ok(Job { id, position, budget }) = inbox.recv() {
            let answer = match begun.clone() {
                Ok(()) => watchdog.ask(agent.as_mut(), &position, &budget, &mut |report| {
                    let _ = say.send(News { id, said: Said::Report(report.clone()) });
                }),
                Err(fault) => {
                    Answer { turn: Err(fault), thought: collinear_play::Thought::default() }
                }
            };
            begun = answer.turn.clone().map(drop);
            let unheard = say.send(News { id, said: Said::Answer(answer) }).is_err();
            if unheard || begun.is_err() {
                return;
            }
        }
    });
    jobs
}
