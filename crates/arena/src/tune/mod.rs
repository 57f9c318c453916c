//! Genetic search over an agent's numeric options, by games against a pool (the future work of
//! document 000).
//!
//! An individual is a set of values. Each generation every individual plays the same openings against the
//! same opponents, both colours; the best are kept with all the games they ever played, and the
//! others make way for children of individuals drawn by rank, blended and mutated. Everything follows
//! from the seed: the state after each individual can be written down, read back and continued, and
//! the result is the same for any number of threads.

mod spsa;
mod table;

use collinear_play::{BuildError, Kind, Registry, SpecError, StopFlag};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::seed::{Purpose, derive};
use crate::stats::{Estimate, Tally};
pub use spsa::{Spsa, SpsaSettings};
use table::{Table, even};

/// One option to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Smallest value to try.
    pub low: f64,
    /// Largest value to try.
    pub high: f64,
    /// Whether only whole numbers count.
    pub whole: bool,
    /// The value before tuning.
    pub start: f64,
}

/// What is tuned, against whom, and how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The agent, with options that stay as they are.
    pub agent: String,
    /// The opponents.
    pub pool: Vec<String>,
    /// The game, in its long form.
    pub rules: String,
    /// Limits of a turn, as a time control is written.
    pub limits: String,
    /// Random stones at the start of each game.
    pub opening: usize,
    /// What to tune.
    pub parameters: Vec<Parameter>,
    /// Individuals per generation.
    pub population: usize,
    /// Generations.
    pub generations: u32,
    /// Games of each individual in each generation; made even.
    pub games: u64,
    /// Typical step of a mutation as part of the range.
    pub mutation: f64,
    /// Seed of everything.
    pub seed: u64,
}

/// Why tuning cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A spec string is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent cannot be made.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The option does not exist or is not a number.
    #[error("{agent} has no numeric option {name:?} to tune; it has {known}")]
    NoParameter {
        /// The agent.
        agent: String,
        /// The option asked for.
        name: String,
        /// What could be tuned.
        known: String,
    },
    /// Something else is wrong with the settings.
    #[error("{0}")]
    Settings(String),
}

/// One set of values and its games so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// One value a parameter.
    pub values: Vec<f64>,
    /// Wins, draws and losses.
    pub results: [u64; 3],
    /// The last generation it played in.
    pub played: Option<u32>,
}

/// What a generation came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Mean score of all individuals in all their games.
    pub mean: f64,
    /// The best individual at its end.
    pub best: Individual,
}

/// A tuning run at any point of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// What was asked for.
    pub settings: Settings,
    /// The generation at hand.
    pub individuals: Vec<Individual>,
    /// Those that are over.
    pub history: Vec<Generation>,
}

/// Looks an option up and takes its range and value; `range` narrows it.
pub fn parameter(
    registry: &Registry,
    agent: &str,
    name: &str,
    range: Option<(f64, f64)>,
) -> Result<Parameter, TuneError> {
    let choice = registry.parse(agent)?;
    let numbers = choice.spec.options.iter().filter_map(|option| match option.kind {
        Kind::Int { min, max, .. } => Some((
            option.name,
            min as f64,
            max as f64,
            true,
            choice.options.int(option.name) as f64,
        )),
        Kind::Float { min, max, .. } => {
            Some((option.name, min, max, false, choice.options.float(option.name)))
        }
        _ => None,
    });
    let numbers: Vec<_> = numbers.collect();
    let Some(&(name, min, max, whole, start)) = numbers.iter().find(|number| number.0 == name)
    else {
        let known: Vec<&str> = numbers.iter().map(|number| number.0).collect();
        return Err(TuneError::NoParameter {
            agent: choice.spec.name.to_owned(),
            name: name.chars().take(40).collect(),
            known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
        });
    };
    let (low, high) = range.unwrap_or((min, max));
    if !(min <= low && low < high && high <= max) {
        return Err(TuneError::Settings(format!(
            "{name}={low}..{high}: the range must lie within {min}..{max}"
        )));
    }
    Ok(Parameter { name: name.to_owned(), low, high, whole, start })
}

impl Settings {
    /// The spec string with these values.
    pub fn spec(&self, values: &[f64]) -> String {
        let mut text = self.agent.clone();
        for (parameter, value) in self.parameters.iter().zip(values) {
            text.push(if text.contains(':') { ',' } else { ':' });
            let value = rounded(*value, parameter.whole).to_string();
            text.extend([parameter.name.as_str(), "=", value.as_str()]);
        }
        text
    }

    fn start_values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }
}

/// Values as they are written in spec strings: four significant decimals are enough.
fn rounded(value: f64, whole: bool) -> f64 {
    if whole { value.round() } else { (value * 1e4).round() / 1e4 }
}

impl Individual {
    const fn new(values: Vec<f64>) -> Self {
        Self { values, results: [0; 3], played: None }
    }

    /// The games as the statistics count them.
    pub const fn tally(&self) -> Tally {
        Tally { wins: self.results[0], draws: self.results[1], losses: self.results[2] }
    }
}

/// More games than any run can play.
const MAX_RESULTS: u64 = 1 << 48;

/// Whether these can be numbers of games that were played.
fn are_counts(results: &[u64; 3]) -> bool {
    results.iter().all(|&games| games <= MAX_RESULTS)
}

impl Tuning {
    /// The first generation: the present values and random ones. Every agent is built once, so
    /// that bad specs are refused before hours are spent.
    pub fn new(settings: Settings, registry: &Registry) -> Result<Self, TuneError> {
        if settings.parameters.is_empty() || settings.pool.is_empty() || settings.population < 2 {
            return Err(TuneError::Settings(
                "tuning needs a parameter, an opponent and two individuals".to_owned(),
            ));
        }
        let table = Table::new(&settings, registry)?;
        for spec in settings.pool.iter().chain([&settings.spec(&settings.start_values())]) {
            registry.parse(spec)?.build(&table.rules, 0)?;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        let mut individuals = vec![Individual::new(settings.start_values())];
        while individuals.len() < settings.population {
            let value = |p: &Parameter| rounded(random.random_range(p.low..=p.high), p.whole);
            individuals.push(Individual::new(settings.parameters.iter().map(value).collect()));
        }
        Ok(Self { settings, individuals, history: Vec::new() })
    }

    /// Whether a state that was read back can be one of ours.
    pub fn check(&self) -> Result<(), TuneError> {
        let fits =
            |individual: &Individual| {
                are_counts(&individual.results)
                    && individual.values.len() == self.settings.parameters.len()
                    && individual.values.iter().zip(&self.settings.parameters).all(|(value, p)| {
                        (p.low.min(p.start)..=p.high.max(p.start)).contains(value)
                    })
            };
        if self.individuals.len() == self.settings.population && self.individuals.iter().all(fits) {
            Ok(())
        } else {
            Err(TuneError::Settings("the state does not fit its own settings".to_owned()))
        }
    }

    /// Whether all generations are over.
    pub fn is_done(&self) -> bool {
        self.history.len() >= self.settings.generations as usize
    }

    /// Games played and games to play in all, for progress.
    pub fn progress(&self) -> (u64, u64) {
        let each = even(self.settings.games);
        let population = self.settings.population as u64;
        let now = self.history.len() as u32;
        let done =
            self.individuals.iter().filter(|individual| individual.played == Some(now)).count()
                as u64;
        let past = u64::from(now) * population;
        let all = population.saturating_mul(self.settings.generations.into());
        (each.saturating_mul(past + done), each.saturating_mul(all))
    }

    /// Plays on until the end or until stopped, and hands the state to `keep` after each individual.
    pub fn run<E: From<TuneError>>(
        &mut self,
        registry: &Registry,
        stop: &StopFlag,
        keep: &mut dyn FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let settings = self.settings.clone();
        let table = Table::new(&settings, registry)?;
        while !self.is_done() {
            let now = self.history.len() as u32;
            for at in 0..self.individuals.len() {
                if self.individuals[at].played == Some(now) {
                    continue;
                }
                let spec = settings.spec(&self.individuals[at].values);
                let Some(sample) = table.play(&spec, u64::from(now), stop)? else {
                    return Ok(());
                };
                for (total, new) in self.individuals[at].results.iter_mut().zip(sample.results) {
                    *total += new;
                }
                self.individuals[at].played = Some(now);
                keep(self)?;
            }
            self.next_generation();
            keep(self)?;
        }
        Ok(())
    }

    /// The individual with the best lower bound of its score: luck in few games does not win.
    pub fn best(&self) -> &Individual {
        let bound = |individual: &&Individual| individual.tally().wilson().low;
        let individuals = self.individuals.iter().filter(|individual| individual.played.is_some());
        individuals.max_by(|a, b| bound(a).total_cmp(&bound(b))).unwrap_or(&self.individuals[0])
    }

    /// The best values against those before tuning, in fresh games of both colours.
    pub fn verdict(
        &self,
        registry: &Registry,
        games: u64,
        stop: &StopFlag,
    ) -> Result<Option<(Tally, Estimate)>, TuneError> {
        let mut settings = self.settings.clone();
        settings.pool = vec![settings.spec(&settings.start_values())];
        settings.games = games;
        let spec = settings.spec(&self.best().values);
        // A place no generation reaches: these openings were never tuned for.
        let Some(sample) =
            Table::new(&settings, registry)?.play(&spec, u64::from(u32::MAX), stop)?
        else {
            return Ok(None);
        };
        let [wins, draws, losses] = sample.results;
        let tally = Tally { wins, draws, losses };
        Ok(Some((tally, Estimate::of(&sample.pairs, &tally))))
    }

    fn next_generation(&mut self) {
        let now = self.history.len() as u64;
        self.individuals.sort_by(|a, b| b.tally().score().total_cmp(&a.tally().score()));
        let scores: f64 =
            self.individuals.iter().map(|individual| individual.tally().score()).sum();
        let mean = scores / self.individuals.len() as f64;
        self.history.push(Generation { mean, best: self.best().clone() });
        if self.is_done() {
            return;
        }
        let seed = derive(self.settings.seed, now, Purpose::Opening);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
        // Steps shrink as the search settles.
        let step = self.settings.mutation / (1.0 + now as f64 / 5.0);
        let kept = (self.individuals.len() / 4).max(1);
        let parents = self.individuals.clone();
        self.individuals.truncate(kept);
        while self.individuals.len() < self.settings.population {
            let [mother, father] = [0, 1].map(|_| {
                // The better of two drawn at random; individuals are sorted.
                let draw = random.random_range(0..parents.len());
                &parents[draw.min(random.random_range(0..parents.len()))]
            });
            let values = self.settings.parameters.iter().enumerate().map(|(i, parameter)| {
                let share: f64 = random.random();
                let blend = mother.values[i] * share + father.values[i] * (1.0 - share);
                let noise = step * (parameter.high - parameter.low) * bell(&mut random);
                rounded((blend + noise).clamp(parameter.low, parameter.high), parameter.whole)
            });
            self.individuals.push(Individual::new(values.collect()));
        }
    }
}

/// Roughly normal with deviation 1: the sum of twelve uniform numbers.
fn bell(random: &mut impl Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests;
