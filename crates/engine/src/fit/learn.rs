//! Regression: games in, numbers out.
//!
//! Value: cross-entropy of σ(evaluation) against a mixture of the game's result and the chance the
//! search gave at the time. Policy: cross-entropy of the softmax over all empty cells against the
//! stones the search chose. Both are held to where they started where data is thin.
//! With a network as a teacher the policy learns all that the network would play, and every position is
//! left by a few stones as a search leaves it: there the value learns the network's, too. A static
//! evaluation is asked for positions that no game has.
//! Adam (Kingma & Ba 2015), whole games in batches; gradients of a batch are summed in the order of
//! games, so threads change nothing. What the numbers stand for is a [`Model`]'s business.

use std::sync::Arc;

use collinear_rules::hash::fnv1a_from;
use collinear_rules::{Cell, Player, Position, Rules};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::turns::{FittedGame, FittedGames};
use crate::net::{BoardNet, Net};
use crate::search::{Candidate, by_policy};
use crate::{State, Weights};

/// How to learn.
#[derive(Clone, Debug)]
pub struct Learning {
    /// Times each game is looked at.
    pub epochs: usize,
    /// Part of the value's target that is the search's score; the rest is the result.
    pub trust: f64,
    /// Step size of Adam at the start; it falls to a tenth.
    pub rate: f64,
    /// Pull towards the start.
    pub decay: f64,
    /// Games in a batch.
    pub batch: usize,
    /// Of the order of games and of the stones that leave them.
    pub seed: u64,
    /// A network that suits the game and says what it thinks of every position.
    pub teacher: Option<Arc<Net>>,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            epochs: 12,
            trust: 0.3,
            rate: 0.0015,
            decay: 2e-4,
            batch: 64,
            seed: 1,
            teacher: None,
        }
    }
}

/// Losses after an epoch, on games that were not learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Epochs done.
    pub epoch: usize,
    /// Cross-entropy of the value.
    pub value: f64,
    /// Cross-entropy of the policy.
    pub policy: f64,
    /// How often the policy's first choice is among the search's stones, or the teacher's first choice.
    pub first_choice: f64,
    /// Positions the losses are taken over.
    pub positions: u64,
}

/// One game in this many is kept to measure the loss.
const HELD_BACK: usize = 16;
/// Stones that leave a game at most, each drawn from this many likely ones.
const MAX_STRAY: usize = 4;
const STRAY_WIDTH: usize = 8;
/// Games whose gradients one task sums up.
const CHUNK: usize = 4;
/// Steps of the policy's numbers, in steps of the value's.
pub(super) const POLICY_STEP: f32 = 6.0;
/// What a number one stands for in the weights of the value and of the policy.
pub(super) const VALUE_UNIT: f32 = 4096.0;
pub(super) const POLICY_UNIT: f32 = 256.0;

/// A number as the weights hold it.
pub(super) fn fixed(number: f32, unit: f32) -> i16 {
    (number * unit).round().clamp(-32e3, 32e3) as i16
}

/// Numbers that judge boards.
///
/// A board is read through four tables of the same length, one after the other (mover, waiter,
/// attack, defend), with some numbers of the value behind them. Games change the numbers behind these:
/// the same, or parts that add up to them.
pub(super) trait Model: Sync {
    /// Where in a table the numbers of an empty cell are, for one side.
    type Places: AsRef<[usize]>;

    /// Weights under which a state keeps what [`Self::places`] reads.
    fn weights(&self) -> &Arc<Weights>;

    /// The length of a table.
    fn table(&self) -> usize;

    /// The tables and what is behind them.
    fn tables(&self) -> &[f32];

    /// The places of an empty cell.
    fn places(&self, state: &State, cell: Cell, side: Player) -> Self::Places;

    /// The number behind the tables that counts for this position, and how often.
    fn bias(&self, state: &State) -> (usize, f32);

    /// Whether a search decides on the next stones without any evaluation.
    fn is_forced(&self, state: &mut State) -> bool;

    /// The stones of a game that lead to a typical position.
    fn sample(stones: &[Cell]) -> &[Cell] {
        stones
    }

    /// The step of each number, so that a step changes evaluations by about the same amount, from
    /// how often a side sees each place of a table on a board.
    fn step_sizes(&self, frequencies: &[f32]) -> Vec<f32>;

    /// The numbers that games change.
    fn numbers(&mut self) -> &mut [f32];

    /// Their slopes, from those of the tables.
    fn slopes(&self, tables: Vec<f32>) -> Vec<f32>;

    /// Makes the tables from the numbers again.
    fn compose(&mut self);
}

/// The step of a number that a side sees so often on a board: what occurs hundreds of times on every board
/// moves in proportionally smaller steps.
pub(super) fn step_size(frequency: f32) -> f32 {
    const RAREST: f32 = 0.3;
    1.0 / frequency.max(RAREST)
}

/// Fits a model to games of one game.
pub(super) fn fit<M: Model>(
    model: &mut M,
    file: &FittedGames,
    how: &Learning,
    on: &mut dyn FnMut(Progress),
) {
    let (test, train): (Vec<_>, Vec<_>) =
        file.games.iter().enumerate().partition(|(number, _)| number % HELD_BACK == 0);
    let [test, mut train] =
        [test, train].map(|games| games.into_iter().map(|(_, game)| game).collect::<Vec<_>>());
    let origin = model.numbers().to_vec();
    let sizes = model.step_sizes(&frequencies(model, &file.rules, &train));
    let mut adam = Adam::new(sizes);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(how.seed);
    let steps = how.epochs * train.len().div_ceil(how.batch.max(1)).max(1);
    let mut step: usize = 0;
    on(gradient(model, &file.rules, &test, how, 0).progress(0));
    for epoch in 1..=how.epochs {
        train.shuffle(&mut random);
        for batch in train.chunks(how.batch.max(1)) {
            let sum = gradient(model, &file.rules, batch, how, epoch as u64);
            let mut slopes = model.slopes(sum.mean_slopes(model.table()));
            let numbers = model.numbers();
            for ((slope, number), origin) in slopes.iter_mut().zip(&*numbers).zip(&origin) {
                *slope += how.decay as f32 * (number - origin);
            }
            let left = 1.0 - step as f64 / steps as f64;
            adam.step(numbers, &slopes, how.rate * (0.1 + 0.9 * left));
            model.compose();
            step += 1;
        }
        on(gradient(model, &file.rules, &test, how, 0).progress(epoch));
    }
}

/// How often a side sees each place of a table on a board.
fn frequencies<M: Model>(model: &M, rules: &Rules, games: &[&FittedGame]) -> Vec<f32> {
    const SAMPLE: usize = 256;
    let mut counts = vec![0.0_f32; model.table()];
    let mut boards = 0.0_f32;
    let how = Learning::default();
    let mut pass = Pass::new(model, rules, &how);
    for game in games.iter().take(SAMPLE) {
        for &cell in M::sample(&game.stones) {
            pass.state.play(cell);
        }
        pass.see();
        boards += 2.0;
        for &place in pass.cells.iter().flat_map(|(_, sides)| sides).flat_map(M::Places::as_ref) {
            counts[place] += 1.0;
        }
        while pass.state.undo().is_some() {}
    }
    counts.iter().map(|count| count / boards.max(1.0)).collect()
}

impl Learning {
    /// The chance that a position's value learns: part result, part the search's score.
    fn target(&self, game: &FittedGame, score: i16, player: Player) -> f64 {
        let result = match game.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == player)),
        };
        let chance = sigmoid(f64::from(score) / Weights::LOGIT);
        self.trust * chance + (1.0 - self.trust) * result
    }
}

/// Losses and their slopes, summed over positions.
#[derive(Clone)]
pub(super) struct Sum {
    slopes: Vec<f32>,
    value_loss: f64,
    value_count: u64,
    policy_loss: f64,
    policy_count: u64,
    first_choices: u64,
}

impl Sum {
    fn new(numbers: usize) -> Self {
        Self {
            slopes: vec![0.0; numbers],
            value_loss: 0.0,
            value_count: 0,
            policy_loss: 0.0,
            policy_count: 0,
            first_choices: 0,
        }
    }

    fn add(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.slopes.iter_mut().zip(&other.slopes) {
            *mine += theirs;
        }
        self.value_loss += other.value_loss;
        self.value_count += other.value_count;
        self.policy_loss += other.policy_loss;
        self.policy_count += other.policy_count;
        self.first_choices += other.first_choices;
        self
    }

    /// Counts one value, a logit that should have been the chance `target`; the slope of its loss.
    fn add_value(&mut self, target: f64, logit: f32) -> f32 {
        let predicted = sigmoid(f64::from(logit));
        self.value_loss -=
            target * predicted.max(1e-9).ln() + (1.0 - target) * (1.0 - predicted).max(1e-9).ln();
        self.value_count += 1;
        (predicted - target) as f32
    }

    /// The slopes of the mean losses, from tables of this length.
    pub(super) fn mean_slopes(&self, table: usize) -> Vec<f32> {
        let value = 1.0 / self.value_count.max(1) as f32;
        let policy = 1.0 / self.policy_count.max(1) as f32;
        let slopes = self.slopes.iter().enumerate();
        let is_policy = |at: usize| (2 * table..4 * table).contains(&at);
        slopes.map(|(at, slope)| slope * if is_policy(at) { policy } else { value }).collect()
    }

    /// The mean losses.
    pub(super) fn progress(&self, epoch: usize) -> Progress {
        Progress {
            epoch,
            value: self.value_loss / self.value_count.max(1) as f64,
            policy: self.policy_loss / self.policy_count.max(1) as f64,
            first_choice: self.first_choices as f64 / self.policy_count.max(1) as f64,
            positions: self.value_count,
        }
    }
}

/// The losses over these games and their slopes. With another number of the pass other stones leave the games.
pub(super) fn gradient<M: Model>(
    model: &M,
    rules: &Rules,
    games: &[&FittedGame],
    how: &Learning,
    number: u64,
) -> Sum {
    let parts: Vec<Sum> = games
        .par_chunks(CHUNK)
        .map(|games| {
            let mut pass = Pass::new(model, rules, how);
            for game in games {
                pass.game(game, number);
            }
            pass.sum
        })
        .collect();
    parts.iter().fold(Sum::new(model.tables().len()), Sum::add)
}

/// One task's walk over some games.
struct Pass<'a, M: Model> {
    model: &'a M,
    rules: Rules,
    how: &'a Learning,
    state: State,
    sum: Sum,
    /// Empty cells with the places of the mover, then of the opponent.
    cells: Vec<(Cell, [M::Places; 2])>,
    logits: Vec<f32>,
    /// How likely each of these cells should be.
    wanted: Vec<f32>,
    teacher: Option<BoardNet>,
    random: Xoshiro256PlusPlus,
    likely: Vec<Candidate>,
}

impl<'a, M: Model> Pass<'a, M> {
    fn new(model: &'a M, rules: &Rules, how: &'a Learning) -> Self {
        Self {
            model,
            rules: *rules,
            how,
            state: State::new(&Position::new(*rules), model.weights().clone()),
            sum: Sum::new(model.tables().len()),
            cells: Vec::new(),
            logits: Vec::new(),
            wanted: Vec::new(),
            teacher: how.teacher.as_ref().map(|net| BoardNet::new(rules, net)),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            likely: Vec::new(),
        }
    }

    fn game(&mut self, game: &FittedGame, number: u64) {
        let mut played = 0;
        let seed = game.stones.iter().fold(self.how.seed ^ number << 32, |hash, cell| {
            fnv1a_from(hash, &(cell.index() as u16).to_le_bytes())
        });
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rules = self.rules;
        for turn in game.turns(&rules) {
            let start = turn.start.min(game.stones.len());
            for &cell in &game.stones[played..start] {
                self.state.play(cell);
            }
            played = start;
            if turn.score.abs() == FittedGame::PROVED || self.model.is_forced(&mut self.state) {
                continue;
            }
            self.see();
            self.value(self.how.target(game, turn.score, self.state.turn().player));
            let end = (start + rules.p()).min(game.stones.len());
            self.policy(&game.stones[start..end]);
            self.stray();
        }
        while self.state.undo().is_some() {}
    }

    /// Leaves the game by a few stones, as a search does, learns from the teacher there, and comes back.
    fn stray(&mut self) {
        if self.teacher.is_none() {
            return;
        }
        let mut played = 0;
        let stones = self.random.random_range(1..=MAX_STRAY);
        while played < stones && !self.model.is_forced(&mut self.state) {
            by_policy(&mut self.state, STRAY_WIDTH, &mut self.likely);
            let Some(stone) = self.likely.choose(&mut self.random) else { break };
            self.state.play(stone.cell);
            played += 1;
        }
        if !self.model.is_forced(&mut self.state) {
            self.see();
            if let Some(value) = self.want(&[]) {
                self.value(sigmoid(f64::from(value)));
                self.choice();
            }
        }
        for _ in 0..played {
            self.state.undo();
        }
    }

    /// Reads the places of all empty cells.
    fn see(&mut self) {
        self.cells.clear();
        let player = self.state.turn().player;
        for cell in self.rules.all_cells() {
            if self.state.board().is_empty(cell) {
                let places =
                    [player, !player].map(|side| self.model.places(&self.state, cell, side));
                self.cells.push((cell, places));
            }
        }
    }

    fn value(&mut self, target: f64) {
        let table = self.model.table();
        let tables = self.model.tables();
        let (bias, times) = self.model.bias(&self.state);
        let mut logit = tables[bias] * times;
        for (_, [own, enemy]) in &self.cells {
            for (own, enemy) in own.as_ref().iter().zip(enemy.as_ref()) {
                logit += tables[*own];
                logit -= tables[table + enemy];
            }
        }
        let slope = self.sum.add_value(target, logit);
        let slopes = &mut self.sum.slopes;
        slopes[bias] += slope * times;
        for (_, [own, enemy]) in &self.cells {
            for (own, enemy) in own.as_ref().iter().zip(enemy.as_ref()) {
                slopes[*own] += slope;
                slopes[table + enemy] -= slope;
            }
        }
    }

    /// The stones of a turn: first any of them, then any of the rest.
    fn policy(&mut self, stones: &[Cell]) {
        for played in 0..stones.len() {
            if played > 0 {
                self.state.play(stones[played - 1]);
                self.see();
            }
            self.want(&stones[played..]);
            self.choice();
        }
        for _ in 1..stones.len() {
            self.state.undo();
        }
    }

    /// Notes what the policy should be: the teacher's, whose value's logit it gives then, or any of these
    /// stones.
    fn want(&mut self, stones: &[Cell]) -> Option<f32> {
        self.wanted.clear();
        if let Some(teacher) = &mut self.teacher {
            let value = teacher.evaluate(&self.state);
            let logits = teacher.policy();
            self.wanted.extend(self.cells.iter().map(|(cell, _)| logits[cell.index()]));
            let most = self.wanted.iter().copied().fold(f32::MIN, f32::max);
            self.wanted.iter_mut().for_each(|logit| *logit = (*logit - most).exp());
            let total: f32 = self.wanted.iter().sum();
            self.wanted.iter_mut().for_each(|part| *part /= total);
            return Some(value);
        }
        let share = 1.0 / stones.len() as f32;
        let part = |cell: &Cell| if stones.contains(cell) { share } else { 0.0 };
        self.wanted.extend(self.cells.iter().map(|(cell, _)| part(cell)));
        None
    }

    /// Learns to play what is wanted.
    fn choice(&mut self) {
        let table = self.model.table();
        let tables = self.model.tables();
        self.logits.clear();
        for (_, [own, enemy]) in &self.cells {
            let mut logit = 0.0;
            for (own, enemy) in own.as_ref().iter().zip(enemy.as_ref()) {
                logit += tables[2 * table + own];
                logit += tables[3 * table + enemy];
            }
            self.logits.push(logit);
        }
        let most = self.logits.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = self.logits.iter().map(|logit| (logit - most).exp()).sum();
        let best = self.wanted.iter().copied().fold(0.0, f32::max);
        self.sum.policy_count += 1;
        let slopes = &mut self.sum.slopes;
        let cells = self.cells.iter().zip(&self.logits).zip(&self.wanted);
        for (((_, [own, enemy]), &logit), &wanted) in cells {
            let chance = (logit - most).exp() / total;
            if wanted > 0.0 {
                self.sum.policy_loss -= f64::from(wanted * chance.max(1e-9).ln());
                self.sum.first_choices += u64::from(logit >= most && wanted >= best);
            }
            let slope = chance - wanted;
            for (own, enemy) in own.as_ref().iter().zip(enemy.as_ref()) {
                slopes[2 * table + own] += slope;
                slopes[3 * table + enemy] += slope;
            }
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

struct Adam {
    sizes: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(sizes: Vec<f32>) -> Self {
        let numbers = sizes.len();
        Self { sizes, mean: vec![0.0; numbers], square: vec![0.0; numbers], steps: 0 }
    }

    fn step(&mut self, numbers: &mut [f32], slopes: &[f32], rate: f64) {
        const FIRST: f32 = 0.9;
        const SECOND: f32 = 0.999;
        self.steps += 1;
        let mean_scale = 1.0 / (1.0 - FIRST.powi(self.steps));
        let square_scale = 1.0 / (1.0 - SECOND.powi(self.steps));
        for (index, number) in numbers.iter_mut().enumerate() {
            let slope = slopes[index];
            let mean = &mut self.mean[index];
            let square = &mut self.square[index];
            *mean = FIRST * *mean + (1.0 - FIRST) * slope;
            *square = SECOND * *square + (1.0 - SECOND) * slope * slope;
            *number -= rate as f32 * self.sizes[index] * (*mean * mean_scale)
                / ((*square * square_scale).sqrt() + 1e-6);
        }
    }
}
