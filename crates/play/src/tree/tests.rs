//! The tree against its drawing, and against a plain twin under random changes.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// ```text
/// 0 ── 1 ── 2 ── 3
///        └─ 4 ── 5      cells numbered like the nodes
/// ```
fn drawn() -> Tree {
    let mut tree = Tree::new();
    for (parent, cell) in [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5)] {
        tree.add(NodeId(parent), Cell::new(cell)).expect("room");
    }
    tree
}

#[test]
fn the_drawing_is_read_back() {
    let tree = drawn();
    assert_eq!(tree.stones_to(NodeId(5)), [1, 4, 5].map(Cell::new));
    assert_eq!(tree.children(NodeId(1)).collect::<Vec<_>>(), [NodeId(2), NodeId(4)]);
    assert_eq!(tree.tip(NodeId::ROOT), NodeId(3));
    assert_eq!(tree.tip(NodeId(4)), NodeId(5));
    assert!(tree.is_bare_line(NodeId(4)) && !tree.is_bare_line(NodeId(1)));
    assert_eq!(tree.lines()[1], (NodeId(1), vec![NodeId(4), NodeId(5)]));
}

#[test]
fn identities_survive_a_removal_and_gone_ones_answer_nothing() {
    let mut tree = drawn();
    tree.notes_mut(NodeId(5)).expect("there").comment = "kept".into();
    assert!(tree.remove(NodeId(2)));
    assert_eq!(tree.stones_to(NodeId(5)), [1, 4, 5].map(Cell::new));
    assert_eq!(tree.comment(NodeId(5)), Some("kept"));
    assert_eq!((tree.stone(NodeId(3)), tree.parent(NodeId(3))), (None, None));
    assert!(tree.notes_mut(NodeId(2)).is_none() && tree.add(NodeId(3), Cell::new(9)).is_none());
    assert!(!tree.remove(NodeId(2)) && !tree.remove(NodeId::ROOT));
    // The identity is not given out again.
    assert_eq!(tree.add(NodeId(1), Cell::new(2)), Some(NodeId(6)));
    assert_eq!(tree.children(NodeId(1)).collect::<Vec<_>>(), [NodeId(4), NodeId(6)]);
}

#[test]
fn promoting_makes_a_variation_the_main_line() {
    let mut tree = drawn();
    tree.promote(NodeId(5));
    assert_eq!(tree.stones_to(tree.tip(NodeId::ROOT)), [1, 4, 5].map(Cell::new));
    assert_eq!(tree.children(NodeId(1)).collect::<Vec<_>>(), [NodeId(4), NodeId(2)]);
    assert_eq!(tree.add(NodeId(1), Cell::new(9)), Some(NodeId(6)));
    assert_eq!(tree.children(NodeId(1)).last(), Some(NodeId(6)));
}

#[test]
fn a_deep_tree_needs_no_stack() {
    let mut tree = Tree::new();
    let mut at = NodeId::ROOT;
    for n in 0..200_000 {
        tree.add(at, Cell::new(5)).expect("room");
        at = tree.add(at, Cell::new(n % 2)).expect("room");
    }
    assert_eq!(tree, tree.clone());
    assert_eq!(tree.walk().len(), tree.len());
    let first = tree.node(1).expect("there");
    assert!(tree.remove(first));
}

#[test]
fn what_is_no_tree_is_refused() {
    for text in [
        "[]",
        r#"[{"id":1}]"#,
        r#"[{"id":0},{"id":1,"stone":3}]"#,
        r#"[{"id":0},{"id":1,"parent":0}]"#,
        r#"[{"id":0},{"id":2,"parent":1,"stone":3},{"id":1,"parent":0,"stone":4}]"#,
        r#"[{"id":0},{"id":1,"parent":0,"stone":4},{"id":1,"parent":0,"stone":5}]"#,
        r#"[{"id":0},{"id":4294967295,"parent":0,"stone":4}]"#,
    ] {
        assert!(serde_json::from_str::<Tree>(text).is_err(), "{text}");
    }
}

/// The slow twin: children as lists in a map.
#[derive(Default)]
struct Plain {
    children: BTreeMap<u32, Vec<u32>>,
    stones: BTreeMap<u32, (u32, usize)>,
}

impl Plain {
    fn remove(&mut self, node: u32) {
        let Some((parent, _)) = self.stones.remove(&node) else { return };
        if let Some(siblings) = self.children.get_mut(&parent) {
            siblings.retain(|&child| child != node);
        }
        for child in self.children.remove(&node).unwrap_or_default() {
            self.remove(child);
        }
    }

    fn promote(&mut self, mut node: u32) {
        while let Some(&(parent, _)) = self.stones.get(&node) {
            if let Some(siblings) = self.children.get_mut(&parent) {
                siblings.retain(|&child| child != node);
                siblings.insert(0, node);
            }
            node = parent;
        }
    }
}

proptest! {
    #[test]
    fn the_tree_does_what_its_plain_twin_does(
        steps in prop::collection::vec((0_u8..6, 0_u32..40, 0_usize..6), 1..120)
    ) {
        let (mut tree, mut plain) = (Tree::new(), Plain::default());
        for (what, number, cell) in steps {
            let known = number == 0 || plain.stones.contains_key(&number);
            prop_assert_eq!(tree.node(number).is_some(), known);
            match what {
                0 => {
                    prop_assert_eq!(tree.remove(NodeId(number)), known && number != 0);
                    plain.remove(number);
                }
                1 => {
                    tree.promote(NodeId(number));
                    plain.promote(number);
                }
                _ => {
                    let siblings = plain.children.get(&number).cloned().unwrap_or_default();
                    let same = siblings.iter().find(|child| plain.stones[child].1 == cell);
                    let added = tree.add(NodeId(number), Cell::new(cell)).map(NodeId::number);
                    prop_assert_eq!(added.is_some(), known);
                    match (added, same) {
                        (Some(added), Some(same)) => prop_assert_eq!(added, *same),
                        (Some(added), None) => {
                            prop_assert!(plain.stones.insert(added, (number, cell)).is_none());
                            plain.children.entry(number).or_default().push(added);
                        }
                        (None, _) => {}
                    }
                }
            }
        }
        prop_assert_eq!(tree.len(), plain.stones.len() + 1);
        for node in tree.walk() {
            let children: Vec<u32> = tree.children(node).map(NodeId::number).collect();
            let expected = plain.children.get(&node.number()).cloned().unwrap_or_default();
            prop_assert_eq!(children, expected);
        }
        let text = serde_json::to_string(&tree).expect("a text");
        let back: Tree = serde_json::from_str(&text).expect("a tree");
        prop_assert_eq!(&back, &tree);
        prop_assert_eq!(back.walk(), tree.walk());
    }
}
