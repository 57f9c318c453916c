//! The patterns of a line: a cell and the [`REACH`] cells to each side of it, where the board goes on.
//!
//! ```text
//!   cells of the window, as seen from one player:   . X O . [X] . . O |     | edge of the board
//!   digits 0 empty, 1 own, 2 other's:               0 1 2 0  1  0 0 2
//! ```
//! A pattern's number is the start of its class (how many cells are missing on the left and on the right) plus
//! its digits as a number to base three, the leftmost cell lowest. A stone that comes or goes changes the number by its
//! digit times a power of three that depends on the cell alone. A pattern and its mirror image share a row of
//! weights.

/// Cells to each side.
pub(crate) const REACH: usize = 4;
/// Cells of a whole window.
pub(crate) const WINDOW: usize = 2 * REACH + 1;
/// Cells that can be missing on a side: none to all.
const SIDES: usize = REACH + 1;

/// All patterns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Patterns {
    /// Where the class of patterns begins, by the cells missing on the left and on the right.
    starts: [[usize; SIDES]; SIDES],
    /// The row of each pattern.
    rows: Vec<u16>,
    /// One pattern of each row: the one with the lowest number.
    firsts: Vec<u16>,
}

impl Patterns {
    /// Lists them.
    pub(crate) fn new() -> Self {
        let mut starts = [[0; SIDES]; SIDES];
        let mut count = 0;
        for (left, starts) in starts.iter_mut().enumerate() {
            for (right, start) in starts.iter_mut().enumerate() {
                *start = count;
                count += 3_usize.pow((WINDOW - left - right) as u32);
            }
        }
        let mut patterns = Self { starts, rows: Vec::with_capacity(count), firsts: Vec::new() };
        for number in 0..count {
            let mirrored = patterns.mirrored(number);
            let row = if mirrored < number {
                patterns.rows[mirrored]
            } else {
                patterns.firsts.push(number as u16);
                (patterns.firsts.len() - 1) as u16
            };
            patterns.rows.push(row);
        }
        patterns
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// How many rows they share.
    pub(crate) fn row_count(&self) -> usize {
        self.firsts.len()
    }

    /// The row of a pattern's number.
    pub(crate) fn row(&self, number: usize) -> usize {
        usize::from(self.rows[number])
    }

    /// The cells of a row's first pattern.
    pub(crate) fn cells_of_row(&self, row: usize) -> [Seen; WINDOW] {
        self.cells(usize::from(self.firsts[row]))
    }

    /// The row of a pattern.
    pub(crate) fn row_of(&self, cells: &[Seen; WINDOW]) -> usize {
        self.row(self.number(cells))
    }

    /// The number of the pattern without stones around cell `index` of a line.
    pub(crate) fn empty(&self, index: usize, length: usize) -> usize {
        let (left, right) = missing(index, length);
        self.starts[left][right]
    }

    /// The cells of a pattern.
    fn cells(&self, number: usize) -> [Seen; WINDOW] {
        let classes = (0..SIDES).flat_map(|left| (0..SIDES).map(move |right| (left, right)));
        let (left, right) = classes
            .filter(|&(left, right)| self.starts[left][right] <= number)
            .max_by_key(|&(left, right)| self.starts[left][right])
            .unwrap_or_default();
        let mut digits = number - self.starts[left][right];
        let mut cells = [Seen::Edge; WINDOW];
        for cell in &mut cells[left..WINDOW - right] {
            *cell = [Seen::Empty, Seen::Own, Seen::Other][digits % 3];
            digits /= 3;
        }
        cells
    }

    fn number(&self, cells: &[Seen; WINDOW]) -> usize {
        let is_edge = |cell: &&Seen| **cell == Seen::Edge;
        let left = cells.iter().take_while(is_edge).count();
        let right = cells.iter().rev().take_while(is_edge).count();
        let inner = &cells[left..WINDOW - right];
        self.starts[left][right] + inner.iter().rev().fold(0, |sum, &cell| 3 * sum + cell as usize)
    }

    fn mirrored(&self, number: usize) -> usize {
        let mut cells = self.cells(number);
        cells.reverse();
        self.number(&cells)
    }
}

/// What a player sees on a cell of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Empty,
    Own,
    Other,
    /// Not on the board.
    Edge,
}

impl Seen {
    /// Whether a stone is there.
    pub(crate) const fn is_stone(self) -> bool {
        matches!(self, Self::Own | Self::Other)
    }
}

/// Cells missing to the left and to the right of cell `index` of a line.
fn missing(index: usize, length: usize) -> (usize, usize) {
    (REACH.saturating_sub(index), REACH.saturating_sub(length - 1 - index))
}

/// What a stone on cell `stone` of a line adds to the number of the pattern around cell `index`, if it is own; twice
/// as much if it is the other's. Both are on the line and no more than [`REACH`] apart.
pub(crate) fn power(index: usize, stone: usize) -> usize {
    let first = index.saturating_sub(REACH);
    3_usize.pow((stone - first) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_has_a_number_and_shares_its_row_with_its_mirror_image() {
        let patterns = Patterns::new();
        // 3⁹ of whole windows, and fewer where cells are missing.
        let expected: usize =
            (0..5).flat_map(|l| (0..5).map(move |r| 3_usize.pow(9 - l - r))).sum();
        assert_eq!(patterns.count(), expected);
        assert!(u16::try_from(patterns.count()).is_ok());
        for number in 0..patterns.count() {
            let cells = patterns.cells(number);
            assert_eq!(patterns.number(&cells), number);
            let mirrored = patterns.mirrored(number);
            assert_eq!(patterns.mirrored(mirrored), number);
            assert_eq!(patterns.row(number), patterns.row(mirrored));
            let first = usize::from(patterns.firsts[patterns.row(number)]);
            assert!(first == number || first == mirrored);
        }
    }

    #[test]
    fn stones_add_powers_of_three() {
        let patterns = Patterns::new();
        // . X . O | around the second cell of a line of four.
        let number = patterns.empty(1, 4) + power(1, 1) + 2 * power(1, 3);
        let mut expected = [Seen::Edge; WINDOW];
        expected[3..7].copy_from_slice(&[Seen::Empty, Seen::Own, Seen::Empty, Seen::Other]);
        assert_eq!(patterns.cells(number), expected);
    }
}
