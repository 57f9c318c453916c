//! A board as sets of cells in one machine word: bit `row * width + column` is a cell.
//!
//! Everything the search asks about a position is a question about windows, and a window is a word:
//!
//! ```text
//! 3×3      6 7 8     the window a1 b2 c3 = bits 0, 4, 8 = 0x111
//!          3 4 5     it is live for a player while the opponent has none of them,
//!          0 1 2     and lacks the cells of it that he has not taken
//! ```

use collinear_rules::{Geometry, Position, Rules, Symmetry};

use crate::ProveError;

/// The largest board: its cells are the bits of a word.
pub(crate) const MAX_CELLS: usize = 64;

/// Which simplifications the rules permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nature {
    /// Stones fall.
    pub(crate) gravity: bool,
    /// Longer rows do not win, so an own stone can do harm.
    pub(crate) exact: bool,
}

impl Nature {
    /// Whether an extra own stone never harms and any empty cell may be taken: passing then never
    /// helps, and a cell in no live window does not exist.
    pub(crate) const fn free(self) -> bool {
        !self.gravity && !self.exact
    }
}

/// `k` neighbouring cells of a line, and the cells just outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) cells: u64,
    /// With exact rows an own stone here spoils the window; no cells otherwise.
    pub(crate) flanks: u64,
}

/// What does not depend on the stones.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) nature: Nature,
    pub(crate) k: u32,
    pub(crate) p: u8,
    pub(crate) full: u64,
    pub(crate) windows: Vec<Window>,
    /// The columns, each as the set of its cells.
    pub(crate) columns: Vec<u64>,
    width: usize,
    bottom: u64,
    /// Per symmetry except the identity: where the cells of each byte of a set go.
    symmetries: Vec<Vec<[u64; 256]>>,
}

impl Board {
    pub(crate) fn new(rules: &Rules) -> Result<Self, ProveError> {
        let cells = rules.cells();
        if cells > MAX_CELLS {
            return Err(ProveError::BoardTooLarge { cells });
        }
        if rules.is_renju() {
            return Err(ProveError::Renju);
        }
        let geometry = Geometry::new(*rules);
        let nature = Nature { gravity: rules.gravity(), exact: !rules.overlines_win() };
        let mut windows: Vec<Window> = Vec::new();
        for id in geometry.windows() {
            let cells =
                geometry.window_cells(id).iter().fold(0, |set, cell| set | 1 << cell.index());
            let flanks = geometry
                .window_flanks(id)
                .iter()
                .flatten()
                .filter(|_| nature.exact)
                .fold(0, |set: u64, cell| set | 1 << cell.index());
            // With k = 1 the four windows of a cell are one.
            if nature.exact || windows.iter().all(|there| there.cells != cells) {
                windows.push(Window { cells, flanks });
            }
        }
        let full = if cells == 64 { u64::MAX } else { (1 << cells) - 1 };
        let symmetries = Symmetry::of(rules)
            .iter()
            .filter(|&&symmetry| symmetry != Symmetry::IDENTITY)
            .map(|symmetry| byte_images(rules, *symmetry))
            .collect();
        let bottom = if rules.width() == 64 { u64::MAX } else { (1 << rules.width()) - 1 };
        // All cells are the cells of the first column, each times the bottom row.
        let first = full / bottom;
        Ok(Self {
            nature,
            k: rules.k() as u32,
            p: rules.p() as u8,
            full,
            windows,
            width: rules.width(),
            bottom,
            columns: (0..rules.width()).map(|column| first << column).collect(),
            symmetries,
        })
    }

    /// The stones of both colours.
    pub(crate) fn stones(position: &Position) -> [u64; 2] {
        collinear_rules::Player::BOTH
            .map(|player| position.stones(player).fold(0, |set, cell| set | 1 << cell.index()))
    }

    /// Whether these stones of one player complete a row.
    pub(crate) fn has_row(&self, stones: u64) -> bool {
        self.windows.iter().any(|w| w.cells & !stones == 0 && w.flanks & stones == 0)
    }

    /// Where a stone may be placed.
    #[inline]
    pub(crate) fn playable(&self, empty: u64) -> u64 {
        if !self.nature.gravity {
            return empty;
        }
        let stones = self.full & !empty;
        let above = if self.width == 64 { 0 } else { stones << self.width };
        empty & (above | self.bottom)
    }

    /// With gravity: these empty cells and those below them that have to be filled first.
    #[inline]
    pub(crate) fn supported(&self, cells: u64, empty: u64) -> u64 {
        let mut all = cells;
        loop {
            // A board of one row has nothing below; a shift by 64 would not be defined.
            let below = if self.width == 64 { 0 } else { all >> self.width & empty };
            if below & !all == 0 {
                return all;
            }
            all |= below;
        }
    }

    /// The least image of a pair of sets under the board's symmetries: equal for positions that
    /// are the same but for a rotation or reflection.
    #[inline]
    pub(crate) fn canonical(&self, low: u64, high: u64) -> (u64, u64) {
        let mut least = (low, high);
        for table in &self.symmetries {
            let image = (image(table, low), image(table, high));
            least = least.min(image);
        }
        least
    }
}

#[inline]
fn image(table: &[[u64; 256]], set: u64) -> u64 {
    let mut out = 0;
    let mut rest = set;
    for images in table {
        out |= images[(rest & 255) as usize];
        rest >>= 8;
    }
    out
}

fn byte_images(rules: &Rules, symmetry: Symmetry) -> Vec<[u64; 256]> {
    let cells = rules.cells();
    (0..cells.div_ceil(8))
        .map(|byte| {
            std::array::from_fn(|set| {
                (0..8)
                    .filter(|bit| set >> bit & 1 != 0 && byte * 8 + bit < cells)
                    .map(|bit| collinear_rules::Cell::new(byte * 8 + bit))
                    .fold(0, |out, cell| out | 1 << symmetry.apply(rules, cell).index())
            })
        })
        .collect()
}

/// The cells of a set, lowest first.
#[inline]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let lowest = set & set.wrapping_neg();
            set ^= lowest;
            lowest
        })
    })
}
