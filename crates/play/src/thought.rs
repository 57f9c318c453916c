//! What a turn cost and what its player said about it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Report, Value};

/// What is known of the thinking behind a turn. Everything is optional: a person says nothing, a
/// record may hold times alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// How long the player took; in files, in microseconds.
    #[serde(default, rename = "us", with = "micros", skip_serializing_if = "Option::is_none")]
    pub time: Option<Duration>,
    /// What is left on the player's clock after the turn, its increment included.
    #[serde(
        default,
        rename = "clock_us",
        with = "micros",
        skip_serializing_if = "Option::is_none"
    )]
    pub clock: Option<Duration>,
    /// Positions looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// What the player thought of its position, from its own point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

impl Thought {
    /// A turn that took so long, with nothing said about it.
    pub fn timed(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes over what a report says; a later report may leave things out.
    pub(crate) fn hear(&mut self, report: &Report) {
        self.nodes = Some(report.nodes);
        self.depth = Some(report.depth);
        if let Some(line) = report.lines.first() {
            self.value = Some(line.value);
        }
    }
}

/// Times as whole microseconds.
mod micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "as serde calls it")]
    pub(super) fn serialize<S: Serializer>(t: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        t.map(|time| time.as_micros() as u64).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::deserialize(from)?.map(Duration::from_micros))
    }
}
