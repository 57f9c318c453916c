//! Games for fitting, as bytes.
//!
//! ```text
//! "SXG2", rules: u8 length and text, origin: u8 length and text; then for each game
//!   stones: u16, opening stones: u8, winner: u8 (0 black, 1 white, 2 nobody), cells: u16 each,
//!   turns: u16, then for each searched turn: score i16
//! checksum: u64 (FNV-1a of everything before)
//! ```
//! Files that begin with "SXG1" have neither origin nor checksum.
//!
//! A score is the mover's, in 1/256 of a logit; a proved win or loss is ±32,000.

use collinear_rules::hash::fnv1a;
use collinear_rules::{Cell, Player, Position, Rules};
use thiserror::Error;

use super::searched::is_searched;

/// A game with what the search thought of each turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedGame {
    /// Stones in order, the opening first.
    pub stones: Vec<Cell>,
    /// Stones of the opening: nobody searched for them.
    pub opening: usize,
    /// Who won, or was proved to.
    pub winner: Option<Player>,
    /// The score of each searched turn for its mover.
    pub scores: Vec<i16>,
}

/// A turn of such a game, as the fit sees it.
#[derive(Clone, Copy, Debug)]
pub struct SearchedTurn {
    /// Stones on the board before it.
    pub start: usize,
    /// The score.
    pub score: i16,
}

impl FittedGame {
    /// The score of a proved win.
    pub const PROVED: i16 = 32_000;

    /// The searched turns in order.
    pub fn turns<'a>(&'a self, rules: &'a Rules) -> impl Iterator<Item = SearchedTurn> + 'a {
        let p = rules.p();
        let starts = (0..self.scores.len()).map(move |turn| self.opening + turn * p);
        starts.zip(&self.scores).map(|(start, &score)| SearchedTurn { start, score })
    }
}

/// Games of one set of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// The rules.
    pub rules: Rules,
    /// How they were made (seed, nodes, weights): whoever made some can make the next ones. Empty
    /// where nobody knows; at most [`GameFile::MAX_ORIGIN`] bytes are kept.
    pub origin: String,
    /// The games.
    pub games: Vec<FittedGame>,
}

/// Why bytes are no games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// Not the kind of file that was asked for.
    #[error("the file has {found}, and {needed} are needed: name another file")]
    Kind {
        /// What it has.
        found: &'static str,
        /// What was asked for.
        needed: &'static str,
    },
    /// The file ends within its header.
    #[error("the file ends within its header")]
    Header,
    /// The rules cannot be read.
    #[error("the file names no game of the family: {0}")]
    Rules(String),
    /// The file ends within a game.
    #[error("the file ends within game {0}")]
    Short(usize),
    /// The checksum does not fit.
    #[error("the file of games is damaged (its checksum does not fit): copy or play them again")]
    Damaged,
    /// A game does not replay.
    #[error("game {0} has a stone that cannot be placed")]
    Stone(usize),
}

/// What there is in the files of this crate, by the first bytes.
pub(super) const PLAIN_GAMES: &str = "games of `fit games` (it begins with SXG2 or SXG1)";
pub(super) const SEARCHED_GAMES: &str = "games of `fit net-games` (it begins with SXV1)";

impl GameFileError {
    /// For bytes that begin otherwise than what is needed.
    pub(super) fn kind(bytes: &[u8], needed: &'static str) -> Self {
        let found = match bytes.first_chunk() {
            Some(MAGIC | MAGIC_UNCHECKED) => PLAIN_GAMES,
            _ if is_searched(bytes) => SEARCHED_GAMES,
            _ => "no games of this program",
        };
        Self::Kind { found, needed }
    }
}

const MAGIC: &[u8; 4] = b"SXG2";
/// Files of earlier versions, without origin and checksum.
const MAGIC_UNCHECKED: &[u8; 4] = b"SXG1";

impl GameFile {
    /// The longest origin.
    pub const MAX_ORIGIN: usize = 255;

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let name = self.rules.to_string();
        let mut bytes = MAGIC.to_vec();
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
        let origin = &self.origin.as_bytes()[..self.origin.len().min(Self::MAX_ORIGIN)];
        bytes.push(origin.len() as u8);
        bytes.extend(origin);
        for game in &self.games {
            bytes.extend((game.stones.len() as u16).to_le_bytes());
            bytes.push(game.opening as u8);
            bytes.push(game.winner.map_or(2, |player| player.index() as u8));
            for cell in &game.stones {
                bytes.extend((cell.index() as u16).to_le_bytes());
            }
            bytes.extend((game.scores.len() as u16).to_le_bytes());
            for score in &game.scores {
                bytes.extend(score.to_le_bytes());
            }
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, and replays every game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GameFileError> {
        let checked = match bytes.first_chunk() {
            Some(MAGIC) => true,
            Some(MAGIC_UNCHECKED) => false,
            _ => return Err(GameFileError::kind(bytes, PLAIN_GAMES)),
        };
        let content = match bytes.split_last_chunk() {
            Some((content, sum)) if checked && content.len() >= MAGIC.len() => {
                if u64::from_le_bytes(*sum) != fnv1a(content) {
                    return Err(GameFileError::Damaged);
                }
                content
            }
            _ if checked => return Err(GameFileError::Damaged),
            _ => bytes,
        };
        let mut reader = Reader { bytes: content, at: MAGIC.len() };
        let name = reader.text().ok_or(GameFileError::Header)?;
        let rules: Rules = name.parse().map_err(|_| GameFileError::Rules(name))?;
        let origin =
            if checked { reader.text().ok_or(GameFileError::Header)? } else { String::new() };
        let mut games = Vec::new();
        while reader.at < content.len() {
            let game = reader.game().ok_or(GameFileError::Short(games.len() + 1))?;
            let whole = game.scores.len() * rules.p() + game.opening;
            if Position::from_moves(rules, &game.stones).is_err()
                || game.opening > game.stones.len()
                || whole > game.stones.len() + rules.p()
            {
                return Err(GameFileError::Stone(games.len() + 1));
            }
            games.push(game);
        }
        Ok(Self { rules, origin, games })
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let part = self.bytes.get(self.at..self.at + N)?.try_into().ok()?;
        self.at += N;
        Some(part)
    }

    /// A length and so many bytes of text; none where they are no text.
    fn text(&mut self) -> Option<String> {
        let [length] = self.take()?;
        let text = self.bytes.get(self.at..self.at + usize::from(length))?;
        self.at += text.len();
        String::from_utf8(text.to_vec()).ok()
    }

    fn game(&mut self) -> Option<FittedGame> {
        let stones = u16::from_le_bytes(self.take()?);
        let [opening, winner] = self.take()?;
        let stones = (0..stones)
            .map(|_| Some(Cell::new(usize::from(u16::from_le_bytes(self.take()?)))))
            .collect::<Option<Vec<_>>>()?;
        let turns = u16::from_le_bytes(self.take()?);
        let scores =
            (0..turns).map(|_| Some(i16::from_le_bytes(self.take()?))).collect::<Option<_>>()?;
        let winner = Player::BOTH.get(usize::from(winner)).copied();
        Some(FittedGame { stones, opening: usize::from(opening), winner, scores })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let game = FittedGame {
            stones: [180, 181, 200, 3, 4, 7].map(Cell::new).to_vec(),
            opening: 1,
            winner: Some(Player::White),
            scores: vec![12, -700, FittedGame::PROVED],
        };
        let origin = "seed 7, 2000 nodes".to_owned();
        let file = GameFile { rules: Rules::CONNECT6, origin, games: vec![game.clone(), game] };
        let bytes = file.to_bytes();
        assert_eq!(GameFile::from_bytes(&bytes), Ok(file));
        for (bytes, found) in [(b"PNG1", "no games"), (b"SXV1", "games of `fit net-games`")] {
            let error = GameFile::from_bytes(bytes).expect_err("refused").to_string();
            let words = format!("the file has {found}");
            assert!(
                error.starts_with(&words) && error.contains("and games of `fit games`"),
                "{error}"
            );
        }
        for length in MAGIC.len()..bytes.len() {
            assert_eq!(GameFile::from_bytes(&bytes[..length]), Err(GameFileError::Damaged));
        }
        for at in MAGIC.len()..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(GameFile::from_bytes(&changed), Err(GameFileError::Damaged), "byte {at}");
        }
    }

    #[test]
    fn files_of_earlier_versions_are_read() {
        // Written by version 1: tic-tac-toe, a1 b2 with one searched turn of score -3.
        let bytes = b"SXG1\x073x3,k=3\x02\x00\x01\x02\x00\x00\x04\x00\x01\x00\xfd\xff";
        let file = GameFile::from_bytes(bytes).expect("an earlier file");
        assert_eq!((file.rules, file.origin.as_str()), (Rules::TICTACTOE, ""));
        let stones = [0, 4].map(Cell::new).to_vec();
        let game = FittedGame { stones, opening: 1, winner: None, scores: vec![-3] };
        assert_eq!(file.games, [game]);
        let cut = GameFile::from_bytes(&bytes[..bytes.len() - 1]);
        assert_eq!(cut, Err(GameFileError::Short(1)));
        let mut twice = bytes.to_vec();
        twice[18] = 0;
        assert_eq!(GameFile::from_bytes(&twice), Err(GameFileError::Stone(1)));
    }
}
