//! Moves as people type them: a cell by its name, or by its column where stones fall.

use collinear_rules::{Cell, Position, notation};

/// The stones a line of words names, all of them legal for the player to move, or what is wrong
/// with the first that is not: a line is played as a whole or not at all.
pub(super) fn stones(position: &Position, line: &str) -> Result<Vec<Cell>, String> {
    let mut after = position.clone();
    let mut cells = Vec::new();
    for word in line.split([' ', ',']).filter(|word| !word.is_empty()) {
        if !cells.is_empty() && (after.is_over() || after.to_move() != position.to_move()) {
            return Err(format!("{word}: the turn is over already"));
        }
        let cell = cell(&after, word)?;
        after.play(cell).map_err(|reason| format!("{word}: {reason}"))?;
        cells.push(cell);
    }
    Ok(cells)
}

/// The cell a word names in a position.
fn cell(position: &Position, word: &str) -> Result<Cell, String> {
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
