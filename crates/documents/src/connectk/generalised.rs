//! Generalised threats: a worth for every cell that counts rows of every length at once.
//!
//! On every line and for every empty cell a look forward and one backward each find a window of `k`
//! cells that one player could still use, and the stones of that player in it: the value `t`. A
//! larger value within `k` cells of the line silences smaller ones, so that the shadow of a long row
//! is not counted as a short one. Where both looks find a window a stone on the cell serves (or
//! stops) two rows, and both values count.
//!
//! That is the document's rule, [`Reading::Text`]: see [`printed`]. Two readings of ours take every
//! window of the stretch around the cell, empty cells behind it included. In [`Reading::Loose`] the
//! rest is as printed. Two looks around one cell often find the same row, and a row of one player
//! does not cast its shadow on the other's: [`Reading::Apart`] lets the second value count only
//! where the looks find different players, and a larger value silence only those of the same player.
//!
//! ```text
//! . . X X X . . O O .       forward from `.` before the O: two white stones,
//!             ^             backward: three black ones, so the cell has the values 3 and 2
//! ```
//!
//! A value `t` is worth 2^(c·(t−1)). With c = 6 the at most eight values of a cell never add up to
//! one longer row.

use collinear_rules::{Geometry, LineId, Player, Position};

use crate::tablebase::shape::low;

pub(crate) mod printed;

/// What to count and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GeneralisedOptions {
    /// Only rows of this player; of both otherwise.
    pub only: Option<Player>,
    /// What a row of `k − p` stones or more is worth.
    pub priority: Priority,
    /// How rows are found.
    pub reading: Reading,
}

/// What a row of `k − p` stones or more is worth (the document's "re-prioritizing": its §3.2 and §6
/// name it without a rule).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priority {
    /// What its stones are worth.
    #[default]
    Stones,
    /// Ours: a row of the mover that the stones left of the turn cannot finish is worth no more than
    /// the longest row below `k − p`.
    Unfinished {
        /// Who is to move.
        mover: Player,
        /// Stones left of the turn.
        left: usize,
    },
    /// As in the authors' program of 2007: a row of the mover that the stones left can finish counts
    /// as `k − p + 1`; any other of `k − p` or more as `k − p`, the mover's as one less.
    Program {
        /// Who is to move.
        mover: Player,
        /// Stones left of the turn.
        left: usize,
    },
}

impl Priority {
    /// The tier of a row in a game of this `k` and `p`.
    fn tier(self, row: Row, k: usize, p: usize) -> u32 {
        let threat = k.saturating_sub(p) as u32;
        let missing = k - row.stones as usize;
        match self {
            Self::Unfinished { mover, left }
                if row.player == mover && row.stones >= threat && missing > left =>
            {
                threat.saturating_sub(1).max(1)
            }
            Self::Program { mover, left } if row.player == mover && missing <= left => threat + 1,
            Self::Program { mover, .. } if row.stones >= threat => {
                threat.saturating_sub(u32::from(row.player == mover)).max(1)
            }
            _ => row.stones,
        }
    }
}

/// How rows are found, and which values of a cell count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// As printed: behind the cell a window holds stones of one player only.
    #[default]
    Text,
    /// So, and windows too short take empty cells behind the cell: as in the authors' program.
    Completed,
    /// Empty cells behind it in any case; the second value always, and larger values silence all smaller ones.
    Loose,
    /// The second value only for the other player; silence only by the same player.
    Apart,
}

/// The worth of every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generalised {
    /// One number per cell.
    pub worth: Vec<u128>,
    /// Rows from which one turn wins: groups of neighbouring cells of a line that have such a
    /// value. Not a number of stones.
    pub threats: usize,
}

/// The paper's constant.
const TIER_BITS: u32 = 6;

/// What one look along a line found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) player: Player,
    pub(crate) stones: u32,
}

/// The worth of every cell of a position.
pub fn generalised(position: &Position, options: GeneralisedOptions) -> Generalised {
    let geometry = position.geometry();
    let mut result = Generalised { worth: vec![0; position.rules().cells()], threats: 0 };
    for line in geometry.lines() {
        let part = generalised_line(geometry, line, position.line(line), options);
        for (cell, worth) in geometry.line_cells(line).iter().zip(part.worth) {
            result.worth[cell.index()] += worth;
        }
        result.threats += part.threats;
    }
    result
}

/// What one line with these stones (Black's, White's) adds to each of its cells. A board's worth is
/// the sum over its lines, so whoever keeps the parts recomputes four lines a stone.
pub fn generalised_line(
    geometry: &Geometry,
    line: LineId,
    stones: [u64; 2],
    options: GeneralisedOptions,
) -> Generalised {
    let rules = geometry.rules();
    let tier_bits = tier_bits(rules.k());
    let threat = rules.k().saturating_sub(rules.p()) as u32;
    let rows = rows_of_line(geometry, line, stones, options);
    let mut result = Generalised { worth: vec![0; rows.len()], threats: 0 };
    let mut before = [None; 2];
    for (index, looks) in rows.iter().enumerate() {
        let kept = looks.map(|row| {
            row.filter(|row| {
                matches!(options.reading, Reading::Text | Reading::Completed)
                    || !is_silenced(&rows, index, rules.k(), row, options.reading)
            })
        });
        for (look, row) in kept.into_iter().enumerate() {
            let Some(row) = row.filter(|row| options.only.is_none_or(|own| row.player == own))
            else {
                continue;
            };
            let tier = options.priority.tier(row, rules.k(), rules.p());
            result.worth[index] += 1 << (tier_bits * (tier - 1));
            let seen = before.contains(&Some(row)) || look == 1 && kept[0] == Some(row);
            if row.stones >= threat && !seen {
                result.threats += 1;
            }
        }
        // The tiles at both sides of a row's stones are neighbours.
        if (stones[0] | stones[1]) >> index & 1 == 0 || kept != [None; 2] {
            before = kept;
        }
    }
    result
}

/// Six bits a tier while the longest row fits, fewer for the very long rows of large boards.
const fn tier_bits(k: usize) -> u32 {
    // Eight values can add up in one cell: three bits of the 128 stay free.
    let fitting = (128 - 3) / k as u32;
    if fitting < TIER_BITS { fitting } else { TIER_BITS }
}

/// For each cell the rows found by the two looks that the reading counts; as printed those silenced
/// are left out, and the longer comes first.
fn rows_of_line(
    geometry: &Geometry,
    line: LineId,
    stones: [u64; 2],
    options: GeneralisedOptions,
) -> Vec<[Option<Row>; 2]> {
    let length = geometry.line_cells(line).len();
    let k = geometry.rules().k();
    if length < k {
        return vec![[None; 2]; length];
    }
    if options.reading == Reading::Completed {
        return printed::Scan { stones, length, k, completes: true }.rows();
    }
    if options.reading == Reading::Text {
        return printed::Scan { stones, length, k, completes: false }.rows();
    }
    let look = Look { stones, length, k };
    (0..length)
        .map(|index| {
            let wanted = |row: &Row| options.only.is_none_or(|player| row.player == player);
            match [look.around(index, 1), look.around(index, -1)].map(|row| row.filter(wanted)) {
                [Some(one), Some(other)]
                    if options.reading == Reading::Apart && one.player == other.player =>
                {
                    [Some(if one.stones < other.stones { other } else { one }), None]
                }
                rows => rows,
            }
        })
        .collect()
}

/// Whether a longer row has a value within `k` cells.
fn is_silenced(
    rows: &[[Option<Row>; 2]],
    index: usize,
    k: usize,
    row: &Row,
    reading: Reading,
) -> bool {
    let near = index.saturating_sub(k)..(index + k + 1).min(rows.len());
    rows[near].iter().flatten().flatten().any(|other| {
        other.stones > row.stones && (reading == Reading::Loose || other.player == row.player)
    })
}

/// A line to look along.
struct Look {
    stones: [u64; 2],
    length: usize,
    k: usize,
}

impl Look {
    /// Looks in one direction, then the other, and counts in the stretch that one player could use.
    fn around(&self, index: usize, step: isize) -> Option<Row> {
        let mut player = None;
        let ahead = self.reach(index, step, &mut player);
        let behind = self.reach(index, -step, &mut player);
        let player = player?;
        let (first, last) = if step > 0 {
            (index + 1 - behind, index + ahead - 1)
        } else {
            (index + 1 - ahead, index + behind - 1)
        };
        let own = self.stones[player.index()];
        let stones = (first..(last + 2).saturating_sub(self.k))
            .map(|start| (own >> start & low(self.k)).count_ones())
            .max()?;
        (stones > 0).then_some(Row { player, stones })
    }

    /// Cells from `index` on, itself included, at most `k`, that are empty or of one player: the
    /// given one, or else the first met.
    fn reach(&self, index: usize, step: isize, player: &mut Option<Player>) -> usize {
        let mut at = Some(index);
        let mut count = 0;
        while let Some(here) = at.filter(|&here| here < self.length && count < self.k) {
            let stone = Player::BOTH.into_iter().find(|p| self.stones[p.index()] >> here & 1 != 0);
            match (stone, *player) {
                (Some(stone), Some(own)) if stone != own => break,
                (Some(stone), None) => *player = Some(stone),
                _ => {}
            }
            count += 1;
            at = here.checked_add_signed(step);
        }
        count
    }
}
