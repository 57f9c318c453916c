//! Regression for combinations of lines: games with one stone per turn in, weights out.
//!
//! The losses are those of [`super::learn`]. The number of a combination is the formula's, plus one
//! number for each of its six pairs of shapes, plus one of its own: rare combinations are then
//! worth what their pairs say, frequent ones what the games say. All are held to zero where data is
//! thin.

use std::sync::Arc;

use collinear_rules::{Cell, Player, Position, Rules};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::games::{FittedGame, GameFile};
use super::learn::{
    Adam, CHUNK, HELD_BACK, Learning, POLICY_STEP, POLICY_UNIT, Progress, Sum, VALUE_UNIT,
};
use crate::cells::{COMBOS, ComboWeights, Combos, Kind, MASKS, Shape, ShapeTable, all_combos};
use crate::{State, Weights};

/// Whether weights for a game are weights of combinations.
pub fn suits_combos(rules: &Rules) -> bool {
    ShapeTable::suits(rules)
}

/// Fits weights of combinations to games that they suit.
pub fn learn_combos(file: &GameFile, how: &Learning, on: &mut dyn FnMut(Progress)) -> Weights {
    let (test, mut train): (Vec<_>, Vec<_>) =
        file.games.iter().enumerate().partition(|(number, _)| number % HELD_BACK == 0);
    let mut model = Model::new(&file.rules);
    let mut adam = Adam::new(step_sizes(&model, file, &train));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(how.seed);
    let steps = how.epochs * train.len().div_ceil(how.batch.max(1)).max(1);
    let mut step: usize = 0;
    on(measure(&model, file, &test, how, 0));
    for epoch in 1..=how.epochs {
        train.shuffle(&mut random);
        for batch in train.chunks(how.batch.max(1)) {
            let sum = gradient(&model, file, batch, how);
            let slopes = model.slopes(&sum, how.decay as f32);
            let left = 1.0 - step as f64 / steps as f64;
            adam.step(&mut model.numbers, &slopes, how.rate * (0.1 + 0.9 * left));
            model.compose();
            step += 1;
        }
        on(measure(&model, file, &test, how, epoch));
    }
    model.to_weights(&file.rules)
}

const PAIRS: usize = Shape::ALL.len() * (Shape::ALL.len() + 1) / 2;
/// Mover, waiter, attack, defend.
const TABLES: usize = 4;
/// Numbers of one table: pairs, then combinations.
const TABLE: usize = PAIRS + COMBOS;

struct Model {
    /// The tables, then the masks.
    numbers: Vec<f32>,
    /// What the formula says: the tables of combinations, then zero for the masks.
    origin: Vec<f32>,
    /// The tables of combinations, then the masks, all parts added up.
    whole: Vec<f32>,
    /// The six pairs of each combination.
    pairs: Vec<[u16; 6]>,
    weights: Arc<Weights>,
}

impl Model {
    fn new(rules: &Rules) -> Self {
        let formula = Combos::formula();
        let mut origin = vec![0.0; TABLES * COMBOS + MASKS];
        for (number, entry) in formula.entries().iter().enumerate() {
            origin[number] = f32::from(entry.mover) / VALUE_UNIT;
            origin[COMBOS + number] = f32::from(entry.waiter) / VALUE_UNIT;
            origin[2 * COMBOS + number] = f32::from(entry.attack) / POLICY_UNIT;
            origin[3 * COMBOS + number] = f32::from(entry.defend) / POLICY_UNIT;
        }
        let pair = |a: Shape, b: Shape| {
            let (low, high) = (a as usize, b as usize);
            (high * (high + 1) / 2 + low) as u16
        };
        let pairs = all_combos()
            .iter()
            .map(|&[a, b, c, d]| {
                [pair(a, b), pair(a, c), pair(a, d), pair(b, c), pair(b, d), pair(c, d)]
            })
            .collect();
        let mut model = Self {
            numbers: vec![0.0; TABLES * TABLE + MASKS],
            whole: origin.clone(),
            origin,
            pairs,
            weights: Arc::new(Weights::formula(rules.k(), rules.p()).with_combos(formula)),
        };
        model.compose();
        model
    }

    fn compose(&mut self) {
        for table in 0..TABLES {
            let numbers = &self.numbers[table * TABLE..][..TABLE];
            for (combo, pairs) in self.pairs.iter().enumerate() {
                let pairs: f32 = pairs.iter().map(|&pair| numbers[usize::from(pair)]).sum();
                let at = table * COMBOS + combo;
                self.whole[at] = self.origin[at] + pairs + numbers[PAIRS + combo];
            }
        }
        let masks = TABLES * COMBOS;
        self.whole[masks..].copy_from_slice(&self.numbers[TABLES * TABLE..]);
    }

    /// The slopes of all numbers, from those of the whole tables.
    fn slopes(&self, sum: &Sum, decay: f32) -> Vec<f32> {
        let value_weight = 1.0 / sum.value_count.max(1) as f32;
        let policy_weight = 1.0 / sum.policy_count.max(1) as f32;
        let mut slopes: Vec<f32> = self.numbers.iter().map(|number| decay * number).collect();
        for table in 0..TABLES {
            let weight = if table < 2 { value_weight } else { policy_weight };
            for (combo, pairs) in self.pairs.iter().enumerate() {
                let slope = weight * sum.slopes[table * COMBOS + combo];
                slopes[table * TABLE + PAIRS + combo] += slope;
                for &pair in pairs {
                    slopes[table * TABLE + usize::from(pair)] += slope;
                }
            }
        }
        for mask in 0..MASKS {
            slopes[TABLES * TABLE + mask] += value_weight * sum.slopes[TABLES * COMBOS + mask];
        }
        slopes
    }

    fn to_weights(&self, rules: &Rules) -> Weights {
        let fixed = |number: f32, unit: f32| (number * unit).round().clamp(-32e3, 32e3) as i16;
        let entries = (0..COMBOS).map(|combo| ComboWeights {
            mover: fixed(self.whole[combo], VALUE_UNIT),
            waiter: fixed(self.whole[COMBOS + combo], VALUE_UNIT),
            attack: fixed(self.whole[2 * COMBOS + combo], POLICY_UNIT),
            defend: fixed(self.whole[3 * COMBOS + combo], POLICY_UNIT),
        });
        let masks = &self.whole[TABLES * COMBOS..];
        let masks = masks.iter().map(|&number| fixed(number, POLICY_UNIT)).collect();
        let combos = Combos::new(entries.collect(), masks);
        Weights::formula(rules.k(), rules.p()).with_combos(combos)
    }
}

/// The step of each number, so that a step changes evaluations by about the same amount.
fn step_sizes(model: &Model, file: &GameFile, games: &[(usize, &FittedGame)]) -> Vec<f32> {
    const SAMPLE: usize = 256;
    const RAREST: f32 = 0.3;
    let mut counts = vec![0.0_f32; TABLE];
    let mut positions = 0.0_f32;
    let how = Learning::default();
    let mut pass = Pass::new(model, &file.rules, &how);
    for (_, game) in games.iter().take(SAMPLE) {
        for &cell in &game.stones[..game.stones.len() * 2 / 3] {
            pass.state.play(cell);
        }
        pass.see();
        positions += 2.0;
        for &combo in pass.cells.iter().flat_map(|(_, combos)| combos) {
            counts[PAIRS + combo] += 1.0;
            for &pair in &model.pairs[combo] {
                counts[usize::from(pair)] += 1.0;
            }
        }
        while pass.state.undo().is_some() {}
    }
    let value = |at: usize| 1.0 / (counts[at] / positions.max(1.0)).max(RAREST);
    let sizes =
        (0..TABLES * TABLE).map(|at| if at < 2 * TABLE { value(at % TABLE) } else { POLICY_STEP });
    sizes.chain((0..MASKS).map(|_| POLICY_STEP)).collect()
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
    parts.iter().fold(Sum::new(TABLES * COMBOS + MASKS), Sum::add)
}

/// One task's walk over some games.
struct Pass<'a> {
    model: &'a Model,
    rules: Rules,
    how: &'a Learning,
    state: State,
    sum: Sum,
    /// Empty cells with the combinations of the mover, then of the opponent.
    cells: Vec<(Cell, [usize; 2])>,
    logits: Vec<f32>,
}

impl<'a> Pass<'a> {
    fn new(model: &'a Model, rules: &Rules, how: &'a Learning) -> Self {
        Self {
            model,
            rules: *rules,
            how,
            state: State::new(&Position::new(*rules), model.weights.clone()),
            sum: Sum::new(TABLES * COMBOS + MASKS),
            cells: Vec::new(),
            logits: Vec::new(),
        }
    }

    fn game(&mut self, game: &FittedGame) {
        let mut played = 0;
        let rules = self.rules;
        for turn in game.turns(&rules) {
            let start = turn.start.min(game.stones.len());
            for &cell in &game.stones[played..start] {
                self.state.play(cell);
            }
            played = start;
            let player = self.state.turn().player;
            if turn.score.abs() == FittedGame::PROVED || self.is_decided(player) {
                continue;
            }
            self.see();
            self.value(game, turn.score, player);
            if let Some(&cell) = game.stones.get(start) {
                self.choice(cell);
            }
        }
        while self.state.undo().is_some() {}
    }

    /// Whether a search sees the next stone without any evaluation.
    fn is_decided(&self, player: Player) -> bool {
        self.state.cells().is_none_or(|cells| {
            cells.count_of(!player, Kind::Row) > 0
                || cells.count_of(player, Kind::Row) > 0
                || cells.count_of(player, Kind::OpenFour) > 0
        })
    }

    /// Reads the combinations of all empty cells.
    fn see(&mut self) {
        self.cells.clear();
        let player = self.state.turn().player;
        let Some(cells) = self.state.cells() else { return };
        for cell in self.rules.all_cells() {
            if self.state.windows().is_empty(cell) {
                let combos = [player, !player].map(|side| cells.combo(side, cell));
                self.cells.push((cell, combos));
            }
        }
    }

    fn value(&mut self, game: &FittedGame, score: i16, player: Player) {
        let target = self.how.target(game, score, player);
        let whole = &self.model.whole;
        let mask = self.state.cells().map_or(0, |cells| cells.threat_mask(player));
        let mask = TABLES * COMBOS + mask;
        let mut logit = whole[mask];
        for (_, [own, enemy]) in &self.cells {
            logit += whole[*own] - whole[COMBOS + enemy];
        }
        let slope = self.sum.add_value(target, logit);
        let slopes = &mut self.sum.slopes;
        slopes[mask] += slope;
        for (_, [own, enemy]) in &self.cells {
            slopes[*own] += slope;
            slopes[COMBOS + enemy] -= slope;
        }
    }

    fn choice(&mut self, wanted: Cell) {
        let whole = &self.model.whole;
        self.logits.clear();
        self.logits.extend(
            self.cells
                .iter()
                .map(|(_, [own, enemy])| whole[2 * COMBOS + own] + whole[3 * COMBOS + enemy]),
        );
        let most = self.logits.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = self.logits.iter().map(|logit| (logit - most).exp()).sum();
        self.sum.policy_count += 1;
        let slopes = &mut self.sum.slopes;
        for ((cell, [own, enemy]), &logit) in self.cells.iter().zip(&self.logits) {
            let chance = (logit - most).exp() / total;
            let mut slope = chance;
            if *cell == wanted {
                slope -= 1.0;
                self.sum.policy_loss -= f64::from(chance.max(1e-9).ln());
                self.sum.first_choices += u64::from(logit >= most);
            }
            slopes[2 * COMBOS + own] += slope;
            slopes[3 * COMBOS + enemy] += slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{SelfPlay, play_games};
    use collinear_play::StopFlag;

    fn games(count: u64) -> GameFile {
        let rules: Rules = "9x9,k=5".parse().expect("rules");
        let weights = Arc::new(Weights::formula(5, 1).with_combos(Combos::formula()));
        let how = SelfPlay { rules, nodes: 20, seed: 1, weights };
        let games = play_games(&how, 0..count, &StopFlag::default(), &|| {});
        GameFile { rules, origin: String::new(), games }
    }

    #[test]
    fn learning_lowers_the_loss_and_repeats_itself() {
        let file = games(48);
        let how = Learning { epochs: 3, rate: 0.003, batch: 16, ..Learning::default() };
        let mut reports = 0;
        let weights = learn_combos(&file, &how, &mut |_| reports += 1);
        assert_eq!(reports, 4, "once before the first epoch and after each");
        // On the games it saw: too few to predict others.
        let all: Vec<_> = file.games.iter().enumerate().collect();
        let start = Model::new(&file.rules);
        let mut model = Model::new(&file.rules);
        for (number, entry) in weights.combos().expect("combinations").entries().iter().enumerate()
        {
            model.whole[number] = f32::from(entry.mover) / VALUE_UNIT;
            model.whole[COMBOS + number] = f32::from(entry.waiter) / VALUE_UNIT;
            model.whole[2 * COMBOS + number] = f32::from(entry.attack) / POLICY_UNIT;
            model.whole[3 * COMBOS + number] = f32::from(entry.defend) / POLICY_UNIT;
        }
        let [before, after] = [&start, &model].map(|model| measure(model, &file, &all, &how, 0));
        assert!(after.value < before.value, "{before:?} {after:?}");
        assert!(after.policy < before.policy, "{before:?} {after:?}");
        assert_eq!(learn_combos(&file, &how, &mut |_| {}), weights);
    }

    #[test]
    fn slopes_are_the_slopes_of_the_loss() {
        let file = games(4);
        let all: Vec<_> = file.games.iter().enumerate().collect();
        let how = Learning::default();
        let mut model = Model::new(&file.rules);
        let sum = gradient(&model, &file, &all, &how);
        let slopes = model.slopes(&sum, 0.0);
        let open = Shape::OneMany as usize;
        let pair = open * (open + 1) / 2 + open;
        let combo = all_combos().binary_search(&[Shape::OneMany; 4]).expect("a combination");
        let masks = TABLES * TABLE;
        for index in [pair, PAIRS + combo, TABLE + pair, 2 * TABLE + pair, 3 * TABLE + pair, masks]
        {
            let before = model.numbers[index];
            let mut loss_at = |shift: f32| {
                model.numbers[index] = before + shift;
                model.compose();
                let sum = gradient(&model, &file, &all, &how);
                model.numbers[index] = before;
                sum.value_loss / sum.value_count as f64 + sum.policy_loss / sum.policy_count as f64
            };
            let step = 2e-4;
            let slope = (loss_at(step) - loss_at(-step)) / (2.0 * f64::from(step));
            let claimed = f64::from(slopes[index]);
            assert!((slope - claimed).abs() < 0.03 * (1.0 + slope.abs()), "{slope} {claimed}");
        }
    }
}
