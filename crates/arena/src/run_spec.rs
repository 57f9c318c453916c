//! One description of a run: what is played, by whom, how often, where games start and when they end.
//!
//! The command line, files, the page, Python and the cluster all fill in a [`RunSpec`]; from it comes
//! the checked [`Plan`], and from the plan every game. How a run is played (on how many threads, which
//! part of it, into which file) is not in here: it changes no game.
//!
//! As a file:
//!
//! ```toml
//! game = "9x9,k=5"
//! games = 20                  # per matchup
//! agents = ["random", "kate@depth=3"]
//! # Everything below is optional.
//! format = "round-robin"      # or "gauntlet": the first agent against all others; or "swiss"
//! rounds = 5                  # of a Swiss tournament; unless given, enough for one unbeaten agent
//! limits = "100ms"            # for all who have none of their own
//! openings = "random:3"       # or a list such as ["j10", "j10 k11 l12"]
//! opening-rule = "swap2"      # or "swap", "swap1": the players choose their colours; then no openings
//! first-move = "alternating"  # or "fixed"
//! max-stones = 60
//! dead-draws = true
//! adjudicate = { chance = 0.98, turns = 6 }
//! seed = 1
//! sprt = { elo0 = 0, elo1 = 10 }
//! ```

use collinear_play::{DialogueError, OpeningRule, Registry, TimeControl};
use collinear_rules::Rules;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::adjudication::{Adjudication, ScoreRule};
use crate::opening::{OpeningError, OpeningSource, Openings};
use crate::plan::{Contestant, ContestantError, FirstMove, Format, Pairings, Plan, PlanError};
use crate::runner::Job;
use crate::spec_file::{FileError, Source};
use crate::stats::Bounds;

/// What is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RunSpec {
    /// The game.
    pub game: Rules,
    /// Games per matchup.
    pub games: u64,
    /// Who takes part: `agent[:key=value,…][@limits]`.
    pub agents: Vec<String>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// Rounds of a Swiss tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// What everybody may spend who has no limits of their own.
    #[serde(default)]
    pub limits: TimeControl,
    /// Where games start.
    #[serde(default)]
    pub openings: OpeningSource,
    /// How the players settle who plays Black; then whoever moves first opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_rule: Option<OpeningRule>,
    /// Who moves first.
    #[serde(default)]
    pub first_move: FirstMove,
    /// A draw is adjudicated after this many stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_stones: Option<usize>,
    /// A draw is adjudicated as soon as no row is possible any more.
    #[serde(default)]
    pub dead_draws: bool,
    /// A win is adjudicated when both players agree about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicate: Option<ScoreRule>,
    /// Seed for all random choices.
    #[serde(default = "one")]
    pub seed: u64,
    /// The run ends as soon as this test is decided. For two contestants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Bounds>,
}

const fn one() -> u64 {
    1
}

/// Why a description cannot be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunSpecError {
    /// A contestant cannot be read.
    #[error("{reason}")]
    Contestant {
        /// Which, from 0.
        at: usize,
        /// What is wrong.
        reason: ContestantError,
    },
    /// The openings cannot be read.
    #[error("openings: {0}")]
    Openings(OpeningError),
    /// The game has no such openings, or they begin with stones.
    #[error("opening-rule: {0}")]
    OpeningRule(OpeningRuleError),
    /// The rule for wins cannot be used.
    #[error(
        "adjudicate: a chance above 0.5 and up to 1 and a number of turns are needed, such as 0.98 and 6"
    )]
    Adjudicate,
    /// The test cannot be used.
    #[error("sprt: {0}")]
    Sprt(String),
    /// Rounds of something else.
    #[error("rounds: only a Swiss tournament has rounds: for more games of the others, set games")]
    Rounds,
}

/// Why the colours cannot be chosen by an opening rule.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningRuleError {
    /// Not in this game.
    #[error(transparent)]
    Game(#[from] DialogueError),
    /// The stones of an opening rule are the players'.
    #[error("the players put the first stones themselves: leave openings out")]
    Stones,
}

impl RunSpecError {
    /// The key of the description that is wrong, and which element of its list.
    const fn place(&self) -> (&'static str, Option<usize>) {
        match self {
            Self::Contestant { at, .. } => ("agents", Some(*at)),
            Self::Openings(_) => ("openings", None),
            Self::OpeningRule(_) => ("opening-rule", None),
            Self::Adjudicate => ("adjudicate", None),
            Self::Sprt(_) => ("sprt", None),
            Self::Rounds => ("rounds", None),
        }
    }
}

impl RunSpec {
    /// A round robin from the empty board without limits.
    pub fn new(game: Rules, agents: Vec<String>, games: u64) -> Self {
        Self {
            game,
            games,
            agents,
            format: Format::default(),
            rounds: None,
            limits: TimeControl::default(),
            openings: OpeningSource::default(),
            opening_rule: None,
            first_move: FirstMove::default(),
            max_stones: None,
            dead_draws: false,
            adjudicate: None,
            seed: one(),
            sprt: None,
        }
    }

    /// Reads a file. Everything is checked, every agent built once: complaints name the line.
    pub fn from_toml(file: &str, text: &str, registry: &Registry) -> Result<Self, FileError> {
        let source = Source { file, text };
        let spec: Self = source.read()?;
        let plan = spec.plan(registry).map_err(|error| {
            let (key, at) = error.place();
            source.error(&source.span(key, at), error.to_string())
        })?;
        plan.check(spec.length()).map_err(|error| {
            let (key, at) = match &error {
                PlanError::Games(_) => ("games", None),
                PlanError::Rounds(_) => ("rounds", None),
                PlanError::FirstMove => ("first-move", None),
                PlanError::Opening(_) => ("openings", None),
                PlanError::OpeningRule(_) => ("opening-rule", None),
                PlanError::Agent { label, .. } => {
                    ("agents", plan.contestants.iter().position(|one| one.label == *label))
                }
                PlanError::TooFew(_) | PlanError::TooMany(_) => ("agents", None),
            };
            source.error(&source.span(key, at), error.to_string())
        })?;
        Ok(spec)
    }

    /// The plan: everything that was text becomes typed. [`Plan::check`] then builds every agent.
    pub fn plan(&self, registry: &Registry) -> Result<Plan, RunSpecError> {
        if self.adjudicate.is_some_and(|rule| !rule.is_sensible()) {
            return Err(RunSpecError::Adjudicate);
        }
        if self.rounds.is_some() && self.format != Format::Swiss {
            return Err(RunSpecError::Rounds);
        }
        if let Some(problem) = self.sprt.and_then(|bounds| bounds.problem()) {
            return Err(RunSpecError::Sprt(problem));
        }
        let openings = self.openings.openings(&self.game).map_err(RunSpecError::Openings)?;
        if let Some(rule) = self.opening_rule {
            rule.check(&self.game).map_err(|error| RunSpecError::OpeningRule(error.into()))?;
            if openings != Openings::Empty {
                return Err(RunSpecError::OpeningRule(OpeningRuleError::Stones));
            }
        }
        let mut contestants = Vec::new();
        for (at, agent) in self.agents.iter().enumerate() {
            let contestant = Contestant::parse(registry, agent, self.limits)
                .map_err(|reason| RunSpecError::Contestant { at, reason })?;
            contestants.push(contestant);
        }
        Contestant::tell_apart(&mut contestants);
        Ok(Plan {
            rules: self.game,
            contestants,
            format: match self.format {
                Format::RoundRobin => Pairings::RoundRobin,
                Format::Gauntlet => Pairings::Gauntlet,
                Format::Swiss => Pairings::Swiss { games: self.games },
            },
            first_move: self.first_move,
            openings,
            opening_rule: self.opening_rule,
            adjudication: Adjudication {
                max_stones: self.max_stones,
                dead_draws: self.dead_draws,
                score: self.adjudicate,
            },
            seed: self.seed,
        })
    }

    /// The length of the run, as [`Plan::schedule`] has it.
    pub fn length(&self) -> u64 {
        match self.format {
            Format::Swiss => self.rounds.unwrap_or_else(|| usual_rounds(self.agents.len())),
            _ => self.games,
        }
    }

    /// The job that plays all of it, one game at a time, with this build of the program.
    pub fn job(&self, registry: &Registry, build: &str) -> Result<Job, RunSpecError> {
        let name = if self.agents.len() == 2 { "match" } else { "tournament" };
        Ok(Job {
            build: build.to_owned(),
            name: name.to_owned(),
            sprt: self.sprt,
            ..Job::new(self.plan(registry)?, self.length())
        })
    }
}

/// After so many rounds at most one of them has won all its games.
fn usual_rounds(players: usize) -> u64 {
    players.max(2).next_power_of_two().ilog2().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::registry;

    const GOOD: &str = "game = \"connect4\"\ngames = 6\nformat = \"gauntlet\"\n\
        limits = \"nodes=9\"\nagents = [\n  \"dice\",\n  \"dice:share=0.2@depth=2\",\n  \"dice\",\n]\n";

    #[test]
    fn a_file_becomes_a_plan() {
        let spec = RunSpec::from_toml("cup.toml", GOOD, &registry()).expect("good");
        let plan = spec.plan(&registry()).expect("good");
        assert_eq!((spec.games, plan.format, plan.seed), (6, Pairings::Gauntlet, 1));
        let labels: Vec<_> = plan.contestants.iter().map(|c| c.label.as_str()).collect();
        assert_eq!(labels, ["dice", "dice:share=0.2@depth=2", "dice #2"]);
        assert_eq!(plan.contestants[0].control.nodes, Some(9));
        assert_eq!(plan.contestants[1].control.depth, Some(2));
        assert_eq!(spec.job(&registry(), "1").expect("good").name, "tournament");
    }

    #[test]
    fn a_swiss_tournament_has_rounds() {
        let text = GOOD.replace("gauntlet", "swiss");
        let spec = RunSpec::from_toml("cup.toml", &text, &registry()).expect("good");
        let job = spec.job(&registry(), "1").expect("good");
        // Three players: two rounds of one meeting with six games.
        assert_eq!((job.games, job.plan.format), (2, Pairings::Swiss { games: 6 }));
        assert_eq!(job.plan.schedule(job.games).len(), 12);
        let longer = RunSpec { rounds: Some(3), ..spec.clone() };
        let job_of = |spec: &RunSpec| spec.job(&registry(), "1").expect("good");
        assert_eq!(job_of(&longer).games, 3);
        assert_eq!(job_of(&longer).plan.run_id("1"), job.plan.run_id("1"));
        let other = job_of(&RunSpec { games: 2, ..spec });
        assert_ne!(other.plan.run_id("1"), job.plan.run_id("1"));
        assert_eq!([2, 3, 4, 5, 8, 9, 16].map(usual_rounds), [1, 2, 2, 3, 3, 4, 4]);
    }

    #[test]
    fn every_key_can_be_written_and_comes_back() {
        let text = GOOD.to_owned()
            + "openings = [\"d1\", \"d1 d2\"]\nfirst-move = \"fixed\"\nmax-stones = 9\n\
               dead-draws = true\nadjudicate = { chance = 0.9, turns = 4 }\nseed = 7\n\
               sprt = { elo0 = 0, elo1 = 10, scale = \"normalised\" }\n";
        let spec = RunSpec::from_toml("cup.toml", &text, &registry()).expect("good");
        let json = serde_json::to_string(&spec).expect("plain data");
        assert_eq!(serde_json::from_str::<RunSpec>(&json).expect("reads"), spec);
        let plan = spec.plan(&registry()).expect("good");
        assert_eq!(plan.openings, Openings::List(vec![vec![3], vec![3, 10]]));
        assert_eq!(plan.adjudication.score.map(|rule| rule.turns), Some(4));
        assert_eq!(spec.sprt.map(|bounds| bounds.alpha), Some(0.05));
    }

    #[test]
    fn complaints_name_the_line() {
        for (from, to, line, words) in [
            ("games = 6", "games = 99999999999", 2, "1 to 10000000"),
            ("games = 6", "games = -1", 2, ""),
            ("gauntlet", "cup", 3, "`round-robin`, `gauntlet`, `swiss`"),
            ("limits = \"nodes=9\"", "rounds = 3", 4, "only a Swiss tournament"),
            ("gauntlet\"\nlimits = \"nodes=9", "swiss\"\nrounds = 0 # \"", 4, "1 to 1000"),
            ("gauntlet\"\nlimits = \"nodes=9", "swiss\"\nfirst-move = \"fixed", 4, "alternates"),
            ("nodes=9", "nodes=x", 4, "whole number"),
            ("\"dice\",\n]", "\"dise\",\n]", 8, "did you mean dice?"),
            ("connect4", "3x3,k=9", 1, "does not fit"),
            ("limits", "limit", 4, "unknown field `limit`"),
            ("limits = \"nodes=9\"", "openings = \"dice\"", 4, "known are empty"),
            ("limits = \"nodes=9\"", "openings = [\"d1\", \"z9\"]", 4, "line 2"),
            ("limits = \"nodes=9\"", "openings = \"random:42\"", 4, "fewer stones"),
            ("limits = \"nodes=9\"", "sprt = { elo0 = 5, elo1 = 0 }", 4, "the smaller first"),
            ("limits = \"nodes=9\"", "opening-rule = \"swap2\"", 4, "one stone per turn"),
            ("limits = \"nodes=9\"", "opening-rule = \"swap3\"", 4, "swap1"),
            ("limits = \"nodes=9\"", "adjudicate = { chance = 2, turns = 1 }", 4, "above 0.5"),
        ] {
            let text = GOOD.replacen(from, to, 1);
            let error = RunSpec::from_toml("cup.toml", &text, &registry()).expect_err(to);
            assert_eq!(error.line, line, "{error}");
            assert!(error.message.contains(words), "{error}");
        }
        let stones = GOOD
            .replace("connect4", "gomoku")
            .replace("limits = \"nodes=9\"", "openings = \"random:3\"\nopening-rule = \"swap2\"");
        let error = RunSpec::from_toml("cup.toml", &stones, &registry()).expect_err("both");
        assert!(error.message.contains("leave openings out") && error.line == 5, "{error}");
        let lonely = GOOD.replace("  \"dice:share=0.2@depth=2\",\n  \"dice\",\n", "");
        let error = RunSpec::from_toml("cup.toml", &lonely, &registry()).expect_err("one agent");
        assert!(error.message.contains("at least two"), "{error}");
        assert_eq!(error.line, 5);
    }
}
