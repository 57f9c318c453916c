//! The engine protocols by name, and which games each of them can carry.

use std::fmt;
use std::str::FromStr;

use collinear_rules::Rules;
use thiserror::Error;

/// A protocol has no words for the cells of a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{protocol} names cells by letters: boards up to 26x26, not {rules}")]
pub struct UnsupportedBoard {
    /// The protocol.
    pub protocol: Protocol,
    /// The game.
    pub rules: Rules,
}

/// A text that names no protocol.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("protocols are {}", Protocol::NAMES.join(", "))]
pub struct UnknownProtocol;

/// A text protocol between a host (a GUI, a referee) and an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// Cloudict and its many relatives: letter pairs from the bottom left.
    Cloudict,
    /// The SAU game platform: letter pairs from the top left.
    Sau,
    /// Gomocup (Piskvork) with the Yixin extensions.
    Gomocup,
    /// Our own, for every game of the family; see `docs/protocols.md`.
    Ugi,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Self; 4] = [Self::Cloudict, Self::Sau, Self::Gomocup, Self::Ugi];

    /// The names, for options and messages.
    pub const NAMES: [&'static str; 4] = ["cloudict", "sau", "gomocup", "ugi"];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The game a session is about unless it says otherwise.
    pub const fn usual_game(self) -> Rules {
        match self {
            Self::Cloudict | Self::Sau | Self::Ugi => Rules::CONNECT6,
            Self::Gomocup => Rules::GOMOKU,
        }
    }

    /// Whether the protocol has words for the cells of this board.
    pub fn check(self, rules: &Rules) -> Result<(), UnsupportedBoard> {
        let side = rules.width().max(rules.height());
        match self {
            Self::Cloudict | Self::Sau if side > 26 => {
                Err(UnsupportedBoard { protocol: self, rules: *rules })
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Self, UnknownProtocol> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == text).ok_or(UnknownProtocol)
    }
}
