//! The options of an agent: their types, ranges and defaults, and values checked against them.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use thiserror::Error;

use crate::decimal::decimal;
use crate::{TimeError, parse_time};

/// One option of an agent.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The key in spec strings.
    pub name: &'static str,
    /// One line for `collinear agents NAME`.
    pub help: &'static str,
    /// Type, range and default.
    pub kind: Kind,
}

/// Options are declared in a line each: the type, the name, the range and the default, then the help.
///
/// ```
/// use collinear_play::{Kind, OptionSpec};
///
/// const DEPTH: OptionSpec = OptionSpec::int("depth", 1..=64, 8).help("how far to look ahead");
/// assert_eq!(DEPTH.kind, Kind::Int { min: 1, max: 64, default: 8 });
/// ```
impl OptionSpec {
    const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, help: "", kind }
    }

    /// A whole number.
    pub const fn int(name: &'static str, range: RangeInclusive<i64>, default: i64) -> Self {
        Self::new(name, Kind::Int { min: *range.start(), max: *range.end(), default })
    }

    /// A real number.
    pub const fn float(name: &'static str, range: RangeInclusive<f64>, default: f64) -> Self {
        Self::new(name, Kind::Float { min: *range.start(), max: *range.end(), default })
    }

    /// A yes or no.
    pub const fn bool(name: &'static str, default: bool) -> Self {
        Self::new(name, Kind::Bool { default })
    }

    /// One of several words.
    pub const fn choice(
        name: &'static str,
        values: &'static [&'static str],
        default: &'static str,
    ) -> Self {
        Self::new(name, Kind::Choice { values, default })
    }

    /// A duration.
    pub const fn time(name: &'static str, default: Option<Duration>) -> Self {
        Self::new(name, Kind::Time { default })
    }

    /// Free text.
    pub const fn text(name: &'static str, default: &'static str) -> Self {
        Self::new(name, Kind::Text { default })
    }

    /// The name of a file, none unless given.
    pub const fn file(name: &'static str) -> Self {
        Self::new(name, Kind::File)
    }

    /// Another agent's spec.
    pub const fn agent(name: &'static str, default: &'static str) -> Self {
        Self::new(name, Kind::Agent { default })
    }

    /// The same with its line of help.
    #[must_use]
    pub const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }
}

/// Type, range and default of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number.
    Int {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
        /// Unless given.
        default: i64,
    },
    /// A real number.
    Float {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Unless given.
        default: f64,
    },
    /// `true` or `false`; the bare key means `true`.
    Bool {
        /// Unless given.
        default: bool,
    },
    /// One of several words.
    Choice {
        /// The words.
        values: &'static [&'static str],
        /// Unless given.
        default: &'static str,
    },
    /// A duration such as `500ms` or `2s`; `none` where the default is none.
    Time {
        /// Unless given.
        default: Option<Duration>,
    },
    /// Free text: a command, a list of words.
    Text {
        /// Unless given.
        default: &'static str,
    },
    /// The name of a file the agent reads; none unless given. Whoever lets strangers choose agents
    /// refuses these.
    File,
    /// Another agent's spec: its options are options too.
    Agent {
        /// Unless given.
        default: &'static str,
    },
}

impl Kind {
    /// What a program reads: `int`, `choice`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Int { .. } => "int",
            Self::Float { .. } => "float",
            Self::Bool { .. } => "bool",
            Self::Choice { .. } => "choice",
            Self::Time { .. } => "time",
            Self::Text { .. } => "text",
            Self::File => "file",
            Self::Agent { .. } => "agent",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int { min, max, default } => write!(f, "{min}…{max}, default {default}"),
            Self::Float { min, max, default } => write!(f, "{min}…{max}, default {default}"),
            Self::Bool { default } => write!(f, "true or false, default {default}"),
            Self::Choice { values, default } => {
                write!(f, "{}, default {default}", values.join(" or "))
            }
            Self::Time { default: Some(time) } => {
                write!(f, "a time such as 500ms, default {time:?}")
            }
            Self::Time { default: None } => write!(f, "a time such as 500ms or 2s, default none"),
            Self::Text { default: "" } => write!(f, "text, default none"),
            Self::Text { default } => write!(f, "text, default {default}"),
            Self::File => write!(f, "a file name, default none"),
            Self::Agent { default } => write!(f, "an agent, default {default}"),
        }
    }
}

/// The value of one option.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Setting {
    /// Of [`Kind::Int`].
    Int(i64),
    /// Of [`Kind::Float`].
    Float(f64),
    /// Of [`Kind::Bool`].
    Bool(bool),
    /// Of [`Kind::Choice`], [`Kind::Text`], [`Kind::File`] and [`Kind::Agent`].
    Text(String),
    /// Of [`Kind::Time`].
    Time(Option<Duration>),
}

/// Why an option does not take a value.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SettingError {
    /// Of the wrong type, or out of its range.
    #[error("{value:?} is not allowed: {kind}")]
    NotAllowed {
        /// The value given.
        value: String,
        /// What is allowed.
        kind: Kind,
    },
    /// No duration.
    #[error(transparent)]
    Time(#[from] TimeError),
}

/// The options of one agent, complete and in the order in which it declares them: what was not given has its
/// default.
#[derive(Clone, Debug, PartialEq)]
pub struct Options(Vec<(&'static str, Setting)>);

impl Options {
    /// All defaults.
    pub fn defaults(specs: &[OptionSpec]) -> Self {
        Self(specs.iter().map(|spec| (spec.name, default_of(spec.kind))).collect())
    }

    /// A whole number. Asking for an option the agent did not declare is a bug and panics, as for
    /// all of these.
    pub fn int(&self, name: &str) -> i64 {
        match *self.get(name) {
            Setting::Int(value) => value,
            ref other => wrong_type(name, other),
        }
    }

    /// A real number.
    pub fn float(&self, name: &str) -> f64 {
        match *self.get(name) {
            Setting::Float(value) => value,
            ref other => wrong_type(name, other),
        }
    }

    /// A yes or no.
    pub fn bool(&self, name: &str) -> bool {
        match *self.get(name) {
            Setting::Bool(value) => value,
            ref other => wrong_type(name, other),
        }
    }

    /// A word or free text.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Setting::Text(value) => value,
            other => wrong_type(name, other),
        }
    }

    /// A duration.
    pub fn time(&self, name: &str) -> Option<Duration> {
        match *self.get(name) {
            Setting::Time(value) => value,
            ref other => wrong_type(name, other),
        }
    }

    /// Replaces a setting, checked against its spec.
    pub fn set(&mut self, spec: &OptionSpec, value: &str) -> Result<(), SettingError> {
        let setting = parse_setting(spec.kind, value)?;
        match self.0.iter_mut().find(|(name, _)| *name == spec.name) {
            Some((_, old)) => *old = setting,
            None => self.0.push((spec.name, setting)),
        }
        Ok(())
    }

    fn get(&self, name: &str) -> &Setting {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or_else(|| panic!("the agent declared no option {name}"), |(_, setting)| setting)
    }
}

fn wrong_type(name: &str, setting: &Setting) -> ! {
    panic!("option {name} is {setting:?}: the agent declared another type")
}

fn default_of(kind: Kind) -> Setting {
    match kind {
        Kind::Int { default, .. } => Setting::Int(default),
        Kind::Float { default, .. } => Setting::Float(default),
        Kind::Bool { default } => Setting::Bool(default),
        Kind::Choice { default, .. } | Kind::Text { default } | Kind::Agent { default } => {
            Setting::Text(default.to_owned())
        }
        Kind::File => Setting::Text(String::new()),
        Kind::Time { default } => Setting::Time(default),
    }
}

fn parse_setting(kind: Kind, value: &str) -> Result<Setting, SettingError> {
    let range = || SettingError::NotAllowed { value: value.to_owned(), kind };
    match kind {
        Kind::Int { min, max, .. } => match value.parse() {
            Ok(n) if (min..=max).contains(&n) => Ok(Setting::Int(n)),
            _ => Err(range()),
        },
        Kind::Float { min, max, .. } => match decimal(value) {
            Some(x) if (min..=max).contains(&x) => Ok(Setting::Float(x)),
            _ => Err(range()),
        },
        Kind::Bool { .. } => match value {
            "true" | "yes" | "on" | "1" | "" => Ok(Setting::Bool(true)),
            "false" | "no" | "off" | "0" => Ok(Setting::Bool(false)),
            _ => Err(range()),
        },
        Kind::Choice { values, .. } if values.contains(&value) => {
            Ok(Setting::Text(value.to_owned()))
        }
        Kind::Choice { .. } => Err(range()),
        Kind::Text { .. } | Kind::File | Kind::Agent { .. } => Ok(Setting::Text(value.to_owned())),
        Kind::Time { .. } if value == "none" => Ok(Setting::Time(None)),
        Kind::Time { .. } => Ok(Setting::Time(Some(parse_time(value)?))),
    }
}
