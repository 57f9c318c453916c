//! A review: every position of the line shown is searched with the same number of nodes, one after
//! the other; then the turns are judged. A second review says the same.

use std::collections::HashMap;

use collinear_engine::analysis::{
    Grade, Searched, TurnAnalysis, judge, side, turning_point, won_from,
};
use collinear_play::{Budget, NodeId, Report, Turn, Value};
use collinear_rules::{Cell, Player};

use super::searches::Task;
use super::{Change, Room};
use crate::convert::{cells, colour};
use crate::insight;
use crate::wire::{Outlook, Purpose, ReviewView, SideReview, ToPage, TurnGrade, TurnReview};

/// Nodes for each position, by effort: about a tenth of a second, half a second, a few seconds.
const NODES: [u64; 3] = [3_000, 20_000, 100_000];
/// The same where nodes are visits of the network search: fewer, each worth more and taking longer.
const VISITS: [u64; 3] = [1_500, 6_000, 30_000];

/// Positions that the solver may look at for each position of a game that it knows: the values are then
/// exact. Where that is not enough the analyst estimates.
const SOLVED: [u64; 3] = [20_000_000, 60_000_000, 200_000_000];

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
    /// The positions of the exact solver, where the game has one.
    pub(super) exact: Option<u64>,
    found: HashMap<NodeId, Searched>,
    /// The last complete one, with the judged turns.
    latest: Option<(ReviewView, Vec<TurnAnalysis>)>,
}

impl Review {
    /// The last complete one, for a page that comes later.
    pub(super) fn view(&self) -> Option<&ReviewView> {
        self.latest.as_ref().map(|(view, _)| view)
    }

    /// The line and its judged turns, for a record.
    pub(super) fn turns(&self) -> Option<(&[NodeId], &[TurnAnalysis])> {
        self.latest.as_ref().map(|(_, turns)| (&self.line[..], &turns[..]))
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
            let Some(spec) = self.analyst() else { continue };
            let nodes = if insight::has_visits(self.game.rules()) { VISITS } else { NODES };
            let effort = usize::from(self.review.effort) - 1;
            let nodes = nodes[effort];
            self.review.exact =
                collinear_connect4::solves(self.game.rules()).then_some(SOLVED[effort]);
            let (seed, budget) = (self.game.seed, Budget::nodes(nodes));
            let task = Task { purpose: Purpose::Review, spec, seed, budget };
            return self.search_at(node, position, task);
        }
        if of > 0 {
            self.finish_review();
        }
        self.clients.tell_all(ToPage::Reviewed { done: of, of });
    }

    /// Keeps what a search said of a position.
    pub(super) fn reviewed(&mut self, node: NodeId, best: Turn, report: &Report) {
        self.review.found.insert(node, Searched::new(best, report));
    }

    fn finish_review(&mut self) {
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
        let Ok(turns) = judge(model.root(), &stones, searched) else { return };
        let winner = model.record().outcome().and_then(|end| end.winner);
        let first = model.root().stone_count();
        let after = |at: usize| line[turns[at].start - first + turns[at].played.len()].number();
        let view = ReviewView {
            effort: self.review.effort,
            sides: Player::BOTH.map(|player| {
                let side = side(&turns, player);
                SideReview {
                    accuracy: side.accuracy,
                    inaccuracies: side.inaccuracies,
                    mistakes: side.mistakes,
                    blunders: side.blunders,
                    missed_wins: side.missed_wins,
                }
            }),
            turning_point: turning_point(&turns).map(after),
            won_from: winner.and_then(|winner| won_from(&turns, winner)).map(after),
            turns: turns.iter().map(|turn| turn_review(turn, line, first)).collect(),
        };
        self.clients.tell_all(ToPage::Review { review: view.clone() });
        self.review.latest = Some((view, turns));
        self.change = self.change.max(Change::Kept);
    }
}

fn turn_review(turn: &TurnAnalysis, line: &[NodeId], first: usize) -> TurnReview {
    let before = turn.start - first;
    let black = |chance: f32| if turn.player == Player::Black { chance } else { 1.0 - chance };
    TurnReview {
        node: line[before + turn.played.len()].number(),
        before: line[before].number(),
        colour: colour(turn.player),
        chance_before: black(turn.value.chance()),
        chance_after: black(turn.after.chance()),
        grade: match turn.grade {
            Grade::Best | Grade::Good => TurnGrade::Good,
            Grade::Inaccuracy => TurnGrade::Inaccuracy,
            Grade::Mistake => TurnGrade::Mistake,
            Grade::Blunder | Grade::MissedWin => TurnGrade::Blunder,
        },
        missed_win: turn.grade == Grade::MissedWin,
        win_before: matches!(turn.value, Value::WinsIn(_)),
        loss_after: matches!(turn.after, Value::LosesIn(_)),
        better: cells(&turn.best),
        reason: turn.reason.clone(),
        line: cells(&turn.line),
        had: outlook(turn.value),
        got: outlook(turn.after),
    }
}

const fn outlook(value: Value) -> Outlook {
    match value {
        Value::Chance(chance) => Outlook::Chance { chance },
        Value::WinsIn(turns) => Outlook::Win { turns },
        Value::LosesIn(turns) => Outlook::Loss { turns },
        Value::Draw => Outlook::Draw,
    }
}
