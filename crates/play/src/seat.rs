//! Who sits at the board.

use serde::{Deserialize, Serialize};

/// One side of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seat {
    /// Somebody who places stones by hand.
    Person,
    /// An agent.
    Agent {
        /// Its spec string.
        spec: String,
        /// What to call it.
        label: String,
    },
}

impl Seat {
    /// An agent that is called by its spec string.
    pub fn agent(spec: impl Into<String>) -> Self {
        let spec = spec.into();
        Self::Agent { label: spec.clone(), spec }
    }

    /// Whether a person sits here.
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }

    /// What to call it.
    pub fn label(&self) -> &str {
        match self {
            Self::Person => "Person",
            Self::Agent { label, .. } => label,
        }
    }
}
