//! Moves as people type them: a cell by its name, or by its column where stones fall.

use collinear_rules::{Cell, Position, notation};

/// The cell a word names in a position.
pub(crate) fn cell(position: &Position, word: &str) -> Result<Cell, String> {
    let rules = position.rules();
    if rules.gravity() {
        let columns = 0..rules.width();
        let by_letter = columns.clone().find(|&x| notation::column_name(x) == word.to_lowercase());
        let by_number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        if let Some(column) = by_letter.or(by_number).filter(|column| columns.contains(column)) {
            return position.drop_cell(column).ok_or_else(|| format!("column {word} is full"));
        }
    }
    notation::parse(rules, word).map_err(|error| error.to_string())
}
