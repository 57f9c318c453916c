//! Games for fitting, as bytes.
//!
//! ```text
//! "SXG1", length of the rules' name, the rules' name; then for each game
//!   stones: u16, opening stones: u8, winner: u8 (0 black, 1 white, 2 nobody), cells: u16 each,
//!   turns: u8, then for each searched turn: score i16
//! ```
//! A score is the mover's, in 1/256 of a logit; a proved win or loss is ±32,000.

use collinear_rules::{Cell, Player, Position, Rules};
use thiserror::Error;

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
    /// The games.
    pub games: Vec<FittedGame>,
}

/// Why bytes are no games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFileError {
    /// The header is not ours.
    #[error("this is no file of self-play games: it does not begin with SXG1")]
    Magic,
    /// The rules cannot be read.
    #[error("the file names no game of the family: {0}")]
    Rules(String),
    /// The file ends within a game.
    #[error("the file ends within game {0}")]
    Short(usize),
    /// A game does not replay.
    #[error("game {0} has a stone that cannot be placed")]
    Stone(usize),
}

const MAGIC: &[u8; 4] = b"SXG1";

impl GameFile {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let name = self.rules.to_string();
        let mut bytes = MAGIC.to_vec();
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
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
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, and replays every game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GameFileError> {
        let name = bytes
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.get(1..1 + usize::from(*rest.first()?)))
            .ok_or(GameFileError::Magic)?;
        let name = String::from_utf8_lossy(name);
        let rules: Rules =
            name.parse().map_err(|_| GameFileError::Rules(name.clone().into_owned()))?;
        let mut reader = Reader { bytes, at: MAGIC.len() + 1 + name.len() };
        let mut games = Vec::new();
        while reader.at < bytes.len() {
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
        Ok(Self { rules, games })
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
        let file = GameFile { rules: Rules::CONNECT6, games: vec![game.clone(), game] };
        let bytes = file.to_bytes();
        assert_eq!(GameFile::from_bytes(&bytes), Ok(file));
        assert_eq!(GameFile::from_bytes(b"PNG"), Err(GameFileError::Magic));
        assert_eq!(GameFile::from_bytes(&bytes[..bytes.len() - 1]), Err(GameFileError::Short(2)));
        let mut twice = bytes.clone();
        let cells = bytes.len() - 8 - 12;
        twice[cells] = bytes[cells + 2];
        twice[cells + 1] = bytes[cells + 3];
        assert_eq!(GameFile::from_bytes(&twice), Err(GameFileError::Stone(2)));
    }
}
