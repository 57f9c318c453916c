//! The sums of a position, kept lazily: stones are noted as they come and go, and the sums of a view follow when they
//! are asked for. What a stone and its taking back would change twice is not touched at all.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, Player};
use collinear_windows::Stones;

use super::patterns::{REACH, power};
use super::{Aligned, CAP, CHANNELS, LineNet, Row};
use crate::evaluation::Leaf;
use crate::net::{Path, Work};

/// The sums of a position for both players.
#[derive(Clone)]
pub(crate) struct LineSums {
    net: Arc<LineNet>,
    path: Path,
    near: Arc<Near>,
    /// What stands on each cell: 0 nothing, 1 a black stone, 2 a white one.
    stones: Vec<u8>,
    views: [View; 2],
    known: Known,
}

/// The values of positions seen lately: a search comes back to many of them.
///
/// ```text
///   63 ……………………… 18 │ 17 fours to try │ 16 a leaf │ 15 …… 0
///   the key's own      what a leaf has               value
/// ```
#[derive(Clone)]
struct Known(Vec<u64>);

impl Known {
    /// Slots: few enough for a core's second cache.
    const SLOTS: usize = 1 << 14;
    /// Bits that are not the key's.
    const OTHERS: u32 = 18;
    const LEAF: u64 = 1 << 16;
    const FOURS: u64 = 1 << 17;

    fn new() -> Self {
        Self(vec![0; Self::SLOTS])
    }

    #[inline]
    const fn slot(key: u64) -> usize {
        key as usize & (Self::SLOTS - 1)
    }

    /// What there is of a position, its value in the lowest bits.
    #[inline]
    fn get(&self, key: u64) -> Option<u64> {
        let slot = self.0[Self::slot(key)];
        (slot != 0 && (slot ^ key) >> Self::OTHERS == 0).then_some(slot)
    }

    #[inline]
    fn put(&mut self, key: u64, value: i32) {
        if let Ok(value) = i16::try_from(value) {
            let rest = key >> Self::OTHERS << Self::OTHERS;
            self.0[Self::slot(key)] = rest | u64::from(value as u16);
        }
    }

    #[inline]
    fn note_leaf(&mut self, key: u64, has_fours: bool) {
        if self.get(key).is_some() {
            let fours = if has_fours { Self::FOURS } else { 0 };
            self.0[Self::slot(key)] |= Self::LEAF | fours;
        }
    }

    #[inline]
    fn leaf(&self, key: u64) -> Option<Leaf> {
        let slot = self.get(key).filter(|slot| slot & Self::LEAF != 0)?;
        Some(Leaf { value: i32::from(slot as i16), has_fours: slot & Self::FOURS != 0 })
    }
}

/// For every cell the patterns that see it.
struct Near {
    starts: Vec<u32>,
    seen: Vec<Seeing>,
    /// The number of the pattern without stones in each direction of each cell.
    empty: Vec<[u16; 4]>,
}

/// A pattern that sees a cell.
#[derive(Clone, Copy)]
struct Seeing {
    /// The cell in its middle, and the direction.
    cell: u16,
    direction: u8,
    /// What an own stone adds to its number.
    power: u16,
}

/// What one player sees, as of when it was last asked for.
#[derive(Clone)]
struct View {
    /// 0 nothing, 1 own, 2 other's.
    stones: Vec<u8>,
    numbers: Vec<[u16; 4]>,
    /// Before they are cut.
    cells: Vec<Aligned>,
    total: [i32; CHANNELS],
    /// Cells on which something may have changed since, and whether they are listed.
    changed: Vec<u16>,
    is_changed: Vec<bool>,
}

impl Near {
    fn new(geometry: &Geometry, net: &LineNet) -> Self {
        let mut near = Self { starts: vec![0], seen: Vec::new(), empty: Vec::new() };
        for cell in geometry.rules().all_cells() {
            let mut empty = [0; 4];
            for (direction, at) in geometry.lines_through(cell).iter().enumerate() {
                let cells = geometry.line_cells(at.line);
                let index = usize::from(at.index);
                empty[direction] = net.patterns.empty(index, cells.len()) as u16;
                let last = (index + REACH).min(cells.len() - 1);
                near.seen.extend((index.saturating_sub(REACH)..=last).map(|middle| Seeing {
                    cell: cells[middle].index() as u16,
                    direction: direction as u8,
                    power: power(middle, index) as u16,
                }));
            }
            near.empty.push(empty);
            near.starts.push(near.seen.len() as u32);
        }
        near
    }

    #[inline]
    fn of(&self, cell: usize) -> &[Seeing] {
        &self.seen[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

impl LineSums {
    /// Of the empty board, with the fastest path of this machine.
    pub(crate) fn new(geometry: &Geometry, net: Arc<LineNet>) -> Self {
        Self::with_path(geometry, net, Path::fastest())
    }

    pub(super) fn with_path(geometry: &Geometry, net: Arc<LineNet>, path: Path) -> Self {
        let near = Arc::new(Near::new(geometry, &net));
        let view = View::new(&net, &near);
        let stones = vec![0; geometry.rules().cells()];
        Self { net, path, near, stones, views: [view.clone(), view], known: Known::new() }
    }

    /// Takes over another position.
    pub(crate) fn set(&mut self, board: &Stones) {
        for cell in 0..self.stones.len() {
            self.write(cell, stone(board, Cell::new(cell)));
        }
    }

    /// A stone was placed: the board has it already.
    #[inline]
    pub(crate) fn place(&mut self, board: &Stones, cell: Cell) {
        self.write(cell.index(), stone(board, cell));
    }

    /// A stone was taken back.
    #[inline]
    pub(crate) fn remove(&mut self, cell: Cell) {
        self.write(cell.index(), 0);
    }

    #[inline]
    fn write(&mut self, cell: usize, stone: u8) {
        if self.stones[cell] == stone {
            return;
        }
        self.stones[cell] = stone;
        for view in &mut self.views {
            if !std::mem::replace(&mut view.is_changed[cell], true) {
                view.changed.push(cell as u16);
            }
        }
    }

    /// The value for the player to move, in 1/256 of a logit, once for each key of a position.
    #[inline]
    pub(crate) fn value_of(&mut self, mover: Player, key: u64) -> i32 {
        if let Some(known) = self.known.get(key) {
            return i32::from(known as i16);
        }
        let value = self.value(mover);
        self.known.put(key, value);
        value
    }

    /// Remembers that the position with this key is a leaf.
    #[inline]
    pub(crate) fn note_leaf(&mut self, key: u64, has_fours: bool) {
        self.known.note_leaf(key, has_fours);
    }

    /// The leaf with this key, if it is remembered.
    #[inline]
    pub(crate) fn known_leaf(&self, key: u64) -> Option<Leaf> {
        self.known.leaf(key)
    }

    /// The value for the player to move, in 1/256 of a logit.
    #[inline]
    pub(crate) fn value(&mut self, mover: Player) -> i32 {
        let Self { net, path, near, stones, views, .. } = self;
        path.run(Renew { net, near, stones, view: &mut views[mover.index()], mover })
    }
}

/// What stands on a cell.
#[inline]
fn stone(board: &Stones, cell: Cell) -> u8 {
    let at = board.geometry().lines_through(cell)[0];
    let on = |player| (board.on(at.line, player) >> at.index & 1) as u8;
    on(Player::Black) | on(Player::White) << 1
}

impl View {
    fn new(net: &LineNet, near: &Near) -> Self {
        let cells: Vec<Aligned> =
            near.empty.iter().map(|numbers| Aligned(cell_sum(net, numbers))).collect();
        let mut total = [0; CHANNELS];
        for cell in &cells {
            for (total, &sum) in total.iter_mut().zip(&cell.0) {
                *total += i32::from(sum.clamp(0, CAP));
            }
        }
        Self {
            stones: vec![0; cells.len()],
            numbers: near.empty.clone(),
            total,
            changed: Vec::new(),
            is_changed: vec![false; cells.len()],
            cells,
        }
    }
}

/// The sum of a cell, before it is cut.
fn cell_sum(net: &LineNet, numbers: &[u16; 4]) -> Row {
    let mut sum = net.bias;
    for &number in numbers {
        for (sum, &part) in sum.iter_mut().zip(&net.table[usize::from(number)].0) {
            *sum += part;
        }
    }
    sum
}

/// Brings a view up to date and values it.
struct Renew<'a> {
    net: &'a LineNet,
    near: &'a Near,
    stones: &'a [u8],
    view: &'a mut View,
    mover: Player,
}

impl Work for Renew<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self { net, near, stones, view, mover } = self;
        while let Some(cell) = view.changed.pop() {
            let cell = usize::from(cell);
            view.is_changed[cell] = false;
            // From black and white to own and other's: the two bits change places.
            let now = match (mover, stones[cell]) {
                (Player::White, stone @ 1..) => 3 - stone,
                (_, stone) => stone,
            };
            let before = std::mem::replace(&mut view.stones[cell], now);
            if before != now {
                let step = i16::from(now) - i16::from(before);
                change(net, near.of(cell), step, view);
            }
        }
        net.head.value(&view.total)
    }
}

/// Every pattern that sees a cell, when the digit of the cell rises by `step`.
#[inline(always)]
fn change(net: &LineNet, seen: &[Seeing], step: i16, view: &mut View) {
    // At most 36 patterns change by at most CAP: an i16 holds that.
    let mut change = [0_i16; CHANNELS];
    for seeing in seen {
        let cell = usize::from(seeing.cell);
        let number = &mut view.numbers[cell][usize::from(seeing.direction & 3)];
        let old = &net.table[usize::from(*number)];
        *number = number.wrapping_add_signed(step.wrapping_mul(seeing.power as i16));
        let new = &net.table[usize::from(*number)];
        change = exchange(&mut view.cells[cell].0, &old.0, &new.0, change);
    }
    for (total, change) in view.total.iter_mut().zip(change) {
        *total += i32::from(change);
    }
}

/// Another pattern of a cell; what that changes of the total is added to `change`. By value, so that the compiler keeps
/// `change` in registers: in memory each pattern would wait for the one before.
#[inline(always)]
fn exchange(sum: &mut Row, old: &Row, new: &Row, mut change: Row) -> Row {
    for lane in 0..CHANNELS {
        let before = sum[lane];
        let now = before.wrapping_add(new[lane].wrapping_sub(old[lane]));
        sum[lane] = now;
        change[lane] += now.clamp(0, CAP) - before.clamp(0, CAP);
    }
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_of_the_same_key() {
        let mut known = Known::new();
        let key = 0x1234_5678_9abc_def0;
        known.note_leaf(key, true);
        assert_eq!((known.get(key), known.leaf(key)), (None, None));
        for (value, has_fours) in [(-7, false), (32_767, true), (-32_768, true), (0, false)] {
            known.put(key, value);
            assert_eq!(known.get(key).map(|slot| i32::from(slot as i16)), Some(value));
            assert_eq!(known.leaf(key), None, "an evaluation alone is no leaf");
            known.note_leaf(key, has_fours);
            assert_eq!(known.leaf(key), Some(Leaf { value, has_fours }));
        }
        // The same slot, another position.
        let other = key ^ 1 << 40;
        assert_eq!((known.get(other), known.leaf(other)), (None, None));
        known.put(other, 5);
        assert_eq!(known.get(key), None);
        // What does not fit is not remembered.
        known.put(key, 40_000);
        assert_eq!(known.get(key), None);
    }
}
