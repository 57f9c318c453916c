//! Connections: a line seen as the stretches that each colour could still use.
//!
//! A connection of Black is a maximal run of cells without a white stone, `k` cells or longer. So
//! a line falls apart differently for each colour, and the two views overlap in empty cells:
//!
//! ```text
//! cells    . X . . X . . . O . . . . . . .       k = 6
//! Black    [             ]   [           ]       the second is void, and Black's alone:
//! White              [                   ]       White's runs on past the white stone
//! ```
//!
//! A void run between two white stones is not a connection of White, because White's run goes on; on
//! an empty line it is one of both. That is the paper's rule, and taking maximal runs per colour
//! already says it.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineId, LineRef, Player, Position};

use crate::tablebase::shape::{Shape, low};
use crate::tablebase::table::TableBase;
use crate::tablebase::types::{Grade, ShapeType};

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Whose it is.
    pub player: Player,
    /// The line it lies on; its direction is the line's.
    pub line: LineId,
    /// The line's index of the head, the connection's first cell.
    pub head: u8,
    /// Length and stones, bit 0 the head.
    pub shape: Shape,
}

/// All connections of a board, kept stone by stone, with the number of each type.
///
/// The types are those of games where longer rows win too.
#[derive(Clone, Debug)]
pub struct Connections {
    geometry: Arc<Geometry>,
    table: Arc<TableBase>,
    /// Per line the stones of Black and White.
    lines: Vec<[u64; 2]>,
    /// Per colour the number of connections of each type.
    counts: [[u32; 14]; 2],
}

impl Connections {
    /// The empty board. The table must be one for the board's `k`.
    pub fn new(geometry: Arc<Geometry>, table: Arc<TableBase>) -> Self {
        assert_eq!(geometry.rules().k(), table.rules().k(), "a table for another row length");
        let mut connections = Self {
            lines: vec![[0; 2]; geometry.line_count()],
            counts: [[0; 14]; 2],
            geometry,
            table,
        };
        for line in connections.geometry.clone().lines() {
            connections.count_line(line, u32::wrapping_add);
        }
        connections
    }

    /// The connections of a position.
    pub fn of(position: &Position, table: Arc<TableBase>) -> Self {
        let mut connections = Self::new(position.geometry().clone(), table);
        connections.set(position);
        connections
    }

    /// Takes over a position of the same game; only lines that differ are counted again.
    pub fn set(&mut self, position: &Position) {
        let changed: Vec<LineId> = self.changed(position).collect();
        for line in changed {
            self.count_line(line, u32::wrapping_sub);
            self.lines[line.index()] = position.line(line);
            self.count_line(line, u32::wrapping_add);
        }
    }

    /// The lines whose stones differ from those of a position.
    pub(crate) fn changed(&self, position: &Position) -> impl Iterator<Item = LineId> {
        let differs = |line: &LineId| self.lines[line.index()] != position.line(*line);
        self.geometry.lines().filter(differs)
    }

    /// The table the types come from.
    pub fn table(&self) -> &TableBase {
        &self.table
    }

    /// Puts a stone on an empty cell.
    pub fn place(&mut self, cell: Cell, player: Player) {
        self.toggle(cell, player);
    }

    /// Takes a stone away again.
    pub fn remove(&mut self, cell: Cell, player: Player) {
        self.toggle(cell, player);
    }

    /// The connections of a colour on a line, from the line's start on.
    pub fn on_line(&self, line: LineId, player: Player) -> impl Iterator<Item = Connection> + '_ {
        let mut open = self.open(line, player);
        std::iter::from_fn(move || {
            (open != 0).then(|| {
                let head = open.trailing_zeros();
                let length = (open >> head).trailing_ones();
                open &= !(low(length as usize) << head);
                (head, length)
            })
        })
        .filter_map(move |(head, length)| self.connection(line, player, head, length))
    }

    /// All connections of a colour.
    pub fn all(&self, player: Player) -> impl Iterator<Item = Connection> + '_ {
        self.geometry.lines().flat_map(move |line| self.on_line(line, player))
    }

    /// The connection of a colour through a cell of a line; none where an opposing stone stands or
    /// the run is shorter than `k`.
    #[inline]
    pub fn through(&self, at: &LineRef, player: Player) -> Option<Connection> {
        self.holding(at.line, at.index, player)
    }

    #[inline]
    fn holding(&self, line: LineId, index: u8, player: Player) -> Option<Connection> {
        let open = self.open(line, player);
        let index = u32::from(index);
        if open >> index & 1 == 0 {
            return None;
        }
        let before = !open & ((1 << index) - 1);
        let head = before.checked_ilog2().map_or(0, |gap| gap + 1);
        let length = (open >> head).trailing_ones();
        self.connection(line, player, head, length)
    }

    /// The type of a connection.
    #[inline]
    pub fn type_of(&self, connection: &Connection) -> ShapeType {
        self.table.type_of(connection.shape)
    }

    /// How many connections of each type a colour has, in the order of [`ShapeType::ALL`].
    pub const fn counts(&self, player: Player) -> &[u32; 14] {
        &self.counts[player.index()]
    }

    /// What a stone of this colour on a cell would make of each of its four connections; U where
    /// there is none.
    pub fn cell_types(&self, cell: Cell, player: Player) -> [Grade; 4] {
        self.geometry.lines_through(cell).map(|at| match self.through(&at, player) {
            Some(connection) => {
                self.table.cell_type(connection.shape, usize::from(at.index - connection.head))
            }
            None => Grade::U,
        })
    }

    /// The cells a colour may use on a line: all without an opposing stone.
    #[inline]
    fn open(&self, line: LineId, player: Player) -> u64 {
        let length = self.geometry.line_cells(line).len();
        !self.lines[line.index()][player.opponent().index()] & low(length)
    }

    #[inline]
    fn connection(
        &self,
        line: LineId,
        player: Player,
        head: u32,
        length: u32,
    ) -> Option<Connection> {
        let stones = self.lines[line.index()][player.index()] >> head;
        let shape = Shape::new(self.table.rules().k(), length as usize, stones).ok()?;
        Some(Connection { player, line, head: head as u8, shape })
    }

    /// Only the connections through the cell change: the own one gets or loses a stone, the
    /// opposing one falls apart or grows together.
    fn toggle(&mut self, cell: Cell, player: Player) {
        let refs = *self.geometry.lines_through(cell);
        for at in &refs {
            self.count_around(at, u32::wrapping_sub);
            self.lines[at.line.index()][player.index()] ^= 1 << at.index;
            self.count_around(at, u32::wrapping_add);
        }
    }

    /// Adds or subtracts the connections of both colours that hold a cell or end beside it.
    fn count_around(&mut self, at: &LineRef, change: fn(u32, u32) -> u32) {
        let last = self.geometry.line_cells(at.line).len() - 1;
        for player in Player::BOTH {
            let mut seen = None;
            let first = at.index.saturating_sub(1);
            for index in first..=(at.index + 1).min(last as u8) {
                let found = self.holding(at.line, index, player);
                if found != seen
                    && let Some(connection) = found
                {
                    let count = &mut self.counts[player.index()]
                        [self.table.type_of(connection.shape) as usize];
                    *count = change(*count, 1);
                    seen = found;
                }
            }
        }
    }

    fn count_line(&mut self, line: LineId, change: fn(u32, u32) -> u32) {
        for player in Player::BOTH {
            let mut counts = self.counts[player.index()];
            for connection in self.on_line(line, player) {
                let count = &mut counts[self.type_of(&connection) as usize];
                *count = change(*count, 1);
            }
            self.counts[player.index()] = counts;
        }
    }
}
