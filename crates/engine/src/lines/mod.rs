//! The evaluation by line patterns: sums over the lines of the board.
//!
//! A stone changes its four lines and nothing else, so it renews their sums at once, for every position
//! is evaluated. The policy is asked for only where stones are to be chosen, so lines that have changed
//! are noted and their share of it is renewed then.

mod memo;

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineId, Player};
use collinear_windows::Stones;

use crate::evaluation::Evaluation;
use crate::state::TurnPoint;
use crate::weights::Weights;
use memo::{LineMemo, Sums};

pub(crate) use memo::LineStones;

/// Sums over the lines of a position.
#[derive(Clone)]
pub(crate) struct Lines {
    weights: Arc<Weights>,
    memo: LineMemo,
    /// What [`length`] says of each line.
    lengths: Arc<[u8]>,
    /// The sums of each line, and of all together.
    sums: Vec<Sums>,
    total: Sums,
    /// Per colour to move the policy of every cell, as of the lines in `counted`.
    policy: [Vec<i32>; 2],
    counted: Vec<LineStones>,
    /// The lines that may differ from those in `counted`.
    changed: Changed,
    /// What each stone has changed: the total, and the sums of its four lines.
    undo: Vec<(Sums, [Sums; 4])>,
}

/// A set of lines.
#[derive(Clone)]
struct Changed {
    lines: Vec<LineId>,
    has: Vec<bool>,
}

impl Changed {
    #[inline]
    fn note(&mut self, line: LineId) {
        if !std::mem::replace(&mut self.has[line.index()], true) {
            self.lines.push(line);
        }
    }

    #[inline]
    fn take(&mut self) -> Option<LineId> {
        let line = self.lines.pop()?;
        self.has[line.index()] = false;
        Some(line)
    }
}

/// Cells of a line; 0, as if it were not there, if it is too short for a row and long enough for a
/// pattern that sees only a part of a row.
fn length(geometry: &Geometry, line: LineId, weights: &Weights) -> u8 {
    let length = geometry.line_cells(line).len();
    let is_short = length < geometry.rules().k();
    if is_short && length >= weights.space().window() { 0 } else { length as u8 }
}

/// What stands on a line, as patterns see it.
pub(crate) fn stones_on(board: &Stones, line: LineId, weights: &Weights) -> LineStones {
    LineStones {
        stones: Player::BOTH.map(|player| board.on(line, player)),
        length: u32::from(length(board.geometry(), line, weights)),
    }
}

impl Lines {
    /// For a board without a position yet.
    pub(crate) fn new(geometry: &Arc<Geometry>, weights: Arc<Weights>) -> Self {
        let lengths: Arc<[u8]> =
            geometry.lines().map(|line| length(geometry, line, &weights)).collect();
        let longest = lengths.iter().copied().max().unwrap_or_default();
        Self {
            weights,
            memo: LineMemo::new(usize::from(longest)),
            sums: vec![Sums::default(); lengths.len()],
            total: Sums::default(),
            policy: Player::BOTH.map(|_| vec![0; geometry.rules().cells()]),
            counted: vec![LineStones::default(); lengths.len()],
            changed: Changed { lines: Vec::new(), has: vec![false; lengths.len()] },
            lengths,
            undo: Vec::new(),
        }
    }

    /// Takes over another position.
    pub(crate) fn set(&mut self, board: &Stones) {
        let geometry = board.geometry();
        self.undo.clear();
        self.total = Sums::default();
        self.sums.fill(Sums::default());
        self.policy.iter_mut().for_each(|policy| policy.fill(0));
        self.counted.fill(LineStones::default());
        for cell in geometry.rules().all_cells().filter(|&cell| !board.is_empty(cell)) {
            self.mark(cell, 1);
        }
        for line in geometry.lines() {
            self.renew(board, line);
        }
    }

    /// A stone was placed: the board has it already.
    pub(crate) fn place(&mut self, board: &Stones, cell: Cell) {
        let total = self.total;
        let sums = board.geometry().lines_through(cell).map(|at| self.renew(board, at.line));
        self.undo.push((total, sums));
        self.mark(cell, 1);
    }

    /// The last stone was taken back.
    pub(crate) fn remove(&mut self, board: &Stones, cell: Cell) {
        let Some((total, sums)) = self.undo.pop() else { return };
        for (at, sums) in board.geometry().lines_through(cell).iter().zip(sums) {
            if self.lengths[at.line.index()] > 0 {
                self.sums[at.line.index()] = sums;
                self.changed.note(at.line);
            }
        }
        self.total = total;
        self.mark(cell, -1);
    }

    /// The evaluation for the player to move, in 1/256 of a logit.
    #[inline]
    pub(crate) fn evaluation(&self, turn: TurnPoint) -> i32 {
        let mover = turn.player;
        let sum = self.total.mover[mover.index()] - self.total.waiter[(!mover).index()];
        self.weights.tempo(turn.left) + (sum >> Weights::FRACTION_BITS)
    }

    /// The policy of every cell for a colour to move.
    pub(crate) fn policy(&mut self, board: &Stones, player: Player) -> &[i32] {
        while let Some(line) = self.changed.take() {
            let now = self.line(board, line);
            let before = std::mem::replace(&mut self.counted[line.index()], now);
            if before == now {
                continue;
            }
            let cells = board.geometry().line_cells(line);
            let [black, white] = &mut self.policy;
            for (cell, share) in cells.iter().zip(self.memo.policy(before, &self.weights)) {
                black[cell.index()] -= share[0];
                white[cell.index()] -= share[1];
            }
            for (cell, share) in cells.iter().zip(self.memo.policy(now, &self.weights)) {
                black[cell.index()] += share[0];
                white[cell.index()] += share[1];
            }
        }
        &self.policy[player.index()]
    }

    /// The policy of one empty cell for a colour to move.
    pub(crate) fn policy_of(&self, board: &Stones, player: Player, cell: Cell) -> i32 {
        let lines = board.geometry().lines_through(cell);
        lines.iter().fold(0, |sum, at| {
            let (line, index) = (self.line(board, at.line), usize::from(at.index));
            if line.length == 0 {
                return sum;
            }
            let attack = self.weights.seen(line, index, player).attack;
            let defend = self.weights.seen(line, index, !player).defend;
            sum + i32::from(attack) + i32::from(defend)
        })
    }

    /// What stands on a line.
    #[inline]
    fn line(&self, board: &Stones, line: LineId) -> LineStones {
        LineStones {
            stones: Player::BOTH.map(|player| board.on(line, player)),
            length: u32::from(self.lengths[line.index()]),
        }
    }

    /// Sums a line anew; gives the sums it had.
    #[inline]
    fn renew(&mut self, board: &Stones, line: LineId) -> Sums {
        if self.lengths[line.index()] == 0 {
            return Sums::default();
        }
        let now = self.memo.sums(self.line(board, line), &self.weights);
        let before = std::mem::replace(&mut self.sums[line.index()], now);
        self.total = self.total.after_change(before, now);
        self.changed.note(line);
        before
    }

    #[inline]
    fn mark(&mut self, cell: Cell, sign: i32) {
        for policy in &mut self.policy {
            policy[cell.index()] += sign * Evaluation::OCCUPIED;
        }
    }
}
