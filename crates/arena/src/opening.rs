//! Where games start: the empty board, a list of openings, or stones thrown near the centre.

mod balanced;
mod judge;

use std::path::Path;
use std::sync::Arc;

use collinear_play::{InputFileError, read_text_file};
use collinear_rules::{Cell, Geometry, Player, Position, Rules, notation};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use judge::{ColourTally, Judge, JudgeError};

/// The source of openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// The empty board.
    #[default]
    Empty,
    /// This many random stones near the centre, with no immediate threat for either side.
    Random(usize),
    /// These, one after the other, and again from the start when they are used up.
    List(Vec<Vec<u16>>),
}

/// Openings as people describe them, before the game is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "openings such as \"random:4\", or a list such as [\"j10 k11\"]")]
pub enum OpeningSource {
    /// One of [`Openings::WORDS`].
    Word(String),
    /// An opening per line, as [`Openings::from_lines`] reads them.
    Lines(Vec<String>),
}

impl Default for OpeningSource {
    fn default() -> Self {
        Self::Word("empty".to_owned())
    }
}

/// A file of openings may have this many bytes: a million openings.
const MAX_FILE_BYTES: u64 = 1 << 26;

impl OpeningSource {
    /// One of [`Openings::WORDS`], or the lines of the file of that name.
    pub fn word_or_file(text: &str) -> Result<Self, InputFileError> {
        if word_and_stones(text).is_some() {
            return Ok(Self::Word(text.to_owned()));
        }
        let content = read_text_file(Path::new(text), MAX_FILE_BYTES)?;
        Ok(Self::Lines(content.lines().map(str::to_owned).collect()))
    }

    /// The openings of a game.
    pub fn openings(&self, rules: &Rules) -> Result<Openings, OpeningError> {
        match self {
            Self::Lines(lines) => Openings::from_lines(rules, lines.iter().map(String::as_str)),
            Self::Word(word) => Openings::from_word(rules, word)?
                .ok_or_else(|| OpeningError::UnknownWord(word.chars().take(40).collect())),
        }
    }
}

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// Neither a word that is known nor a list.
    #[error("{0:?} is not known: known are {known}", known = Openings::WORDS)]
    UnknownWord(String),
    /// The list has none.
    #[error("the list of openings is empty")]
    Empty,
    /// A stone is illegal, or the game ends within the opening.
    #[error("opening {number} of the list: {reason}")]
    Illegal {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
    /// A line of a list cannot be read or played.
    #[error("line {number}: {reason}")]
    Line {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
    /// No balanced openings were made for this game, or none with that number of stones.
    #[error(
        "no balanced openings come with the program for {rules}{}; there are some for {}: try random:K, \
         or make them with `collinear openings` and name the file",
        stones.map_or(String::new(), |stones| format!(" with {stones} stones")), balanced::names()
    )]
    NoBalancedSet {
        /// The game.
        rules: Rules,
        /// The stones asked for.
        stones: Option<usize>,
    },
    /// Throwing stones found nothing quiet.
    #[error(
        "no opening of {stones} stones without an immediate threat was found on {rules}: try fewer stones"
    )]
    TooManyStones {
        /// Stones asked for.
        stones: usize,
        /// The game.
        rules: Rules,
    },
}

impl Openings {
    /// The words that [`from_word`](Self::from_word) knows, for messages.
    pub const WORDS: &str = "empty, random:K, balanced, balanced:K";

    /// Reads `empty`, `random:K`, `balanced` or `balanced:K`; none for anything else. An error where the
    /// game has no balanced set.
    pub fn from_word(rules: &Rules, text: &str) -> Result<Option<Self>, OpeningError> {
        Ok(match word_and_stones(text) {
            Some(("empty", _) | ("random", Some(0))) => Some(Self::Empty),
            Some(("random", Some(stones))) => Some(Self::Random(stones)),
            Some(("balanced", stones)) => Some(balanced::balanced(rules, stones)?),
            _ => None,
        })
    }

    /// Reads a list with an opening per line; what follows a `#` is a remark. Cells are named, `h8 i9`, with or
    /// without blanks, or, as in Gomocup's sets, count from the centre to the right and down: `1,0, -2,3`.
    pub fn from_lines<'a>(
        rules: &Rules,
        lines: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, OpeningError> {
        let mut list = Vec::new();
        for (index, line) in lines.into_iter().enumerate() {
            let stones = line.split('#').next().unwrap_or_default();
            let mut position = Position::new(*rules);
            let wrong = |reason: String| OpeningError::Line { number: index + 1, reason };
            for cell in cells(rules, stones).map_err(wrong)? {
                let name = notation::name(rules, cell);
                position.play(cell).map_err(|e| wrong(format!("{name}: {e}")))?;
            }
            if position.stone_count() > 0 {
                list.push(position.history().iter().map(|cell| cell.index() as u16).collect());
            }
        }
        Ok(Self::List(list))
    }

    /// Whether every opening of the list can be played, and random ones can be found.
    pub fn check(&self, geometry: &Arc<Geometry>) -> Result<(), OpeningError> {
        match self {
            Self::Empty => Ok(()),
            Self::Random(stones) => random_opening(geometry, *stones, 0).map(drop),
            Self::List(list) if list.is_empty() => Err(OpeningError::Empty),
            Self::List(list) => list.iter().enumerate().try_for_each(|(index, cells)| {
                let mut position = Position::with_geometry(Arc::clone(geometry));
                let illegal = |reason| OpeningError::Illegal { number: index + 1, reason };
                for &cell in cells {
                    position
                        .play(Cell::new(cell.into()))
                        .map_err(|reason| illegal(reason.to_string()))?;
                }
                if position.is_over() {
                    return Err(illegal("the game is over before it begins".to_owned()));
                }
                Ok(())
            }),
        }
    }

    /// The start of a game: opening number `round`, or the random one of this seed. Should the
    /// throws of a seed all fail, it has fewer stones.
    pub fn start(&self, geometry: &Arc<Geometry>, round: u64, seed: u64) -> Position {
        let mut position = Position::with_geometry(Arc::clone(geometry));
        match self {
            Self::Empty => {}
            Self::Random(stones) => {
                let thrown =
                    (1..=*stones).rev().find_map(|n| random_opening(geometry, n, seed).ok());
                position = thrown.unwrap_or(position);
            }
            Self::List(list) => {
                for &cell in &list[round as usize % list.len()] {
                    position.play_unchecked(Cell::new(cell.into()));
                }
            }
        }
        position
    }
}

/// Takes one of [`Openings::WORDS`] apart.
fn word_and_stones(text: &str) -> Option<(&str, Option<usize>)> {
    let (word, stones) = match text.split_once(':') {
        None => (text, None),
        Some((word, number)) => (word, Some(number.parse().ok()?)),
    };
    matches!((word, stones), ("empty", None) | ("random", Some(_)) | ("balanced", _))
        .then_some((word, stones))
}

/// Throws stones into the middle of the board until a quiet position comes out.
///
/// The middle is a rectangle with about five cells per stone, so that the stones meet but leave room.
pub fn random_opening(
    geometry: &Arc<Geometry>,
    stones: usize,
    seed: u64,
) -> Result<Position, OpeningError> {
    /// Tries for openings of a few stones, and stones thrown in all for long ones: a length that
    /// is never quiet is refused within a moment on every board.
    const MAX_TRIES: usize = 2000;
    const MAX_STONES: usize = 40_000;
    let rules = *geometry.rules();
    let failed = || OpeningError::TooManyStones { stones, rules };
    if stones >= rules.cells() {
        return Err(failed());
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let side = ((5 * stones) as f64).sqrt().ceil() as usize + 2;
    for _ in 0..MAX_TRIES.min(MAX_STONES / stones.max(1)).max(1) {
        let mut position = Position::with_geometry(Arc::clone(geometry));
        throw(&mut position, stones, side, &mut rng);
        if position.stone_count() == stones && is_quiet(&position) {
            return Ok(position);
        }
    }
    Err(failed())
}

/// The cells of a line, in one of the forms that lists have.
fn cells(rules: &Rules, text: &str) -> Result<Vec<Cell>, String> {
    if text.contains(',') {
        return offsets(rules, text);
    }
    // A name begins where a letter follows a blank or a digit.
    let mut names: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        while let Some(end) = rest
            .as_bytes()
            .windows(2)
            .position(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic())
        {
            let (name, more) = rest.split_at(end + 1);
            names.push(name);
            rest = more;
        }
        names.push(rest);
    }
    let cell = |name| notation::parse(rules, name).map_err(|error| error.to_string());
    names.into_iter().map(cell).collect()
}

/// `1,0, -2,3`: steps from the centre to the right and down.
fn offsets(rules: &Rules, text: &str) -> Result<Vec<Cell>, String> {
    let number = |word: &str| {
        word.trim().parse::<i64>().map_err(|_| {
            let word: String = word.trim().chars().take(20).collect();
            format!("{word:?} is not a number of cells from the centre")
        })
    };
    let numbers: Vec<i64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    let (pairs, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("cells that count from the centre are pairs of numbers: 1,0, -2,3".to_owned());
    }
    let centre = [rules.width() as i64 / 2, rules.height() as i64 / 2];
    let cell = |&[right, down]: &[i64; 2]| {
        let place = |from: i64, by: i64| usize::try_from(from.checked_add(by)?).ok();
        let column = place(centre[0], right)?;
        let row = (rules.height() - 1).checked_sub(place(centre[1], down)?)?;
        rules.cell(column, row)
    };
    let on_board = |pair: &[i64; 2]| {
        let [right, down] = pair;
        cell(pair).ok_or_else(|| format!("{right},{down} from the centre is outside the board"))
    };
    pairs.iter().map(on_board).collect()
}

fn throw(position: &mut Position, stones: usize, side: usize, rng: &mut impl Rng) {
    let rules = *position.rules();
    let near = |at: usize, length: usize| {
        let margin = length.saturating_sub(side) / 2;
        at >= margin && at < length - margin
    };
    for _ in 0..stones {
        let cells: Vec<_> = position
            .legal_cells()
            .into_iter()
            .filter(|&cell| {
                near(rules.column(cell), rules.width())
                    && (rules.gravity() || near(rules.row(cell), rules.height()))
            })
            .collect();
        let Some(&cell) = cells.choose(rng) else { return };
        position.play_unchecked(cell);
    }
}

/// Whether nobody has won and neither side could win with one turn: no window without opposing
/// stones has `k − p` own ones. (With gravity this is stricter than need be.)
pub(crate) fn is_quiet(position: &Position) -> bool {
    let geometry = position.geometry();
    let (k, p) = (geometry.rules().k(), geometry.rules().p());
    !position.is_over()
        && geometry.windows().all(|window| {
            let line = position.line(geometry.window_line(window));
            let mask = (u64::MAX >> (64 - k)) << geometry.window_offset(window);
            Player::BOTH.into_iter().all(|player| {
                let (own, other) = (line[player.index()], line[player.opponent().index()]);
                other & mask != 0
                    || ((own & mask).count_ones() as usize) < k.saturating_sub(p).max(1)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(rules: Rules) -> Arc<Geometry> {
        Arc::new(Geometry::new(rules))
    }

    #[test]
    fn random_openings_are_quiet_central_and_repeatable() {
        let board = geometry(Rules::CONNECT6);
        for seed in 0..50 {
            let position = random_opening(&board, 5, seed).expect("found");
            assert_eq!(position.stone_count(), 5);
            assert!(is_quiet(&position));
            assert_eq!(
                position.history(),
                random_opening(&board, 5, seed).expect("found").history()
            );
            for &cell in position.history() {
                let rules = position.rules();
                assert!(
                    (5..14).contains(&rules.column(cell)) && (5..14).contains(&rules.row(cell))
                );
            }
        }
        let first = |seed| random_opening(&board, 5, seed).expect("found").history().to_vec();
        assert_ne!(first(1), first(2));
    }

    #[test]
    fn gravity_openings_rest_on_the_ground() {
        let board = geometry(Rules::CONNECT4);
        for seed in 0..20 {
            assert_eq!(random_opening(&board, 6, seed).expect("found").stone_count(), 6);
        }
    }

    #[test]
    fn lists_of_other_programs_are_read() {
        let rules = Rules::GOMOKU;
        let read = |line: &str| Openings::from_lines(&rules, [line]);
        let named = read("h8 i9 f12  # even").expect("names");
        for line in ["h8i9f12", "h8 i9f12", "0,0, 1,-1, -2,-4", "0,0,1,-1,-2,-4 # even"] {
            assert_eq!(read(line), Ok(named.clone()), "{line}");
        }
        // Gomocup's boards have 20 lines; the centre is the eleventh from the left and from the top.
        let large: Rules = "20x20,k=5".parse().expect("rules");
        let corner = Openings::from_lines(&large, ["-10,-10, 9,9"]).expect("on the board");
        let cell = |column, row| large.cell(column, row).expect("a cell").index() as u16;
        assert_eq!(corner, Openings::List(vec![vec![cell(0, 19), cell(19, 0)]]));
        for (line, words) in [
            ("0,0, 1", "pairs of numbers"),
            ("0,0, x,1", "\"x\" is not a number"),
            ("8,0", "8,0 from the centre is outside"),
            ("0,9223372036854775807", "outside"),
            ("0,0, 0,0", "h8: the cell is occupied"),
            ("h8i99", "outside"),
        ] {
            let error = read(line).expect_err(line).to_string();
            assert!(error.starts_with("line 1: ") && error.contains(words), "{line}: {error}");
        }
    }

    #[test]
    fn threats_are_seen() {
        let rules = Rules::CONNECT6;
        let cells: Vec<_> = [0, 20, 21, 1, 2, 40, 41].map(Cell::new).into();
        let mut position = Position::from_moves(rules, &cells).expect("legal");
        assert!(is_quiet(&position));
        position.play(Cell::new(3)).expect("legal");
        assert!(!is_quiet(&position), "{position}");
    }

    #[test]
    fn impossible_openings_are_refused() {
        let board = geometry(Rules::TICTACTOE);
        assert!(matches!(random_opening(&board, 9, 1), Err(OpeningError::TooManyStones { .. })));
        // Two in a row win, so every stone beside an empty cell is a threat.
        // Far more stones than can ever be quiet; this must not take minutes.
        let large = geometry("64x64,k=6,p=2,q=1".parse().expect("rules"));
        let refused = Openings::Random(2000).check(&large);
        assert!(matches!(refused, Err(OpeningError::TooManyStones { stones: 2000, .. })));
        let row = geometry("4x1,k=2".parse().expect("rules"));
        assert!(matches!(random_opening(&row, 3, 1), Err(OpeningError::TooManyStones { .. })));
        assert_eq!(Openings::List(vec![]).check(&board), Err(OpeningError::Empty));
        let twice = Openings::List(vec![vec![0], vec![4, 4]]);
        assert_eq!(
            twice.check(&board).unwrap_err().to_string(),
            "opening 2 of the list: the cell is occupied"
        );
    }
}
