//! The stones of a board, line by line: what [`Windows`](crate::Windows) are counted from, for those who
//! place many stones and ask for windows seldom.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineId, LineStones, Player, Position};

/// The stones of both colours on every line.
#[derive(Clone, Debug)]
pub struct Stones {
    geometry: Arc<Geometry>,
    /// Per line and colour: bit `i` is the line's cell `i`.
    lines: Vec<[u64; 2]>,
}

impl Stones {
    /// The empty board.
    pub fn new(geometry: Arc<Geometry>) -> Self {
        Self { lines: vec![[0; 2]; geometry.line_count()], geometry }
    }

    /// Takes over the stones of a position on the same board.
    pub fn set(&mut self, position: &Position) {
        debug_assert_eq!(self.geometry.rules(), position.rules());
        for (line, stones) in self.geometry.lines().zip(&mut self.lines) {
            *stones = position.line(line);
        }
    }

    /// The board.
    #[inline]
    pub const fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// Puts a stone on an empty cell.
    #[inline]
    pub fn place(&mut self, cell: Cell, player: Player) {
        debug_assert!(self.is_empty(cell));
        for at in self.geometry.lines_through(cell) {
            self.lines[at.line.index()][player.index()] |= 1 << at.index;
        }
    }

    /// Takes a stone away.
    #[inline]
    pub fn remove(&mut self, cell: Cell, player: Player) {
        for at in self.geometry.lines_through(cell) {
            self.lines[at.line.index()][player.index()] &= !(1 << at.index);
        }
    }

    /// The stones of a colour on a line: bit `i` is the line's cell `i`.
    #[inline]
    pub fn on(&self, line: LineId, player: Player) -> u64 {
        self.lines[line.index()][player.index()]
    }

    /// Whether a cell has no stone.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        let row = self.geometry.lines_through(cell)[0];
        let [black, white] = self.lines[row.line.index()];
        (black | white) >> row.index & 1 == 0
    }
}

impl LineStones for Stones {
    fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    #[inline]
    fn line(&self, line: LineId) -> [u64; 2] {
        self.lines[line.index()]
    }
}
