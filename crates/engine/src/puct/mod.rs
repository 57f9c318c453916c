//! The network search: a tree that grows where the network's policy and value point (PUCT; Silver et
//! al., "Mastering the game of Go without human knowledge", 2017), one stone at a time, with proofs.
//!
//! A simulation, step by step:
//!  1. From the root down, the stone with the best value plus prior; proved losses are never followed.
//!  2. At a node whose visits have reached a power of two, a longer look for a win by threats.
//!  3. At a new node: a row, covers against the opponent's rows, a win by threats, the relevance zone
//!     of the opponent's win by threats; else the network gives a value and priors.
//!  4. Back up: the value along the way, and what is proved. A loss of all likely stones is doubted:
//!     the other stones are tried before it is believed.
//!
//! Around them: the root's own win by threats or by a quiet turn first, and the best turn is
//! verified again and again with such searches for the opponent.

mod appraise;
mod params;
mod report;
mod selfplay;
mod tree;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_play::instant::Instant;
use collinear_play::{Budget, Line, Meter, Report, Turn, Value};
use collinear_rules::{Cell, Position, Rules};

use crate::net::Net;
use crate::proof::{Proof, ProofLimits};
use crate::search::{SecondOpinion, proved};
use crate::tactics::Replies;
use crate::{Params, SearchResult, Settings, Weights};
pub(crate) use appraise::{Appraiser, Effort};
pub use params::PuctParams;
pub use selfplay::{NetPlay, play_net_games};
use tree::Task;
pub(crate) use tree::{NodeId, Outcome, Tree};

/// Time between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// Visits between two looks whether the best line is as long as was asked for.
const DEPTH_CHECK_VISITS: u64 = 16;
/// Where nothing but depth limits a turn: the main line may never become so long.
const VISITS_PER_DEPTH: u64 = 2_000;
/// The most visits where nothing limits them.
const MAX_VISITS: u64 = 1 << 31;

/// The network search of one game; keeps its tree from turn to turn.
pub(crate) struct NetSearch {
    net: Arc<Net>,
    weights: Arc<Weights>,
    params: Params,
    tree: Tree,
    appraisers: Vec<Appraiser>,
    opinion: Option<SecondOpinion>,
}

impl NetSearch {
    pub(crate) fn new(
        rules: &Rules,
        net: Arc<Net>,
        weights: Arc<Weights>,
        settings: &Settings,
        params: &Params,
    ) -> Self {
        let first = Appraiser::new(rules, &net, &weights, params);
        let tree = Tree::new(first.state.geometry().clone(), &params.puct, settings.memory);
        let opinion = SecondOpinion::new(&first.state, &params.search);
        Self { net, weights, params: *params, tree, appraisers: vec![first], opinion }
    }

    pub(crate) const fn net(&self) -> &Arc<Net> {
        &self.net
    }

    pub(crate) fn clear(&mut self) {
        self.tree.clear();
        self.appraisers.iter_mut().for_each(|appraiser| appraiser.tactics.clear());
    }

    /// Thinks until the budget is spent or the position is proved.
    pub(crate) fn think(
        &mut self,
        position: &Position,
        budget: &Budget,
        meter: &Meter,
        threads: usize,
        on: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let rules = *position.rules();
        let (net, weights, params) = (&self.net, &self.weights, &self.params);
        let new = || Appraiser::new(&rules, net, weights, params);
        self.appraisers.resize_with(threads.max(1), new);
        self.appraisers.iter_mut().for_each(|appraiser| appraiser.state.set(position));
        let root = self.tree.root(position);
        let turn = TurnSearch {
            position,
            root,
            meter,
            budget,
            max_visits: max_visits(budget, meter),
            visits: AtomicU64::new(0),
            verified_millionths: AtomicU64::new(0),
            opinion: self.opinion.as_ref(),
            params: &self.params.puct,
        };
        let PuctParams { root_share, root_proof_turns, .. } = self.params.puct;
        if let Some(win) = turn.win(&mut self.appraisers[0], position, root_share, root_proof_turns)
        {
            let thought = win.thought(position, turn.spent(), meter);
            on(&thought.report);
            return thought;
        }
        let tree = Mutex::new(std::mem::replace(
            &mut self.tree,
            Tree::new(self.appraisers[0].state.geometry().clone(), &self.params.puct, 0),
        ));
        let thought = std::thread::scope(|scope| {
            let Some((leader, helpers)) = self.appraisers.split_first_mut() else {
                unreachable!("there is a thread at least")
            };
            for helper in helpers {
                // Where the system has no thread to spare, those that there are search.
                let help = || turn.help(&tree, helper);
                let _ = std::thread::Builder::new().spawn_scoped(scope, help);
            }
            let thought = turn.lead(&tree, leader, on);
            budget.stop.stop();
            thought
        });
        self.tree = tree.into_inner().unwrap_or_else(PoisonError::into_inner);
        thought
    }

    /// Where the search of this position looked, the most visited stones with the largest numbers.
    pub(crate) fn looks(&mut self, position: &Position) -> Vec<(Cell, f64)> {
        let root = self.tree.root(position);
        let looks = self.tree.looks(root);
        looks.into_iter().map(|(cell, visits)| (cell, f64::from(visits))).collect()
    }

    /// The network's own opinion of a position, without search: its value for the player to move
    /// from 0 to 1 and a share for every cell.
    pub(crate) fn glance(&mut self, position: &Position) -> (f64, Vec<f32>) {
        let appraiser = &mut self.appraisers[0];
        appraiser.state.set(position);
        let value = appraiser.evaluate();
        let policy = appraiser.policy();
        let empty = |cell: usize| position.check(Cell::new(cell)).is_ok();
        let most = (0..policy.len())
            .filter(|&cell| empty(cell))
            .map(|cell| policy[cell])
            .fold(f32::NEG_INFINITY, f32::max);
        let shares: Vec<f32> = (0..policy.len())
            .map(|cell| if empty(cell) { (policy[cell] - most).exp() } else { 0.0 })
            .collect();
        let total: f32 = shares.iter().sum();
        (
            f64::midpoint(value, 1.0),
            shares.iter().map(|share| share / total.max(f32::MIN_POSITIVE)).collect(),
        )
    }
}

/// The most visits of a turn.
fn max_visits(budget: &Budget, meter: &Meter) -> u64 {
    match budget.depth {
        Some(depth) if meter.deadline().is_none() && meter.max_nodes() > MAX_VISITS => {
            u64::from(depth.max(1)) * VISITS_PER_DEPTH
        }
        _ => meter.max_nodes().min(MAX_VISITS),
    }
}

/// One turn being thought about.
struct TurnSearch<'a> {
    position: &'a Position,
    root: NodeId,
    meter: &'a Meter,
    budget: &'a Budget,
    max_visits: u64,
    visits: AtomicU64,
    /// The part of the turn that verifications took, in millionths.
    verified_millionths: AtomicU64,
    opinion: Option<&'a SecondOpinion>,
    params: &'a PuctParams,
}

/// A proved win.
struct Win {
    turn: Turn,
    turns: u16,
    /// None where alpha-beta proved it, which keeps no tree.
    proof: Option<Arc<Proof>>,
}

impl Win {
    fn thought(self, position: &Position, nodes: u64, meter: &Meter) -> SearchResult {
        if let Some(proof) = self.proof {
            return proved(position, proof, nodes, meter);
        }
        let report = Report {
            depth: u32::from(self.turns),
            nodes,
            elapsed: meter.elapsed(),
            lines: vec![Line { value: Value::WinsIn(self.turns), stones: self.turn.clone() }],
            note: Some("proved by alpha-beta".to_owned()),
        };
        SearchResult { turn: self.turn, report, proof: None }
    }
}

fn lock(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    // A thread that panicked left the tree whole: every change of it is complete before anything
    // that could panic.
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TurnSearch<'_> {
    fn spent(&self) -> u64 {
        self.visits.load(Ordering::Relaxed)
    }

    /// How much of the turn is over, from 0 to 1: by visits where they are limited, else by time.
    fn part(&self) -> f64 {
        let visits = self.spent() as f64 / self.max_visits as f64;
        let time = self.meter.deadline().map_or(0.0, |deadline| {
            let elapsed = self.meter.elapsed().as_secs_f64();
            let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
            elapsed / (elapsed + left).max(1e-9)
        });
        visits.max(time)
    }

    fn is_over(&self) -> bool {
        self.meter.is_spent(self.spent()) || self.spent() >= self.max_visits
    }

    /// A proof search with so large a part of the turn: by positions where visits are limited, else
    /// by time.
    fn share(&self, part: f64) -> (u64, Budget) {
        let nodes = if self.max_visits == MAX_VISITS {
            u64::MAX
        } else {
            (self.max_visits as f64 * self.params.positions_per_visit as f64 * part) as u64
        };
        let time = self.meter.deadline().map(|deadline| {
            let whole = deadline.saturating_duration_since(Instant::now()) + self.meter.elapsed();
            whole.mul_f64(part)
        });
        let nodes =
            if nodes == u64::MAX && time.is_none() { self.params.untimed_proof } else { nodes };
        (nodes, Budget { time, stop: self.budget.stop.clone(), ..Budget::default() })
    }

    /// A win of the player to move in this position, which stands on the appraiser's board: a proof,
    /// else one by the second opinion, each with so large a part of the turn.
    fn win(
        &self,
        appraiser: &mut Appraiser,
        position: &Position,
        part: f64,
        turns: u16,
    ) -> Option<Win> {
        if let Some(proof) = self.prove(appraiser, part, turns) {
            return Some(Win {
                turn: proof.turn.clone(),
                turns: proof.turns(),
                proof: Some(proof),
            });
        }
        let (nodes, budget) = self.share(part);
        let budget = Budget { nodes: Some(nodes), ..budget };
        let (turn, turns) =
            self.opinion?.win(&mut appraiser.state, &mut appraiser.tactics, position, &budget)?;
        Some(Win { turn, turns, proof: None })
    }

    /// A win of the player to move on the appraiser's board: by continuous threats, else beginning
    /// with a quiet turn, with so large a part of the turn.
    fn prove(&self, appraiser: &mut Appraiser, part: f64, turns: u16) -> Option<Arc<Proof>> {
        let point = appraiser.state.turn();
        let (player, left) = (point.player, usize::from(point.left));
        let p = self.position.rules().p();
        let windows = appraiser.state.windows_mut();
        let (nodes, budget) = self.share(part * (1.0 - self.params.quiet_part));
        let meter = budget.start(1);
        let limits = ProofLimits { turns, nodes, meter: Some(&meter) };
        let proof = appraiser.tactics.prove(windows, player, left, limits).proof();
        if proof.is_some() || left < p {
            return proof;
        }
        let (nodes, budget) = self.share(part * self.params.quiet_part);
        let meter = budget.start(1);
        let limits = appraiser.tactics.quiet_limits(nodes, &meter);
        appraiser.tactics.prove_quiet(windows, player, left, limits)
    }

    fn help(&self, tree: &Mutex<Tree>, appraiser: &mut Appraiser) {
        while !self.is_over() && lock(tree).node(self.root).proved.is_none() {
            self.simulate(tree, appraiser);
        }
    }

    fn lead(
        &self,
        tree: &Mutex<Tree>,
        appraiser: &mut Appraiser,
        on: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let mut verified = HashMap::new();
        let mut marks = self.params.verify_at().into_iter().peekable();
        let mut refuted = false;
        let mut next_report = REPORT_EVERY;
        let mut reported = 0;
        self.simulate(tree, appraiser);
        while !self.is_over() && lock(tree).node(self.root).proved.is_none() {
            let part = self.part();
            if marks.next_if(|&mark| part >= mark).is_some() || refuted {
                refuted = self.verify(tree, appraiser, &mut verified, part);
            }
            self.simulate(tree, appraiser);
            if let Some(depth) = self.budget.depth
                && self.spent().is_multiple_of(DEPTH_CHECK_VISITS)
                && self.report(&lock(tree)).depth >= depth
            {
                break;
            }
            if self.meter.elapsed() >= next_report {
                next_report = self.meter.elapsed() + REPORT_EVERY;
                let report = self.report(&lock(tree));
                if !report.lines[0].stones.is_empty() {
                    reported = report.nodes;
                    on(&report);
                }
            }
        }
        let thought = self.thought(tree, appraiser);
        if thought.report.nodes > reported {
            on(&thought.report);
        }
        thought
    }

    fn simulate(&self, tree: &Mutex<Tree>, appraiser: &mut Appraiser) {
        self.visits.fetch_add(1, Ordering::Relaxed);
        let mut playout = lock(tree).start(self.root);
        let mut known: Option<f64> = None;
        loop {
            let task = lock(tree).descend(&mut playout, self.params.grow_from, &mut |cell| {
                appraiser.state.play(cell);
            });
            let Some(&id) = playout.nodes.last() else { break };
            match task {
                Task::Expand { all } => {
                    let effort = Effort::new(self.params, playout.nodes.len() == 1);
                    let finding = appraiser.appraise(effort, all, self.meter);
                    known = Some(lock(tree).record(id, finding));
                    break;
                }
                Task::Prove { visits } => {
                    if let Some(finding) = self.grow(appraiser, visits) {
                        let value = lock(tree).record(id, finding);
                        if lock(tree).node(id).proved.is_some() {
                            known = Some(value);
                            break;
                        }
                    }
                }
                Task::Known => {
                    known = Some(lock(tree).node(id).mean());
                    break;
                }
                Task::Collide => break,
            }
        }
        for _ in 1..playout.nodes.len() {
            appraiser.state.undo();
        }
        if let Some(value) = known {
            lock(tree).back_up(&playout, value);
        } else {
            lock(tree).abandon(&playout);
            self.visits.fetch_sub(1, Ordering::Relaxed);
            std::thread::yield_now();
        }
    }

    /// Longer proofs at a node with many visits: a win, or the zone against the opponent's.
    fn grow(&self, appraiser: &mut Appraiser, visits: u32) -> Option<tree::Finding> {
        let effort = Effort::grown(self.params, visits);
        let win = appraiser.win(effort, self.meter);
        if let Some(turns) = win.or_else(|| appraiser.quiet_win(effort, self.meter)) {
            return Some(tree::Finding::Proved(Outcome::Won(turns)));
        }
        match appraiser.zone(effort, self.meter) {
            Replies::Lost { turns } => Some(tree::Finding::Proved(Outcome::Lost(turns))),
            Replies::Only(cells) => Some(appraiser.open(Some(&cells), true)),
            Replies::Free => None,
        }
    }

    /// Looks for the opponent's win by threats after the best turn, and so on until a turn
    /// stands. Says whether one was refuted.
    fn verify(
        &self,
        tree: &Mutex<Tree>,
        appraiser: &mut Appraiser,
        verified: &mut HashMap<NodeId, u64>,
        part: f64,
    ) -> bool {
        let params = self.params;
        let mut refuted = false;
        for _ in 0..params.verify_most {
            let (turn, way) = self.best_turn(&mut lock(tree));
            let Some(&last) = way.last() else { break };
            let effort = 1 + (part * 10.0) as u64;
            let spent = self.verified_millionths.load(Ordering::Relaxed) as f64 / 1e6;
            let share = (params.verify_base + params.verify_growth * part)
                .min(params.verify_total - spent)
                .min((1.0 - part) * params.verify_rest);
            let done = verified.get(&last).is_some_and(|&done| done >= effort);
            if share < params.verify_least || done || lock(tree).node(last).proved.is_some() {
                break;
            }
            let mut after = self.position.clone();
            for &cell in &turn {
                after.play_unchecked(cell);
                appraiser.state.play(cell);
            }
            let began = (self.meter.elapsed(), appraiser.tactics.nodes());
            let win = if after.is_over() {
                None
            } else {
                self.win(appraiser, &after, share, params.verify_turns)
            };
            for _ in &turn {
                appraiser.state.undo();
            }
            let used = self.used(share, began, appraiser);
            self.verified_millionths.fetch_add((used * 1e6) as u64, Ordering::Relaxed);
            verified.insert(last, effort);
            let Some(win) = win else { break };
            refuted = true;
            let mut tree = lock(tree);
            tree.prove(&way, Outcome::Won(win.turns));
            if tree.node(self.root).proved.is_some() {
                break;
            }
        }
        refuted
    }

    /// The part of the turn that a verification took.
    fn used(&self, share: f64, began: (Duration, u64), appraiser: &Appraiser) -> f64 {
        if self.max_visits < MAX_VISITS {
            let (nodes, _) = self.share(share);
            return share * (appraiser.tactics.nodes() - began.1) as f64 / nodes.max(1) as f64;
        }
        let took = self.meter.elapsed().saturating_sub(began.0).as_secs_f64();
        self.meter.deadline().map_or(0.0, |deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            took / (self.meter.elapsed() + left).as_secs_f64().max(1e-9)
        })
    }

    /// The best stones until the turn ends, and the nodes on that way; fewer where the tree
    /// ends.
    fn best_turn(&self, tree: &mut Tree) -> (Turn, Vec<NodeId>) {
        let (mut turn, mut way) = (Turn::new(), vec![self.root]);
        for _ in 0..self.position.stones_left() {
            let id = way[way.len() - 1];
            let Some(edge) = tree.best(id) else { break };
            turn.push(tree.edges(id)[edge].cell);
            way.push(tree.child(id, edge));
        }
        (turn, way)
    }
}
