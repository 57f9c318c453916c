//! Genetic search over an agent's numeric options, by games against a pool (the future work of
//! document 000).
//!
//! A person is a set of values. Each generation every person plays the same openings against the
//! same opponents, both colours; the best are kept with all the games they ever played, and the
//! others make way for children of persons drawn by rank, blended and mutated. Everything follows
//! from the seed: the state after each person can be written down, read back and continued, and
//! the result is the same for any number of threads.

use std::sync::Arc;

use collinear_play::{
    BuildError, Game, GameResult, Kind, Registry, Seat, SpecError, StopFlag, TimeControl, play_game,
};
use collinear_rules::{Geometry, Player, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::opening::Openings;
use crate::seed::{Purpose, derive};
use crate::stats::{Estimate, Sample, Tally};

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
    /// Persons in a generation.
    pub population: usize,
    /// Generations.
    pub generations: u32,
    /// Games of each person in each generation; made even.
    pub games: u64,
    /// Typical step of a mutation as part of the range.
    pub mutation: f64,
    /// Seed of everything.
    pub seed: u64,
}

/// Why tuning cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TuneError {
    /// A spec string is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent cannot be made.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The option does not exist or is no number.
    #[error("{agent} has no number {name:?} to tune; it has {known}")]
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
pub struct Person {
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
    /// Mean score of all persons in all their games.
    pub mean: f64,
    /// The best person at its end.
    pub best: Person,
}

/// A tuning run at any point of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// What was asked for.
    pub settings: Settings,
    /// The generation at hand.
    pub people: Vec<Person>,
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
    let numbers = choice.spec.options().iter().filter_map(|option| match option.kind {
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
            agent: choice.spec.name().to_owned(),
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

impl Person {
    const fn new(values: Vec<f64>) -> Self {
        Self { values, results: [0; 3], played: None }
    }

    /// The games as the statistics count them.
    pub const fn tally(&self) -> Tally {
        Tally { wins: self.results[0], draws: self.results[1], losses: self.results[2] }
    }
}

impl Tuning {
    /// The first generation: the present values and random ones. Every agent is built once, so
    /// that bad specs are refused before hours are spent.
    pub fn new(settings: Settings, registry: &Registry) -> Result<Self, TuneError> {
        if settings.parameters.is_empty() || settings.pool.is_empty() || settings.population < 2 {
            return Err(TuneError::Settings(
                "tuning needs a parameter, an opponent and two persons".to_owned(),
            ));
        }
        let table = Table::new(&settings, registry)?;
        for spec in settings.pool.iter().chain([&settings.spec(&settings.start_values())]) {
            registry.parse(spec)?.build(&table.rules, 0)?;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        let mut people = vec![Person::new(settings.start_values())];
        while people.len() < settings.population {
            let value = |p: &Parameter| rounded(random.random_range(p.low..=p.high), p.whole);
            people.push(Person::new(settings.parameters.iter().map(value).collect()));
        }
        Ok(Self { settings, people, history: Vec::new() })
    }

    /// Whether a state that was read back can be one of ours.
    pub fn check(&self) -> Result<(), TuneError> {
        let fits =
            |person: &Person| {
                person.values.len() == self.settings.parameters.len()
                    && person.values.iter().zip(&self.settings.parameters).all(|(value, p)| {
                        (p.low.min(p.start)..=p.high.max(p.start)).contains(value)
                    })
            };
        if self.people.len() == self.settings.population && self.people.iter().all(fits) {
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
        let done = self.people.iter().filter(|person| person.played == Some(now)).count() as u64;
        let past = u64::from(now) * population;
        (each * (past + done), each * population * u64::from(self.settings.generations))
    }

    /// Plays on until the end or until stopped, and hands the state to `keep` after each person.
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
            for at in 0..self.people.len() {
                if self.people[at].played == Some(now) {
                    continue;
                }
                let spec = settings.spec(&self.people[at].values);
                let Some(sample) = table.play(&spec, u64::from(now), stop)? else {
                    return Ok(());
                };
                for (total, new) in self.people[at].results.iter_mut().zip(sample.results) {
                    *total += new;
                }
                self.people[at].played = Some(now);
                keep(self)?;
            }
            self.next_generation();
            keep(self)?;
        }
        Ok(())
    }

    /// The person with the best lower bound of its score: luck in few games does not win.
    pub fn best(&self) -> &Person {
        let bound = |person: &&Person| person.tally().wilson().low;
        let people = self.people.iter().filter(|person| person.played.is_some());
        people.max_by(|a, b| bound(a).total_cmp(&bound(b))).unwrap_or(&self.people[0])
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
        self.people.sort_by(|a, b| b.tally().score().total_cmp(&a.tally().score()));
        let scores: f64 = self.people.iter().map(|person| person.tally().score()).sum();
        let mean = scores / self.people.len() as f64;
        self.history.push(Generation { mean, best: self.best().clone() });
        if self.is_done() {
            return;
        }
        let seed = derive(self.settings.seed, now, Purpose::Opening);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
        // Steps shrink as the search settles.
        let step = self.settings.mutation / (1.0 + now as f64 / 5.0);
        let kept = (self.people.len() / 4).max(1);
        let parents = self.people.clone();
        self.people.truncate(kept);
        while self.people.len() < self.settings.population {
            let [mother, father] = [0, 1].map(|_| {
                // The better of two drawn at random; people are sorted.
                let draw = random.random_range(0..parents.len());
                &parents[draw.min(random.random_range(0..parents.len()))]
            });
            let values = self.settings.parameters.iter().enumerate().map(|(i, parameter)| {
                let share: f64 = random.random();
                let blend = mother.values[i] * share + father.values[i] * (1.0 - share);
                let noise = step * (parameter.high - parameter.low) * bell(&mut random);
                rounded((blend + noise).clamp(parameter.low, parameter.high), parameter.whole)
            });
            self.people.push(Person::new(values.collect()));
        }
    }
}

/// Roughly normal with deviation 1: the sum of twelve uniform numbers.
fn bell(random: &mut impl Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

const fn even(games: u64) -> u64 {
    (games + games % 2) + if games == 0 { 2 } else { 0 }
}

/// Where persons play.
struct Table<'a> {
    settings: &'a Settings,
    registry: &'a Registry,
    rules: Rules,
    geometry: Arc<Geometry>,
    control: TimeControl,
}

#[derive(Clone, Debug)]
struct Played {
    results: [u64; 3],
    pairs: Sample,
}

impl<'a> Table<'a> {
    fn new(settings: &'a Settings, registry: &'a Registry) -> Result<Self, TuneError> {
        let wrong = |error: String| TuneError::Settings(error);
        let rules: Rules = settings.rules.parse().map_err(|e| wrong(format!("{e}")))?;
        let control = settings.limits.parse().map_err(|e| wrong(format!("{e}")))?;
        let geometry = Arc::new(Geometry::new(rules));
        Openings::Random(settings.opening).check(&geometry).or_else(|error| {
            if settings.opening == 0 { Ok(()) } else { Err(wrong(error.to_string())) }
        })?;
        Ok(Self { settings, registry, rules, geometry, control })
    }

    /// All games of one person in one generation; none when stopped.
    fn play(
        &self,
        spec: &str,
        generation: u64,
        stop: &StopFlag,
    ) -> Result<Option<Played>, TuneError> {
        let pairs = even(self.settings.games) / 2;
        let results: Result<Vec<Option<[u8; 2]>>, TuneError> = (0..pairs)
            .into_par_iter()
            .map(|pair| {
                let place = generation << 32 | pair;
                let pool = &self.settings.pool;
                let opponent = &pool[pair as usize % pool.len()];
                let first = self.game([spec, opponent], place, stop)?;
                let second = self.game([opponent, spec], place, stop)?;
                Ok(first.zip(second).map(|(black, white)| [black, 2 - white]))
            })
            .collect();
        let mut played = Played { results: [0; 3], pairs: Sample::NO_PAIRS };
        for pair in results? {
            let Some(points) = pair else { return Ok(None) };
            for half_points in points {
                played.results[2 - usize::from(half_points)] += 1;
            }
            played.pairs.add(points.iter().sum());
        }
        Ok(Some(played))
    }

    /// Black's half points; none when stopped.
    fn game(&self, specs: [&str; 2], place: u64, stop: &StopFlag) -> Result<Option<u8>, TuneError> {
        let seed = |purpose| derive(self.settings.seed, place, purpose);
        let openings = match self.settings.opening {
            0 => Openings::Empty,
            stones => Openings::Random(stones),
        };
        let start = openings.start(&self.geometry, place, seed(Purpose::Opening));
        let build = |spec: &str, purpose| -> Result<_, TuneError> {
            Ok(self.registry.parse(spec)?.build(&self.rules, seed(purpose))?)
        };
        let mut black = build(specs[0], Purpose::Black)?;
        let mut white = build(specs[1], Purpose::White)?;
        let game = Game { stop_dead_draws: true, stop: stop.clone(), ..Game::from(start) };
        let seats = [&mut black, &mut white]
            .map(|agent| Seat { agent: &mut **agent, control: self.control });
        Ok(match play_game(&game, seats, &mut |_| None).result {
            GameResult::Won(Player::Black) => Some(2),
            GameResult::Drawn => Some(1),
            GameResult::Won(Player::White) => Some(0),
            GameResult::Unfinished => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use collinear_play::{Agent, AgentError, AgentSpec, Budget, OptionSpec, Options, Report, Turn};
    use collinear_rules::Position;

    use super::*;

    /// Plays the first legal cell that makes a row, as far as its skill lets it look, and a random
    /// one otherwise: more skill is better, up to the whole board.
    struct Spec;

    const SKILL: OptionSpec = OptionSpec {
        name: "skill",
        help: "",
        kind: Kind::Float { min: 0.0, max: 1.0, default: 0.1 },
    };

    impl AgentSpec for Spec {
        fn name(&self) -> &'static str {
            "gambler"
        }
        fn summary(&self) -> &'static str {
            ""
        }
        fn source(&self) -> &'static str {
            ""
        }
        fn options(&self) -> &'static [OptionSpec] {
            &[SKILL]
        }
        fn build(&self, _: &Rules, o: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
            let random = Xoshiro256PlusPlus::seed_from_u64(seed);
            Ok(Box::new(Gambler { skill: o.float("skill"), random }))
        }
    }

    struct Gambler {
        skill: f64,
        random: Xoshiro256PlusPlus,
    }

    impl Agent for Gambler {
        fn choose(
            &mut self,
            position: &Position,
            _: &Budget,
            _: &mut dyn FnMut(&Report),
        ) -> Result<Turn, AgentError> {
            let legal = position.legal_cells();
            let wins = |&cell: &collinear_rules::Cell| {
                let mut next = position.clone();
                next.play(cell).is_ok() && !next.winning_rows().is_empty()
            };
            let win = legal.iter().copied().find(wins);
            let cell = win.filter(|_| self.random.random_bool(self.skill));
            let any = legal[self.random.random_range(0..legal.len())];
            Ok(vec![cell.unwrap_or(any)])
        }
    }

    fn settings() -> Settings {
        let registry = Registry::new(vec![&Spec]);
        Settings {
            agent: "gambler".to_owned(),
            pool: vec!["gambler:skill=0.5".to_owned()],
            rules: "4x4,k=3".to_owned(),
            limits: String::new(),
            opening: 0,
            parameters: vec![parameter(&registry, "gambler", "skill", None).expect("a number")],
            population: 8,
            generations: 6,
            games: 60,
            mutation: 0.2,
            seed: 3,
        }
    }

    #[test]
    fn a_clear_improvement_is_found_and_proved() {
        let registry = Registry::new(vec![&Spec]);
        let mut tuning = Tuning::new(settings(), &registry).expect("settings");
        let stop = StopFlag::default();
        tuning.run(&registry, &stop, &mut |_| Ok::<(), TuneError>(())).expect("agents");
        assert!(tuning.is_done());
        assert!(tuning.best().values[0] > 0.6, "{:?}", tuning.best());
        let (tally, estimate) =
            tuning.verdict(&registry, 200, &stop).expect("agents").expect("not stopped");
        assert_eq!(tally.games(), 200);
        assert!(estimate.interval.low > 0.0, "{estimate:?}");
    }

    #[test]
    fn a_run_continues_where_it_stopped_with_the_same_result() {
        let registry = Registry::new(vec![&Spec]);
        let stop = StopFlag::default();
        let settings = Settings { generations: 3, games: 8, ..settings() };
        let mut whole = Tuning::new(settings, &registry).expect("settings");
        let mut kept = Vec::new();
        whole
            .run(&registry, &stop, &mut |state| {
                kept.push(serde_json::to_string(state).expect("plain data"));
                Ok::<(), TuneError>(())
            })
            .expect("agents");
        let mut resumed: Tuning = serde_json::from_str(&kept[11]).expect("as written");
        assert!(resumed.progress().0 > 0 && !resumed.is_done());
        resumed.check().expect("fits");
        let mut broken = resumed.clone();
        broken.people[0].values.clear();
        assert!(broken.check().is_err());
        resumed.run(&registry, &stop, &mut |_| Ok::<(), TuneError>(())).expect("agents");
        assert_eq!(resumed, whole);
    }

    #[test]
    fn what_cannot_be_tuned_is_refused() {
        let registry = Registry::new(vec![&Spec]);
        let refusal =
            |name, range| parameter(&registry, "gambler", name, range).unwrap_err().to_string();
        assert!(refusal("luck", None).contains("it has skill"));
        assert!(refusal("skill", Some((0.5, 2.0))).contains("within 0..1"));
        let empty = Settings { pool: Vec::new(), ..settings() };
        assert!(Tuning::new(empty, &registry).is_err());
    }
}
