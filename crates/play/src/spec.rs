//! How agents are described to people: names, options, the games they play.
//!
//! One table of [`AgentSpec`]s drives the command line, the page, the docs and the tests. A spec
//! string such as `sequences:depth=2,width=8` is parsed here, once, into typed options.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use collinear_rules::Rules;
use thiserror::Error;

use crate::{Agent, OptionSpec, Options, SettingError};

/// Makes a player. The options are complete and within their ranges.
pub type Build = fn(&Rules, &Options, u64) -> Result<Box<dyn Agent>, BuildError>;

/// One kind of agent: a row of the registry. All of it is data, so that tables, pages and tests
/// read it without asking.
#[derive(Clone, Copy)]
pub struct AgentSpec {
    /// The name in spec strings.
    pub name: &'static str,
    /// One line for the table.
    pub summary: &'static str,
    /// Which document and section it comes from, or `ours`.
    pub source: &'static str,
    /// What can be set, with ranges and defaults.
    pub options: &'static [OptionSpec],
    /// Other names for some of its settings.
    pub aliases: Option<Aliases>,
    /// The games it plays.
    pub games: Games,
    /// Whether it promises to take a win that is there within the turn.
    pub takes_wins: bool,
    /// Makes a player from rules, options and a seed.
    pub build: Build,
}

impl AgentSpec {
    /// An agent that plays every game, promises nothing and has no options: the rest is set with
    /// `AgentSpec { summary: "…", ..AgentSpec::new("name", build) }`.
    pub const fn new(name: &'static str, build: Build) -> Self {
        Self {
            name,
            summary: "",
            source: "ours",
            options: &[],
            aliases: None,
            games: Games::All,
            takes_wins: false,
            build,
        }
    }

    /// The same agents as descriptions alone, which cannot be built: for a program that leaves the
    /// thinking to another one and need not contain it.
    pub const fn described<const N: usize>(specs: &[&Self; N]) -> [Self; N] {
        let mut described = [Self::new("", describes); N];
        let mut at = 0;
        while at < N {
            described[at] = Self { build: describes, ..*specs[at] };
            at += 1;
        }
        described
    }

    /// Whether it plays this game; the error says what it plays instead.
    pub fn plays(&self, rules: &Rules) -> Result<(), Unsupported> {
        match self.games {
            Games::Only(accepts, games) if !accepts(rules) => {
                Err(Unsupported { agent: self.name, rules: *rules, games })
            }
            _ => Ok(()),
        }
    }

    /// The agent with all options at their defaults.
    pub fn with_defaults(&'static self) -> AgentChoice {
        let options = Options::defaults(self.options);
        AgentChoice { spec: self, options, text: self.name.to_owned() }
    }

    /// The option of that name.
    pub fn option(&self, name: &str) -> Option<&'static OptionSpec> {
        self.options.iter().find(|option| option.name == name)
    }
}

fn describes(_: &Rules, _: &Options, _: u64) -> Result<Box<dyn Agent>, BuildError> {
    Err(BuildError::Other("this is the description of an agent: it plays elsewhere".to_owned()))
}

/// A family of names that stand for settings of one agent, such as `5ply_fevala`.
#[derive(Clone, Copy)]
pub struct Aliases {
    /// The names as a person would list them.
    pub pattern: &'static str,
    /// The options a name stands for, written as in a spec string; `None` for other names.
    pub expand: fn(&str) -> Option<String>,
}

/// The games an agent plays.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Games {
    /// The whole family.
    All,
    /// Those the test accepts; the text names them.
    Only(fn(&Rules) -> bool, &'static str),
}

impl Games {
    /// What a person reads: `all games`.
    pub const fn words(&self) -> &'static str {
        match self {
            Self::All => "all games",
            Self::Only(_, words) => words,
        }
    }
}

/// An agent was asked to play a game it does not know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{agent} does not play {rules}: it plays {games}")]
pub struct Unsupported {
    /// The agent.
    pub agent: &'static str,
    /// The game.
    pub rules: Rules,
    /// What it does play.
    pub games: &'static str,
}

/// Why a spec string names no agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No agent has that name.
    #[error("there is no agent {name:?}{}; agents: {known}", nearest.as_ref().map(|n| format!(", did you mean {n}?")).unwrap_or_default())]
    UnknownAgent {
        /// The name given.
        name: String,
        /// The nearest one.
        nearest: Option<String>,
        /// All of them.
        known: String,
    },
    /// The agent has no such option.
    #[error("{agent} has no option {name:?}{}; {known}", nearest.as_ref().map(|n| format!(", did you mean {n}?")).unwrap_or_default())]
    UnknownOption {
        /// The agent.
        agent: &'static str,
        /// The option given.
        name: String,
        /// The nearest one.
        nearest: Option<String>,
        /// All of them.
        known: String,
    },
    /// A value is out of range or of the wrong type.
    #[error("{agent}:{name}: {reason}")]
    BadValue {
        /// The agent.
        agent: &'static str,
        /// The option.
        name: &'static str,
        /// What is allowed.
        reason: String,
    },
}

/// Why an agent could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The spec string is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The agent does not play this game.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Anything else: a book that cannot be read, a command that does not start.
    #[error("{0}")]
    Other(String),
}

/// An agent chosen with its options: a parsed spec string that can build players.
#[derive(Clone)]
pub struct AgentChoice {
    /// The row of the registry.
    pub spec: &'static AgentSpec,
    /// Its options.
    pub options: Options,
    /// The text it was parsed from.
    pub text: String,
}

impl AgentChoice {
    /// Makes a player for one game.
    pub fn build(&self, rules: &Rules, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
        self.spec.plays(rules)?;
        (self.spec.build)(rules, &self.options, seed)
    }
}

impl fmt::Debug for AgentChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgentChoice").field(&self.text).finish()
    }
}

/// All agents there are. Clones are the same table: what is added to one is in all.
#[derive(Clone)]
pub struct Registry(Arc<RwLock<Vec<&'static AgentSpec>>>);

impl Registry {
    /// A registry of these agents.
    pub fn new(specs: Vec<&'static AgentSpec>) -> Self {
        Self(Arc::new(RwLock::new(specs)))
    }

    /// Adds an agent; false when there is one of that name.
    pub fn add(&self, spec: &'static AgentSpec) -> bool {
        let mut specs = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_new = specs.iter().all(|known| known.name != spec.name);
        if is_new {
            specs.push(spec);
        }
        is_new
    }

    /// Every agent, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = &'static AgentSpec> + use<> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone().into_iter()
    }

    /// The agent of that name.
    pub fn get(&self, name: &str) -> Option<&'static AgentSpec> {
        self.iter().find(|spec| spec.name == name)
    }

    /// The agent that has this name or alias, and the options an alias stands for.
    fn resolve(&self, name: &str) -> Option<(&'static AgentSpec, String)> {
        self.get(name).map(|spec| (spec, String::new())).or_else(|| {
            self.iter().find_map(|spec| {
                let options = (spec.aliases?.expand)(name)?;
                Some((spec, options))
            })
        })
    }

    /// `sextant,level=3` as it was meant: `sextant:level=3`.
    fn with_colon(&self, text: &str) -> Option<String> {
        let (name, options) = text.split_once([',', ' '])?;
        self.resolve(name)?;
        let meant = format!("{}:{}", name.trim(), options.trim());
        self.parse(&meant).is_ok().then_some(meant)
    }

    /// Reads `name` or `name:key=value,key=value`, where the name may be an alias. A value may be
    /// quoted with `'…'` or nested in `(…)`, so that an option can hold another agent's spec:
    /// `book:then=(sequences:depth=2)`. `engine:name` is the same as `name`.
    pub fn parse(&self, text: &str) -> Result<AgentChoice, SpecError> {
        let plain = text.strip_prefix("engine:").unwrap_or(text);
        let (name, rest) = plain.split_once(':').unwrap_or((plain, ""));
        let name = name.trim();
        let (spec, implied) = self.resolve(name).ok_or_else(|| {
            let names: Vec<_> = self.iter().map(|spec| spec.name).collect();
            let patterns = self.iter().filter_map(|spec| Some(spec.aliases?.pattern));
            let known: Vec<_> = names.iter().copied().chain(patterns).collect();
            SpecError::UnknownAgent {
                name: name.chars().take(40).collect(),
                nearest: self.with_colon(text).or_else(|| nearest(name, &names)),
                known: known.join(", "),
            }
        })?;
        let mut options = Options::defaults(spec.options);
        for part in split_outside_brackets(&implied).into_iter().chain(split_outside_brackets(rest))
        {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let key = key.trim();
            let Some(option) = spec.option(key) else {
                let names: Vec<_> = spec.options.iter().map(|option| option.name).collect();
                return Err(SpecError::UnknownOption {
                    agent: spec.name,
                    name: key.chars().take(40).collect(),
                    nearest: nearest(key, &names),
                    known: if names.is_empty() {
                        "it has no options".to_owned()
                    } else {
                        format!("options: {}", names.join(", "))
                    },
                });
            };
            options.set(option, unquote(value.trim())).map_err(|error: SettingError| {
                SpecError::BadValue {
                    agent: spec.name,
                    name: option.name,
                    reason: error.to_string(),
                }
            })?;
        }
        Ok(AgentChoice { spec, options, text: text.to_owned() })
    }
}

/// The name that was probably meant.
fn nearest(name: &str, known: &[&str]) -> Option<String> {
    let distance = |other: &&&str| strsim::damerau_levenshtein(&name.to_ascii_lowercase(), other);
    if name.len() > 40 {
        return None;
    }
    // Of a short name most letters must be right.
    let most = 3.min(name.chars().count() / 2);
    known
        .iter()
        .min_by_key(distance)
        .filter(|other| distance(other) <= most)
        .map(ToString::to_string)
}

/// Splits at commas that are neither inside brackets nor inside quotes; empty parts vanish.
fn split_outside_brackets(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_u32, false);
    for (at, sign) in text.char_indices() {
        match sign {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn unquote(value: &str) -> &str {
    let inner =
        |open, close| value.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    inner('\'', '\'').or_else(|| inner('(', ')')).unwrap_or(value)
}
