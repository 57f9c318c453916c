//! The plan of a run: everything that decides its games, and which game is which.
//!
//! Games are numbered so that a longer run begins with the games of a shorter one: round after
//! round, in each round every matchup, in each matchup (when the first move alternates) two games
//! from one opening with colours swapped. Game n is therefore the same game on every machine,
//! whatever the number of workers, shards or interruptions.

use std::sync::Arc;

use collinear_play::{
    AgentChoice, BuildError, ControlError, DialogueError, OpeningRule, Registry, SpecError,
    TimeControl,
};
use collinear_rules::hash::fnv1a;
use collinear_rules::{Geometry, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::adjudication::Adjudication;
use crate::opening::{OpeningError, Openings};
use crate::seed::{Purpose, derive};

/// Somebody who takes part: an agent and what it may spend.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The name in tables.
    pub label: String,
    /// Who plays.
    pub agent: AgentChoice,
    /// What it may spend per turn or per game.
    pub control: TimeControl,
}

/// Why a text names no contestant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ContestantError {
    /// The agent or its options are wrong.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// What follows the `@` is not a time control.
    #[error("limits of {text}: {reason}")]
    Limits {
        /// The whole text.
        text: String,
        /// Why not.
        reason: ControlError,
    },
}

impl Contestant {
    /// Reads `agent:options@limits`. Limits behind the last `@` replace the common ones:
    /// `sequences@depth=2`, `kate@500ms`.
    pub fn parse(
        registry: &Registry,
        text: &str,
        common: TimeControl,
    ) -> Result<Self, ContestantError> {
        let (spec, control) = match text.rsplit_once('@') {
            None => (text, common),
            Some((spec, limits)) => match limits.parse() {
                Ok(own) => (spec, own),
                // An `@` may be part of an agent's option, a file name for example.
                Err(_) if registry.parse(text).is_ok() => (text, common),
                Err(reason) => {
                    return Err(ContestantError::Limits { text: text.to_owned(), reason });
                }
            },
        };
        Ok(Self { label: text.to_owned(), agent: registry.parse(spec)?, control })
    }

    /// Numbers contestants that have the same name.
    pub fn tell_apart(contestants: &mut [Self]) {
        let labels: Vec<_> = contestants.iter().map(|c| c.label.clone()).collect();
        for (index, contestant) in contestants.iter_mut().enumerate() {
            let before = labels[..index].iter().filter(|label| **label == contestant.label).count();
            if before > 0 {
                contestant.label = format!("{} #{}", contestant.label, before + 1);
            }
        }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Everybody meets everybody; with two contestants, a match.
    #[default]
    RoundRobin,
    /// The first contestant meets everybody else.
    Gauntlet,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstMove {
    /// Both in turn, from the same opening: a pair.
    #[default]
    Alternating,
    /// Always the one named first in the matchup.
    Fixed,
}

/// Everything that decides the games of a run, apart from how many there are.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub rules: Rules,
    /// Who takes part.
    pub contestants: Vec<Contestant>,
    /// Who meets whom.
    pub format: Format,
    /// Who moves first.
    pub first_move: FirstMove,
    /// Where games start.
    pub openings: Openings,
    /// How the players settle who plays Black; none where whoever moves first does.
    pub opening_rule: Option<OpeningRule>,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Seed for all random choices.
    pub seed: u64,
}

/// One game of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the run.
    pub number: u64,
    /// The pair it belongs to.
    pub pair: u64,
    /// The round: which opening.
    pub round: u64,
    /// Index of the contestant who moves first; with an opening rule, who puts the first stones.
    pub black: usize,
    /// Index of the other.
    pub white: usize,
    /// Seed of the opening, the same for both games of a pair.
    pub opening_seed: u64,
    /// Seeds of the two players.
    pub seeds: [u64; 2],
}

impl Fixture {
    /// The same game when the other one has taken Black.
    pub(crate) const fn with_colours_swapped(self) -> Self {
        let [a, b] = self.seeds;
        Self { black: self.white, white: self.black, seeds: [b, a], ..self }
    }
}

/// Why a plan cannot be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Too few to play.
    #[error("a run needs at least two contestants, and {0} were given")]
    TooFew(usize),
    /// More than a table can show.
    #[error("{0} contestants are too many: at most {most}", most = Plan::MAX_CONTESTANTS)]
    TooMany(usize),
    /// An agent cannot be made for this game.
    #[error("{label}: {reason}")]
    Agent {
        /// The contestant.
        label: String,
        /// Why not.
        reason: BuildError,
    },
    /// The openings cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The game has no such openings.
    #[error(transparent)]
    OpeningRule(#[from] DialogueError),
    /// More games than anybody could play.
    #[error("{0} games per matchup are out of range: 1 to {most}", most = Plan::MAX_GAMES)]
    Games(u64),
}

impl Plan {
    /// The most contestants.
    pub const MAX_CONTESTANTS: usize = 256;
    /// The most games per matchup.
    pub const MAX_GAMES: u64 = 10_000_000;

    /// Whether the plan can be run: builds every agent once.
    pub fn check(&self, games: u64) -> Result<(), PlanError> {
        match self.contestants.len() {
            few @ 0..2 => return Err(PlanError::TooFew(few)),
            many if many > Self::MAX_CONTESTANTS => return Err(PlanError::TooMany(many)),
            _ => {}
        }
        if !(1..=Self::MAX_GAMES).contains(&games) {
            return Err(PlanError::Games(games));
        }
        for contestant in &self.contestants {
            contestant
                .agent
                .build(&self.rules, 0)
                .map_err(|reason| PlanError::Agent { label: contestant.label.clone(), reason })?;
        }
        self.openings.check(&Arc::new(Geometry::new(self.rules)))?;
        if let Some(rule) = self.opening_rule {
            rule.check(&self.rules)?;
        }
        Ok(())
    }

    /// The contestants' names in tables.
    pub fn labels(&self) -> Vec<String> {
        self.contestants.iter().map(|contestant| contestant.label.clone()).collect()
    }

    /// The matchups of every round.
    pub fn matchups(&self) -> Vec<(usize, usize)> {
        let n = self.contestants.len();
        match self.format {
            Format::Gauntlet => (1..n).map(|other| (0, other)).collect(),
            Format::RoundRobin => (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect(),
        }
    }

    /// Which game is which, in a run with this many games per matchup.
    pub fn schedule(&self, games: u64) -> Schedule {
        let legs = if self.is_paired() { 2 } else { 1 };
        Schedule { matchups: self.matchups(), legs, games, seed: self.seed }
    }

    /// Whether two games make a pair.
    pub fn is_paired(&self) -> bool {
        self.first_move == FirstMove::Alternating
    }

    /// The plan as text: what is stored beside its games, and hashed into the run's name.
    pub fn description(&self) -> String {
        let description = Description {
            rules: self.rules.to_string(),
            contestants: self
                .contestants
                .iter()
                .map(|c| [c.label.clone(), c.agent.text.clone(), c.control.to_string()])
                .collect(),
            format: self.format,
            first_move: self.first_move,
            openings: &self.openings,
            opening_rule: self.opening_rule,
            adjudication: &self.adjudication,
            seed: self.seed,
        };
        serde_json::to_string(&description).expect("a plan is plain data")
    }

    /// The run's name: a hash of the plan and of the program that plays it. A rebuilt program may
    /// play other games, so its games are never mixed with those of the old one.
    pub fn run_id(&self, build: &str) -> String {
        format!("{:016x}", fnv1a(format!("{build}\n{}", self.description()).as_bytes()))
    }
}

/// Which game is which: a function from numbers to fixtures.
#[derive(Clone, Debug)]
pub struct Schedule {
    matchups: Vec<(usize, usize)>,
    legs: u64,
    games: u64,
    seed: u64,
}

impl Schedule {
    /// One more than the largest number. With an odd number of games some numbers have no game.
    pub fn end(&self) -> u64 {
        self.games.div_ceil(self.legs) * self.matchups.len() as u64 * self.legs
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.games * self.matchups.len() as u64
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game of that number.
    pub fn get(&self, number: u64) -> Option<Fixture> {
        let a_round = self.matchups.len() as u64 * self.legs;
        let (round, place) = (number.checked_div(a_round)?, number.checked_rem(a_round)?);
        let leg = place % self.legs;
        let (a, b) = self.matchups[(place / self.legs) as usize];
        let (black, white) = if leg == 0 { (a, b) } else { (b, a) };
        (round * self.legs + leg < self.games).then(|| Fixture {
            number,
            pair: number / self.legs,
            round,
            black,
            white,
            opening_seed: derive(self.seed, round, Purpose::Opening),
            seeds: [Purpose::Black, Purpose::White].map(|p| derive(self.seed, number, p)),
        })
    }

    /// All games in the order they are played.
    pub fn iter(&self) -> impl Iterator<Item = Fixture> + '_ {
        (0..self.end()).filter_map(|number| self.get(number))
    }
}

#[derive(Serialize)]
struct Description<'a> {
    rules: String,
    contestants: Vec<[String; 3]>,
    format: Format,
    first_move: FirstMove,
    openings: &'a Openings,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_rule: Option<OpeningRule>,
    adjudication: &'a Adjudication,
    seed: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contestants, plan};

    #[test]
    fn a_longer_run_begins_with_the_shorter_one() {
        for first_move in [FirstMove::Alternating, FirstMove::Fixed] {
            let plan = Plan { first_move, ..plan(3) };
            let (short, long): (Vec<_>, Vec<_>) =
                (plan.schedule(4).iter().collect(), plan.schedule(10).iter().collect());
            assert_eq!(short.len(), 12);
            assert_eq!(long.len(), 30);
            assert_eq!(long[..12], short);
        }
    }

    #[test]
    fn pairs_swap_colours_and_share_the_opening() {
        let plan = plan(4);
        let games: Vec<_> = plan.schedule(6).iter().collect();
        for pair in games.chunks(2) {
            let [a, b] = pair else { panic!("odd") };
            assert_eq!((a.black, a.white, a.pair), (b.white, b.black, b.pair));
            assert_eq!(a.opening_seed, b.opening_seed);
            assert_ne!(a.seeds, b.seeds);
        }
        for a in 0..4 {
            for b in (0..4).filter(|&b| b != a) {
                assert_eq!(games.iter().filter(|g| (g.black, g.white) == (a, b)).count(), 3);
            }
        }
    }

    #[test]
    fn an_odd_number_leaves_the_last_pair_open() {
        let games: Vec<_> = plan(2).schedule(5).iter().collect();
        assert_eq!(games.len(), 5);
        assert_eq!(games[4].number, 4);
        let three: Vec<_> = plan(3).schedule(1).iter().map(|game| game.number).collect();
        assert_eq!(three, [0, 2, 4]);
    }

    #[test]
    fn gauntlets_spare_the_others() {
        let plan = Plan { format: Format::Gauntlet, ..plan(4) };
        assert_eq!(plan.matchups(), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn the_name_follows_the_plan_but_not_the_number_of_games() {
        let base = plan(2);
        assert_eq!(base.run_id("1"), plan(2).run_id("1"));
        assert_ne!(base.run_id("1"), base.run_id("2"));
        assert_ne!(base.run_id("1"), Plan { seed: 9, ..base.clone() }.run_id("1"));
        assert_ne!(base.run_id("1"), Plan { contestants: contestants(3), ..base }.run_id("1"));
    }

    #[test]
    fn unusable_plans_are_refused() {
        assert!(matches!(plan(1).check(2), Err(PlanError::TooFew(1))));
        assert!(matches!(plan(2).check(0), Err(PlanError::Games(0))));
        assert!(matches!(
            Plan { openings: Openings::Random(99), ..plan(2) }.check(2),
            Err(PlanError::Opening(_))
        ));
        assert!(plan(2).check(2).is_ok());
    }
}
