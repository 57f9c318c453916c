//! The symmetries of a board: rotations and reflections that keep every line a line.

use crate::{Cell, Rules};

/// One symmetry: transpose first, then mirror columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    /// Leaves every cell where it is.
    pub const IDENTITY: Self = Self::new(false, false, false);

    const ALL: [Self; 8] = [
        Self::IDENTITY,
        Self::new(false, true, false),
        Self::new(false, false, true),
        Self::new(false, true, true),
        Self::new(true, false, false),
        Self::new(true, true, false),
        Self::new(true, false, true),
        Self::new(true, true, true),
    ];

    const fn new(transpose: bool, mirror_columns: bool, mirror_rows: bool) -> Self {
        Self { transpose, mirror_columns, mirror_rows }
    }

    /// The symmetries of a board, the identity first: 8 on a square, 4 on a rectangle, 2 with
    /// gravity.
    pub fn of(rules: &Rules) -> &'static [Self] {
        if rules.gravity() {
            &Self::ALL[..2]
        } else if rules.width() == rules.height() {
            &Self::ALL
        } else {
            &Self::ALL[..4]
        }
    }

    /// Where a cell goes.
    #[must_use]
    pub fn apply(self, rules: &Rules, cell: Cell) -> Cell {
        let (mut x, mut y) = (rules.column(cell), rules.row(cell));
        if self.transpose {
            (x, y) = (y, x);
        }
        if self.mirror_columns {
            x = rules.width() - 1 - x;
        }
        if self.mirror_rows {
            y = rules.height() - 1 - y;
        }
        Cell::new(y * rules.width() + x)
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.transpose { Self::new(true, self.mirror_rows, self.mirror_columns) } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_undo_and_all_differ() {
        for text in ["5x5,k=3", "7x4,k=3", "connect4"] {
            let rules: Rules = text.parse().expect(text);
            let all = Symmetry::of(&rules);
            for &symmetry in all {
                for cell in rules.all_cells() {
                    let there = symmetry.apply(&rules, cell);
                    assert_eq!(symmetry.inverse().apply(&rules, there), cell);
                }
            }
            let images: std::collections::HashSet<Vec<Cell>> = all
                .iter()
                .map(|s| rules.all_cells().map(|c| s.apply(&rules, c)).collect())
                .collect();
            assert_eq!(images.len(), all.len(), "{text}");
        }
    }
}
