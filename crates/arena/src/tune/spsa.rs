//! SPSA: many numbers tuned at once by games (J. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", 1992), with the gains of Stockfish's fishtest.
//!
//! Each step moves all values a little to one side, drawn at random for each, and to the other, lets
//! the two play each other and the same opponents, and follows the one that scores more. Steps and
//! moves shrink. Everything follows from the seed and the number of the step: a state read back and
//! continued ends at the same values, on any number of threads.

use collinear_play::{Registry, StopFlag};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::table::{Table, even};
use super::{Parameter, Settings, TuneError, are_counts};
use crate::seed::{Purpose, derive};

/// What SPSA tunes, and how long. `settings.games` are those of one step and opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaSettings {
    /// The game, its limits and openings, the opponents beside itself, the values.
    pub settings: Settings,
    /// Steps.
    pub steps: u32,
}

/// A run of SPSA at any point of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    /// What was asked for.
    pub settings: SpsaSettings,
    /// Steps that are over.
    pub done: u32,
    /// The values now, with fractions also where only whole numbers are played.
    pub values: Vec<f64>,
    /// Wins, draws and losses of the one side of each step against the other.
    pub results: [u64; 3],
}

/// How fast the moves and the steps shrink (Spall's γ and α).
const MOVE_POWER: f64 = 0.101;
const STEP_POWER: f64 = 0.602;
/// Steps before the gain begins to shrink much, as part of all (Spall's A).
const STABILITY: f64 = 0.1;
/// The last move, as part of a range; a whole number moves by one half at least.
const LAST_MOVE: f64 = 0.05;
/// The gain of the last step: by this part of a move for each game won more than lost.
const LAST_GAIN: f64 = 0.02;

/// Values as they are kept: what is written down and read back is the same number.
fn kept(value: f64) -> f64 {
    format!("{value:.6}").parse().unwrap_or(value)
}

/// A value as it is played.
fn played(parameter: &Parameter, value: f64) -> f64 {
    let value = value.clamp(parameter.low, parameter.high);
    if parameter.whole { value.round() } else { kept(value) }
}

impl Spsa {
    /// A run that begins at the present values. `spec` makes a player of values.
    pub fn new(
        settings: SpsaSettings,
        registry: &Registry,
        spec: &dyn Fn(&[f64]) -> Result<String, TuneError>,
    ) -> Result<Self, TuneError> {
        let parameters = &settings.settings.parameters;
        if parameters.is_empty() || settings.steps == 0 {
            return Err(TuneError::Settings("tuning needs a parameter and a step".to_owned()));
        }
        let values: Vec<f64> = parameters.iter().map(|p| kept(p.start)).collect();
        // Bad specs are refused before hours are spent.
        let table = Table::new(&settings.settings, registry)?;
        for spec in settings.settings.pool.iter().chain([&spec(&values)?]) {
            registry.parse(spec)?.build(&table.rules, 0)?;
        }
        Ok(Self { settings, done: 0, values, results: [0; 3] })
    }

    /// Makes a state that was read back ready to go on, if it can be one of ours.
    pub fn read_back(mut self) -> Result<Self, TuneError> {
        let parameters = &self.settings.settings.parameters;
        let fits = self.values.len() == parameters.len()
            && self.done <= self.settings.steps
            && are_counts(&self.results)
            && self
                .values
                .iter()
                .zip(parameters)
                .all(|(value, p)| (p.low..=p.high).contains(value));
        if !fits {
            return Err(TuneError::Settings("the state does not fit its own settings".to_owned()));
        }
        self.values.iter_mut().for_each(|value| *value = kept(*value));
        Ok(self)
    }

    /// Whether all steps are over.
    pub const fn is_done(&self) -> bool {
        self.done >= self.settings.steps
    }

    /// Games of one step: against each other, and of both against each opponent.
    pub fn games_per_step(&self) -> u64 {
        let Settings { pool, games, .. } = &self.settings.settings;
        even(*games).saturating_mul(1 + 2 * pool.len() as u64)
    }

    /// The values as they are played.
    pub fn played(&self) -> Vec<f64> {
        let parameters = &self.settings.settings.parameters;
        parameters.iter().zip(&self.values).map(|(p, &value)| played(p, value)).collect()
    }

    /// Steps on until the end or until stopped, and hands the state to `keep` after each step.
    pub fn run<E: From<TuneError>>(
        &mut self,
        registry: &Registry,
        spec: &dyn Fn(&[f64]) -> Result<String, TuneError>,
        stop: &StopFlag,
        keep: &mut dyn FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        while !self.is_done() {
            if !self.step(registry, spec, stop)? {
                return Ok(());
            }
            keep(self)?;
        }
        Ok(())
    }

    /// One step; false when stopped.
    fn step(
        &mut self,
        registry: &Registry,
        spec: &dyn Fn(&[f64]) -> Result<String, TuneError>,
        stop: &StopFlag,
    ) -> Result<bool, TuneError> {
        let SpsaSettings { settings, steps } = &self.settings;
        let now = f64::from(self.done + 1);
        let seed = derive(settings.seed, u64::from(self.done), Purpose::Opening);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
        let wider = (f64::from(*steps) / now).powf(MOVE_POWER);
        let stability = STABILITY * f64::from(*steps);
        let longer = ((stability + f64::from(*steps)) / (stability + now)).powf(STEP_POWER);
        let moves: Vec<f64> = settings
            .parameters
            .iter()
            .map(|p| {
                let last = LAST_MOVE * (p.high - p.low);
                let size = if p.whole { last.max(0.5) } else { last } * wider;
                if random.random() { size } else { -size }
            })
            .collect();
        let side = |sign: f64| -> Result<String, TuneError> {
            let values = self.values.iter().zip(&moves).zip(&settings.parameters);
            let values: Vec<f64> =
                values.map(|((value, by), p)| played(p, value + sign * by)).collect();
            spec(&values)
        };
        let sides = [side(1.0)?, side(-1.0)?];
        let play = |spec: &str, against: &str| {
            let settings = Settings { pool: vec![against.to_owned()], ..settings.clone() };
            let table = Table::new(&settings, registry)?;
            table.play(spec, u64::from(self.done), stop)
        };
        let Some(duel) = play(&sides[0], &sides[1])? else { return Ok(false) };
        // Games won more than lost by the first side.
        let ahead = |[wins, _, losses]: [u64; 3]| wins as f64 - losses as f64;
        let mut lead = ahead(duel.results);
        for opponent in &settings.pool {
            for (side, sign) in sides.iter().zip([1.0, -1.0]) {
                let Some(games) = play(side, opponent)? else { return Ok(false) };
                // Two matches measure what one duel does.
                lead += sign * ahead(games.results);
            }
        }
        for ((value, by), p) in self.values.iter_mut().zip(&moves).zip(&settings.parameters) {
            let step = LAST_GAIN * longer / wider * by * lead;
            *value = kept((*value + step).clamp(p.low, p.high));
        }
        for (total, new) in self.results.iter_mut().zip(duel.results) {
            *total += new;
        }
        self.done += 1;
        Ok(true)
    }
}
