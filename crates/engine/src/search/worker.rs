//! The search itself: principal variation search, one stone per node.
//!
//! A node is a position with one stone to place. Scores are for the player to move there, so they
//! change sign only where the turn passes to the opponent, not between two stones of one turn. The
//! key of a position does not know the order of stones, so both orders of a pair meet in the
//! table; besides, a stone tried first is not tried again as a later stone of its siblings.
//!
//! The steps are numbered; those that can be switched off (`Feature`) carry what they are worth in
//! Connect6, measured by matches against the engine without them (Elo, 95 % interval):
//! `docs/strength.md` has the commands.

use std::sync::atomic::{AtomicU64, Ordering};

use collinear_play::Meter;
use collinear_rules::{Cell, Rules};

use super::busy::{self, Busy, Queue};
use super::guide::Guide;
use super::moves::{self, Candidate};
use super::order::{self, Order};
use super::score::{self, INFINITE, MAX_EVALUATION, Score, wins_at};
use super::settings::{Feature, Settings};
use super::single::Expected;
use super::table::{Bound, Entry, Table};
use super::widen::{Listed, Widened};
use crate::State;
use crate::cells::Kind;
use crate::tactics::Tactics;

/// Stones from the root a search may reach.
pub(super) const MAX_PLY: usize = 128;
/// Nodes between two looks at the clock.
const fn nodes_between_checks(rules: &Rules) -> u64 {
    // With so many stones in a turn a count of threats may take long.
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
    pub(super) shared: Shared<'a>,
    pub(super) nodes: u64,
    counted: u64,
    next_check: u64,
    stopped: bool,
    pub(super) order: Order,
    /// The best line from each ply on.
    pub(super) lines: Vec<Vec<Cell>>,
    /// Per ply the stones to try, and the index of the one being tried.
    pub(super) lists: Vec<Vec<Candidate>>,
    pub(super) trying: Vec<usize>,
    /// Per ply the evaluation, what the stone being tried threatens, and a stone that is not to be
    /// tried (one stone per turn).
    pub(super) evaluations: Vec<Score>,
    pub(super) made: Vec<Kind>,
    pub(super) skips: Vec<Option<Cell>>,
    /// The best score of the last search so far, whose line is complete even when it was stopped.
    pub(super) root_score: Option<Score>,
    /// How far wins and losses against the stones tried are doubted.
    pub(super) doubt: u8,
    /// Turns, each sorted, that the root must not play: better lines found before.
    pub(super) excluded: Vec<Vec<Cell>>,
}

/// Where a node stands in the tree.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Stones from the root.
    pub(super) ply: usize,
    /// Turns from the root.
    pub(super) distance: i32,
    /// First ply of this turn.
    turn_start: usize,
    /// Replies on the way here to a win by threats that was still to come.
    pressed: u8,
    /// Added to the static evaluation for the player to move (one stone per turn).
    pub(super) bias: Score,
}

impl Place {
    /// After a turn of one stone.
    pub(super) const fn after(self) -> Self {
        Self {
            ply: self.ply + 1,
            distance: self.distance + 1,
            turn_start: self.ply + 1,
            bias: -self.bias,
            ..self
        }
    }
}

/// A stone about to be tried.
#[derive(Clone, Copy)]
struct Stone {
    cell: Cell,
    /// Siblings tried before.
    tried: usize,
    forced: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        state: &'a mut State,
        settings: Settings,
        shared: Shared<'a>,
        tactics: &'a mut Tactics,
    ) -> Self {
        let rules = *state.geometry().rules();
        Self {
            tactics,
            guide: None,
            settings,
            shared,
            nodes: 0,
            counted: 0,
            next_check: nodes_between_checks(&rules),
            stopped: false,
            order: Order::new(rules.cells(), MAX_PLY + 1),
            lines: vec![Vec::new(); MAX_PLY + 2],
            lists: vec![Vec::new(); MAX_PLY + 2],
            trying: vec![0; MAX_PLY + 2],
            evaluations: vec![0; MAX_PLY + 2],
            made: vec![Kind::Quiet; MAX_PLY + 2],
            skips: vec![None; MAX_PLY + 2],
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

    /// The best line of the last search.
    pub(super) fn line(&self) -> &[Cell] {
        &self.lines[0]
    }

    /// The turn of so many stones that was being tried when the search was stopped. It may be no turn:
    /// between two stones the later ones are those of an earlier try.
    pub(super) fn turn_in_hand(&self, stones: usize) -> Option<Vec<Cell>> {
        let cell = |ply: usize| self.lists[ply].get(self.trying[ply]).map(|found| found.cell);
        (0..stones).map(cell).collect()
    }

    /// Searches the position to a depth in stones. The score is exact within (`alpha`, `beta`), at
    /// most an upper bound below and a lower bound above.
    pub(super) fn search_root(&mut self, alpha: Score, beta: Score, depth: i32) -> Score {
        let place = Place { ply: 0, distance: 0, turn_start: 0, pressed: 0, bias: 0 };
        self.root_score = None;
        if self.state.cells().is_some() {
            return self.search_single([alpha, beta], depth, place, Expected::All);
        }
        self.search(alpha, beta, depth, place)
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

    fn search(&mut self, mut alpha: Score, beta: Score, mut depth: i32, mut place: Place) -> Score {
        let Place { ply, distance, .. } = place;
        let features = self.settings.features;
        let is_pv = beta - alpha > 1;
        self.lines[ply].clear();
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
            return self.evaluation();
        }
        // Step 3: no line from here can be better than a row in this turn's next one of ours, or
        // worse than the opponent's in his next turn.
        if ply > 0 {
            let best = wins_at(distance + 2);
            let worst = -wins_at(distance + 1);
            alpha = alpha.max(worst);
            if alpha >= beta.min(best) {
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
        let starts_turn = ply == place.turn_start;
        if threats > 0 && features.has(Feature::Extensions) && starts_turn && distance > 0 {
            depth += threats as i32;
        }
        // Step 5: what is known about the position (+50, 21 to 80).
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
                if let Some(score) = self.prove(effort, distance) {
                    self.store(
                        key,
                        distance,
                        Entry {
                            score,
                            bound: Bound::Lower,
                            depth: CERTAIN,
                            best: None,
                            unproved: effort,
                        },
                    );
                    return score;
                }
                if self.stopped {
                    return 0;
                }
                unproved = effort;
            }
        }
        // Step 7: the horizon, always between turns.
        if depth <= 0 && starts_turn {
            let score = self.evaluation();
            if known.is_none() {
                self.store(
                    key,
                    distance,
                    Entry { score, bound: Bound::Exact, depth: depth.min(0), best: None, unproved },
                );
            }
            return score;
        }
        // Step 8: where a stone must fall if the opponent would otherwise win by continuous threats
        // (−32, −47 to −17, before lists were as wide as elsewhere; Gomoku, with step 6 for open
        // threes: +65, 33 to 98).
        let zone = if threats == 0 { self.zone(place, depth, is_pv) } else { None };
        if self.stopped {
            return 0;
        }
        let p = self.state.geometry().rules().p() as i32;
        // Step 8a: with one stone per turn every second such reply costs no depth (Gomoku, with the
        // narrower lists and the margin below: +87, 48 to 128).
        if p == 1 && zone.is_some() && distance > 0 && place.pressed < MAX_PRESSED {
            place.pressed += 1;
            depth += i32::from(place.pressed.is_multiple_of(2));
        }
        let is_quiet = threats == 0 && zone.is_none() && !gravity;
        if starts_turn && !is_pv && is_quiet && !score::is_proved(beta) {
            let evaluation = self.evaluation();
            // Step 9: far above beta with little depth left (+12, −12 to 36).
            let turns = depth / p + 1;
            let margin = turns * if p == 1 { 60 } else { 250 };
            if features.has(Feature::Futility) && evaluation - margin >= beta && depth <= 4 {
                return evaluation;
            }
        }
        // Step 10: the stones to try; history and killers in their order (+7, −21 to 34).
        let mut listed = if threats > 0 {
            moves::covers(self.state, self.tactics, &mut self.lists[ply]);
            Listed::complete()
        } else {
            let width = self.width(depth, starts_turn, distance);
            // Twice as many only where a turn is one stone: with two, +15 (−5 to 36) without.
            let factor = if p == 1 && zone.is_some() { 2 } else { 1 };
            self.list_stones(ply, zone, factor * width)
        };
        if threats == 0 && features.has(Feature::History) {
            self.order.remind(&mut self.lists[ply], player, ply);
        }
        order::sort(&mut self.lists[ply], known.and_then(|entry| entry.best));
        // Step 11: each of them; those that another thread is busy with come last.
        let mut best = -INFINITE;
        let mut best_cell = None;
        let mut bound = Bound::Upper;
        let mut tried = 0;
        let mut is_lost = false;
        let mut skipped = false;
        let mut queue = Queue::new(0, self.lists[ply].len());
        loop {
            let Some((at, may_wait)) = queue.next() else {
                // Step 11b: a loss against these stones is no loss yet.
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
            let cell = self.lists[ply][at].cell;
            if self.was_tried(cell, place) || left == 1 && distance == 0 && self.is_excluded(cell) {
                skipped = true;
                continue;
            }
            let task = self.shared.busy.filter(|_| depth >= BUSY_DEPTH).map(|busy| {
                let child = key ^ self.state.geometry().stone_key(cell, player);
                (busy, busy::at_depth(child, depth))
            });
            let may_wait = may_wait && tried > 0;
            if may_wait && task.is_some_and(|(busy, task)| busy.has(task)) {
                queue.put_off(at);
                continue;
            }
            self.trying[ply] = at;
            let stone = Stone { cell, tried, forced: threats > 0 };
            if let Some((busy, task)) = task {
                busy.begin(task);
            }
            let score = self.try_stone([alpha, beta], depth, place, stone);
            if let Some((busy, task)) = task {
                busy.end(task);
            }
            if self.stopped {
                return 0;
            }
            tried += 1;
            if score > best {
                best = score;
                best_cell = Some(cell);
                if score > alpha {
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
                }
            }
        }
        // Step 12: nothing left that was not tried in another order, or nothing that helps.
        if tried == 0 {
            return if threats > 0 { -wins_at(distance + 1) } else { -INFINITE };
        }
        // Step 13: a loss is proved only if every stone was tried.
        if best <= -score::PROVED && !listed.is_complete && !is_lost {
            best = score::doubted(best, self.doubt);
        }
        // Step 14: remember. Here a loss may rest on turns that were tried in another order; whoever
        // comes another way does not know them.
        let is_whole = is_lost || !skipped || best > -score::PROVED;
        let score = if is_whole { best } else { score::doubted(best, self.doubt) };
        self.store(key, distance, Entry { score, bound, depth, best: best_cell, unproved });
        best
    }

    /// The score of one stone for the player who places it.
    fn try_stone(
        &mut self,
        [alpha, beta]: [Score; 2],
        depth: i32,
        place: Place,
        Stone { cell, tried, forced }: Stone,
    ) -> Score {
        let passes = self.state.turn().left == 1;
        self.state.play(cell);
        let ply = place.ply + 1;
        let next = Place {
            ply,
            distance: place.distance + i32::from(passes),
            turn_start: if passes { ply } else { place.turn_start },
            pressed: place.pressed,
            bias: 0,
        };
        let is_pv = beta - alpha > 1;
        let reduction = if forced { 0 } else { self.reduction(depth, tried, is_pv) };
        let mut score = Score::MIN;
        // Step 11a: unlikely stones less deep (+33, 4 to 63; Gomoku +26, −24 to 77), and all but
        // the first with an empty window.
        if tried > 0 {
            score = self.turned(passes, [alpha, alpha + 1], depth - 1 - reduction, next);
            if score > alpha && reduction > 0 && !self.stopped {
                score = self.turned(passes, [alpha, alpha + 1], depth - 1, next);
            }
        }
        if tried == 0 || score > alpha && score < beta && is_pv && !self.stopped {
            score = self.turned(passes, [alpha, beta], depth - 1, next);
        }
        self.state.undo();
        score
    }

    /// Searches on, from the opponent's point of view where the turn passes.
    fn turned(&mut self, passes: bool, [alpha, beta]: [Score; 2], depth: i32, at: Place) -> Score {
        if passes {
            -self.search(-beta, -alpha, depth, at)
        } else {
            self.search(alpha, beta, depth, at)
        }
    }

    pub(super) fn evaluation(&mut self) -> Score {
        self.state.evaluation().clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    fn width(&self, depth: i32, starts_turn: bool, distance: i32) -> usize {
        let rules = self.state.geometry().rules();
        if self.state.empty_count() <= SMALL_BOARD {
            return SMALL_BOARD;
        }
        let Settings { first_width, next_width, .. } = self.settings;
        // The last stones before the horizon are chosen among few.
        let depth = depth.max(0) as usize;
        match (rules.p(), starts_turn) {
            (1, _) if distance == 0 => first_width / 2,
            (1, _) => (first_width / 2).min(4 + 2 * depth),
            _ if depth == 0 => LEAF_WIDTH,
            (_, true) => first_width.min(8 + 2 * depth),
            (_, false) => next_width.min(4 + depth),
        }
        .max(1)
    }

    fn reduction(&self, depth: i32, tried: usize, is_pv: bool) -> i32 {
        if !self.settings.features.has(Feature::Reductions)
            || depth < 3
            || tried < 2
            || self.state.empty_count() < SMALL_BOARD
        {
            return 0;
        }
        let late = i32::from(tried >= 3) + i32::from(tried >= 7);
        (1 + late - i32::from(is_pv)).max(0)
    }

    /// Whether an earlier stone of this turn had this cell as an earlier sibling.
    fn was_tried(&self, cell: Cell, place: Place) -> bool {
        (place.turn_start..place.ply).any(|ply| {
            let earlier = &self.lists[ply][..self.trying[ply]];
            earlier.iter().any(|candidate| candidate.cell == cell)
        })
    }

    /// Whether this last stone would repeat a turn that the root must not play.
    pub(super) fn is_excluded(&self, cell: Cell) -> bool {
        if self.excluded.is_empty() {
            return false;
        }
        let mut turn: Vec<Cell> = self.state.played().chain([cell]).collect();
        turn.sort_unstable();
        self.excluded.contains(&turn)
    }

    /// What the table knows about a position.
    pub(super) fn known(&self, key: u64, distance: i32) -> Option<Entry> {
        if self.settings.features.has(Feature::Table) && (distance > 0 || self.excluded.is_empty())
        {
            self.shared.table.get(key, distance)
        } else {
            None
        }
    }

    pub(super) fn store(&self, key: u64, distance: i32, entry: Entry) {
        if self.settings.features.has(Feature::Table) && (distance > 0 || self.excluded.is_empty())
        {
            self.shared.table.put(key, distance, entry);
        }
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
/// With so few empty cells every one of them is tried.
const SMALL_BOARD: usize = 16;
const LEAF_WIDTH: usize = 4;
/// Replies of step 8a on one line.
const MAX_PRESSED: u8 = 8;
/// Depth from which threads divide the stones of a node among them.
pub(super) const BUSY_DEPTH: i32 = 2;
