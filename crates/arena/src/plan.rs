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
use crate::game::GameSummary;
use crate::opening::{OpeningError, Openings};
use crate::seed::{Purpose, derive};
use crate::swiss::Swiss;

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

/// Who meets whom, as people name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Everybody meets everybody; with two contestants, a match.
    #[default]
    RoundRobin,
    /// The first contestant meets everybody else.
    Gauntlet,
    /// In each round everybody meets somebody with about the same score.
    Swiss,
}

/// Who meets whom, with all that it follows from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Pairings {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first contestant meets everybody else.
    Gauntlet,
    /// As the results of the rounds before say, see [`Swiss`](crate::Swiss).
    Swiss {
        /// Games of each meeting: other results make other pairings.
        games: u64,
    },
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
    pub format: Pairings,
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
    /// More rounds than anybody could play.
    #[error("{0} rounds are out of range: 1 to {most}", most = Plan::MAX_ROUNDS)]
    Rounds(u64),
    /// A Swiss tournament balances the colours.
    #[error("the first move of a Swiss tournament alternates: leave first-move out")]
    FirstMove,
}

impl Plan {
    /// The most contestants.
    pub const MAX_CONTESTANTS: usize = 256;
    /// The most games per matchup.
    pub const MAX_GAMES: u64 = 10_000_000;
    /// The most rounds of a Swiss tournament, and the most games of its meetings.
    pub const MAX_ROUNDS: u64 = 1000;

    /// Whether the plan can be run at this length, as [`Self::schedule`] has it: builds every agent
    /// once.
    pub fn check(&self, length: u64) -> Result<(), PlanError> {
        match self.contestants.len() {
            few @ 0..2 => return Err(PlanError::TooFew(few)),
            many if many > Self::MAX_CONTESTANTS => return Err(PlanError::TooMany(many)),
            _ => {}
        }
        match self.format {
            Pairings::Swiss { games } => {
                if !(1..=Self::MAX_ROUNDS).contains(&games) {
                    return Err(PlanError::Games(games));
                }
                if !(1..=Self::MAX_ROUNDS).contains(&length) {
                    return Err(PlanError::Rounds(length));
                }
                if !self.is_paired() {
                    return Err(PlanError::FirstMove);
                }
            }
            _ if !(1..=Self::MAX_GAMES).contains(&length) => return Err(PlanError::Games(length)),
            _ => {}
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

    /// Which game is which, in a run of this length: so many games per matchup, or rounds of a Swiss
    /// tournament.
    pub fn schedule(&self, length: u64) -> Schedule {
        Schedule::new(self.contestants.len(), self.format, self.first_move, length, self.seed)
    }

    /// The rounds and the table of a Swiss tournament of this length.
    pub fn swiss(&self, length: u64, games: &[GameSummary]) -> Option<Swiss> {
        let schedule = self.schedule(length);
        let players = self.contestants.len();
        schedule.is_drawn().then(|| Swiss::new(players, &schedule, self.seed, games))
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

/// Which game is which: a function from numbers to fixtures. The rounds of a Swiss tournament are
/// *stages*, whose matchups are drawn when the stage before has been played; everything else is one
/// stage.
#[derive(Clone, Debug)]
pub struct Schedule {
    stages: u64,
    /// Matchups of a stage.
    meetings: u64,
    /// None where they have to be drawn.
    matchups: Option<Vec<(usize, usize)>>,
    legs: u64,
    /// Games of a matchup in a stage.
    games: u64,
    seed: u64,
}

impl Schedule {
    /// The schedule of a run with so many contestants, see [`Plan::schedule`].
    pub fn new(
        players: usize,
        format: Pairings,
        first_move: FirstMove,
        length: u64,
        seed: u64,
    ) -> Self {
        let legs = if first_move == FirstMove::Alternating { 2 } else { 1 };
        let known = |matchups: Vec<(usize, usize)>| Self {
            stages: 1,
            meetings: matchups.len() as u64,
            matchups: Some(matchups),
            legs,
            games: length,
            seed,
        };
        match format {
            Pairings::Gauntlet => known((1..players).map(|other| (0, other)).collect()),
            Pairings::RoundRobin => {
                known((0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect())
            }
            Pairings::Swiss { games } => {
                let meetings = players as u64 / 2;
                Self { stages: length, meetings, matchups: None, legs, games, seed }
            }
        }
    }

    /// One more than the largest number. With an odd number of games some numbers have no game.
    pub fn end(&self) -> u64 {
        self.stages * self.numbers_of_a_stage()
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.stages * self.stage_len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a game has that number.
    pub fn contains(&self, number: u64) -> bool {
        number < self.end() && {
            let in_stage = number % self.numbers_of_a_stage();
            let round = in_stage / (self.meetings * self.legs);
            round * self.legs + in_stage % self.legs < self.games
        }
    }

    /// The game of that number; none where its players are still to be drawn.
    pub fn get(&self, number: u64) -> Option<Fixture> {
        self.fixture(number, self.matchups.as_deref()?)
    }

    /// All games in the order they are played, unless they are still to be drawn.
    pub fn iter(&self) -> impl Iterator<Item = Fixture> + '_ {
        (0..self.end()).filter_map(|number| self.get(number))
    }

    /// Whether the matchups have to be drawn.
    pub const fn is_drawn(&self) -> bool {
        self.matchups.is_none()
    }

    /// How many stages there are.
    pub(crate) const fn stages(&self) -> u64 {
        self.stages
    }

    /// Games of a stage.
    pub(crate) const fn stage_len(&self) -> u64 {
        self.meetings * self.games
    }

    /// Games of a matchup in a stage.
    pub(crate) const fn games_of_a_meeting(&self) -> u64 {
        self.games
    }

    /// The stage of a game.
    pub(crate) fn stage_of(&self, number: u64) -> u64 {
        number.checked_div(self.numbers_of_a_stage()).unwrap_or(0)
    }

    /// The numbers of the games of a stage.
    pub(crate) fn stage(&self, stage: u64) -> impl Iterator<Item = u64> + '_ {
        let numbers = self.numbers_of_a_stage();
        (stage * numbers..(stage + 1) * numbers).filter(|&number| self.contains(number))
    }

    const fn numbers_of_a_stage(&self) -> u64 {
        self.games.div_ceil(self.legs) * self.meetings * self.legs
    }

    /// The game of that number, where its stage has these matchups.
    pub(crate) fn fixture(&self, number: u64, matchups: &[(usize, usize)]) -> Option<Fixture> {
        if !self.contains(number) {
            return None;
        }
        let a_round = self.meetings * self.legs;
        let (round, place) = (number / a_round, number % a_round);
        let leg = place % self.legs;
        let &(a, b) = matchups.get((place / self.legs) as usize)?;
        let (black, white) = if leg == 0 { (a, b) } else { (b, a) };
        Some(Fixture {
            number,
            pair: number / self.legs,
            round,
            black,
            white,
            opening_seed: derive(self.seed, round, Purpose::Opening),
            seeds: [Purpose::Black, Purpose::White].map(|p| derive(self.seed, number, p)),
        })
    }
}

#[derive(Serialize)]
struct Description<'a> {
    rules: String,
    contestants: Vec<[String; 3]>,
    format: Pairings,
    first_move: FirstMove,
    openings: &'a Openings,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_rule: Option<OpeningRule>,
    adjudication: &'a Adjudication,
    seed: u64,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

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
        let plan = Plan { format: Pairings::Gauntlet, ..plan(4) };
        let met: Vec<_> = plan.schedule(1).iter().map(|game| (game.black, game.white)).collect();
        assert_eq!(met, [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn the_rounds_of_a_swiss_tournament_are_drawn_and_may_be_continued() {
        for games in 1..=3 {
            let plan = Plan { format: Pairings::Swiss { games }, ..plan(5) };
            let (short, long) = (plan.schedule(2), plan.schedule(4));
            assert_eq!((short.len(), long.len()), (4 * games, 8 * games));
            assert!(short.is_drawn() && short.get(0).is_none());
            let numbers = |schedule: &Schedule| -> Vec<u64> {
                (0..schedule.end() + 9).filter(|&number| schedule.contains(number)).collect()
            };
            assert_eq!(numbers(&short).len() as u64, short.len());
            assert_eq!(numbers(&long)[..numbers(&short).len()], numbers(&short));
            let stages: Vec<u64> = (0..4).flat_map(|stage| long.stage(stage)).collect();
            assert_eq!(stages, numbers(&long));
            assert!(stages.iter().all(|&n| long.stage_of(n) == n / (long.end() / 4)));
            // Everybody begins a round from the same opening.
            let drawn = [(4, 2), (0, 3)];
            let second: Vec<Fixture> =
                long.stage(1).filter_map(|number| long.fixture(number, &drawn)).collect();
            assert_eq!(second.len() as u64, 2 * games);
            let openings: HashSet<u64> = second.iter().map(|game| game.opening_seed).collect();
            assert_eq!(openings.len() as u64, games.div_ceil(2));
            let blacks = second.iter().filter(|game| game.black == 4).count() as u64;
            assert_eq!(blacks, games.div_ceil(2));
        }
        let swiss = |games| Plan { format: Pairings::Swiss { games }, ..plan(3) };
        assert!(swiss(2).check(3).is_ok());
        assert!(matches!(swiss(2).check(0), Err(PlanError::Rounds(0))));
        assert!(matches!(swiss(0).check(3), Err(PlanError::Games(0))));
        let fixed = Plan { first_move: FirstMove::Fixed, ..swiss(1) };
        assert!(matches!(fixed.check(3), Err(PlanError::FirstMove)));
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
