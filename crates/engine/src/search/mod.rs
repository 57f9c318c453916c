//! The engine that thinks: proof first, then deepening search, on as many threads as asked for.

mod busy;
mod deepen;
mod frame;
mod guide;
mod level;
mod moves;
mod opinion;
mod order;
mod params;
mod quiescence;
mod score;
mod settings;
mod siblings;
mod single;
mod table;
mod tactics;
mod turns;
mod widen;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use collinear_play::instant::Instant;
use collinear_play::{AgentError, Budget, Line, Meter, Report, Turn, Value};
use collinear_rules::{Cell, Position, Rules};
use collinear_windows::{Windows, offsets};

use crate::net::Net;
use crate::proof::{self, Proof, ProofLimits, Then, Verdict};
use crate::puct::NetSearch;
use crate::tactics::Tactics;
use crate::{Params, State, Weights};
use busy::Busy;
use deepen::{Depths, Wanted, help, lead};
use guide::Guide;
use table::Table;
use worker::{Shared, Worker};

pub(crate) use moves::{Candidate, by_policy};
pub(crate) use opinion::SecondOpinion;
pub use params::SearchParams;
pub use settings::{Feature, Features, Searcher, Settings};

/// Sextant: keeps its table from turn to turn.
pub struct Engine {
    rules: Rules,
    settings: Settings,
    params: Params,
    weights: Arc<Weights>,
    /// The network search, where a network suits the game.
    network: Option<NetSearch>,
    /// The network that guides alpha-beta, where that is the better search.
    guide: Option<Arc<Net>>,
    table: Table,
    /// One per thread, the leader's first; they remember lines and proofs from turn to turn.
    states: Vec<ThreadState>,
    random: level::Dice,
}

/// What one thread searches with. Aligned to two cache lines, which the processor fetches together: two
/// threads that write to the same ones slow each other down by half.
#[repr(align(128))]
struct ThreadState {
    state: State,
    tactics: Tactics,
    guide: Option<Guide>,
}

impl ThreadState {
    /// With a board of its own: counting the users of a shared one would make the threads wait for
    /// each other.
    fn new(rules: &Rules, weights: &Arc<Weights>, params: &Params) -> Self {
        Self {
            state: State::new(&Position::new(*rules), weights.clone()),
            tactics: Tactics::with_params(rules, params),
            guide: None,
        }
    }
}

/// What the engine thinks about a position.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The stones it would play.
    pub turn: Turn,
    /// The last report: depth, nodes, best lines.
    pub report: Report,
    /// The proof of a win, if one was found.
    pub proof: Option<Arc<Proof>>,
}

impl Engine {
    /// An engine for a game. The seed matters below level 10 alone.
    pub fn new(rules: &Rules, settings: Settings, seed: u64) -> Self {
        Self::with_weights(rules, settings, seed, Arc::new(Weights::for_rules(rules)))
    }

    /// An engine with other weights than the shipped ones.
    pub fn with_weights(
        rules: &Rules,
        settings: Settings,
        seed: u64,
        weights: Arc<Weights>,
    ) -> Self {
        Self {
            rules: *rules,
            settings,
            params: Params::default(),
            table: Table::new(1),
            states: vec![ThreadState::new(rules, &weights, &Params::default())],
            network: None,
            guide: None,
            weights,
            random: level::Dice::new(seed),
        }
        .with_net(Net::guide_for(rules))
    }

    /// The same engine with another network, or without one.
    #[must_use]
    pub fn with_net(mut self, net: Option<Arc<Net>>) -> Self {
        let net = net.filter(|_| self.settings.searcher != Searcher::AlphaBeta);
        let (rules, settings) = (&self.rules, &self.settings);
        // Levels of a game without a network of its own are alpha-beta's.
        self.guide = net.clone().filter(|net| {
            settings.searcher.is_guided(rules)
                && (net.suits(rules) || (net.guides(rules) && settings.level == level::FULL))
        });
        let net = net.filter(|net| net.suits(rules));
        self.states.iter_mut().for_each(|thread| thread.guide = None);
        self.network = net.map(|net| {
            NetSearch::new(&self.rules, net, self.weights.clone(), &self.settings, &self.params)
        });
        self
    }

    /// The same engine with other numbers in its searches.
    #[must_use]
    pub fn with_params(mut self, params: &Params) -> Self {
        self.params = *params;
        self.states = vec![ThreadState::new(&self.rules, &self.weights, params)];
        let net =
            self.network.take().map(|network| network.net().clone()).or_else(|| self.guide.take());
        self.with_net(net)
    }

    /// What the network alone thinks of a position, if one plays: the chance to win of the player to
    /// move, and a share for every cell.
    pub fn glance(&mut self, position: &Position) -> Option<(f64, Vec<f32>)> {
        self.network.as_mut().map(|network| network.glance(position))
    }

    /// The game.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Forgets what it knows about positions.
    pub fn clear(&mut self) {
        self.table.clear();
        self.states.iter_mut().for_each(|thread| thread.tactics.clear());
        if let Some(network) = &mut self.network {
            network.clear();
        }
    }

    /// Thinks about a position of its game until the budget is spent; `on` hears progress.
    pub fn think(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<SearchResult, AgentError> {
        if position.is_over() {
            return Err(AgentError::GameOver);
        }
        let mut budget = match self.network {
            Some(_) => budget.clone(),
            None => level::limited(self.settings.level, budget),
        };
        // A flag of this turn, by which its threads stop each other.
        let stop = budget.stop.clone();
        budget.stop = stop.child();
        let meter = budget.start(turns_to_go(position));
        let wanted = useful_memory(&meter).min(self.settings.memory).max(1);
        // A table has a power of two.
        if wanted.ilog2() > self.table.mebibytes().ilog2() {
            self.table = Table::new(wanted);
        }
        self.table.grow_older();
        if let Some(thought) = self.obvious(position, &meter) {
            on(&thought.report);
            return Ok(self.with_others(thought, position, &budget, &meter, on));
        }
        // Whoever asks for several lines analyses: then the level is not a handicap.
        let level = level::with_network(self.settings.level).filter(|_| budget.lines <= 1);
        let mut thought = match (&mut self.network, level) {
            (Some(network), Some(level)) => {
                let (turn, value) = self.random.turn(network, level, position, &budget);
                let thought = plain(turn, value, &meter);
                on(&thought.report);
                thought
            }
            (Some(network), None) if self.guide.is_none() => {
                network.think(position, &budget, &meter, self.settings.threads, on)
            }
            (Some(_), None) => self.search(position, &budget, &meter, on),
            (None, _) => match self.slip(position) {
                Some(turn) => plain(turn, Value::Chance(0.5), &meter),
                None => self.search(position, &budget, &meter, on),
            },
        };
        end_with_the_game(position, &mut thought.turn);
        budget.stop = stop.child();
        Ok(self.with_others(thought, position, &budget, &meter, on))
    }

    /// A proof ends a search; whoever asked for several lines hears of the other turns, too.
    fn with_others(
        &mut self,
        mut thought: SearchResult,
        position: &Position,
        budget: &Budget,
        meter: &Meter,
        on: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let known = &thought.report.lines;
        // With several stones per turn, a row at hand is a win with any other stone beside it.
        let least = if self.rules.p() > 1 { 2 } else { 1 };
        let is_won = known
            .first()
            .is_some_and(|line| matches!(line.value, Value::WinsIn(turns) if turns >= least));
        if !is_won || known.len() >= usize::from(budget.lines) || budget.stop.is_stopped() {
            return thought;
        }
        let ThreadState { state, tactics, guide } = &mut self.states[0];
        state.set(position);
        let (settings, nodes) = (self.settings, AtomicU64::new(thought.report.nodes));
        let shared = Shared { table: &self.table, meter, nodes: &nodes, busy: None };
        let worker = Worker::new(state, settings, &self.params.search, shared, tactics);
        let mut worker = worker.guided_by(guide.as_mut());
        let wanted = Wanted { lines: budget.lines, known };
        let depths = Depths::of(position, budget);
        let note = thought.report.note.clone();
        let mut tell = |report: &Report| on(&Report { note: note.clone(), ..report.clone() });
        let others = lead(&mut worker, position, depths, wanted, meter, &mut tell);
        thought.report.lines = others.report.lines;
        thought
    }

    /// A careless turn, now and then, below full strength.
    fn slip(&mut self, position: &Position) -> Option<Turn> {
        self.random.slip(self.settings.level, position, &mut self.states[0].state)
    }

    /// Proves a win of the player to move by continuous threats, within the budget.
    pub fn prove(&mut self, position: &Position, budget: &Budget) -> Verdict {
        prove(&mut self.states[0].tactics, position, budget)
    }

    /// A row within the turn, and the first stone of the game.
    fn obvious(&self, position: &Position, meter: &Meter) -> Option<SearchResult> {
        if let Some(turn) = row(position) {
            return Some(plain(turn, Value::WinsIn(1), meter));
        }
        let (w, h) = (self.rules.width(), self.rules.height());
        if position.stone_count() == 0 && self.rules.q() == 1 && !self.rules.gravity() {
            let centre = self.rules.cell((w - 1) / 2 + (w + 1) % 2, (h - 1) / 2 + (h + 1) % 2)?;
            return Some(plain(vec![centre], Value::Chance(0.5), meter));
        }
        None
    }

    /// A search for a win by threats alone, and the search of all turns: one after the other, or at
    /// the same time where there are helpers.
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        meter: &Meter,
        on: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let threads = self.settings.threads.max(1);
        self.states
            .resize_with(threads, || ThreadState::new(&self.rules, &self.weights, &self.params));
        for thread in &mut self.states {
            thread.state.set(position);
            if thread.guide.is_none() {
                thread.guide = self.guide.as_ref().map(|net| Guide::new(&self.rules, net));
            }
        }
        let (table, settings, search) = (&self.table, self.settings, &self.params.search);
        let (counter, busy) = (AtomicU64::new(0), Busy::new());
        let shared = Shared { table, meter, nodes: &counter, busy: (threads > 1).then_some(&busy) };
        let depths = Depths::of(position, budget);
        let found = OnceLock::new();
        let proves = settings.features.has(Feature::RootProof)
            && (settings.level >= 5 || self.guide.is_some());
        let look_for_proof = |tactics: &mut Tactics| {
            let before = tactics.nodes();
            let mut proof = prove_root(search, tactics, position, budget, meter);
            if proof.is_none() && settings.features.has(Feature::Quiet) {
                proof = prove_quietly(search, tactics, position, budget, meter);
            }
            counter.fetch_add(tactics.nodes() - before, Ordering::Relaxed);
            if let Some(proof) = proof {
                // Nobody else sets it.
                let _ = found.set(proof);
                budget.stop.stop();
            }
        };
        let look_for_proof = &look_for_proof;
        let [leader, helpers @ ..] = &mut self.states[..] else {
            unreachable!("there is a thread at least")
        };
        let thought = std::thread::scope(|scope| {
            // Where the system has no thread to spare, those that there are search.
            let mut started = 0;
            for ThreadState { state, tactics, guide } in helpers {
                let proves = proves && started == 0;
                let helper = std::thread::Builder::new().spawn_scoped(scope, move || {
                    if proves {
                        look_for_proof(tactics);
                    }
                    let worker = Worker::new(state, settings, search, shared, tactics);
                    help(&mut worker.guided_by(guide.as_mut()), depths);
                });
                started += usize::from(helper.is_ok());
            }
            if proves && started == 0 {
                look_for_proof(&mut leader.tactics);
            }
            let proof = || {
                let proof: Option<&Arc<Proof>> = found.get();
                proof.map(|proof| {
                    proved(position, proof.clone(), counter.load(Ordering::Relaxed), meter)
                })
            };
            let thought = proof().unwrap_or_else(|| {
                let ThreadState { state, tactics, guide } = leader;
                let worker = Worker::new(state, settings, search, shared, tactics);
                let mut leader = worker.guided_by(guide.as_mut());
                let wanted = Wanted { lines: budget.lines.max(1), known: &[] };
                let searched = lead(&mut leader, position, depths, wanted, meter, on);
                proof().unwrap_or(searched)
            });
            budget.stop.stop();
            thought
        });
        if thought.proof.is_some() {
            on(&thought.report);
        }
        thought
    }
}

fn prove(tactics: &mut Tactics, position: &Position, budget: &Budget) -> Verdict {
    let meter = budget.start(1);
    let limits = ProofLimits {
        nodes: budget.nodes.unwrap_or(u64::MAX),
        meter: Some(&meter),
        ..ProofLimits::default()
    };
    let (player, left) = (position.to_move(), position.stones_left());
    tactics.prove(&mut Windows::of(position), player, left, limits)
}

/// A proof within the root's share of the budget (+97 Elo, 69 to 126).
fn prove_root(
    params: &SearchParams,
    tactics: &mut Tactics,
    position: &Position,
    budget: &Budget,
    meter: &Meter,
) -> Option<Arc<Proof>> {
    let (share, _) = share_of(budget, meter, params.root_proof_share, params.root_proof_untimed);
    prove(tactics, position, &share).proof()
}

/// A win that begins with a quiet turn, within its share of the budget.
fn prove_quietly(
    params: &SearchParams,
    tactics: &mut Tactics,
    position: &Position,
    budget: &Budget,
    meter: &Meter,
) -> Option<Arc<Proof>> {
    let (share, total) =
        share_of(budget, meter, params.root_quiet_share, params.root_quiet_untimed);
    let (player, left) = (position.to_move(), position.stones_left());
    let meter = share.start(1);
    let limits = tactics.quiet_limits(total, &meter);
    tactics.prove_quiet(&mut Windows::of(position), player, left, limits)
}

/// A part of the time left, and the nodes of a proof search within it.
fn share_of(budget: &Budget, meter: &Meter, part: f64, untimed: u64) -> (Budget, u64) {
    let mut share = budget.clone();
    share.clock = None;
    share.time = meter
        .deadline()
        .map(|deadline| deadline.saturating_duration_since(Instant::now()).mul_f64(part));
    let nodes = match (budget.nodes, share.time) {
        (Some(nodes), _) => (nodes as f64 * part) as u64,
        (None, Some(_)) => u64::MAX,
        (None, None) => untimed,
    };
    share.nodes = Some(nodes);
    (share, nodes)
}

/// What is said about a position whose win is proved.
pub(crate) fn proved(
    position: &Position,
    proof: Arc<Proof>,
    nodes: u64,
    meter: &Meter,
) -> SearchResult {
    let is_quiet = matches!(proof.then, Then::Quiet(_));
    let note = if is_quiet { "proved: a quiet turn" } else { "proved by continuous threats" };
    let report = Report {
        depth: u32::from(proof.turns()),
        nodes,
        elapsed: meter.elapsed(),
        lines: vec![Line {
            value: Value::WinsIn(proof.turns()),
            stones: proof::line(position, &proof),
        }],
        note: Some(note.to_owned()),
    };
    SearchResult { turn: proof.turn.clone(), report, proof: Some(proof) }
}

/// The table that a turn can make use of, in mebibytes: short turns in a table for long ones would
/// wait for a new page of memory at every position.
fn useful_memory(meter: &Meter) -> usize {
    // Faster than any search so far, and what is worth keeping of the turns before.
    const NODES_A_SECOND: f64 = 2e6;
    const TURNS: f64 = 8.0;
    let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
    let seconds = meter.deadline().map_or(f64::INFINITY, |deadline| left(deadline).as_secs_f64());
    let nodes = (meter.max_nodes() as f64).min(seconds * NODES_A_SECOND);
    let mebibytes = nodes * TURNS * Table::ENTRY as f64 / f64::from(1 << 20);
    (mebibytes.min(1e6) as usize).next_power_of_two()
}

/// Own turns a clock must still serve: fewer as the board fills, never few.
fn turns_to_go(position: &Position) -> u32 {
    let played = position.stone_count() / (2 * position.rules().p());
    (30_usize.saturating_sub(played / 2)).max(12) as u32
}

/// The stones that complete a row within this turn.
pub(crate) fn row(position: &Position) -> Option<Turn> {
    let player = position.to_move();
    let windows = Windows::of(position);
    let geometry = position.geometry();
    for (line, found) in windows.lines_within(player, position.stones_left()) {
        for offset in offsets(found) {
            let cells: Turn = offsets(windows.empties(line, offset))
                .map(|index| geometry.line_cells(line)[index])
                .collect();
            let mut ahead = position.clone();
            if let Some(turn) = in_order(&mut ahead, cells) {
                return Some(turn);
            }
        }
    }
    None
}

/// A turn is over with the stone that ends the game, also where nobody looked for that row.
fn end_with_the_game(position: &Position, turn: &mut Turn) {
    let mut ahead = position.clone();
    let played = turn.iter().take_while(|&&cell| !ahead.is_over() && ahead.play(cell).is_ok());
    let played = played.count();
    if ahead.is_over() {
        turn.truncate(played);
    }
}

/// The order in which gravity lets the cells be filled, if it does.
fn in_order(position: &mut Position, mut cells: Vec<Cell>) -> Option<Turn> {
    let mut turn = Turn::new();
    while let Some(at) = cells.iter().position(|&cell| position.check(cell).is_ok()) {
        let cell = cells.swap_remove(at);
        position.play(cell).ok()?;
        turn.push(cell);
    }
    cells.is_empty().then_some(turn)
}

fn plain(turn: Turn, value: Value, meter: &Meter) -> SearchResult {
    let report = Report {
        depth: turn.len() as u32,
        elapsed: meter.elapsed(),
        lines: vec![Line { value, stones: turn.clone() }],
        ..Report::default()
    };
    SearchResult { turn, report, proof: None }
}
