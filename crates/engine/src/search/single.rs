//! The search with one stone per turn, where the weights know combinations of lines.
//!
//! Principal variation search like [`super::worker`], with what such games need besides: threats are
//! read off the cells, replies to them are complete and few, the horizon is a search by fours, and
//! stones are few and much reduced because their order is good. The pruning steps are those of chess
//! programs; Rapfi shows that they hold in Gomoku. `docs/strength.md` has what they are worth.
//!
//! A score of a win or loss is always proved, or in doubt and marked as such.

use collinear_rules::{Cell, Rules};

use super::moves;
use super::order;
use super::score::{self, INFINITE, MAX_EVALUATION, Score, wins_at};
use super::settings::Feature;
use super::table::{Bound, Entry};
use super::widen::{Listed, Widened};
use super::worker::{CERTAIN, MAX_PLY, Place, Worker};
use crate::cells::Kind;

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

impl Worker<'_> {
    pub(super) fn search_single(
        &mut self,
        [mut alpha, mut beta]: Window,
        mut depth: i32,
        place: Place,
        expected: Expected,
    ) -> Score {
        let Place { ply, distance, .. } = place;
        let features = self.settings.features;
        let is_pv = beta - alpha > 1;
        self.lines[ply].clear();
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
            return self.evaluation();
        }
        // Step 2: the horizon is a search by fours.
        if depth <= 0 && ply > 0 {
            return self.fours([alpha, beta], place, 0);
        }
        // Step 3: what is known about the position.
        let skip = self.skips[ply];
        let key = self.state.key()
            ^ skip.map_or(0, |cell| SKIP_KEY.wrapping_mul(cell.index() as u64 + 1));
        let known = if features.has(Feature::Table) && (distance > 0 || self.excluded.is_empty()) {
            self.shared.table.get(key, distance)
        } else {
            None
        };
        if let Some(entry) = known
            && distance > 0
        {
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            let is_deep =
                !is_pv && entry.depth >= depth && !score::is_outdated(entry.score, self.doubt);
            if is_enough && (is_deep || score::is_proved(entry.score)) {
                return entry.score;
            }
        }
        let best_known = known.and_then(|entry| entry.best);
        // Step 4: the opponent's threats.
        let player = self.state.turn().player;
        let Some(cells) = self.state.cells() else { return self.evaluation() };
        let must_block = cells.count_of(!player, Kind::Row) > 0;
        let is_pressed = must_block || cells.count_of(!player, Kind::OpenFour) > 0;
        // Step 5: a win by continuous fours, looked for longer near the root and on the main line.
        let mut unproved = known.map_or(0, |entry| entry.unproved);
        if !must_block
            && distance > 0
            && skip.is_none()
            && (is_pv || distance <= 1)
            && features.has(Feature::TreeProof)
        {
            let effort = self.proof_effort(depth, is_pv, distance);
            if effort > unproved && self.could_force(player) {
                if let Some(score) = self.prove(effort, distance) {
                    let bound = Bound::Lower;
                    let entry =
                        Entry { score, bound, depth: CERTAIN, best: None, unproved: effort };
                    self.store(key, distance, entry);
                    return score;
                }
                if self.is_stopped() {
                    return 0;
                }
                unproved = effort;
            }
        }
        // Step 6: the evaluation, and whether it has become better since our last turn.
        let mut evaluation = self.evaluation();
        if is_pressed && ply > 0 {
            evaluation = -self.evaluations[ply - 1];
        }
        self.evaluations[ply] = evaluation;
        let improving = ply < 2 || evaluation > self.evaluations[ply - 2];
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
        if !is_pv && !is_pressed && skip.is_none() && beta.abs() < MAX_EVALUATION {
            // Step 7: razoring: far below alpha only fours help.
            if depth <= 2 && evaluation + 20 + 15 * depth < alpha {
                return self.fours([alpha, alpha + 1], place, 0);
            }
            // Step 8: reverse futility pruning.
            let margin = 60 * (depth - i32::from(improving)).max(0);
            if features.has(Feature::Futility) && evaluation - margin >= beta {
                return evaluation;
            }
        }
        // Step 9: without a stone to begin with, less depth (internal iterative reduction).
        if depth >= 4 && best_known.is_none() && !must_block {
            depth -= 1;
        }
        // Step 10: the stones to try.
        let limit = if ply == 0 {
            self.settings.first_width
        } else {
            most_stones(depth, improving || is_pv)
        };
        let mut listed = if is_pressed {
            let mut list = std::mem::take(&mut self.lists[ply]);
            self.list_guards(&mut list);
            self.lists[ply] = list;
            Listed::complete()
        } else {
            self.list_stones(ply, None, limit + limit / 2)
        };
        if is_pressed && self.lists[ply].is_empty() {
            return -wins_at(distance + 3);
        }
        if features.has(Feature::History) {
            self.order.remind(&mut self.lists[ply], player, ply);
        }
        order::sort(&mut self.lists[ply], best_known);
        let is_high = !is_pv
            && expected == Expected::Cut
            && evaluation >= beta + 15 * depth - 10 + if is_pressed { 90 } else { 0 };
        // Step 11: each of them.
        let mut best = -INFINITE;
        let mut best_cell = None;
        let mut bound = Bound::Upper;
        let mut tried = 0;
        let mut is_lost = false;
        let mut at = 0;
        loop {
            if at >= self.lists[ply].len() {
                match self.widen(place, best, &mut listed) {
                    Widened::More => {}
                    Widened::Lost(score) => {
                        best = score;
                        is_lost = true;
                        break;
                    }
                    Widened::Enough => break,
                }
                continue;
            }
            // Move count pruning: only where something was found that does not lose.
            if ply > 0 && best > -MAX_EVALUATION && tried >= limit && !is_pressed {
                break;
            }
            let cell = self.lists[ply][at].cell;
            at += 1;
            if Some(cell) == skip || distance == 0 && self.is_excluded(cell) {
                continue;
            }
            let Some(cells) = self.state.cells() else { break };
            let kind = cells.kind(player, cell);
            // Step 12: extensions.
            let mut extension = i32::from(must_block);
            if !must_block
                && distance > 0
                && depth >= SINGULAR_DEPTH
                && Some(cell) == best_known
                && skip.is_none()
                && let Some(entry) = known
                && entry.bound != Bound::Upper
                && entry.depth >= depth - 2
                && entry.score.abs() < MAX_EVALUATION
            {
                let wanted = entry.score - depth;
                self.skips[ply] = Some(cell);
                let list = std::mem::take(&mut self.lists[ply]);
                let score = self.search_single([wanted - 1, wanted], depth / 2, place, expected);
                self.lists[ply] = list;
                self.skips[ply] = None;
                self.lines[ply].clear();
                if self.is_stopped() {
                    return 0;
                }
                if score < wanted {
                    extension = 1 + i32::from(!is_pv && score < wanted - 25);
                } else if wanted >= beta {
                    // Several stones are good enough.
                    return wanted;
                } else if entry.score >= beta {
                    extension = -1;
                }
            }
            if is_high && kind < Kind::Four {
                extension -= 1;
            }
            let next_depth = depth - 1 + extension;
            let reduction = self.single_reduction(
                depth,
                tried,
                cell,
                Reducing { is_pv, improving, expected, kind, ply },
            );
            self.trying[ply] = at - 1;
            self.state.play(cell);
            let next = place.after();
            let mut score = Score::MIN;
            if tried > 0 {
                let reduced = (next_depth - reduction).max(1).min(next_depth);
                let narrow = [-alpha - 1, -alpha];
                let role = if reduced < next_depth { Expected::Cut } else { expected.turned() };
                score = -self.search_single(narrow, reduced, next, role);
                if score > alpha && reduced < next_depth && !self.is_stopped() {
                    score = -self.search_single(narrow, next_depth, next, expected.turned());
                }
            }
            if tried == 0 && !is_pv {
                score = -self.search_single([-beta, -alpha], next_depth, next, expected.turned());
            } else if is_pv && (tried == 0 || score > alpha && score < beta) && !self.is_stopped() {
                score = -self.search_single([-beta, -alpha], next_depth, next, Expected::All);
            }
            self.state.undo();
            if self.is_stopped() {
                return 0;
            }
            tried += 1;
            if score > best {
                best = score;
                if score > alpha {
                    best_cell = Some(cell);
                    alpha = score;
                    bound = Bound::Exact;
                    let (head, tail) = self.lines.split_at_mut(ply + 1);
                    head[ply].clear();
                    head[ply].push(cell);
                    head[ply].extend_from_slice(&tail[0]);
                    if ply == 0 {
                        self.root_score = Some(score);
                    }
                    if alpha >= beta {
                        bound = Bound::Lower;
                        self.order.reward(&self.lists[ply][..at], player, depth, ply);
                        break;
                    }
                    // The others must now beat this one: less depth for them.
                    if depth > 2 && depth < 12 && ply > 0 && score.abs() < MAX_EVALUATION {
                        depth -= 1;
                    }
                }
            }
        }
        // Step 13: nothing but the stone to be skipped.
        if tried == 0 {
            return if skip.is_some() { alpha } else { -wins_at(distance + 1) };
        }
        // Step 14: a loss is proved only if every stone was tried.
        if best <= -score::PROVED && (!listed.is_complete || skip.is_some()) && !is_lost {
            best = score::doubted(best, self.doubt);
        }
        self.store(
            key,
            distance,
            Entry { score: best, bound, depth, best: best_cell.or(best_known), unproved },
        );
        best
    }

    /// A win or loss that needs no search: rows at hand, an open four that nobody stops, a four after
    /// whose only reply there is one.
    fn in_sight(&mut self, distance: i32) -> Option<Score> {
        let cells = self.state.cells()?;
        let player = self.state.turn().player;
        if cells.count_of(player, Kind::Row) > 0 {
            return Some(wins_at(distance));
        }
        match cells.count_of(!player, Kind::Row) {
            0 if cells.count_of(player, Kind::OpenFour) > 0 => return Some(wins_at(distance + 2)),
            0 if cells.count_of(player, Kind::FourThree) > 0 => {}
            0 | 1 => return None,
            _ => return Some(-wins_at(distance + 1)),
        }
        let is_four_three = |&cell: &Cell| cells.kind(player, cell) == Kind::FourThree;
        let tried: Vec<Cell> =
            cells.at_least(player, Kind::FourThree).filter(is_four_three).collect();
        let wins = tried.into_iter().any(|cell| self.wins_by_four(cell));
        wins.then_some(wins_at(distance + 4))
    }

    /// Whether an open four follows after a four on this cell and the only reply to it.
    fn wins_by_four(&mut self, cell: Cell) -> bool {
        let player = self.state.turn().player;
        self.state.play(cell);
        let reply = self.state.cells().and_then(|cells| cells.at_least(player, Kind::Row).next());
        let mut wins = false;
        if let Some(reply) = reply {
            self.state.play(reply);
            wins = self.state.cells().is_some_and(|cells| {
                cells.count_of(!player, Kind::Row) == 0
                    && cells.count_of(player, Kind::Row) + cells.count_of(player, Kind::OpenFour)
                        > 0
            });
            self.state.undo();
        }
        self.state.undo();
        wins
    }

    /// The horizon: the evaluation, or what continuous fours make of it. `fours` of ours were played.
    fn fours(&mut self, [mut alpha, beta]: Window, place: Place, fours: u8) -> Score {
        let Place { ply, distance, .. } = place;
        if fours > 0 {
            self.lines[ply].clear();
            if self.count_node() {
                return 0;
            }
            if let Some(score) = self.in_sight(distance) {
                return score;
            }
        }
        if self.state.empty_count() == 0 {
            return 0;
        }
        let player = self.state.turn().player;
        let evaluation = self.evaluation();
        let Some(cells) = self.state.cells() else { return evaluation };
        if ply >= MAX_PLY {
            return evaluation;
        }
        if cells.count_of(!player, Kind::Row) > 0 {
            let Some(cell) = cells.at_least(!player, Kind::Row).next() else { return evaluation };
            self.state.play(cell);
            let score = -self.fours([-beta, -alpha], place.after(), fours.max(1));
            self.state.undo();
            return score;
        }
        let best_kind = if fours < PLAIN_FOURS { Kind::Four } else { Kind::FourPlus };
        let has_fours =
            cells.count_of(player, Kind::FourPlus) + cells.count_of(player, Kind::FourThree) > 0
                || best_kind == Kind::Four && cells.count_of(player, Kind::Four) > 0;
        if evaluation >= beta || !has_fours || fours >= MAX_FOURS {
            return evaluation;
        }
        let key = self.state.key();
        let known = self.shared.table.get(key, distance);
        if let Some(entry) = known
            && entry.depth >= -i32::from(fours)
            && !score::is_outdated(entry.score, self.doubt)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
        {
            return entry.score;
        }
        let first = alpha;
        alpha = alpha.max(evaluation);
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        let last = self.state.played().rev().nth(1);
        let is_near = |cell: Cell| {
            last.is_none_or(|last| is_related(self.state.geometry().rules(), cell, last))
        };
        let found = cells.at_least(player, best_kind).filter(|&cell| is_near(cell));
        list.extend(found.map(|cell| moves::candidate(self.state, cell)));
        order::sort(&mut list, known.and_then(|entry| entry.best));
        let mut best = evaluation;
        let mut best_cell = None;
        for candidate in &list {
            self.state.play(candidate.cell);
            let score = -self.fours([-beta, -alpha], place.after(), fours + 1);
            self.state.undo();
            if self.is_stopped() {
                break;
            }
            if score > best {
                best = score;
                best_cell = Some(candidate.cell);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.lists[ply] = list;
        if self.is_stopped() {
            return 0;
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > first => Bound::Exact,
            _ => Bound::Upper,
        };
        let depth = -i32::from(fours);
        let unproved = known.map_or(0, |entry| entry.unproved);
        if known.is_none_or(|entry| entry.depth <= depth) {
            self.store(
                key,
                distance,
                Entry { score: best, bound, depth, best: best_cell, unproved },
            );
        }
        best
    }

    /// Every stone that may stop the opponent's rows and winning fours: those that guard against all of
    /// them, and own fours, which come first.
    fn list_guards(&self, list: &mut Vec<moves::Candidate>) {
        list.clear();
        let player = self.state.turn().player;
        let Some(cells) = self.state.cells() else { return };
        if cells.count_of(!player, Kind::Row) > 0 {
            let rows = cells.at_least(!player, Kind::Row);
            list.extend(rows.map(|cell| moves::candidate(self.state, cell)));
            return;
        }
        let windows = self.state.windows();
        let threats: Vec<Cell> = cells.at_least(!player, Kind::OpenFour).collect();
        let Some(&first) = threats.first() else { return };
        let geometry = windows.geometry();
        let mut push = |cell: Cell| {
            if !list.iter().any(|candidate| candidate.cell == cell) {
                list.push(moves::candidate(self.state, cell));
            }
        };
        // A stone that guards against the first threat stands on one of its lines.
        for at in geometry.lines_through(first) {
            for &cell in geometry.line_cells(at.line) {
                if windows.is_empty(cell)
                    && threats
                        .iter()
                        .all(|&threat| !cells.still_wins(windows, !player, threat, cell))
                {
                    push(cell);
                }
            }
        }
        cells.at_least(player, Kind::Four).for_each(push);
    }

    fn single_reduction(&self, depth: i32, tried: usize, cell: Cell, node: Reducing) -> i32 {
        if depth < 2
            || tried < 1 + usize::from(node.ply == 0)
            || !self.settings.features.has(Feature::Reductions)
        {
            return 0;
        }
        let player = self.state.turn().player;
        let mut reduction = (depth as f32).ln() * ((tried + 1) as f32).ln();
        if node.is_pv {
            reduction -= 1.0;
        } else if !node.improving && reduction > 1.0 {
            reduction += 1.0;
        }
        if node.expected == Expected::Cut && !node.is_pv && !self.order.is_killer(cell, node.ply) {
            reduction += 1.5;
        }
        if node.kind >= Kind::Three {
            reduction -= 0.5;
        }
        reduction -= self.order.history(player, cell) as f32 / 4096.0;
        (reduction.max(0.0)) as i32
    }
}

/// What a node says about the reduction of one of its stones.
#[derive(Clone, Copy)]
struct Reducing {
    is_pv: bool,
    improving: bool,
    expected: Expected,
    kind: Kind,
    ply: usize,
}

/// Whether two stones can work together: on one line within a row's length, or next but one at most.
fn is_related(rules: &Rules, a: Cell, b: Cell) -> bool {
    const NEAR: usize = 2;
    let width = rules.width();
    let across = (a.index() % width).abs_diff(b.index() % width);
    let along = (a.index() / width).abs_diff(b.index() / width);
    let far = across.max(along);
    far <= NEAR || far < rules.k() && (across == 0 || along == 0 || across == along)
}

/// Stones tried at a depth, unless all lose.
fn most_stones(depth: i32, improving: bool) -> usize {
    let most = 3 + (depth.max(1) as f32).powf(1.32) as usize;
    if improving { most } else { most.div_ceil(2) }
}

/// Distinguishes a position from the same one without a stone to try.
const SKIP_KEY: u64 = 0x9e6c_63d0_876a_3f6b;
/// Depth from which the best stone is compared with the others.
const SINGULAR_DEPTH: i32 = 7;
/// Fours of ours at the horizon, and those among them that may threaten nothing else.
const MAX_FOURS: u8 = 20;
const PLAIN_FOURS: u8 = 2;
