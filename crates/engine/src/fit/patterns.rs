//! Regression for patterns of lines: a pattern and its mirror image share their weights.

use std::sync::Arc;

use collinear_rules::{Cell, Player};

use super::learn::{
    Learning, Model, POLICY_STEP, POLICY_UNIT, Progress, VALUE_UNIT, fit, fixed, step_size,
};
use super::turns::FittedGames;
use crate::patterns::{Code, PatternSpace};
use crate::{PatternWeights, State, Weights};

/// Fits weights of patterns to games of one game, starting from `start`.
pub fn learn(
    file: &FittedGames,
    start: &Weights,
    how: &Learning,
    on: &mut dyn FnMut(Progress),
) -> Weights {
    let mut model = Patterns::new(start);
    fit(&mut model, file, how, on);
    model.to_weights()
}

/// The tables by canonical code, then the tempo.
struct Patterns {
    space: PatternSpace,
    weights: Arc<Weights>,
    /// Code to canonical code: the smaller of a pattern and its mirror image.
    canonical: Vec<Code>,
    numbers: Vec<f32>,
}

impl Patterns {
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

    fn to_weights(&self) -> Weights {
        let codes = self.table();
        let entry = |code: usize| {
            let at = usize::from(self.canonical[code]);
            PatternWeights {
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

impl Model for Patterns {
    type Places = [usize; 4];

    fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    fn table(&self) -> usize {
        self.space.len()
    }

    fn tables(&self) -> &[f32] {
        &self.numbers
    }

    fn places(&self, state: &State, cell: Cell, side: Player) -> [usize; 4] {
        let canonical = |at| usize::from(self.canonical[usize::from(state.code(at, side))]);
        state.geometry().lines_through(cell).each_ref().map(canonical)
    }

    /// The tempo, once for each stone left.
    fn bias(&self, state: &State) -> (usize, f32) {
        (4 * self.table(), f32::from(state.turn().left))
    }

    fn is_forced(&self, state: &mut State) -> bool {
        Player::BOTH.iter().any(|&player| state.windows().has_threat(player))
    }

    fn step_sizes(&self, frequencies: &[f32]) -> Vec<f32> {
        let codes = self.table();
        let size = |at: usize| match at {
            _ if at < 2 * codes => step_size(frequencies[at % codes]),
            // The tempo is a single number; policy entries are seen a few times a choice.
            _ if at == 4 * codes => 1.0,
            _ => POLICY_STEP,
        };
        (0..self.numbers.len()).map(size).collect()
    }

    fn numbers(&mut self) -> &mut [f32] {
        &mut self.numbers
    }

    fn slopes(&self, tables: Vec<f32>) -> Vec<f32> {
        tables
    }

    fn compose(&mut self) {}
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;
    use crate::fit::SelfPlay;
    use crate::fit::learn::gradient;
    use crate::fit::play::tests::fitted;

    #[test]
    fn learning_lowers_the_loss_and_repeats_itself() {
        let rules: Rules = "9x9,k=5,p=1".parse().expect("rules");
        let start = Weights::formula(5, 1);
        let how = SelfPlay::new(rules, 20, 1, Arc::new(start.clone()));
        let file = fitted(&how, 64);
        let learning = Learning { epochs: 6, rate: 0.003, batch: 16, ..Learning::default() };
        let mut reports = 0;
        let weights = learn(&file, &start, &learning, &mut |_| reports += 1);
        assert_eq!(reports, 7, "once before the first epoch and after each");
        // On the games it saw: too few to predict others.
        let games: Vec<_> = file.games.iter().collect();
        let [before, after] = [&start, &weights].map(|weights| {
            gradient(&Patterns::new(weights), &rules, &games, &learning, 0).progress(0)
        });
        assert!(after.value < before.value, "{before:?} {after:?}");
        assert!(after.policy < before.policy, "{before:?} {after:?}");
        assert_eq!(learn(&file, &start, &learning, &mut |_| {}), weights);
    }

    #[test]
    fn slopes_are_the_slopes_of_the_loss() {
        let rules: Rules = "7x7,k=4,p=2,q=1".parse().expect("rules");
        let start = Weights::formula(4, 2);
        let how = SelfPlay::new(rules, 30, 1, Arc::new(start.clone()));
        let file = fitted(&how, 4);
        let games: Vec<_> = file.games.iter().collect();
        let learning = Learning::default();
        let mut model = Patterns::new(&start);
        let sum = gradient(&model, &rules, &games, &learning, 0);
        let slopes = sum.mean_slopes(model.table());
        let codes = model.table();
        // The empty pattern in the open occurs everywhere.
        let open = usize::from(model.canonical[usize::from(model.space.code(0, 0, 3, 7))]);
        for index in [open, codes + open, 2 * codes + open, 3 * codes + open, 4 * codes] {
            let before = model.numbers[index];
            let mut loss_at = |shift: f32| {
                model.numbers[index] = before + shift;
                let losses = gradient(&model, &rules, &games, &learning, 0).progress(0);
                model.numbers[index] = before;
                losses.value + losses.policy
            };
            let step = 2e-3;
            let slope = (loss_at(step) - loss_at(-step)) / (2.0 * f64::from(step));
            let claimed = f64::from(slopes[index]);
            assert!((slope - claimed).abs() < 0.02 * (1.0 + slope.abs()), "{slope} {claimed}");
        }
    }
}
