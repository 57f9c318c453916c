//! The engine that thinks: proof first, then deepening search, on as many threads as asked for.

mod level;
mod moves;
mod score;
mod settings;
mod table;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use collinear_play::{AgentError, Budget, Line, Meter, Report, Turn, Value};
use collinear_rules::{Cell, Position, Rules};
use collinear_shapes::{Windows, offsets};

use crate::proof::{Proof, ProofLimits, Solver, Verdict};
use crate::{State, Weights};
use score::{INFINITE, Score};
use table::Table;
use worker::{MOST_PLY, Shared, Worker};

pub use settings::{Feature, Features, Settings};

/// Sextant: keeps its table from turn to turn.
pub struct Engine {
    rules: Rules,
    settings: Settings,
    weights: Arc<Weights>,
    table: Table,
    solver: Solver,
    random: level::Dice,
}

/// What the engine thinks about a position.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The stones it would play.
    pub turn: Turn,
    /// The last report: depth, nodes, best lines.
    pub report: Report,
    /// The proof of a win, if one was found.
    pub proof: Option<Arc<Proof>>,
}

/// The part of a turn's time or nodes that may go into the proof search at the root.
const ROOT_PROOF_SHARE: f64 = 0.25;
/// No new iteration after this part of the time.
const LAST_ITERATION: f64 = 0.8;
/// Half the first aspiration window, in score units.
const ASPIRATION: Score = 60;

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
            weights,
            table: Table::new(settings.memory),
            solver: Solver::new(rules),
            random: level::Dice::new(seed),
        }
    }

    /// The game.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Forgets what it knows about positions.
    pub fn clear(&mut self) {
        self.table.clear();
        self.solver.clear();
    }

    /// Thinks about a position of its game until the budget is spent; `on` hears progress.
    pub fn think(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Thought, AgentError> {
        if position.is_over() {
            return Err(AgentError::GameOver);
        }
        let budget = level::limited(self.settings.level, budget);
        let meter = budget.start(turns_to_go(position));
        self.table.grow_older();
        if let Some(thought) = self.obvious(position, &meter) {
            on(&thought.report);
            return Ok(thought);
        }
        if let Some(turn) = self.random.slip(self.settings.level, position, &self.weights) {
            return Ok(plain(turn, Value::Chance(0.5), &meter));
        }
        let mut nodes = 0;
        if self.settings.features.has(Feature::RootProof) && self.settings.level >= 5 {
            let before = self.solver.nodes();
            if let Some(proof) = self.prove_root(position, &budget, &meter) {
                let turn = proof.turn.clone();
                let line = Line { value: Value::WinsIn(proof.turns()), stones: proof.line() };
                let report = Report {
                    depth: u32::from(proof.turns()),
                    nodes: self.solver.nodes() - before,
                    elapsed: meter.elapsed(),
                    lines: vec![line],
                    note: Some("proved by continuous threats".to_owned()),
                };
                on(&report);
                return Ok(Thought { turn, report, proof: Some(proof) });
            }
            nodes = self.solver.nodes() - before;
        }
        Ok(self.search(position, &budget, &meter, nodes, on))
    }

    /// Proves a win of the player to move by continuous threats, within the budget.
    pub fn prove(&mut self, position: &Position, budget: &Budget) -> Verdict {
        let meter = budget.start(1);
        let limits = ProofLimits {
            nodes: budget.nodes.unwrap_or(u64::MAX),
            meter: Some(&meter),
            ..ProofLimits::default()
        };
        self.solver.prove(
            &mut Windows::of(position),
            position.to_move(),
            position.stones_left(),
            limits,
        )
    }

    fn prove_root(
        &mut self,
        position: &Position,
        budget: &Budget,
        meter: &Meter,
    ) -> Option<Arc<Proof>> {
        let mut share = budget.clone();
        share.clock = None;
        share.time = meter.deadline().map(|deadline| {
            deadline.saturating_duration_since(std::time::Instant::now()).mul_f64(ROOT_PROOF_SHARE)
        });
        share.nodes = Some(match (budget.nodes, share.time, budget.depth) {
            (Some(nodes), ..) => (nodes as f64 * ROOT_PROOF_SHARE) as u64,
            (None, Some(_), _) => u64::MAX,
            (None, None, _) => UNTIMED_ROOT_PROOF,
        });
        self.prove(position, &share).proof()
    }

    /// A row within the turn, and the first stone of the game.
    fn obvious(&self, position: &Position, meter: &Meter) -> Option<Thought> {
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

    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        meter: &Meter,
        nodes: u64,
        on: &mut dyn FnMut(&Report),
    ) -> Thought {
        let stop = AtomicBool::new(false);
        let counter = AtomicU64::new(nodes);
        let state = State::new(position, self.weights.clone());
        let worker = || {
            let shared = Shared { table: &self.table, meter, stop: &stop, nodes: &counter };
            Worker::new(state.clone(), self.settings, shared)
        };
        let depth = budget.depth.map_or(MOST_PLY as i32, |depth| depth.min(MOST_PLY as u32) as i32);
        std::thread::scope(|scope| {
            for number in 1..self.settings.threads {
                let mut helper = worker();
                scope.spawn(move || help(&mut helper, number as i32, depth));
            }
            let mut main = worker();
            main.solver = self.solver.clone();
            let thought = lead(&mut main, position, depth, budget.lines.max(1), meter, on);
            stop.store(true, Ordering::Relaxed);
            thought
        })
    }
}

/// Proof search at the root where nothing but depth limits the turn.
const UNTIMED_ROOT_PROOF: u64 = 20_000;

/// Own turns a clock must still serve: fewer as the board fills, never few.
fn turns_to_go(position: &Position) -> u32 {
    let played = position.stone_count() / (2 * position.rules().p());
    (30_usize.saturating_sub(played / 2)).max(12) as u32
}

/// Deepens until the budget is spent and reports each finished depth.
fn lead(
    worker: &mut Worker<'_>,
    position: &Position,
    most_depth: i32,
    lines: u16,
    meter: &Meter,
    on: &mut dyn FnMut(&Report),
) -> Thought {
    let left = position.stones_left();
    let mut report = Report::default();
    let mut turn = fallback(worker, position);
    let first = (left as i32).min(most_depth).max(1);
    for depth in first..=most_depth {
        worker.excluded.clear();
        let mut found: Vec<Line> = Vec::new();
        for number in 0..lines {
            let guess = report.lines.get(usize::from(number)).map(|line| line.value);
            let mut score = aspire(worker, guess, depth);
            if worker.is_stopped() {
                // What was found before the stop is at least as good as the last depth's choice,
                // which was tried first.
                match worker.root_score {
                    Some(best) if lines == 1 && worker.line().len() >= left => score = best,
                    _ => break,
                }
            }
            let mut stones = worker.line().to_vec();
            if stones.len() < left {
                complete(position, &mut stones, &turn);
            }
            if stones.len() < left || score <= -INFINITE {
                break;
            }
            let mut set = stones[..left].to_vec();
            set.sort_unstable();
            worker.excluded.push(set);
            found.push(Line { value: score::value(score), stones });
        }
        if found.is_empty() || worker.is_stopped() && found.len() < report.lines.len() {
            break;
        }
        let stopped = worker.is_stopped();
        turn = found[0].stones[..left].to_vec();
        let decided = matches!(found[0].value, Value::WinsIn(_) | Value::LosesIn(_));
        report = Report {
            depth: depth as u32,
            nodes: worker.total_nodes(),
            elapsed: meter.elapsed(),
            lines: found,
            note: None,
        };
        on(&report);
        if stopped
            || decided && lines == 1
            || meter.is_past(LAST_ITERATION)
            || meter.is_spent(report.nodes)
        {
            break;
        }
        // Every cell is filled: deeper is the same.
        if depth as usize >= position.empty_count() {
            break;
        }
    }
    report.nodes = worker.total_nodes();
    report.elapsed = meter.elapsed();
    if report.lines.is_empty() {
        report.lines = vec![Line { value: Value::Chance(0.5), stones: turn.clone() }];
    }
    Thought { turn, report, proof: None }
}

/// One depth, with a window around the score of the last one.
fn aspire(worker: &mut Worker<'_>, guess: Option<Value>, depth: i32) -> Score {
    let centre = match guess {
        Some(Value::Chance(chance)) if worker.settings.features.has(Feature::Aspiration) => {
            let logit = f64::from(chance / (1.0 - chance).max(1e-6)).max(1e-6).ln();
            (logit * Weights::LOGIT) as Score
        }
        _ => return worker.search_root(-INFINITE, INFINITE, depth),
    };
    let (mut below, mut above) = (ASPIRATION, ASPIRATION);
    loop {
        let (alpha, beta) = ((centre - below).max(-INFINITE), (centre + above).min(INFINITE));
        let score = worker.search_root(alpha, beta, depth);
        if worker.is_stopped() || score > alpha && score < beta {
            return score;
        }
        if score <= alpha {
            if alpha == -INFINITE {
                return score;
            }
            below = widen(below);
        } else {
            if beta == INFINITE {
                return score;
            }
            above = widen(above);
        }
    }
}

const fn widen(half: Score) -> Score {
    if half > 500 { 2 * INFINITE } else { half * 4 }
}

/// A helping thread: fills the table, half of them a stone deeper than the leader.
fn help(worker: &mut Worker<'_>, number: i32, most_depth: i32) {
    for depth in 1..=most_depth {
        worker.search_root(-INFINITE, INFINITE, depth + number % 2);
        if worker.is_stopped() {
            break;
        }
    }
}

/// A turn to fall back on before any search is finished: the best by policy, threats answered.
fn fallback(worker: &mut Worker<'_>, position: &Position) -> Turn {
    level::by_policy(&worker.state, position)
}

/// Fills a line that ended early (a row in sight) up to a whole turn.
fn complete(position: &Position, stones: &mut Vec<Cell>, spare: &[Cell]) {
    let left = position.stones_left();
    let others = spare.iter().copied().chain(position.legal_cells());
    for cell in others {
        if stones.len() >= left {
            break;
        }
        if !stones.contains(&cell) && (!position.rules().gravity() || left == 1) {
            stones.push(cell);
        }
    }
}

/// The stones that complete a row within this turn.
fn row(position: &Position) -> Option<Turn> {
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

fn plain(turn: Turn, value: Value, meter: &Meter) -> Thought {
    let report = Report {
        depth: turn.len() as u32,
        elapsed: meter.elapsed(),
        lines: vec![Line { value, stones: turn.clone() }],
        ..Report::default()
    };
    Thought { turn, report, proof: None }
}
