//! Games of the network search against itself, as bytes: what was played, what the search thought
//! and where it looked.
//!
//! ```text
//! "SXV1", length of the rules' name, the rules' name; then for each game
//!   length of the rest: u32, its FNV-1a folded to 32 bits: u32, number: u64,
//!   stones: u16, opening stones: u16, winner: u8 (0 black, 1 white, 2 nobody), cells: u16 each,
//!   for each stone after the opening: value i16, kind u8, n u8, n times (cell u16, weight u16)
//! ```
//! A value is the mover's, ±32,767 for a win and a loss. Weights of a stone's looks add up to about
//! 65,535. Games are appended as they end; a file that was cut off is read as far as it is whole.

use collinear_rules::hash::fnv1a;
use collinear_rules::{Cell, Player, Position, Rules};

use super::games::{FittedGame, GameFile, GameFileError, SEARCHED_GAMES};

/// A game of the network search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedGame {
    /// Which game of a run this is; it follows from the run's seed and this number alone.
    pub number: u64,
    /// Stones in order, the opening first.
    pub stones: Vec<Cell>,
    /// Stones of the opening: nobody searched for them.
    pub opening: usize,
    /// Who won, or was proved to.
    pub winner: Option<Player>,
    /// What the search thought before each stone after the opening.
    pub thoughts: Vec<StoneThought>,
}

/// What the search thought before a stone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoneThought {
    /// For the player to move, from −32,767 (lost) to 32,767 (won).
    pub value: i16,
    /// Whether the search was long enough for its looks to teach.
    pub teaches: bool,
    /// Where it looked, with weights that add up to about 65,535.
    pub looks: Vec<(Cell, u16)>,
}

impl StoneThought {
    /// It looked at each of these stones as much.
    pub(crate) fn of_stones(stones: &[Cell], value: i16) -> Self {
        let looks = stones.iter().map(|&cell| (cell, u16::MAX / stones.len() as u16)).collect();
        Self { value, teaches: true, looks }
    }

    /// The value as a score of [`FittedGame`].
    fn score(&self) -> i16 {
        if self.value.unsigned_abs() >= i16::MAX as u16 {
            return self.value.signum() * FittedGame::PROVED;
        }
        let value = f64::from(self.value) / f64::from(i16::MAX);
        (((1.0 + value) / (1.0 - value)).ln() * crate::Weights::LOGIT) as i16
    }
}

const MAGIC: &[u8; 4] = b"SXV1";
/// More stones than any board has.
const MAX_STONES: usize = 64 * 64;

/// The first bytes of a file.
pub fn header(rules: &Rules) -> Vec<u8> {
    let name = rules.to_string();
    let mut bytes = MAGIC.to_vec();
    bytes.push(name.len() as u8);
    bytes.extend(name.as_bytes());
    bytes
}

/// Whether bytes begin like a file of such games.
pub fn is_searched(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl SearchedGame {
    /// As bytes, to be appended to a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = self.number.to_le_bytes().to_vec();
        for number in [self.stones.len(), self.opening] {
            body.extend((number as u16).to_le_bytes());
        }
        body.push(self.winner.map_or(2, |player| player.index() as u8));
        for cell in &self.stones {
            body.extend((cell.index() as u16).to_le_bytes());
        }
        for thought in &self.thoughts {
            body.extend(thought.value.to_le_bytes());
            body.extend([u8::from(thought.teaches), thought.looks.len() as u8]);
            for (cell, weight) in &thought.looks {
                body.extend((cell.index() as u16).to_le_bytes());
                body.extend(weight.to_le_bytes());
            }
        }
        let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The game in whole turns: a turn that the opening began belongs to it.
    fn to_fitted(&self, rules: &Rules) -> FittedGame {
        let mut position = Position::new(*rules);
        let mut opening = self.opening;
        let mut scores = Vec::new();
        for (at, &cell) in self.stones.iter().enumerate() {
            let is_start = position.stones_left() == rules.p();
            if at >= opening && is_start {
                let thought = at.checked_sub(self.opening).and_then(|at| self.thoughts.get(at));
                scores.extend(thought.map(StoneThought::score));
            } else if at == opening && scores.is_empty() {
                opening += 1;
            }
            // The reader replayed every game.
            let _ = position.play(cell);
        }
        FittedGame { stones: self.stones.clone(), opening, winner: self.winner, scores }
    }
}

/// The games of a file, and how many of its bytes are whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedFile {
    /// The rules.
    pub rules: Rules,
    /// The games, in the order they ended.
    pub games: Vec<SearchedGame>,
    /// Bytes up to the end of the last whole game: whoever appends goes on from here.
    pub whole: usize,
}

impl SearchedFile {
    /// Reads every whole game and replays it; bytes after the last whole game are left out.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GameFileError> {
        let rest = bytes.strip_prefix(MAGIC);
        let rest = rest.ok_or_else(|| GameFileError::kind(bytes, SEARCHED_GAMES))?;
        let length = usize::from(*rest.first().ok_or(GameFileError::Header)?);
        let name = rest.get(1..1 + length).ok_or(GameFileError::Header)?;
        let name = String::from_utf8_lossy(name);
        let rules: Rules =
            name.parse().map_err(|_| GameFileError::Rules(name.clone().into_owned()))?;
        let mut whole = MAGIC.len() + 1 + name.len();
        let mut games = Vec::new();
        while let Some(body) = body(&bytes[whole..]) {
            let number = games.len() + 1;
            let game = Reader(body).game().ok_or(GameFileError::Short(number))?;
            let mut looks = game.thoughts.iter().flat_map(|thought| &thought.looks);
            if Position::from_moves(rules, &game.stones).is_err()
                || looks.any(|(cell, _)| cell.index() >= rules.cells())
            {
                return Err(GameFileError::Stone(number));
            }
            whole += 8 + body.len();
            games.push(game);
        }
        Ok(Self { rules, games, whole })
    }
}

impl From<&SearchedFile> for GameFile {
    /// The same games as weights are fitted to them: what was played and how likely a win was, turn by turn.
    fn from(file: &SearchedFile) -> Self {
        let games = file.games.iter().map(|game| game.to_fitted(&file.rules)).collect();
        Self { rules: file.rules, origin: String::new(), games }
    }
}

/// The body of the next game, if it is there and whole.
fn body(bytes: &[u8]) -> Option<&[u8]> {
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (length, sum) = (number(0)? as usize, number(4)?);
    let body = bytes.get(8..)?.get(..length)?;
    (checksum(body) == sum).then_some(body)
}

fn checksum(bytes: &[u8]) -> u32 {
    let hash = fnv1a(bytes);
    (hash ^ hash >> 32) as u32
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (part, rest) = self.0.split_at_checked(N)?;
        self.0 = rest;
        part.try_into().ok()
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn cell(&mut self) -> Option<Cell> {
        self.short().map(|index| Cell::new(usize::from(index)))
    }

    fn game(mut self) -> Option<SearchedGame> {
        let number = u64::from_le_bytes(self.take()?);
        let (stones, opening) = (usize::from(self.short()?), usize::from(self.short()?));
        let [winner] = self.take()?;
        if stones > MAX_STONES || opening > stones {
            return None;
        }
        let cells = (0..stones).map(|_| self.cell()).collect::<Option<_>>()?;
        let thoughts = (opening..stones).map(|_| self.thought()).collect::<Option<_>>()?;
        let winner = Player::BOTH.get(usize::from(winner)).copied();
        let whole = self.0.is_empty();
        whole.then_some(SearchedGame { number, stones: cells, opening, winner, thoughts })
    }

    fn thought(&mut self) -> Option<StoneThought> {
        let value = i16::from_le_bytes(self.take()?);
        let [teaches, looks] = self.take()?;
        let looks =
            (0..looks).map(|_| Some((self.cell()?, self.short()?))).collect::<Option<_>>()?;
        Some(StoneThought { value, teaches: teaches != 0, looks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u64) -> SearchedGame {
        let look = |cell, weight| (Cell::new(cell), weight);
        SearchedGame {
            number,
            stones: [180, 181, 200].map(Cell::new).to_vec(),
            opening: 1,
            winner: Some(Player::White),
            thoughts: vec![
                StoneThought {
                    value: -5,
                    teaches: true,
                    looks: vec![look(181, 40_000), look(3, 25_535)],
                },
                StoneThought { value: 32_767, teaches: false, looks: vec![] },
            ],
        }
    }

    #[test]
    fn bytes_and_back_as_far_as_they_are_whole() {
        let mut bytes = header(&Rules::CONNECT6);
        let first = bytes.len();
        bytes.extend(game(4).to_bytes());
        let second = bytes.len();
        bytes.extend(game(9).to_bytes());
        let file = SearchedFile::from_bytes(&bytes).expect("whole");
        assert_eq!((file.games.as_slice(), file.whole), (&[game(4), game(9)][..], bytes.len()));
        for cut in [second, second + 5, bytes.len() - 1] {
            let file = SearchedFile::from_bytes(&bytes[..cut]).expect("the first game");
            assert_eq!((file.games.len(), file.whole), (1, second));
        }
        bytes[first + 12] ^= 1;
        assert_eq!(SearchedFile::from_bytes(&bytes).expect("damaged").games.len(), 0);
        let error = SearchedFile::from_bytes(b"SXG2").expect_err("another kind").to_string();
        assert!(error.contains("has games of `fit games`") && error.contains("SXV1"), "{error}");
        assert_eq!(SearchedFile::from_bytes(b"SXV1"), Err(GameFileError::Header));
    }

    #[test]
    fn weights_are_fitted_to_whole_turns() {
        let rules = Rules::CONNECT6;
        let look = |value| StoneThought { value, teaches: true, looks: Vec::new() };
        let stones: Vec<_> = [180, 181, 200, 201, 160, 161].map(Cell::new).to_vec();
        let game = |opening: usize, values: &[i16]| {
            let thoughts = values.iter().map(|&value| look(value)).collect();
            let winner = Some(Player::Black);
            let file = SearchedFile {
                rules,
                games: vec![SearchedGame {
                    number: 0,
                    stones: stones.clone(),
                    opening,
                    winner,
                    thoughts,
                }],
                whole: 0,
            };
            GameFile::from(&file).games.remove(0)
        };
        // Turns begin with stones 1, 3 and 5; a chance of 0.75 is a logit of 1.0986.
        let half = i16::MAX / 2;
        let fitted = game(1, &[half, 9, -half, 9, i16::MAX]);
        assert_eq!((fitted.opening, fitted.scores), (1, vec![281, -281, FittedGame::PROVED]));
        let fitted = game(2, &[9, 0, 9, -i16::MAX]);
        assert_eq!((fitted.opening, fitted.scores), (3, vec![0, -FittedGame::PROVED]));
        assert_eq!((fitted.stones, fitted.winner), (stones.clone(), Some(Player::Black)));
    }

    #[test]
    fn looks_beside_the_board_are_refused() {
        let mut game = game(1);
        game.thoughts[0].looks[1].0 = Cell::new(361);
        let bytes = [header(&Rules::CONNECT6), game.to_bytes()].concat();
        assert_eq!(SearchedFile::from_bytes(&bytes), Err(GameFileError::Stone(1)));
    }
}
