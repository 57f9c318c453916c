//! A tree in files: a flat list of nodes, parents before children, siblings in their order.
//!
//! ```text
//! [{"id":0},{"id":1,"parent":0,"stone":180,"comment":"first"},{"id":3,"parent":1,"stone":7},…]
//! ```

use collinear_rules::Cell;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{NONE, Node, NodeId, Notes, Tree};

#[derive(Serialize, Deserialize)]
struct NodeForm {
    id: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stone: Option<Cell>,
    #[serde(flatten)]
    notes: Notes,
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.walk().into_iter().map(|node| NodeForm {
            id: node.number(),
            parent: self.parent(node).map(NodeId::number),
            stone: self.stone(node),
            notes: self.notes(node).cloned().unwrap_or_default(),
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
            if form.notes != Notes::default() {
                tree.notes.push((NodeId(form.id), form.notes));
            }
        }
        tree.notes.sort_unstable_by_key(|(node, _)| *node);
        Ok(tree)
    }
}
