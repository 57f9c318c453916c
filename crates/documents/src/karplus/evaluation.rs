//! The evaluation functions of document 003: what a four is worth by the discs it holds.
//!
//! A *four* is any four neighbouring cells in a row, 69 of them on 7×6. Seen by the player who has
//! just moved (`X`), the value of a board is the sum over its fours:
//!
//! ```text
//!          blocked   O3   O2   O1  empty   X1   X2   X3
//! wineval        0    0    0    0      0    0    0    0     (only a win counts)
//! fevala         0   -3   -2   -1      0    1    2    3
//! fevalb         0  -40  -15   -3      0    2   13   22
//! fevalc         0 -600  -60  -12     -2   10   50  500
//! ```
//!
//! and a completed four is 10000 whatever the rest says.
//!
//! `needed` is the document's future work, "how many moves would be required to complete a four":
//! an unblocked four with a disc in it is worth 64 halved for every disc that must still fall
//! before it can be complete, those that must be below its empty cells included.

use std::str::FromStr;

/// What a completed four is worth to the player who completed it.
pub(crate) const WIN: i64 = 10_000;

/// The worth of a four by what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evaluation {
    /// Discs of both players.
    blocked: i32,
    /// No disc.
    empty: i32,
    /// One, two, three discs of the player who has just moved, none of the other.
    own: [i32; 3],
    /// One, two, three discs of the other player alone.
    other: [i32; 3],
    /// Fours count by the discs that must still fall, not by those they hold.
    pub(crate) by_moves: bool,
}

impl Evaluation {
    /// Only a win counts.
    pub(crate) const WINEVAL: Self =
        Self { blocked: 0, empty: 0, own: [0, 0, 0], other: [0, 0, 0], by_moves: false };
    /// One point a disc.
    pub(crate) const FEVALA: Self = Self { own: [1, 2, 3], other: [-1, -2, -3], ..Self::WINEVAL };
    /// The constants of the document's author.
    pub(crate) const FEVALB: Self =
        Self { own: [2, 13, 22], other: [-3, -15, -40], ..Self::WINEVAL };
    /// The constants of his father.
    pub(crate) const FEVALC: Self =
        Self { empty: -2, own: [10, 50, 500], other: [-12, -60, -600], ..Self::WINEVAL };
    /// By the moves a four still needs.
    pub(crate) const NEEDED: Self = Self { by_moves: true, ..Self::WINEVAL };

    /// The largest constant a text may give: keeps every sum far inside a machine word.
    const MAX: i32 = 1000;

    /// The worth of a four by the number of discs of the player who has just moved and of the other.
    /// Completed fours end the game and are not asked for; they count as nothing.
    pub(crate) const fn four(&self, own: u32, other: u32) -> i32 {
        match (own, other) {
            (0, 0) => self.empty,
            (1..=3, 0) => self.own[own as usize - 1],
            (0, 1..=3) => self.other[other as usize - 1],
            (4.., 0) | (0, 4..) => 0,
            _ => self.blocked,
        }
    }

    /// The worth of a four that this many discs complete.
    pub(crate) const fn by_needed(needed: u32) -> i64 {
        if needed > 6 { 0 } else { 64 >> needed }
    }

    /// No board with this many fours is worth more or less than this.
    pub(crate) fn bound(&self, fours: usize) -> i64 {
        let constants = self.own.iter().chain(&self.other).chain([&self.blocked, &self.empty]);
        let largest = constants.map(|constant| i64::from(constant.abs())).max().unwrap_or(0);
        let largest = if self.by_moves { Self::by_needed(1) } else { largest };
        largest * fours as i64
    }
}

impl FromStr for Evaluation {
    type Err = String;

    /// Reads the eight constants in the order of the document's table:
    /// `blocked/O3/O2/O1/empty/X1/X2/X3`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<i32>> = text
            .split('/')
            .map(|part| part.trim().parse().ok().filter(|n: &i32| n.abs() <= Self::MAX))
            .collect();
        match numbers.as_deref() {
            Some(&[blocked, o3, o2, o1, empty, x1, x2, x3]) => {
                Ok(Self { blocked, empty, own: [x1, x2, x3], other: [o1, o2, o3], by_moves: false })
            }
            _ => Err(format!(
                "the constants {:?} are not eight whole numbers between -{most} and {most} in the \
                 order blocked/O3/O2/O1/empty/X1/X2/X3, for example 0/-40/-15/-3/0/2/13/22",
                text.chars().take(60).collect::<String>(),
                most = Self::MAX,
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_read_back_in_the_order_of_the_table() {
        assert_eq!("0/-3/-2/-1/0/1/2/3".parse(), Ok(Evaluation::FEVALA));
        assert_eq!("0/-40/-15/-3/0/2/13/22".parse(), Ok(Evaluation::FEVALB));
        assert_eq!("0/-600/-60/-12/-2/10/50/500".parse(), Ok(Evaluation::FEVALC));
    }

    #[test]
    fn bad_constants_are_refused_with_an_example() {
        for text in ["", "1/2/3", "0/0/0/0/0/0/0/1001", "a/b/c/d/e/f/g/h", "1/2/3/4/5/6/7/8/9"] {
            let refusal = text.parse::<Evaluation>().expect_err(text);
            assert!(refusal.contains("for example"), "{refusal}");
        }
    }
}
