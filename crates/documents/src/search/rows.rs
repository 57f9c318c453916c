//! Rows anywhere on the board: every line of both players at once.
//!
//! The board is a word per row of cells and player. A run of stones is found by folding the words
//! over themselves, all columns of a row in one step:
//!
//! ```text
//! →  w[y] & w[y] >> 1          the run goes on to the right
//! ↑  w[y] & w[y+1]             … upwards
//! ↗  w[y] & w[y+1] >> 1
//! ↖  w[y] & w[y+1] << 1
//! ```
//!
//! On 19×19 that costs as much as a few stones placed with a look at the lines through them, so
//! whoever only wants to know how a game ended plays many stones before looking.

use collinear_rules::{Cell, Geometry, Player, Rules};

/// The stones of one row of cells: a bit per column, a word per player.
pub(super) type RowWords = [u64; 2];

/// At least `k` stones in a row: where they begin, and which way they go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) player: Player,
    column: usize,
    row: usize,
    step: (isize, usize),
}

impl Run {
    /// Its first `k` cells.
    pub(super) fn cells(self, rules: &Rules) -> impl Iterator<Item = Cell> + use<> {
        let rules = *rules;
        (0..rules.k()).filter_map(move |n| {
            let column = self.column.checked_add_signed(self.step.0 * n as isize)?;
            rules.cell(column, self.row + self.step.1 * n)
        })
    }
}

/// Finds rows of `k` or more stones. Keeps its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct RunFinder {
    folded: Vec<RowWords>,
    next: Vec<RowWords>,
    found: Vec<Run>,
}

impl RunFinder {
    /// All rows on this board, given row by row of cells.
    pub(super) fn find(&mut self, geometry: &Geometry, board: &[RowWords]) -> &[Run] {
        self.found.clear();
        let shifts = geometry.run_shifts();
        self.fold(shifts, board, (1, 0), |word, shift| word >> shift);
        self.fold(shifts, board, (0, 1), |word, _| word);
        self.fold(shifts, board, (1, 1), |word, shift| word >> shift);
        self.fold(shifts, board, (-1, 1), |word, shift| word << shift);
        &self.found
    }

    /// Leaves the bits where runs begin, and notes them.
    #[inline]
    fn fold(
        &mut self,
        shifts: &[u8],
        board: &[RowWords],
        step: (isize, usize),
        aside: impl Fn(u64, u8) -> u64,
    ) {
        let Self { folded, next, .. } = self;
        folded.clear();
        folded.extend_from_slice(board);
        for &shift in shifts {
            let up = usize::from(shift) * step.1;
            // Too low a board for a run that goes up.
            let Some(above) = folded.get(up..) else { return };
            next.clear();
            next.extend(folded.iter().zip(above).map(|(here, other)| {
                [here[0] & aside(other[0], shift), here[1] & aside(other[1], shift)]
            }));
            std::mem::swap(folded, next);
        }
        if self.folded.iter().fold(0, |any, words| any | words[0] | words[1]) != 0 {
            self.note(step);
        }
    }

    #[cold]
    fn note(&mut self, step: (isize, usize)) {
        for (row, words) in self.folded.iter().enumerate() {
            for player in Player::BOTH {
                let mut word = words[player.index()];
                while word != 0 {
                    let column = word.trailing_zeros() as usize;
                    word &= word - 1;
                    self.found.push(Run { player, column, row, step });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The plain twin: every window of the board, cell by cell.
    fn full_windows(geometry: &Geometry, stones: &[(Cell, Player)]) -> Vec<(Player, Vec<Cell>)> {
        let mut full = Vec::new();
        for window in geometry.windows() {
            let mut cells = geometry.window_cells(window).to_vec();
            cells.sort();
            for player in Player::BOTH {
                if cells.iter().all(|&cell| stones.contains(&(cell, player))) {
                    full.push((player, cells.clone()));
                }
            }
        }
        full.sort();
        full
    }

    #[test]
    fn runs_are_the_windows_full_of_one_player() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut finder = RunFinder::default();
        let mut some = 0;
        for text in [
            "connect6",
            "connect4",
            "tictactoe",
            "7x3,k=5,p=2,q=1",
            "3x9,k=4,p=1,q=1",
            "64x4,k=4,p=1,q=1",
            "5x64,k=5,p=1,q=1",
            "64x1,k=64,p=64,q=64",
        ] {
            let rules: Rules = text.parse().expect(text);
            let geometry = Geometry::new(rules);
            for _ in 0..200 {
                // Any stones at all, rows and all.
                let share = random.random_range(0.5..1.0);
                let stones: Vec<(Cell, Player)> = rules
                    .all_cells()
                    .filter_map(|cell| {
                        let stone = random.random_bool(share);
                        let player = Player::BOTH[usize::from(random.random_bool(1.0 - share))];
                        stone.then_some((cell, player))
                    })
                    .collect();
                let mut board = vec![[0; 2]; rules.height()];
                for &(cell, player) in &stones {
                    board[rules.row(cell)][player.index()] |= 1 << rules.column(cell);
                }
                let mut found: Vec<_> = finder
                    .find(&geometry, &board)
                    .iter()
                    .map(|run| {
                        let mut cells: Vec<_> = run.cells(&rules).collect();
                        cells.sort();
                        (run.player, cells)
                    })
                    .collect();
                found.sort();
                some += found.len();
                assert_eq!(found, full_windows(&geometry, &stones), "{text}");
            }
        }
        assert!(some > 1000, "{some}");
    }
}
