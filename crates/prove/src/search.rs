//! Depth-first proof-number search (df-pn, Nagai 2002), one stone at a time.
//!
//! A node where the attacker places a stone needs one proved child (OR), one where the defender
//! does needs all (AND); with several stones per turn nodes of a kind follow each other. The search
//! always goes to the child that decides its node with the fewest further nodes, as far as two
//! thresholds let it, and keeps what it learns in the table.
//!
//! - Sums over children count a position as often as it is reached, and positions are reached by
//!   many orders of moves. In the place of a sum stands the largest number plus one for each other
//!   open child (weak proof numbers; Ueda, Hashimoto, Hashimoto, Iida 2008).
//! - A child is left only when it has become worse than the next best by a quarter (the 1 + ε of
//!   Pawlewicz and Lew 2006): less walking up and down.
//! - Stones are never taken away, so no position follows itself, and the cures for cycles are not
//!   needed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::board::{Board, bits};
use crate::judge::{Judgement, judge};
use crate::node::{Key, Live, Node, Question};
use crate::refute::{self, Potential};
use crate::table::{Entry, INFINITE, Numbers, Table};

/// Steps in the search for a defence by groups.
pub(crate) const GROUP_STEPS: u32 = 100;

/// What a potential of 1 adds to the disproof number of a node that nobody has searched.
const POTENTIAL_WEIGHT: f64 = 12.0;

/// Nodes between two reports to the shared count.
const REPORT_NODES: u64 = 256;

/// Asked now and then whether the search is to end.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// What ends a search before its question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// One thread's search of one question.
pub(crate) struct Search<'a> {
    pub(crate) board: &'a Board,
    pub(crate) potential: &'a Potential,
    pub(crate) table: &'a Table,
    pub(crate) question: Question,
    /// Set when the question is no longer of interest.
    pub(crate) halt: &'a AtomicBool,
    /// Whether somebody wants the search to end.
    pub(crate) stop: &'a Stop<'a>,
    /// Where the nodes of all threads are counted.
    pub(crate) counter: &'a AtomicU64,
    /// Nodes expanded.
    pub(crate) nodes: u64,
    /// No more nodes than this are expanded.
    pub(crate) most: u64,
    pub(crate) live: Live,
}

/// A node with what is known of it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) node: Node,
    pub(crate) key: Key,
    pub(crate) numbers: Numbers,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        board: &'a Board,
        potential: &'a Potential,
        table: &'a Table,
        question: Question,
        (halt, stop): (&'a AtomicBool, &'a Stop<'a>),
        counter: &'a AtomicU64,
    ) -> Self {
        let live = Live::default();
        Self {
            board,
            potential,
            table,
            question,
            halt,
            stop,
            counter,
            nodes: 0,
            most: u64::MAX,
            live,
        }
    }

    /// Whether the attacker wins from this node.
    pub(crate) fn solve(&mut self, node: &Node) -> Result<bool, Stopped> {
        let mut seen = self.look(node);
        loop {
            if let Some(wins) = seen.numbers.verdict() {
                return Ok(wins);
            }
            let limits = Numbers { proof: INFINITE, disproof: INFINITE };
            seen.numbers = self.expand(&seen, limits).0;
            if self.stopped() {
                return seen.numbers.verdict().ok_or(Stopped);
            }
        }
    }

    /// Adds the nodes that are not in the shared count yet.
    pub(crate) fn count_rest(&self) {
        self.counter.fetch_add(self.nodes % REPORT_NODES, Ordering::Relaxed);
    }

    pub(crate) fn stopped(&self) -> bool {
        self.nodes >= self.most || self.halt.load(Ordering::Relaxed) || (self.stop)()
    }

    /// What is known of a node.
    pub(crate) fn look(&mut self, node: &Node) -> Seen {
        self.live.find(self.board, self.question, node);
        let key = self.live.key(self.board, self.question, node);
        let numbers = match self.table.get(&key) {
            Some(entry) => entry.numbers,
            None => self.first_look(node, &key),
        };
        Seen { node: *node, key, numbers }
    }

    /// What arguments tell of a node of which the table knows nothing; its windows are found.
    fn first_look(&self, node: &Node, key: &Key) -> Numbers {
        let moves = match judge(self.board, node, &self.live) {
            Judgement::Wins => return Numbers::PROVED,
            Judgement::Fails => return Numbers::DISPROVED,
            Judgement::Open { moves } => moves,
        };
        let sum = self.potential.of(&self.live);
        if self.potential.refutes(self.board, node, sum)
            || refute::follow_up(self.board, node, &self.live)
        {
            return Numbers::DISPROVED;
        }
        let numbers = if refute::groups(self.board, node, &self.live, GROUP_STEPS).is_some() {
            Numbers::DISPROVED
        } else {
            first_numbers(node, moves, sum)
        };
        // Its parents ask again, and the groups are dear.
        self.table.put(key, Entry { numbers, effort: 0 });
        numbers
    }

    /// The cells that need be tried at an open node.
    pub(crate) fn moves(&mut self, node: &Node) -> u64 {
        self.live.find(self.board, self.question, node);
        match judge(self.board, node, &self.live) {
            Judgement::Open { moves } => moves,
            Judgement::Wins | Judgement::Fails => 0,
        }
    }

    /// Searches below an open node until one of its numbers reaches its limit.
    fn expand(&mut self, seen: &Seen, limits: Numbers) -> (Numbers, u32) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(REPORT_NODES) {
            self.counter.fetch_add(REPORT_NODES, Ordering::Relaxed);
        }
        let attacks = seen.node.turn.attacks;
        let moves = self.moves(&seen.node);
        let mut children: Vec<Seen> = Vec::with_capacity(moves.count_ones() as usize);
        let mut decided = None;
        for cell in bits(moves) {
            let node = seen.node.play(self.board, cell);
            let child = self.look(&node);
            if child.numbers.verdict() == Some(attacks) {
                decided = Some(attacks);
                break;
            }
            if child.numbers.verdict().is_none()
                && children.iter().all(|there| there.key != child.key)
            {
                children.push(child);
            }
        }
        let mut effort = 1_u32;
        let numbers = loop {
            if let Some(wins) = decided {
                break Numbers::decided(wins);
            }
            children.retain(|child| child.numbers.verdict().is_none());
            if children.is_empty() {
                break Numbers::decided(!attacks);
            }
            let choice = choose(&children, attacks);
            let numbers = choice.numbers;
            if numbers.proof >= limits.proof
                || numbers.disproof >= limits.disproof
                || self.stopped()
            {
                break numbers;
            }
            let child_limits = choice.limits(limits, attacks);
            let child = children[choice.best];
            let (found, cost) = self.expand(&child, child_limits);
            children[choice.best].numbers = found;
            effort = effort.saturating_add(cost);
            if found.verdict() == Some(attacks) {
                decided = Some(attacks);
            }
        };
        let before = self.table.get(&seen.key).map_or(0, |entry| entry.effort);
        self.table.put(&seen.key, Entry { numbers, effort: before.saturating_add(effort) });
        (numbers, effort)
    }
}

/// The child to go to, and the numbers of the node.
struct Choice {
    best: usize,
    numbers: Numbers,
    /// The number that chooses, of the second best child.
    second: u32,
    others: u32,
}

/// At an OR node the proof number chooses and is the least; at an AND node the disproof number.
fn choose(children: &[Seen], attacks: bool) -> Choice {
    let chooser = |n: &Numbers| if attacks { (n.proof, n.disproof) } else { (n.disproof, n.proof) };
    let (mut best, mut least, mut second, mut most) = (0, (INFINITE, INFINITE), INFINITE, 0);
    for (index, child) in children.iter().enumerate() {
        let (chosen, summed) = chooser(&child.numbers);
        if (chosen, summed) < least {
            second = least.0;
            least = (chosen, summed);
            best = index;
        } else {
            second = second.min(chosen);
        }
        most = most.max(summed);
    }
    let others = children.len() as u32 - 1;
    let sum = most.saturating_add(others).min(INFINITE - 1);
    let numbers = if attacks {
        Numbers { proof: least.0, disproof: sum }
    } else {
        Numbers { proof: sum, disproof: least.0 }
    };
    Choice { best, numbers, second, others }
}

impl Choice {
    fn limits(&self, limits: Numbers, attacks: bool) -> Numbers {
        let (chosen, summed) =
            if attacks { (limits.proof, limits.disproof) } else { (limits.disproof, limits.proof) };
        let slack = self.second.saturating_add(self.second / 4).max(self.second.saturating_add(1));
        let chosen = chosen.min(slack);
        let summed = if summed == INFINITE { INFINITE } else { summed - self.others };
        if attacks {
            Numbers { proof: chosen, disproof: summed }
        } else {
            Numbers { proof: summed, disproof: chosen }
        }
    }
}

/// The numbers of a node that nobody has searched: every cell that can be tried may have to be
/// answered, and the more of its windows are nearly full, the harder the attacker is to stop.
fn first_numbers(node: &Node, moves: u64, potential: f64) -> Numbers {
    let stopping = 1.0 + POTENTIAL_WEIGHT * potential;
    let choices = moves.count_ones();
    if node.turn.attacks {
        Numbers { proof: 1, disproof: stopping as u32 + choices }
    } else {
        Numbers { proof: 1 + choices, disproof: stopping as u32 }
    }
}
