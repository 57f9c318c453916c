//! How a game ends, in one vocabulary for everybody: the referee, the page, the terminal, the
//! protocols, the records and the arena.

use std::fmt;
use std::str::FromStr;

use collinear_rules::{Outcome, Player, Position, notation};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Fault;

/// Why a game ended. The names are stable: they stand in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// Somebody made a row.
    Row,
    /// The board is full.
    FullBoard,
    /// Renju: Black placed a forbidden stone where that loses, or has only forbidden cells left.
    Forbidden,
    /// Nobody can make a row any more.
    DeadDraw,
    /// The game took as many stones as it may.
    MoveLimit,
    /// The loser gave up.
    Resignation,
    /// The players agreed on the result.
    Agreement,
    /// Somebody watching decided the game.
    Adjudicated,
    /// A turn against the rules.
    IllegalTurn,
    /// The answer came too late, or did not come within the time.
    TimeForfeit,
    /// The agent panicked, or its process ended.
    Crash,
    /// The agent said that it has no turn, or could not be made at all.
    AgentError,
    /// The engine closed its connection but its process went on.
    Disconnect,
    /// The engine did not answer where no clock was running.
    Silence,
    /// The engine answered something that could not be read as a turn.
    Misread,
    /// The loser broke the rules or did not appear; the record does not say more.
    Forfeit,
    /// The record names the result and not the reason.
    Unstated,
    /// The game was called off before its end: it counts for nothing.
    CalledOff,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 18] = [
        Self::Row,
        Self::FullBoard,
        Self::Forbidden,
        Self::DeadDraw,
        Self::MoveLimit,
        Self::Resignation,
        Self::Agreement,
        Self::Adjudicated,
        Self::IllegalTurn,
        Self::TimeForfeit,
        Self::Crash,
        Self::AgentError,
        Self::Disconnect,
        Self::Silence,
        Self::Misread,
        Self::Forfeit,
        Self::Unstated,
        Self::CalledOff,
    ];

    /// The name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::FullBoard => "full-board",
            Self::Forbidden => "forbidden",
            Self::DeadDraw => "dead-draw",
            Self::MoveLimit => "move-limit",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Adjudicated => "adjudicated",
            Self::IllegalTurn => "illegal-turn",
            Self::TimeForfeit => "time-forfeit",
            Self::Crash => "crash",
            Self::AgentError => "agent-error",
            Self::Disconnect => "disconnect",
            Self::Silence => "silence",
            Self::Misread => "misread",
            Self::Forfeit => "forfeit",
            Self::Unstated => "unstated",
            Self::CalledOff => "called-off",
        }
    }

    /// Whether the loser lost by a fault of its own rather than on the board.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::IllegalTurn
                | Self::TimeForfeit
                | Self::Crash
                | Self::AgentError
                | Self::Disconnect
                | Self::Silence
                | Self::Misread
                | Self::Forfeit
        )
    }

    /// Whether the stones on the board show this end.
    pub const fn is_on_board(self) -> bool {
        matches!(self, Self::Row | Self::FullBoard | Self::Forbidden)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Row => "a row",
            Self::FullBoard => "the board is full",
            Self::Forbidden => "a forbidden stone",
            Self::DeadDraw => "no row is possible any more",
            Self::MoveLimit => "the limit of stones is reached",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Adjudicated => "adjudicated",
            Self::IllegalTurn => "illegal turn",
            Self::TimeForfeit => "time forfeit",
            Self::Crash => "crash",
            Self::AgentError => "no turn",
            Self::Disconnect => "disconnected",
            Self::Silence => "no answer",
            Self::Misread => "an answer that cannot be read",
            Self::Forfeit => "forfeit",
            Self::Unstated => "reason not stated",
            Self::CalledOff => "called off",
        })
    }
}

/// A word that names no reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a reason for the end of a game")]
pub struct UnknownReason(String);

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(name: &str) -> Result<Self, UnknownReason> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.name() == name)
            .ok_or_else(|| UnknownReason(name.chars().take(40).collect()))
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Who won; nobody in a draw and in a game that was called off.
    pub winner: Option<Player>,
    /// Why.
    pub reason: Reason,
    /// What happened, in words for people: the last words of a crash, the cell of an illegal
    /// stone. Nothing decides by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl End {
    /// A win.
    pub const fn won(winner: Player, reason: Reason) -> Self {
        Self { winner: Some(winner), reason, detail: None }
    }

    /// An end without a winner.
    pub const fn drawn(reason: Reason) -> Self {
        Self { winner: None, reason, detail: None }
    }

    /// The game was called off.
    pub const fn called_off() -> Self {
        Self::drawn(Reason::CalledOff)
    }

    /// A player lost by a fault.
    pub fn lost_by(loser: Player, fault: &Fault) -> Self {
        Self::won(loser.opponent(), fault.reason()).with_detail(fault.to_string())
    }

    /// The end that the stones show, if they show one.
    pub fn on_board(position: &Position) -> Option<Self> {
        match position.outcome() {
            Outcome::Won(player) if position.winning_rows().is_empty() => {
                let rules = position.rules();
                let detail = match position.lost_by_foul() {
                    Some((cell, foul)) => format!("{} makes a {foul}", notation::name(rules, cell)),
                    None => "every cell left is forbidden".to_owned(),
                };
                Some(Self::won(player, Reason::Forbidden).with_detail(detail))
            }
            Outcome::Won(player) => Some(Self::won(player, Reason::Row)),
            Outcome::Drawn => Some(Self::drawn(Reason::FullBoard)),
            Outcome::Ongoing => None,
        }
    }

    /// The same with words for people.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Whether the loser lost by a fault of its own rather than on the board.
    pub const fn is_fault(&self) -> bool {
        self.reason.is_fault()
    }

    /// Whether the game has a result at all.
    pub fn counts(&self) -> bool {
        self.reason != Reason::CalledOff
    }

    /// Black's half points: 2, 1 or 0; none for a game that does not count.
    pub fn black_half_points(&self) -> Option<u8> {
        self.counts().then_some(match self.winner {
            Some(Player::Black) => 2,
            None => 1,
            Some(Player::White) => 0,
        })
    }
}

impl fmt::Display for End {
    /// `black wins: crash: out of ideas`, `a draw: the board is full`, `no result: called off`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins: ")?,
            None if self.counts() => f.write_str("a draw: ")?,
            None => f.write_str("no result: ")?,
        }
        write!(f, "{}", self.reason)?;
        self.detail.as_ref().map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_everywhere_and_come_back() {
        for reason in Reason::ALL {
            let json = serde_json::to_string(&reason).expect("a name");
            assert_eq!(json, format!("{:?}", reason.name()));
            assert_eq!(reason.name().parse(), Ok(reason));
        }
        assert!("hang".parse::<Reason>().is_err());
    }

    #[test]
    fn a_foul_that_loses_is_named() {
        let rules = "15x15,k=5,renju=loses".parse().expect("valid");
        let at = |name| notation::parse(&rules, name).expect(name);
        let moves = ["f8", "a1", "g8", "c1", "h6", "e1", "h7", "g1", "h8"].map(at);
        let end = End::on_board(&Position::from_moves(rules, &moves).expect("taken"));
        let words = end.expect("over").to_string();
        assert_eq!(words, "white wins: a forbidden stone: h8 makes a double three");
    }

    #[test]
    fn points_follow_the_winner() {
        assert_eq!(End::won(Player::White, Reason::Row).black_half_points(), Some(0));
        assert_eq!(End::drawn(Reason::FullBoard).black_half_points(), Some(1));
        assert_eq!(End::called_off().black_half_points(), None);
        let end = End::lost_by(Player::White, &Fault::Crash("out of ideas".into()));
        assert_eq!(end.to_string(), "black wins: crash: out of ideas");
        assert!(end.is_fault());
    }
}
