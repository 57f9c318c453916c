//! A compliance test for engine authors: what an engine does right, what it does wrong, and how.

use std::time::{Duration, Instant};

use collinear_play::{Agent, Budget, StopFlag, play_turn};
use collinear_rules::{Position, Rules};

use super::link::{Heard, Link};
use super::{EngineConfig, External};
use crate::Protocol;

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// As it should be; with a remark, perhaps.
    Pass(String),
    /// Not as it should be.
    Fail(String),
    /// Not as one would wish, though the protocol does not ask for it.
    Note(String),
    /// Does not apply.
    Skip(&'static str),
}

/// One check with its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What is expected of the engine.
    pub what: &'static str,
    /// Whether it is so.
    pub verdict: CheckResult,
}

/// The budget of each turn of the test.
const TURN: Duration = Duration::from_millis(500);
/// Turns of the practice game.
const PRACTICE_TURNS: usize = 20;
/// How long an engine may take to complain.
const COMPLAINT: Duration = Duration::from_millis(300);
/// How long an engine may take to end.
const END: Duration = Duration::from_secs(2);

/// Runs every check; `on` hears of each one as it is done.
pub fn check_engine(
    config: &EngineConfig,
    rules: Rules,
    seed: u64,
    on: &mut dyn FnMut(&Check),
) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut add = |what, verdict| {
        let check = Check { what, verdict };
        on(&check);
        checks.push(check);
    };
    let started = Instant::now();
    let greeted = External::start(config.clone(), rules);
    let took = started.elapsed();
    match greeted {
        Ok(engine) => {
            drop(engine);
            add("starts and greets", CheckResult::Pass(format!("{took:.1?}")));
        }
        Err(fault) => {
            add("starts and greets", CheckResult::Fail(fault.to_string()));
            return checks;
        }
    }
    let mut exam = Exam { config, rules, dice: seed };
    add("opens a game", exam.opens());
    add("answers an opening stone", exam.answers());
    add("plays a forced opening", exam.forced_opening());
    add("plays a practice game legally and in time", exam.practice());
    add("plays a second game in the same process", exam.second_game());
    add("stops thinking when told to", exam.stops());
    add("survives an unknown command", exam.survives("xyzzy 1 2 3"));
    add("survives a line of 10,000 signs", exam.survives(&"x".repeat(10_000)));
    add("ends when told to", exam.ends(true));
    add("ends when its input ends", exam.ends(false));
    checks
}

struct Exam<'a> {
    config: &'a EngineConfig,
    rules: Rules,
    dice: u64,
}

impl Exam<'_> {
    fn engine(&self) -> Result<External, String> {
        External::start(self.config.clone(), self.rules).map_err(|fault| fault.to_string())
    }

    /// Asks for a turn and plays it. Where the protocol has no word for a time limit there is none
    /// but that of the host.
    fn turn(engine: &mut External, position: &mut Position) -> Result<Duration, String> {
        let timed = !matches!(engine.config.protocol, Protocol::Cloudict | Protocol::Sau);
        let budget = if timed { Budget::time(TURN) } else { Budget::default() };
        let started = Instant::now();
        let stones =
            engine.choose(position, &budget, &mut |_| {}).map_err(|error| error.to_string())?;
        let took = started.elapsed();
        play_turn(position, &stones).map_err(|error| error.to_string())?;
        Ok(took)
    }

    /// A seeded turn of stones anywhere: the opponent.
    fn random_turn(&mut self, position: &mut Position) {
        for _ in 0..position.stones_left() {
            let legal = position.legal_cells();
            // Knuth's MMIX generator; its high bits are good enough to pick a cell.
            self.dice = self
                .dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if let Some(&cell) = legal.get((self.dice >> 33) as usize % legal.len().max(1)) {
                position.play_unchecked(cell);
            }
        }
    }

    fn opens(&mut self) -> CheckResult {
        let run = || Self::turn(&mut self.engine()?, &mut Position::new(self.rules));
        timed(run())
    }

    fn answers(&mut self) -> CheckResult {
        let mut position = Position::new(self.rules);
        self.random_turn(&mut position);
        if position.is_over() {
            return CheckResult::Skip("the game is over after one turn");
        }
        let mut run = || Self::turn(&mut self.engine()?, &mut position);
        timed(run())
    }

    fn forced_opening(&mut self) -> CheckResult {
        if self.config.protocol == Protocol::Sau {
            return CheckResult::Skip("SAU has no command for it");
        }
        let mut position = Position::new(self.rules);
        for _ in 0..3 {
            self.random_turn(&mut position);
        }
        if position.is_over() {
            return CheckResult::Skip("the game is over after three turns");
        }
        let mut run = || Self::turn(&mut self.engine()?, &mut position);
        timed(run())
    }

    fn practice_game(&mut self, engine: &mut External) -> Result<(usize, Duration), String> {
        engine.new_game();
        let mut position = Position::new(self.rules);
        let (mut turns, mut slowest) = (0, Duration::ZERO);
        while turns < PRACTICE_TURNS && !position.is_over() {
            let took = Self::turn(engine, &mut position)
                .map_err(|reason| format!("turn {}: {reason}", turns + 1))?;
            slowest = slowest.max(took);
            turns += 1;
            self.random_turn(&mut position);
        }
        Ok((turns, slowest))
    }

    fn practice(&mut self) -> CheckResult {
        let result = self.engine().and_then(|mut engine| self.practice_game(&mut engine));
        match result {
            Ok((turns, slowest)) if slowest <= TURN + Duration::from_millis(250) => {
                CheckResult::Pass(format!("{turns} turns, the slowest {slowest:.1?}"))
            }
            // These protocols have no word for a time limit.
            Ok((turns, slowest))
                if matches!(self.config.protocol, Protocol::Cloudict | Protocol::Sau) =>
            {
                CheckResult::Pass(format!(
                    "{turns} turns, the slowest {slowest:.1?}; no time control"
                ))
            }
            Ok((_, slowest)) => CheckResult::Fail(format!("{slowest:.1?} for a turn of {TURN:?}")),
            Err(reason) => CheckResult::Fail(reason),
        }
    }

    fn second_game(&mut self) -> CheckResult {
        let result = self.engine().and_then(|mut engine| {
            self.practice_game(&mut engine)?;
            self.practice_game(&mut engine)
        });
        result.map_or_else(CheckResult::Fail, |(turns, _)| {
            CheckResult::Pass(format!("{turns} turns"))
        })
    }

    fn stops(&mut self) -> CheckResult {
        if matches!(self.config.protocol, Protocol::Cloudict | Protocol::Sau) {
            return CheckResult::Skip("the protocol has no word for it");
        }
        let run = || {
            let mut engine = self.engine()?;
            let stop = StopFlag::default();
            stop.stop();
            let budget = Budget { stop, ..Budget::time(Duration::from_secs(30)) };
            let started = Instant::now();
            engine
                .choose(&Position::new(self.rules), &budget, &mut |_| {})
                .map_err(|error| error.to_string())?;
            Ok(started.elapsed())
        };
        timed(run())
    }

    /// Plays on after a line that means nothing.
    fn survives(&mut self, line: &str) -> CheckResult {
        let mut position = Position::new(self.rules);
        let mut run = || {
            let mut engine = self.engine()?;
            if let Some(session) = &mut engine.session {
                session.link.question(COMPLAINT, None);
                session.link.say(line).map_err(|fault| fault.to_string())?;
                // Its complaint, if there is one, must not be taken for an answer.
                let _ = session.link.await_answer(|_| Heard::Answer(()));
            }
            Self::turn(&mut engine, &mut position)
        };
        timed(run())
    }

    fn ends(&mut self, told: bool) -> CheckResult {
        let run = || {
            let engine = self.engine()?;
            let session = engine.session.ok_or("no session")?;
            let word = session.speaker.conventions().goodbye;
            let link: Link = session.link;
            if link.ends_by_itself(told.then_some(word), END) {
                Ok(Duration::ZERO)
            } else {
                Err(format!("still there after {END:?}"))
            }
        };
        match run() {
            Ok(_) => CheckResult::Pass(String::new()),
            // These protocols ask for an end at `quit` only.
            Err(reason)
                if !told && matches!(self.config.protocol, Protocol::Cloudict | Protocol::Sau) =>
            {
                CheckResult::Note(reason + ": a host that dies leaves it behind")
            }
            Err(reason) => CheckResult::Fail(reason),
        }
    }
}

fn timed(result: Result<Duration, String>) -> CheckResult {
    result.map_or_else(CheckResult::Fail, |took| CheckResult::Pass(format!("{took:.1?}")))
}
