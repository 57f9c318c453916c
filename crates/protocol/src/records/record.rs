//! A game on paper: rules, players, result, and the stones as a tree of variations.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use collinear_rules::{Cell, IllegalMove, InvalidSetup, Outcome, Player, Position, Rules, Setup};

use super::tree::Tree;

/// A recorded game. What a reader returns replays legally, variations included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game that was played.
    pub rules: Rules,
    /// The names of Black and of White.
    pub players: [Option<String>; 2],
    /// What the record says about the end; the stones may say more, see [`Self::outcome`].
    pub result: GameResult,
    /// Stones that stood on the board before the first move.
    pub setup: Option<Setup>,
    /// The stones with comments and variations.
    pub tree: Tree,
    /// Anything else, by key. Formats with fields of their own know `event`, `date`, `place`,
    /// `round`, `source`, `name`, `annotator`.
    pub metadata: BTreeMap<String, String>,
}

impl GameRecord {
    /// An empty record of a game.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            players: [None, None],
            result: GameResult::Unknown,
            setup: None,
            tree: Tree::new(),
            metadata: BTreeMap::new(),
        }
    }

    /// A record of these stones, with the result that they show.
    pub fn from_moves(rules: Rules, moves: &[Cell]) -> Result<Self, (usize, IllegalMove)> {
        let position = Position::from_moves(rules, moves)?;
        let mut record = Self::new(rules);
        let mut at = Tree::ROOT;
        for &cell in moves {
            at = record.tree.add(at, cell);
        }
        record.result = GameResult::from(position.outcome());
        Ok(record)
    }

    /// The stones as they were played, one after the other, variations left out.
    pub fn moves(&self) -> Vec<Cell> {
        self.tree.main_line().filter_map(|node| self.tree.stone(node)).collect()
    }

    /// The position before the first move.
    pub fn start(&self) -> Result<Position, InvalidSetup> {
        match &self.setup {
            None => Ok(Position::new(self.rules)),
            Some(setup) => Position::from_setup(self.rules, setup),
        }
    }

    /// The position after the last stone of the main line, or what is wrong with it.
    pub fn position(&self) -> Result<Position, ReplayError> {
        self.position_after(usize::MAX)
    }

    /// The position after so many stones of the main line (all of them when there are fewer).
    pub fn position_after(&self, stones: usize) -> Result<Position, ReplayError> {
        let mut position = self.start()?;
        for (number, cell) in self.moves().into_iter().take(stones).enumerate() {
            position
                .play(cell)
                .map_err(|reason| ReplayError::Illegal { number: number + 1, reason })?;
        }
        Ok(position)
    }

    /// The result: what the record says, or else what the stones show.
    pub fn outcome(&self) -> GameResult {
        match self.result {
            GameResult::Unknown => {
                self.position().map_or(GameResult::Unknown, |end| end.outcome().into())
            }
            stated => stated,
        }
    }

    /// Who won, if anybody did.
    pub fn winner(&self) -> Option<Player> {
        match self.outcome() {
            GameResult::Won(player, _) => Some(player),
            _ => None,
        }
    }
}

/// Why a record does not replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The stones it starts from make no position.
    #[error("set-up: {0}")]
    Setup(#[from] InvalidSetup),
    /// A move is illegal.
    #[error("move {number}: {reason}")]
    Illegal {
        /// Which stone, counted from 1.
        number: usize,
        /// Why.
        reason: IllegalMove,
    },
}

/// How a game ended, according to its record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// The record does not say.
    #[default]
    Unknown,
    /// Somebody won.
    Won(Player, Ending),
    /// Nobody won.
    Drawn,
    /// The game does not count.
    Void,
}

/// What decided a won game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A row on the board, or nothing said.
    Plain,
    /// The loser gave up.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// The loser broke the rules or did not appear.
    Forfeit,
}

impl GameResult {
    /// A win with nothing said about how.
    pub const fn won(player: Player) -> Self {
        Self::Won(player, Ending::Plain)
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Ongoing => Self::Unknown,
            Outcome::Won(player) => Self::won(player),
            Outcome::Drawn => Self::Drawn,
        }
    }
}

impl fmt::Display for GameResult {
    /// `black`, `white+resign`, `draw`, `void`, `unknown`: the words of the native form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("unknown"),
            Self::Drawn => f.write_str("draw"),
            Self::Void => f.write_str("void"),
            Self::Won(player, ending) => {
                f.write_str(player.name())?;
                f.write_str(match ending {
                    Ending::Plain => "",
                    Ending::Resignation => "+resign",
                    Ending::Time => "+time",
                    Ending::Forfeit => "+forfeit",
                })
            }
        }
    }
}

impl FromStr for GameResult {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (who, how) = text.split_once('+').unwrap_or((text, ""));
        let ending = match how {
            "" => Ending::Plain,
            "resign" => Ending::Resignation,
            "time" => Ending::Time,
            "forfeit" => Ending::Forfeit,
            _ => return Err(()),
        };
        match who {
            "black" => Ok(Self::Won(Player::Black, ending)),
            "white" => Ok(Self::Won(Player::White, ending)),
            "draw" if how.is_empty() => Ok(Self::Drawn),
            "void" if how.is_empty() => Ok(Self::Void),
            "unknown" if how.is_empty() => Ok(Self::Unknown),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_words() {
        for text in ["black", "white+resign", "black+time", "white+forfeit", "draw", "void"] {
            assert_eq!(text.parse::<GameResult>().map(|r| r.to_string()), Ok(text.to_owned()));
        }
        assert!("draw+time".parse::<GameResult>().is_err());
        assert!("Black".parse::<GameResult>().is_err());
    }

    #[test]
    fn an_unstated_result_follows_from_the_stones() {
        let rules = Rules::TICTACTOE;
        let moves = [0, 3, 1, 4, 2].map(Cell::new);
        let mut record = GameRecord::from_moves(rules, &moves).expect("legal");
        record.result = GameResult::Unknown;
        assert_eq!(record.winner(), Some(Player::Black));
        assert_eq!(record.moves(), moves);
        assert_eq!(GameRecord::from_moves(rules, &[Cell::new(0); 2]).map_err(|e| e.0), Err(1));
    }
}
