//! The stones of a record with their variations.
//!
//! The tree is an arena with links, so that ten thousand nested variations need no stack, neither
//! to build nor to drop. Every node but the root is one stone; a node's first child goes on with
//! the main line, the others are variations:
//!
//! ```text
//! root ─ j10 ─ k11 ─ i11 ─ …        first children: the game as it was played
//!                └── k9 ─ …          a variation of the third stone
//! ```

use std::num::NonZeroU32;

use collinear_rules::Cell;

/// A node of the tree: the position after one stone, or the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The index into anything that has one entry a node.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The stones of a record with their variations, comments and times.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    stone: Option<Cell>,
    parent: u32,
    /// The root is nobody's child, so 0 can mean "none".
    first_child: Option<NonZeroU32>,
    last_child: Option<NonZeroU32>,
    next_sibling: Option<NonZeroU32>,
    millis: Option<u32>,
    comment: Option<String>,
}

impl Node {
    const fn new(stone: Option<Cell>, parent: u32) -> Self {
        Self {
            stone,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            millis: None,
            comment: None,
        }
    }
}

impl Tree {
    /// The position before the first move.
    pub const ROOT: NodeId = NodeId(0);
    /// The most nodes of one record: some 200 MB of memory.
    pub const MAX_NODES: usize = 4_000_000;

    /// Only the root.
    pub fn new() -> Self {
        Self { nodes: vec![Node::new(None, 0)] }
    }

    /// Adds a stone after a node and returns its node; a stone that is there already is not added
    /// twice.
    pub fn add(&mut self, parent: NodeId, stone: Cell) -> NodeId {
        let same = self.children(parent).find(|&child| self.stone(child) == Some(stone));
        if let Some(child) = same {
            return child;
        }
        let id = u32::try_from(self.nodes.len()).ok().and_then(NonZeroU32::new);
        let new = id.expect("a record has fewer than 2^32 nodes, and the root comes first");
        self.nodes.push(Node::new(Some(stone), parent.0));
        let last = self.nodes[parent.index()].last_child.replace(new);
        match last {
            Some(last) => self.nodes[last.get() as usize].next_sibling = Some(new),
            None => self.nodes[parent.index()].first_child = Some(new),
        }
        NodeId(new.get())
    }

    /// Number of nodes, the root included.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no stone at all.
    pub const fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The stone of a node; the root has none.
    pub fn stone(&self, node: NodeId) -> Option<Cell> {
        self.nodes[node.index()].stone
    }

    /// The node before this one.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != Self::ROOT).then(|| NodeId(self.nodes[node.index()].parent))
    }

    /// What may follow, the main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.nodes[node.index()].first_child;
        std::iter::successors(first, |child| self.nodes[child.get() as usize].next_sibling)
            .map(|child| NodeId(child.get()))
    }

    /// The first child.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].first_child.map(|child| NodeId(child.get()))
    }

    /// The sibling after this one.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].next_sibling.map(|sibling| NodeId(sibling.get()))
    }

    /// The root and the game as it was played.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(Self::ROOT), |&node| self.next(node))
    }

    /// Whether any node has more than one child.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.next_sibling.is_some())
    }

    /// Whether any node has a comment.
    pub fn has_comments(&self) -> bool {
        self.nodes.iter().any(|node| node.comment.is_some())
    }

    /// Whether any stone has a time.
    pub fn has_times(&self) -> bool {
        self.nodes.iter().any(|node| node.millis.is_some())
    }

    /// The comment on a node.
    pub fn comment(&self, node: NodeId) -> Option<&str> {
        self.nodes[node.index()].comment.as_deref()
    }

    /// Sets the comment on a node; an empty one removes it.
    pub fn set_comment(&mut self, node: NodeId, text: &str) {
        self.nodes[node.index()].comment = (!text.is_empty()).then(|| text.to_owned());
    }

    /// Adds a line to the comment on a node.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        match &mut self.nodes[node.index()].comment {
            Some(comment) => {
                comment.push('\n');
                comment.push_str(text);
            }
            None => self.set_comment(node, text),
        }
    }

    /// The time spent on a stone, in milliseconds.
    pub fn millis(&self, node: NodeId) -> Option<u32> {
        self.nodes[node.index()].millis
    }

    /// Sets the time spent on a stone, in milliseconds.
    pub fn set_millis(&mut self, node: NodeId, millis: Option<u32>) {
        self.nodes[node.index()].millis = millis;
    }

    /// The nodes in the order of the native form: the main line, then each variation with its own
    /// first line. For every line: the node it leaves from and its nodes.
    pub fn lines(&self) -> Vec<(NodeId, Vec<NodeId>)> {
        let chain = |first| std::iter::successors(first, |&node| self.next(node)).collect();
        let mut lines: Vec<(NodeId, Vec<NodeId>)> =
            vec![(Self::ROOT, chain(self.next(Self::ROOT)))];
        let branch = |lines: &mut Vec<_>, from: NodeId| {
            for other in self.children(from).skip(1) {
                lines.push((from, chain(Some(other))));
            }
        };
        branch(&mut lines, Self::ROOT);
        let mut done = 0;
        while done < lines.len() {
            for node in lines[done].1.clone() {
                branch(&mut lines, node);
            }
            done += 1;
        }
        lines
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Tree {
    /// The same stones, comments and times in the same order; how the arena lies does not matter.
    fn eq(&self, other: &Self) -> bool {
        let mut open = vec![(Self::ROOT, Self::ROOT)];
        while let Some((a, b)) = open.pop() {
            let (left, right) = (&self.nodes[a.index()], &other.nodes[b.index()]);
            let same = left.stone == right.stone
                && left.comment == right.comment
                && left.millis == right.millis
                && self.children(a).count() == other.children(b).count();
            if !same {
                return false;
            }
            open.extend(self.children(a).zip(other.children(b)));
        }
        true
    }
}

impl Eq for Tree {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_tree_needs_no_stack() {
        let mut tree = Tree::new();
        let mut at = Tree::ROOT;
        for n in 0..200_000 {
            tree.add(at, Cell::new(5));
            at = tree.add(at, Cell::new(n % 2));
        }
        let copy = tree.clone();
        assert_eq!(tree, copy);
        assert_eq!(tree.lines().iter().map(|(_, line)| line.len()).sum::<usize>(), 400_000);
        drop(tree);
    }
}
