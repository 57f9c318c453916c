//! Ideas of the source documents, step by step: what a page asks to have explained, and the steps.
//!
//! Tiles of a line are counted from 0, from the left; cells of trees are named (`b1`), since a tree
//! stands beside no board.

use crate::json::tagged_enum;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Colour;

tagged_enum! {
tag = "idea";
/// What is to be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainAsked {
    /// The sliding window that counts threats.
    Windows {
        /// `X` a black stone, `O` a white one, `.` an empty tile.
        line: String,
        /// Cells in a row that win.
        k: u8,
        /// Stones per turn.
        p: u8,
        /// Whose threats.
        colour: Colour,
        /// Whether every empty tile of a threat is marked, not only the last one.
        mark_all: bool,
    },
    /// The generalised threats of a line.
    Threats {
        /// The line.
        line: String,
        /// Cells in a row that win.
        k: u8,
        /// Stones per turn.
        p: u8,
    },
    /// What a stone makes of a shape.
    Promotions {
        /// `X` a stone, `.` an empty cell.
        shape: String,
        /// Cells in a row that win.
        k: u8,
        /// Stones per turn.
        p: u8,
    },
    /// The minimax tree of a small position.
    Minimax {
        /// The rules: `3x3,k=3`.
        game: String,
        /// Stones played so far: `b1 a1 c1`.
        moves: String,
        /// Plies to look ahead.
        plies: u8,
        /// Whether alpha-beta leaves out what cannot matter.
        prune: bool,
    },
    /// A Connect Four program built up one step at a time.
    Steps {
        /// The rules: `connect4`.
        game: String,
        /// Stones played so far.
        moves: String,
        /// Plies to look ahead.
        plies: u8,
    },
    /// How a proof goes on against each defence.
    Proof {
        /// The rules.
        game: String,
        /// Stones played so far.
        moves: String,
    },
}
}

/// The steps of an idea.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, TS)]
#[serde(tag = "idea", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Explained {
    /// Of the sliding window.
    Windows {
        /// The line.
        line: String,
        /// Cells of a window.
        k: u32,
        /// Stones that make a window a threat.
        enough: u32,
        /// The windows in order.
        steps: Vec<WindowStep>,
    },
    /// Of the generalised threats.
    Threats {
        /// The line.
        line: String,
        /// Cells of a window.
        k: u32,
        /// The tiles in order.
        tiles: Vec<TileStep>,
    },
    /// Of the promotions.
    Promotions {
        /// The shape.
        shape: String,
        /// Its type: `L3`.
        kind: String,
        /// Its empty cells, from left to right.
        cells: Vec<PromotionStep>,
    },
    /// Of minimax.
    Minimax {
        /// The board as the tree begins: a text for each row, the top one first.
        board: Vec<String>,
        /// Who is to move.
        to_move: Colour,
        /// The value of the best move.
        value: i32,
        /// Moves looked at.
        nodes: u32,
        /// Moves that alpha-beta left out.
        left_out: u32,
        /// The moves of the root, in order.
        moves: Vec<TreeStep>,
    },
    /// Of the program.
    Steps {
        /// The board, as above.
        board: Vec<String>,
        /// What each step makes of it.
        told: Box<ProgramSteps>,
    },
    /// Of a proof.
    Proof {
        /// The board as the proof begins, as above.
        board: Vec<String>,
        /// Who wins.
        winner: Colour,
        /// In at most this many own turns.
        turns: u32,
        /// The first turn.
        first: ProofStep,
        /// Defences that are answered and not shown.
        left_out: u32,
    },
    /// It cannot be explained; why.
    Problem {
        /// For the person.
        text: String,
    },
}

/// One window of the scan.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct WindowStep {
    /// Its first tile.
    pub first: u32,
    /// Stones of the player who threatens.
    pub stones: u32,
    /// What the counter makes of it.
    pub seen: WindowSeen,
    /// The tiles it marks.
    pub marked: Vec<u32>,
    /// Threats counted so far, this window included.
    pub threats: u32,
}

/// What the counter makes of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum WindowSeen {
    /// An opposing stone stops it.
    Opposing,
    /// It has too few stones.
    TooFew,
    /// One of its tiles is marked.
    Marked,
    /// A threat.
    Threat,
}

/// What a tile finds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct TileStep {
    /// The window found looking forward, and backward.
    pub looks: [Option<LookStep>; 2],
    /// The values that count, the larger first.
    pub values: [Option<u32>; 2],
}

/// A window found by a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct LookStep {
    /// Its first tile.
    pub first: u32,
    /// Whose it is.
    pub colour: Colour,
    /// Stones of that player in it.
    pub stones: u32,
}

/// A stone on one cell of a shape.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PromotionStep {
    /// The cell, from the left.
    pub place: u32,
    /// The shape with the stone.
    pub becomes: String,
    /// Its type.
    pub kind: String,
    /// Whether that is a promotion.
    pub promotes: bool,
    /// The type of the cell itself.
    pub cell_kind: String,
}

/// A move of a minimax tree.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct TreeStep {
    /// Where.
    pub cell: String,
    /// Who plays it.
    pub colour: Colour,
    /// Its place in the order in which moves were looked at.
    pub order: u32,
    /// What it is worth to its player; after a cut a bound, which is at most this.
    pub value: i32,
    /// Whether replies were left out.
    pub cut: bool,
    /// Whether it is a best one of its siblings: each of equals, with alpha-beta the first alone.
    pub best: bool,
    /// The replies.
    pub replies: Vec<TreeStep>,
}

/// What each step of a Connect Four program makes of a position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProgramSteps {
    /// Who is to move.
    pub to_move: Colour,
    /// Plies looked ahead.
    pub plies: u32,
    /// Every move is looked at; undecided boards are worth nothing.
    pub minimax: ColumnSearch,
    /// Moves that cannot change the result are left out.
    pub alpha_beta: ColumnSearch,
    /// The same depth by depth.
    pub deepening: Vec<DepthStep>,
    /// The chains that count, the player's to move first.
    pub chains: Vec<ChainStep>,
    /// Runs with discs that are shorter than a row.
    pub too_short: u32,
    /// Points of the player to move, and of the opponent.
    pub points: [i32; 2],
    /// Alpha-beta where undecided boards are worth their chains.
    pub with_chains: ColumnSearch,
    /// What a win is worth on ply 1, 2 and so on.
    pub wins: Vec<i32>,
    /// Empty columns with empty neighbours only.
    pub left_out: Vec<RemoteStep>,
    /// Whether all columns are such: then all are looked at.
    pub all_remote: bool,
    /// The search without them on the first ply.
    pub first_ply: ColumnSearch,
    /// All steps together, depth by depth.
    pub whole: Vec<DepthStep>,
}

/// A search at the full depth.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct ColumnSearch {
    /// The columns that were looked at, from left to right.
    pub columns: Vec<ColumnStep>,
    /// The move.
    pub cell: String,
    /// Its value for the player to move.
    pub value: i32,
    /// Moves looked at.
    pub nodes: u32,
    /// Boards of which replies were left out.
    pub cuts: u32,
}

/// A column of the position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ColumnStep {
    /// Where its disc comes to lie.
    pub cell: String,
    /// Its value for the player to move.
    pub value: i32,
    /// Whether it may be worth less.
    pub at_most: bool,
    /// The ply of the win or loss that the value stands for.
    pub decided_on: Option<u32>,
}

/// A finished iteration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DepthStep {
    /// Plies ahead.
    pub depth: u32,
    /// The move in hand if time ended here.
    pub cell: String,
    /// Its value for the player to move.
    pub value: i32,
    /// The ply of the win or loss that the value stands for.
    pub decided_on: Option<u32>,
    /// Moves looked at by this iteration.
    pub nodes: u32,
    /// Moves looked at so far.
    pub nodes_so_far: u32,
}

/// A chain that counts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct ChainStep {
    /// Whose it is.
    pub colour: Colour,
    /// Its cells from end to end.
    pub cells: Vec<String>,
    /// Discs in it.
    pub discs: u32,
    /// Their number squared.
    pub points: i32,
}

/// An empty column with empty neighbours only.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct RemoteStep {
    /// Its name.
    pub column: String,
    /// The names of its neighbours.
    pub neighbours: Vec<String>,
}

/// A winning turn of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct ProofStep {
    /// Its stones.
    pub stones: Vec<String>,
    /// What it leads to.
    pub then: ProofThen,
    /// The defences.
    pub defences: Vec<DefenceStep>,
}

/// What a winning turn leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ProofThen {
    /// The row is complete.
    Row,
    /// More stones are needed against its threats than a turn has.
    TooMany,
    /// It can be answered.
    Defences,
}

/// An answer to a winning turn.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct DefenceStep {
    /// Its stones.
    pub stones: Vec<String>,
    /// How the win goes on; none where the tree is cut off.
    pub answer: Option<Box<ProofStep>>,
}
