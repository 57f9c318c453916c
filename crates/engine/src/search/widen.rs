//! Earned losses: where every stone tried loses, more are tried before the loss is believed.
//!
//! First four times as many. Then, near the root, everything that the opponent's proof allows: the
//! complete defence of [`crate::tactics`], or every empty cell where the opponent wins nothing by
//! threats if we pass. How near depends on the degree of doubt, which the root raises as long as
//! its own score is in doubt.

use super::frame::Node;
use super::moves;
use super::score::{MAX_EVALUATION, Score, wins_at};
use super::worker::Worker;
use crate::proof::{ProofLimits, Zone};
use crate::tactics::{DefenceLimits, Replies};

/// The stones of a node: how they were listed, and what was left out.
pub(super) struct Listed {
    pub(super) zone: Option<Zone>,
    pub(super) width: usize,
    /// Whether every stone that could help is listed.
    pub(super) is_complete: bool,
    reach: Reach,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Likely,
    Wider,
    Everything,
}

/// What widening came to.
pub(super) enum Widened {
    /// There are more stones at the end of the list.
    More,
    /// The position is lost: a proof.
    Lost(Score),
    /// No more stones are to be tried here.
    Enough,
}

impl Listed {
    /// The likeliest stones are listed, at most this many.
    pub(super) const fn usual(width: usize, is_complete: bool) -> Self {
        Self { zone: None, width, is_complete, reach: Reach::Likely }
    }

    /// Everything that could help is listed.
    pub(super) const fn complete() -> Self {
        Self { zone: None, width: 0, is_complete: true, reach: Reach::Everything }
    }
}

impl Worker<'_> {
    /// Lists the most likely stones of a node.
    pub(super) fn list_stones(&mut self, ply: usize, zone: Option<Zone>, width: usize) -> Listed {
        let mut list = std::mem::take(&mut self.frames[ply].list);
        let is_complete = match &zone {
            Some(zone) => moves::in_zone(self.state, zone, width, &mut list),
            None => moves::by_policy(self.state, width, &mut list),
        };
        self.frames[ply].list = list;
        Listed { zone, width, is_complete, reach: Reach::Likely }
    }

    /// Adds stones to the list of a node where the best of those tried has this score.
    pub(super) fn widen(&mut self, node: Node, best: Score, listed: &mut Listed) -> Widened {
        if listed.is_complete || best >= -MAX_EVALUATION || self.is_stopped() {
            return Widened::Enough;
        }
        let before = self.frames[node.ply].list.len();
        while self.frames[node.ply].list.len() == before {
            match listed.reach {
                Reach::Likely => self.add_wider(node, listed),
                Reach::Wider if self.is_near(node) => {
                    if let Some(lost) = self.add_everything(node, listed) {
                        return Widened::Lost(lost);
                    }
                }
                Reach::Wider | Reach::Everything => return Widened::Enough,
            }
        }
        Widened::More
    }

    fn is_near(&self, node: Node) -> bool {
        node.distance
            <= self.params.widen_near + self.params.widen_near_by_doubt * i32::from(self.doubt)
    }

    fn add_wider(&mut self, node: Node, listed: &mut Listed) {
        listed.reach = Reach::Wider;
        let mut wider = Vec::new();
        let width = self.params.widen_factor * listed.width;
        listed.is_complete = match &listed.zone {
            Some(zone) => moves::in_zone(self.state, zone, width, &mut wider),
            None => moves::by_policy(self.state, width, &mut wider),
        };
        let cells = wider.into_iter().map(|candidate| candidate.cell);
        moves::append(self.state, cells, &mut self.frames[node.ply].list);
    }

    /// The score of a proved loss, if there is nothing to add.
    fn add_everything(&mut self, node: Node, listed: &mut Listed) -> Option<Score> {
        listed.reach = Reach::Everything;
        let turn = self.state.turn();
        let spent = self.total_nodes();
        let rest = self.shared.meter.max_nodes().saturating_sub(spent);
        let limits = DefenceLimits {
            proof: ProofLimits {
                turns: self.params.proof_turns,
                nodes: 1 << (self.settings.near_effort + self.params.defence_effort),
                meter: Some(self.shared.meter),
            },
            total: (spent / self.params.defence_divisor).max(self.params.defence_min).min(rest),
        };
        let before = self.tactics.nodes();
        let (windows, left) = (self.state.windows_mut(), usize::from(turn.left));
        let replies = self.tactics.defences(windows, turn.player, left, limits);
        self.nodes += self.tactics.nodes() - before;
        let list = &mut self.frames[node.ply].list;
        match replies {
            Replies::Lost { turns } => {
                return Some(-wins_at(node.distance + 2 * i32::from(turns) - 1));
            }
            Replies::Only(cells) => moves::append(self.state, cells.into_iter(), list),
            Replies::Free => {
                let board = self.state.board();
                let cells = board.geometry().rules().all_cells();
                let empty = cells.filter(|&cell| board.is_empty(cell));
                moves::append(self.state, empty, list);
            }
        }
        listed.is_complete = true;
        None
    }
}
