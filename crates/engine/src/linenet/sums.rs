//! The sums of a position, kept lazily: stones are noted as they come and go, and the sums of a view follow when they
//! are asked for. What a stone and its taking back would change twice is not touched at all.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, Player};
use collinear_windows::Stones;

use super::patterns::{REACH, power};
use super::{CAP, CHANNELS, LineNet, Row};
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
    cells: Vec<Row>,
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
        Self { net, path, near, stones, views: [view.clone(), view] }
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

    /// The value for the player to move, in 1/256 of a logit.
    #[inline]
    pub(crate) fn value(&mut self, mover: Player) -> i32 {
        let Self { net, path, near, stones, views } = self;
        let work = Renew { net, near, stones, view: &mut views[mover.index()], mover };
        path.run(work)
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
        let cells: Vec<Row> = near.empty.iter().map(|numbers| cell_sum(net, numbers)).collect();
        let mut total = [0; CHANNELS];
        for cell in &cells {
            for (total, &sum) in total.iter_mut().zip(cell) {
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
        for (sum, &part) in sum.iter_mut().zip(&net.table[usize::from(number)]) {
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
        let sum = &mut view.cells[cell];
        for lane in 0..CHANNELS {
            let before = sum[lane];
            let now = before.wrapping_add(new[lane].wrapping_sub(old[lane]));
            sum[lane] = now;
            change[lane] += now.clamp(0, CAP) - before.clamp(0, CAP);
        }
    }
    for (total, change) in view.total.iter_mut().zip(change) {
        *total += i32::from(change);
    }
}
