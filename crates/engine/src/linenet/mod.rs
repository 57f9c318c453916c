//! The learned evaluation of Gomoku: numbers of line patterns, summed cell by cell and kept stone by stone.
//!
//! ```text
//! each cell: four patterns of nine cells ─ 32 numbers each ─ summed with a bias ─ cut to 0..=CAP
//!    │ summed over the board
//!    ▼
//!    x ─ 32 ─ 32 ─ 1          (cut to 0..=MOST_HIDDEN between the layers)
//!    └──────────── + ─ logit of the player to move
//! ```
//! A network that looks at whole boards taught it (`collinear fit labels`, `collinear fit evaluation`); it knows about
//! nine tenths of what that network knows beyond combinations of lines (`docs/learning.md`), and a stone changes
//! only the sums of some 33 cells. The idea of large tables over line patterns whose vectors are added up, cut and
//! pooled is that of Rapfi's mix networks (Jin 2023); keeping sums of a first layer incrementally is Nasu's
//! ("Efficiently Updatable Neural-Network-based Evaluation Functions", 2018).
//!
//! All numbers are integers: rows and sums in 1/[`UNIT`], every rounding is a shift that is written down here. Every
//! path computes the same.

// Inlining is what makes one source serve every path: see [`Work`](crate::net::Work).
#![allow(clippy::inline_always, clippy::needless_range_loop)]

mod file;
pub(crate) mod head;
pub(crate) mod patterns;
mod sums;

use std::sync::{Arc, OnceLock};

use collinear_rules::{Overline, Player, Rules};

pub use file::LineNetError;
use head::Head;
pub(crate) use sums::LineSums;

use crate::Part;
use patterns::Patterns;

/// Numbers per pattern.
pub(crate) const CHANNELS: usize = 32;
/// One, in rows and sums.
pub(crate) const UNIT: i16 = 128;
/// The most that a cell's sum counts for.
pub(crate) const CAP: i16 = 4 * UNIT;

/// The numbers of one row.
pub(crate) type Row = [i16; CHANNELS];

/// The same at the beginning of a cache line, where a processor reads it at once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Aligned(Row);

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct LineNet {
    k: u8,
    overline: Overline,
    patterns: Patterns,
    /// The numbers of each row of patterns.
    rows: Vec<Row>,
    /// The same for each pattern, mirror images written out.
    table: Vec<Aligned>,
    bias: Row,
    head: Head,
}

impl LineNet {
    /// Puts the parts together; `rows` has as many as the patterns have.
    pub(crate) fn new(k: u8, overline: Overline, rows: Vec<Row>, bias: Row, head: Head) -> Self {
        let patterns = Patterns::new();
        debug_assert_eq!(rows.len(), patterns.row_count());
        let table =
            (0..patterns.count()).map(|number| Aligned(rows[patterns.row(number)])).collect();
        Self { k, overline, patterns, rows, table, bias, head }
    }

    /// The shipped one for a game, if there is one. It learned freestyle Gomoku on boards of 15 × 15.
    pub fn for_rules(rules: &Rules) -> Option<Arc<Self>> {
        static READ: OnceLock<Arc<LineNet>> = OnceLock::new();
        if !Part::GomokuLines.serves(rules) {
            return None;
        }
        if READ.get().is_none() {
            let read = Self::from_bytes(Part::GomokuLines.bytes()?).ok()?;
            let _ = READ.set(Arc::new(read));
        }
        READ.get().filter(|net| net.serves(rules)).cloned()
    }

    /// Whether it can judge this game: rows of the same length and one stone per turn. One that learned where
    /// longer rows win serves where they do not, and in Renju, too: what it says of quiet boards is nearly as true there.
    pub fn serves(&self, rules: &Rules) -> bool {
        !rules.gravity()
            && (usize::from(self.k), 1, 1) == (rules.k(), rules.p(), rules.q())
            && (self.overline == Overline::Wins || self.overline == rules.overline(Player::White))
    }
}

#[cfg(test)]
mod tests;
