//! Regression: games in, weights out.
//!
//! Value: cross-entropy of σ(evaluation) against a mixture of the game's result and the chance the
//! search gave at the time. Policy: cross-entropy of the softmax over all empty cells against the
//! stones the search chose. Both start from the formula and are held to it where data is thin.
//! A pattern and its mirror image share their weights. Adam (Kingma & Ba 2015), whole games in
//! batches; gradients of a batch are summed in the order of games, so threads change nothing.

use std::sync::Arc;

use collinear_rules::{Cell, Player, Position, Rules};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::games::{FittedGame, GameFile};
use crate::patterns::{Code, PatternSpace};
use crate::{Entry, State, Weights};

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Learning {
    /// Times each game is looked at.
    pub epochs: usize,
    /// Part of the value's target that is the search's score; the rest is the result.
    pub trust: f64,
    /// Step size of Adam at the start; it falls to a tenth.
    pub rate: f64,
    /// Pull towards the formula.
    pub decay: f64,
    /// Games in a batch.
    pub batch: usize,
    /// Of the order of games.
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Self {
        Self { epochs: 12, trust: 0.3, rate: 0.0015, decay: 2e-4, batch: 64, seed: 1 }
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
    /// How often the policy's first choice is among the search's stones.
    pub first_choice: f64,
    /// Positions the losses are taken over.
    pub positions: u64,
}

/// One game in so many is kept to measure the loss.
pub(super) const HELD_BACK: usize = 16;
/// Steps of the policy's numbers, in steps of the value's.
pub(super) const POLICY_STEP: f32 = 6.0;
/// Games whose gradients one task sums up.
pub(super) const CHUNK: usize = 4;

/// Fits weights to games of one game, starting from `start`.
pub fn learn(
    file: &GameFile,
    start: &Weights,
    how: &Learning,
    on: &mut dyn FnMut(Progress),
) -> Weights {
    let (test, mut train): (Vec<_>, Vec<_>) =
        file.games.iter().enumerate().partition(|(number, _)| number % HELD_BACK == 0);
    let mut model = Model::new(start);
    let origin = model.numbers.clone();
    let mut adam = Adam::new(step_sizes(&model, file, &train));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(how.seed);
    let steps = how.epochs * train.len().div_ceil(how.batch.max(1)).max(1);
    let mut step: usize = 0;
    on(measure(&model, file, &test, how, 0));
    for epoch in 1..=how.epochs {
        train.shuffle(&mut random);
        for batch in train.chunks(how.batch.max(1)) {
            let mut sum = gradient(&model, file, batch, how);
            let weight = 1.0 / sum.value_count.max(1) as f32;
            let policy_weight = 1.0 / sum.policy_count.max(1) as f32;
            let codes = model.codes();
            for (index, slope) in sum.slopes.iter_mut().enumerate() {
                let is_value = index < 2 * codes || index == 4 * codes;
                *slope *= if is_value { weight } else { policy_weight };
                *slope += how.decay as f32 * (model.numbers[index] - origin[index]);
            }
            let left = 1.0 - step as f64 / steps as f64;
            adam.step(&mut model.numbers, &sum.slopes, how.rate * (0.1 + 0.9 * left));
            step += 1;
        }
        on(measure(&model, file, &test, how, epoch));
    }
    model.to_weights()
}

/// The step of each number, so that a step changes evaluations by about the same amount: a pattern
/// that occurs hundreds of times on every board moves in proportionally smaller steps.
fn step_sizes(model: &Model, file: &GameFile, games: &[(usize, &FittedGame)]) -> Vec<f32> {
    const SAMPLE: usize = 256;
    const RAREST: f32 = 0.3;
    let codes = model.codes();
    let mut counts = vec![0.0_f32; codes];
    let mut positions = 0.0_f32;
    let how = Learning::default();
    let mut pass = Pass::new(model, &file.rules, &how);
    for (_, game) in games.iter().take(SAMPLE) {
        for &cell in &game.stones {
            pass.state.play(cell);
        }
        pass.see();
        positions += 2.0;
        for code in pass.cells.iter().flat_map(|(_, codes)| codes.as_flattened()) {
            counts[usize::from(*code)] += 1.0;
        }
        while pass.state.undo().is_some() {}
    }
    (0..model.numbers.len())
        .map(|index| match index {
            _ if index < 2 * codes => {
                1.0 / (counts[index % codes] / positions.max(1.0)).max(RAREST)
            }
            // The tempo is a single number; policy entries are seen a few times a choice.
            _ if index == 4 * codes => 1.0,
            _ => POLICY_STEP,
        })
        .collect()
}

fn measure(
    model: &Model,
    file: &GameFile,
    test: &[(usize, &FittedGame)],
    how: &Learning,
    epoch: usize,
) -> Progress {
    gradient(model, file, test, how).progress(epoch)
}

/// All numbers in a row: mover, waiter, attack, defend by canonical code, then the tempo.
struct Model {
    space: PatternSpace,
    weights: Arc<Weights>,
    /// Code to canonical code: the smaller of a pattern and its mirror image.
    canonical: Vec<Code>,
    numbers: Vec<f32>,
}

impl Model {
    fn new(start: &Weights) -> Self {
        let space = start.space().clone();
        let codes = space.len();
        let canonical = (0..codes as u16).map(|code| code.min(space.mirrored(code))).collect();
        let mut numbers = vec![0.0; 4 * codes + 1];
        for code in 0..codes {
            let entry = start.entry(code as Code);
            numbers[code] = f32::from(entry.mover) / VALUE_UNIT;
            numbers[codes + code] = f32::from(entry.waiter) / VALUE_UNIT;
            numbers[2 * codes + code] = f32::from(entry.attack) / POLICY_UNIT;
            numbers[3 * codes + code] = f32::from(entry.defend) / POLICY_UNIT;
        }
        numbers[4 * codes] = start.tempo(1) as f32 / POLICY_UNIT;
        Self { space, weights: Arc::new(start.clone()), canonical, numbers }
    }

    fn codes(&self) -> usize {
        self.space.len()
    }

    fn to_weights(&self) -> Weights {
        let codes = self.codes();
        let fixed = |number: f32, unit: f32| (number * unit).round().clamp(-32e3, 32e3) as i16;
        let entry = |code: usize| {
            let at = usize::from(self.canonical[code]);
            Entry {
                mover: fixed(self.numbers[at], VALUE_UNIT),
                waiter: fixed(self.numbers[codes + at], VALUE_UNIT),
                attack: fixed(self.numbers[2 * codes + at], POLICY_UNIT),
                defend: fixed(self.numbers[3 * codes + at], POLICY_UNIT),
            }
        };
        let tempo = fixed(self.numbers[4 * codes], POLICY_UNIT);
        Weights::from_entries(self.space.clone(), (0..codes).map(entry).collect(), tempo)
    }
}

pub(super) const VALUE_UNIT: f32 = 4096.0;
pub(super) const POLICY_UNIT: f32 = 256.0;

impl Learning {
    /// The chance that a position's value learns: part result, part the search's score.
    pub(super) fn target(&self, game: &FittedGame, score: i16, player: Player) -> f64 {
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
    pub(super) slopes: Vec<f32>,
    pub(super) value_loss: f64,
    pub(super) value_count: u64,
    pub(super) policy_loss: f64,
    pub(super) policy_count: u64,
    pub(super) first_choices: u64,
}

impl Sum {
    pub(super) fn new(numbers: usize) -> Self {
        Self {
            slopes: vec![0.0; numbers],
            value_loss: 0.0,
            value_count: 0,
            policy_loss: 0.0,
            policy_count: 0,
            first_choices: 0,
        }
    }

    pub(super) fn add(mut self, other: &Self) -> Self {
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
    pub(super) fn add_value(&mut self, target: f64, logit: f32) -> f32 {
        let predicted = sigmoid(f64::from(logit));
        self.value_loss -=
            target * predicted.max(1e-9).ln() + (1.0 - target) * (1.0 - predicted).max(1e-9).ln();
        self.value_count += 1;
        (predicted - target) as f32
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

fn gradient(model: &Model, file: &GameFile, games: &[(usize, &FittedGame)], how: &Learning) -> Sum {
    let parts: Vec<Sum> = games
        .par_chunks(CHUNK)
        .map(|games| {
            let mut pass = Pass::new(model, &file.rules, how);
            for (_, game) in games {
                pass.game(game);
            }
            pass.sum
        })
        .collect();
    parts.iter().fold(Sum::new(model.numbers.len()), Sum::add)
}

/// One task's walk over some games.
struct Pass<'a> {
    model: &'a Model,
    rules: Rules,
    how: &'a Learning,
    state: State,
    sum: Sum,
    /// Empty cells with the canonical codes of the mover, then of the opponent.
    cells: Vec<(Cell, [[Code; 4]; 2])>,
    logits: Vec<f32>,
}

impl<'a> Pass<'a> {
    fn new(model: &'a Model, rules: &Rules, how: &'a Learning) -> Self {
        Self {
            model,
            rules: *rules,
            how,
            state: State::new(&Position::new(*rules), model.weights.clone()),
            sum: Sum::new(model.numbers.len()),
            cells: Vec::new(),
            logits: Vec::new(),
        }
    }

    fn game(&mut self, game: &FittedGame) {
        let mut played = 0;
        let rules = self.rules;
        for turn in game.turns(&rules) {
            for &cell in &game.stones[played..turn.start.min(game.stones.len())] {
                self.state.play(cell);
            }
            played = turn.start.min(game.stones.len());
            let player = self.state.turn().player;
            let quiet = !self.state.windows().has_threat(!player)
                && !self.state.windows().has_threat(player);
            if turn.score.abs() == FittedGame::PROVED || !quiet {
                continue;
            }
            self.see();
            self.value(game, turn.score, player);
            let end = (turn.start + self.rules.p()).min(game.stones.len());
            self.policy(&game.stones[turn.start.min(end)..end]);
        }
        while self.state.undo().is_some() {}
    }

    /// Reads the codes of all empty cells.
    fn see(&mut self) {
        self.cells.clear();
        let geometry = self.state.geometry().clone();
        let player = self.state.turn().player;
        for cell in self.rules.all_cells() {
            if self.state.windows().is_empty(cell) {
                let lines = geometry.lines_through(cell);
                let codes = [player, !player].map(|side| {
                    [0, 1, 2, 3].map(|d| {
                        let code = self.state.code(&lines[d], side);
                        self.model.canonical[usize::from(code)]
                    })
                });
                self.cells.push((cell, codes));
            }
        }
    }

    fn value(&mut self, game: &FittedGame, score: i16, player: Player) {
        let target = self.how.target(game, score, player);
        let codes = self.model.codes();
        let numbers = &self.model.numbers;
        let left = f32::from(self.state.turn().left);
        let mut logit = numbers[4 * codes] * left;
        for (_, [own, enemy]) in &self.cells {
            for d in 0..4 {
                logit += numbers[usize::from(own[d])];
                logit -= numbers[codes + usize::from(enemy[d])];
            }
        }
        let slope = self.sum.add_value(target, logit);
        let slopes = &mut self.sum.slopes;
        slopes[4 * codes] += slope * left;
        for (_, [own, enemy]) in &self.cells {
            for d in 0..4 {
                slopes[usize::from(own[d])] += slope;
                slopes[codes + usize::from(enemy[d])] -= slope;
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
            self.choice(&stones[played..]);
        }
        for _ in 1..stones.len() {
            self.state.undo();
        }
    }

    fn choice(&mut self, wanted: &[Cell]) {
        let codes = self.model.codes();
        let numbers = &self.model.numbers;
        self.logits.clear();
        for (_, [own, enemy]) in &self.cells {
            let mut logit = 0.0;
            for d in 0..4 {
                logit += numbers[2 * codes + usize::from(own[d])];
                logit += numbers[3 * codes + usize::from(enemy[d])];
            }
            self.logits.push(logit);
        }
        let most = self.logits.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = self.logits.iter().map(|logit| (logit - most).exp()).sum();
        let share = 1.0 / wanted.len() as f32;
        self.sum.policy_count += 1;
        let slopes = &mut self.sum.slopes;
        for ((cell, [own, enemy]), &logit) in self.cells.iter().zip(&self.logits) {
            let chance = (logit - most).exp() / total;
            let mut slope = chance;
            if wanted.contains(cell) {
                slope -= share;
                self.sum.policy_loss -= f64::from(share * chance.max(1e-9).ln());
                self.sum.first_choices += u64::from(logit >= most);
            }
            for d in 0..4 {
                slopes[2 * codes + usize::from(own[d])] += slope;
                slopes[3 * codes + usize::from(enemy[d])] += slope;
            }
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub(super) struct Adam {
    sizes: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    pub(super) fn new(sizes: Vec<f32>) -> Self {
        let numbers = sizes.len();
        Self { sizes, mean: vec![0.0; numbers], square: vec![0.0; numbers], steps: 0 }
    }

    pub(super) fn step(&mut self, numbers: &mut [f32], slopes: &[f32], rate: f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{SelfPlay, play_games};
    use collinear_play::StopFlag;

    #[test]
    fn learning_lowers_the_loss_and_repeats_itself() {
        let rules: Rules = "9x9,k=5,p=1".parse().expect("rules");
        let start = Weights::formula(5, 1);
        let how = SelfPlay { rules, nodes: 20, seed: 1, weights: Arc::new(start.clone()) };
        let file = GameFile {
            rules,
            origin: String::new(),
            games: play_games(&how, 0..64, &StopFlag::default(), &|| {}),
        };
        let learning = Learning { epochs: 6, rate: 0.003, batch: 16, ..Learning::default() };
        let mut reports = 0;
        let weights = learn(&file, &start, &learning, &mut |_| reports += 1);
        assert_eq!(reports, 7, "once before the first epoch and after each");
        // On the games it saw: too few to predict others.
        let games: Vec<_> = file.games.iter().enumerate().collect();
        let [before, after] = [&start, &weights]
            .map(|weights| measure(&Model::new(weights), &file, &games, &learning, 0));
        assert!(after.value < before.value, "{before:?} {after:?}");
        assert!(after.policy < before.policy, "{before:?} {after:?}");
        assert_eq!(learn(&file, &start, &learning, &mut |_| {}), weights);
    }

    #[test]
    fn slopes_are_the_slopes_of_the_loss() {
        let rules: Rules = "7x7,k=4,p=2,q=1".parse().expect("rules");
        let start = Weights::formula(4, 2);
        let how = SelfPlay { rules, nodes: 30, seed: 1, weights: Arc::new(start.clone()) };
        let file = GameFile {
            rules,
            origin: String::new(),
            games: play_games(&how, 0..4, &StopFlag::default(), &|| {}),
        };
        let games: Vec<_> = file.games.iter().enumerate().collect();
        let learning = Learning::default();
        let mut model = Model::new(&start);
        let sum = gradient(&model, &file, &games, &learning);
        let codes = model.codes();
        // The empty pattern in the open occurs everywhere.
        let open = usize::from(model.canonical[usize::from(model.space.code(0, 0, 3, 7))]);
        for index in [open, codes + open, 2 * codes + open, 3 * codes + open, 4 * codes] {
            let before = model.numbers[index];
            let mut loss_at = |shift: f32| {
                model.numbers[index] = before + shift;
                let sum = gradient(&model, &file, &games, &learning);
                model.numbers[index] = before;
                sum.value_loss + sum.policy_loss
            };
            let step = 2e-3;
            let slope = (loss_at(step) - loss_at(-step)) / (2.0 * f64::from(step));
            let claimed = f64::from(sum.slopes[index]);
            assert!((slope - claimed).abs() < 0.02 * (1.0 + slope.abs()), "{slope} {claimed}");
        }
    }
}
