//! The networks that come with the program.
//!
//! They are inside it wherever it is a file on a disk. A browser loads it over a network, where they would
//! be most of the bytes before the first stone: there a page lends each of them when a game needs it.

use collinear_rules::{Overline, Player, Rules};

/// A file of numbers that some games need for their full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The network of Connect6.
    Connect6Net,
    /// The network of freestyle Gomoku, which guides alpha-beta in exactly five, too.
    GomokuNet,
    /// Line patterns of freestyle Gomoku, which the network taught; they serve exactly five and Renju, too.
    GomokuLines,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Connect6Net, Self::GomokuNet, Self::GomokuLines];
    /// The networks, in the order in which they are asked.
    pub(crate) const NETS: [Self; 2] = [Self::Connect6Net, Self::GomokuNet];

    /// The name of its file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connect6Net => "connect6.sxn",
            Self::GomokuNet => "gomoku.sxn",
            Self::GomokuLines => "gomoku.sxe",
        }
    }

    /// Whether it was made for this game.
    pub fn suits(self, rules: &Rules) -> bool {
        self.serves(rules) && !rules.is_renju() && rules.overline(Player::White) == Overline::Wins
    }

    /// Whether it makes Sextant stronger in this game: what was learned in freestyle Gomoku is worth much
    /// where other rows win or some stones are forbidden, too.
    pub fn serves(self, rules: &Rules) -> bool {
        let (k, p) = match self {
            Self::Connect6Net => (6, 2),
            Self::GomokuNet | Self::GomokuLines => (5, 1),
        };
        let is_kindred = match self {
            Self::Connect6Net => rules.overline(Player::White) == Overline::Wins,
            // In Renju it costs more time than it is worth.
            Self::GomokuNet => !rules.is_renju(),
            Self::GomokuLines => rules.q() == 1,
        };
        (rules.k(), rules.p()) == (k, p) && is_kindred && !rules.gravity()
    }

    /// Its bytes; none where nobody has lent them.
    pub fn bytes(self) -> Option<&'static [u8]> {
        bytes(self)
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[expect(clippy::unnecessary_wraps, reason = "in a browser there may be none")]
const fn bytes(part: Part) -> Option<&'static [u8]> {
    Some(match part {
        Part::Connect6Net => include_bytes!("../weights/connect6.sxn"),
        Part::GomokuNet => include_bytes!("../weights/gomoku.sxn"),
        Part::GomokuLines => include_bytes!("../weights/gomoku.sxe"),
    })
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use lent::bytes;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod lent {
    use std::sync::OnceLock;

    use super::Part;

    static LENT: [OnceLock<Vec<u8>>; Part::ALL.len()] =
        [const { OnceLock::new() }; Part::ALL.len()];

    pub(super) fn bytes(part: Part) -> Option<&'static [u8]> {
        LENT[part as usize].get().map(Vec::as_slice)
    }

    impl Part {
        /// Lends its bytes, before the first engine of a game that it suits is made. The first ones stay.
        pub fn lend(self, bytes: Vec<u8>) {
            let _ = LENT[self as usize].set(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LineNet;
    use crate::net::Net;

    #[test]
    fn parts_suit_the_games_that_their_files_name() {
        let more = [
            "15x15,k=6,p=2,q=1",
            "15x15,k=6,p=2,q=2",
            "15x15,k=5,p=1,q=2",
            "9x9,k=5,p=2,q=1",
            "15x15,k=6,p=2,q=1,exact",
            "15x15,k=5,gravity",
        ];
        let more = more.map(|text| text.parse().expect("rules"));
        for rules in Rules::PRESETS.iter().map(|(_, rules)| rules).chain(&more) {
            for part in Part::ALL {
                let bytes = part.bytes().expect("embedded");
                let serves = if part == Part::GomokuLines {
                    LineNet::from_bytes(bytes).expect("whole").serves(rules)
                } else {
                    let net = Net::from_bytes(bytes).expect("whole");
                    assert_eq!(part.suits(rules), net.suits(rules), "{} in {rules}", part.name());
                    net.guides(rules)
                };
                assert_eq!(part.serves(rules), serves, "{} in {rules}", part.name());
            }
        }
    }
}
