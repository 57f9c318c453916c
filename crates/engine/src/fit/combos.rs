//! Regression for combinations of lines: games with one stone per turn in, weights out.
//!
//! The losses are those of [`super::learn`]. The number of a combination is that of the start, plus one
//! number for each of its six pairs of shapes, plus one of its own: rare combinations are then
//! worth what their pairs say, frequent ones what the games say. All are held to zero where data is
//! thin.

use std::sync::Arc;

use collinear_rules::{Cell, Player, Rules};

use super::learn::{
    Learning, Model, POLICY_STEP, POLICY_UNIT, Progress, VALUE_UNIT, fit, fixed, step_size,
};
use super::turns::FittedGames;
use crate::cells::{COMBOS, ComboWeights, Combos, MASKS, Shape, ShapeTable, all_combos};
use crate::{State, Weights};

/// Whether weights for a game are weights of combinations.
pub fn suits_combos(rules: &Rules) -> bool {
    ShapeTable::suits(rules)
}

/// Fits weights of combinations to games that they suit, from those of `start` on, or from the formula
/// where it has none.
pub fn learn_combos(
    file: &FittedGames,
    start: &Weights,
    how: &Learning,
    on: &mut dyn FnMut(Progress),
) -> Weights {
    let mut model = ComboModel::new(&file.rules, start);
    fit(&mut model, file, how, on);
    model.to_weights(&file.rules)
}

const PAIRS: usize = Shape::ALL.len() * (Shape::ALL.len() + 1) / 2;
/// Mover, waiter, attack, defend.
const TABLES: usize = 4;
/// Numbers of one table: pairs, then combinations.
const TABLE: usize = PAIRS + COMBOS;

struct ComboModel {
    /// The tables, then the masks.
    numbers: Vec<f32>,
    /// What the start says: the tables of combinations, then the masks.
    origin: Vec<f32>,
    /// The tables of combinations, then the masks, all parts added up.
    whole: Vec<f32>,
    /// The six pairs of each combination.
    pairs: Vec<[u16; 6]>,
    weights: Arc<Weights>,
}

impl ComboModel {
    fn new(rules: &Rules, start: &Weights) -> Self {
        let start = start.combos().map_or_else(Combos::formula, |combos| (**combos).clone());
        let mut origin = vec![0.0; TABLES * COMBOS + MASKS];
        for (mask, number) in origin[TABLES * COMBOS..].iter_mut().enumerate() {
            *number = start.mask_weight(mask) as f32 / POLICY_UNIT;
        }
        for (number, entry) in start.entries().iter().enumerate() {
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
            weights: Arc::new(Weights::formula(rules.k(), rules.p()).with_combos(start)),
        };
        model.compose();
        model
    }

    fn to_weights(&self, rules: &Rules) -> Weights {
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

impl Model for ComboModel {
    type Places = [usize; 1];

    fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    fn table(&self) -> usize {
        COMBOS
    }

    fn tables(&self) -> &[f32] {
        &self.whole
    }

    fn places(&self, state: &State, cell: Cell, side: Player) -> [usize; 1] {
        [state.cells().map_or(0, |cells| cells.combo(side, cell))]
    }

    fn bias(&self, state: &State) -> (usize, f32) {
        let mask = state.cells().map_or(0, |cells| cells.threat_mask(state.turn().player));
        (TABLES * COMBOS + mask, 1.0)
    }

    fn is_forced(&self, state: &mut State) -> bool {
        let player = state.turn().player;
        state.cells().is_none_or(|cells| cells.is_forced(player))
    }

    /// The end of a game is full of fours.
    fn sample(stones: &[Cell]) -> &[Cell] {
        &stones[..stones.len() * 2 / 3]
    }

    fn step_sizes(&self, frequencies: &[f32]) -> Vec<f32> {
        let mut pairs = [0.0; PAIRS];
        for (frequency, of_combo) in frequencies.iter().zip(&self.pairs) {
            for &pair in of_combo {
                pairs[usize::from(pair)] += frequency;
            }
        }
        let values: Vec<f32> =
            pairs.iter().chain(frequencies).map(|&frequency| step_size(frequency)).collect();
        let mut sizes = [values.as_slice(), &values].concat();
        sizes.resize(self.numbers.len(), POLICY_STEP);
        sizes
    }

    fn numbers(&mut self) -> &mut [f32] {
        &mut self.numbers
    }

    fn slopes(&self, tables: Vec<f32>) -> Vec<f32> {
        let mut slopes = vec![0.0; self.numbers.len()];
        for table in 0..TABLES {
            for (combo, pairs) in self.pairs.iter().enumerate() {
                let slope = tables[table * COMBOS + combo];
                slopes[table * TABLE + PAIRS + combo] = slope;
                for &pair in pairs {
                    slopes[table * TABLE + usize::from(pair)] += slope;
                }
            }
        }
        slopes[TABLES * TABLE..].copy_from_slice(&tables[TABLES * COMBOS..]);
        slopes
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
        for (mask, number) in self.numbers[TABLES * TABLE..].iter().enumerate() {
            self.whole[masks + mask] = self.origin[masks + mask] + number;
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::fit::SelfPlay;
    use crate::fit::learn::gradient;
    use crate::fit::play::tests::fitted;
    use crate::net::Net;

    fn formula() -> Weights {
        Weights::formula(5, 1).with_combos(Combos::formula())
    }

    fn games(count: u64) -> FittedGames {
        let rules: Rules = "9x9,k=5".parse().expect("rules");
        let weights = Arc::new(formula());
        let how = SelfPlay::new(rules, 20, 1, weights);
        fitted(&how, count)
    }

    #[test]
    fn learning_lowers_the_loss_and_repeats_itself() {
        let file = games(48);
        let how = Learning { epochs: 3, rate: 0.003, batch: 16, ..Learning::default() };
        let mut reports = 0;
        let weights = learn_combos(&file, &formula(), &how, &mut |_| reports += 1);
        assert_eq!(reports, 4, "once before the first epoch and after each");
        // On the games it saw: too few to predict others.
        let all: Vec<_> = file.games.iter().collect();
        let start = ComboModel::new(&file.rules, &formula());
        let mut model = ComboModel::new(&file.rules, &formula());
        for (number, entry) in weights.combos().expect("combinations").entries().iter().enumerate()
        {
            model.whole[number] = f32::from(entry.mover) / VALUE_UNIT;
            model.whole[COMBOS + number] = f32::from(entry.waiter) / VALUE_UNIT;
            model.whole[2 * COMBOS + number] = f32::from(entry.attack) / POLICY_UNIT;
            model.whole[3 * COMBOS + number] = f32::from(entry.defend) / POLICY_UNIT;
        }
        let [before, after] =
            [&start, &model].map(|model| gradient(model, &file.rules, &all, &how, 0).progress(0));
        assert!(after.value < before.value, "{before:?} {after:?}");
        assert!(after.policy < before.policy, "{before:?} {after:?}");
        assert_eq!(learn_combos(&file, &formula(), &how, &mut |_| {}), weights);
    }

    #[test]
    fn who_goes_on_begins_with_what_was_learned() {
        let file = games(48);
        let how = Learning { epochs: 2, rate: 0.003, batch: 16, ..Learning::default() };
        let mut last = Progress::default();
        let weights = learn_combos(&file, &formula(), &how, &mut |progress| last = progress);
        let mut first = None;
        let none = Learning { epochs: 0, ..how };
        let same =
            learn_combos(&file, &weights, &none, &mut |progress| first = first.or(Some(progress)));
        let first = first.expect("before the first epoch");
        // The weights are rounded when they are kept.
        assert!((first.value - last.value).abs() < 1e-3, "{first:?} {last:?}");
        assert!((first.policy - last.policy).abs() < 1e-2, "{first:?} {last:?}");
        assert_eq!(same, weights);
    }

    #[test]
    fn slopes_are_the_slopes_of_the_loss() {
        let file = games(4);
        let all: Vec<_> = file.games.iter().collect();
        let teacher = Net::for_rules(&file.rules);
        assert!(teacher.is_some());
        for how in [Learning::default(), Learning { teacher, ..Learning::default() }] {
            let mut model = ComboModel::new(&file.rules, &formula());
            let sum = gradient(&model, &file.rules, &all, &how, 0);
            let slopes = model.slopes(sum.mean_slopes(COMBOS));
            let open = Shape::OneMany as usize;
            let pair = open * (open + 1) / 2 + open;
            let combo = all_combos().binary_search(&[Shape::OneMany; 4]).expect("a combination");
            let masks = TABLES * TABLE;
            let places =
                [pair, PAIRS + combo, TABLE + pair, 2 * TABLE + pair, 3 * TABLE + pair, masks];
            for index in places {
                let before = model.numbers[index];
                let mut loss_at = |shift: f32| {
                    model.numbers[index] = before + shift;
                    model.compose();
                    let losses = gradient(&model, &file.rules, &all, &how, 0).progress(0);
                    model.numbers[index] = before;
                    losses.value + losses.policy
                };
                let step = 2e-4;
                let slope = (loss_at(step) - loss_at(-step)) / (2.0 * f64::from(step));
                let claimed = f64::from(slopes[index]);
                assert!((slope - claimed).abs() < 0.03 * (1.0 + slope.abs()), "{slope} {claimed}");
            }
        }
    }

    #[test]
    fn a_teacher_is_asked_for_more_positions_than_the_games_have() {
        let file = games(32);
        let all: Vec<_> = file.games.iter().collect();
        let alone = Learning::default();
        let taught = Learning { teacher: Net::for_rules(&file.rules), ..Learning::default() };
        let model = ComboModel::new(&file.rules, &formula());
        let seen =
            |how: &Learning, pass| gradient(&model, &file.rules, &all, how, pass).progress(0);
        assert!(seen(&taught, 0).positions > seen(&alone, 0).positions);
        assert_eq!(seen(&taught, 1), seen(&taught, 1));
        assert_ne!(seen(&taught, 1), seen(&taught, 2), "games are left by other stones");
        let how = Learning { epochs: 3, rate: 0.003, batch: 16, ..taught };
        let mut losses = Vec::new();
        let weights = learn_combos(&file, &formula(), &how, &mut |progress| losses.push(progress));
        assert!(losses[3].policy < losses[0].policy, "{losses:?}");
        assert_eq!(learn_combos(&file, &formula(), &how, &mut |_| {}), weights);
    }
}
