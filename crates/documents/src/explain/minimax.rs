//! Minimax as the Connect Four documents draw it: every node with its value, in the order in which it
//! was looked at, and what alpha-beta need not look at (document 003, Figure 2; document 004).
//!
//! A move that wins is worth 10,000 to its player; a board at the horizon nothing; and a value loses a
//! twentieth, cut to a whole number, with every ply on the way up, so that near wins come first.

use collinear_rules::{Outcome, Player, Position, notation};
use serde::Serialize;
use thiserror::Error;

use crate::karplus::decay::{INFINITY, faded, reaching};

/// The value of a win.
const WIN: i64 = 10_000;

/// Larger trees are not for reading.
pub const MAX_TREE_NODES: usize = 5000;

/// How a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// Plies to look ahead.
    pub plies: u32,
    /// Whether alpha-beta leaves out what cannot matter.
    pub prune: bool,
}

/// A searched position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MinimaxTree {
    /// Who is to move at the root.
    pub to_move: Player,
    /// Whether alpha-beta left out what cannot matter: then of equal moves the first is marked as the best.
    pub pruned: bool,
    /// The value of the best move.
    pub value: i64,
    /// Moves looked at.
    pub nodes: usize,
    /// Moves that alpha-beta left out without a look.
    pub left_out: usize,
    /// The moves of the root, in order.
    pub moves: Vec<TreeNode>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TreeNode {
    /// Where.
    pub cell: String,
    /// Who plays it.
    pub player: Player,
    /// Its place in the order in which moves were looked at, from 1.
    pub order: usize,
    /// What it is worth to its player; after a cut a bound, which is at most this.
    pub value: i64,
    /// Whether replies were left out.
    pub cut: bool,
    /// Whether it is a best one of its siblings. Any of these might be returned, as the last field of the
    /// document's boxes says; with alpha-beta only the first is marked, since the values of others are bounds.
    pub best: bool,
    /// The replies, in order.
    pub replies: Vec<TreeNode>,
}

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The game is over.
    #[error("the game is over: there is no move to look at")]
    GameOver,
    /// It would be too large to read.
    #[error("the tree has more than {MAX_TREE_NODES} moves: fewer plies or a smaller board")]
    TooLarge,
}

impl MinimaxTree {
    /// Searches a position.
    pub fn of(position: &Position, options: TreeOptions) -> Result<Self, TreeError> {
        if position.is_over() {
            return Err(TreeError::GameOver);
        }
        let mut search = Growth { position: position.clone(), options, nodes: 0, left_out: 0 };
        let bounds = Bounds { alpha: -INFINITY, beta: INFINITY };
        let (value, moves) = search.moves(options.plies.max(1), bounds)?;
        let Growth { nodes, left_out, .. } = search;
        let (to_move, pruned) = (position.to_move(), options.prune);
        Ok(Self { to_move, pruned, value, nodes, left_out, moves })
    }
}

/// Values up to alpha and from beta on need not be told apart.
#[derive(Clone, Copy)]
struct Bounds {
    alpha: i64,
    beta: i64,
}

struct Growth {
    position: Position,
    options: TreeOptions,
    nodes: usize,
    left_out: usize,
}

impl Growth {
    /// The best value of the player to move, with all moves that were looked at.
    fn moves(&mut self, plies: u32, bounds: Bounds) -> Result<(i64, Vec<TreeNode>), TreeError> {
        let Bounds { mut alpha, beta } = bounds;
        let cells = self.position.legal_cells();
        let mut found: Vec<TreeNode> = Vec::new();
        let mut best = 0;
        for (at, &cell) in cells.iter().enumerate() {
            let player = self.position.to_move();
            self.nodes += 1;
            if self.nodes > MAX_TREE_NODES {
                return Err(TreeError::TooLarge);
            }
            let mut node = TreeNode {
                cell: notation::name(self.position.rules(), cell),
                player,
                order: self.nodes,
                value: 0,
                cut: false,
                best: false,
                replies: Vec::new(),
            };
            self.position.play_unchecked(cell);
            match self.position.outcome() {
                Outcome::Won(_) => node.value = WIN,
                Outcome::Ongoing if plies > 1 => {
                    // Discs alternate; with several stones per turn the mover may stay the same.
                    let same = self.position.to_move() == player;
                    let below = if same {
                        Bounds { alpha: -INFINITY, beta: INFINITY }
                    } else {
                        Bounds { alpha: reaching(1 - beta) - 1, beta: reaching(-alpha) }
                    };
                    let before = self.left_out;
                    let (value, replies) = self.moves(plies - 1, below)?;
                    node.cut =
                        self.left_out > before && replies.len() < self.position.legal_cells().len();
                    node.value = if same { faded(value) } else { -faded(value) };
                    node.replies = replies;
                }
                _ => {}
            }
            self.position.undo();
            if found.is_empty() || node.value > found[best].value {
                best = found.len();
            }
            alpha = alpha.max(node.value);
            found.push(node);
            if self.options.prune && alpha >= beta {
                self.left_out += cells.len() - at - 1;
                break;
            }
        }
        let value = found[best].value;
        found[best].best = true;
        if !self.options.prune {
            for node in &mut found {
                node.best = node.value == value;
            }
        }
        Ok((value, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::Rules;

    fn tree(game: &str, columns: &[usize], plies: u32, prune: bool) -> MinimaxTree {
        let mut position = Position::new(game.parse::<Rules>().expect(game));
        for &column in columns {
            position.play(position.drop_cell(column).expect("room")).expect("legal");
        }
        MinimaxTree::of(&position, TreeOptions { plies, prune }).expect("a tree")
    }

    #[test]
    fn cut_offs_leave_moves_out_and_keep_the_value() {
        for columns in [&[][..], &[0, 1, 0], &[1, 1, 0, 2, 0]] {
            for plies in 1..=4 {
                let plain = tree("4x4,k=3,gravity", columns, plies, false);
                let pruned = tree("4x4,k=3,gravity", columns, plies, true);
                assert_eq!(plain.value, pruned.value, "{columns:?} {plies}");
                assert_eq!(plain.left_out, 0);
                assert!(pruned.nodes <= plain.nodes);
                let (all, first) = (best(&plain), best(&pruned));
                assert!(first.len() == 1 && first[0] == all[0], "{columns:?} {plies}");
            }
        }
        assert!(tree("4x4,k=3,gravity", &[], 4, true).left_out > 0);
    }

    /// The cells of the best moves at the root.
    fn best(tree: &MinimaxTree) -> Vec<&str> {
        tree.moves.iter().filter(|node| node.best).map(|node| &*node.cell).collect()
    }

    #[test]
    fn every_move_that_might_be_returned_is_marked() {
        // Two discs in the middle of the bottom row: both ends win at once.
        let both = |prune| tree("4x3,k=3,gravity", &[1, 1, 2, 2], 1, prune);
        assert_eq!(best(&both(false)), ["a1", "d1"]);
        assert_eq!(best(&both(true)), ["a1"], "with alpha-beta the first");
        // Everywhere in a tree: those of the greatest value, and no others.
        let marked = |nodes: &[TreeNode]| {
            let most = nodes.iter().map(|node| node.value).max();
            nodes.iter().all(|node| node.best == (Some(node.value) == most))
        };
        let plain = tree("4x4,k=3,gravity", &[0, 1, 0], 3, false);
        let mut boxes = vec![&plain.moves];
        while let Some(moves) = boxes.pop() {
            assert!(marked(moves), "{moves:?}");
            boxes.extend(moves.iter().map(|node| &node.replies).filter(|moves| !moves.is_empty()));
        }
    }

    #[test]
    fn wins_fade_with_every_ply() {
        // Two discs in a row, the next one wins: now, or by letting the opponent block.
        let now = tree("5x3,k=3,gravity", &[1, 4, 2, 4], 3, false);
        assert_eq!(now.value, WIN);
        let lost = tree("5x3,k=3,gravity", &[1, 4, 2], 2, false);
        assert_eq!(lost.value, -faded(WIN), "both ends are open");
    }

    #[test]
    fn too_large_a_tree_is_refused() {
        let position = Position::new(Rules::CONNECT4);
        let of = |plies| MinimaxTree::of(&position, TreeOptions { plies, prune: false });
        assert_eq!(of(6), Err(TreeError::TooLarge));
        assert!(of(2).is_ok());
    }
}
