//! Signs of values, orders of stones that meet, proofs, and what is forgotten.

use collinear_rules::Rules;

use super::*;

fn tree() -> (Tree, Position) {
    let mut position = Position::new(Rules::CONNECT6);
    position.play(Cell::new(180)).expect("empty");
    (Tree::new(position.geometry().clone(), &PuctParams::default(), 8), position)
}

fn open(cells: &[usize], complete: bool) -> Finding {
    let share = 1.0 / cells.len() as f32;
    let stones = cells.iter().map(|&cell| (Cell::new(cell), share)).collect();
    Finding::Open { value: 0.25, stones, complete }
}

/// One simulation that finds this at its end; the cells it went through.
fn simulate(tree: &mut Tree, root: NodeId, finding: Finding) -> Vec<usize> {
    let mut way = Vec::new();
    let mut playout = tree.start(root);
    let task = tree.descend(&mut playout, u32::MAX, &mut |cell| way.push(cell.index()));
    assert!(matches!(task, Task::Expand { .. }), "{task:?}");
    let value = tree.record(playout.nodes[playout.nodes.len() - 1], finding);
    tree.back_up(&playout, value);
    way
}

#[test]
fn values_change_sign_with_the_player_alone() {
    let (mut tree, position) = tree();
    let root = tree.root(&position);
    assert!(simulate(&mut tree, root, open(&[1, 2], false)).is_empty());
    assert!((tree.node(root).mean() - 0.25).abs() < 1e-9);
    // The second stone of the same player: the same sign.
    simulate(&mut tree, root, open(&[3], false));
    assert!((tree.node(root).mean() - 0.25).abs() < 1e-9);
    // After both stones it is the opponent who likes his position by a quarter.
    let ways: Vec<usize> =
        (0..6).map(|_| simulate(&mut tree, root, open(&[3, 4], false)).len()).collect();
    assert!(ways.contains(&2), "{ways:?}");
    assert!(tree.node(root).mean() < 0.25);
}

#[test]
fn two_orders_of_the_same_stones_meet() {
    let (mut tree, position) = tree();
    let root = tree.root(&position);
    simulate(&mut tree, root, open(&[1, 2], false));
    let (a, b) = (tree.child(root, 0), tree.child(root, 1));
    tree.record(a, open(&[2], false));
    tree.record(b, open(&[1], false));
    assert_eq!(tree.child(a, 0), tree.child(b, 0));
    assert_ne!(a, b);
}

#[test]
fn a_loss_of_the_likely_stones_is_doubted_and_of_all_believed() {
    for complete in [false, true] {
        let (mut tree, position) = tree();
        let root = tree.root(&position);
        simulate(&mut tree, root, open(&[1, 2], complete));
        for edge in 0..2 {
            let child = tree.child(root, edge);
            tree.prove(&[root, child], Outcome::Lost(3 + edge as u16));
        }
        if complete {
            assert_eq!(tree.node(root).proved, Some(Outcome::Lost(4)), "the longest defence");
        } else {
            assert_eq!(tree.node(root).proved, None);
            let mut playout = tree.start(root);
            let task = tree.descend(&mut playout, u32::MAX, &mut |_| {});
            assert_eq!(task, Task::Expand { all: true });
        }
    }
}

#[test]
fn a_win_counts_turns_through_both_players() {
    let (mut tree, position) = tree();
    let root = tree.root(&position);
    simulate(&mut tree, root, open(&[1, 2], false));
    let second = tree.child(root, 0);
    tree.record(second, open(&[2, 3], false));
    let reply = tree.child(second, 1);
    // The opponent to move loses with our second turn from there: our third from here.
    tree.prove(&[root, second, reply], Outcome::Lost(2));
    assert_eq!(tree.node(root).proved, Some(Outcome::Won(3)));
    assert_eq!(tree.best(root), Some(0));
}

#[test]
fn a_new_root_keeps_what_it_can_reach_and_nothing_else() {
    let (mut tree, mut position) = tree();
    let root = tree.root(&position);
    simulate(&mut tree, root, open(&[1, 2], false));
    for _ in 0..20 {
        simulate(&mut tree, root, open(&[5, 6, 7, 8], false));
    }
    let child = tree.child(root, 0);
    let (visits, mean) = (tree.node(child).visits, tree.node(child).mean());
    assert!(visits > 0);
    let before = tree.nodes.len();
    position.play(Cell::new(1)).expect("empty");
    let child = tree.root(&position);
    assert_eq!((tree.node(child).visits, tree.node(child).mean()), (visits, mean));
    assert!(tree.nodes.len() < before);
    assert_eq!(tree.by_key.len(), tree.nodes.len());
    // A position never seen starts anew.
    let elsewhere = Position::from_moves(Rules::CONNECT6, &[Cell::new(0)]).expect("legal");
    let root = tree.root(&elsewhere);
    assert_eq!((tree.nodes.len(), tree.node(root).visits), (1, 0));
}

#[test]
fn an_abandoned_simulation_leaves_no_trace() {
    let (mut tree, position) = tree();
    let root = tree.root(&position);
    simulate(&mut tree, root, open(&[1, 2], false));
    let mut first = tree.start(root);
    tree.descend(&mut first, u32::MAX, &mut |_| {});
    let mut second = tree.start(root);
    // Another thread is at the first child: the second is taken, the third collides.
    tree.descend(&mut second, u32::MAX, &mut |_| {});
    assert_ne!(first.nodes[1], second.nodes[1], "virtual losses spread threads");
    let mut third = tree.start(root);
    assert_eq!(tree.descend(&mut third, u32::MAX, &mut |_| {}), Task::Collide);
    tree.abandon(&third);
    for playout in [first, second] {
        let last = playout.nodes[1];
        let value = tree.record(last, open(&[9], false));
        tree.back_up(&playout, value);
    }
    assert_eq!(tree.node(root).virtual_loss, 0);
    assert_eq!(tree.edges(root).iter().map(|edge| edge.visits).sum::<u32>(), 2);
    assert_eq!(tree.node(root).visits, 3);
}
