//! The lines and windows of a board, computed once per rules and shared by everyone.
//!
//! Lines are numbered rows first (line = row), then columns (line = height + column), then both
//! kinds of diagonals. A window is `k` neighbouring cells of a line; the windows of a line have
//! consecutive numbers, so the windows through a cell are at most four ranges:
//!
//! ```text
//! line   . . . . . . . .      k = 6: the line of 8 cells has windows w, w+1, w+2
//!        [w         ]         the cell at index 3 lies in all of them,
//!          [w+1       ]       the cell at index 0 only in w
//!            [w+2       ]
//! ```

use std::ops::Range;

use crate::{Cell, Overline, Player, Rules, zobrist};

/// A line of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(u16);

impl LineId {
    /// The line with this index.
    pub const fn new(index: usize) -> Self {
        Self(index as u16)
    }

    /// The index into anything that has one entry a line.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A window: `k` neighbouring cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowId(u16);

impl WindowId {
    /// The window with this index.
    pub const fn new(index: usize) -> Self {
        Self(index as u16)
    }

    /// The index into anything that has one entry a window.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The four directions a line can have, named by where the next cell of the line lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Along a row, `→`.
    East,
    /// Up a column, `↑`.
    North,
    /// Up and to the right, `↗`.
    NorthEast,
    /// Down and to the right, `↘`.
    SouthEast,
}

/// All directions in the order of [`Geometry::lines_through`].
pub const DIRECTIONS: [Direction; 4] =
    [Direction::East, Direction::North, Direction::NorthEast, Direction::SouthEast];

impl Direction {
    /// Column and row difference to the next cell of the line.
    pub const fn step(self) -> (isize, isize) {
        match self {
            Self::East => (1, 0),
            Self::North => (0, 1),
            Self::NorthEast => (1, 1),
            Self::SouthEast => (1, -1),
        }
    }
}

/// Where a cell lies on one of its lines, and the windows of that line which hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRef {
    /// The line.
    pub line: LineId,
    /// The cell's index on it: its bit in the line's words.
    pub index: u8,
    first_window: u16,
    windows: u8,
}

impl LineRef {
    /// The windows of this line that hold the cell; empty on lines shorter than `k`.
    pub fn windows(&self) -> impl ExactSizeIterator<Item = WindowId> + use<> {
        (self.first_window..self.first_window + u16::from(self.windows)).map(WindowId)
    }

    /// The same as a range of indices.
    pub const fn window_range(&self) -> Range<usize> {
        self.first_window as usize..self.first_window as usize + self.windows as usize
    }
}

#[derive(Clone, Debug)]
struct Line {
    direction: Direction,
    cells: Range<u32>,
    windows: Range<u16>,
}

/// Who moves at a point of the turn sequence, and with how many stones left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TurnState {
    pub(crate) player: Player,
    pub(crate) left: u8,
    pub(crate) key: u64,
}

/// Everything about a board that does not depend on the stones. Share it with an `Arc`.
#[derive(Debug)]
pub struct Geometry {
    rules: Rules,
    lines: Vec<Line>,
    line_cells: Vec<Cell>,
    through: Vec<[LineRef; 4]>,
    /// For each window the start of its cells in `line_cells`.
    window_starts: Vec<u32>,
    window_lines: Vec<LineId>,
    stone_keys: Vec<[u64; 2]>,
    turns: Vec<TurnState>,
    run_shifts: Vec<u8>,
}

impl Geometry {
    /// Computes the geometry of a board.
    pub fn new(rules: Rules) -> Self {
        let mut geometry = Self {
            rules,
            lines: Vec::new(),
            line_cells: Vec::new(),
            through: vec![
                [LineRef { line: LineId(0), index: 0, first_window: 0, windows: 0 }; 4];
                rules.cells()
            ],
            window_starts: Vec::new(),
            window_lines: Vec::new(),
            stone_keys: rules
                .all_cells()
                .map(|c| Player::BOTH.map(|p| zobrist::stone(c, p)))
                .collect(),
            turns: turn_sequence(&rules),
            run_shifts: run_shifts(rules.k()),
        };
        for direction in DIRECTIONS {
            for (column, row) in line_starts(&rules, direction) {
                geometry.add_line(direction, column, row);
            }
        }
        geometry
    }

    fn add_line(&mut self, direction: Direction, column: usize, row: usize) {
        let line = LineId(self.lines.len() as u16);
        let first = self.line_cells.len() as u32;
        let (dx, dy) = direction.step();
        let mut next = self.rules.cell(column, row);
        let (mut x, mut y) = (column, row);
        while let Some(cell) = next {
            self.line_cells.push(cell);
            x = x.wrapping_add_signed(dx);
            y = y.wrapping_add_signed(dy);
            next = self.rules.cell(x, y);
        }
        let cells = first..self.line_cells.len() as u32;
        let length = cells.len();
        let k = self.rules.k();
        let first_window = self.window_starts.len() as u16;
        let count = (length + 1).saturating_sub(k);
        for offset in 0..count {
            self.window_starts.push(first + offset as u32);
            self.window_lines.push(line);
        }
        for index in 0..length {
            let cell = self.line_cells[first as usize + index];
            let low = (index + 1).saturating_sub(k).min(count);
            let high = (index + 1).min(count);
            self.through[cell.index()][direction as usize] = LineRef {
                line,
                index: index as u8,
                first_window: first_window + low as u16,
                windows: (high - low) as u8,
            };
        }
        self.lines.push(Line {
            direction,
            cells,
            windows: first_window..first_window + count as u16,
        });
    }

    /// The rules this is the board of.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Number of lines, those shorter than `k` included.
    pub const fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Every line.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = LineId> + use<> {
        (0..self.lines.len() as u16).map(LineId)
    }

    /// The cells of a line in order.
    pub fn line_cells(&self, line: LineId) -> &[Cell] {
        let Range { start, end } = self.lines[line.index()].cells;
        &self.line_cells[start as usize..end as usize]
    }

    /// The direction of a line.
    pub fn direction(&self, line: LineId) -> Direction {
        self.lines[line.index()].direction
    }

    /// The windows of a line.
    pub fn line_windows(&self, line: LineId) -> impl ExactSizeIterator<Item = WindowId> + use<> {
        self.lines[line.index()].windows.clone().map(WindowId)
    }

    /// The cell's four lines, in the order of [`DIRECTIONS`].
    #[inline]
    pub fn lines_through(&self, cell: Cell) -> &[LineRef; 4] {
        &self.through[cell.index()]
    }

    /// Every window through a cell: at most `4 k`.
    pub fn windows_through(&self, cell: Cell) -> impl Iterator<Item = WindowId> + '_ {
        self.through[cell.index()].iter().flat_map(LineRef::windows)
    }

    /// Number of windows on the board.
    pub const fn window_count(&self) -> usize {
        self.window_starts.len()
    }

    /// Every window.
    pub fn windows(&self) -> impl ExactSizeIterator<Item = WindowId> + use<> {
        (0..self.window_starts.len() as u16).map(WindowId)
    }

    /// The `k` cells of a window.
    #[inline]
    pub fn window_cells(&self, window: WindowId) -> &[Cell] {
        let start = self.window_starts[window.index()] as usize;
        &self.line_cells[start..start + self.rules.k()]
    }

    /// The line a window lies on.
    pub fn window_line(&self, window: WindowId) -> LineId {
        self.window_lines[window.index()]
    }

    /// The index on its line of a window's first cell.
    pub fn window_offset(&self, window: WindowId) -> usize {
        let line = &self.lines[self.window_line(window).index()];
        (self.window_starts[window.index()] - line.cells.start) as usize
    }

    /// The neighbours just outside a window on its line: with exactly-`k` rules an own stone there
    /// spoils the window.
    pub fn window_flanks(&self, window: WindowId) -> [Option<Cell>; 2] {
        let cells = self.line_cells(self.window_line(window));
        let offset = self.window_offset(window);
        [
            offset.checked_sub(1).map(|before| cells[before]),
            cells.get(offset + self.rules.k()).copied(),
        ]
    }

    /// The shifts that fold a word of stones into the starts of its runs of `k` or more: for each,
    /// `w &= w >> shift`.
    #[inline]
    pub fn run_shifts(&self) -> &[u8] {
        &self.run_shifts
    }

    /// The starts of the winning rows in a line's word of a player's stones: bit `i` is set when
    /// the row begins at index `i`.
    #[inline]
    pub fn winning_starts(&self, stones: u64, player: Player) -> u64 {
        let mut runs = stones;
        for &shift in &self.run_shifts {
            runs &= runs >> shift;
        }
        match self.rules.overline(player) {
            Overline::Wins => runs,
            Overline::Ignored if runs == 0 => 0,
            Overline::Ignored => {
                let after = if self.rules.k() < 64 { stones >> self.rules.k() } else { 0 };
                runs & !(stones << 1) & !after
            }
        }
    }

    /// The Zobrist word of a stone: positions are the exclusive or of their stones' words and of
    /// the turn's.
    #[inline]
    pub fn stone_key(&self, cell: Cell, player: Player) -> u64 {
        self.stone_keys[cell.index()][player.index()]
    }

    /// The Zobrist word of a player to move with this many stones left.
    #[inline]
    pub fn turn_key(&self, player: Player, left: u8) -> u64 {
        zobrist::turn(player, left)
    }

    #[inline]
    pub(crate) fn turn(&self, clock: usize) -> &TurnState {
        &self.turns[clock]
    }

    /// The first point of the turn sequence where `player` has `left` stones to place.
    pub(crate) fn clock_of(&self, player: Player, left: u8) -> Option<usize> {
        let opening = self.rules.q() + 2 * self.rules.p();
        self.turns[..opening].iter().position(|t| t.player == player && t.left == left)
    }
}

/// Black's first `q` stones, then `p` each: long enough for a board set up at any point of a turn.
fn turn_sequence(rules: &Rules) -> Vec<TurnState> {
    let (p, q) = (rules.p(), rules.q());
    (0..=rules.cells() + q + 2 * p)
        .map(|n| {
            let (player, left) = if n < q {
                (Player::Black, q - n)
            } else {
                let player = if (n - q) / p % 2 == 0 { Player::White } else { Player::Black };
                (player, p - (n - q) % p)
            };
            TurnState { player, left: left as u8, key: zobrist::turn(player, left as u8) }
        })
        .collect()
}

/// Doubling: runs of 1, 2, 4, … and a last step that makes up the rest of `k`.
fn run_shifts(k: usize) -> Vec<u8> {
    let mut shifts = Vec::new();
    let mut run = 1;
    while run < k {
        let shift = run.min(k - run);
        shifts.push(shift as u8);
        run += shift;
    }
    shifts
}

fn line_starts(rules: &Rules, direction: Direction) -> Vec<(usize, usize)> {
    let (w, h) = (rules.width(), rules.height());
    match direction {
        Direction::East => (0..h).map(|y| (0, y)).collect(),
        Direction::North => (0..w).map(|x| (x, 0)).collect(),
        Direction::NorthEast => {
            (0..h).rev().map(|y| (0, y)).chain((1..w).map(|x| (x, 0))).collect()
        }
        Direction::SouthEast => (0..h).map(|y| (0, y)).chain((1..w).map(|x| (x, h - 1))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connect6_has_924_windows_and_at_most_24_through_a_cell() {
        // Wu & Huang count 924 windows on 19×19.
        let geometry = Geometry::new(Rules::CONNECT6);
        assert_eq!(geometry.window_count(), 924);
        let most = Rules::CONNECT6.all_cells().map(|c| geometry.windows_through(c).count()).max();
        assert_eq!(most, Some(24));
    }

    #[test]
    fn connect_four_has_69_fours() {
        assert_eq!(Geometry::new(Rules::CONNECT4).window_count(), 69);
    }

    #[test]
    fn windows_through_a_cell_are_the_windows_that_hold_it() {
        for text in ["7x5,k=3", "5x9,k=6,p=2,q=1", "1x8,k=4", "64x64,k=10"] {
            let rules: Rules = text.parse().expect(text);
            let geometry = Geometry::new(rules);
            for cell in rules.all_cells().step_by(7) {
                let listed: Vec<_> = geometry.windows_through(cell).collect();
                let holding: Vec<_> = geometry
                    .windows()
                    .filter(|&w| geometry.window_cells(w).contains(&cell))
                    .collect();
                let mut sorted = listed.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, holding, "{text} {cell:?}");
                for line in geometry.lines_through(cell) {
                    assert_eq!(geometry.line_cells(line.line)[line.index as usize], cell);
                }
            }
        }
    }
}
