//! The search with one stone per turn, where the evaluation knows combinations of lines.
//!
//! Principal variation search like [`super::turns`], with what such games need besides: threats are
//! read off the cells, replies to them are complete and few, the horizon is a quiescence search by
//! fours, and late moves are few and much reduced because their order is good. The pruning steps are
//! those of chess programs; Rapfi shows that they hold in Gomoku. `docs/strength.md` has what they are
//! worth. Their numbers were tuned together by games.
//!
//! A score of a win or loss is always proved, or in doubt and marked as such.

use collinear_rules::{Cell, Player};

use super::frame::{MAX_PLY, Node};
use super::order;
use super::quiescence::Threat;
use super::score::{self, MAX_EVALUATION, Score, wins_at};
use super::settings::Feature;
use super::siblings::{Next, Siblings};
use super::table::{Bound, Entry};
use super::widen::Listed;
use super::worker::Worker;
use crate::cells::{CellKind, Cells};
use crate::evaluation::Leaf;

/// Whether a node is expected to fail high, so that one stone is enough.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Cut,
    All,
}

impl Expected {
    const fn turned(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}

/// A window of scores.
type Window = [Score; 2];

/// What is known of a node when its stones are tried.
#[derive(Clone, Copy)]
struct Situation {
    node: Node,
    is_pv: bool,
    expected: Expected,
    pressure: Pressure,
    /// The evaluation has become better since our last turn.
    improving: bool,
    /// It is far above beta where a cutoff is expected.
    is_likely_high: bool,
    known: Option<Entry>,
}

/// What the opponent does in his next turn if nothing stops him.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pressure {
    Nothing,
    /// He has an open four.
    OpenFour,
    /// He completes a row.
    Row,
}

/// What speaks for more depth.
enum Extension {
    By(i32),
    /// Several stones are good enough: the score of the node.
    Cut(Score),
}

impl Worker<'_> {
    pub(super) fn search_single(
        &mut self,
        [mut alpha, mut beta]: Window,
        mut depth: i32,
        mut node: Node,
        expected: Expected,
    ) -> Score {
        let Node { ply, distance, .. } = node;
        let (features, params) = (self.settings.features, self.params);
        let is_pv = beta - alpha > 1;
        self.frames[ply].line.clear();
        // Step 1: limits, a row or an open four in sight, mate-distance pruning.
        if self.count_node() {
            return 0;
        }
        if ply > 0 {
            if let Some(score) = self.in_sight(distance) {
                return score;
            }
            alpha = alpha.max(-wins_at(distance + 1));
            beta = beta.min(wins_at(distance + 2));
            if alpha >= beta {
                return alpha;
            }
        }
        if self.state.empty_count() == 0 {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.evaluation(node);
        }
        // Step 2: the horizon is a quiescence search.
        if depth <= 0 && ply > 0 {
            return self.quiescence([alpha, beta], node, 0);
        }
        // Step 3: the transposition table.
        let excluded = self.frames[ply].excluded;
        let key = self.state.key()
            ^ excluded.map_or(0, |cell| EXCLUDED_KEY.wrapping_mul(cell.index() as u64 + 1));
        let known = self.known(key, distance);
        if let Some(entry) = known
            && distance > 0
            && self.is_settled(entry, [alpha, beta], is_pv, depth)
        {
            return entry.score;
        }
        let best_known = known.and_then(|entry| entry.best);
        // Step 4: the opponent's threats.
        let player = self.state.turn().player;
        let pressure = self.pressure(!player);
        let (must_block, is_pressed) = (pressure == Pressure::Row, pressure > Pressure::Nothing);
        // Step 5: VCF, a win by continuous fours, looked for longer near the root and on the main line.
        let mut unproved = known.map_or(0, |entry| entry.unproved);
        if !must_block
            && distance > 0
            && excluded.is_none()
            && (is_pv || distance <= 1)
            && features.has(Feature::TreeProof)
        {
            let effort = self.proof_effort(depth, is_pv, distance);
            if effort > unproved && self.could_force(player) {
                if let Some(score) = self.prove_and_store(key, effort, distance) {
                    return score;
                }
                if self.is_stopped() {
                    return 0;
                }
                unproved = effort;
            }
        }
        // Step 6: where many nodes follow, the network's advice, unless the evaluation is far above beta.
        let may_prune = !is_pv
            && !is_pressed
            && excluded.is_none()
            && beta.abs() < MAX_EVALUATION
            && distance > 0;
        let asks = !is_pressed && depth >= params.guide_depth && self.guide.is_some();
        if asks && may_prune && features.has(Feature::Futility) {
            let evaluation = self.evaluation(node);
            if evaluation - params.guide_margin * depth >= beta {
                return evaluation;
            }
        }
        let is_guided = asks && self.ask_guide(&mut node);
        // Step 7: the evaluation, and whether it has become better since our last turn.
        let mut evaluation = if is_pressed && ply > 0 {
            -self.frames[ply - 1].evaluation
        } else {
            self.evaluation(node)
        };
        self.frames[ply].evaluation = evaluation;
        let improving = ply < 2 || evaluation > self.frames[ply - 2].evaluation;
        if let Some(entry) = known
            && !score::is_doubted(entry.score)
            && !score::is_proved(entry.score)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score > evaluation,
                Bound::Upper => entry.score < evaluation,
            }
        {
            evaluation = entry.score;
        }
        if may_prune {
            // Step 8: razoring: far below alpha only fours help.
            if depth <= params.razor_depth
                && evaluation + params.razor_base + params.razor_margin * depth < alpha
            {
                return self.quiescence([alpha, alpha + 1], node, 0);
            }
            // Step 9: reverse futility pruning.
            let margin = params.futility_margin * (depth - i32::from(improving)).max(0);
            if features.has(Feature::Futility) && evaluation - margin >= beta {
                return evaluation;
            }
        }
        // Step 10: internal iterative reduction: less depth without a stone to begin with.
        if depth >= params.iir_depth && best_known.is_none() && !must_block {
            depth -= 1;
        }
        // Step 11: the stones to try: all that may stop a threat to win, else the likeliest.
        let most = match ply {
            0 => self.settings.first_width,
            _ => self.most_stones(depth),
        };
        let mut list = std::mem::take(&mut self.frames[ply].list);
        let threat = self.list_guards(&mut list);
        self.frames[ply].list = list;
        let listed = match threat {
            Some(Threat { turns }) if self.frames[ply].list.is_empty() => {
                return -wins_at(distance + turns);
            }
            Some(_) => Listed::complete(),
            None if is_guided => self.list_guided(ply, most + most / 2),
            None => self.list_stones(ply, None, most + most / 2),
        };
        if features.has(Feature::History) {
            self.order.remind(&mut self.frames[ply].list, player, ply);
        }
        order::sort(&mut self.frames[ply].list, best_known);
        // A node that is expected to fail high, and whose evaluation is far above beta.
        let margin = params.likely_high_margin * depth
            + if is_pressed { params.likely_high_pressed } else { params.likely_high_quiet };
        let is_likely_high = !is_pv && expected == Expected::Cut && evaluation >= beta + margin;
        let situation =
            Situation { node, is_pv, expected, pressure, improving, is_likely_high, known };
        // Step 12: each of them. Move count pruning only where it is not the root and nothing presses.
        let most = if ply > 0 && !is_pressed { most } else { usize::MAX };
        let mut siblings = self.siblings(node, [alpha, beta], listed);
        while let Some(next) = self.next_stone(&mut siblings, node, depth, most) {
            // Step 13: extensions: the only reply, and a stone that is much better than all others.
            let extension = match self.extension(beta, depth, next, situation) {
                Extension::By(extension) => extension,
                Extension::Cut(score) => return score,
            };
            if self.is_stopped() {
                return 0;
            }
            let score = self.try_single(&siblings, depth, extension, next, situation);
            if self.is_stopped() {
                return 0;
            }
            let alpha = siblings.alpha;
            if self.note(&mut siblings, node, depth, next, score) {
                break;
            }
            // The others must now beat this one: less depth for them.
            let is_open = depth > params.raised_min_depth
                && depth < params.raised_max_depth
                && ply > 0
                && score.abs() < MAX_EVALUATION;
            if score > alpha && is_open {
                depth -= 1;
            }
        }
        // Step 14: nothing but the stone that is excluded.
        if siblings.tried == 0 {
            return if excluded.is_some() { alpha } else { -wins_at(distance + 1) };
        }
        // Step 15: remember.
        let best = siblings.raised().or(best_known);
        self.finish(&siblings, node, key, depth, best, unproved)
    }

    /// How much deeper a stone is searched: the only reply, and (singular extension) the best stone
    /// known if it is much better than all others, by a search without it.
    fn extension(
        &mut self,
        beta: Score,
        depth: i32,
        next: Next,
        situation: Situation,
    ) -> Extension {
        let Situation { node, is_pv, expected, pressure, known, .. } = situation;
        if pressure == Pressure::Row {
            return Extension::By(1);
        }
        let Some(entry) = known.filter(|entry| {
            entry.best == Some(next.cell)
                && entry.bound != Bound::Upper
                && entry.depth >= depth - self.params.singular_table_depth
                && entry.score.abs() < MAX_EVALUATION
        }) else {
            return Extension::By(0);
        };
        if depth < self.params.singular_depth
            || node.distance == 0
            || self.frames[node.ply].excluded.is_some()
        {
            return Extension::By(0);
        }
        let wanted = entry.score - self.params.singular_margin * depth / 4;
        let frame = &mut self.frames[node.ply];
        frame.excluded = Some(next.cell);
        let (list, trying) = (std::mem::take(&mut frame.list), frame.trying);
        let score = self.search_single([wanted - 1, wanted], depth / 2, node, expected);
        let frame = &mut self.frames[node.ply];
        (frame.list, frame.trying, frame.excluded) = (list, trying, None);
        frame.line.clear();
        if score < wanted {
            return Extension::By(
                1 + i32::from(!is_pv && score < wanted - self.params.singular_double),
            );
        }
        if wanted >= beta {
            return Extension::Cut(wanted);
        }
        Extension::By(if entry.score >= beta { -1 } else { 0 })
    }

    /// The score of one stone for the player who places it.
    fn try_single(
        &mut self,
        siblings: &Siblings,
        depth: i32,
        mut extension: i32,
        next: Next,
        situation: Situation,
    ) -> Score {
        let &Siblings { alpha, beta, tried, .. } = siblings;
        let Situation { node, is_pv, expected, is_likely_high, .. } = situation;
        let ply = node.ply;
        let kind = self.cells().kind(self.state.turn().player, next.cell);
        // Less depth where the stone will be good enough, and more for fours in a row.
        if is_likely_high && kind < CellKind::Four {
            extension -= 1;
        } else if is_likely_high && ply > 1 && self.frames[ply - 2].made >= CellKind::Four {
            extension += 1;
        }
        let full = depth - 1 + extension;
        let reduction = self.single_reduction(depth, tried, next.cell, kind, situation);
        self.frames[ply].made = kind;
        let child = node.after(true);
        let mut score = Score::MIN;
        // Late move reductions, and all but the first with an empty window.
        if tried > 0 {
            let reduced = (full - reduction).max(1).min(full);
            let narrow = [-alpha - 1, -alpha];
            let role = if reduced < full { Expected::Cut } else { expected.turned() };
            score = -self.visit(next, narrow, reduced, child, role);
            if score > alpha && reduced < full && !self.is_stopped() {
                score = -self.visit(next, narrow, full, child, expected.turned());
            }
        }
        if tried == 0 && !is_pv {
            score = -self.visit(next, [-beta, -alpha], full, child, expected.turned());
        } else if is_pv && (tried == 0 || score > alpha && score < beta) && !self.is_stopped() {
            score = -self.visit(next, [-beta, -alpha], full, child, Expected::All);
        }
        score
    }

    /// What follows a stone: the table is asked before it is placed, since it often knows.
    fn visit(
        &mut self,
        next: Next,
        window: Window,
        depth: i32,
        child: Node,
        expected: Expected,
    ) -> Score {
        if let Some(score) = self.known_child(next, window, depth, child) {
            return score;
        }
        self.begin(next);
        let score = self.search_single(window, depth, child, expected);
        self.end(next);
        score
    }

    /// What steps 1 to 3 would return for a child that is known: from the table, for nobody has a row or an open four at
    /// hand there, or it would not be in it; and at the horizon from the evaluations that are remembered.
    fn known_child(
        &mut self,
        next: Next,
        [alpha, beta]: Window,
        depth: i32,
        Node { ply, distance, bias, .. }: Node,
    ) -> Option<Score> {
        if ply >= MAX_PLY {
            return None;
        }
        let key = self.state.key_after(next.cell);
        let is_pv = beta - alpha > 1;
        let alpha = alpha.max(-wins_at(distance + 1));
        let beta = beta.min(wins_at(distance + 2));
        if alpha >= beta {
            return None;
        }
        let score = if depth > 0 {
            let entry = self.known(key, distance)?;
            self.is_settled(entry, [alpha, beta], is_pv, depth).then_some(entry.score)?
        } else {
            let Leaf { value, has_fours } = self.state.known_leaf(key)?;
            let value = (value + bias).clamp(-MAX_EVALUATION, MAX_EVALUATION);
            (value >= beta || !has_fours).then_some(value)?
        };
        self.frames[ply].line.clear();
        Some(if self.count_node() { 0 } else { score })
    }

    /// Whether what the table knows is the score of a node.
    fn is_settled(&self, entry: Entry, [alpha, beta]: Window, is_pv: bool, depth: i32) -> bool {
        let is_deep =
            !is_pv && entry.depth >= depth && !score::is_outdated(entry.score, self.doubt);
        entry.settles(alpha, beta) && (is_deep || score::is_proved(entry.score))
    }

    /// What the opponent threatens.
    fn pressure(&self, opponent: Player) -> Pressure {
        match self.cells() {
            cells if cells.count_of(opponent, CellKind::Row) > 0 => Pressure::Row,
            cells if cells.count_of(opponent, CellKind::OpenFour) > 0 => Pressure::OpenFour,
            _ => Pressure::Nothing,
        }
    }

    /// The cells of the board, which the search with one stone per turn cannot do without.
    pub(super) fn cells(&self) -> &Cells {
        self.state.cells().unwrap_or_else(|| {
            unreachable!("the root asks for this search only where the evaluation keeps cells")
        })
    }

    /// Asks the network: from here on a part of its value corrects the evaluation. Says whether there is one to ask.
    fn ask_guide(&mut self, node: &mut Node) -> bool {
        let Some(guide) = &mut self.guide else { return false };
        let advice = guide.advise(self.state);
        let difference = advice.value - self.state.evaluation();
        node.bias = (self.params.guide_part * difference as f32) as Score;
        // Whether it remembers or not, so that turns repeat.
        self.check_soon();
        true
    }

    /// Lists the stones that the network likes most.
    fn list_guided(&mut self, ply: usize, width: usize) -> Listed {
        let Some(guide) = &mut self.guide else { return self.list_stones(ply, None, width) };
        let list = &mut self.frames[ply].list;
        let is_complete = guide.advise(self.state).list(self.state, width, list);
        for candidate in list {
            candidate.order +=
                self.state.policy_of(candidate.cell) / self.params.guide_pattern_divisor;
        }
        Listed::usual(width, is_complete)
    }

    /// Stones tried at a depth, unless all lose: fewer where a network has chosen those above (without
    /// one, so few cost 36 Elo, 12 to 60).
    fn most_stones(&self, depth: i32) -> usize {
        let params = &self.params;
        let (base, power) = match self.guide {
            Some(_) => (params.guided_width_base, params.guided_width_power),
            None => (params.width_base, params.width_power),
        };
        (base + (depth.max(1) as f32).powf(power)) as usize
    }

    /// Late move reductions: depth that an unlikely stone loses.
    fn single_reduction(
        &self,
        depth: i32,
        tried: usize,
        cell: Cell,
        kind: CellKind,
        situation: Situation,
    ) -> i32 {
        let Situation { node: Node { ply, .. }, is_pv, improving, pressure, expected, .. } =
            situation;
        if depth < 2
            || tried < 1 + usize::from(ply == 0)
            || !self.settings.features.has(Feature::Reductions)
        {
            return 0;
        }
        let player = self.state.turn().player;
        let params = &self.params;
        let late = (depth as f32).ln() * ((tried + 1) as f32).ln();
        let mut reduction = params.lmr_factor * late - params.lmr_base;
        if is_pv {
            reduction -= params.lmr_pv;
        } else if !improving && reduction > 1.0 {
            reduction += params.lmr_worse;
        }
        if expected == Expected::Cut && !is_pv && !self.order.is_killer(cell, ply) {
            reduction += params.lmr_cut;
        }
        if kind >= CellKind::Three {
            reduction -= params.lmr_three;
            // An attack that goes on.
            if pressure == Pressure::Nothing
                && ply > 1
                && self.frames[ply - 2].made >= CellKind::Three
            {
                reduction -= params.lmr_attack;
            }
        }
        reduction -= self.order.history(player, cell) as f32 / params.lmr_history;
        reduction.max(0.0).round() as i32
    }
}

/// Distinguishes a position from the same one without a stone to try.
const EXCLUDED_KEY: u64 = 0x9e6c_63d0_876a_3f6b;
