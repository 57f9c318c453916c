//! What a search keeps for each ply, and where a node stands in the tree.

use collinear_rules::Cell;

use super::moves::Candidate;
use super::score::Score;
use crate::cells::CellKind;

/// Stones from the root a search may reach.
pub(super) const MAX_PLY: usize = 128;

/// What a search keeps for one ply, from node to node.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The principal variation from here on.
    pub(super) line: Vec<Cell>,
    /// The stones to try.
    pub(super) list: Vec<Candidate>,
    /// The index of the one being tried.
    pub(super) trying: usize,
    /// The static evaluation (one stone per turn).
    pub(super) evaluation: Score,
    /// What the stone being tried threatens (one stone per turn).
    pub(super) made: CellKind,
    /// A stone that is not to be tried: the search for a singular extension asks what the others
    /// are worth (one stone per turn).
    pub(super) excluded: Option<Cell>,
}

/// A frame for every ply, and spare ones behind the last.
pub(super) fn frames() -> Vec<Frame> {
    vec![Frame::default(); MAX_PLY + 2]
}

/// Where a node stands in the tree.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Stones from the root.
    pub(super) ply: usize,
    /// Turns from the root.
    pub(super) distance: i32,
    /// First ply of this turn.
    pub(super) turn_start: usize,
    /// Added to the static evaluation for the player to move (one stone per turn).
    pub(super) bias: Score,
}

impl Node {
    pub(super) const ROOT: Self = Self { ply: 0, distance: 0, turn_start: 0, bias: 0 };

    /// After one more stone of this turn, or, where the turn `passes`, its last.
    pub(super) const fn after(self, passes: bool) -> Self {
        let ply = self.ply + 1;
        if passes {
            Self { ply, distance: self.distance + 1, turn_start: ply, bias: -self.bias }
        } else {
            Self { ply, ..self }
        }
    }

    /// Whether it is the first of its turn.
    pub(super) const fn starts_turn(self) -> bool {
        self.ply == self.turn_start
    }
}
