//! Other people's engines as agents: `external:cmd='…',protocol=cloudict`.
//!
//! The engine runs as a child process in a process group of its own. Whatever it does, hang, die,
//! talk nonsense or flood us, becomes an [`AgentError`] that says what happened and quotes its last
//! words; the process is killed with its children and started anew for the next game.

mod check;
mod fault;
mod gomocup;
mod letters;
mod link;
mod process;
#[cfg(all(test, unix))]
mod tests;
mod ugi;

use std::time::Duration;

use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Games, Kind, OptionSpec, Options, Report,
    Turn, play_turn,
};
use collinear_rules::{Cell, Position, Rules};

use crate::Protocol;
pub use check::{Check, Verdict, check_engine};
pub use fault::Fault;
use link::Link;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "cmd",
        help: "the command line; quote it: cmd='./engine --fast'",
        kind: Kind::Text { default: "" },
    },
    OptionSpec {
        name: "protocol",
        help: "what it speaks",
        kind: Kind::Choice { values: &Protocol::NAMES, default: "ugi" },
    },
    OptionSpec {
        name: "start",
        help: "the most time to start and greet",
        kind: Kind::Time { default: Some(Duration::from_secs(10)) },
    },
    OptionSpec {
        name: "move",
        help: "the most time for a turn when the game sets none",
        kind: Kind::Time { default: Some(Duration::from_secs(60)) },
    },
    OptionSpec {
        name: "grace",
        help: "how much longer than its budget it may take before it is killed",
        kind: Kind::Time { default: Some(Duration::from_secs(1)) },
    },
];

/// The registry's row for external engines. Not part of `collinear_agents`: only callers that
/// trust where the command comes from (command line, files) add it to their registry.
pub static EXTERNAL: AgentSpec = AgentSpec {
    name: "external",
    summary: "any engine that speaks Cloudict, SAU, Gomocup or UGI, as a child process",
    source: "ours",
    options: OPTIONS,
    aliases: None,
    games: Games::All,
    takes_wins: false,
    build,
};

fn build(rules: &Rules, options: &Options, _: u64) -> Result<Box<dyn Agent>, BuildError> {
    let other = |text: String| BuildError::Other(format!("external: {text}"));
    let protocol = options.text("protocol").parse().map_err(other)?;
    let wait = |name: &str| options.time(name).unwrap_or(FOREVER);
    let config = EngineConfig {
        command: options.text("cmd").to_owned(),
        protocol,
        start: wait("start"),
        turn: wait("move"),
        grace: wait("grace"),
    };
    External::start(config, *rules).map(|agent| Box::new(agent) as Box<dyn Agent>).map_err(other)
}

/// What `none` means for a time limit.
const FOREVER: Duration = Duration::from_secs(30 * 24 * 3600);

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
}

/// A running engine and what it knows of the game.
struct Session {
    link: Link,
    speaker: Box<dyn Speaker>,
    /// The stones up to the engine's last turn; nothing when it must be told the whole game.
    known: Option<Vec<Cell>>,
}

/// A protocol, seen from the host's side.
trait Speaker: Send {
    /// Greets the engine and names the game.
    fn hello(&mut self, link: &mut Link, rules: &Rules) -> Result<(), Fault>;
    /// Tells the engine what it must know and asks for its turn.
    fn turn(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, Fault>;
    /// The last word of a session.
    fn goodbye(&self) -> &'static str;
    /// Ends a turn early, where there is a word for it.
    fn stop_word(&self) -> Option<&'static str>;
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
    pub fn start(config: EngineConfig, rules: Rules) -> Result<Self, String> {
        config.protocol.check(&rules)?;
        let mut agent = Self { config, rules, session: None };
        agent.session = Some(agent.open().map_err(|fault| fault.to_string())?);
        Ok(agent)
    }

    fn open(&self) -> Result<Session, Fault> {
        let mut speaker: Box<dyn Speaker> = match self.config.protocol {
            Protocol::Cloudict => Box::new(letters::Letters::cloudict()),
            Protocol::Sau => Box::new(letters::Letters::sau()),
            Protocol::Gomocup => Box::new(gomocup::Gomocup),
            Protocol::Ugi => Box::new(ugi::Ugi),
        };
        let mut link = Link::open(&self.config.command, speaker.goodbye(), speaker.stop_word())?;
        link.limit(self.config.start, None);
        match speaker.hello(&mut link, &self.rules) {
            Ok(()) => Ok(Session { link, speaker, known: None }),
            Err(fault) => Err(link.blame(fault)),
        }
    }

    fn ask(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, Fault> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.open()?,
        };
        let own = budget.time.into_iter().chain(budget.clock.map(|clock| clock.left)).min();
        let limit = own.map_or(self.config.turn, |time| time + self.config.grace);
        session.link.limit(limit, Some(budget.stop.clone()));
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

impl Agent for External {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        if position.is_over() {
            return Err(AgentError::GameOver);
        }
        self.ask(position, budget, on).map_err(|fault| AgentError::Engine(fault.to_string()))
    }

    fn new_game(&mut self) {
        if let Some(session) = &mut self.session {
            session.known = None;
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
fn checked(position: &Position, mut stones: Turn, said: &str) -> Result<Turn, Fault> {
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
        .map_err(|reason| Fault::IllegalTurn { said, reason })?;
    Ok(stones)
}
