//! Moves as people type them: a cell by its name, or by its column where stones fall.

use collinear_rules::{Cell, Position, typed};

/// The stones a line of words names, all of them legal for the player to move, or what is wrong
/// with the first that is not: a line is played as a whole or not at all.
pub(super) fn stones(position: &Position, line: &str) -> Result<Vec<Cell>, String> {
    let mut after = position.clone();
    let mut cells = Vec::new();
    for word in line.split([' ', ',']).filter(|word| !word.is_empty()) {
        if !cells.is_empty() && (after.is_over() || after.to_move() != position.to_move()) {
            return Err(format!("{word}: the turn is over already"));
        }
        let cell = typed::cell(&after, word).map_err(|error| error.to_string())?;
        after.play(cell).map_err(|reason| format!("{word}: {reason}"))?;
        cells.push(cell);
    }
    Ok(cells)
}
