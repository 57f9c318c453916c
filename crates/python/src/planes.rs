//! A position as numbers for a network, made from scratch: the plain twin of what the vector
//! environment keeps up to date, and the actions both speak of.

use collinear_rules::{Cell, Player, Position, Rules};

/// Own stones, opposing stones, stones left of the turn.
pub(crate) const PLANES: usize = 3;

/// Fills the planes as `player` sees them.
pub(crate) fn fill(position: &Position, player: Player, planes: &mut [u8]) {
    let cells = position.rules().cells();
    planes[..2 * cells].fill(0);
    planes[2 * cells..].fill(position.stones_left() as u8);
    for (plane, player) in [player, player.opponent()].into_iter().enumerate() {
        for cell in position.stones(player) {
            planes[plane * cells + cell.index()] = 1;
        }
    }
}

/// Actions of a game: its cells, or its columns where stones fall.
pub(crate) const fn action_count(rules: &Rules) -> usize {
    if rules.gravity() { rules.width() } else { rules.cells() }
}

/// The action that places a stone on a cell.
pub(crate) const fn action_of(rules: &Rules, cell: Cell) -> usize {
    if rules.gravity() { rules.column(cell) } else { cell.index() }
}

/// The cell where the action's stone lands, if there is one.
pub(crate) fn cell_of(position: &Position, action: i64) -> Option<Cell> {
    let index = usize::try_from(action).ok()?;
    let rules = position.rules();
    if rules.gravity() {
        position.drop_cell(index)
    } else {
        (index < rules.cells()).then(|| Cell::new(index))
    }
}
