//! Moves as people type them: `j10 k11`, `10,10`, and where stones fall their columns: `4`, `d`.

use thiserror::Error;

use crate::notation::{self, NotationError, column_name};
use crate::{Cell, Position};

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
    #[error("{text:?} is no column: there are {width}")]
    Column {
        /// The word, shortened.
        text: String,
        /// Columns of the board.
        width: usize,
    },
    /// Nothing was typed.
    #[error("type a cell such as j10")]
    Nothing,
    /// More than anybody types.
    #[error("that is too long for moves")]
    TooLong,
}

/// The cells a text names, in order; legality is checked when they are played.
pub fn cells(position: &Position, text: &str) -> Result<Vec<Cell>, TypedError> {
    if text.len() > MAX_LENGTH {
        return Err(TypedError::TooLong);
    }
    let mut position = position.clone();
    let mut cells = Vec::new();
    for word in text.split_whitespace() {
        let cell = cell(&position, word)?;
        // A column means another cell once its lowest one is taken.
        let _ = position.play(cell);
        cells.push(cell);
    }
    if cells.is_empty() { Err(TypedError::Nothing) } else { Ok(cells) }
}

/// The cell one word names.
pub fn cell(position: &Position, word: &str) -> Result<Cell, TypedError> {
    let rules = position.rules();
    if rules.gravity() && !word.is_empty() {
        if let Ok(column) = word.parse::<usize>() {
            return drop_in(position, column.checked_sub(1), word);
        }
        if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            let lower = word.to_ascii_lowercase();
            let column = (0..rules.width()).find(|&at| column_name(at) == lower);
            return drop_in(position, column, word);
        }
    }
    let read = if word.contains(',') { notation::parse_numbers } else { notation::parse };
    Ok(read(rules, word)?)
}

fn drop_in(position: &Position, column: Option<usize>, word: &str) -> Result<Cell, TypedError> {
    let width = position.rules().width();
    let text: String = word.chars().take(12).collect();
    match column.filter(|column| *column < width) {
        None => Err(TypedError::Column { text, width }),
        Some(column) => {
            let full = NotationError::ColumnFull { text };
            Ok(position.drop_cell(column).ok_or(full)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn cells_and_columns() {
        let connect6 = Position::new(Rules::CONNECT6);
        assert_eq!(cells(&connect6, " J10 10,10 "), Ok(vec![Cell::new(180), Cell::new(180)]));
        let connect4 = Position::new(Rules::CONNECT4);
        assert_eq!(cells(&connect4, "4 d D"), Ok([3, 10, 17].map(Cell::new).to_vec()));
        assert_eq!(cells(&connect4, "d1"), Ok(vec![Cell::new(3)]));
    }

    #[test]
    fn refusals_are_sentences() {
        let connect4 = Position::new(Rules::CONNECT4);
        let refusal = |text: &str| cells(&connect4, text).expect_err(text).to_string();
        assert!(refusal("8").contains("there are 7"));
        assert!(refusal("0").contains("there are 7"));
        assert!(refusal("1 1 1 1 1 1 1").contains("full"));
        assert!(refusal("").contains("type a cell"));
        assert!(refusal("é!").contains("not a cell"));
        assert!(refusal(&"a".repeat(9999)).contains("too long"));
    }
}
