//! Other people's engines as agents: `external:cmd='…',protocol=cloudict`.
//!
//! The engine runs as a child process in a process group of its own. Whatever it does, hang, die,
//! talk nonsense or flood us, becomes an [`AgentError`] that says what happened and quotes its last
//! words; the process is killed with its children and started anew for the next game. An engine that
//! behaves plays game after game in one process.

mod check;
mod fault;
mod gomocup;
mod guard;
mod letters;
mod link;
mod log;
mod named;
mod process;
mod said;
#[cfg(all(test, unix))]
mod tests;
mod ugi;

use std::path::PathBuf;
use std::time::Duration;

use collinear_play::dialogue::{Act, Reply};
use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Choice, OptionSpec, Options, Report, Step,
    Turn, play_turn,
};
use collinear_rules::{Cell, Position, Rules};

use crate::gomocup::EVAL_SCALE;
use crate::quote::short;
use crate::{Protocol, UnknownProtocol};
pub use check::{Check, CheckResult, check_engine};
pub use fault::EngineFault;
use link::{Conventions, Link};
pub use named::named_engine;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::text("cmd", "").help("the command line; quote it: cmd='./engine --fast'"),
    OptionSpec::choice("protocol", &Protocol::NAMES, "ugi").help("what it speaks"),
    OptionSpec::time("start", Some(Duration::from_secs(10)))
        .help("the most time to start and greet"),
    OptionSpec::time("move", Some(Duration::from_secs(60)))
        .help("the most time for a turn when the game sets none"),
    OptionSpec::time("grace", Some(Duration::from_secs(1)))
        .help("how much longer than its budget it may take before it is killed"),
    OptionSpec::choice("swap2", &Swap2Form::NAMES, "points")
        .help("stones in Gomocup's SWAP2BOARD: points as x,y, fields as x,y,f (Rapfi); no: it is not asked so"),
    OptionSpec::float("scale", 1.0..=1e6, EVAL_SCALE)
        .help("how much of a Gomocup engine's evaluation is a logit: eval 200 means a chance of 73 %"),
    OptionSpec::text("dir", "").help("the folder it runs in, where not in this one"),
    OptionSpec::text("init", "")
        .help("lines to send after the greeting, with semicolons between them: init='depth 4'"),
    OptionSpec::text("log", "").help("a file to which everything said on both sides is added"),
];

/// The registry's row for external engines. Not part of `collinear_agents`: only callers that
/// trust where the command comes from (command line, files) add it to their registry.
pub static EXTERNAL: AgentSpec = AgentSpec {
    summary: "any engine that speaks Cloudict, SAU, Gomocup or UGI, as a child process",
    options: OPTIONS,
    ..AgentSpec::new("external", build)
};

fn build(rules: &Rules, options: &Options, _: u64) -> Result<Box<dyn Agent>, BuildError> {
    let other = |text: String| BuildError::Other(format!("external: {text}"));
    let unknown = |error: UnknownProtocol| other(error.to_string());
    let protocol = options.text("protocol").parse().map_err(unknown)?;
    let wait = |name: &str| options.time(name).unwrap_or(FOREVER);
    let path = |name: &str| Some(options.text(name)).filter(|t| !t.is_empty()).map(PathBuf::from);
    let config = EngineConfig {
        command: options.text("cmd").to_owned(),
        protocol,
        start: wait("start"),
        turn: wait("move"),
        grace: wait("grace"),
        swap2: Swap2Form::of(options.text("swap2")),
        scale: options.float("scale"),
        folder: path("dir"),
        init: init_lines(options.text("init")),
        log: path("log"),
    };
    match External::start(config, *rules) {
        Ok(agent) => Ok(Box::new(agent)),
        Err(fault) => Err(other(fault.to_string())),
    }
}

/// What `none` means for a time limit.
const FOREVER: Duration = Duration::from_secs(30 * 24 * 3600);

/// How an engine for Gomocup's managers is asked for its part in Swap2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Swap2Form {
    /// By `SWAP2BOARD` with stones as `x,y`: the specification.
    #[default]
    Points,
    /// The same with stones as `x,y,f`, which some want: 1 is the colour of the first stone.
    Fields,
    /// Not at all: what it does follows from its turns.
    No,
}

impl Swap2Form {
    /// The words of the option, in the order of the variants.
    const NAMES: [&'static str; 3] = ["points", "fields", "no"];

    fn of(name: &str) -> Self {
        match name {
            "fields" => Self::Fields,
            "no" => Self::No,
            _ => Self::Points,
        }
    }
}

/// How an engine is run.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The command line; double quotes and backslashes keep blanks.
    pub command: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// The most time to start and greet.
    pub start: Duration,
    /// The most time for a turn that has no limit of its own.
    pub turn: Duration,
    /// How much longer than the budget a turn may take.
    pub grace: Duration,
    /// How it is asked for its part in Swap2.
    pub swap2: Swap2Form,
    /// How much of the evaluation it reports is one logit.
    pub scale: f64,
    /// The folder it runs in; none for that of the host.
    pub folder: Option<PathBuf>,
    /// Lines it is told after the greeting.
    pub init: Vec<String>,
    /// The file to which everything said on both sides is added.
    pub log: Option<PathBuf>,
}

/// The lines of `depth 4; unvcf`.
pub fn init_lines(text: &str) -> Vec<String> {
    text.split(';').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The words of a command line: blanks separate, double quotes and backslashes keep them. None where a
/// quote is not closed.
pub fn command_words(command: &str) -> Option<Vec<String>> {
    process::split(command)
}

impl EngineConfig {
    /// An engine with the usual limits.
    pub fn new(command: &str, protocol: Protocol) -> Self {
        Self {
            command: command.to_owned(),
            protocol,
            start: Duration::from_secs(10),
            turn: Duration::from_secs(60),
            grace: Duration::from_secs(1),
            swap2: Swap2Form::default(),
            scale: EVAL_SCALE,
            folder: None,
            init: Vec::new(),
            log: None,
        }
    }

    /// The same from the words of a command line.
    pub fn from_words(words: &[String], protocol: Protocol) -> Self {
        Self::new(&process::join(words), protocol)
    }
}

/// An engine process as an [`Agent`].
pub struct External {
    config: EngineConfig,
    rules: Rules,
    session: Option<Session>,
    /// Why there is no session, when it could not be started for the game.
    failed: Option<EngineFault>,
    /// The two stones that it has named instead of a colour.
    two_stones: Option<Vec<Cell>>,
}

/// A running engine and what it knows of the game.
struct Session {
    link: Link,
    speaker: Box<dyn Speaker>,
    /// It has been told that a game begins.
    in_game: bool,
    /// The stones up to the engine's last turn; nothing when it must be told the whole game.
    known: Option<Vec<Cell>>,
}

impl Session {
    /// Tells the engine that another game begins.
    fn begin(&mut self, limit: Duration, rules: &Rules) -> Result<(), EngineFault> {
        self.link.question(limit, None);
        self.speaker.new_game(&mut self.link, rules)?;
        self.in_game = true;
        self.known = None;
        Ok(())
    }
}

/// A protocol, seen from the host's side.
trait Speaker: Send {
    /// Greets the engine and names the game.
    fn hello(&mut self, link: &mut Link, rules: &Rules) -> Result<(), EngineFault>;
    /// Says that another game begins, where the protocol has words for that alone.
    fn new_game(&mut self, _: &mut Link, _: &Rules) -> Result<(), EngineFault> {
        Ok(())
    }
    /// Tells the engine what it must know and asks for its turn.
    fn turn(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, EngineFault>;
    /// Asks for a step of Swap2: the points it names, none for SWAP.
    fn swap2(&mut self, _: &mut Link, _: &Ask<'_>, _: Swap2Form) -> Result<Vec<Cell>, EngineFault> {
        Err(EngineFault::Unsupported("the protocol has no words for swap2".to_owned()))
    }
    /// The words and habits of the protocol.
    fn conventions(&self) -> Conventions;
}

/// What an engine is asked.
struct Ask<'a> {
    position: &'a Position,
    budget: &'a Budget,
    /// The opponent's stones since the engine's last turn, when it knows everything else.
    news: Option<&'a [Cell]>,
}

impl External {
    /// Starts the engine and greets it.
    pub fn start(config: EngineConfig, rules: Rules) -> Result<Self, EngineFault> {
        let board = config.protocol.check(&rules);
        board.map_err(|error| EngineFault::Unsupported(error.to_string()))?;
        let mut agent = Self { config, rules, session: None, failed: None, two_stones: None };
        agent.session = Some(agent.open()?);
        Ok(agent)
    }

    fn open(&self) -> Result<Session, EngineFault> {
        let mut speaker: Box<dyn Speaker> = match self.config.protocol {
            Protocol::Cloudict => Box::new(letters::Letters::cloudict()),
            Protocol::Sau => Box::new(letters::Letters::sau()),
            Protocol::Gomocup => Box::new(gomocup::Gomocup::new(self.config.scale)),
            Protocol::Ugi => Box::new(ugi::Ugi),
        };
        let mut link = Link::open(&self.config, speaker.conventions())?;
        link.question(self.config.start, None);
        let greeted = speaker
            .hello(&mut link, &self.rules)
            .and_then(|()| self.config.init.iter().try_for_each(|line| link.say(line)));
        match greeted {
            Ok(()) => Ok(Session { link, speaker, in_game: false, known: None }),
            Err(fault) => Err(link.blame(fault)),
        }
    }

    /// A session that waits for the first turn of a game: the one there is, or a new one where it
    /// does not listen any more.
    fn begin_game(&mut self) -> Result<Session, EngineFault> {
        if let Some(mut session) = self.session.take()
            && session.begin(self.config.start, &self.rules).is_ok()
        {
            return Ok(session);
        }
        let mut session = self.open()?;
        match session.begin(self.config.start, &self.rules) {
            Ok(()) => Ok(session),
            Err(fault) => Err(session.link.blame(fault)),
        }
    }

    fn ask(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, EngineFault> {
        let mut session = self.asked(budget)?;
        let news = news(position, session.known.as_deref());
        let ask = Ask { position, budget, news };
        let answer = session.speaker.turn(&mut session.link, &ask, on);
        let checked = answer.and_then(|stones| checked(position, stones, session.link.last_line()));
        match checked {
            Ok(stones) => {
                let played = position.history().iter().chain(&stones).copied().collect();
                session.known = Some(played);
                self.session = Some(session);
                Ok(stones)
            }
            // The session is dropped with its process: after a fault nothing it says can be trusted.
            Err(fault) => Err(session.link.blame(fault)),
        }
    }
}

impl External {
    /// A session in a game that is about to be asked something.
    fn asked(&mut self, budget: &Budget) -> Result<Session, EngineFault> {
        if let Some(fault) = self.failed.take() {
            return Err(fault);
        }
        let mut session = match self.session.take() {
            Some(session) if session.in_game => session,
            other => {
                self.session = other;
                self.begin_game()?
            }
        };
        let limit = budget.limit().map_or(self.config.turn, |time| time + self.config.grace);
        session.link.question(limit, Some(budget.stop.clone()));
        Ok(session)
    }

    /// Asks for a step of Swap2: at most so many points, none for SWAP.
    fn swap2(
        &mut self,
        position: &Position,
        budget: &Budget,
        most: usize,
    ) -> Result<Vec<Cell>, EngineFault> {
        let mut session = self.asked(budget)?;
        let ask = Ask { position, budget, news: None };
        let answer = session.speaker.swap2(&mut session.link, &ask, self.config.swap2);
        let answer = answer.and_then(|points| {
            if points.len() <= most {
                return Ok(points);
            }
            let said = short(session.link.last_line());
            Err(EngineFault::Garbage { said, expected: format!("SWAP or at most {most} points") })
        });
        match answer {
            Ok(points) => {
                session.known = None;
                self.session = Some(session);
                Ok(points)
            }
            Err(fault) => Err(session.link.blame(fault)),
        }
    }
}

impl Agent for External {
    /// Engines for Gomocup's managers have words for Swap2, and for it alone.
    fn step(
        &mut self,
        position: &Position,
        step: Step,
        budget: &Budget,
    ) -> Option<Result<Reply, AgentError>> {
        let speaks = self.config.protocol == Protocol::Gomocup;
        if !speaks || self.config.swap2 == Swap2Form::No {
            return None;
        }
        let act = match (step, position.stone_count()) {
            (Step::Place { stones: 3, .. }, 0) => self.swap2(position, budget, 3).map(Act::Place),
            (Step::Place { stones: 2, .. }, 3) => Ok(Act::Place(self.two_stones.take()?)),
            (Step::Choose { two_stones, .. }, stones) if two_stones || stones == 5 => {
                let most = if two_stones { 2 } else { 1 };
                self.swap2(position, budget, most).map(|points| {
                    Act::Choose(match points.len() {
                        0 => Choice::Black,
                        // The stone of White's next turn: that is asked for again.
                        1 => Choice::White,
                        _ => {
                            self.two_stones = Some(points);
                            Choice::TwoStones
                        }
                    })
                })
            }
            _ => return None,
        };
        let timed = budget.limit().is_some();
        Some(act.map(|act| Reply { act, chance: None }).map_err(|fault| AgentError::Fault {
            reason: fault.reason(timed),
            words: fault.to_string(),
        }))
    }

    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        if position.is_over() {
            return Err(AgentError::GameOver);
        }
        let timed = budget.limit().is_some();
        self.ask(position, budget, on).map_err(|fault| AgentError::Fault {
            reason: fault.reason(timed),
            words: fault.to_string(),
        })
    }

    /// Engines have no seed: one that is still there plays the next game too.
    fn reseed(&mut self, _: u64) -> bool {
        self.session.is_some()
    }

    /// Starting anew, where that is needed, does not count as time of the first turn. What goes
    /// wrong is told when the turn is asked for.
    fn new_game(&mut self) {
        match self.begin_game() {
            Ok(session) => (self.session, self.failed) = (Some(session), None),
            Err(fault) => self.failed = Some(fault),
        }
    }
}

/// The opponent's turn since the stones the engine knows, if that is all that is new.
fn news<'a>(position: &'a Position, known: Option<&[Cell]>) -> Option<&'a [Cell]> {
    let history = position.history();
    let news = history.strip_prefix(known?)?;
    let whole = position.stone_count() == history.len();
    let rules = position.rules();
    let full_turn = position.stones_left() == rules.p().min(position.empty_count());
    (whole && full_turn && news.len() == rules.p()).then_some(news)
}

/// The turn, if it is legal. Stones named after a winning one are left out: many engines always
/// write whole turns.
fn checked(position: &Position, mut stones: Turn, said: &str) -> Result<Turn, EngineFault> {
    let mut ahead = position.clone();
    for placed in 0..stones.len() {
        if ahead.play(stones[placed]).is_err() {
            break;
        }
        if ahead.is_over() {
            stones.truncate(placed + 1);
            break;
        }
    }
    let said = said.to_owned();
    play_turn(&mut position.clone(), &stones)
        .map_err(|reason| EngineFault::IllegalTurn { said, reason })?;
    Ok(stones)
}
