//! The board that a zone is worked out on: stones of any number, in any order, on a board of any size,
//! with how many stones of each colour every window holds.

use collinear_rules::{Cell, Geometry, Overline, Player, Position, Rules};

/// A set of cells of a board of any size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CellSet(Vec<u64>);

impl CellSet {
    /// Adds a cell.
    pub fn insert(&mut self, cell: Cell) {
        let word = cell.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (cell.index() % 64);
    }

    fn remove(&mut self, cell: Cell) {
        if let Some(word) = self.0.get_mut(cell.index() / 64) {
            *word &= !(1 << (cell.index() % 64));
        }
    }

    /// Whether it holds a cell.
    pub fn contains(&self, cell: Cell) -> bool {
        self.0.get(cell.index() / 64).is_some_and(|word| word >> (cell.index() % 64) & 1 != 0)
    }

    /// Adds all cells of another set.
    pub fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The cells, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.0.len() * 64).map(Cell::new).filter(|&cell| self.contains(cell))
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether it holds no cell.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// Stones on a board.
#[derive(Clone, Debug)]
pub struct Ground {
    rules: Rules,
    windows: Vec<Vec<Cell>>,
    /// With exact rows an own stone here spoils the window.
    flanks: Vec<Vec<Cell>>,
    /// By cell: the windows through it.
    through: Vec<Vec<usize>>,
    /// By window: the stones of each player.
    counts: Vec<[usize; 2]>,
    stones: [CellSet; 2],
}

impl Ground {
    pub(super) fn of(position: &Position) -> Self {
        let (rules, geometry) = (*position.rules(), Geometry::new(*position.rules()));
        let windows: Vec<Vec<Cell>> =
            geometry.windows().map(|id| geometry.window_cells(id).to_vec()).collect();
        let exact = rules.overline(Player::Black) == Overline::Ignored;
        let flanks = geometry
            .windows()
            .map(|id| geometry.window_flanks(id).into_iter().flatten().filter(|_| exact).collect());
        let mut through = vec![Vec::new(); rules.cells()];
        for (window, cells) in windows.iter().enumerate() {
            for cell in cells {
                through[cell.index()].push(window);
            }
        }
        let mut ground = Self {
            rules,
            flanks: flanks.collect(),
            counts: vec![[0; 2]; windows.len()],
            windows,
            through,
            // As long from the beginning as they become, so that equal sets are equal words.
            stones: [(); 2].map(|()| CellSet(vec![0; rules.cells().div_ceil(64)])),
        };
        for player in Player::BOTH {
            position.stones(player).for_each(|cell| ground.place(cell, player));
        }
        ground
    }

    /// The game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The stones of a player.
    pub fn stones(&self, player: Player) -> &CellSet {
        &self.stones[player.index()]
    }

    /// Whether a cell of the board is empty.
    pub fn is_empty(&self, cell: Cell) -> bool {
        cell.index() < self.rules.cells() && !self.stones.iter().any(|stones| stones.contains(cell))
    }

    pub(super) fn place(&mut self, cell: Cell, player: Player) {
        self.stones[player.index()].insert(cell);
        for &window in &self.through[cell.index()] {
            self.counts[window][player.index()] += 1;
        }
    }

    pub(super) fn remove(&mut self, cell: Cell, player: Player) {
        self.stones[player.index()].remove(cell);
        for &window in &self.through[cell.index()] {
            self.counts[window][player.index()] -= 1;
        }
    }

    /// The windows that a player can complete with at most this many stones.
    pub(super) fn near(&self, player: Player, stones: usize) -> impl Iterator<Item = usize> + '_ {
        let (own, other) = (player.index(), (!player).index());
        (0..self.windows.len()).filter(move |&window| {
            let counts = self.counts[window];
            counts[other] == 0
                && counts[own] + stones >= self.rules.k()
                && !self.flanks[window].iter().any(|&cell| self.stones[own].contains(cell))
        })
    }

    /// The empty cells of a window.
    pub(super) fn lacks(&self, window: usize) -> Vec<Cell> {
        self.windows[window].iter().copied().filter(|&cell| self.is_empty(cell)).collect()
    }

    /// How much a stone on a cell changes: every live window through it counts, four times as much for each
    /// stone in it.
    pub(super) fn weight(&self, cell: Cell) -> u64 {
        let windows = self.through[cell.index()].iter().map(|&window| self.counts[window]);
        let live = windows.filter(|counts| counts.contains(&0));
        live.map(|[black, white]| 1 << (2 * (black + white)).min(40)).sum()
    }
}
