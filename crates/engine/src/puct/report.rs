//! What the network search tells: its turn, the best lines, and what they are worth.

use std::collections::HashSet;
use std::sync::Mutex;

use collinear_play::{Line, Report, Turn, Value};
use collinear_rules::Cell;

use super::tree::{Edge, NodeId, Outcome, Tree};
use super::{Appraiser, TurnSearch, lock};
use crate::SearchResult;
use crate::proof::ProofLimits;

fn value(proved: Option<Outcome>, mean: Option<f64>) -> Value {
    match proved {
        Some(Outcome::Won(turns)) => Value::WinsIn(turns),
        Some(Outcome::Lost(turns)) => Value::LosesIn(turns),
        Some(Outcome::Drawn) => Value::Draw,
        None => Value::Chance(f64::midpoint(mean.unwrap_or(0.0), 1.0) as f32),
    }
}

/// The most stones that a search is said to have looked at.
const MAX_LOOKS: usize = 64;

impl Tree {
    /// Where the visits of a node went, the most visited stones first: proved wins alone if there are
    /// any, and no proved losses unless all are.
    pub(super) fn looks(&self, id: NodeId) -> Vec<(Cell, u32)> {
        let worth = |edge: &Edge| self.worth(id, edge).0;
        let edges = self.edges(id);
        let won = edges.iter().filter(|edge| matches!(worth(edge), Some(Outcome::Won(_))));
        let mut looks: Vec<(Cell, u32)> = won.map(|edge| (edge.cell, 1)).collect();
        if looks.is_empty() {
            let lost = self.node(id).proved.is_some();
            let open = |edge: &&Edge| lost || !matches!(worth(edge), Some(Outcome::Lost(_)));
            let visited = edges.iter().filter(|edge| edge.visits > 0).filter(open);
            looks = visited.map(|edge| (edge.cell, edge.visits)).collect();
        }
        looks.sort_by_key(|&(_, visits)| std::cmp::Reverse(visits));
        looks.truncate(MAX_LOOKS);
        looks
    }
}

impl TurnSearch<'_> {
    /// The turn to be played, with all its stones even where the tree does not have them.
    pub(super) fn thought(&self, tree: &Mutex<Tree>, appraiser: &mut Appraiser) -> SearchResult {
        let mut tree = lock(tree);
        let (turn, _) = self.best_turn(&mut tree);
        let turn = self.whole(turn, appraiser);
        let mut report = self.report(&tree);
        if report.lines[0].stones.len() < turn.len() {
            report.lines[0].stones.clone_from(&turn);
            report.depth = turn.len() as u32;
        }
        SearchResult { turn, report, proof: None }
    }

    /// What the tree says now. Changes nothing: how often it is asked depends on the clock, and the
    /// search must not.
    pub(super) fn report(&self, tree: &Tree) -> Report {
        let mut lines = self.lines(tree, usize::from(self.budget.lines.max(1)));
        if lines.is_empty() {
            let root = tree.node(self.root);
            let value = value(root.proved, Some(root.mean()));
            lines.push(Line { value, stones: Vec::new() });
        }
        let note = tree.node(self.root).proved.is_some().then(|| "proved".to_owned());
        Report {
            depth: lines[0].stones.len() as u32,
            nodes: self.spent(),
            elapsed: self.meter.elapsed(),
            lines,
            note,
        }
    }

    /// Fills a turn up: a row or a win by threats if there is one, else what the patterns like.
    fn whole(&self, mut turn: Turn, appraiser: &mut Appraiser) -> Turn {
        let wanted = self.position.stones_left();
        let mut position = self.position.clone();
        for &cell in &turn {
            // The tree holds legal stones alone.
            let _ = position.play(cell);
            appraiser.state.play(cell);
        }
        let played = turn.len();
        if turn.len() < wanted && !position.is_over() {
            let point = appraiser.state.turn();
            let limits = ProofLimits { turns: 12, nodes: 1000, meter: None };
            let left = wanted - turn.len();
            let windows = appraiser.state.windows_mut();
            let proof = appraiser.tactics.prove(windows, point.player, left, limits).proof();
            let rest = proof.map(|proof| proof.turn.clone()).unwrap_or_default();
            for cell in rest {
                if turn.len() < wanted && position.play(cell).is_ok() {
                    turn.push(cell);
                }
            }
        }
        for _ in 0..played {
            appraiser.state.undo();
        }
        while turn.len() < wanted && !position.is_over() {
            let policy = appraiser.state.policy(position.to_move());
            let Some(cell) = position.empty_cells().max_by_key(|cell: &Cell| policy[cell.index()])
            else {
                break;
            };
            let _ = position.play(cell);
            turn.push(cell);
        }
        turn
    }

    /// The best whole turns with what follows them, best first: two orders of the same stones end in
    /// the same node and count once.
    fn lines(&self, tree: &Tree, wanted: usize) -> Vec<Line> {
        /// Stones looked at in each place of a turn, beyond the lines wanted.
        const SPARE: usize = 4;
        let mut ways: Vec<(Vec<usize>, NodeId)> = vec![(Vec::new(), self.root)];
        for _ in 0..self.position.stones_left() {
            let mut longer = Vec::new();
            for (way, id) in ways {
                let mut edges: Vec<usize> = (0..tree.edges(id).len())
                    .filter(|&edge| tree.edges(id)[edge].child().is_some())
                    .collect();
                edges.sort_by_key(|&edge| std::cmp::Reverse(tree.edges(id)[edge].visits));
                edges.truncate(wanted + SPARE);
                let best = tree.best(id);
                edges.sort_by_key(|&edge| Some(edge) != best);
                if edges.is_empty() && !way.is_empty() {
                    longer.push((way, id));
                    continue;
                }
                for edge in edges {
                    let Some(child) = tree.edges(id)[edge].child() else { continue };
                    let mut way = way.clone();
                    way.push(edge);
                    longer.push((way, child));
                }
            }
            ways = longer;
        }
        let mut seen = HashSet::new();
        ways.retain(|&(_, end)| seen.insert(end));
        let mut lines: Vec<(u32, Line)> = ways
            .into_iter()
            .map(|(way, end)| {
                let (mut id, mut stones) = (self.root, Vec::new());
                let (mut visits, mut worth) = (u32::MAX, (None, None));
                for edge in way {
                    let edge = &tree.edges(id)[edge];
                    visits = visits.min(edge.visits);
                    worth = tree.worth(id, edge);
                    stones.push(edge.cell);
                    id = edge.child().unwrap_or(id);
                }
                Self::follow(tree, end, &mut stones);
                (visits, Line { value: value(worth.0, worth.1), stones })
            })
            .collect();
        // The first is the turn to be played; the others by what they are worth.
        lines.sort_by_key(|(visits, _)| std::cmp::Reverse(*visits));
        if let Some(first) = self.best_stones(tree)
            && let Some(at) = lines.iter().position(|(_, line)| same_turn(&line.stones, &first))
        {
            let best = lines.remove(at);
            lines.insert(0, best);
        }
        lines.truncate(wanted);
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn best_stones(&self, tree: &Tree) -> Option<Turn> {
        let (mut id, mut turn) = (self.root, Turn::new());
        for _ in 0..self.position.stones_left() {
            let edge = &tree.edges(id)[tree.best(id)?];
            turn.push(edge.cell);
            id = edge.child()?;
        }
        Some(turn)
    }

    /// The line after a turn, as far as it was visited more than once.
    fn follow(tree: &Tree, mut id: NodeId, stones: &mut Vec<Cell>) {
        const LONGEST: usize = 24;
        while stones.len() < LONGEST {
            let Some(edge) = tree.best(id).map(|at| &tree.edges(id)[at]) else { break };
            let Some(child) = edge.child().filter(|_| edge.visits > 1) else { break };
            stones.push(edge.cell);
            id = child;
        }
    }
}

/// Whether a line begins with these stones, in whatever order.
fn same_turn(line: &[Cell], turn: &[Cell]) -> bool {
    line.len() >= turn.len() && turn.iter().all(|cell| line[..turn.len()].contains(cell))
}
