//! How long and how hard a player may think in a whole game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::budget::GRACE;
use crate::{Budget, Clock, StopFlag, TimeError, parse_time};

/// What a player may spend in a game; each turn's [`Budget`] is cut from it.
///
/// ```
/// use collinear_play::TimeControl;
///
/// let control: TimeControl = "clock=60s+1s,nodes=100000".parse()?;
/// assert_eq!(control.to_string(), "clock=60s+1s,nodes=100000");
/// assert!("2s".parse::<TimeControl>()?.turn.is_some());
/// # Ok::<(), collinear_play::ControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The most time for one turn.
    pub turn: Option<Duration>,
    /// The clock at the start of the game, with its increment per turn.
    pub clock: Option<Clock>,
    /// The most nodes per turn.
    pub nodes: Option<u64>,
    /// The deepest search, in stones.
    pub depth: Option<u32>,
    /// How late an answer may come before it forfeits the game.
    pub grace: Duration,
}

impl Default for TimeControl {
    /// No limit at all: agents stop where their own options say.
    fn default() -> Self {
        Self { turn: None, clock: None, nodes: None, depth: None, grace: GRACE }
    }
}

impl TimeControl {
    /// So much time per turn.
    pub fn turn(time: Duration) -> Self {
        Self { turn: Some(time), ..Self::default() }
    }

    /// This many nodes per turn.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// So deep a search.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// The budget of one turn with this much left on the clock.
    pub fn budget(&self, left: Option<Duration>, stop: StopFlag) -> Budget {
        Budget {
            time: self.turn,
            clock: self.clock.map(|clock| Clock { left: left.unwrap_or(clock.left), ..clock }),
            nodes: self.nodes,
            depth: self.depth,
            lines: 1,
            stop,
            grace: self.grace,
        }
    }
}

/// Why a text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ControlError {
    /// A key that does not exist.
    #[error(
        "{0:?} is not part of a time control: known are turn=TIME, clock=TIME+TIME, nodes=N, depth=N, grace=TIME, or just a TIME per turn such as 500ms"
    )]
    UnknownPart(String),
    /// A time that cannot be read.
    #[error("{key}: {reason}")]
    BadTime {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        reason: TimeError,
    },
    /// A value that cannot be read.
    #[error("{key}={value}: {expected}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// What stands behind it.
        value: String,
        /// What would have been right.
        expected: &'static str,
    },
}

impl FromStr for TimeControl {
    type Err = ControlError;

    /// Reads `2s`, `turn=2s`, `clock=60s+1s`, `nodes=1000`, `depth=4`, or several with commas.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let mut control = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                None if part.starts_with(|sign: char| sign.is_ascii_digit()) => {
                    control.turn = Some(time("turn", part)?);
                }
                Some(("turn", value)) => control.turn = Some(time("turn", value)?),
                Some(("grace", value)) => control.grace = time("grace", value)?,
                Some(("clock", value)) => {
                    let (left, increment) = value.split_once('+').unwrap_or((value, "0s"));
                    control.clock = Some(Clock {
                        left: time("clock", left)?,
                        increment: time("clock", increment)?,
                    });
                }
                Some(("nodes", value)) => control.nodes = Some(number("nodes", value)?),
                Some(("depth", value)) => control.depth = Some(number("depth", value)?),
                _ => return Err(ControlError::UnknownPart(part.chars().take(40).collect())),
            }
        }
        Ok(control)
    }
}

fn time(key: &'static str, value: &str) -> Result<Duration, ControlError> {
    parse_time(value).map_err(|reason| ControlError::BadTime { key, reason })
}

fn number<N: FromStr + PartialOrd + From<u8>>(
    key: &'static str,
    value: &str,
) -> Result<N, ControlError> {
    value.parse().ok().filter(|n| *n >= N::from(1)).ok_or_else(|| ControlError::BadValue {
        key,
        value: value.chars().take(40).collect(),
        expected: "a whole number from 1 is needed",
    })
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.turn.map(|time| format!("turn={time:?}")));
        parts.extend(
            self.clock.map(|Clock { left, increment }| format!("clock={left:?}+{increment:?}")),
        );
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        if self.grace != GRACE {
            parts.push(format!("grace={:?}", self.grace));
        }
        f.write_str(&parts.join(","))
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_print_as_they_are_read() {
        for text in ["", "turn=1.5s", "clock=300s+2s", "nodes=7,depth=3", "turn=20ms,grace=1s"] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.to_string(), text);
        }
    }

    #[test]
    fn refusals_say_what_is_known() {
        let refusal = |text: &str| text.parse::<TimeControl>().expect_err(text).to_string();
        assert!(refusal("speed=3").contains("known are"));
        assert!(refusal("turn=soon").contains("500ms"));
        assert!(refusal("nodes=0").contains("from 1"));
        assert!(refusal("clock=9s+x").contains("500ms"));
    }
}
