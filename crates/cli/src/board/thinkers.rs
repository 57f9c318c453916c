//! Agents on threads of their own, so that the board stays alive while they think, and so that an
//! agent that never answers holds up nothing but its own thread.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use collinear_agents::strongest;
use collinear_play::dialogue::{Reply, reply};
use collinear_play::{
    Agent, AgentChoice, Answer, Budget, BuildError, Fault, Registry, Report, Step, StopFlag,
    Watchdog, guard,
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
    /// What is done at a step of an opening, or the fault.
    Step(Result<Reply, Fault>),
}

/// What is to be thought about.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) position: Position,
    pub(crate) budget: Budget,
    /// The step of an opening; none where a turn is wanted.
    pub(crate) step: Option<Step>,
    /// Whether an opening has given Black to who sat down as White.
    pub(crate) swapped: bool,
}

/// A question on its way to an agent.
struct Job {
    id: u64,
    question: Question,
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
    /// Whether the first seat plays White.
    swapped: bool,
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
        let mut thinkers = Self { rules, seats, adviser, swapped: false, say, news, stop };
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
        question: Question,
    ) -> Result<(), BuildError> {
        self.stop();
        self.swapped = question.swapped;
        let budget = Budget { stop: self.stop.clone(), ..question.budget };
        let nobody = BuildError::Other(format!("nobody here plays {}", self.rules));
        let (rules, say) = (self.rules, self.say.clone());
        let thinker = self.thinker(wish).ok_or(nobody)?;
        let job = Job { id, question: Question { budget, ..question } };
        // The thread of an agent that made a fault is gone, and another agent takes its place.
        let unheard = match &thinker.jobs {
            Some(jobs) => jobs.send(job).err().map(|unheard| unheard.0),
            None => Some(job),
        };
        if let Some(job) = unheard {
            let jobs = thinker.start(&rules, &say)?;
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
        if let Some(thinker) = self.thinker(wish) {
            thinker.jobs = None;
        }
    }

    fn thinker(&mut self, wish: Wish) -> Option<&mut Thinker> {
        match wish {
            Wish::Turn(player) => {
                let seat = if self.swapped { player.opponent() } else { player };
                self.seats[seat.index()].as_mut()
            }
            Wish::Hint => self.adviser.as_mut(),
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
        while let Ok(Job { id, question }) = inbox.recv() {
            let Question { position, budget, step, .. } = question;
            let mut on = |report: &Report| {
                let _ = say.send(News { id, said: Said::Report(report.clone()) });
            };
            let said = match (begun.clone(), step) {
                (Ok(()), None) => {
                    Said::Answer(watchdog.ask(agent.as_mut(), &position, &budget, &mut on))
                }
                (Ok(()), Some(step)) => {
                    Said::Step(reply(agent.as_mut(), &position, step, &budget, &mut on))
                }
                (Err(fault), _) => {
                    let thought = collinear_play::Thought::default();
                    Said::Answer(Answer { turn: Err(fault), thought })
                }
            };
            begun = match &said {
                Said::Answer(answer) => answer.turn.clone().map(drop),
                Said::Step(reply) => reply.clone().map(drop),
                Said::Report(_) => Ok(()),
            };
            let unheard = say.send(News { id, said }).is_err();
            if unheard || begun.is_err() {
                return;
            }
        }
    });
    jobs
}
