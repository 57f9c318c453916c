//! A position as a value: stones on lines, whose turn it is, and the way back.
//!
//! Every line is two machine words, one per colour, so a stone is four bits set and a row is found
//! with a few shifts. The side to move is not stored: it follows from a clock that counts stones.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{Cell, Foul, Fouls, Geometry, LineId, Overline, Player, Rules, Symmetry, notation};

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Somebody is to move.
    Ongoing,
    /// The last stone made a row, and [`Position::winning_cells`] tells which; or, in Renju, Black
    /// placed a forbidden stone or has only forbidden cells left.
    Won(Player),
    /// The board is full.
    Drawn,
}

/// Why a stone cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The cell does not exist.
    #[error("the cell is outside the board")]
    Outside,
    /// A stone is there already.
    #[error("the cell is occupied")]
    Occupied,
    /// The stone would hang in the air.
    #[error(
        "the stone would not rest on another one: with gravity only the lowest empty cell of a column is legal"
    )]
    Floating,
    /// Renju forbids the stone to Black.
    #[error("the stone is forbidden to Black: {0}")]
    Forbidden(Foul),
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

/// A position given by its stones instead of by moves (puzzles, protocols).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Black's stones.
    pub black: Vec<Cell>,
    /// White's stones.
    pub white: Vec<Cell>,
    /// Who is to move and with how many stones left of the turn.
    pub to_move: Option<(Player, usize)>,
}

/// Why stones do not make a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidSetup {
    /// A cell does not exist.
    #[error("a stone is outside the board")]
    Outside,
    /// A cell is named twice.
    #[error("{0} is occupied twice")]
    Occupied(String),
    /// A stone hangs in the air.
    #[error("{0} does not rest on another stone")]
    Floating(String),
    /// There is a row already.
    #[error("{0} has already won")]
    AlreadyWon(Player),
    /// No turn has that many stones left.
    #[error("{player} cannot have {left} stones left in a turn of these rules")]
    StonesLeft {
        /// Whose turn.
        player: Player,
        /// The number asked for.
        left: usize,
    },
}

/// A position: stones, turn and history.
///
/// [`play`](Self::play) checks, [`play_unchecked`](Self::play_unchecked) trusts,
/// [`undo`](Self::undo) takes one stone back and restores every field.
#[derive(Clone)]
pub struct Position {
    geometry: Arc<Geometry>,
    /// Per line the stones of Black and of White.
    lines: Vec<[u64; 2]>,
    /// Stones placed by [`play`](Self::play), in order; set-up stones are not among them.
    history: Vec<Cell>,
    /// Cells without a stone.
    empty: usize,
    /// Where we are in the sequence of turns.
    clock: usize,
    /// Key of the stones alone.
    stones_key: u64,
    won: Option<Player>,
}

impl Position {
    /// The empty board.
    pub fn new(rules: Rules) -> Self {
        Self::with_geometry(Arc::new(Geometry::new(rules)))
    }

    /// The empty board, sharing a geometry that exists already.
    pub fn with_geometry(geometry: Arc<Geometry>) -> Self {
        Self {
            lines: vec![[0; 2]; geometry.line_count()],
            history: Vec::with_capacity(geometry.rules().cells()),
            empty: geometry.rules().cells(),
            clock: 0,
            stones_key: 0,
            won: None,
            geometry,
        }
    }

    /// The position after these moves.
    pub fn from_moves(rules: Rules, moves: &[Cell]) -> Result<Self, (usize, IllegalMove)> {
        let mut position = Self::new(rules);
        for (number, &cell) in moves.iter().enumerate() {
            position.play(cell).map_err(|reason| (number, reason))?;
        }
        Ok(position)
    }

    /// A position from stones of both colours. Without `to_move` the number of stones decides.
    pub fn from_setup(rules: Rules, setup: &Setup) -> Result<Self, InvalidSetup> {
        let mut position = Self::new(rules);
        for player in Player::BOTH {
            let stones = if player == Player::Black { &setup.black } else { &setup.white };
            for &cell in stones {
                if cell.index() >= rules.cells() {
                    return Err(InvalidSetup::Outside);
                }
                if position.at(cell).is_some() {
                    return Err(InvalidSetup::Occupied(notation::name(&rules, cell)));
                }
                position.put(cell, player);
            }
        }
        for column in 0..rules.width() {
            let stones = position.column_stones(column);
            let resting = stones.trailing_ones();
            if rules.gravity() && resting < 64 && stones >> resting != 0 {
                let row = (resting + (stones >> resting).trailing_zeros()) as usize;
                let cell = rules.cell(column, row).ok_or(InvalidSetup::Outside)?;
                return Err(InvalidSetup::Floating(notation::name(&rules, cell)));
            }
        }
        for line in position.geometry.lines() {
            for player in Player::BOTH {
                if position.geometry.winning_starts(position.line(line)[player.index()], player)
                    != 0
                {
                    return Err(InvalidSetup::AlreadyWon(player));
                }
            }
        }
        position.clock = match setup.to_move {
            None => setup.black.len() + setup.white.len(),
            Some((player, left)) => u8::try_from(left)
                .ok()
                .and_then(|left| position.geometry.clock_of(player, left))
                .ok_or(InvalidSetup::StonesLeft { player, left })?,
        };
        if position.leaves_only_fouls() {
            return Err(InvalidSetup::AlreadyWon(Player::White));
        }
        Ok(position)
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.geometry.rules()
    }

    /// The lines and windows of the board.
    pub const fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// Whose turn it is. After a win: who would have been next.
    #[inline]
    pub fn to_move(&self) -> Player {
        self.geometry.turn(self.clock).player
    }

    /// Stones the player to move still places in this turn: at most as many as cells are empty.
    #[inline]
    pub fn stones_left(&self) -> usize {
        usize::from(self.geometry.turn(self.clock).left).min(self.empty)
    }

    /// The stone on a cell.
    #[inline]
    pub fn at(&self, cell: Cell) -> Option<Player> {
        let row = self.geometry.lines_through(cell)[0];
        let [black, white] = self.lines[row.line.index()];
        if black >> row.index & 1 != 0 {
            Some(Player::Black)
        } else if white >> row.index & 1 != 0 {
            Some(Player::White)
        } else {
            None
        }
    }

    /// Whether a cell has no stone.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        let row = self.geometry.lines_through(cell)[0];
        let [black, white] = self.lines[row.line.index()];
        (black | white) >> row.index & 1 == 0
    }

    /// The stones of a line, Black's word and White's: bit `i` is the line's cell `i`.
    #[inline]
    pub fn line(&self, line: LineId) -> [u64; 2] {
        self.lines[line.index()]
    }

    /// Cells without a stone.
    pub const fn empty_count(&self) -> usize {
        self.empty
    }

    /// Stones on the board.
    pub fn stone_count(&self) -> usize {
        self.rules().cells() - self.empty
    }

    /// The stones in the order they were played, set-up stones excluded.
    pub fn history(&self) -> &[Cell] {
        &self.history
    }

    /// The stones of a colour, row by row.
    pub fn stones(&self, player: Player) -> impl Iterator<Item = Cell> + '_ {
        self.row_cells(move |[black, white]| if player == Player::Black { black } else { white })
    }

    /// The cells without a stone, row by row.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let width = self.rules().width();
        let all = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        self.row_cells(move |[black, white]| !(black | white) & all)
    }

    fn row_cells(&self, pick: impl Fn([u64; 2]) -> u64) -> impl Iterator<Item = Cell> {
        let width = self.rules().width();
        self.lines[..self.rules().height()].iter().enumerate().flat_map(move |(row, &words)| {
            let mut bits = pick(words);
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let column = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    Cell::new(row * width + column)
                })
            })
        })
    }

    /// Where a stone may go now: every empty cell, or with gravity one per column; in Renju none
    /// that is forbidden to Black, even where the stone would be taken and lose; none when the game
    /// is over.
    pub fn legal_cells(&self) -> Vec<Cell> {
        if self.is_over() {
            Vec::new()
        } else if self.watches_fouls() {
            self.empty_cells().filter(|&cell| !self.is_forbidden(cell)).collect()
        } else if self.rules().gravity() {
            (0..self.rules().width()).filter_map(|column| self.drop_cell(column)).collect()
        } else {
            self.empty_cells().collect()
        }
    }

    /// How many cells [`legal_cells`](Self::legal_cells) has.
    pub fn legal_count(&self) -> usize {
        if self.is_over() {
            0
        } else if self.watches_fouls() {
            self.empty_cells().filter(|&cell| !self.is_forbidden(cell)).count()
        } else if self.rules().gravity() {
            (0..self.rules().width()).filter(|&column| self.has_room(column)).count()
        } else {
            self.empty
        }
    }

    /// The cell of that index in [`legal_cells`](Self::legal_cells), without listing them all.
    pub fn nth_legal(&self, index: usize) -> Option<Cell> {
        let rules = self.rules();
        if self.is_over() {
            return None;
        }
        if self.watches_fouls() {
            return self.empty_cells().filter(|&cell| !self.is_forbidden(cell)).nth(index);
        }
        if rules.gravity() {
            let column = (0..rules.width()).filter(|&column| self.has_room(column)).nth(index)?;
            return self.drop_cell(column);
        }
        let mut before = index;
        for (row, [black, white]) in self.lines[..rules.height()].iter().enumerate() {
            let stones = black | white;
            let empty = rules.width() - stones.count_ones() as usize;
            if before < empty {
                let mut bits = !stones;
                for _ in 0..before {
                    bits &= bits - 1;
                }
                return rules.cell(bits.trailing_zeros() as usize, row);
            }
            before -= empty;
        }
        None
    }

    fn has_room(&self, column: usize) -> bool {
        (self.column_stones(column).trailing_ones() as usize) < self.rules().height()
    }

    /// The lowest empty cell of a column, if the column exists and has room.
    pub fn drop_cell(&self, column: usize) -> Option<Cell> {
        if column >= self.rules().width() {
            return None;
        }
        self.rules().cell(column, self.column_stones(column).trailing_ones() as usize)
    }

    /// The column lines come right after the row lines.
    fn column_stones(&self, column: usize) -> u64 {
        let [black, white] = self.lines[self.rules().height() + column];
        black | white
    }

    /// Whether [`play`](Self::play) would accept the cell, and why not.
    pub fn check(&self, cell: Cell) -> Result<(), IllegalMove> {
        if self.is_over() {
            Err(IllegalMove::GameOver)
        } else if cell.index() >= self.rules().cells() {
            Err(IllegalMove::Outside)
        } else if !self.is_empty(cell) {
            Err(IllegalMove::Occupied)
        } else if self.rules().gravity() && self.drop_cell(self.rules().column(cell)) != Some(cell)
        {
            Err(IllegalMove::Floating)
        } else if self.rules().fouls() == Fouls::Refused && self.to_move() == Player::Black {
            self.foul_at(cell).map_or(Ok(()), |foul| Err(IllegalMove::Forbidden(foul)))
        } else {
            Ok(())
        }
    }

    /// Places a stone of the player to move.
    pub fn play(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        self.check(cell)?;
        self.play_unchecked(cell);
        Ok(())
    }

    /// Places a stone that is known to be legal.
    #[inline]
    pub fn play_unchecked(&mut self, cell: Cell) {
        debug_assert_eq!(self.check(cell), Ok(()));
        let player = self.to_move();
        let fouls = self.rules().fouls();
        let lost = fouls == Fouls::Lose && player == Player::Black && self.foul_at(cell).is_some();
        if self.put(cell, player) {
            self.won = Some(player);
        }
        self.history.push(cell);
        self.clock += 1;
        if lost || fouls != Fouls::None && self.leaves_only_fouls() {
            self.won = Some(Player::White);
        }
    }

    /// Takes the last stone back and says which it was; set-up stones stay.
    #[inline]
    pub fn undo(&mut self) -> Option<Cell> {
        let cell = self.history.pop()?;
        self.clock -= 1;
        let player = self.to_move();
        let geometry = &*self.geometry;
        for at in geometry.lines_through(cell) {
            self.lines[at.line.index()][player.index()] ^= 1 << at.index;
        }
        self.stones_key ^= geometry.stone_key(cell, player);
        self.empty += 1;
        self.won = None;
        Some(cell)
    }

    /// Puts a stone on its four lines; true when it makes a row.
    #[inline]
    fn put(&mut self, cell: Cell, player: Player) -> bool {
        let geometry = &*self.geometry;
        let mut fours = 0;
        for at in geometry.lines_through(cell) {
            let word = &mut self.lines[at.line.index()][player.index()];
            *word |= 1 << at.index;
            let twos = *word & *word >> 1;
            fours |= twos & twos >> 2;
        }
        self.stones_key ^= geometry.stone_key(cell, player);
        self.empty -= 1;
        // Hardly any stone makes even a four: one test spares most of them the look for a row.
        (fours != 0 || geometry.rules().k() < 4) && self.makes_row(cell, player)
    }

    #[cold]
    fn makes_row(&self, cell: Cell, player: Player) -> bool {
        let words = self.geometry.lines_through(cell).map(|at| self.line(at.line)[player.index()]);
        words.into_iter().any(|word| self.geometry.winning_starts(word, player) != 0)
    }

    /// How the game stands.
    #[inline]
    pub fn outcome(&self) -> Outcome {
        match self.won {
            Some(player) => Outcome::Won(player),
            None if self.empty == 0 => Outcome::Drawn,
            None => Outcome::Ongoing,
        }
    }

    /// Whether nobody is to move any more.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.won.is_some() || self.empty == 0
    }

    /// The cells of every winning row, each row in the order of its line; several rows may be made
    /// by one stone.
    pub fn winning_rows(&self) -> Vec<Vec<Cell>> {
        let (Some(player), Some(&last)) = (self.won, self.history.last()) else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        for at in self.geometry.lines_through(last) {
            let word = self.line(at.line)[player.index()];
            if self.geometry.winning_starts(word, player) == 0 {
                continue;
            }
            // The run of own stones through the last one.
            let before =
                (!word & ((1 << at.index) - 1)).checked_ilog2().map_or(0, |gap| gap as usize + 1);
            let after = at.index as usize + (word >> at.index).trailing_ones() as usize;
            rows.push(self.geometry.line_cells(at.line)[before..after].to_vec());
        }
        rows
    }

    /// All cells that belong to a winning row, sorted, none twice.
    pub fn winning_cells(&self) -> Vec<Cell> {
        let mut cells = self.winning_rows().concat();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Whether neither colour has a window left that it could still fill: the game will be drawn
    /// whatever is played. In Renju Black's longer rows count as windows, too: where one is
    /// possible, Black may still run out of cells that are not forbidden.
    pub fn is_dead_draw(&self) -> bool {
        self.won.is_none()
            && self.geometry.windows().all(|window| {
                let line = self.line(self.geometry.window_line(window));
                let offset = self.geometry.window_offset(window);
                let k = self.rules().k();
                let cells = (if k == 64 { u64::MAX } else { (1 << k) - 1 }) << offset;
                let beyond = match self.rules().overline(Player::White) {
                    Overline::Wins => 0,
                    Overline::Ignored => {
                        let after = if offset + k < 64 { 1 << (offset + k) } else { 0 };
                        (cells & cells.wrapping_neg()) >> 1 | after
                    }
                };
                let open = |own: u64, other: u64| other & cells == 0 && own & beyond == 0;
                !open(line[0], line[1]) && !open(line[1], line[0])
            })
    }

    /// The key of the stones, the side to move and its stones left, kept incrementally.
    #[inline]
    pub fn key(&self) -> u64 {
        self.stones_key ^ self.geometry.turn(self.clock).key
    }

    /// The same key for all positions that are symmetric images of each other.
    pub fn canonical_key(&self) -> u64 {
        let rules = self.rules();
        let turn = self.geometry.turn(self.clock).key;
        let image = |symmetry: &Symmetry| {
            Player::BOTH
                .into_iter()
                .flat_map(|player| self.stones(player).map(move |cell| (cell, player)))
                .fold(turn, |key, (cell, player)| {
                    key ^ self.geometry.stone_key(symmetry.apply(rules, cell), player)
                })
        };
        Symmetry::of(rules).iter().map(image).min().unwrap_or(turn)
    }
}

impl PartialEq for Position {
    /// Same rules, same stones, same turn; the order of the stones does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.rules() == other.rules()
            && self.lines == other.lines
            && self.to_move() == other.to_move()
            && self.stones_left() == other.stones_left()
    }
}

impl Eq for Position {}

impl fmt::Display for Position {
    /// The board with coordinates: `X` black, `O` white, `.` empty, `!` forbidden to Black, who is to
    /// move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules();
        let forbidden = self.forbidden();
        for row in (0..rules.height()).rev() {
            write!(f, "{:>2}", row + 1)?;
            for column in 0..rules.width() {
                let cell = rules.cell(column, row);
                let sign = match cell.and_then(|cell| self.at(cell)) {
                    Some(Player::Black) => 'X',
                    Some(Player::White) => 'O',
                    None if cell.is_some_and(|cell| forbidden.contains(&cell)) => '!',
                    None => '.',
                };
                write!(f, " {sign}")?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        for column in 0..rules.width() {
            write!(f, "{:>2}", notation::column_name(column))?;
        }
        writeln!(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {} to move, {} left", self.rules(), self.to_move(), self.stones_left())?;
        fmt::Display::fmt(self, f)
    }
}
