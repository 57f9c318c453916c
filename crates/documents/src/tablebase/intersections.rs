//! The types of all intersections of a board, kept stone by stone, and the composite type: what
//! the four connections through a cell make together.
//!
//! A stone changes the connections on its four lines only. Each of them is read again from the
//! table, where all cells of a connection lie side by side; nothing else is touched.
//!
//! The paper announces a composite type of an intersection and does not define it. Ours is exact
//! where it matters. The connections through a cell meet in that cell alone, so after a stone on
//! it their threats share no empty cell: the stones needed against all of them are the sum of
//! those needed against each, and when that sum exceeds p the cell is DW, though no single
//! connection is:
//!
//! ```text
//! . . X X X . x . .        a stone on x makes this row D4, and the column through x too:
//!             X            with p = 1 one stone cannot stop both, so x is DW together
//! ```

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineId, Player, Position};

use crate::tablebase::connections::{Connection, Connections};
use crate::tablebase::table::TableBase;
use crate::tablebase::types::Grade;

/// What a stone on a cell makes of the connections through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Composite {
    /// The type of the four together: the best of them, or DW when their threats need more than p
    /// stones.
    pub together: Grade,
    /// The four, best first. U where a stone is wasted or no connection is.
    pub each: [Grade; 4],
}

impl Composite {
    /// The type of a cell with these four types, in a game of `p` stones per turn.
    pub fn of(mut each: [Grade; 4], p: usize) -> Self {
        each.sort_unstable_by(|a, b| b.cmp(a));
        let needed: usize = each.iter().map(|grade| grade.hitting(p)).sum();
        let together = if needed > p { each[0].max(Grade::DW) } else { each[0] };
        Self { together, each }
    }
}

/// The intersection types of a board for both colours, kept stone by stone.
#[derive(Clone, Debug)]
pub struct Intersections {
    geometry: Arc<Geometry>,
    connections: Connections,
    /// Per cell and colour what a stone makes of the connection in each direction.
    types: Vec<[[Grade; 4]; 2]>,
}

impl Intersections {
    /// Those of a position. The table must be one for the board's `k` and `p`; lines longer than
    /// its own are worked out instead of looked up.
    pub fn of(position: &Position, table: Arc<TableBase>) -> Self {
        let geometry = position.geometry().clone();
        let mut found = Self {
            types: vec![[[Grade::U; 4]; 2]; geometry.rules().cells()],
            connections: Connections::of(position, table),
            geometry,
        };
        found.read_all();
        found
    }

    /// Takes over a position of the same game; only lines that differ are read again.
    pub fn set(&mut self, position: &Position) {
        let changed: Vec<LineId> = self.connections.changed(position).collect();
        self.connections.set(position);
        for line in changed {
            self.read(line);
        }
    }

    /// The connections behind the types.
    pub const fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Puts a stone on an empty cell.
    pub fn place(&mut self, cell: Cell, player: Player) {
        self.connections.place(cell, player);
        self.read_through(cell);
    }

    /// Takes a stone away again.
    pub fn remove(&mut self, cell: Cell, player: Player) {
        self.connections.remove(cell, player);
        self.read_through(cell);
    }

    /// What a stone of this colour on a cell makes of each of its four connections.
    #[inline]
    pub fn at(&self, cell: Cell, player: Player) -> &[Grade; 4] {
        &self.types[cell.index()][player.index()]
    }

    /// The composite type of a cell for a stone of this colour.
    pub fn composite(&self, cell: Cell, player: Player) -> Composite {
        Composite::of(*self.at(cell, player), self.geometry.rules().p())
    }

    fn read_all(&mut self) {
        for line in self.geometry.lines() {
            self.read(line);
        }
    }

    fn read_through(&mut self, cell: Cell) {
        for at in *self.geometry.lines_through(cell) {
            self.read(at.line);
        }
    }

    /// Reads the types of one line's cells again, for both colours.
    fn read(&mut self, line: LineId) {
        let Self { geometry, connections, types } = self;
        let cells = geometry.line_cells(line);
        let direction = geometry.direction(line) as usize;
        for player in Player::BOTH {
            for cell in cells {
                types[cell.index()][player.index()][direction] = Grade::U;
            }
            for connection in connections.on_line(line, player) {
                let Connection { head, shape, .. } = connection;
                let run = &cells[usize::from(head)..][..shape.length()];
                connections.table().cell_types(shape, |index, grade| {
                    types[run[index].index()][player.index()][direction] = grade;
                });
            }
        }
    }
}
