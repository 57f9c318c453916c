//! The stones of a game with their variations, comments and marks.
//!
//! Every node but the root is one stone; a node's first child goes on with the main line, the
//! others are variations:
//!
//! ```text
//! root ─ j10 ─ k11 ─ i11 ─ …        first children: the game as it was played
//!                └── k9 ─ …          a variation of the third stone
//! ```
//!
//! A [`NodeId`] names its node for as long as the tree lives: nothing renumbers, and an identity
//! that was removed is never given out again. A question about a node that is gone is answered
//! with `None`. The nodes lie in a list sorted by identity, so a million nested variations need no
//! stack, and where nothing was ever removed the identity is the place in the list.

use collinear_rules::Cell;
use serde::{Deserialize, Serialize};

use crate::Thought;

mod form;
#[cfg(test)]
mod tests;

/// A node of a [`Tree`]: the position after one stone, or the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(u32);

impl NodeId {
    /// The node before the first stone.
    pub const ROOT: Self = Self(0);

    /// The number by which messages and files know it; [`Tree::node`] is the way back.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// What is written down beside a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// Words about the position.
    pub comment: String,
    /// Signs on cells.
    pub marks: Vec<Mark>,
    /// Of the last stone of a turn: what the turn cost, and what its player said.
    pub thought: Thought,
    /// Black's chance in this position, as an analysis found it.
    pub chance: Option<f32>,
}

impl Notes {
    /// Whether a person wrote any of it.
    pub fn has_words(&self) -> bool {
        !self.comment.is_empty() || !self.marks.is_empty()
    }
}

/// A sign on a cell, or from one cell to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Where; of an arrow, where it begins.
    pub cell: Cell,
    /// Which.
    pub sign: Sign,
    /// In which colour.
    #[serde(default, skip_serializing_if = "Ink::is_plain")]
    pub ink: Ink,
}

impl Mark {
    /// A sign in the usual colour.
    pub const fn new(cell: Cell, sign: Sign) -> Self {
        Self { cell, sign, ink: Ink::Plain }
    }
}

/// The colour of a sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ink {
    /// What stands out on the board.
    #[default]
    Plain,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

impl Ink {
    /// The colours that have a name of their own.
    pub const NAMED: [(&str, Self); 4] = [
        ("red", Self::Red),
        ("green", Self::Green),
        ("blue", Self::Blue),
        ("yellow", Self::Yellow),
    ];

    /// Whether it is the usual one.
    pub fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

/// What can be drawn on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// A triangle.
    Triangle,
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A cross.
    Cross,
    /// A few letters.
    Label(String),
    /// An arrow to this cell.
    Arrow(Cell),
    /// A line to this cell.
    Line(Cell),
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Sorted by identity; the root comes first.
    nodes: Vec<Node>,
    /// Sorted by identity; only nodes that have any.
    notes: Vec<(NodeId, Notes)>,
    /// The identity of the next node.
    next: u32,
}

/// The root is nobody's child and nobody's sibling, so 0 can mean "none" in all links but `parent`.
#[derive(Clone, Copy, Debug)]
struct Node {
    id: u32,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    stone: Option<Cell>,
}

const NONE: u32 = 0;

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// The most nodes of one tree: some 200 MB of memory.
    pub const MAX_NODES: usize = 4_000_000;

    /// Only the root.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// Only the root, with room for this many stones and their notes.
    pub fn with_capacity(stones: usize) -> Self {
        let mut nodes = Vec::with_capacity(stones + 1);
        nodes.push(Node::new(0, NONE, None));
        Self { nodes, notes: Vec::with_capacity(stones / 2), next: 1 }
    }

    /// Adds a stone after a node and returns its node; a stone that is there already is not added
    /// twice. None when the node is gone or the tree is full.
    pub fn add(&mut self, parent: NodeId, stone: Cell) -> Option<NodeId> {
        let at = self.at(parent)?;
        if self.nodes[at].first_child != NONE
            && let Some(known) = self.child(parent, stone)
        {
            return Some(known);
        }
        if self.nodes.len() >= Self::MAX_NODES || self.next == u32::MAX {
            return None;
        }
        let id = self.next;
        self.next += 1;
        self.nodes.push(Node::new(id, parent.0, Some(stone)));
        self.append_child(at, id);
        Some(NodeId(id))
    }

    /// The child with this stone.
    pub fn child(&self, node: NodeId, stone: Cell) -> Option<NodeId> {
        self.children(node).find(|&child| self.stone(child) == Some(stone))
    }

    /// Number of nodes, the root included.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no stone at all.
    pub const fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The node of this number, if the tree has it.
    pub fn node(&self, number: u32) -> Option<NodeId> {
        self.at(NodeId(number)).map(|_| NodeId(number))
    }

    /// Whether the tree has this node.
    pub fn contains(&self, node: NodeId) -> bool {
        self.at(node).is_some()
    }

    /// The stone of a node; the root has none.
    pub fn stone(&self, node: NodeId) -> Option<Cell> {
        self.get(node)?.stone
    }

    /// The node before this one.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.get(node).filter(|node| node.id != 0).map(|node| NodeId(node.parent))
    }

    /// What may follow, the main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The main line's next stone.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        link(self.get(node)?.first_child)
    }

    /// The variation after this one.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.get(node)?.next_sibling)
    }

    /// Whether no stone follows.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.first_child(node).is_none()
    }

    /// The root and the game as it was played.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line(NodeId::ROOT)
    }

    /// A node and the first stones that follow it.
    pub fn line(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.contains(node).then_some(node);
        std::iter::successors(first, |&node| self.first_child(node))
    }

    /// The last node of the line through a node.
    pub fn tip(&self, node: NodeId) -> NodeId {
        self.line(node).last().unwrap_or(NodeId::ROOT)
    }

    /// The nodes from the root to a node, both included; nothing when the node is gone.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let first = self.contains(node).then_some(node);
        let mut nodes: Vec<NodeId> =
            std::iter::successors(first, |&node| self.parent(node)).collect();
        nodes.reverse();
        nodes
    }

    /// The stones from the root to a node.
    pub fn stones_to(&self, node: NodeId) -> Vec<Cell> {
        self.path(node).into_iter().filter_map(|node| self.stone(node)).collect()
    }

    /// All nodes, parents before children, the main line of each node before its variations.
    pub fn walk(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![NodeId::ROOT];
        while let Some(node) = open.pop() {
            order.push(node);
            let from = open.len();
            open.extend(self.children(node));
            open[from..].reverse();
        }
        order
    }

    /// All lines, the main line first, then each variation with its own first line: for every line
    /// the node it leaves from and its nodes.
    pub fn lines(&self) -> Vec<(NodeId, Vec<NodeId>)> {
        let chain = |first: NodeId| self.line(first).collect::<Vec<_>>();
        let mut lines = vec![(NodeId::ROOT, chain(NodeId::ROOT).split_off(1))];
        let branch = |lines: &mut Vec<_>, from: NodeId| {
            for other in self.children(from).skip(1) {
                lines.push((from, chain(other)));
            }
        };
        branch(&mut lines, NodeId::ROOT);
        let mut done = 0;
        while done < lines.len() {
            for node in lines[done].1.clone() {
                branch(&mut lines, node);
            }
            done += 1;
        }
        lines
    }

    /// What is written down beside a node.
    pub fn notes(&self, node: NodeId) -> Option<&Notes> {
        self.note_at(node).ok().map(|at| &self.notes[at].1)
    }

    /// What is written down beside a node, to be changed; none when the node is gone.
    pub fn notes_mut(&mut self, node: NodeId) -> Option<&mut Notes> {
        let at = match self.note_at(node) {
            Ok(at) => at,
            Err(at) => {
                self.at(node)?;
                self.notes.insert(at, (node, Notes::default()));
                at
            }
        };
        Some(&mut self.notes[at].1)
    }

    /// Every node that has notes.
    pub fn noted(&self) -> impl Iterator<Item = (NodeId, &Notes)> {
        self.notes.iter().map(|(node, notes)| (*node, notes))
    }

    /// The comment on a node, if it has one.
    pub fn comment(&self, node: NodeId) -> Option<&str> {
        self.notes(node).map(|notes| notes.comment.as_str()).filter(|text| !text.is_empty())
    }

    /// Sets the comment on a node; an empty one removes it.
    pub fn set_comment(&mut self, node: NodeId, text: &str) {
        if text.is_empty() && self.notes(node).is_none() {
            return;
        }
        if let Some(notes) = self.notes_mut(node) {
            text.clone_into(&mut notes.comment);
        }
    }

    /// Adds a line to the comment on a node.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        if let Some(notes) = self.notes_mut(node) {
            if !notes.comment.is_empty() {
                notes.comment.push('\n');
            }
            notes.comment.push_str(text);
        }
    }

    /// What the turn that ended with this node cost.
    pub fn thought(&self, node: NodeId) -> Option<&Thought> {
        self.notes(node).map(|notes| &notes.thought)
    }

    /// Whether any node has more than one child.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.next_sibling != NONE)
    }

    /// Whether a node and all that follows is one line on which nobody wrote anything.
    pub fn is_bare_line(&self, node: NodeId) -> bool {
        self.line(node).all(|node| {
            self.children(node).nth(1).is_none() && !self.notes(node).is_some_and(Notes::has_words)
        })
    }

    /// Removes a node and everything below it; the root stays. False when nothing was removed.
    pub fn remove(&mut self, node: NodeId) -> bool {
        let Some(parent) = self.parent(node) else { return false };
        self.unlink(parent, node);
        let mut gone = vec![node];
        let mut done = 0;
        while done < gone.len() {
            let from = gone[done];
            gone.extend(self.children(from));
            done += 1;
        }
        gone.sort_unstable();
        self.nodes.retain(|node| gone.binary_search(&NodeId(node.id)).is_err());
        self.notes.retain(|(node, _)| gone.binary_search(node).is_err());
        true
    }

    /// Makes the line through a node the main line.
    pub fn promote(&mut self, node: NodeId) {
        for child in self.path(node) {
            self.put_first(child);
        }
    }

    /// Makes a node the first of those that follow the one before it; what comes before stays.
    pub fn put_first(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node) else { return };
        if self.first_child(parent) == Some(node) {
            return;
        }
        self.unlink(parent, node);
        let (Some(up), Some(down)) = (self.at(parent), self.at(node)) else { return };
        self.nodes[down].next_sibling = self.nodes[up].first_child;
        self.nodes[up].first_child = node.0;
    }

    /// Takes a child out of its parent's list.
    fn unlink(&mut self, parent: NodeId, child: NodeId) {
        let before = self.children(parent).take_while(|&sibling| sibling != child).last();
        let (Some(up), Some(at)) = (self.at(parent), self.at(child)) else { return };
        let after = std::mem::take(&mut self.nodes[at].next_sibling);
        match before.and_then(|before| self.at(before)) {
            Some(before) => self.nodes[before].next_sibling = after,
            None => self.nodes[up].first_child = after,
        }
        if self.nodes[up].last_child == child.0 {
            self.nodes[up].last_child = before.map_or(NONE, NodeId::number);
        }
    }

    fn append_child(&mut self, parent: usize, child: u32) {
        let last = std::mem::replace(&mut self.nodes[parent].last_child, child);
        match link(last).and_then(|last| self.at(last)) {
            Some(last) => self.nodes[last].next_sibling = child,
            None => self.nodes[parent].first_child = child,
        }
    }

    /// A node's place in the list, which never comes after its identity.
    fn at(&self, node: NodeId) -> Option<usize> {
        let id = node.0 as usize;
        match self.nodes.get(id) {
            Some(found) if found.id == node.0 => Some(id),
            _ => {
                let end = id.min(self.nodes.len());
                self.nodes[..end].binary_search_by_key(&node.0, |node| node.id).ok()
            }
        }
    }

    fn get(&self, node: NodeId) -> Option<&Node> {
        self.at(node).map(|at| &self.nodes[at])
    }

    /// Where a node's notes are, or where they would go. Notes are mostly written in order.
    fn note_at(&self, node: NodeId) -> Result<usize, usize> {
        match self.notes.last() {
            None => Err(0),
            Some((last, _)) if *last < node => Err(self.notes.len()),
            Some((last, _)) if *last == node => Ok(self.notes.len() - 1),
            Some(_) => self.notes.binary_search_by_key(&node, |(noted, _)| *noted),
        }
    }
}

impl Node {
    const fn new(id: u32, parent: u32, stone: Option<Cell>) -> Self {
        Self { id, parent, first_child: NONE, last_child: NONE, next_sibling: NONE, stone }
    }
}

fn link(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

impl PartialEq for Tree {
    /// The same stones and notes in the same order; identities do not matter.
    fn eq(&self, other: &Self) -> bool {
        let (blank, mut open) = (Notes::default(), vec![(NodeId::ROOT, NodeId::ROOT)]);
        while let Some((a, b)) = open.pop() {
            let same = self.stone(a) == other.stone(b)
                && self.notes(a).unwrap_or(&blank) == other.notes(b).unwrap_or(&blank)
                && self.children(a).count() == other.children(b).count();
            if !same {
                return false;
            }
            open.extend(self.children(a).zip(other.children(b)));
        }
        true
    }
}
