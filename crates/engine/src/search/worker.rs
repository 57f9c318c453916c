//! One thread of the alpha-beta search: what it searches with, its clock, its use of the table.
//!
//! The nodes are in [`super::turns`] and, with one stone per turn, in [`super::single`]; what both
//! share is here and in [`super::siblings`].

use std::sync::atomic::{AtomicU64, Ordering};

use collinear_play::Meter;
use collinear_rules::{Cell, Rules};

use super::busy::Busy;
use super::frame::{Frame, MAX_PLY, Node, frames};
use super::guide::Guide;
use super::order::Order;
use super::params::SearchParams;
use super::score::{MAX_EVALUATION, Score};
use super::settings::{Feature, Settings};
use super::single::Expected;
use super::table::{Bound, Entry, Table};
use crate::State;
use crate::tactics::Tactics;

/// Nodes between two looks at the clock.
const fn nodes_between_checks(rules: &Rules) -> u64 {
    // With this many stones in a turn a count of threats may take long.
    if rules.p() > 4 { 8 } else { 256 }
}

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) meter: &'a Meter,
    /// Nodes of all threads, brought up to date now and then.
    pub(super) nodes: &'a AtomicU64,
    /// What threads are searching, if there are several.
    pub(super) busy: Option<&'a Busy>,
}

/// One thread's search.
pub(super) struct Worker<'a> {
    pub(super) state: &'a mut State,
    pub(super) tactics: &'a mut Tactics,
    /// The network, with one stone per turn.
    pub(super) guide: Option<&'a mut Guide>,
    pub(super) settings: Settings,
    pub(super) params: SearchParams,
    pub(super) shared: Shared<'a>,
    pub(super) nodes: u64,
    counted: u64,
    next_check: u64,
    stopped: bool,
    pub(super) order: Order,
    pub(super) frames: Vec<Frame>,
    /// The best score of the last search so far, whose line is complete even when it was stopped.
    pub(super) root_score: Option<Score>,
    /// How far wins and losses against the stones tried are doubted.
    pub(super) doubt: u8,
    /// Turns, each sorted, that the root must not play: better lines found before.
    pub(super) excluded: Vec<Vec<Cell>>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        state: &'a mut State,
        settings: Settings,
        params: &SearchParams,
        shared: Shared<'a>,
        tactics: &'a mut Tactics,
    ) -> Self {
        let rules = *state.geometry().rules();
        Self {
            tactics,
            guide: None,
            settings,
            params: *params,
            shared,
            nodes: 0,
            counted: 0,
            next_check: nodes_between_checks(&rules),
            stopped: false,
            order: Order::new(rules.cells(), MAX_PLY + 1, params),
            frames: frames(),
            root_score: None,
            doubt: 0,
            excluded: Vec::new(),
            state,
        }
    }

    /// Whether the search was told to end; its last score is then worth nothing.
    pub(super) const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Nodes of all threads so far.
    pub(super) fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + (self.nodes - self.counted)
    }

    /// The same with a network to ask.
    pub(super) fn guided_by(mut self, guide: Option<&'a mut Guide>) -> Self {
        self.guide = guide;
        self
    }

    /// The principal variation of the last search.
    pub(super) fn line(&self) -> &[Cell] {
        &self.frames[0].line
    }

    /// The turn, with its number of stones, that was being tried when the search was stopped. It may be no turn:
    /// between two stones the later ones are those of an earlier try.
    pub(super) fn turn_in_hand(&self, stones: usize) -> Option<Vec<Cell>> {
        let cell = |frame: &Frame| frame.list.get(frame.trying).map(|found| found.cell);
        self.frames[..stones].iter().map(cell).collect()
    }

    /// Searches the position to a depth in stones. The score is exact within (`alpha`, `beta`), at
    /// most an upper bound below and a lower bound above.
    pub(super) fn search_root(&mut self, alpha: Score, beta: Score, depth: i32) -> Score {
        self.root_score = None;
        if self.state.cells().is_some() {
            return self.search_single([alpha, beta], depth, Node::ROOT, Expected::All);
        }
        self.search([alpha, beta], depth, Node::ROOT)
    }

    /// Counts a node; says whether the search must end.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_clock();
        }
        self.stopped
    }

    /// The static evaluation with the network's correction from above.
    pub(super) fn evaluation(&mut self, node: Node) -> Score {
        (self.state.evaluation() + node.bias).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// What the table knows about a position.
    pub(super) fn known(&self, key: u64, distance: i32) -> Option<Entry> {
        if self.uses_table(distance) { self.shared.table.get(key, distance) } else { None }
    }

    pub(super) fn store(&self, key: u64, distance: i32, entry: Entry) {
        if self.uses_table(distance) {
            self.shared.table.put(key, distance, entry);
        }
    }

    /// A root that must not play some turns is another position.
    fn uses_table(&self, distance: i32) -> bool {
        self.settings.features.has(Feature::Table) && (distance > 0 || self.excluded.is_empty())
    }

    /// Looks for a win by continuous threats with `nodes` (a power of two), and stores it.
    pub(super) fn prove_and_store(&mut self, key: u64, effort: u8, distance: i32) -> Option<Score> {
        let score = self.prove(effort, distance)?;
        let entry =
            Entry { score, bound: Bound::Lower, depth: CERTAIN, best: None, unproved: effort };
        self.store(key, distance, entry);
        Some(score)
    }

    /// Looks at the clock at the next node: something took long.
    pub(super) const fn check_soon(&mut self) {
        self.next_check = self.nodes;
    }

    fn check_clock(&mut self) {
        // Proof searches add many nodes at once, so no multiple of anything can be waited for.
        self.next_check = self.nodes + nodes_between_checks(self.state.geometry().rules());
        let new = self.nodes - self.counted;
        self.counted = self.nodes;
        let total = self.shared.nodes.fetch_add(new, Ordering::Relaxed) + new;
        self.stopped |= self.shared.meter.is_spent(total);
    }
}

/// The depth of what a proof search found: no search can find more.
pub(super) const CERTAIN: i32 = 200;
