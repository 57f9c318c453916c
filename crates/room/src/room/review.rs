//! A review: every position of the line shown is searched with the same number of nodes, one after
//! the other; then the turns are judged. A second review says the same.

use std::collections::HashMap;

use collinear_engine::analysis::positions;
use collinear_play::{Budget, NodeId, Report, Turn};
use collinear_rules::{Cell, Position};

use super::searches::Task;
use super::{Change, Room};
use crate::insight;
use crate::wire::{Purpose, ReviewView, Sealed, ToPage};
use crate::work::{Assess, JobNumber, Searched, Work};

/// Nodes for each position, by effort: about a tenth of a second, half a second, a few seconds.
const NODES: [u64; 3] = [3_000, 20_000, 100_000];
/// The same where nodes are visits of the network search: fewer, each worth more and taking longer.
const VISITS: [u64; 3] = [1_500, 6_000, 30_000];

/// Positions that the solver may look at for each position of a game that it knows: the values are then
/// exact. Where that is not enough the analyst estimates.
const SOLVED: [u64; 3] = [20_000_000, 60_000_000, 200_000_000];

/// What it may cost to know a position well enough to grade turns.
pub(super) struct Effort {
    /// Of the analyst.
    pub(super) budget: Budget,
    /// Positions of the exact solver, where the game has one.
    pub(super) exact: Option<u64>,
}

/// How far a review is.
#[derive(Default)]
pub(super) struct Review {
    effort: u8,
    /// The nodes of the line, the root first.
    line: Vec<NodeId>,
    /// The nodes it still has to evaluate, the next one last.
    open: Vec<NodeId>,
    /// Positions reviewed, and how many there are.
    done: (u32, u32),
    found: HashMap<NodeId, Searched>,
    /// Every position was searched: its turns are being judged.
    judging: Option<(JobNumber, Assess)>,
    /// The last complete one, and what it was judged by.
    latest: Option<(Sealed<ReviewView>, Assess)>,
}

impl Review {
    /// The last complete one, for a page that comes later.
    pub(super) fn view(&self) -> Option<&Sealed<ReviewView>> {
        self.latest.as_ref().map(|(view, _)| view)
    }

    /// What the search said before the turn that follows a node, by the name that pages know it by, and
    /// how hard it was looked at.
    pub(super) fn turn_after(&self, node: u32) -> Option<(&Searched, u8)> {
        let (_, assess) = self.latest.as_ref()?;
        let positions = positions(&assess.start, &assess.stones).ok()?;
        // The last position has no turn.
        let mut before = positions[..positions.len() - 1].iter();
        let at = before.position(|(_, played)| assess.line[*played].number() == node)?;
        Some((assess.searched.get(at)?, assess.effort))
    }

    /// What it was judged by, for a record.
    pub(super) fn line(&self) -> Option<&Assess> {
        self.latest.as_ref().map(|(_, assess)| assess)
    }

    /// Nobody looks any more.
    pub(super) fn stop(&mut self) {
        self.judging = None;
    }

    /// The job that is wanted.
    pub(super) fn job(&self) -> Option<JobNumber> {
        self.judging.as_ref().map(|(job, _)| *job)
    }
}

impl Room {
    /// Begins or ends a review of the line shown.
    pub(super) fn review(&mut self, on: bool, effort: u8) {
        self.searches.cancel(Purpose::Review);
        let model = &self.game.model;
        let tip = model.tree().tip(model.node());
        let mut open = if on { model.turn_ends(tip) } else { Vec::new() };
        // A line may end within a turn.
        if on && open.last() != Some(&tip) {
            open.push(tip);
        }
        open.reverse();
        self.review = Review {
            effort: effort.clamp(1, NODES.len() as u8),
            line: model.tree().path(tip),
            done: (0, open.len() as u32),
            open,
            ..Review::default()
        };
        self.clients.tell_all(ToPage::Reviewed { done: 0, of: self.review.done.1 });
        self.review_next();
    }

    /// Goes on with the next position, or judges when there is none.
    pub(super) fn review_next(&mut self) {
        let of = self.review.done.1;
        while let Some(node) = self.review.open.pop() {
            let left = self.review.open.len() as u32 + 1;
            if self.review.done.0 != of - left {
                self.review.done.0 = of - left;
                self.clients.tell_all(ToPage::Reviewed { done: of - left, of });
            }
            // The node may be gone: pruned meanwhile.
            let found = self.game.model.position_at(node);
            let Some(position) = found.filter(|position| !position.is_over()) else { continue };
            let budget = self.effort(self.review.effort);
            if self.judge_at(node, position, Purpose::Review, budget) {
                return;
            }
        }
        if of > 0 {
            self.judge_line();
        }
        if self.review.judging.is_none() {
            self.review_is_over();
        }
    }

    /// The budget of a position of a review.
    pub(super) fn effort(&self, effort: u8) -> Effort {
        let at = usize::from(effort.clamp(1, NODES.len() as u8)) - 1;
        let nodes = if insight::has_visits(self.game.rules()) { VISITS } else { NODES };
        let exact = collinear_connect4::solves(self.game.rules()).then_some(SOLVED[at]);
        Effort { budget: Budget::nodes(nodes[at]), exact }
    }

    /// Starts a search whose result is to be graded; false where nobody can be asked.
    pub(super) fn judge_at(
        &mut self,
        node: NodeId,
        position: Position,
        purpose: Purpose,
        Effort { budget, exact }: Effort,
    ) -> bool {
        let Some(spec) = self.analyst() else { return false };
        let task = Task { purpose, spec, seed: self.game.seed, budget, exact };
        self.search_at(node, position, task);
        true
    }

    /// Keeps what a search said of a position.
    pub(super) fn reviewed(&mut self, node: NodeId, best: Turn, report: &Report) {
        self.review.found.insert(node, searched(best, report));
    }

    fn judge_line(&mut self) {
        let model = &self.game.model;
        let line = &self.review.line;
        let stones: Vec<Cell> = line.iter().filter_map(|&node| model.tree().stone(node)).collect();
        if stones.len() + 1 != line.len() {
            // Part of the line is gone.
            return;
        }
        let mut searched = Vec::new();
        for node in line {
            searched.extend(self.review.found.remove(node));
        }
        let winner = model.record().outcome().and_then(|end| end.winner);
        let assess = Assess {
            effort: self.review.effort,
            start: model.root().clone(),
            line: self.review.line.clone(),
            stones,
            searched,
            winner,
        };
        let job = self.start(Work::Assess(Box::new(assess.clone())));
        self.review.judging = Some((job, assess));
    }

    /// The turns are judged, or that went wrong.
    pub(super) fn assessed(&mut self, number: JobNumber, view: Option<Sealed<ReviewView>>) {
        let judging = self.review.judging.take_if(|(job, _)| *job == number);
        let Some((_, assess)) = judging else { return };
        if let Some(review) = view {
            self.clients.tell_all(ToPage::Review { review: review.clone() });
            self.review.latest = Some((review, assess));
            self.change = self.change.max(Change::Kept);
        }
        self.review_is_over();
    }

    fn review_is_over(&mut self) {
        let of = self.review.done.1;
        self.clients.tell_all(ToPage::Reviewed { done: of, of });
    }
}

/// What is kept of a search: the best line alone.
pub(super) fn searched(best: Turn, report: &Report) -> Searched {
    let mut report = report.clone();
    report.lines.truncate(1);
    (best, report)
}
