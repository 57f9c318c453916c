//! Which type can become which better one by one stone, computed from the tables.

use crate::tablebase::table::TableBase;
use crate::tablebase::types::Grade;
use collinear_windows::offsets;

/// The promotions among the eleven merged types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotions {
    /// Per grade the set of grades it is promoted to, as bits.
    to: [u16; 12],
}

impl Promotions {
    /// Looks at every shape of the tables and every stone that could be added.
    pub fn of(table: &TableBase) -> Self {
        let mut to = [0; 12];
        for (shape, entry) in table.entries() {
            let from = entry.shape_type.grade();
            for index in offsets(shape.empties()) {
                let cell = entry.cell(index);
                // A cell's type is the promotion it brings, or one of the two that bring none.
                if cell > from {
                    to[from as usize] |= 1 << cell as u16;
                }
            }
        }
        Self { to }
    }

    /// Whether one stone can promote `from` to `to`.
    pub const fn has(&self, from: Grade, to: Grade) -> bool {
        self.to[from as usize] >> to as u16 & 1 != 0
    }

    /// What one stone can promote `from` to, strongest first.
    pub fn from(&self, from: Grade) -> impl Iterator<Item = Grade> + '_ {
        Grade::ALL.into_iter().rev().filter(move |&to| self.has(from, to))
    }

    /// The paper's reduced table: a stone on a connection that could win at once is not a promotion
    /// worth having, and nobody aims at DW, which the step before already threatens.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let mut reduced = self.clone();
        for from in Grade::ALL {
            reduced.to[from as usize] &= !(1 << Grade::DW as u16);
        }
        reduced.to[Grade::D5 as usize] &= !(1 << Grade::L5 as u16);
        reduced
    }
}
