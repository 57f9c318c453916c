//! Line shapes for one stone per turn: what a stone on an empty cell makes of one of its lines.
//!
//! A shape says how soon the line wins and how many ways there are, so it means the same for every
//! row length. Shown for five in a row, `*` the stone in question, `O` the enemy:
//!
//! ```text
//!     Row          XXX*X        OpenFour   .XXX*.     Four       OXXX*.   XX.X*
//!     ThreeTwice   ..XX*..      Three      .X*.X.     BlockedThree  OXX*..
//!     TwoMany      ...X*...     TwoSome    ..X.*..    TwoFew     OX..*..
//! ```
//!
//! The definition is recursive: a four can become a row, an open four in two ways; a three can
//! become an open four; a blocked three only a four; and so on down to a line with no room. Only rows
//! through the stone count.

use collinear_rules::{Overline, Player, Rules};

/// What a stone makes of a line, from nothing to a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No row fits, or it is too far away to matter.
    #[default]
    Dead,
    /// Can become a blocked two: `O*....`
    BlockedOne,
    /// Can become a two in few ways.
    OneFew,
    /// Can become a two in many ways: `....*....`
    OneMany,
    /// Can become a blocked three: `OX*...`
    BlockedTwo,
    /// Can become a three in one or two ways.
    TwoFew,
    /// Can become a three in three ways.
    TwoSome,
    /// Can become a three in more ways: `...X*...`
    TwoMany,
    /// Can become a four in two ways, but no open one: `OXX*..`
    BlockedThree,
    /// Can become a four in more ways, but no open one: `X.X.*..X`
    BlockedThreeMany,
    /// Can become an open four in one way: `.X*.X.`
    Three,
    /// Can become an open four in several ways: `..XX*..`
    ThreeTwice,
    /// Can become a row in one way: `OXXX*.`
    Four,
    /// Can become a row in several ways: `.XXX*.`
    OpenFour,
    /// A row.
    Row,
}

impl Shape {
    /// All shapes, in order.
    pub const ALL: [Self; 15] = [
        Self::Dead,
        Self::BlockedOne,
        Self::OneFew,
        Self::OneMany,
        Self::BlockedTwo,
        Self::TwoFew,
        Self::TwoSome,
        Self::TwoMany,
        Self::BlockedThree,
        Self::BlockedThreeMany,
        Self::Three,
        Self::ThreeTwice,
        Self::Four,
        Self::OpenFour,
        Self::Row,
    ];

    /// Whether it is a two of any kind.
    pub fn is_two(self) -> bool {
        (Self::TwoFew..=Self::TwoMany).contains(&self)
    }

    /// Whether it can become an open four.
    pub fn is_three(self) -> bool {
        matches!(self, Self::Three | Self::ThreeTwice)
    }

    /// Whether it can become a four, but no open one.
    pub fn is_blocked_three(self) -> bool {
        matches!(self, Self::BlockedThree | Self::BlockedThreeMany)
    }

    /// The shape of a line that one more stone turns into these numbers of each shape.
    fn from_next(next: &[u8; Self::ALL.len()]) -> Self {
        let count = |shape: Self| next[shape as usize];
        let threes = count(Self::Three) + count(Self::ThreeTwice);
        let blocked_threes = count(Self::BlockedThree) + count(Self::BlockedThreeMany);
        let twos = count(Self::TwoFew) + count(Self::TwoSome) + count(Self::TwoMany);
        match () {
            () if count(Self::Row) > 1 => Self::OpenFour,
            () if count(Self::Row) > 0 => Self::Four,
            () if count(Self::OpenFour) > 1 => Self::ThreeTwice,
            () if count(Self::OpenFour) > 0 => Self::Three,
            () if count(Self::Four) > 2 => Self::BlockedThreeMany,
            () if count(Self::Four) > 0 => Self::BlockedThree,
            () if threes > 3 => Self::TwoMany,
            () if threes > 2 => Self::TwoSome,
            () if threes > 0 => Self::TwoFew,
            () if blocked_threes > 0 => Self::BlockedTwo,
            () if twos > 5 => Self::OneMany,
            () if twos > 0 => Self::OneFew,
            () if count(Self::BlockedTwo) > 0 => Self::BlockedOne,
            () => Self::Dead,
        }
    }
}

/// The shape of every line that a cell can have.
///
/// A side of the cell is a number: the own stones up to the first enemy or the border, below a leading
/// one that marks its length. Bits are in the order of the line on both sides.
///
/// ```text
///     . . X ? X . O        left: 0b1100 (. . X), right: 0b101 (X .)
/// ```
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShapeTable {
    reach: usize,
    shapes: Vec<Shape>,
}

impl ShapeTable {
    /// Whether there are shapes for a game.
    pub(crate) fn suits(rules: &Rules) -> bool {
        rules.p() == 1 && !rules.gravity() && (5..=8).contains(&rules.k())
    }

    /// A player's shapes in a game that they suit.
    pub(crate) fn new(rules: &Rules, player: Player) -> Self {
        let exact = rules.overline(player) == Overline::Ignored;
        // Where longer rows do not win, the cell behind a row matters too.
        let reach = if exact { rules.k() } else { rules.k() - 1 };
        let mut table = Self { reach, shapes: vec![Shape::Dead; 1 << (2 * (reach + 1))] };
        for left in 0..=reach {
            for right in 0..=reach {
                table.fill(left, right, rules.k(), exact);
            }
        }
        table
    }

    /// How far a cell sees.
    #[inline]
    pub(crate) const fn reach(&self) -> usize {
        self.reach
    }

    /// The shape that a stone at index `at` makes of a line of `length` cells.
    #[inline]
    pub(crate) fn shape(&self, own: u64, enemy: u64, at: usize, length: usize) -> Shape {
        self.shape_in(own, Room::around(at, enemy, length), at)
    }

    /// The same in the room that the cell is known to stand in.
    #[inline]
    pub(crate) fn shape_in(&self, own: u64, room: Room, at: usize) -> Shape {
        let left = (at - room.start).min(self.reach);
        let left_stones = own >> (at - left) & ((1 << left) - 1);
        let right = (room.end - 1 - at).min(self.reach);
        let right_stones = own >> at >> 1 & ((1 << right) - 1);
        let left = 1 << left | left_stones as usize;
        let right = 1 << right | right_stones as usize;
        self.shapes[left << (self.reach + 1) | right]
    }

    /// All stones between two walls: with one stone more first, since a shape is what it can become.
    fn fill(&mut self, left: usize, right: usize, k: usize, exact: bool) {
        let reach = self.reach;
        let at = |stones: usize| {
            let (low, high) = (stones & ((1 << left) - 1), stones >> left);
            (1 << left | low) << (reach + 1) | 1 << right | high
        };
        for stones in (0..1_usize << (left + right)).rev() {
            let shape = if left + 1 + right < k {
                Shape::Dead
            } else if has_row(stones, left, right, k, exact) {
                Shape::Row
            } else {
                let mut next = [0; Shape::ALL.len()];
                for cell in (0..left + right).filter(|cell| stones >> cell & 1 == 0) {
                    next[self.shapes[at(stones | 1 << cell)] as usize] += 1;
                }
                Shape::from_next(&next)
            };
            self.shapes[at(stones)] = shape;
        }
    }
}

/// The cells of a line between two enemies or borders.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) start: usize,
    /// Behind the last one.
    pub(crate) end: usize,
}

impl Room {
    /// Around a cell, which counts as no enemy itself.
    #[inline]
    pub(crate) fn around(at: usize, enemy: u64, length: usize) -> Self {
        // The border counts as an enemy one step before index 0.
        let start = ((enemy & ((1 << at) - 1)) << 1 | 1).ilog2() as usize;
        let behind = (enemy >> at >> 1).trailing_zeros() as usize;
        Self { start, end: at + 1 + behind.min(length - 1 - at) }
    }
}

/// Whether a stone on the cell completes a row. Bits are the cells on the left, then those on the
/// right, in the order of the line.
fn has_row(stones: usize, left: usize, right: usize, k: usize, exact: bool) -> bool {
    let before = (0..left).rev().take_while(|cell| stones >> cell & 1 != 0).count();
    let behind = (left..left + right).take_while(|cell| stones >> cell & 1 != 0).count();
    let length = 1 + before + behind;
    if exact { length == k } else { length >= k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line as text: `*` is the cell, `O` an enemy.
    fn shape(rules: &str, line: &str) -> Shape {
        let rules: Rules = rules.parse().expect("rules");
        let word = |mark: char| {
            line.chars().enumerate().fold(0_u64, |w, (i, c)| w | u64::from(c == mark) << i)
        };
        let at = line.find('*').expect("a cell");
        ShapeTable::new(&rules, Player::Black).shape(word('X'), word('O'), at, line.len())
    }

    #[test]
    fn lines_have_the_shapes_people_name() {
        let free = "gomoku";
        for (line, wanted) in [
            ("..XXX*X..", Shape::Row),
            (".XXX*.", Shape::OpenFour),
            ("X.X*X.X", Shape::OpenFour),
            ("OXXX*.", Shape::Four),
            (".X.XX*O", Shape::Four),
            ("..XX*..", Shape::ThreeTwice),
            (".X*.X.", Shape::Three),
            ("OXX*...", Shape::BlockedThree),
            ("OX*.X.O", Shape::BlockedThree),
            ("X..X*..X", Shape::BlockedThreeMany),
            ("....X*....", Shape::TwoMany),
            ("O.X*...O", Shape::TwoFew),
            ("OX*...", Shape::BlockedTwo),
            ("....*....", Shape::OneMany),
            ("O*....O", Shape::BlockedOne),
            ("O..*.O", Shape::Dead),
        ] {
            assert_eq!(shape(free, line), wanted, "{line}");
            let mirrored: String = line.chars().rev().collect();
            assert_eq!(shape(free, &mirrored), wanted, "{mirrored}");
        }
        // Six are not a row where only five win, so neither end of this four wins.
        assert_eq!(shape(free, "X.XX*X.X"), Shape::OpenFour);
        assert_eq!(shape("gomoku-standard", "X.XX*X.X"), Shape::Dead);
        assert_eq!(shape("gomoku-standard", "XXX*XX"), Shape::Dead);
        // The same words one stone later for six in a row.
        assert_eq!(shape("15x15,k=6", ".XXXX*."), Shape::OpenFour);
    }

    /// What a line can become, with nothing but the rule's own words.
    fn plainly(line: &mut Vec<Option<bool>>, at: usize, k: usize, exact: bool) -> Shape {
        let own = |line: &[Option<bool>], i: isize| {
            usize::try_from(i).ok().and_then(|i| line.get(i)).copied().flatten() == Some(true)
        };
        let run = (0..64).take_while(|i| own(line, at as isize - 1 - i)).count()
            + (0..64).take_while(|i| own(line, at as isize + 1 + i)).count()
            + 1;
        if run == k || run > k && !exact {
            return Shape::Row;
        }
        let wall = |line: &[Option<bool>], i: usize| line[i] == Some(false);
        let first = (0..at).rev().take_while(|&i| !wall(line, i)).last().unwrap_or(at);
        let last = (at + 1..line.len()).take_while(|&i| !wall(line, i)).last().unwrap_or(at);
        let reach = if exact { k } else { k - 1 };
        let (first, last) = (first.max(at.saturating_sub(reach)), last.min(at + reach));
        if last - first + 1 < k {
            return Shape::Dead;
        }
        let mut next = [0; Shape::ALL.len()];
        for i in first..=last {
            if i != at && line[i].is_none() {
                line[i] = Some(true);
                next[plainly(line, at, k, exact) as usize] += 1;
                line[i] = None;
            }
        }
        Shape::from_next(&next)
    }

    #[test]
    fn the_table_equals_the_definition() {
        use rand::{Rng, SeedableRng};
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
        for text in ["gomoku", "gomoku-standard", "15x15,k=6"] {
            let rules: Rules = text.parse().expect("rules");
            let table = ShapeTable::new(&rules, Player::Black);
            for _ in 0..150 {
                let length = random.random_range(5..=15_usize);
                let at = random.random_range(0..length);
                let mut line: Vec<Option<bool>> = (0..length)
                    .map(|i| match random.random_range(0..5) {
                        0 | 1 if i != at => Some(true),
                        2 if i != at => Some(false),
                        _ => None,
                    })
                    .collect();
                let word = |mark: bool| {
                    line.iter()
                        .enumerate()
                        .fold(0_u64, |w, (i, &s)| w | u64::from(s == Some(mark)) << i)
                };
                let found = table.shape(word(true), word(false), at, length);
                let exact = !rules.overlines_win();
                let wanted = plainly(&mut line, at, rules.k(), exact);
                assert_eq!(found, wanted, "{text} {line:?} at {at}");
            }
        }
    }
}
