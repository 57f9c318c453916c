//! Asking an agent for its turn: the one place where a panic is caught, where an agent that runs
//! out of time is told to stop, and where lateness and legality are judged.
//!
//! An agent runs in this process and cannot be killed. At the end of its time a watchdog sets the
//! turn's stop flag; an answer that comes after the grace is late.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;

use collinear_rules::Position;

use crate::instant::Instant;
use crate::{Agent, Budget, Fault, Report, StopFlag, Thought, Turn, play_turn};

/// What came of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// All the stones of the turn, legal, or why there are none.
    pub turn: Result<Turn, Fault>,
    /// What it cost, and the last thing the agent said.
    pub thought: Thought,
}

/// Asks an agent for its turn and checks the answer. `on` hears its reports.
///
/// When the caller sets [`Budget::stop`] the agent answers with the best turn it has; whether that
/// turn is still wanted only the caller knows. After a fault the agent should be thrown away.
pub fn ask(
    agent: &mut dyn Agent,
    position: &Position,
    budget: &Budget,
    on: &mut dyn FnMut(&Report),
) -> Answer {
    Watchdog::default().ask(agent, position, budget, on)
}

/// Runs an agent's code; a panic becomes a [`Fault::Crash`] with its message.
pub fn guard<T>(run: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let words = payload
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
        Fault::Crash(words.unwrap_or_else(|| "the agent panicked without a message".to_owned()))
    })
}

/// Tells agents to stop when their time is over. It has a thread from the first timed turn on;
/// keep one for many questions where turns are short.
#[derive(Debug, Default)]
pub struct Watchdog(Option<Sender<Alarm>>);

/// What the watchdog's thread is told: a turn began, or it is over.
#[derive(Debug)]
enum Alarm {
    Set(Instant, StopFlag),
    Clear,
}

impl Watchdog {
    /// As [`ask`](crate::ask()).
    pub fn ask(
        &mut self,
        agent: &mut dyn Agent,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Answer {
        let (turn, thought) = self.choose(agent, position, budget, on);
        let turn = turn.and_then(|stones| {
            play_turn(&mut position.clone(), &stones)?;
            Ok(stones)
        });
        Answer { turn, thought }
    }

    /// The turn before anybody has looked whether it is legal.
    pub(crate) fn choose(
        &mut self,
        agent: &mut dyn Agent,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> (Result<Turn, Fault>, Thought) {
        let limit = budget.limit();
        let watched;
        let budget = if limit.is_some() {
            // The watchdog must not stop more than this turn.
            watched = Budget { stop: budget.stop.child(), ..budget.clone() };
            &watched
        } else {
            budget
        };
        let started = Instant::now();
        if let Some(deadline) = limit.and_then(|limit| started.checked_add(limit)) {
            self.set(deadline, &budget.stop);
        }
        let mut thought = Thought::default();
        let answer = guard(|| {
            agent.choose(position, budget, &mut |report| {
                thought.hear(report);
                on(report);
            })
        });
        let time = started.elapsed();
        thought.time = Some(time);
        if limit.is_some() {
            self.clear();
        }
        let late = limit.and_then(|limit| time.checked_sub(limit)).filter(|o| *o > budget.grace);
        let turn = match (answer, late) {
            (Err(crash), _) => Err(crash),
            (Ok(Err(error)), _) => Err(Fault::Agent(error)),
            (Ok(Ok(_)), Some(over)) => Err(Fault::Late { over }),
            (Ok(Ok(turn)), None) => Ok(turn),
        };
        (turn, thought)
    }

    fn set(&mut self, deadline: Instant, stop: &StopFlag) {
        if self.0.is_none() {
            let (alarms, inbox) = mpsc::channel();
            let spawned =
                thread::Builder::new().name("watchdog".to_owned()).spawn(move || watch(&inbox));
            // Without a thread to spare, agents still read the clock themselves.
            self.0 = spawned.is_ok().then_some(alarms);
        }
        self.tell(Alarm::Set(deadline, stop.clone()));
    }

    fn clear(&self) {
        self.tell(Alarm::Clear);
    }

    fn tell(&self, alarm: Alarm) {
        if let Some(alarms) = &self.0 {
            // The thread ends only when this sender is dropped, so sending cannot fail.
            let _ = alarms.send(alarm);
        }
    }
}

/// Sets the stop flag of a turn that runs out of time; ends when nobody can ask any more.
fn watch(inbox: &Receiver<Alarm>) {
    let mut set: Option<(Instant, StopFlag)> = None;
    loop {
        let message = match &set {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some((deadline, _)) => {
                inbox.recv_timeout(deadline.saturating_duration_since(Instant::now()))
            }
        };
        match message {
            Ok(Alarm::Set(deadline, flag)) => set = Some((deadline, flag)),
            Ok(Alarm::Clear) => set = None,
            Err(RecvTimeoutError::Timeout) => {
                if let Some((_, flag)) = set.take() {
                    flag.stop();
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use collinear_rules::{Cell, Rules};

    use super::*;
    use crate::testing::{Scripted, lowest, until_stopped};
    use crate::{AgentError, Reason};

    fn asked(script: crate::testing::Script, budget: &Budget) -> Answer {
        ask(&mut Scripted(script), &Position::new(Rules::TICTACTOE), budget, &mut |_| {})
    }

    #[test]
    fn an_answer_comes_with_its_cost() {
        let mut heard = 0;
        let board = Position::new(Rules::CONNECT6);
        let budget = Budget::default();
        let answer = ask(&mut Scripted(lowest), &board, &budget, &mut |report| {
            heard = report.nodes;
        });
        assert_eq!(answer.turn, Ok(vec![Cell::new(0)]));
        assert_eq!((heard, answer.thought.nodes), (7, Some(7)));
        assert!(answer.thought.time.is_some());
    }

    #[test]
    fn each_fault_has_its_reason() {
        let cases: [(crate::testing::Script, Reason, &str); 5] = [
            (|_, _| panic!("out of ideas"), Reason::Crash, "out of ideas"),
            (|_, _| Ok(vec![]), Reason::IllegalTurn, "only 0 were named"),
            (|_, _| Ok(vec![Cell::new(999)]), Reason::IllegalTurn, "outside the board"),
            (|_, _| Err(AgentError::Engine("broke".into())), Reason::AgentError, "broke"),
            (
                |_, _| Err(AgentError::Fault { reason: Reason::Misread, words: "eh?".into() }),
                Reason::Misread,
                "eh?",
            ),
        ];
        for (script, reason, words) in cases {
            let fault = asked(script, &Budget::default()).turn.expect_err(words);
            assert_eq!(fault.reason(), reason);
            assert!(fault.to_string().contains(words), "{fault}");
        }
    }

    #[test]
    fn the_watchdog_ends_a_turn_and_only_that_turn() {
        let limit = Duration::from_millis(5);
        let patient = Budget { grace: Duration::from_secs(3600), ..Budget::time(limit) };
        let answer = asked(until_stopped, &patient);
        assert!(answer.turn.is_ok() && answer.thought.time >= Some(limit));
        assert!(!patient.stop.is_stopped());
        let strict = Budget { grace: Duration::ZERO, ..patient };
        let fault = asked(until_stopped, &strict).turn.expect_err("late");
        assert_eq!(fault.reason(), Reason::TimeForfeit);
    }
}
