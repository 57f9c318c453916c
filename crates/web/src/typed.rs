//! Moves typed by a person: `j10 k11`, `10,10`, and in games with gravity columns: `4`, `d`.

use collinear_rules::{Cell, Position, notation};

use crate::game::Refusal;

/// The longest text that is read as moves.
const MAX_LENGTH: usize = 1000;

/// The cells a text names, in order; legality is checked when they are played.
pub(crate) fn read(position: &Position, text: &str) -> Result<Vec<Cell>, Refusal> {
    if text.len() > MAX_LENGTH {
        return Err(Refusal::Typed("that is too long for moves".to_owned()));
    }
    let mut position = position.clone();
    let mut cells = Vec::new();
    for word in text.split_whitespace() {
        let cell = one(&position, word)?;
        // A column means another cell once its lowest one is taken.
        let _ = position.play(cell);
        cells.push(cell);
    }
    if cells.is_empty() {
        return Err(Refusal::Typed("type a cell such as j10".to_owned()));
    }
    Ok(cells)
}

fn one(position: &Position, word: &str) -> Result<Cell, Refusal> {
    let rules = position.rules();
    let refused = |error: notation::NotationError| Refusal::Typed(error.to_string());
    if rules.gravity() && !word.is_empty() {
        if let Ok(column) = word.parse::<usize>() {
            return drop(position, column.checked_sub(1), word);
        }
        if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            let lower = word.to_ascii_lowercase();
            let column = (0..rules.width()).find(|&at| notation::column_name(at) == lower);
            return drop(position, column, word);
        }
    }
    if word.contains(',') {
        return notation::parse_numbers(rules, word).map_err(refused);
    }
    notation::parse(rules, word).map_err(refused)
}

fn drop(position: &Position, column: Option<usize>, word: &str) -> Result<Cell, Refusal> {
    let rules = position.rules();
    let shown: String = word.chars().take(12).collect();
    let column = column.filter(|column| *column < rules.width()).ok_or_else(|| {
        Refusal::Typed(format!("{shown:?} is no column: there are {}", rules.width()))
    })?;
    position.drop_cell(column).ok_or_else(|| Refusal::Typed(format!("column {shown} is full")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::Rules;

    #[test]
    fn cells_and_columns() {
        let connect6 = Position::new(Rules::CONNECT6);
        assert_eq!(read(&connect6, " J10 10,10 "), Ok(vec![Cell::new(180), Cell::new(180)]));
        let connect4 = Position::new(Rules::CONNECT4);
        assert_eq!(read(&connect4, "4 d D"), Ok([3, 10, 17].map(Cell::new).to_vec()));
        assert_eq!(read(&connect4, "d1"), Ok(vec![Cell::new(3)]));
    }

    #[test]
    fn refusals_are_sentences() {
        let connect4 = Position::new(Rules::CONNECT4);
        let refusal = |text: &str| read(&connect4, text).expect_err(text).to_string();
        assert!(refusal("8").contains("there are 7"));
        assert!(refusal("0").contains("there are 7"));
        assert!(refusal("1 1 1 1 1 1 1").contains("full"));
        assert!(refusal("").contains("type a cell"));
        assert!(refusal("é!").contains("not a cell"));
        assert!(refusal(&"a".repeat(9999)).contains("too long"));
    }
}
