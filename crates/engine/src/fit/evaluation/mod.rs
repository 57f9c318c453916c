//! Learning the evaluation of line patterns from labelled positions.
//!
//! Cross-entropy of the chance against the network's, Adam (Kingma & Ba 2015) with a step that falls like a cosine
//! to a hundredth, positions in batches in an order drawn anew each time round. A batch is split into `LANES`
//! shares whose slopes are added up in their order, so the number of threads changes nothing; only rows that a batch
//! has take a step. All that a run needs to go on is a [`Fit`]'s bytes.

// Inlining is what makes one source serve every path: see [`Work`](crate::net::Work).
#![allow(clippy::inline_always, clippy::needless_range_loop)]

mod adam;
mod bytes;
mod examples;
mod model;
mod rounding;

use collinear_play::StopFlag;
use collinear_rules::Rules;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::labels::LabelFile;
use crate::linenet::CHANNELS;
use crate::linenet::patterns::{Patterns, REACH, power};
use crate::net::{Path, Work};
use adam::Step;
use examples::{Example, Examples};
use model::{Dense, Parts, Slopes, Trace, Vector};

pub use bytes::FitError;

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Positions looked at in all, again and again where there are fewer.
    pub positions: u64,
    /// Positions in a batch.
    pub batch: usize,
    /// Step size of Adam at its height.
    pub rate: f64,
    /// Of the numbers at the start and the order of positions.
    pub seed: u64,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { positions: 40_000_000, batch: 1024, rate: 2e-3, seed: 1 }
    }
}

/// How good the evaluation is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Steps done.
    pub step: u64,
    /// Kullback–Leibler distance to the network on positions learned from since the last time.
    pub learned: f64,
    /// The same on positions held back: wandering ones and those of games.
    pub held: [f64; 2],
    /// Cross-entropy of the results of games held back.
    pub results: f64,
    /// The same by the network itself.
    pub network: f64,
}

/// Shares of a batch, whatever the number of threads.
const LANES: usize = 16;
/// Steps in which the step size rises.
const RISE: f64 = 300.0;
/// The last step's size, in parts of the height.
const LAST: f64 = 0.01;
/// Positions held back that are looked at each time.
const MOST_HELD: usize = 40_000;

/// A fit under way.
pub struct Fit {
    rules: Rules,
    schedule: Schedule,
    patterns: Patterns,
    parts: Parts,
    numbers: Numbers,
    step: u64,
    lanes: Vec<Lane>,
    path: Path,
}

/// What is learned, and what Adam keeps of each number.
struct Numbers {
    /// Own vectors, then those of parts.
    vectors: Vec<Vector>,
    moments: Vec<[Vector; 2]>,
    dense: Dense,
    dense_first: Dense,
    dense_second: Dense,
    /// The rows, parts added up.
    rows: Vec<Vector>,
}

/// A share of a batch and what it needs.
struct Lane {
    slopes: Slopes,
    /// The step at which a row was last seen.
    seen: Vec<u64>,
    trace: Trace,
    board: Vec<u8>,
    loss: f64,
}

impl Lane {
    fn new(rules: &Rules, rows: usize) -> Self {
        Self {
            slopes: Slopes { rows: vec![[0.0; CHANNELS]; rows], dense: Dense::ZERO },
            seen: vec![0; rows],
            trace: Trace::new(rules.cells()),
            board: Vec::new(),
            loss: 0.0,
        }
    }
}

impl Fit {
    /// Begins with small random numbers.
    pub fn new(rules: &Rules, schedule: Schedule) -> Self {
        const START: f32 = 0.05;
        let patterns = Patterns::new();
        let parts = Parts::new(&patterns);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(schedule.seed);
        let mut vectors = vec![[0.0; CHANNELS]; parts.vectors];
        let numbers = vectors[parts.rows..].as_flattened_mut();
        numbers.fill_with(|| rand::Rng::random_range(&mut random, -START..START));
        let numbers = Numbers {
            moments: vec![[[0.0; CHANNELS]; 2]; parts.vectors],
            vectors,
            dense: Dense::new(&mut random),
            dense_first: Dense::ZERO,
            dense_second: Dense::ZERO,
            rows: vec![[0.0; CHANNELS]; parts.rows],
        };
        let lanes = (0..LANES).map(|_| Lane::new(rules, parts.rows)).collect();
        let path = Path::fastest();
        let mut fit =
            Self { rules: *rules, schedule, patterns, parts, numbers, step: 0, lanes, path };
        fit.add_up();
        fit
    }

    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.schedule.positions.div_ceil(self.schedule.batch.max(1) as u64)
    }

    /// Steps done.
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Learns on until all steps are done or a stop. Every `every` steps, and at the end, `on` hears how good it is.
    pub fn learn(
        &mut self,
        labels: &[LabelFile],
        every: u64,
        stop: &StopFlag,
        on: &mut dyn FnMut(Losses),
    ) {
        let examples = Examples::new(&self.rules, labels);
        let layout = Layout::new(&self.rules, &self.patterns);
        let batch = self.schedule.batch.max(1) as u64;
        let count = examples.train.len() as u64;
        if count == 0 {
            return;
        }
        let mut order = Order::default();
        let (mut sum, mut seen) = (0.0, 0_u64);
        while self.step < self.steps() && !stop.is_stopped() {
            let first = self.step * batch;
            let chosen: Vec<Example> = (first..first + batch)
                .map(|at| examples.train[order.place(at, count, self.schedule.seed)])
                .collect();
            sum += self.batch(&examples, &layout, &chosen);
            seen += batch;
            if self.step.is_multiple_of(every) || self.step == self.steps() {
                let losses = self.losses(&examples, &layout);
                on(Losses { learned: sum / seen as f64, ..losses });
                (sum, seen) = (0.0, 0);
            }
        }
    }

    /// One step; the sum of the distances.
    fn batch(&mut self, examples: &Examples, layout: &Layout, chosen: &[Example]) -> f64 {
        self.step += 1;
        let step = self.step;
        let share = chosen.len().div_ceil(LANES);
        let (numbers, patterns, path) = (&self.numbers, &self.patterns, self.path);
        let scale = 1.0 / chosen.len() as f32;
        self.lanes.par_iter_mut().zip(chosen.par_chunks(share)).for_each(|(lane, share)| {
            path.run(Share {
                lane,
                of_batch: share,
                examples,
                layout,
                patterns,
                numbers,
                scale,
                step,
            });
        });
        let lanes = &self.lanes[..chosen.len().div_ceil(share)];
        let rate = self.schedule.rate * self.height();
        let adam = Step::new(rate, step);
        // Slopes of rows, in the order of the lanes.
        let mut rows: Vec<Option<Vector>> = Vec::new();
        (0..self.parts.rows)
            .into_par_iter()
            .map(|row| {
                let mut sum = None;
                for lane in lanes.iter().filter(|lane| lane.seen[row] == step) {
                    let sum = sum.get_or_insert([0.0; CHANNELS]);
                    for (sum, slope) in sum.iter_mut().zip(&lane.slopes.rows[row]) {
                        *sum += slope;
                    }
                }
                sum
            })
            .collect_into_vec(&mut rows);
        let parts = &self.parts;
        let Numbers { vectors, moments, .. } = &mut self.numbers;
        vectors.par_iter_mut().zip(moments).enumerate().with_min_len(256).for_each(
            |(at, (vector, moments))| {
                let slope = if at < parts.rows {
                    rows[at]
                } else {
                    let mut sum = None;
                    for row in
                        parts.members(at).iter().filter_map(|&row| rows[row as usize].as_ref())
                    {
                        let sum = sum.get_or_insert([0.0; CHANNELS]);
                        for (sum, slope) in sum.iter_mut().zip(row) {
                            *sum += slope;
                        }
                    }
                    sum
                };
                if let Some(slope) = slope {
                    adam.step(vector, moments, &slope);
                }
            },
        );
        let mut slopes = Dense::ZERO;
        for lane in lanes {
            for (sum, part) in slopes.parts_mut().into_iter().zip(lane.slopes.dense.parts()) {
                sum.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
            }
        }
        let Numbers { dense, dense_first, dense_second, .. } = &mut self.numbers;
        adam.step_dense(dense, dense_first, dense_second, &slopes);
        let loss = lanes.iter().map(|lane| lane.loss).sum();
        self.add_up();
        loss
    }

    /// The step size, in parts of its height.
    fn height(&self) -> f64 {
        let done = self.step as f64 / self.steps() as f64;
        let falls = 0.5 + 0.5 * (done * std::f64::consts::PI).cos();
        (self.step as f64 / RISE).min(1.0) * falls.max(LAST)
    }

    /// Makes the rows of their parts again.
    fn add_up(&mut self) {
        let Numbers { vectors, rows, .. } = &mut self.numbers;
        let parts = &self.parts;
        rows.par_iter_mut().enumerate().with_min_len(256).for_each(|(row, sum)| {
            *sum = vectors[row];
            for &part in parts.of_row(row) {
                for (sum, number) in sum.iter_mut().zip(&vectors[part as usize]) {
                    *sum += number;
                }
            }
        });
    }

    /// How good it is on positions held back.
    fn losses(&self, examples: &Examples, layout: &Layout) -> Losses {
        let of_kind =
            |is_game: bool| examples.held.iter().filter(move |one| one.is_game == is_game);
        let mut held: Vec<&Example> = Vec::new();
        for is_game in [false, true] {
            let every = of_kind(is_game).count().div_ceil(MOST_HELD / 2).max(1);
            held.extend(of_kind(is_game).step_by(every));
        }
        let shares: Vec<Sums> = held
            .par_chunks(256)
            .map(|share| {
                let mut sums = Sums::default();
                let mut trace = Trace::new(self.rules.cells());
                let mut board = Vec::new();
                for example in share {
                    examples.board(example, &mut board);
                    layout.rows(&self.patterns, &board, &mut trace.rows);
                    let logit = trace.forward(&self.numbers.rows, &self.numbers.dense);
                    sums.add(example, logit);
                }
                sums
            })
            .collect();
        let sums = shares.iter().fold(Sums::default(), Sums::and);
        let mean = |(sum, count): (f64, u64)| sum / count.max(1) as f64;
        Losses {
            step: self.step,
            learned: 0.0,
            held: sums.held.map(mean),
            results: mean(sums.results),
            network: mean(sums.network),
        }
    }
}

/// Sums of losses and how many they are of.
#[derive(Clone, Copy, Default)]
struct Sums {
    held: [(f64, u64); 2],
    results: (f64, u64),
    network: (f64, u64),
}

impl Sums {
    fn add(&mut self, example: &Example, logit: f32) {
        let chance = 1.0 / (1.0 + (-logit).exp());
        let held = &mut self.held[usize::from(example.is_game)];
        held.0 += distance(example.chance(), chance);
        held.1 += 1;
        if let Some(result) = example.result() {
            let network = cross_entropy(result, example.chance());
            for (sum, loss) in
                [(&mut self.results, cross_entropy(result, chance)), (&mut self.network, network)]
            {
                sum.0 += loss;
                sum.1 += 1;
            }
        }
    }

    fn and(self, other: &Self) -> Self {
        let add = |a: (f64, u64), b: (f64, u64)| (a.0 + b.0, a.1 + b.1);
        Self {
            held: [add(self.held[0], other.held[0]), add(self.held[1], other.held[1])],
            results: add(self.results, other.results),
            network: add(self.network, other.network),
        }
    }
}

fn cross_entropy(target: f32, chance: f32) -> f64 {
    let (p, q) = (f64::from(target), f64::from(chance).clamp(1e-6, 1.0 - 1e-6));
    -(p * q.ln() + (1.0 - p) * (1.0 - q).ln())
}

/// Kullback–Leibler.
fn distance(target: f32, chance: f32) -> f64 {
    let target = target.clamp(1e-6, 1.0 - 1e-6);
    cross_entropy(target, chance) - cross_entropy(target, target)
}

/// The order of positions: all of them once, shuffled, then again.
#[derive(Default)]
struct Order {
    places: Vec<u32>,
    /// Which time round, from 1.
    round: u64,
}

impl Order {
    fn place(&mut self, at: u64, count: u64, seed: u64) -> usize {
        let round = at / count + 1;
        if round != self.round {
            self.places = (0..count as u32).collect();
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(round << 32));
            self.places.shuffle(&mut random);
            self.round = round;
        }
        self.places[(at % count) as usize] as usize
    }
}

/// The lines of a board, to find the patterns of all cells.
struct Layout {
    /// For each pattern of each cell, the number without stones and the cells it sees with their powers.
    patterns: Vec<(u16, Vec<(u16, u16)>)>,
}

impl Layout {
    fn new(rules: &Rules, patterns: &Patterns) -> Self {
        let position = collinear_rules::Position::new(*rules);
        let geometry = position.geometry();
        let mut list = Vec::with_capacity(4 * rules.cells());
        for cell in rules.all_cells() {
            for at in geometry.lines_through(cell) {
                let cells = geometry.line_cells(at.line);
                let index = usize::from(at.index);
                let last = (index + REACH).min(cells.len() - 1);
                let seen = (index.saturating_sub(REACH)..=last)
                    .map(|place| (cells[place].index() as u16, power(index, place) as u16));
                list.push((patterns.empty(index, cells.len()) as u16, seen.collect()));
            }
        }
        Self { patterns: list }
    }

    /// The rows of all patterns of a board.
    fn rows(&self, patterns: &Patterns, board: &[u8], rows: &mut [[u16; 4]]) {
        for (row, (empty, seen)) in rows.as_flattened_mut().iter_mut().zip(&self.patterns) {
            let digits =
                seen.iter().map(|&(cell, power)| u16::from(board[usize::from(cell)]) * power);
            *row = patterns.row(usize::from(empty + digits.sum::<u16>())) as u16;
        }
    }
}

/// The work of a lane for a batch.
struct Share<'a> {
    lane: &'a mut Lane,
    of_batch: &'a [Example],
    examples: &'a Examples,
    layout: &'a Layout,
    patterns: &'a Patterns,
    numbers: &'a Numbers,
    scale: f32,
    step: u64,
}

impl Work for Share<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lane, of_batch, examples, layout, patterns, numbers, scale, step } = self;
        let Lane { slopes, seen, trace, board, loss } = lane;
        *loss = 0.0;
        slopes.dense = Dense::ZERO;
        for example in of_batch {
            examples.board(example, board);
            layout.rows(patterns, board, &mut trace.rows);
            for &row in trace.rows.as_flattened() {
                let row = usize::from(row);
                if seen[row] != step {
                    seen[row] = step;
                    slopes.rows[row] = [0.0; CHANNELS];
                }
            }
            let logit = trace.forward(&numbers.rows, &numbers.dense);
            let chance = 1.0 / (1.0 + (-logit).exp());
            *loss += distance(example.chance(), chance);
            trace.backward((chance - example.chance()) * scale, &numbers.dense, slopes);
        }
    }
}

#[cfg(test)]
mod tests;
