//! Moves as people type them: `j10 k11`, `10,10`, and where stones fall their columns: `4`, `d`.

use thiserror::Error;

use crate::notation::{self, NotationError, column_name};
use crate::{Cell, IllegalMove, Position};

/// Which number the first column has where stones fall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnNumbers {
    /// 1, as in records.
    #[default]
    FromOne,
    /// 0, as in some programs.
    FromZero,
}

impl ColumnNumbers {
    /// The number of the first column.
    pub const fn first(self) -> usize {
        match self {
            Self::FromOne => 1,
            Self::FromZero => 0,
        }
    }
}

/// The longest text that is read as moves.
const MAX_LENGTH: usize = 1000;

/// Why a text names no moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TypedError {
    /// A word names no cell.
    #[error(transparent)]
    Cell(#[from] NotationError),
    /// There are fewer columns.
    #[error("{text:?} is not a column: there are {width}, from {first}")]
    Column {
        /// The word, shortened.
        text: String,
        /// Columns of the board.
        width: usize,
        /// The number of the first one.
        first: usize,
    },
    /// The rules forbid the stone.
    #[error("{text}: {reason}")]
    Illegal {
        /// The word, shortened.
        text: String,
        /// Why.
        reason: IllegalMove,
    },
    /// The stones before it complete the turn, or end the game.
    #[error("{text}: the turn is over already")]
    TurnOver {
        /// The word, shortened.
        text: String,
    },
    /// Nothing was typed.
    #[error("type a cell such as j10")]
    Nothing,
    /// More than anybody types.
    #[error("that is too long for moves")]
    TooLong,
}

/// The stones a text names, all of them legal for the player to move, or what is wrong with the
/// first that is not: a text is played as a whole or not at all.
///
/// ```
/// use collinear_rules::{Position, Rules, notation, typed};
///
/// let mut position = Position::new(Rules::CONNECT6);
/// position.play(notation::parse(&Rules::CONNECT6, "j10")?)?;
/// let stones = typed::stones(&position, "k11, l9")?;
/// assert_eq!(notation::names(&Rules::CONNECT6, &stones), "k11 l9");
/// let error = typed::stones(&position, "k11 l9 m8").expect_err("White has two stones");
/// assert_eq!(error.to_string(), "m8: the turn is over already");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stones(position: &Position, text: &str) -> Result<Vec<Cell>, TypedError> {
    stones_numbered(position, text, ColumnNumbers::FromOne)
}

/// The same where columns may be counted from 0.
pub fn stones_numbered(
    position: &Position,
    text: &str,
    numbers: ColumnNumbers,
) -> Result<Vec<Cell>, TypedError> {
    read(position, text, numbers, |after, _| after.to_move() == position.to_move())
}

/// The same where one side puts at most so many stones of both colours, as openings begin.
pub fn opening(position: &Position, text: &str, most: usize) -> Result<Vec<Cell>, TypedError> {
    read(position, text, ColumnNumbers::FromOne, |_, stones| stones < most)
}

fn read(
    position: &Position,
    text: &str,
    numbers: ColumnNumbers,
    goes_on: impl Fn(&Position, usize) -> bool,
) -> Result<Vec<Cell>, TypedError> {
    if text.len() > MAX_LENGTH {
        return Err(TypedError::TooLong);
    }
    let mut after = position.clone();
    let mut cells = Vec::new();
    for word in text.split_whitespace().flat_map(words).flat_map(notation::split) {
        if !cells.is_empty() && (after.is_over() || !goes_on(&after, cells.len())) {
            return Err(TypedError::TurnOver { text: shortened(word) });
        }
        let cell = cell(&after, word, numbers)?;
        let illegal = |reason| TypedError::Illegal { text: shortened(word), reason };
        after.play(cell).map_err(illegal)?;
        cells.push(cell);
    }
    if cells.is_empty() { Err(TypedError::Nothing) } else { Ok(cells) }
}

/// The words of `k11,l9`; the two numbers of `10,10` are one word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_matches(',');
    let numbers = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    text.split(move |sign| sign == ',' && !numbers).filter(|word| !word.is_empty())
}

/// The cell one word names.
fn cell(position: &Position, word: &str, numbers: ColumnNumbers) -> Result<Cell, TypedError> {
    let rules = position.rules();
    if rules.gravity() && !word.is_empty() {
        if let Ok(column) = word.parse::<usize>() {
            return drop_in(position, column.checked_sub(numbers.first()), word, numbers);
        }
        if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            let lower = word.to_ascii_lowercase();
            let column = (0..rules.width()).find(|&at| column_name(at) == lower);
            return drop_in(position, column, word, numbers);
        }
    }
    let read = if word.contains(',') { notation::parse_numbers } else { notation::parse };
    Ok(read(rules, word)?)
}

fn drop_in(
    position: &Position,
    column: Option<usize>,
    word: &str,
    numbers: ColumnNumbers,
) -> Result<Cell, TypedError> {
    let width = position.rules().width();
    let text = shortened(word);
    match column.filter(|column| *column < width) {
        None => Err(TypedError::Column { text, width, first: numbers.first() }),
        Some(column) => {
            let full = NotationError::ColumnFull { text };
            Ok(position.drop_cell(column).ok_or(full)?)
        }
    }
}

/// So much of a word that a message can quote it.
fn shortened(word: &str) -> String {
    word.chars().take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn names(rules: Rules, played: &str, text: &str) -> Result<String, String> {
        let mut position = Position::new(rules);
        for word in played.split_whitespace() {
            position.play(notation::parse(&rules, word).expect(word)).expect(word);
        }
        let cells = stones(&position, text).map_err(|error| error.to_string())?;
        Ok(notation::names(&rules, &cells))
    }

    #[test]
    fn cells_and_columns() {
        for (text, cells) in [
            (" J10 ", "j10"),
            ("10,10", "j10"),
            ("k11 l9", "k11 l9"),
            ("k11,l9", "k11 l9"),
            ("k11l9", "k11 l9"),
            ("11,11, 12,9", "k11 l9"),
        ] {
            let played = if cells == "j10" { "" } else { "j10" };
            assert_eq!(names(Rules::CONNECT6, played, text).as_deref(), Ok(cells), "{text}");
        }
        for (text, cell) in [("4", "d2"), ("d", "d2"), ("D", "d2"), ("d2", "d2"), ("1", "a1")] {
            assert_eq!(names(Rules::CONNECT4, "d1", text).as_deref(), Ok(cell), "{text}");
        }
    }

    #[test]
    fn stones_of_an_opening_have_both_colours() {
        let empty = Position::new(Rules::GOMOKU);
        let read = |text, most| {
            let cells = opening(&empty, text, most).map_err(|error| error.to_string())?;
            Ok(notation::names(&Rules::GOMOKU, &cells))
        };
        assert_eq!(read("h8i7 j9", 3), Ok("h8 i7 j9".to_owned()));
        assert_eq!(read("h8", 3), Ok("h8".to_owned()));
        let error: Result<String, String> = read("h8 i7 j9 j10", 3);
        assert!(error.is_err_and(|error| error.contains("j10: the turn is over")));
        assert!(read("h8 h8", 3).is_err_and(|error| error.contains("occupied")));
    }

    #[test]
    fn columns_may_count_from_zero() {
        let position = Position::new(Rules::CONNECT4);
        let read = |text| stones_numbered(&position, text, ColumnNumbers::FromZero);
        let column = |text| read(text).map(|cells| Rules::CONNECT4.column(cells[0]));
        assert_eq!((column("0"), column("6"), column("d")), (Ok(0), Ok(6), Ok(3)));
        let refusal = read("7").expect_err("there is no eighth column").to_string();
        assert!(refusal.contains("there are 7, from 0"), "{refusal}");
    }

    #[test]
    fn refusals_are_sentences() {
        let refusal =
            |text: &str| names(Rules::CONNECT4, "a1 a2 a3 a4 a5 a6", text).expect_err(text);
        assert!(refusal("8").contains("there are 7"));
        assert!(refusal("0").contains("there are 7"));
        assert!(refusal("1").contains("full"));
        assert!(refusal("").contains("type a cell"));
        assert!(refusal(" , ,,").contains("type a cell"));
        assert!(refusal("é!").contains("not a cell"));
        assert!(refusal("b2").contains("b2: "));
        assert!(refusal("b c").contains("c: the turn is over"));
        assert!(refusal(&"a".repeat(9999)).contains("too long"));
        let refusal = |text: &str| names(Rules::CONNECT6, "j10", text).expect_err(text);
        assert!(refusal("j10").contains("j10: "));
        assert!(refusal("k11 k11").contains("occupied"));
        assert!(refusal("k11 l9 m8").contains("m8: the turn is over"));
        assert!(refusal("zz99").contains("outside"));
    }
}
