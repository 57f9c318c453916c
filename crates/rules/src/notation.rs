//! Names of cells as people and programs write them.
//!
//! | form | example | columns | rows |
//! |---|---|---|---|
//! | letters-digits | `j10` | letters, skipping none, going on past `z` with `aa` | 1 at the bottom |
//! | Cloudict letters | `JJ` | one letter | one letter, `A` at the bottom |
//! | numbers | `10,10` | 1 at the left | 1 at the bottom |
//! | Pons columns | `4` | digit from 1, then letters | lowest empty cell |

use thiserror::Error;

use crate::rules::shorten;
use crate::{Cell, Position, Rules};

/// Why a text names no cell.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The text does not have the form at all.
    #[error("{text:?} is not a cell: expected {expected}")]
    Form {
        /// The text, shortened.
        text: String,
        /// What would have been right.
        expected: &'static str,
    },
    /// The cell would lie outside the board.
    #[error("{text:?} is outside the {width}x{height} board")]
    Outside {
        /// The text, shortened.
        text: String,
        /// Columns of the board.
        width: usize,
        /// Rows of the board.
        height: usize,
    },
    /// The column of a gravity board is full.
    #[error("column {text:?} is full")]
    ColumnFull {
        /// The column as written.
        text: String,
    },
}

/// The letters of a column: `a` … `z`, `aa`, `ab`, …
pub fn column_name(column: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    if column < 26 {
        letter(column).to_string()
    } else {
        [letter(column / 26 - 1), letter(column)].iter().collect()
    }
}

/// Letters-digits: `j10`.
pub fn name(rules: &Rules, cell: Cell) -> String {
    format!("{}{}", column_name(rules.column(cell)), rules.row(cell) + 1)
}

/// Several cells, blank-separated.
pub fn names(rules: &Rules, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| name(rules, cell)).collect::<Vec<_>>().join(" ")
}

/// The names in a word of several, as Gomocalc and Yixin's programs write moves: `h8i7j9`. A word
/// that is something else comes back whole.
pub fn split(word: &str) -> impl Iterator<Item = &str> {
    let is_start = |at: usize| {
        let bytes = word.as_bytes();
        at > 0 && bytes[at - 1].is_ascii_digit() && bytes[at].is_ascii_alphabetic()
    };
    let starts: Vec<usize> = if word.is_ascii() {
        std::iter::once(0).chain((0..word.len()).filter(|&at| is_start(at))).collect()
    } else {
        vec![0]
    };
    let ends = starts.clone().into_iter().skip(1).chain([word.len()]);
    starts.into_iter().zip(ends).map(move |(start, end)| &word[start..end])
}

/// Reads letters-digits; capital letters are fine.
pub fn parse(rules: &Rules, text: &str) -> Result<Cell, NotationError> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (column, row) = text.split_at(letters);
    let plain = row.bytes().all(|b| b.is_ascii_digit()) && !row.starts_with('0');
    if !(1..=2).contains(&letters) || row.is_empty() || row.len() > 2 || !plain {
        return Err(form(text, "letters and a number such as j10"));
    }
    let column =
        column.bytes().fold(0, |n, b| n * 26 + usize::from(b.to_ascii_lowercase() - b'a') + 1) - 1;
    let row: usize = row.parse().map_err(|_| form(text, "letters and a number such as j10"))?;
    at(rules, column, row - 1, text)
}

/// Cloudict letters: `JJ`. Boards wider or higher than 26 go on with `a` … `z`.
pub fn letters_name(rules: &Rules, cell: Cell) -> String {
    let letter = |n: usize| char::from(if n < 26 { b'A' + n as u8 } else { b'a' + (n - 26) as u8 });
    [letter(rules.column(cell)), letter(rules.row(cell))].iter().collect()
}

/// Reads Cloudict letters; on boards up to 26×26 small letters mean the same as capital ones.
pub fn parse_letters(rules: &Rules, text: &str) -> Result<Cell, NotationError> {
    let &[x, y] = text.as_bytes() else {
        return Err(form(text, "two letters such as JJ"));
    };
    let folds = rules.width().max(rules.height()) <= 26;
    let number = |b: u8| match b {
        b'A'..=b'Z' => Ok(usize::from(b - b'A')),
        b'a'..=b'z' if folds => Ok(usize::from(b - b'a')),
        b'a'..=b'z' => Ok(usize::from(b - b'a') + 26),
        _ => Err(form(text, "two letters such as JJ")),
    };
    at(rules, number(x)?, number(y)?, text)
}

/// Column and row numbers from 1: `10,10`.
pub fn numbers_name(rules: &Rules, cell: Cell) -> String {
    format!("{},{}", rules.column(cell) + 1, rules.row(cell) + 1)
}

/// Reads column and row numbers from 1.
pub fn parse_numbers(rules: &Rules, text: &str) -> Result<Cell, NotationError> {
    let expected = "two numbers from 1 such as 10,10";
    let (column, row) = text.split_once(',').ok_or_else(|| form(text, expected))?;
    let number = |part: &str| match part.trim().parse::<usize>() {
        Ok(n) if n > 0 => Ok(n - 1),
        _ => Err(form(text, expected)),
    };
    at(rules, number(column)?, number(row)?, text)
}

/// The sign of a column in a Pons string: `1` … `9`, then `a` …; none past the 35th.
pub fn pons_name(column: usize) -> Option<char> {
    char::from_digit(column as u32 + 1, 36)
}

/// Reads one sign of a Pons string: the cell on which a stone in that column lands.
pub fn parse_pons(position: &Position, sign: char) -> Result<Cell, NotationError> {
    let text = sign.to_string();
    let column = match sign.to_digit(36) {
        Some(n) if n > 0 => n as usize - 1,
        _ => return Err(form(&text, "a column from 1, then letters from a")),
    };
    let rules = position.rules();
    at(rules, column, 0, &text)?;
    position.drop_cell(column).ok_or(NotationError::ColumnFull { text })
}

fn form(text: &str, expected: &'static str) -> NotationError {
    NotationError::Form { text: shorten(text), expected }
}

fn at(rules: &Rules, column: usize, row: usize, text: &str) -> Result<Cell, NotationError> {
    rules.cell(column, row).ok_or_else(|| NotationError::Outside {
        text: shorten(text),
        width: rules.width(),
        height: rules.height(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_keeps_its_name_in_every_form() {
        for text in ["19x19,k=6", "64x64,k=5", "3x40,k=5"] {
            let rules: Rules = text.parse().expect(text);
            for cell in rules.all_cells() {
                assert_eq!(parse(&rules, &name(&rules, cell)), Ok(cell));
                assert_eq!(parse_numbers(&rules, &numbers_name(&rules, cell)), Ok(cell));
                if rules.width().max(rules.height()) <= 52 {
                    assert_eq!(parse_letters(&rules, &letters_name(&rules, cell)), Ok(cell));
                }
            }
        }
    }

    #[test]
    fn names_without_blanks_are_told_apart() {
        let names = |word| split(word).collect::<Vec<_>>();
        assert_eq!(names("h8i7j10aa9"), ["h8", "i7", "j10", "aa9"]);
        assert_eq!(names("h8"), ["h8"]);
        assert_eq!(names("é8h8"), ["é8h8"]);
        assert_eq!(names(""), [""]);
    }

    #[test]
    fn the_centre_of_connect6() {
        let rules = Rules::CONNECT6;
        let centre = rules.cell(9, 9).expect("on the board");
        assert_eq!(name(&rules, centre), "j10");
        assert_eq!(letters_name(&rules, centre), "JJ");
        assert_eq!(parse(&rules, "J10"), Ok(centre));
        assert_eq!(parse_letters(&rules, "jj"), Ok(centre));
        assert_eq!(column_name(25), "z");
        assert_eq!(column_name(26), "aa");
    }

    #[test]
    fn what_is_no_cell_is_refused_with_a_reason() {
        let rules = Rules::CONNECT6;
        for text in ["", "j", "10", "j0", "j010", "jjj1", "é5", "j1é", "j99999999999999999999"] {
            assert!(matches!(parse(&rules, text), Err(NotationError::Form { .. })), "{text}");
        }
        for text in ["t1", "a20", "zz9"] {
            assert!(matches!(parse(&rules, text), Err(NotationError::Outside { .. })), "{text}");
        }
        assert!(parse_letters(&rules, "J@").is_err());
        assert!(parse_numbers(&rules, "0,4").is_err());
        let mut full = Position::new(Rules::CONNECT4);
        for _ in 0..6 {
            let cell = parse_pons(&full, '1').expect("room");
            full.play(cell).expect("legal");
        }
        assert_eq!(
            parse_pons(&full, '1').map_err(|e| e.to_string()),
            Err("column \"1\" is full".into())
        );
        assert!(parse_pons(&full, '8').is_err());
    }
}
