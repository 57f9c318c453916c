//! The board the pruned search plays on: for every four how many discs of each player it holds,
//! and the sum of their worths.
//!
//! A disc changes only the fours through its cell (three in a corner, thirteen in the middle), and
//! the change of each is one look into a table of gains. So the worth of a move is known without
//! making it, and nothing is ever summed over all 69 fours again.
//!
//! ```text
//! a four's discs in one byte    0 0 t t t l l l     l: discs of the player who moves last
//!                                                   t: discs of the other
//! ```

use collinear_rules::{Cell, Geometry, Player, Position, Rules};

use super::evaluation::Evaluation;

/// The two players by the part they have in a search: sums are seen by the one whose disc is the
/// last of the plies looked ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Moves at the last ply: evaluations are this one's.
    Last,
    /// The opponent.
    Other,
}

impl Side {
    pub(crate) const fn opponent(self) -> Self {
        match self {
            Self::Last => Self::Other,
            Self::Other => Self::Last,
        }
    }

    /// What one disc adds to a four's byte.
    const fn disc(self) -> u8 {
        match self {
            Self::Last => 1,
            Self::Other => 8,
        }
    }
}

/// A gain that no sum of ordinary gains comes near: the disc completes a four.
const COMPLETES: i32 = 1 << 24;

/// What a disc adds to the sum, or that it wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gain {
    /// The sum changes by this.
    Sum(i32),
    /// The disc completes a four.
    Win,
}

/// Discs by four, heights by column.
pub(crate) struct Board {
    width: usize,
    height: usize,
    /// Per cell, where its fours begin in `fours`; one more entry closes the last.
    starts: Vec<u16>,
    fours: Vec<u16>,
    discs: Vec<u8>,
    heights: Vec<u8>,
    empty: usize,
    sum: i32,
    /// What a disc of each side adds to the sum, by the byte of a four.
    gains: [[i32; 64]; 2],
    evaluation: Evaluation,
}

impl Board {
    /// The longest side of a board.
    pub(crate) const MAX_SIDE: usize = 16;

    /// An empty board, to be [set](Self::set) before use.
    pub(crate) fn new(rules: Rules, evaluation: Evaluation) -> Self {
        let geometry = Geometry::new(rules);
        let mut starts = vec![0];
        let mut fours = Vec::new();
        for cell in rules.all_cells() {
            fours.extend(geometry.windows_through(cell).map(|four| four.index() as u16));
            starts.push(fours.len() as u16);
        }
        Self {
            width: rules.width(),
            height: rules.height(),
            starts,
            fours,
            discs: vec![0; geometry.window_count()],
            heights: vec![0; rules.width()],
            empty: rules.cells(),
            sum: 0,
            gains: [gains(&evaluation, Side::Last), gains(&evaluation, Side::Other)],
            evaluation,
        }
    }

    /// Number of fours.
    pub(crate) fn four_count(&self) -> usize {
        self.discs.len()
    }

    /// Takes over a position; `last` is the player who moves at the last ply.
    pub(crate) fn set(&mut self, position: &Position, last: Player) {
        self.discs.fill(0);
        self.heights.fill(0);
        self.empty = position.empty_count();
        for (player, side) in [(last, Side::Last), (last.opponent(), Side::Other)] {
            for cell in position.stones(player) {
                self.heights[cell.index() % self.width] += 1;
                let fours = usize::from(self.starts[cell.index()])
                    ..usize::from(self.starts[cell.index() + 1]);
                for &four in &self.fours[fours] {
                    self.discs[usize::from(four)] += side.disc();
                }
            }
        }
        let worth = |&discs: &u8| self.evaluation.four(u32::from(discs & 7), u32::from(discs >> 3));
        self.sum = self.discs.iter().map(worth).sum();
    }

    /// Columns of the board, full ones too, the middle first.
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> + use<> {
        let (middle, width) = (self.width / 2, self.width);
        // 3 2 4 1 5 0 6 of seven; 2 1 3 0 of four.
        (0..width).map(move |n| if n % 2 == 1 { middle - n.div_ceil(2) } else { middle + n / 2 })
    }

    /// Whether no disc fits any more.
    pub(crate) const fn is_full(&self) -> bool {
        self.empty == 0
    }

    /// The sum over all fours, seen by the side that moves last.
    pub(crate) const fn sum(&self) -> i32 {
        self.sum
    }

    /// The cell where a disc in this column would land.
    pub(crate) fn landing(&self, column: usize) -> Option<Cell> {
        let row = usize::from(self.heights[column]);
        (row < self.height).then(|| Cell::new(row * self.width + column))
    }

    /// What a disc of `side` on this empty cell would add to the sum.
    #[inline]
    pub(crate) fn gain(&self, cell: Cell, side: Side) -> Gain {
        let gains = &self.gains[side as usize];
        let fours = self.fours_of(cell).iter();
        let sum: i32 = fours.map(|&four| gains[usize::from(self.discs[four as usize] & 63)]).sum();
        if sum >= COMPLETES / 2 { Gain::Win } else { Gain::Sum(sum) }
    }

    /// Drops a disc that does not win; `gain` is what [`gain`](Self::gain) said of it.
    #[inline]
    pub(crate) fn drop(&mut self, cell: Cell, side: Side, gain: i32) {
        self.change(cell, |discs| discs + side.disc());
        self.heights[cell.index() % self.width] += 1;
        self.empty -= 1;
        self.sum += gain;
    }

    /// Takes a disc back.
    #[inline]
    pub(crate) fn lift(&mut self, cell: Cell, side: Side, gain: i32) {
        self.change(cell, |discs| discs - side.disc());
        self.heights[cell.index() % self.width] -= 1;
        self.empty += 1;
        self.sum -= gain;
    }

    #[inline]
    fn fours_of(&self, cell: Cell) -> &[u16] {
        &self.fours
            [usize::from(self.starts[cell.index()])..usize::from(self.starts[cell.index() + 1])]
    }

    #[inline]
    fn change(&mut self, cell: Cell, to: impl Fn(u8) -> u8) {
        let fours =
            usize::from(self.starts[cell.index()])..usize::from(self.starts[cell.index() + 1]);
        for &four in &self.fours[fours] {
            let discs = &mut self.discs[usize::from(four)];
            *discs = to(*discs);
        }
    }
}

/// For every byte of a four, what one more disc of `side` adds to the sum.
fn gains(evaluation: &Evaluation, side: Side) -> [i32; 64] {
    let worth = |discs: u8| evaluation.four(u32::from(discs & 7), u32::from(discs >> 3));
    std::array::from_fn(|discs| {
        let before = discs as u8;
        let after = before + side.disc();
        if before & 7 > 3 || before >> 3 > 3 {
            0
        } else if after == 4 * side.disc() {
            COMPLETES
        } else {
            worth(after) - worth(before)
        }
    })
}
