//! The tree of the network search: who was visited how often, what it is worth, what is proved.
//!
//! A node is a position before one stone; several stones of a turn are several nodes, and two orders
//! of the same stones meet in one node (found by key). Stones are only ever added, so there is no
//! cycle. Values are those of the player to move at the node, from −1 (lost) to 1 (won).

mod node;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use collinear_rules::{Cell, Geometry, Player, Position};

use super::PuctParams;
pub(super) use node::Edge;
pub(crate) use node::{Finding, NodeId, Outcome, Stage, Task};
use node::{NO_NODE, Node};

pub(crate) struct Tree {
    geometry: Arc<Geometry>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    by_key: HashMap<u64, NodeId>,
    cpuct: f32,
    fpu_reduction: f32,
    max_bytes: usize,
}

/// A way down: the nodes from the root on and the edge taken from each but the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Playout {
    pub(crate) nodes: Vec<NodeId>,
    edges: Vec<u32>,
}

impl Tree {
    pub(crate) fn new(geometry: Arc<Geometry>, params: &PuctParams, mebibytes: usize) -> Self {
        Self {
            geometry,
            nodes: Vec::new(),
            edges: Vec::new(),
            by_key: HashMap::new(),
            cpuct: params.cpuct,
            fpu_reduction: params.fpu_reduction,
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
                virtual_loss: 0,
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
        let visits = child.visits + child.virtual_loss;
        let mean = match proved {
            Some(outcome) => outcome.value(),
            None if visits > 0 => {
                (sign * child.total - f64::from(child.virtual_loss)) / f64::from(visits)
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
        let (mut visits, mut visited) = (0, 0.0);
        for edge in edges {
            visits += edge.visits;
            if edge.visits > 0 {
                visited += edge.prior;
            }
        }
        let fpu = (node.mean() as f32 - self.fpu_reduction * visited.sqrt()).max(-1.0);
        let spread = self.cpuct * ((visits + 1) as f32).sqrt();
        let mut best: Option<(f32, usize)> = None;
        for (at, edge) in edges.iter().enumerate() {
            let mut value = fpu;
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
    pub(crate) fn start(&mut self, root: NodeId) -> Playout {
        self.nodes[root as usize].virtual_loss += 1;
        Playout { nodes: vec![root], edges: Vec::new() }
    }

    /// Goes down from the end of the playout to where something is to be done; `on` hears the stones.
    pub(crate) fn descend(
        &mut self,
        playout: &mut Playout,
        grow_from: u32,
        on: &mut dyn FnMut(Cell),
    ) -> Task {
        loop {
            let id = playout.nodes[playout.nodes.len() - 1];
            let is_root = playout.nodes.len() == 1;
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
            self.nodes[child as usize].virtual_loss += 1;
            playout.nodes.push(child);
            playout.edges.push(edge as u32);
        }
    }

    /// Writes down what was found out about the node at the end of the playout. Without memory for its
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

    /// Ends a simulation: the value, for the player at the end of the playout, goes up to the root, and
    /// so does what is proved.
    pub(crate) fn back_up(&mut self, playout: &Playout, value: f64) {
        let Some(&last) = playout.nodes.last() else { return };
        let player = self.node(last).player;
        for &id in &playout.nodes {
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            node.virtual_loss -= 1;
            node.total += if node.player == player { value } else { -value };
        }
        for &id in playout.nodes.iter().rev() {
            if self.node(id).proved.is_none() && !self.renew(id) && id != last {
                break;
            }
        }
    }

    /// Takes a simulation back that came to a node where another thread is.
    pub(crate) fn abandon(&mut self, playout: &Playout) {
        for &id in &playout.nodes {
            self.nodes[id as usize].virtual_loss -= 1;
        }
        for (&id, &edge) in playout.nodes.iter().zip(&playout.edges) {
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
