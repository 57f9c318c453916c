//! The move tree: every stone that was tried, with comments and evaluations.
//!
//! ```text
//! 0 (root) ── 1 j10 ── 2 k11 ── 3 i9        parents come before children, and the children of a
//!                  └── 4 k10 ── 5 j9        node are ordered by index: the first is the main line
//! ```

use collinear_rules::Cell;
use serde::{Deserialize, Serialize};

use crate::wire::NodeView;

/// The most nodes of one tree: records from outside could be arbitrarily large.
pub(crate) const MAX_NODES: usize = 20_000;

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The node before the first stone.
    pub(crate) const ROOT: Self = Self(0);

    /// The index into the list of nodes.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number the page knows it by.
    pub(crate) const fn number(self) -> u32 {
        self.0
    }
}

/// Names a node for as long as it is in the tree, whatever its index becomes: what a search finds
/// is kept under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeKey(u32);

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
struct Node {
    parent: Option<NodeId>,
    cell: Option<u16>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chance: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_ms: Option<[u32; 2]>,
}

/// A tree of stones. Legality is not its business: [`crate::game::Game`] checks before it adds.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(from = "Vec<Node>", into = "Vec<Node>")]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The key of each node. A key is never given twice in the life of a tree.
    keys: Vec<NodeKey>,
    next_key: u32,
}

impl Default for Tree {
    fn default() -> Self {
        Self::from(vec![Node::default()])
    }
}

impl From<Vec<Node>> for Tree {
    fn from(nodes: Vec<Node>) -> Self {
        let next_key = nodes.len() as u32;
        Self { keys: (0..next_key).map(NodeKey).collect(), nodes, next_key }
    }
}

impl From<Tree> for Vec<Node> {
    fn from(tree: Tree) -> Self {
        tree.nodes
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes
    }
}

impl Tree {
    /// Number of nodes, the root included.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is room for another stone.
    pub(crate) fn has_room(&self) -> bool {
        self.nodes.len() < MAX_NODES
    }

    /// The node with this number, if there is one.
    pub(crate) fn node(&self, number: u32) -> Option<NodeId> {
        ((number as usize) < self.nodes.len()).then_some(NodeId(number))
    }

    /// The name of a node that outlives a change of its index.
    pub(crate) fn key(&self, node: NodeId) -> NodeKey {
        self.keys[node.index()]
    }

    /// The node of a key, unless it was removed.
    pub(crate) fn find(&self, key: NodeKey) -> Option<NodeId> {
        self.keys.iter().position(|known| *known == key).map(|at| NodeId(at as u32))
    }

    /// The node before.
    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].parent
    }

    /// The children, main line first.
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.after(node).filter(move |child| self.parent(*child) == Some(node))
    }

    /// Whether no stone follows.
    pub(crate) fn is_leaf(&self, node: NodeId) -> bool {
        self.children(node).next().is_none()
    }

    fn after(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (node.0 + 1..self.nodes.len() as u32).map(NodeId)
    }

    /// The stones from the root to a node.
    pub(crate) fn path(&self, node: NodeId) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.upwards(node).filter_map(|node| self.cell(node)).collect();
        cells.reverse();
        cells
    }

    /// The nodes from the root to a node, both included.
    pub(crate) fn path_nodes(&self, node: NodeId) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.upwards(node).collect();
        nodes.reverse();
        nodes
    }

    fn upwards(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }

    /// The last node of the main line through a node.
    pub(crate) fn tip(&self, node: NodeId) -> NodeId {
        let mut tip = node;
        // Children come after their parents: one pass suffices.
        for next in self.after(node) {
            if self.parent(next) == Some(tip) {
                tip = next;
            }
        }
        tip
    }

    /// The stone of a node.
    pub(crate) fn cell(&self, node: NodeId) -> Option<Cell> {
        self.nodes[node.index()].cell.map(|cell| Cell::new(usize::from(cell)))
    }

    /// The child with this stone, made when it is not there yet.
    pub(crate) fn enter(&mut self, node: NodeId, cell: Cell) -> NodeId {
        let known = self.children(node).find(|child| self.cell(*child) == Some(cell));
        known.unwrap_or_else(|| {
            self.nodes.push(Node {
                parent: Some(node),
                cell: Some(cell.index() as u16),
                ..Node::default()
            });
            self.keys.push(NodeKey(self.next_key));
            self.next_key += 1;
            NodeId(self.nodes.len() as u32 - 1)
        })
    }

    /// The comment of a node.
    pub(crate) fn comment(&self, node: NodeId) -> &str {
        &self.nodes[node.index()].comment
    }

    /// Whether somebody wrote anything.
    pub(crate) fn has_comments(&self) -> bool {
        self.nodes.iter().any(|node| !node.comment.is_empty())
    }

    /// Replaces a comment.
    pub(crate) fn set_comment(&mut self, node: NodeId, text: String) {
        self.nodes[node.index()].comment = text;
    }

    /// Keeps Black's chance after a node; true when that is news.
    pub(crate) fn set_chance(&mut self, node: NodeId, chance: f32) -> bool {
        self.nodes[node.index()].chance.replace(chance) != Some(chance)
    }

    /// The clocks after the last stone on the way to a node that has any.
    pub(crate) fn clocks(&self, node: NodeId) -> Option<[u32; 2]> {
        self.upwards(node).find_map(|node| self.nodes[node.index()].left_ms)
    }

    /// Keeps the clocks after a node.
    pub(crate) fn set_clocks(&mut self, node: NodeId, left_ms: [u32; 2]) {
        self.nodes[node.index()].left_ms = Some(left_ms);
    }

    /// Whether a node and all that follows is one line without comments: nothing is lost with it.
    pub(crate) fn is_bare_line(&self, node: NodeId) -> bool {
        let mut tip = node;
        self.comment(node).is_empty()
            && self.subtree(node)[1..].iter().all(|&next| {
                let goes_on = self.parent(next) == Some(tip) && self.comment(next).is_empty();
                tip = next;
                goes_on
            })
    }

    /// A node and everything below it, in the order of the list.
    fn subtree(&self, node: NodeId) -> Vec<NodeId> {
        let mut inside = vec![false; self.nodes.len()];
        inside[node.index()] = true;
        for next in self.after(node) {
            inside[next.index()] = self.parent(next).is_some_and(|up| inside[up.index()]);
        }
        (0..self.nodes.len()).filter(|at| inside[*at]).map(|at| NodeId(at as u32)).collect()
    }

    /// Removes a node and everything below it; the root stays. Returns the new numbers of the
    /// nodes that are left.
    pub(crate) fn remove(&mut self, node: NodeId) -> Vec<Option<NodeId>> {
        let mut order: Vec<NodeId> = (0..self.nodes.len() as u32).map(NodeId).collect();
        if node != NodeId::ROOT {
            let gone = self.subtree(node);
            order.retain(|node| gone.binary_search(node).is_err());
        }
        self.reorder(&order)
    }

    /// Makes the line through a node the main line. Returns the new numbers of all nodes.
    pub(crate) fn promote(&mut self, node: NodeId) -> Vec<Option<NodeId>> {
        let main = self.path_nodes(node);
        let mut order = Vec::with_capacity(self.nodes.len());
        let children = self.child_lists();
        let mut open = vec![NodeId::ROOT];
        while let Some(next) = open.pop() {
            order.push(next);
            let (mut first, rest): (Vec<_>, Vec<_>) = children[next.index()]
                .iter()
                .copied()
                .partition(|child| main.binary_search(child).is_ok());
            first.extend(rest);
            open.extend(first.into_iter().rev());
        }
        self.reorder(&order)
    }

    /// The children of every node: for walks over the whole tree.
    pub(crate) fn child_lists(&self) -> Vec<Vec<NodeId>> {
        let mut lists = vec![Vec::new(); self.nodes.len()];
        for node in self.after(NodeId::ROOT) {
            if let Some(parent) = self.parent(node) {
                lists[parent.index()].push(node);
            }
        }
        lists
    }

    /// Keeps exactly these nodes in this order; parents must come before their children.
    fn reorder(&mut self, order: &[NodeId]) -> Vec<Option<NodeId>> {
        let mut renamed = vec![None; self.nodes.len()];
        for (new, old) in order.iter().enumerate() {
            renamed[old.index()] = Some(NodeId(new as u32));
        }
        self.nodes = order
            .iter()
            .map(|old| {
                let mut node = self.nodes[old.index()].clone();
                node.parent = node.parent.and_then(|parent| renamed[parent.index()]);
                node
            })
            .collect();
        self.keys = order.iter().map(|old| self.keys[old.index()]).collect();
        renamed
    }

    /// What the page sees of the nodes.
    pub(crate) fn view(&self) -> Vec<NodeView> {
        (0..self.nodes.len())
            .map(|at| (at as u32, &self.nodes[at]))
            .map(|(id, node)| NodeView {
                id,
                parent: node.parent.map(NodeId::number),
                cell: node.cell,
                comment: node.comment.clone(),
                chance: node.chance,
            })
            .collect()
    }

    /// Whether every parent stands before its children and only the root has none: what a store or
    /// a record hands over need not be a tree.
    pub(crate) fn is_sound(&self) -> bool {
        (1..=MAX_NODES).contains(&self.nodes.len())
            && self.nodes.iter().enumerate().all(|(at, node)| match node.parent {
                Some(parent) => parent.index() < at && node.cell.is_some(),
                None => at == 0 && node.cell.is_none(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree of the drawing above, cells numbered like the nodes.
    fn drawn() -> Tree {
        let mut tree = Tree::default();
        for (parent, cell) in [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5)] {
            tree.enter(NodeId(parent), Cell::new(cell));
        }
        tree
    }

    #[test]
    fn the_drawing_is_read_back() {
        let tree = drawn();
        assert!(tree.is_sound());
        assert_eq!(tree.path(NodeId(5)), [1, 4, 5].map(Cell::new));
        assert_eq!(tree.children(NodeId(1)).collect::<Vec<_>>(), [NodeId(2), NodeId(4)]);
        assert_eq!(tree.tip(NodeId::ROOT), NodeId(3));
        assert_eq!(tree.tip(NodeId(4)), NodeId(5));
        assert!(tree.is_bare_line(NodeId(4)) && !tree.is_bare_line(NodeId(1)));
    }

    #[test]
    fn entering_a_known_stone_adds_nothing() {
        let mut tree = drawn();
        assert_eq!(tree.enter(NodeId(1), Cell::new(4)), NodeId(4));
        assert_eq!(tree, drawn());
    }

    #[test]
    fn removing_a_branch_keeps_the_rest() {
        let mut tree = drawn();
        let renamed = tree.remove(NodeId(2));
        assert_eq!(renamed[4], Some(NodeId(2)));
        assert_eq!(renamed[3], None);
        assert!(tree.is_sound());
        assert_eq!(tree.path(NodeId(3)), [1, 4, 5].map(Cell::new));
    }

    #[test]
    fn keys_follow_their_nodes_and_are_never_given_twice() {
        let mut tree = drawn();
        let (kept, gone) = (tree.key(NodeId(5)), tree.key(NodeId(3)));
        tree.remove(NodeId(2));
        assert_eq!(tree.find(kept), Some(NodeId(3)));
        assert_eq!(tree.find(gone), None);
        let new = tree.enter(NodeId(1), Cell::new(9));
        assert!(tree.key(new) != gone && tree.find(gone).is_none());
    }

    #[test]
    fn promoting_makes_a_variation_the_main_line() {
        let mut tree = drawn();
        let renamed = tree.promote(NodeId(5));
        assert!(tree.is_sound());
        assert_eq!(tree.path(tree.tip(NodeId::ROOT)), [1, 4, 5].map(Cell::new));
        assert_eq!(tree.path(renamed[3].expect("kept")), [1, 2, 3].map(Cell::new));
        assert_eq!(tree.len(), drawn().len());
    }
}
