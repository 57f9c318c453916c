//! The fourteen types of a connection, and the shorter scale that cells and promotions use.
//!
//! Two numbers decide nearly everything: `w`, the most own stones in one window, and `h`, the
//! least stones that hit every window from which one turn wins (`k − p` own stones or more).
//!
//! | `w` | one stone stops it: `h = 1` | it takes more: `1 < h ≤ p` | a turn is not enough: `h > p` |
//! |---|---|---|---|
//! | `k` | C6 | C6 | C6 |
//! | above `k − p` | D5 | L5 | DW |
//! | `k − p` | D4 | L4 | DW |
//!
//! Below, a type says what further stones on the fullest windows make of the shape: if they can
//! make it *live* (`h ≥ 2`) it is L3, L2 or L1 (one, two or more stones), else D3, D2 or D1; S3 is
//! the shape that one stone makes D4 and two can make L5.
//!
//! The names are those of Connect6 (k=6, p=2), where the digit is the number of stones, and they
//! fit Gomoku (k=5, p=1) as well. With one stone per turn a shape that one stone cannot stop is won,
//! so L5, D5, L4 and S3 do not occur: a live four is DW.

use std::fmt;

/// The type of a connection, weakest first. Diagrams: Connect6, `|` the end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ShapeType {
    /// Void, no stone: `|......|`.
    V,
    /// Dead one: `|X.....|`. Further stones only make dead shapes.
    D1,
    /// Live one: `|..X.....|`. A stone makes it L2.
    L1,
    /// Dead two: `|XX....|`. Two stones make D4 at most.
    D2,
    /// Live two: `|..XX....|`. Two stones make L4.
    L2,
    /// Dead three: `|XXX...|`. A stone makes D4, two more never L5.
    D3,
    /// Sleeping three: `|..XXX..|`. A stone makes D4, and two can make L5.
    S3,
    /// Live three: `|..XXX...|`. A stone makes L4.
    L3,
    /// Dead four: `|XXXX..|`. Two stones win; one stone stops it.
    D4,
    /// Live four: `|..XXXX..|`. Two stones win; two must stop it.
    L4,
    /// Dead five: `|XXXXX.|`. One stone wins; one stops it.
    D5,
    /// Live five: `|.XXXXX.|`. One stone wins; two must stop it.
    L5,
    /// Definitely won: `|..XXXX.X..XXX|`. No turn stops it.
    DW,
    /// Won: `|.XXXXXX.|`.
    C6,
}

/// The merged scale: D2, L1, D1 and V together are O, and U is a cell better left alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Grade {
    /// Of a cell: occupied, or wasted on a connection that already threatens.
    #[default]
    U,
    /// V, D1, L1 or D2; of a cell: a stone there changes little.
    O,
    /// See [`ShapeType::L2`]; of a cell: a stone there makes the connection so.
    L2,
    /// See [`ShapeType::D3`].
    D3,
    /// See [`ShapeType::S3`].
    S3,
    /// See [`ShapeType::L3`].
    L3,
    /// See [`ShapeType::D4`].
    D4,
    /// See [`ShapeType::L4`].
    L4,
    /// See [`ShapeType::D5`].
    D5,
    /// See [`ShapeType::L5`].
    L5,
    /// See [`ShapeType::DW`].
    DW,
    /// See [`ShapeType::C6`].
    C6,
}

impl ShapeType {
    /// All types, weakest first: `ALL[t as usize] == t`.
    pub const ALL: [Self; 14] = [
        Self::V,
        Self::D1,
        Self::L1,
        Self::D2,
        Self::L2,
        Self::D3,
        Self::S3,
        Self::L3,
        Self::D4,
        Self::L4,
        Self::D5,
        Self::L5,
        Self::DW,
        Self::C6,
    ];

    /// The name in the paper.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V => "V",
            Self::D1 => "D1",
            Self::L1 => "L1",
            Self::D2 => "D2",
            Self::L2 => "L2",
            Self::D3 => "D3",
            Self::S3 => "S3",
            Self::L3 => "L3",
            Self::D4 => "D4",
            Self::L4 => "L4",
            Self::D5 => "D5",
            Self::L5 => "L5",
            Self::DW => "DW",
            Self::C6 => "C6",
        }
    }

    /// A short shape of this type in Connect6.
    pub const fn example(self) -> &'static str {
        match self {
            Self::V => "......",
            Self::D1 => "X.....",
            Self::L1 => "..X.....",
            Self::D2 => "XX....",
            Self::L2 => "..XX....",
            Self::D3 => "XXX...",
            Self::S3 => "..XXX..",
            Self::L3 => "..XXX...",
            Self::D4 => "XXXX..",
            Self::L4 => "..XXXX..",
            Self::D5 => "XXXXX.",
            Self::L5 => ".XXXXX.",
            Self::DW => "..XXXX.X..XXX",
            Self::C6 => ".XXXXXX.",
        }
    }

    /// One sentence for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::V => "void: no stone",
            Self::D1 => "dead one: further stones make only dead shapes of it",
            Self::L1 => "live one: further stones can make it live",
            Self::D2 => "dead two: two stones make D4 at most",
            Self::L2 => "live two: two stones can make it a live threat",
            Self::D3 => "dead three: one stone makes D4, two never L5",
            Self::S3 => "sleeping three: one stone makes D4, two can make L5",
            Self::L3 => "live three: one stone makes it a live threat",
            Self::D4 => "dead four: one turn wins, one stone stops it",
            Self::L4 => "live four: one turn wins, one stone does not stop it",
            Self::D5 => "dead five: less than a turn wins, one stone stops it",
            Self::L5 => "live five: less than a turn wins, one stone does not stop it",
            Self::DW => "definitely won: no turn stops it",
            Self::C6 => "won: a row is there",
        }
    }

    /// The type on the merged scale.
    pub const fn grade(self) -> Grade {
        match self {
            Self::V | Self::D1 | Self::L1 | Self::D2 => Grade::O,
            Self::L2 => Grade::L2,
            Self::D3 => Grade::D3,
            Self::S3 => Grade::S3,
            Self::L3 => Grade::L3,
            Self::D4 => Grade::D4,
            Self::L4 => Grade::L4,
            Self::D5 => Grade::D5,
            Self::L5 => Grade::L5,
            Self::DW => Grade::DW,
            Self::C6 => Grade::C6,
        }
    }
}

impl Grade {
    /// All grades, weakest first: `ALL[g as usize] == g`.
    pub const ALL: [Self; 12] = [
        Self::U,
        Self::O,
        Self::L2,
        Self::D3,
        Self::S3,
        Self::L3,
        Self::D4,
        Self::L4,
        Self::D5,
        Self::L5,
        Self::DW,
        Self::C6,
    ];

    /// The name in the paper.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U => "U",
            Self::O => "O",
            Self::L2 => "L2",
            Self::D3 => "D3",
            Self::S3 => "S3",
            Self::L3 => "L3",
            Self::D4 => "D4",
            Self::L4 => "L4",
            Self::D5 => "D5",
            Self::L5 => "L5",
            Self::DW => "DW",
            Self::C6 => "C6",
        }
    }

    /// Stones needed against a connection of this grade: none while it does not threaten; for more
    /// than two stones per turn a live one may need more than the two counted here.
    #[inline]
    pub const fn hitting(self, p: usize) -> usize {
        match self {
            Self::C6 | Self::DW => p + 1,
            Self::L5 | Self::L4 => 2,
            Self::D5 | Self::D4 => 1,
            _ => 0,
        }
    }

    /// The type of a cell of a connection of grade `self` where a stone would make it `then`: what
    /// it is promoted to; or, without promotion, O while there is nothing to lose and U once the
    /// connection threatens.
    #[inline]
    #[must_use]
    pub const fn of_cell(self, then: Self) -> Self {
        if then as u8 > self as u8 {
            then
        } else if self as u8 >= Self::D4 as u8 {
            Self::U
        } else {
            Self::O
        }
    }
}

impl fmt::Display for ShapeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::{LineRules, Shape};

    #[test]
    fn every_example_is_of_its_type() {
        for wanted in ShapeType::ALL {
            let shape = Shape::parse(6, wanted.example()).expect("a shape");
            assert_eq!(LineRules::CONNECT6.classify(shape), wanted);
        }
    }

    #[test]
    fn types_and_grades_are_in_order() {
        assert!(ShapeType::ALL.iter().enumerate().all(|(i, &t)| t as usize == i));
        assert!(Grade::ALL.iter().enumerate().all(|(i, &g)| g as usize == i));
        assert!(ShapeType::ALL.windows(2).all(|pair| pair[0].grade() <= pair[1].grade()));
    }
}
