//! The loop of a session: one thread reads, one thinks, and this one talks.
//!
//! ```text
//! input ──→ reader ──┐
//!                    ├─ events ─→ driver ─→ output
//! agent ──→ thinker ─┘     while thinking: urgent lines act at once, the others wait in a queue
//! ```
//!
//! All queues are bounded, so a host that floods us is held up by its own pipe.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use collinear_play::{
    Agent, AgentError, Budget, Fault, Reason, Report, StopFlag, Turn, ask, balance,
};
use collinear_rules::{Cell, Position};

use super::desk::Desk;
use crate::lines::{Input, Lines};

/// A protocol, seen from the engine's side.
pub(super) trait Front {
    /// Acts on a line while nobody thinks.
    fn command(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow;
    /// How a line that comes while the agent thinks is to be taken.
    fn urgency(&self, line: &str, desk: &Desk<'_>) -> Urgency;
    /// Passes on what the agent says while it thinks.
    fn report(&mut self, report: Report, desk: &mut Desk<'_>);
    /// Passes on what the agent chose for the position on the desk: all there is to say, or the
    /// beginning of another question.
    fn answer(&mut self, answer: Result<Turn, Fault>, desk: &mut Desk<'_>) -> Flow;
    /// Says that a line was longer than anybody may write.
    fn too_long(&mut self, desk: &mut Desk<'_>);
}

/// What comes after a command.
pub(super) enum Flow {
    /// The next one.
    Next,
    /// A question to the agent.
    Think(Question),
    /// Nothing any more.
    Quit,
}

/// What the agent is asked.
pub(super) struct Question {
    /// What the answer may cost.
    pub(super) budget: Budget,
    pub(super) task: Task,
}

pub(super) enum Task {
    /// Its turn.
    Turn,
    /// Which of these stones give the player to move the chance nearest to the target.
    Nearest { candidates: Vec<Vec<Cell>>, target: f32 },
}

impl Flow {
    /// Asks for a turn.
    pub(super) const fn turn(budget: Budget) -> Self {
        Self::Think(Question { budget, task: Task::Turn })
    }
}

/// How urgent a line is while the agent thinks.
pub(super) enum Urgency {
    /// It can wait for the turn.
    Later,
    /// The turn is wanted now; the line itself is done with that.
    Stop,
    /// The turn is wanted now, and the line acts after it.
    StopThen,
    /// It is answered with these words at once, unless other lines wait.
    Reply(String),
}

/// Lines that may wait while the agent thinks; what comes beyond them is dropped.
const MAX_WAITING: usize = 4096;
/// Events in flight; a flood is held up here.
const MAX_EVENTS: usize = 1024;

/// No turn is asked for less time.
const SHORTEST: Duration = Duration::from_millis(1);

enum Event {
    /// What was read, and when: the host's clock runs from then on.
    Input(Input, Instant),
    Report(Report),
    Done(Option<Box<dyn Agent>>, Result<Turn, Fault>),
}

/// Runs a session.
pub(super) fn run(
    mut front: impl Front,
    input: impl Read + Send + 'static,
    mut desk: Desk<'_>,
) -> io::Result<()> {
    let (sender, events) = mpsc::sync_channel(MAX_EVENTS);
    let reader = sender.clone();
    thread::spawn(move || read(input, &reader));
    let last_words = desk.options.last_words;
    let mut queue = Queue { waiting: VecDeque::new(), deadline: None, last_words, events };
    loop {
        let (input, begun) = queue.next();
        let mut flow = match input {
            None | Some(Input::End) => Flow::Quit,
            Some(Input::Line(line)) => front.command(line.trim(), &mut desk),
            Some(Input::TooLong) => {
                front.too_long(&mut desk);
                Flow::Next
            }
        };
        let mut begun = Some(begun);
        while let Flow::Think(question) = flow {
            let begun = begun.take().unwrap_or_else(Instant::now);
            flow = think(&mut front, &mut desk, &mut queue, &sender, question, begun);
        }
        if matches!(flow, Flow::Quit) {
            return desk.listened();
        }
        desk.listened()?;
    }
}

fn read(input: impl Read, sender: &SyncSender<Event>) {
    let mut lines = Lines::new(input);
    loop {
        let input = lines.next();
        let last = input == Input::End;
        if sender.send(Event::Input(input, Instant::now())).is_err() || last {
            return;
        }
    }
}

/// What was read and not yet acted on.
struct Queue {
    waiting: VecDeque<Input>,
    /// Set when the input is over or the host has said quit: no turn may take its time any more,
    /// and the session ends then at the latest.
    deadline: Option<Instant>,
    last_words: Duration,
    events: Receiver<Event>,
}

impl Queue {
    /// No turn is wanted any more that would take time.
    fn end(&mut self) {
        let deadline = || Instant::now().checked_add(self.last_words);
        self.deadline = self.deadline.or_else(deadline);
    }

    /// The time left for last words, once the end has come.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The next line, and from when on what it asks for takes time: a line that waited for a turn
    /// begins with its own.
    fn next(&mut self) -> (Option<Input>, Instant) {
        if self.left() == Some(Duration::ZERO) {
            return (None, Instant::now());
        }
        if let Some(input) = self.waiting.pop_front() {
            return (Some(input), Instant::now());
        }
        loop {
            match self.events.recv() {
                Ok(Event::Input(input, read)) => return (Some(input), read),
                // Left over from a turn that was given up.
                Ok(Event::Report(_) | Event::Done(..)) => {}
                Err(_) => return (None, Instant::now()),
            }
        }
    }

    fn keep(&mut self, input: Input) {
        if self.waiting.len() < MAX_WAITING || input == Input::End {
            self.waiting.push_back(input);
        }
    }
}

/// Lets the agent think about the position on the desk while lines keep coming. What was done since
/// the question began, such as making the agent, is part of its time.
fn think(
    front: &mut impl Front,
    desk: &mut Desk<'_>,
    queue: &mut Queue,
    sender: &SyncSender<Event>,
    mut question: Question,
    begun: Instant,
) -> Flow {
    let (stop, limit) = (question.budget.stop.clone(), question.budget.limit());
    let agent = match desk.take_agent() {
        Ok(agent) => agent,
        Err(fault) => return front.answer(Err(fault), desk),
    };
    if queue.deadline.is_some() {
        stop.stop();
    }
    let spent = begun.elapsed();
    let less = |time: Duration| time.saturating_sub(spent).max(SHORTEST);
    question.budget.time = question.budget.time.map(less);
    question.budget.clock.iter_mut().for_each(|clock| clock.left = less(clock.left));
    spawn_thinker(agent, desk, question, sender.clone());
    loop {
        let event = match queue.left() {
            None => queue.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(left) => queue.events.recv_timeout(left),
        };
        match event {
            Ok(Event::Report(report)) => front.report(report, desk),
            Ok(Event::Done(agent, answer)) => {
                if let Some(agent) = agent {
                    desk.give_back(agent);
                }
                let flow = front.answer(answer, desk);
                if let Some(limit) = limit.filter(|_| !stop.is_stopped()) {
                    desk.heard_late(begun.elapsed().saturating_sub(limit));
                }
                return flow;
            }
            Ok(Event::Input(input, _)) => urgent(front, desk, queue, &stop, input),
            Err(_) => {
                let words = "the agent did not stop when told to".to_owned();
                let error = AgentError::Fault { reason: Reason::TimeForfeit, words };
                return front.answer(Err(error.into()), desk);
            }
        }
    }
}

/// Takes a line that came while the agent thinks.
fn urgent(
    front: &impl Front,
    desk: &mut Desk<'_>,
    queue: &mut Queue,
    stop: &StopFlag,
    input: Input,
) {
    let urgency = match &input {
        Input::Line(line) => front.urgency(line.trim(), desk),
        Input::TooLong => Urgency::Later,
        Input::End => Urgency::StopThen,
    };
    match urgency {
        Urgency::Later => queue.keep(input),
        Urgency::Stop => stop.stop(),
        // It says that everything before it is done, so it waits where anything does.
        Urgency::Reply(_) if !queue.waiting.is_empty() => queue.keep(input),
        Urgency::Reply(words) => desk.say(&words),
        Urgency::StopThen => {
            stop.stop();
            queue.end();
            queue.keep(input);
        }
    }
}

fn spawn_thinker(
    mut agent: Box<dyn Agent>,
    desk: &Desk<'_>,
    question: Question,
    sender: SyncSender<Event>,
) {
    let position = desk.position.clone();
    // Whether an answer is late is for the host to say.
    let budget = Budget { grace: Duration::MAX, ..question.budget };
    thread::spawn(move || {
        let answer = reply(&mut *agent, &position, &question.task, &budget, &mut |report| {
            let _ = sender.send(Event::Report(report.clone()));
        });
        // An agent with a fault may be in any state: it is not used again.
        let agent = answer.is_ok().then_some(agent);
        let _ = sender.send(Event::Done(agent, answer));
    });
}

fn reply(
    agent: &mut dyn Agent,
    position: &Position,
    task: &Task,
    budget: &Budget,
    on: &mut dyn FnMut(&Report),
) -> Result<Turn, Fault> {
    match task {
        Task::Turn => ask(agent, position, budget, on).turn,
        Task::Nearest { candidates, target } => {
            let found = balance::nearest(agent, position, candidates, *target, budget, on)?;
            // Asked to answer at once, any will do.
            let found = found.map(|found| found.stones).or_else(|| candidates.first().cloned());
            found.ok_or(Fault::Agent(AgentError::GameOver))
        }
    }
}
