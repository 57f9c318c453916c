//! The tree of the network search: who was visited how often, what it is worth, what is proved.
//!
//! A node is a position before one stone; several stones of a turn are several nodes, and two orders
//! of the same stones meet in one node (found by key). Stones are only ever added, so there is no
//! cycle. Values are those of the player to move at the node, from −1 (lost) to 1 (won).

use std::collections::HashMap;
use std::sync::Arc;

use collinear_rules::{Cell, Geometry, Player, Position};

/// A node by its place in the tree.
pub(crate) type NodeId = u32;

const NO_NODE: NodeId = u32::MAX;

/// What is proved about a position, for the player to move. Turns count as in
/// [`Value`](collinear_play::Value): own turns to a win, the opponent's to a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Won(u16),
    Lost(u16),
    Drawn,
}

impl Outcome {
    pub(crate) const fn value(self) -> f64 {
        match self {
            Self::Won(_) => 1.0,
            Self::Lost(_) => -1.0,
            Self::Drawn => 0.0,
        }
    }

    /// How good it is: near wins before far ones, far losses before near ones.
    const fn rank(self) -> i32 {
        match self {
            Self::Won(turns) => 100_000 - turns as i32,
            Self::Lost(turns) => turns as i32 - 100_000,
            Self::Drawn => 0,
        }
    }

    /// As the opponent sees it one turn earlier, when it was his turn.
    const fn for_opponent_before(self) -> Self {
        match self {
            Self::Won(turns) => Self::Lost(turns),
            Self::Lost(turns) => Self::Won(turns.saturating_add(1)),
            Self::Drawn => Self::Drawn,
        }
    }
}

/// How much is known of a node's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Never looked at.
    New,
    /// A thread is looking at it.
    Busy,
    /// The likely stones are there.
    Likely,
    /// All likely stones lose: the others must be looked at before the loss is believed.
    Doubted,
    /// Every stone that could help is there.
    Complete,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) key: u64,
    pub(crate) player: Player,
    pub(crate) left: u8,
    pub(crate) empties: u16,
    pub(crate) stage: Stage,
    pub(crate) proved: Option<Outcome>,
    pub(crate) visits: u32,
    total: f64,
    /// Simulations under way through this node: each counts as a loss for whoever chose it.
    in_flight: u32,
    /// Visits at the last longer proof search.
    grown: u32,
    /// What the network said, and the search believed first.
    pub(crate) first_value: f32,
    first_edge: u32,
    edges: u16,
}

impl Node {
    pub(crate) fn mean(&self) -> f64 {
        match self.proved {
            Some(outcome) => outcome.value(),
            None if self.visits > 0 => self.total / f64::from(self.visits),
            None => 0.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) cell: Cell,
    pub(crate) prior: f32,
    pub(crate) visits: u32,
    child: NodeId,
}

impl Edge {
    pub(crate) fn child(&self) -> Option<NodeId> {
        (self.child != NO_NODE).then_some(self.child)
    }
}

/// Constants of the choice between stones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exploration {
    /// Weight of the prior against the value (PUCT's c).
    pub(crate) prior: f32,
    /// A stone not tried yet is believed to be this much worse than the node, times the square root
    /// of the prior tried already (first-play urgency).
    pub(crate) untried: f32,
}

impl Default for Exploration {
    fn default() -> Self {
        Self { prior: 1.4, untried: 0.3 }
    }
}

/// What a simulation has to do next at the node it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Evaluate a new node; all stones if the likely ones lose.
    Expand { all: bool },
    /// Look for longer proofs at a node with so many visits.
    Prove { visits: u32 },
    /// Nothing: the value is known.
    Known,
    /// Another thread is at it.
    Collide,
}

/// What was found out about a node.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    Proved(Outcome),
    Open { value: f64, stones: Vec<(Cell, f32)>, complete: bool },
}

pub(crate) struct Tree {
    geometry: Arc<Geometry>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    by_key: HashMap<u64, NodeId>,
    exploration: Exploration,
    max_bytes: usize,
}

/// A way down: the nodes from the root on and the edge taken from each but the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    pub(crate) nodes: Vec<NodeId>,
    edges: Vec<u32>,
}

impl Tree {
    pub(crate) fn new(geometry: Arc<Geometry>, exploration: Exploration, mebibytes: usize) -> Self {
        Self {
            geometry,
            nodes: Vec::new(),
            edges: Vec::new(),
            by_key: HashMap::new(),
            exploration,
            max_bytes: mebibytes << 20,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.by_key.clear();
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn edges(&self, id: NodeId) -> &[Edge] {
        let node = self.node(id);
        &self.edges[node.first_edge as usize..][..usize::from(node.edges)]
    }

    fn edges_mut(&mut self, id: NodeId) -> &mut [Edge] {
        let (first, count) = (self.node(id).first_edge as usize, usize::from(self.node(id).edges));
        &mut self.edges[first..first + count]
    }

    /// Whether no more nodes fit into the memory given.
    pub(crate) fn is_full(&self) -> bool {
        let map = size_of::<(u64, NodeId)>() * 2;
        self.nodes.len() * (size_of::<Node>() + map) + self.edges.len() * size_of::<Edge>()
            > self.max_bytes
    }

    /// The node of a position; everything that cannot be reached from it any more is forgotten.
    pub(crate) fn root(&mut self, position: &Position) -> NodeId {
        let geometry = &self.geometry;
        let (player, left) = (position.to_move(), position.stones_left() as u8);
        let mut key = geometry.turn_key(player, left);
        for colour in Player::BOTH {
            for cell in position.stones(colour) {
                key ^= geometry.stone_key(cell, colour);
            }
        }
        match self.by_key.get(&key) {
            Some(&old) => self.keep_below(old),
            None => self.clear(),
        }
        let empties = (position.rules().cells() - position.stone_count()) as u16;
        self.find_or_add(key, player, left, empties)
    }

    /// Keeps one node and what can be reached from it; the node becomes the first.
    fn keep_below(&mut self, root: NodeId) {
        let mut new_id = vec![NO_NODE; self.nodes.len()];
        let mut order = vec![root];
        new_id[root as usize] = 0;
        let mut at = 0;
        while at < order.len() {
            let id = order[at];
            at += 1;
            for child in self.edges(id).iter().filter_map(Edge::child) {
                if new_id[child as usize] == NO_NODE {
                    new_id[child as usize] = order.len() as NodeId;
                    order.push(child);
                }
            }
        }
        let mut nodes = Vec::with_capacity(order.len());
        let mut edges = Vec::new();
        self.by_key.clear();
        for (number, &id) in order.iter().enumerate() {
            let mut node = self.node(id).clone();
            let first = edges.len() as u32;
            edges.extend(self.edges(id).iter().map(|edge| Edge {
                child: edge.child().map_or(NO_NODE, |child| new_id[child as usize]),
                ..*edge
            }));
            node.first_edge = first;
            self.by_key.insert(node.key, number as NodeId);
            nodes.push(node);
        }
        (self.nodes, self.edges) = (nodes, edges);
    }

    fn find_or_add(&mut self, key: u64, player: Player, left: u8, empties: u16) -> NodeId {
        let next = self.nodes.len() as NodeId;
        let id = *self.by_key.entry(key).or_insert(next);
        if id == next {
            self.nodes.push(Node {
                key,
                player,
                left,
                empties,
                stage: Stage::New,
                proved: (empties == 0).then_some(Outcome::Drawn),
                visits: 0,
                total: 0.0,
                in_flight: 0,
                grown: 0,
                first_value: 0.0,
                first_edge: 0,
                edges: 0,
            });
        }
        id
    }

    /// The node after a stone; it is added if it is new.
    pub(crate) fn child(&mut self, id: NodeId, edge: usize) -> NodeId {
        let Edge { cell, child, .. } = self.edges(id)[edge];
        if child != NO_NODE {
            return child;
        }
        let Node { key, player, left, empties, .. } = *self.node(id);
        let geometry = &self.geometry;
        let (next, next_left) = if left > 1 {
            (player, left - 1)
        } else {
            (!player, (geometry.rules().p() as u16).min(empties - 1).max(1) as u8)
        };
        let key = key
            ^ geometry.stone_key(cell, player)
            ^ geometry.turn_key(player, left)
            ^ geometry.turn_key(next, next_left);
        let child = self.find_or_add(key, next, next_left, empties - 1);
        self.edges_mut(id)[edge].child = child;
        child
    }

    /// What a child is worth to the player at its parent.
    fn seen(&self, parent: Player, child: NodeId) -> (Option<Outcome>, f64) {
        let child = self.node(child);
        let sign = if child.player == parent { 1.0 } else { -1.0 };
        let proved = child.proved.map(|outcome| {
            if child.player == parent { outcome } else { outcome.for_opponent_before() }
        });
        let visits = child.visits + child.in_flight;
        let mean = match proved {
            Some(outcome) => outcome.value(),
            None if visits > 0 => {
                (sign * child.total - f64::from(child.in_flight)) / f64::from(visits)
            }
            None => 0.0,
        };
        (proved, mean)
    }

    /// What an edge is worth to the player at its node: what is proved, and the mean.
    pub(crate) fn worth(&self, id: NodeId, edge: &Edge) -> (Option<Outcome>, Option<f64>) {
        edge.child().map_or((None, None), |child| {
            let (proved, mean) = self.seen(self.node(id).player, child);
            let known = proved.is_some() || self.node(child).visits > 0;
            (proved, known.then_some(mean))
        })
    }

    /// The edge to follow (PUCT); proved losses are never followed.
    fn select(&self, id: NodeId) -> Option<usize> {
        let node = self.node(id);
        let edges = self.edges(id);
        let (mut visits, mut tried) = (0, 0.0);
        for edge in edges {
            visits += edge.visits;
            if edge.visits > 0 {
                tried += edge.prior;
            }
        }
        let untried = (node.mean() as f32 - self.exploration.untried * tried.sqrt()).max(-1.0);
        let spread = self.exploration.prior * ((visits + 1) as f32).sqrt();
        let mut best: Option<(f32, usize)> = None;
        for (at, edge) in edges.iter().enumerate() {
            let mut value = untried;
            if let Some(child) = edge.child() {
                let (proved, mean) = self.seen(node.player, child);
                if matches!(proved, Some(Outcome::Lost(_))) {
                    continue;
                }
                if edge.visits > 0 || proved.is_some() {
                    value = mean as f32;
                }
            }
            let score = value + spread * edge.prior / (1.0 + edge.visits as f32);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// Begins a simulation at the root.
    pub(crate) fn start(&mut self, root: NodeId) -> Path {
        self.nodes[root as usize].in_flight += 1;
        Path { nodes: vec![root], edges: Vec::new() }
    }

    /// Goes down from the end of the path to where something is to be done; `on` hears the stones.
    pub(crate) fn descend(
        &mut self,
        path: &mut Path,
        grow_from: u32,
        on: &mut dyn FnMut(Cell),
    ) -> Task {
        loop {
            let id = path.nodes[path.nodes.len() - 1];
            let is_root = path.nodes.len() == 1;
            let whole_turn = usize::from(self.node(id).left) == self.geometry.rules().p();
            let node = &mut self.nodes[id as usize];
            if node.proved.is_some() && !is_root {
                return Task::Known;
            }
            match node.stage {
                Stage::Busy => return Task::Collide,
                Stage::New | Stage::Doubted => {
                    let all = node.stage == Stage::Doubted;
                    node.stage = Stage::Busy;
                    return Task::Expand { all };
                }
                Stage::Likely | Stage::Complete => {}
            }
            let due = node.visits >= grow_from && node.visits.is_power_of_two();
            if !is_root && whole_turn && due && node.grown < node.visits {
                node.grown = node.visits;
                return Task::Prove { visits: node.visits };
            }
            let Some(edge) = self.select(id) else { return Task::Known };
            on(self.edges(id)[edge].cell);
            let child = self.child(id, edge);
            self.edges_mut(id)[edge].visits += 1;
            self.nodes[child as usize].in_flight += 1;
            path.nodes.push(child);
            path.edges.push(edge as u32);
        }
    }

    /// Writes down what was found out about the node at the end of the path. Without memory for its
    /// stones a node stays new and is evaluated again.
    pub(crate) fn record(&mut self, id: NodeId, finding: Finding) -> f64 {
        match finding {
            Finding::Proved(outcome) => {
                let node = &mut self.nodes[id as usize];
                node.proved = Some(outcome);
                if node.stage == Stage::Busy {
                    node.stage = Stage::New;
                }
                outcome.value()
            }
            Finding::Open { value, stones, complete } => {
                let full = self.is_full() && self.node(id).edges == 0;
                if !full {
                    self.set_edges(id, &stones);
                }
                let node = &mut self.nodes[id as usize];
                node.first_value = value as f32;
                node.stage = match (full, complete) {
                    (true, _) => Stage::New,
                    (false, true) => Stage::Complete,
                    (false, false) => Stage::Likely,
                };
                value
            }
        }
    }

    /// New stones for a node; what is known of those it had stays.
    fn set_edges(&mut self, id: NodeId, stones: &[(Cell, f32)]) {
        let old: Vec<Edge> = self.edges(id).to_vec();
        let first = self.edges.len() as u32;
        self.edges.extend(stones.iter().map(|&(cell, prior)| {
            let known = old.iter().find(|edge| edge.cell == cell);
            Edge {
                cell,
                prior,
                visits: known.map_or(0, |edge| edge.visits),
                child: known.map_or(NO_NODE, |edge| edge.child),
            }
        }));
        let node = &mut self.nodes[id as usize];
        (node.first_edge, node.edges) = (first, stones.len() as u16);
    }

    /// Ends a simulation: the value, for the player at the end of the path, goes up to the root, and
    /// so does what is proved.
    pub(crate) fn back_up(&mut self, path: &Path, value: f64) {
        let Some(&last) = path.nodes.last() else { return };
        let player = self.node(last).player;
        for &id in &path.nodes {
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            node.in_flight -= 1;
            node.total += if node.player == player { value } else { -value };
        }
        for &id in path.nodes.iter().rev() {
            if self.node(id).proved.is_none() && !self.renew(id) && id != last {
                break;
            }
        }
    }

    /// Takes a simulation back that came to a node where another thread is.
    pub(crate) fn abandon(&mut self, path: &Path) {
        for &id in &path.nodes {
            self.nodes[id as usize].in_flight -= 1;
        }
        for (&id, &edge) in path.nodes.iter().zip(&path.edges) {
            self.edges_mut(id)[edge as usize].visits -= 1;
        }
    }

    /// Looks whether the stones of a node prove it; a loss of all likely stones is only doubted.
    pub(crate) fn renew(&mut self, id: NodeId) -> bool {
        let node = self.node(id);
        if node.proved.is_some() {
            return true;
        }
        if node.edges == 0 || matches!(node.stage, Stage::Busy | Stage::New) {
            return false;
        }
        let player = node.player;
        let mut best: Option<Outcome> = None;
        let mut all_proved = true;
        for edge in self.edges(id) {
            let proved = edge.child().and_then(|child| self.seen(player, child).0);
            match proved {
                Some(outcome) if best.is_none_or(|best| outcome.rank() > best.rank()) => {
                    best = Some(outcome);
                }
                Some(_) => {}
                None => all_proved = false,
            }
        }
        let complete = node.stage == Stage::Complete;
        let proved = match best {
            Some(Outcome::Won(_)) => best,
            Some(_) if all_proved && complete => best,
            Some(Outcome::Lost(_)) if all_proved => {
                self.nodes[id as usize].stage = Stage::Doubted;
                None
            }
            _ => None,
        };
        self.nodes[id as usize].proved = proved;
        proved.is_some()
    }

    /// Marks a node as proved by other means, and what follows for the nodes before it on the way.
    pub(crate) fn prove(&mut self, way: &[NodeId], outcome: Outcome) {
        let Some((&last, before)) = way.split_last() else { return };
        self.nodes[last as usize].proved = Some(outcome);
        for &id in before.iter().rev() {
            if !self.renew(id) {
                break;
            }
        }
    }

    /// The edge to play at a node: a proved win, else the most visited one that is not proved lost.
    pub(crate) fn best(&self, id: NodeId) -> Option<usize> {
        let score = |edge: &Edge| {
            let (proved, mean) = self.worth(id, edge);
            match proved {
                Some(Outcome::Drawn) | None => {
                    let mean = mean.unwrap_or(-1.0);
                    f64::from(edge.visits) + 0.1 * mean + 1e-3 * f64::from(edge.prior)
                }
                Some(outcome) => 1e6 * f64::from(outcome.rank()),
            }
        };
        let edges = self.edges(id);
        (0..edges.len()).max_by(|&a, &b| score(&edges[a]).total_cmp(&score(&edges[b])))
    }

    /// Renews a node's priors, for noise at the root of self-play.
    pub(crate) fn set_priors(&mut self, id: NodeId, priors: impl Fn(usize, f32) -> f32) {
        for (at, edge) in self.edges_mut(id).iter_mut().enumerate() {
            edge.prior = priors(at, edge.prior);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::Rules;

    fn tree() -> (Tree, Position) {
        let mut position = Position::new(Rules::CONNECT6);
        position.play(Cell::new(180)).expect("empty");
        (Tree::new(position.geometry().clone(), Exploration::default(), 8), position)
    }

    fn open(cells: &[usize], complete: bool) -> Finding {
        let share = 1.0 / cells.len() as f32;
        let stones = cells.iter().map(|&cell| (Cell::new(cell), share)).collect();
        Finding::Open { value: 0.25, stones, complete }
    }

    /// One simulation that finds this at its end; the cells it went through.
    fn simulate(tree: &mut Tree, root: NodeId, finding: Finding) -> Vec<usize> {
        let mut way = Vec::new();
        let mut path = tree.start(root);
        let task = tree.descend(&mut path, u32::MAX, &mut |cell| way.push(cell.index()));
        assert!(matches!(task, Task::Expand { .. }), "{task:?}");
        let value = tree.record(path.nodes[path.nodes.len() - 1], finding);
        tree.back_up(&path, value);
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
                let mut path = tree.start(root);
                let task = tree.descend(&mut path, u32::MAX, &mut |_| {});
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
        for path in [first, second] {
            let last = path.nodes[1];
            let value = tree.record(last, open(&[9], false));
            tree.back_up(&path, value);
        }
        assert_eq!(tree.node(root).in_flight, 0);
        assert_eq!(tree.edges(root).iter().map(|edge| edge.visits).sum::<u32>(), 2);
        assert_eq!(tree.node(root).visits, 3);
    }
}
