//! The search with one stone per turn, where the weights know combinations of lines.
//!
//! Principal variation search like [`super::worker`], with what such games need besides: threats are
//! read off the cells, replies to them are complete and few, the horizon is a search by fours, and
//! stones are few and much reduced because their order is good. The pruning steps are those of chess
//! programs; Rapfi shows that they hold in Gomoku. `docs/strength.md` has what they are worth. Their
//! numbers were tuned together by games (`docs/learning.md`, way 11).
//!
//! A score of a win or loss is always proved, or in doubt and marked as such.

use collinear_rules::Cell;

use super::busy::{self, Queue};
use super::fours::Threat;
use super::order;
use super::score::{self, INFINITE, MAX_EVALUATION, Score, wins_at};
use super::settings::Feature;
use super::table::{Bound, Entry};
use super::widen::{Listed, Widened};
use super::worker::{BUSY_DEPTH, CERTAIN, MAX_PLY, Place, Worker};
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
        mut place: Place,
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
            return self.evaluation_at(place);
        }
        // Step 2: the horizon is a search by fours.
        if depth <= 0 && ply > 0 {
            return self.fours([alpha, beta], place, 0);
        }
        // Step 3: what is known about the position.
        let skip = self.skips[ply];
        let key = self.state.key()
            ^ skip.map_or(0, |cell| SKIP_KEY.wrapping_mul(cell.index() as u64 + 1));
        let known = self.known(key, distance);
        if let Some(entry) = known
            && distance > 0
        {
            let is_enough = entry.settles(alpha, beta);
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
        // Step 6: where many nodes follow, the network's advice, unless the evaluation is far above beta.
        let may_prune =
            !is_pv && !is_pressed && skip.is_none() && beta.abs() < MAX_EVALUATION && distance > 0;
        let asks = !is_pressed && depth >= GUIDED_DEPTH && self.guide.is_some();
        if asks && may_prune && features.has(Feature::Futility) {
            let evaluation = self.evaluation_at(place);
            if evaluation - UNGUIDED_MARGIN * depth >= beta {
                return evaluation;
            }
        }
        let is_guided = asks && self.ask_guide(&mut place);
        // Step 7: the evaluation, and whether it has become better since our last turn.
        let mut evaluation = self.evaluation_at(place);
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
        if may_prune {
            // Step 8: razoring: far below alpha only fours help.
            if depth <= 2 && evaluation + 25 + 19 * depth < alpha {
                return self.fours([alpha, alpha + 1], place, 0);
            }
            // Step 9: reverse futility pruning.
            let margin = 42 * (depth - i32::from(improving)).max(0);
            if features.has(Feature::Futility) && evaluation - margin >= beta {
                return evaluation;
            }
        }
        // Step 10: without a stone to begin with, less depth (internal iterative reduction).
        if depth >= 4 && best_known.is_none() && !must_block {
            depth -= 1;
        }
        // Step 11: the stones to try: all that may stop a threat to win, else the likeliest.
        let limit = match ply {
            0 => self.settings.first_width,
            _ => most_stones(depth, self.guide.is_some()),
        };
        let mut list = std::mem::take(&mut self.lists[ply]);
        let threat = self.list_guards(&mut list);
        self.lists[ply] = list;
        let mut listed = match threat {
            Some(Threat { turns }) if self.lists[ply].is_empty() => {
                return -wins_at(distance + turns);
            }
            Some(_) => Listed::complete(),
            None if is_guided => self.list_guided(ply, limit + limit / 2),
            None => self.list_stones(ply, None, limit + limit / 2),
        };
        if features.has(Feature::History) {
            self.order.remind(&mut self.lists[ply], player, ply);
        }
        order::sort(&mut self.lists[ply], best_known);
        // A node that is expected to fail high, and whose evaluation is far above beta.
        let margin = 15 * depth + if is_pressed { 80 } else { -19 };
        let is_likely_high = !is_pv && expected == Expected::Cut && evaluation >= beta + margin;
        // Step 12: each of them; those that another thread is busy with come last.
        let mut best = -INFINITE;
        let mut best_cell = None;
        let mut bound = Bound::Upper;
        let mut tried = 0;
        let mut is_lost = false;
        let mut queue = Queue::new(0, self.lists[ply].len());
        loop {
            let Some((at, may_wait)) = queue.next() else {
                let from = self.lists[ply].len();
                match self.widen(place, best, &mut listed) {
                    Widened::More => queue = Queue::new(from, self.lists[ply].len()),
                    Widened::Lost(score) => {
                        best = score;
                        is_lost = true;
                        break;
                    }
                    Widened::Enough => break,
                }
                continue;
            };
            // Move count pruning: only where something was found that does not lose.
            if ply > 0 && best > -MAX_EVALUATION && at >= limit && !is_pressed {
                continue;
            }
            let cell = self.lists[ply][at].cell;
            if Some(cell) == skip || distance == 0 && self.is_excluded(cell) {
                continue;
            }
            let task = self.shared.busy.filter(|_| depth >= BUSY_DEPTH).map(|busy| {
                let child = key ^ self.state.geometry().stone_key(cell, player);
                (busy, busy::at_depth(child, depth))
            });
            if may_wait && tried > 0 && task.is_some_and(|(busy, task)| busy.has(task)) {
                queue.put_off(at);
                continue;
            }
            let Some(cells) = self.state.cells() else { break };
            let kind = cells.kind(player, cell);
            // Step 13: extensions: the only reply, and a stone that is much better than all others
            // (singular extension).
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
                let wanted = entry.score - 3 * depth / 4;
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
            // Less depth where the stone will be good enough, and more for fours in a row.
            if is_likely_high && kind < Kind::Four {
                extension -= 1;
            } else if is_likely_high && ply > 1 && self.made[ply - 2] >= Kind::Four {
                extension += 1;
            }
            let next_depth = depth - 1 + extension;
            let reduction = self.single_reduction(
                depth,
                tried,
                cell,
                Reducing { is_pv, improving, is_pressed, expected, kind, ply },
            );
            self.made[ply] = kind;
            self.trying[ply] = at;
            if let Some((busy, task)) = task {
                busy.begin(task);
            }
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
            if let Some((busy, task)) = task {
                busy.end(task);
            }
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
                        self.order.reward(&self.lists[ply][..=at], player, depth, ply);
                        break;
                    }
                    // The others must now beat this one: less depth for them.
                    if depth > 2 && depth < 12 && ply > 0 && score.abs() < MAX_EVALUATION {
                        depth -= 1;
                    }
                }
            }
        }
        // Step 14: nothing but the stone to be skipped.
        if tried == 0 {
            return if skip.is_some() { alpha } else { -wins_at(distance + 1) };
        }
        // Step 15: a loss is proved only if every stone was tried.
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

    /// The static evaluation with the network's correction from above.
    pub(super) fn evaluation_at(&mut self, place: Place) -> Score {
        (self.state.evaluation() + place.bias).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Asks the network: from here on a part of its value corrects the evaluation. Says whether there is one to ask.
    fn ask_guide(&mut self, place: &mut Place) -> bool {
        let Some(guide) = &mut self.guide else { return false };
        let advice = guide.advise(self.state);
        let difference = advice.value - self.state.evaluation();
        place.bias = (GUIDED_PART * difference as f32) as Score;
        // Whether it remembers or not, so that turns repeat.
        self.check_soon();
        true
    }

    /// Lists the stones that the network likes most.
    fn list_guided(&mut self, ply: usize, width: usize) -> Listed {
        let Some(guide) = &mut self.guide else { return self.list_stones(ply, None, width) };
        let list = &mut self.lists[ply];
        let is_complete = guide.advise(self.state).list(self.state, width, list);
        for candidate in list {
            candidate.order += self.state.policy_of(candidate.cell) / PATTERN_PART;
        }
        Listed::usual(width, is_complete)
    }

    fn single_reduction(&self, depth: i32, tried: usize, cell: Cell, node: Reducing) -> i32 {
        if depth < 2
            || tried < 1 + usize::from(node.ply == 0)
            || !self.settings.features.has(Feature::Reductions)
        {
            return 0;
        }
        let player = self.state.turn().player;
        let mut reduction = 1.19 * (depth as f32).ln() * ((tried + 1) as f32).ln() - 0.36;
        if node.is_pv {
            reduction -= 1.0;
        } else if !node.improving && reduction > 1.0 {
            reduction += 1.08;
        }
        if node.expected == Expected::Cut && !node.is_pv && !self.order.is_killer(cell, node.ply) {
            reduction += 0.38;
        }
        if node.kind >= Kind::Three {
            reduction -= 0.14;
            // An attack that goes on.
            if !node.is_pressed && node.ply > 1 && self.made[node.ply - 2] >= Kind::Three {
                reduction -= 1.5;
            }
        }
        reduction -= self.order.history(player, cell) as f32 / 3868.0;
        reduction.max(0.0).round() as i32
    }
}

/// What a node says about the reduction of one of its stones.
#[derive(Clone, Copy)]
struct Reducing {
    is_pv: bool,
    improving: bool,
    is_pressed: bool,
    expected: Expected,
    kind: Kind,
    ply: usize,
}

/// Stones tried at a depth, unless all lose: fewer where a network has chosen those above (without one,
/// so few cost 36 Elo, 12 to 60).
fn most_stones(depth: i32, has_guide: bool) -> usize {
    let (least, power) = if has_guide { (1.33, 1.2) } else { (3.0, 1.32) };
    (least + (depth.max(1) as f32).powf(power)) as usize
}

/// Depth from which the network is asked.
const GUIDED_DEPTH: i32 = 6;
/// The part of the difference between the network's value and the evaluation that corrects it.
const GUIDED_PART: f32 = 0.32;
/// Where the evaluation is above beta by so much per stone of depth, the network is not asked.
const UNGUIDED_MARGIN: Score = 42;
/// The part of the line patterns in the order of stones that the network lists, as a divisor.
const PATTERN_PART: i32 = 5;
/// Distinguishes a position from the same one without a stone to try.
const SKIP_KEY: u64 = 0x9e6c_63d0_876a_3f6b;
/// Depth from which the best stone is compared with the others.
const SINGULAR_DEPTH: i32 = 7;
