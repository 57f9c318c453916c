//! Games to learn from, as records of a file (see [`super::records`]): what was played, what the search thought
//! and where it looked.
//!
//! ```text
//! "SXGAMES1", origin; then for each game a record
//!   number u64, stones u16, opening stones u16, winner u8 (0 black, 1 white, 2 nobody), cells u16 each,
//!   for each stone after the opening: value i16, teaches u8, n u8, n times (cell u16, weight u16)
//! ```
//! A value is the mover's, ±32,767 for a win and a loss. Weights of a stone's looks add up to about 65,535.
//! Games are appended as they end, in any order; whoever reads them gets them by their numbers.

use collinear_rules::{Cell, Player, Position, Rules};

use super::records::{
    FileKind, Origin, Reader, Records, RecordsError, all_different, header_bytes, record_bytes,
};

/// A game in which a search thought about every stone after the opening.
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

    /// The value of a chance that nothing proves.
    pub(super) fn unproved(chance: f32) -> i16 {
        const MOST: f64 = i16::MAX as f64 - 1.0;
        ((2.0 * f64::from(chance) - 1.0) * f64::from(i16::MAX)).clamp(-MOST, MOST) as i16
    }
}

/// More stones than any board has.
const MAX_STONES: usize = 64 * 64;

impl SearchedGame {
    /// As a record, to be appended to a file.
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
        record_bytes(&body)
    }

    /// A record's body, if it is a game of these rules.
    fn from_body(body: &[u8], rules: &Rules) -> Option<Self> {
        let mut reader = Reader(body);
        let number = reader.number()?;
        let (stones, opening) = (usize::from(reader.short()?), usize::from(reader.short()?));
        let winner = reader.byte()?;
        if stones > MAX_STONES || opening > stones || winner > 2 {
            return None;
        }
        let cells = (0..stones).map(|_| cell(&mut reader)).collect::<Option<Vec<_>>>()?;
        let thoughts =
            (opening..stones).map(|_| thought(&mut reader, rules)).collect::<Option<_>>()?;
        let winner = Player::BOTH.get(usize::from(winner)).copied();
        let is_whole = reader.0.is_empty() && Position::from_moves(*rules, &cells).is_ok();
        is_whole.then_some(Self { number, stones: cells, opening, winner, thoughts })
    }
}

fn cell(reader: &mut Reader<'_>) -> Option<Cell> {
    reader.short().map(|index| Cell::new(usize::from(index)))
}

fn thought(reader: &mut Reader<'_>, rules: &Rules) -> Option<StoneThought> {
    let value = i16::from_le_bytes(reader.take()?);
    let [teaches, looks] = reader.take()?;
    let mut look = || {
        let look = (cell(reader)?, reader.short()?);
        (look.0.index() < rules.cells()).then_some(look)
    };
    let looks = (0..looks).map(|_| look()).collect::<Option<_>>()?;
    (teaches <= 1).then_some(StoneThought { value, teaches: teaches == 1, looks })
}

/// The games of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// How they were made.
    pub origin: Origin,
    /// The rules.
    pub rules: Rules,
    /// The games, by their numbers.
    pub games: Vec<SearchedGame>,
    /// Bytes up to the end of the last whole game.
    pub whole: usize,
}

impl GameFile {
    /// What such files hold.
    pub const KIND: FileKind = FileKind { magic: b"SXGAMES1", name: "games to learn from" };

    /// The first bytes of a file.
    pub fn header(origin: &Origin) -> Vec<u8> {
        header_bytes(Self::KIND, origin)
    }

    /// Reads every whole game and replays it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordsError> {
        let records = Records::from_bytes(bytes, Self::KIND)?;
        let rules = records.origin.rules()?;
        let game = |(at, body): (usize, &&[u8])| {
            SearchedGame::from_body(body, &rules).ok_or(RecordsError::Senseless(at + 1))
        };
        let mut games =
            records.bodies.iter().enumerate().map(game).collect::<Result<Vec<_>, _>>()?;
        games.sort_by_key(|game| game.number);
        all_different(games.iter().map(|game| game.number))?;
        Ok(Self { origin: records.origin, rules, games, whole: records.whole })
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

    fn file(games: &[SearchedGame]) -> Vec<u8> {
        let mut bytes = GameFile::header(&Origin::new(&Rules::CONNECT6, "a test").with("seed", 4));
        bytes.extend(games.iter().flat_map(SearchedGame::to_bytes));
        bytes
    }

    #[test]
    fn bytes_and_back_by_number() {
        let bytes = file(&[game(9), game(4)]);
        let read = GameFile::from_bytes(&bytes).expect("whole");
        assert_eq!((read.games, read.whole), (vec![game(4), game(9)], bytes.len()));
        assert_eq!((read.rules, read.origin.value("seed")), (Rules::CONNECT6, Some("4")));
        let cut = GameFile::from_bytes(&bytes[..bytes.len() - 1]).expect("the first game");
        assert_eq!((cut.games, cut.whole), (vec![game(9)], file(&[game(9)]).len()));
        let error = GameFile::from_bytes(&file(&[game(4), game(4)]));
        assert_eq!(error, Err(RecordsError::Twice(4)));
        let error = GameFile::from_bytes(b"SXP1").expect_err("another kind").to_string();
        assert!(error.contains("no games to learn from"), "{error}");
    }

    #[test]
    fn one_flipped_bit_is_never_a_silent_loss() {
        let bytes = file(&[game(4), game(9)]);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(GameFile::from_bytes(&changed).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn stones_and_looks_beside_the_board_are_refused() {
        let mut looks = game(1);
        looks.thoughts[0].looks[1].0 = Cell::new(361);
        let mut stones = game(2);
        stones.stones[2] = stones.stones[1];
        for game in [looks, stones] {
            assert_eq!(GameFile::from_bytes(&file(&[game])), Err(RecordsError::Senseless(1)));
        }
    }
}
