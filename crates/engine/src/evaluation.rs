//! The static evaluations, one of which a [`State`](crate::State) keeps: what a position is worth, and
//! a policy for its cells.
//!
//! All are kept up to date stone by stone: [`place`](Evaluation::place) hears of every stone after it
//! is on the board, [`remove`](Evaluation::remove) after it is off again, last stone first. An
//! evaluation may put work off until it is asked. Another one is another variant here; the searches
//! know none of them by name, but the search with one stone per turn needs
//! [`cells`](Evaluation::cells).

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, Player};
use collinear_windows::Stones;

use crate::cells::Cells;
use crate::linenet::LineSums;
use crate::lines::Lines;
use crate::state::TurnPoint;
use crate::weights::Weights;

/// The evaluation of a position.
#[derive(Clone)]
pub(crate) enum Evaluation {
    /// Sums over line patterns, for any number of stones per turn.
    Lines(Lines),
    /// Sums over combinations of a cell's four lines, for one stone per turn.
    Cells(Cells),
    /// The same, but learned line patterns say what a position is worth.
    Learned(Cells, Box<LineSums>),
}

/// What the quiescence search needs to know of a position where no row and no open four is at hand, and no row of the
/// opponent must be stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// The evaluation for the player to move, in 1/256 of a logit.
    pub(crate) value: i32,
    /// Whether he has fours to try.
    pub(crate) has_fours: bool,
}

impl Evaluation {
    /// Added to the policy of cells with a stone: masks occupied cells.
    pub(crate) const OCCUPIED: i32 = -(1 << 28);

    /// Less than the policy of every empty cell, more than that of a cell with a stone.
    pub(crate) const NOBODY: i32 = Self::OCCUPIED / 2;

    /// The one that the weights are made for; [`set`](Self::set) gives it its position.
    pub(crate) fn new(geometry: &Arc<Geometry>, weights: &Arc<Weights>) -> Self {
        let Some(cells) = Cells::new(geometry.rules(), weights) else {
            return Self::Lines(Lines::new(geometry, weights.clone()));
        };
        match weights.learned() {
            Some(net) => Self::Learned(cells, Box::new(LineSums::new(geometry, net.clone()))),
            None => Self::Cells(cells),
        }
    }

    /// Takes over another position.
    pub(crate) fn set(&mut self, board: &Stones) {
        match self {
            Self::Lines(lines) => lines.set(board),
            Self::Cells(cells) => cells.set(board),
            Self::Learned(cells, sums) => {
                cells.set(board);
                sums.set(board);
            }
        }
    }

    /// A stone was placed: the board has it already.
    #[inline]
    pub(crate) fn place(&mut self, board: &Stones, cell: Cell) {
        match self {
            Self::Lines(lines) => lines.place(board, cell),
            Self::Cells(cells) => cells.place(board, cell),
            Self::Learned(cells, sums) => {
                cells.place(board, cell);
                sums.place(board, cell);
            }
        }
    }

    /// The last stone was taken back: the board no longer has it.
    #[inline]
    pub(crate) fn remove(&mut self, board: &Stones, cell: Cell) {
        match self {
            Self::Lines(lines) => lines.remove(board, cell),
            Self::Cells(cells) => cells.remove(cell),
            Self::Learned(cells, sums) => {
                cells.remove(cell);
                sums.remove(cell);
            }
        }
    }

    /// What the position is worth to the player to move, in 1/256 of a logit; its key stands for the position.
    #[inline]
    pub(crate) fn evaluate(&mut self, turn: TurnPoint, key: u64) -> i32 {
        match self {
            Self::Lines(lines) => lines.evaluation(turn),
            Self::Cells(cells) => cells.evaluation(turn.player),
            // Positions that rows and fours decide were not learned.
            Self::Learned(cells, _) if cells.is_forced(turn.player) => {
                cells.evaluation(turn.player)
            }
            Self::Learned(_, sums) => sums.value_of(turn.player, key),
        }
    }

    /// Remembers that the position with this key, just evaluated, is a leaf.
    #[inline]
    pub(crate) fn note_leaf(&mut self, key: u64, has_fours: bool) {
        if let Self::Learned(_, sums) = self {
            sums.note_leaf(key, has_fours);
        }
    }

    /// The leaf with this key, if it is remembered.
    #[inline]
    pub(crate) fn known_leaf(&self, key: u64) -> Option<Leaf> {
        match self {
            Self::Learned(_, sums) => sums.known_leaf(key),
            Self::Lines(_) | Self::Cells(_) => None,
        }
    }

    /// The policy of every cell for a colour to move: logits in 1/256, less [`OCCUPIED`](Self::OCCUPIED)
    /// where a stone is.
    #[inline]
    pub(crate) fn policy(&mut self, board: &Stones, player: Player) -> &[i32] {
        match self {
            Self::Lines(lines) => lines.policy(board, player),
            Self::Cells(cells) | Self::Learned(cells, _) => cells.policy(player),
        }
    }

    /// The policy of one empty cell for a colour to move.
    #[inline]
    pub(crate) fn policy_of(&self, board: &Stones, player: Player, cell: Cell) -> i32 {
        match self {
            Self::Lines(lines) => lines.policy_of(board, player, cell),
            Self::Cells(cells) | Self::Learned(cells, _) => cells.policy(player)[cell.index()],
        }
    }

    /// Shapes and threats of every cell, where they are kept.
    #[inline]
    pub(crate) const fn cells(&self) -> Option<&Cells> {
        match self {
            Self::Lines(_) => None,
            Self::Cells(cells) | Self::Learned(cells, _) => Some(cells),
        }
    }
}
