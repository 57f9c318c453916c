//! Explained, not only played again: the documents' ideas step by step, as data that a command prints
//! and a page can draw.
//!
//! | what | document |
//! |---|---|
//! | [`WindowScan`]: the sliding window with its marks | 000, §2.1 to 2.3 |
//! | [`LineThreats`]: the generalised threats of a line | 000, §3.2 |
//! | [`ShapePromotions`]: what a stone makes of a shape | 002, §4.3 and §5.1 |
//! | [`MinimaxTree`]: minimax of a small position, with its order, values and cut-offs | 003, Figure 2; 004 |
//! | [`KateSteps`]: a Connect Four program, built up one step at a time | 004 |
//!
//! ```
//! use collinear_documents::connectk::Marks;
//! use collinear_documents::explain::{LineStones, WindowScan};
//! use collinear_documents::tablebase::LineRules;
//! use collinear_rules::Player;
//!
//! // The document's example: two threats, though three windows could win.
//! let line = LineStones::parse("..XXXX..")?;
//! let scan = WindowScan::of(&line, LineRules::CONNECT6, Player::Black, Marks::Last);
//! assert_eq!((scan.steps.len(), scan.threats), (3, 2));
//! # Ok::<(), collinear_documents::explain::LineError>(())
//! ```

mod line;
mod minimax;
mod promotions;
mod steps;
mod threats;
mod windows;

pub use line::{LineError, LineStones};
pub use minimax::{MAX_TREE_NODES, MinimaxTree, TreeError, TreeNode, TreeOptions};
pub use promotions::{CellPromotion, ShapePromotions};
pub use steps::{
    ColumnSearch, ColumnValue, CountedChain, DepthSearch, FirstPly, KateSteps, MAX_STEP_NODES,
    MAX_STEP_PLIES, PositionChains, RemoteColumn, StepsError, StepsOptions,
};
pub use threats::{LineThreats, LookFound, TileThreats};
pub use windows::{Seen, WindowScan, WindowStep};
