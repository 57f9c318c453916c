//! Nodes and edges of the network search: what is counted, what is proved, what is to do next.

use collinear_rules::{Cell, Player};

/// A node by its place in the tree.
pub(crate) type NodeId = u32;

pub(super) const NO_NODE: NodeId = u32::MAX;

/// What is proved about a position, for the player to move. Turns count as in
/// [`Value`](collinear_play::Value): own turns to a win, the opponent's to a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Won(u16),
    Lost(u16),
    Drawn,
}

impl Outcome {
    pub(crate) const fn value(self) -> f64 {
        match self {
            Self::Won(_) => 1.0,
            Self::Lost(_) => -1.0,
            Self::Drawn => 0.0,
        }
    }

    /// How good it is: near wins before far ones, far losses before near ones.
    pub(super) const fn rank(self) -> i32 {
        match self {
            Self::Won(turns) => 100_000 - turns as i32,
            Self::Lost(turns) => turns as i32 - 100_000,
            Self::Drawn => 0,
        }
    }

    /// As the opponent sees it one turn earlier, when it was his turn.
    pub(super) const fn for_opponent_before(self) -> Self {
        match self {
            Self::Won(turns) => Self::Lost(turns),
            Self::Lost(turns) => Self::Won(turns.saturating_add(1)),
            Self::Drawn => Self::Drawn,
        }
    }
}

/// How much is known of a node's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Never looked at.
    New,
    /// A thread is looking at it.
    Busy,
    /// The likely stones are there.
    Likely,
    /// All likely stones lose: the others must be looked at before the loss is believed.
    Doubted,
    /// Every stone that could help is there.
    Complete,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) key: u64,
    pub(crate) player: Player,
    pub(crate) left: u8,
    pub(crate) empties: u16,
    pub(crate) stage: Stage,
    pub(crate) proved: Option<Outcome>,
    pub(crate) visits: u32,
    pub(super) total: f64,
    /// Playouts under way through this node: each counts as a loss for whoever chose it.
    pub(super) virtual_loss: u32,
    /// Visits at the last longer proof search.
    pub(super) grown: u32,
    /// What the network said, and the search believed first.
    pub(crate) first_value: f32,
    pub(super) first_edge: u32,
    pub(super) edges: u16,
}

impl Node {
    pub(crate) fn mean(&self) -> f64 {
        match self.proved {
            Some(outcome) => outcome.value(),
            None if self.visits > 0 => self.total / f64::from(self.visits),
            None => 0.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) cell: Cell,
    pub(crate) prior: f32,
    pub(crate) visits: u32,
    pub(super) child: NodeId,
}

impl Edge {
    pub(crate) fn child(&self) -> Option<NodeId> {
        (self.child != NO_NODE).then_some(self.child)
    }
}

/// What a simulation has to do next at the node it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Evaluate a new node; all stones if the likely ones lose.
    Expand { all: bool },
    /// Look for longer proofs at a node with this many visits.
    Prove { visits: u32 },
    /// Nothing: the value is known.
    Known,
    /// Another thread is at it.
    Collide,
}

/// What was found out about a node.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    Proved(Outcome),
    Open { value: f64, stones: Vec<(Cell, f32)>, complete: bool },
}
