//! What Renju forbids to Black: overlines, double fours and double threes.
//!
//! A stone is judged line by line from the eleven cells around it, which decide everything the
//! stone makes on that line. A double three looks ahead: a three counts only if Black may really
//! go on to a straight four, and that stone is judged by the same rules with this one on the board.
//! Each step of that recursion adds a stone, so it ends; stones not on the board yet are a chain of
//! [`Probe`]s, and nothing is written. After the rules of the Renju International Federation
//! (1996): a five goes before everything, overlines and double fours need no looking ahead.
//!
//! ```text
//! index   0 1 2 3 4 5 6 7 8 9 10
//!         . . . X X P X . . . .      five cells on either side of the stone P at index 5
//!             E         E            filling E makes a straight four: P makes a three
//! ```

use std::fmt;

use crate::{Cell, Geometry, LineId, Outcome, Player, Position};

/// Why Renju forbids a stone to Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours at once, in different lines or in one.
    DoubleFour,
    /// Two threes at once that can both become straight fours.
    DoubleThree,
}

impl Foul {
    /// The name in the field: `overline`, `double four`, `double three`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double four",
            Self::DoubleThree => "double three",
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Stones kept line by line, by a position or by whoever keeps them otherwise.
pub trait LineStones {
    /// The board.
    fn geometry(&self) -> &Geometry;

    /// The stones of a line, Black's word and White's: bit `i` is the line's cell `i`.
    fn line(&self, line: LineId) -> [u64; 2];

    /// The foul that a black stone on this cell would be, if it would be one: none outside Renju
    /// and on occupied cells.
    fn foul_at(&self, cell: Cell) -> Option<Foul>
    where
        Self: Sized,
    {
        let at = self.geometry().lines_through(cell)[0];
        let [black, white] = self.line(at.line);
        if !self.geometry().rules().is_renju() || (black | white) >> at.index & 1 != 0 {
            return None;
        }
        match (Probe { board: self, cell, before: None }.verdict()) {
            Verdict::Foul(foul) => Some(foul),
            Verdict::Five | Verdict::Allowed => None,
        }
    }

    /// Whether white stones elsewhere could make a black stone on this cell, which is allowed now, a
    /// double three: two lines look like threes, and at most one of them is a real one.
    fn may_become_foul(&self, cell: Cell) -> bool
    where
        Self: Sized,
    {
        self.geometry().rules().is_renju()
            && Probe { board: self, cell, before: None }.seeming_threes() >= 2
    }

    /// Whether a black stone on this cell would be a foul.
    fn is_forbidden(&self, cell: Cell) -> bool
    where
        Self: Sized,
    {
        self.foul_at(cell).is_some()
    }
}

impl LineStones for Position {
    fn geometry(&self) -> &Geometry {
        Self::geometry(self)
    }

    #[inline]
    fn line(&self, line: LineId) -> [u64; 2] {
        Self::line(self, line)
    }
}

impl Position {
    /// Whether a black stone on this empty cell would be a foul now, whoever is to move. Always
    /// false outside Renju and on occupied cells.
    ///
    /// ```
    /// use collinear_rules::{Foul, IllegalMove, Position, Rules, notation};
    ///
    /// let at = |name| notation::parse(&Rules::RENJU, name).expect(name);
    /// let moves = ["f8", "a1", "g8", "c1", "h6", "e1", "h7", "g1"].map(at);
    /// let mut position = Position::from_moves(Rules::RENJU, &moves).expect("legal");
    /// assert!(position.is_forbidden(at("h8")));
    /// assert_eq!(position.forbidden(), [at("h8")]);
    /// assert_eq!(position.play(at("h8")), Err(IllegalMove::Forbidden(Foul::DoubleThree)));
    /// ```
    pub fn is_forbidden(&self, cell: Cell) -> bool {
        self.foul_at(cell).is_some()
    }

    /// The foul that a black stone on this cell would be, if it would be one.
    pub fn foul_at(&self, cell: Cell) -> Option<Foul> {
        LineStones::foul_at(self, cell)
    }

    /// The cells that are forbidden to Black now, row by row: none outside Renju, when White is to
    /// move and when the game is over.
    pub fn forbidden(&self) -> Vec<Cell> {
        if self.is_over() || !self.watches_fouls() {
            return Vec::new();
        }
        self.empty_cells().filter(|&cell| self.is_forbidden(cell)).collect()
    }

    /// The forbidden stone that lost the game, where a foul loses, and what it made.
    pub fn lost_by_foul(&self) -> Option<(Cell, Foul)> {
        let &last = self.history().last()?;
        if self.outcome() != Outcome::Won(Player::White) || self.at(last) != Some(Player::Black) {
            return None;
        }
        let mut before = self.clone();
        before.undo();
        before.foul_at(last).map(|foul| (last, foul))
    }

    /// Whether Black is to move in Renju.
    pub(crate) fn watches_fouls(&self) -> bool {
        self.rules().is_renju() && self.to_move() == Player::Black
    }

    /// Whether Black is to move and every cell left is forbidden: whatever Black plays loses.
    pub(crate) fn leaves_only_fouls(&self) -> bool {
        self.watches_fouls()
            && !self.is_over()
            && self.empty_cells().all(|cell| self.is_forbidden(cell))
    }
}

/// Cells on either side of a stone that decide what it makes on a line.
const REACH: u32 = 5;
/// The stone's own bit among the eleven.
const CENTRE: u32 = 1 << REACH;
/// The eleven cells.
const ALL: u32 = (1 << (2 * REACH + 1)) - 1;

/// What a black stone makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Five in a row: the stone wins whatever else it makes.
    Five,
    Foul(Foul),
    Allowed,
}

/// A black stone that is only thought of, and those thought of before it.
struct Probe<'a, B> {
    board: &'a B,
    cell: Cell,
    before: Option<&'a Self>,
}

/// The eleven cells around a stone on one of its lines, the stone itself in place.
#[derive(Clone, Copy, Default)]
struct Row {
    black: u32,
    empty: u32,
}

impl<B: LineStones> Probe<'_, B> {
    fn verdict(&self) -> Verdict {
        let rows: [Row; 4] = std::array::from_fn(|direction| self.row(direction));
        if !rows.iter().any(Row::is_crowded)
            && rows.iter().filter(|row| row.may_hold_a_three()).count() < 2
        {
            return Verdict::Allowed;
        }
        if rows.iter().any(|row| row.fives() != 0) {
            return Verdict::Five;
        }
        if rows.iter().any(Row::is_overline) {
            return Verdict::Foul(Foul::Overline);
        }
        let fours = rows.map(|row| row.fours());
        if fours.iter().sum::<u32>() >= 2 {
            return Verdict::Foul(Foul::DoubleFour);
        }
        let mut extensions = [0; 4];
        for (at, row) in rows.iter().enumerate() {
            if fours[at] == 0 {
                extensions[at] = row.straight_four_cells();
            }
        }
        // Most stones make one three at most: only then is looking ahead worth its time.
        if extensions.iter().filter(|&&cells| cells != 0).count() < 2 {
            return Verdict::Allowed;
        }
        let is_three = |direction: usize| {
            bits(extensions[direction]).any(|index| {
                let cell = self.neighbour(direction, index);
                let next = Probe { board: self.board, cell, before: Some(self) };
                next.verdict() == Verdict::Allowed
            })
        };
        match (0..4).filter(|&direction| is_three(direction)).nth(1) {
            Some(_) => Verdict::Foul(Foul::DoubleThree),
            None => Verdict::Allowed,
        }
    }

    /// Lines that are threes if every cell that makes a straight four is allowed.
    fn seeming_threes(&self) -> usize {
        let is_three = |direction: &usize| {
            let row = self.row(*direction);
            row.may_hold_a_three() && row.fours() == 0 && row.straight_four_cells() != 0
        };
        (0..4).filter(is_three).count()
    }

    /// The cells around the stone in a direction.
    fn row(&self, direction: usize) -> Row {
        let geometry = self.board.geometry();
        let at = geometry.lines_through(self.cell)[direction];
        let [mut black, white] = self.board.line(at.line);
        let mut probe = Some(self);
        while let Some(Probe { cell, before, .. }) = probe {
            let stone = geometry.lines_through(*cell)[direction];
            if stone.line == at.line {
                black |= 1 << stone.index;
            }
            probe = *before;
        }
        let length = geometry.line_cells(at.line).len();
        let inside = u64::MAX >> (64 - length);
        let around = |word: u64| {
            let index = u32::from(at.index);
            let word =
                if index >= REACH { word >> (index - REACH) } else { word << (REACH - index) };
            word as u32 & ALL
        };
        Row { black: around(black), empty: around(inside & !(black | white)) }
    }

    /// The cell at an index of the eleven.
    fn neighbour(&self, direction: usize, index: u32) -> Cell {
        let geometry = self.board.geometry();
        let at = geometry.lines_through(self.cell)[direction];
        geometry.line_cells(at.line)[(u32::from(at.index) + index - REACH) as usize]
    }
}

impl Row {
    /// Black stones near enough to stand in one five with the stone, itself not counted.
    const fn company(&self) -> u32 {
        const NEAR: u32 = ALL & !(1 | 1 << (2 * REACH)) & !CENTRE;
        (self.black & NEAR).count_ones()
    }

    /// Whether this line alone may hold a five, an overline or a four.
    const fn is_crowded(&self) -> bool {
        self.company() >= 4
    }

    const fn may_hold_a_three(&self) -> bool {
        self.company() >= 2
    }

    /// Where a run of exactly five with the stone in it begins.
    fn fives(&self) -> u32 {
        exact_fives(self.black) & THROUGH_CENTRE
    }

    fn is_overline(&self) -> bool {
        let sixes = runs(self.black, 6);
        sixes & (THROUGH_CENTRE | 1) != 0
    }

    /// Fours the stone makes: one for each cell that would complete a five with the stone in it,
    /// but the two ends of a straight four are one.
    fn fours(&self) -> u32 {
        let mut completions = 0_u32;
        for index in bits(self.empty) {
            if exact_fives(self.black | 1 << index) & THROUGH_CENTRE != 0 {
                completions |= 1 << index;
            }
        }
        let straight = completions & completions >> 5 != 0;
        completions.count_ones() - u32::from(straight)
    }

    /// The empty cells that would make a straight four with the stone in it.
    fn straight_four_cells(&self) -> u32 {
        let mut cells = 0_u32;
        for index in bits(self.empty) {
            let black = self.black | 1 << index;
            let empty = self.empty & !(1 << index);
            // `_XXXX_` from bit i on: the cells before and behind it must not be black.
            let fours = runs(black >> 1, 4) & empty & empty >> 5 & !(black << 1) & !(black >> 6);
            if fours & STRAIGHT_THROUGH_CENTRE != 0 {
                cells |= 1 << index;
            }
        }
        cells
    }
}

/// Starts of runs of five that hold the stone.
const THROUGH_CENTRE: u32 = 0b11_1110;
/// Starts of `_XXXX_` whose stones hold the stone.
const STRAIGHT_THROUGH_CENTRE: u32 = 0b1_1110;

/// Where `length` stones in a row begin.
fn runs(black: u32, length: u32) -> u32 {
    (1..length).fold(black, |starts, shift| starts & black >> shift)
}

fn exact_fives(black: u32) -> u32 {
    runs(black, 5) & !(black << 1) & !(black >> 5)
}

/// The indices of the bits that are set.
fn bits(mut word: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let index = word.trailing_zeros();
            word &= word - 1;
            index
        })
    })
}
