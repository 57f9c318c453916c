//! A tree in files: a flat list of nodes, parents before children, siblings in their order.
//!
//! ```text
//! [{"id":0},{"id":1,"parent":0,"stone":180,"comment":"first"},{"id":3,"parent":1,"stone":7},…]
//! ```

use collinear_rules::Cell;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Mark, NONE, Node, NodeId, Notes, Tree};
use crate::Thought;

/// A node and its notes side by side: serde's own `flatten` would read each kind of note twice over, in code
/// that a browser loads before the first stone.
#[derive(Serialize, Deserialize)]
struct NodeForm {
    id: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stone: Option<Cell>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Mark>,
    #[serde(default, skip_serializing_if = "Thought::is_empty")]
    thought: Thought,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chance: Option<f32>,
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.walk().into_iter().map(|node| {
            let Notes { comment, marks, thought, chance } =
                self.notes(node).cloned().unwrap_or_default();
            NodeForm {
                id: node.number(),
                parent: self.parent(node).map(NodeId::number),
                stone: self.stone(node),
                comment,
                marks,
                thought,
                chance,
            }
        }))
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_forms(Vec::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Tree {
    fn from_forms(forms: Vec<NodeForm>) -> Result<Self, String> {
        if forms.len() > Self::MAX_NODES {
            return Err(format!("{} nodes are more than {}", forms.len(), Self::MAX_NODES));
        }
        let is_root =
            |form: &NodeForm| form.id == 0 && form.parent.is_none() && form.stone.is_none();
        if !forms.first().is_some_and(is_root) {
            return Err("the first node must be 0, without parent and stone".to_owned());
        }
        let mut order: Vec<u32> = forms.iter().map(|form| form.id).collect();
        order.sort_unstable();
        if let Some([twice, ..]) = order.windows(2).find(|pair| pair.first() == pair.last()) {
            return Err(format!("node {twice} is there twice"));
        }
        let last = order.last().copied().unwrap_or(0);
        let next = last.checked_add(1).ok_or("a node number is too large")?;
        let nodes = order.iter().map(|&id| Node::new(id, NONE, None)).collect();
        let mut tree = Self { nodes, notes: Vec::new(), next };
        let mut seen = vec![false; tree.nodes.len()];
        for form in forms {
            let lost = || format!("node {} has no parent before it", form.id);
            let at = tree.at(NodeId(form.id)).ok_or_else(lost)?;
            if form.id != 0 {
                let up = form.parent.and_then(|up| tree.at(NodeId(up))).ok_or_else(lost)?;
                if !seen[up] || form.stone.is_none() {
                    return Err(lost());
                }
                let parent = tree.nodes[up].id;
                tree.nodes[at].parent = parent;
                tree.nodes[at].stone = form.stone;
                tree.append_child(up, form.id);
            }
            seen[at] = true;
            let NodeForm { comment, marks, thought, chance, .. } = form;
            let notes = Notes { comment, marks, thought, chance };
            if notes != Notes::default() {
                tree.notes.push((NodeId(form.id), notes));
            }
        }
        tree.notes.sort_unstable_by_key(|(node, _)| *node);
        Ok(tree)
    }
}
