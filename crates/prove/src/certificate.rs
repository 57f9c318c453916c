//! A certificate: the value of a position and, for every claim behind it, a strategy that anyone
//! can replay. The format is described in `docs/prove.md`.
//!
//! ```text
//! collinear certificate 1
//! game 5x5,k=4
//! black
//! white
//! to-move black 1
//! value draw
//! part white holds strong 3121        3121 bytes of strategy
//! part black holds stealing 0
//! sha256 …                            of everything above and of the strategies
//!
//! <strategies>
//! ```

use std::fmt::{self, Write as _};

use collinear_rules::{Cell, Player, Position, Rules, Setup, notation};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Who wins with perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// This player completes a row, whatever the opponent does.
    Won(Player),
    /// Neither player can be kept from holding.
    Draw,
}

impl Value {
    /// `black`, `white` or `draw`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Won(player) => player.name(),
            Self::Draw => "draw",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Won(Player::Black), Self::Won(Player::White), Self::Draw]
            .into_iter()
            .find(|value| value.name() == name)
    }

    /// What has to be shown: who achieves what.
    pub fn claims(self) -> Vec<(Player, Goal)> {
        match self {
            Self::Won(player) => vec![(player, Goal::Wins)],
            Self::Draw => vec![(Player::White, Goal::Holds), (Player::Black, Goal::Holds)],
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a player achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// A row.
    Wins,
    /// The opponent never completes a row, unless the player has completed one before.
    Holds,
}

impl Goal {
    const fn name(self) -> &'static str {
        match self {
            Self::Wins => "wins",
            Self::Holds => "holds",
        }
    }
}

/// Why a claim is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A strategy that uses both players' threats.
    Strong(Vec<u8>),
    /// A strategy of holding that makes no use of the holder's own rows.
    Weak(Vec<u8>),
    /// Turns of the attacker, on a board of any size; only the defender's turns in their zones are
    /// answered one by one.
    Zones(Vec<u8>),
    /// Black moves first on an empty board, an extra stone never harms, and `q ≥ p`: if White had
    /// a winning strategy, Black could follow it.
    Stealing,
}

/// One claim of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Who achieves it.
    pub player: Player,
    /// What is achieved.
    pub goal: Goal,
    /// Why.
    pub reason: Reason,
}

/// A value with the strategies that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The game.
    pub rules: Rules,
    /// The position.
    pub setup: Setup,
    /// Its value.
    pub value: Value,
    /// Where somebody wins and it was asked for: the row is complete after exactly this many stones of
    /// both players, if the winner hurries and the loser delays.
    pub stones: Option<u32>,
    /// The claims.
    pub parts: Vec<Part>,
}

/// Why bytes are not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A line of the head is not what it should be.
    #[error("line {line} of the certificate: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The strategies are shorter or longer than announced.
    #[error(
        "the certificate has {found} bytes of strategy after its head, {expected} are announced: it was cut or joined"
    )]
    Length {
        /// Bytes announced.
        expected: usize,
        /// Bytes there.
        found: usize,
    },
    /// The digest does not fit.
    #[error(
        "the certificate is damaged: its digest is {found}, its last line of the head says {expected}"
    )]
    Digest {
        /// The digest announced.
        expected: String,
        /// The digest computed.
        found: String,
    },
}

const TITLE: &str = "collinear certificate 1";
/// Certificates that tell how many stones a win takes, and those with zones.
const TITLE_2: &str = "collinear certificate 2";

/// A head is a few lines, the longest with the stones of one colour.
const MAX_HEAD: usize = 4096;

impl Certificate {
    /// What has to be shown: who achieves what, and of a distance within how many stones. The winner
    /// wins in so many, the loser holds for one less.
    pub fn claims(&self) -> Vec<(Player, Goal)> {
        let mut claims = self.value.claims();
        if let (Value::Won(winner), Some(_)) = (self.value, self.stones) {
            claims.push((!winner, Goal::Holds));
        }
        claims
    }

    /// Within how many stones a goal is claimed; none without a limit.
    pub(crate) fn within(&self, goal: Goal) -> Option<u32> {
        self.stones.map(|stones| match goal {
            Goal::Wins => stones,
            Goal::Holds => stones.saturating_sub(1),
        })
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let zones = self.parts.iter().any(|part| matches!(part.reason, Reason::Zones(_)));
        let title = if zones || self.stones.is_some() { TITLE_2 } else { TITLE };
        let mut head = format!("{title}\ngame {}\n", self.rules);
        for (name, stones) in [("black", &self.setup.black), ("white", &self.setup.white)] {
            let line = format!("{name} {}", notation::names(&self.rules, stones));
            head += line.trim_end();
            head += "\n";
        }
        let (player, left) = self.setup.to_move.unwrap_or((Player::Black, self.rules.q()));
        let _ = write!(head, "to-move {player} {left}\nvalue {}", self.value);
        if let Some(stones) = self.stones {
            let _ = write!(head, " in {stones}");
        }
        head += "\n";
        let mut body = Vec::new();
        for part in &self.parts {
            let (name, bytes): (_, &[u8]) = match &part.reason {
                Reason::Strong(bytes) => ("strong", bytes),
                Reason::Weak(bytes) => ("weak", bytes),
                Reason::Zones(bytes) => ("zones", bytes),
                Reason::Stealing => ("stealing", &[]),
            };
            let _ =
                writeln!(head, "part {} {} {name} {}", part.player, part.goal.name(), bytes.len());
            body.extend_from_slice(bytes);
        }
        let digest = digest(head.as_bytes(), &body);
        let mut file = format!("{head}sha256 {digest}\n\n").into_bytes();
        file.extend(body);
        file
    }

    /// The digest that stands in the file: its name in tables of results.
    pub fn digest(&self) -> String {
        let file = self.to_bytes();
        let head = file.windows(8).position(|at| at == b"\nsha256 ").map_or(0, |at| at + 8);
        String::from_utf8_lossy(&file[head..head + 64]).into_owned()
    }

    /// Reads a file. Whether its claims are true is for [`check`](crate::check()) to say.
    pub fn from_bytes(file: &[u8]) -> Result<Self, FormatError> {
        let mut lines = Lines { file, at: 0, line: 0 };
        let title = lines.next()?;
        if title != TITLE && title != TITLE_2 {
            return Err(lines.wrong(format!("a certificate begins with {TITLE:?}")));
        }
        let rules: Rules = lines.field("game")?.parse().map_err(|error| lines.wrong(error))?;
        let black = lines.stones("black", &rules)?;
        let white = lines.stones("white", &rules)?;
        let turn = lines.field("to-move")?;
        let to_move = turn
            .split_once(' ')
            .and_then(|(name, left)| Some((player(name)?, left.parse().ok()?)))
            .ok_or_else(|| lines.wrong(format!("{turn:?} is not a player and a number")))?;
        let line = lines.field("value")?;
        let (name, stones) = match line.split_once(" in ").filter(|_| title == TITLE_2) {
            Some((name, stones)) => (name, stones.parse().ok()),
            None => (line, None),
        };
        let value = Value::from_name(name)
            .filter(|_| stones.is_some() || name == line)
            .filter(|&value| stones.is_none() || value != Value::Draw)
            .ok_or_else(|| lines.wrong(format!("{line:?} is neither black, white nor draw")))?;
        let mut announced = Vec::new();
        let (head, expected) = loop {
            let head = lines.at;
            let line = lines.next()?;
            if let Some(digest) = line.strip_prefix("sha256 ") {
                break (head, digest.to_owned());
            }
            announced.push(part(line).ok_or_else(|| {
                lines.wrong(format!("{line:?} is not a claim such as: part white holds strong 120"))
            })?);
        };
        if !lines.next()?.is_empty() {
            return Err(lines.wrong("the head ends with an empty line"));
        }
        let body = &file[lines.at..];
        let total =
            announced.iter().fold(0_usize, |sum, &(_, _, length)| sum.saturating_add(length));
        if total != body.len() {
            return Err(FormatError::Length { expected: total, found: body.len() });
        }
        let found = digest(&file[..head], body);
        if found != expected {
            return Err(FormatError::Digest { expected, found });
        }
        let mut rest = body;
        let parts = announced
            .into_iter()
            .map(|(claim, kind, length)| {
                let (bytes, after) = rest.split_at(length);
                rest = after;
                let reason = match kind {
                    Kind::Strong => Reason::Strong(bytes.to_vec()),
                    Kind::Weak => Reason::Weak(bytes.to_vec()),
                    Kind::Zones => Reason::Zones(bytes.to_vec()),
                    Kind::Stealing => Reason::Stealing,
                };
                Part { player: claim.0, goal: claim.1, reason }
            })
            .collect();
        let setup = Setup { black, white, to_move: Some(to_move) };
        Ok(Self { rules, setup, value, stones, parts })
    }
}

/// A position as a certificate states it.
pub(crate) fn setup_of(position: &Position) -> Setup {
    Setup {
        black: position.stones(Player::Black).collect(),
        white: position.stones(Player::White).collect(),
        to_move: Some((position.to_move(), position.stones_left())),
    }
}

fn digest(head: &[u8], body: &[u8]) -> String {
    let sum = Sha256::new().chain_update(head).chain_update(body).finalize();
    sum.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(crate) fn player(name: &str) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| player.name() == name)
}

enum Kind {
    Strong,
    Weak,
    Zones,
    Stealing,
}

/// Reads `part white holds strong 120`.
fn part(line: &str) -> Option<((Player, Goal), Kind, usize)> {
    let mut words = line.strip_prefix("part ")?.split(' ');
    let player = player(words.next()?)?;
    let goal = words.next()?;
    let goal = [Goal::Wins, Goal::Holds].into_iter().find(|known| known.name() == goal)?;
    let kind = match words.next()? {
        "strong" => Kind::Strong,
        "zones" if goal == Goal::Wins => Kind::Zones,
        "weak" if goal == Goal::Holds => Kind::Weak,
        "stealing" if goal == Goal::Holds => Kind::Stealing,
        _ => return None,
    };
    let length = words.next()?.parse().ok()?;
    let fits = !matches!(kind, Kind::Stealing) || length == 0;
    (words.next().is_none() && fits).then_some(((player, goal), kind, length))
}

/// The head of a file, line by line.
struct Lines<'a> {
    file: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    fn wrong(&self, reason: impl fmt::Display) -> FormatError {
        FormatError::Line { line: self.line, reason: reason.to_string() }
    }

    fn next(&mut self) -> Result<&'a str, FormatError> {
        self.line += 1;
        let head = &self.file[..self.file.len().min(MAX_HEAD)];
        let rest = head.get(self.at..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .ok_or_else(|| self.wrong("the head ends here, before its empty line"))?;
        self.at += end + 1;
        std::str::from_utf8(&rest[..end]).map_err(|_| self.wrong("it is not text"))
    }

    fn field(&mut self, name: &str) -> Result<&'a str, FormatError> {
        let line = self.next()?;
        let rest = line.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.map(str::trim_start)
            .ok_or_else(|| self.wrong(format!("expected {name:?}, found {line:?}")))
    }

    fn stones(&mut self, name: &str, rules: &Rules) -> Result<Vec<Cell>, FormatError> {
        let names = self.field(name)?.split_whitespace();
        let cells: Result<Vec<Cell>, _> = names.map(|name| notation::parse(rules, name)).collect();
        cells.map_err(|error| self.wrong(error))
    }
}
