//! The search with several stones per turn: principal variation search, one stone per node.
//!
//! A node is a position with one stone to place. Scores are for the player to move there, so they
//! change sign only where the turn passes to the opponent, not between two stones of one turn. The
//! key of a position does not know the order of stones, so both orders of a pair meet in the
//! table; besides, a stone tried first is not tried again as a later stone of its siblings.
//!
//! Games with one stone per turn come here where no combinations of lines are known: with gravity,
//! and with very short or long rows.
//!
//! The steps are numbered; those that can be switched off (`Feature`) carry what they are worth in
//! Connect6, measured by matches against the engine without them (Elo, 95 % interval):
//! `docs/strength.md` has the commands.

use super::frame::{MAX_PLY, Node};
use super::moves;
use super::order;
use super::score::{self, INFINITE, Score, wins_at};
use super::settings::{Feature, Settings};
use super::siblings::{Next, Siblings};
use super::table::{Bound, Entry};
use super::widen::Listed;
use super::worker::Worker;

impl Worker<'_> {
    pub(super) fn search(
        &mut self,
        [mut alpha, beta]: [Score; 2],
        mut depth: i32,
        node: Node,
    ) -> Score {
        let Node { ply, distance, .. } = node;
        let features = self.settings.features;
        let is_pv = beta - alpha > 1;
        self.frames[ply].line.clear();
        // Step 1: limits.
        if self.count_node() {
            return 0;
        }
        // Step 2: a row within this turn.
        let turn = self.state.turn();
        let (player, left) = (turn.player, usize::from(turn.left));
        if self.wins_now() {
            return wins_at(distance);
        }
        if self.state.empty_count() == 0 {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.evaluation(node);
        }
        // Step 3: mate-distance pruning.
        if ply > 0 {
            alpha = alpha.max(-wins_at(distance + 1));
            if alpha >= beta.min(wins_at(distance + 2)) {
                return alpha;
            }
        }
        // Step 4: the opponent's threats: too many are a loss, the others dictate the stone, and
        // the reply costs no depth (+59, 27 to 92).
        let gravity = self.state.geometry().rules().gravity();
        let threats = if gravity { 0 } else { self.state.threat_count(!player, left) };
        if threats > left {
            return -wins_at(distance + 1);
        }
        let starts_turn = node.starts_turn();
        if threats > 0 && features.has(Feature::Extensions) && starts_turn && distance > 0 {
            depth += threats as i32;
        }
        // Step 5: the transposition table (+50, 21 to 80).
        let key = self.state.key();
        let known = self.known(key, distance);
        // A proof is one at every depth.
        if let Some(entry) = known
            && distance > 0
            && match entry.bound {
                Bound::Exact => score::is_proved(entry.score),
                Bound::Lower => entry.score >= score::PROVED,
                Bound::Upper => entry.score <= -score::PROVED,
            }
        {
            return entry.score;
        }
        if let Some(entry) = known
            && !is_pv
            && entry.depth >= depth
            && !score::is_outdated(entry.score, self.doubt)
            && entry.settles(alpha, beta)
        {
            return entry.score;
        }
        // Step 6: a win by continuous threats (+5, −26 to 36).
        let mut unproved = known.map_or(0, |entry| entry.unproved);
        if starts_turn && threats < left && distance > 0 && features.has(Feature::TreeProof) {
            let effort = self.proof_effort(depth, is_pv, distance);
            let is_decisive = self.is_decisive(depth, is_pv, distance);
            if effort > unproved && (is_decisive || self.could_force(player)) {
                if let Some(score) = self.prove_and_store(key, effort, distance) {
                    return score;
                }
                if self.is_stopped() {
                    return 0;
                }
                unproved = effort;
            }
        }
        // Step 7: the horizon, always between turns.
        if depth <= 0 && starts_turn {
            let score = self.evaluation(node);
            if known.is_none() {
                let bound = Bound::Exact;
                self.store(key, distance, Entry { score, bound, depth, best: None, unproved });
            }
            return score;
        }
        // Step 8: where a stone must fall if the opponent would otherwise win by continuous threats
        // (−32, −47 to −17, before lists were as wide as elsewhere).
        let zone = if threats == 0 { self.zone(node, depth, is_pv) } else { None };
        if self.is_stopped() {
            return 0;
        }
        // Step 9: reverse futility pruning (+12, −12 to 36).
        let is_quiet = threats == 0 && zone.is_none() && !gravity;
        if starts_turn && !is_pv && is_quiet && !score::is_proved(beta) {
            let evaluation = self.evaluation(node);
            let p = self.state.geometry().rules().p() as i32;
            let margin = self.params.turns_futility_margin * (depth / p + 1);
            let is_far_above =
                evaluation - margin >= beta && depth <= self.params.turns_futility_depth;
            if features.has(Feature::Futility) && is_far_above {
                return evaluation;
            }
        }
        // Step 10: the stones to try; history and killers in their order (+7, −21 to 34).
        let listed = if threats > 0 {
            moves::covers(self.state, self.tactics, &mut self.frames[ply].list);
            Listed::complete()
        } else {
            let width = self.width(depth, starts_turn);
            self.list_stones(ply, zone, width)
        };
        if threats == 0 && features.has(Feature::History) {
            self.order.remind(&mut self.frames[ply].list, player, ply);
        }
        order::sort(&mut self.frames[ply].list, known.and_then(|entry| entry.best));
        // Step 11: each of them.
        let mut siblings = self.siblings(node, [alpha, beta], listed);
        while let Some(next) = self.next_stone(&mut siblings, node, depth, usize::MAX) {
            let score = self.try_stone(&siblings, depth, node, next, threats > 0);
            if self.is_stopped() {
                return 0;
            }
            if self.note(&mut siblings, node, depth, next, score) {
                break;
            }
        }
        // Step 12: nothing left that was not tried in another order, or nothing that helps.
        if siblings.tried == 0 {
            return if threats > 0 { -wins_at(distance + 1) } else { -INFINITE };
        }
        // Step 13: remember.
        self.finish(&siblings, node, key, depth, siblings.best_cell, unproved)
    }

    /// The score of one stone for the player who places it.
    fn try_stone(
        &mut self,
        siblings: &Siblings,
        depth: i32,
        node: Node,
        next: Next,
        is_forced: bool,
    ) -> Score {
        let &Siblings { alpha, beta, tried, .. } = siblings;
        let passes = self.state.turn().left == 1;
        self.begin(next);
        let child = node.after(passes);
        let is_pv = beta - alpha > 1;
        let reduction = if is_forced { 0 } else { self.reduction(depth, tried, is_pv) };
        let mut score = Score::MIN;
        // Step 11a: late move reductions (+33, 4 to 63), and all but the first with an empty window.
        if tried > 0 {
            score = self.turned(passes, [alpha, alpha + 1], depth - 1 - reduction, child);
            if score > alpha && reduction > 0 && !self.is_stopped() {
                score = self.turned(passes, [alpha, alpha + 1], depth - 1, child);
            }
        }
        if tried == 0 || score > alpha && score < beta && is_pv && !self.is_stopped() {
            score = self.turned(passes, [alpha, beta], depth - 1, child);
        }
        self.end(next);
        score
    }

    /// Searches on, from the opponent's point of view where the turn passes.
    fn turned(&mut self, passes: bool, [alpha, beta]: [Score; 2], depth: i32, at: Node) -> Score {
        if passes {
            -self.search([-beta, -alpha], depth, at)
        } else {
            self.search([alpha, beta], depth, at)
        }
    }

    /// Stones tried at a node, unless all lose.
    fn width(&self, depth: i32, starts_turn: bool) -> usize {
        let params = &self.params;
        if self.state.empty_count() <= params.turns_small_board {
            return params.turns_small_board;
        }
        let Settings { first_width, next_width, .. } = self.settings;
        // The last stones before the horizon are chosen among few.
        let depth = depth.max(0) as usize;
        match starts_turn {
            _ if depth == 0 => params.turns_leaf_width,
            true => first_width.min(params.turns_first_width + 2 * depth),
            false => next_width.min(params.turns_next_width + depth),
        }
        .max(1)
    }

    fn reduction(&self, depth: i32, tried: usize, is_pv: bool) -> i32 {
        let params = &self.params;
        if !self.settings.features.has(Feature::Reductions)
            || depth < params.turns_lmr_depth
            || tried < params.turns_lmr_first
            || self.state.empty_count() < params.turns_small_board
        {
            return 0;
        }
        let late = i32::from(tried >= params.turns_lmr_second)
            + i32::from(tried >= params.turns_lmr_third);
        (1 + late - i32::from(is_pv)).max(0)
    }
}
