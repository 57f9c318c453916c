//! The threat counters of the literature: slide a window along every line and mark cells.
//!
//! Both count a live window from which one turn wins, unless a cell of it is marked already, and
//! differ in what they mark. *Wu–Huang* ("A new family of k-in-a-row games", 2005) marks the last
//! empty cell of the window, which is exact on one line. On crossing lines it counts too much,
//! because the stone that stops both threats may be the other empty cell:
//!
//! ```text
//! . . 2 . . . .        1: first threat, the row *XXXX1. The mark is at its far end.
//! . . X . . . .        2: so the column, which shares `*` with the row, counts again,
//! . . X . . . .           but one stone on `*` stops both.
//! . . X . . . .
//! . . X . . . .
//! . O * X X X X 1 O
//! ```
//!
//! *Mark-all* marks every empty cell of the window. That mends the crossing, but says "one stone
//! stops this" of several cells at once: two columns through the two empty cells of a counted row
//! are both hidden, though no single stone stops them.
//!
//! Neither is what the defender must know; [`crate::exact`] is.

use collinear_rules::{Cell, Player, Position, WindowId};

use collinear_windows::{Windows, offsets};

/// What a marking counter found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marking {
    /// The windows that were counted: one threat each.
    pub counted: Vec<WindowId>,
    /// The cells that were marked.
    pub marks: Vec<Cell>,
}

/// Which cells of a counted window are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// The last empty one in the direction of the line: Wu and Huang.
    Last,
    /// Every empty one.
    All,
}

/// Wu and Huang's number of threats.
pub fn wu_huang(position: &Position, attacker: Player) -> usize {
    count_marking(&Windows::of(position), attacker, Marks::Last).counted.len()
}

/// The number of threats with every empty cell of a counted window marked.
pub fn mark_all(position: &Position, attacker: Player) -> usize {
    count_marking(&Windows::of(position), attacker, Marks::All).counted.len()
}

/// Slides along the rows, then the columns, then both diagonals.
pub fn count_marking(windows: &Windows, attacker: Player, marks: Marks) -> Marking {
    let geometry = windows.geometry();
    let mut found = Marking::default();
    for window in windows.threats(attacker) {
        let cells = geometry.window_cells(window);
        if cells.iter().any(|cell| found.marks.contains(cell)) {
            continue;
        }
        found.counted.push(window);
        let empties = windows.empties(geometry.window_line(window), geometry.window_offset(window));
        let line = geometry.line_cells(geometry.window_line(window));
        let empty = offsets(empties).map(|index| line[index]);
        match marks {
            Marks::Last => found.marks.extend(empty.last()),
            Marks::All => found.marks.extend(empty),
        }
    }
    found
}
