//! What one thread finds out about one position: proofs first, then the network.

use std::sync::Arc;

use collinear_play::Meter;
use collinear_rules::{Cell, Position, Rules};

use super::PuctParams;
use super::tree::{Finding, Outcome};
use crate::net::{BoardNet, Net};
use crate::proof::ProofLimits;
use crate::tactics::{Replies, Tactics};
use crate::{Params, State, Weights};

/// How hard proofs are looked for, in positions of a proof search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// For a win of the player to move.
    pub(crate) win: u64,
    /// For a win of the opponent, whose zone limits the stones.
    pub(crate) zone: u64,
    /// The most turns of a win.
    pub(crate) turns: u16,
}

impl Effort {
    /// At a new node, or at the root. Where no threats are in sight less is enough.
    pub(crate) const fn new(params: &PuctParams, is_root: bool) -> Self {
        let PuctParams { leaf_win, leaf_zone, leaf_turns, .. } = *params;
        if is_root {
            let PuctParams { root_win, root_zone, root_turns, .. } = *params;
            Self { win: root_win, zone: root_zone, turns: root_turns }
        } else {
            Self { win: leaf_win, zone: leaf_zone, turns: leaf_turns }
        }
    }

    /// At a node with this many visits.
    pub(crate) fn grown(params: &PuctParams, visits: u32) -> Self {
        let nodes = u64::from(visits) * params.grow_positions;
        Self { win: nodes, zone: nodes / params.grow_zone_divisor, turns: params.grow_turns }
    }
}

/// The board, the proofs and the network of one thread.
pub(crate) struct Appraiser {
    pub(crate) state: State,
    pub(crate) tactics: Tactics,
    net: BoardNet,
    params: PuctParams,
    /// Positions the network has looked at.
    pub(crate) evaluations: u64,
}

impl Appraiser {
    pub(crate) fn new(
        rules: &Rules,
        net: &Arc<Net>,
        weights: &Arc<Weights>,
        params: &Params,
    ) -> Self {
        Self {
            params: params.puct,
            state: State::new(&Position::new(*rules), weights.clone()),
            tactics: Tactics::with_params(rules, params),
            net: BoardNet::new(rules, net),
            evaluations: 0,
        }
    }

    /// Everything about the position on the board: proved, or open with a value and stones to try,
    /// all of them if `all` is asked for.
    pub(crate) fn appraise(&mut self, effort: Effort, all: bool, meter: &Meter) -> Finding {
        let turn = self.state.turn();
        let (player, left) = (turn.player, usize::from(turn.left));
        let p = self.state.geometry().rules().p();
        if self.state.windows().can_win(player, left) {
            return Finding::Proved(Outcome::Won(1));
        }
        let covers = self.tactics.covers(self.state.windows_mut(), player, left);
        if let Replies::Lost { turns } = covers {
            return Finding::Proved(Outcome::Lost(turns));
        }
        if left == p
            && let Some(turns) = self.win(effort, meter)
        {
            return Finding::Proved(Outcome::Won(turns));
        }
        let replies = if covers == Replies::Free { self.zone(effort, meter) } else { covers };
        match replies {
            Replies::Lost { turns } => Finding::Proved(Outcome::Lost(turns)),
            Replies::Only(cells) => self.open(Some(&cells), true),
            Replies::Free => self.open(None, all),
        }
    }

    /// A proof of a win for the player to move, with the turns it takes.
    pub(crate) fn win(&mut self, effort: Effort, meter: &Meter) -> Option<u16> {
        let turn = self.state.turn();
        let nodes = self.effort(effort.win, turn.player);
        let limits = ProofLimits { turns: effort.turns, nodes, meter: Some(meter) };
        let windows = self.state.windows_mut();
        let verdict = self.tactics.prove(windows, turn.player, usize::from(turn.left), limits);
        verdict.proof().map(|proof| proof.turns())
    }

    /// A win that begins with a quiet turn, which with one stone per turn is a three.
    pub(crate) fn quiet_win(&mut self, effort: Effort, meter: &Meter) -> Option<u16> {
        let turn = self.state.turn();
        let p = self.state.geometry().rules().p();
        if p > 1 || !self.tactics.could_force(self.state.windows(), turn.player) {
            return None;
        }
        let total = effort.win / self.params.grow_quiet_divisor;
        let limits = self.tactics.quiet_limits(total, meter);
        let windows = self.state.windows_mut();
        let proof = self.tactics.prove_quiet(windows, turn.player, usize::from(turn.left), limits);
        proof.map(|proof| proof.turns())
    }

    /// Where the next stone must go if the opponent would win by threats after a pass.
    pub(crate) fn zone(&mut self, effort: Effort, meter: &Meter) -> Replies {
        let turn = self.state.turn();
        let nodes = self.effort(effort.zone, !turn.player);
        let limits = ProofLimits { turns: effort.turns, nodes, meter: Some(meter) };
        let windows = self.state.windows_mut();
        self.tactics.candidates(windows, turn.player, usize::from(turn.left), limits)
    }

    fn effort(&mut self, nodes: u64, attacker: collinear_rules::Player) -> u64 {
        let in_sight = self.tactics.could_force(self.state.windows(), attacker);
        if in_sight { nodes } else { nodes / self.params.out_of_sight_divisor }
    }

    /// The network's opinion, with priors for these cells, or for the likeliest ones.
    pub(crate) fn open(&mut self, only: Option<&[Cell]>, all: bool) -> Finding {
        let value = self.evaluate();
        let player = self.state.turn().player;
        let patterns = self.state.policy(player).to_vec();
        let PuctParams { network_stones, pattern_stones, pattern_share, .. } = self.params;
        let network = self.net.policy();
        let board = self.state.board();
        let empty = |cell: &Cell| board.is_empty(*cell);
        let mut cells: Vec<Cell> = match only {
            Some(cells) => cells.iter().copied().filter(empty).collect(),
            None => self.state.geometry().rules().all_cells().filter(empty).collect(),
        };
        let complete = only.is_some() || all || cells.len() <= network_stones;
        if !complete {
            // The best by the network in front, then the best of the others by patterns.
            cells.select_nth_unstable_by(network_stones - 1, |a, b| {
                network[b.index()].total_cmp(&network[a.index()])
            });
            let rest = &mut cells[network_stones..];
            if rest.len() > pattern_stones {
                rest.select_nth_unstable_by_key(pattern_stones - 1, |cell| {
                    std::cmp::Reverse(patterns[cell.index()])
                });
            }
            cells.truncate(network_stones + pattern_stones);
        }
        let by_network = softmax(&cells, |cell| network[cell.index()]);
        let by_patterns =
            softmax(&cells, |cell| patterns[cell.index()] as f32 / Weights::LOGIT as f32);
        let mut stones: Vec<(Cell, f32)> = cells
            .into_iter()
            .zip(by_network.into_iter().zip(by_patterns))
            .map(|(cell, (a, b))| (cell, a + pattern_share * (b - a)))
            .collect();
        stones.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Finding::Open { value, stones, complete }
    }

    /// The network's value of the position on the board for the player to move, from −1 to 1.
    pub(crate) fn evaluate(&mut self) -> f64 {
        self.evaluations += 1;
        let logit = f64::from(self.net.evaluate(&self.state));
        2.0 / (1.0 + (-logit).exp()) - 1.0
    }

    /// The network's policy of the position evaluated last: a logit per cell.
    pub(crate) fn policy(&self) -> &[f32] {
        self.net.policy()
    }
}

/// Shares that add up to one.
fn softmax(cells: &[Cell], logit: impl Fn(Cell) -> f32) -> Vec<f32> {
    let most = cells.iter().map(|&cell| logit(cell)).fold(f32::NEG_INFINITY, f32::max);
    let shares: Vec<f32> = cells.iter().map(|&cell| (logit(cell) - most).exp()).collect();
    let total: f32 = shares.iter().sum();
    shares.into_iter().map(|share| share / total).collect()
}
