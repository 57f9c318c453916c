//! A run as it is kept, turned back into the description it came from: so that it goes on after the
//! program has ended, and so that its report says how to play it again.

use collinear_play::{OpeningRule, TimeControl};
use collinear_rules::{Cell, Rules, notation};
use serde::Deserialize;
use thiserror::Error;

use crate::adjudication::Adjudication;
use crate::game::GameSummary;
use crate::opening::{OpeningSource, Openings};
use crate::plan::{FirstMove, Format, Pairings, Schedule};
use crate::run_spec::RunSpec;
use crate::store::RunRow;
use crate::swiss::Swiss;

/// Why a run cannot be described any more.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeptError {
    /// Its plan is not one of ours.
    #[error("the plan of run {run} cannot be read: {reason}")]
    Plan {
        /// The run.
        run: String,
        /// What is wrong.
        reason: String,
    },
    /// An old file does not say how long it is.
    #[error("run {run} does not say how many games it is to have")]
    Length {
        /// The run.
        run: String,
    },
}

/// What [`Plan::description`](crate::Plan::description) writes.
#[derive(Deserialize)]
struct KeptPlan {
    rules: Rules,
    /// Label, agent and limits of each.
    contestants: Vec<[String; 3]>,
    format: Pairings,
    first_move: FirstMove,
    openings: Openings,
    #[serde(default)]
    opening_rule: Option<OpeningRule>,
    adjudication: Adjudication,
    seed: u64,
}

impl RunRow {
    fn kept_plan(&self) -> Result<KeptPlan, KeptError> {
        serde_json::from_str(&self.plan).map_err(|error| self.unreadable(&error.to_string()))
    }

    fn unreadable(&self, reason: &str) -> KeptError {
        KeptError::Plan { run: self.id.clone(), reason: reason.to_owned() }
    }

    /// What was asked for. A test that would have ended the run is not kept.
    pub fn spec(&self) -> Result<RunSpec, KeptError> {
        let kept = self.kept_plan()?;
        let length = self.length(&kept)?;
        let (format, games) = match kept.format {
            Pairings::RoundRobin => (Format::RoundRobin, length),
            Pairings::Gauntlet => (Format::Gauntlet, length),
            Pairings::Swiss { games } => (Format::Swiss, games),
        };
        let agents: Vec<String> =
            kept.contestants.iter().map(|[label, ..]| asked(label).to_owned()).collect();
        // Who has no limits of its own has those of everybody.
        let common = kept.contestants.iter().find(|[label, agent, _]| asked(label) == agent);
        let limits = common.map_or(Ok(TimeControl::default()), |[.., limits]| limits.parse());
        Ok(RunSpec {
            format,
            rounds: (format == Format::Swiss).then_some(length),
            limits: limits.map_err(|error| self.unreadable(&error.to_string()))?,
            openings: source(&kept.rules, kept.openings),
            opening_rule: kept.opening_rule,
            first_move: kept.first_move,
            max_stones: kept.adjudication.max_stones,
            dead_draws: kept.adjudication.dead_draws,
            adjudicate: kept.adjudication.score,
            seed: kept.seed,
            ..RunSpec::new(kept.rules, agents, games)
        })
    }

    /// Rounds and table, where it is a Swiss tournament.
    pub fn swiss(&self, games: &[GameSummary]) -> Option<Swiss> {
        let kept = self.kept_plan().ok()?;
        let players = kept.contestants.len();
        let length = self.length(&kept).ok()?;
        let schedule = Schedule::new(players, kept.format, kept.first_move, length, kept.seed);
        schedule.is_drawn().then(|| Swiss::new(players, &schedule, kept.seed, games))
    }

    /// Games per matchup, or rounds.
    fn length(&self, kept: &KeptPlan) -> Result<u64, KeptError> {
        let unknown = || KeptError::Length { run: self.id.clone() };
        let planned = self.planned.ok_or_else(unknown)?;
        let one = Schedule::new(kept.contestants.len(), kept.format, kept.first_move, 1, kept.seed);
        planned.checked_div(one.len()).filter(|&length| length > 0).ok_or_else(unknown)
    }
}

/// The text a label comes from: a second contestant of the same text has a number behind it.
fn asked(label: &str) -> &str {
    match label.rsplit_once(" #") {
        Some((text, number)) if number.bytes().all(|sign| sign.is_ascii_digit()) => text,
        _ => label,
    }
}

fn source(rules: &Rules, openings: Openings) -> OpeningSource {
    match openings {
        Openings::Empty => OpeningSource::default(),
        Openings::Random(stones) => OpeningSource::Word(format!("random:{stones}")),
        Openings::List(list) => {
            let line = |cells: Vec<u16>| {
                // A file that was tampered with may name cells that are not on the board.
                let cells = cells.into_iter().map(usize::from).filter(|&cell| cell < rules.cells());
                notation::names(rules, &cells.map(Cell::new).collect::<Vec<_>>())
            };
            OpeningSource::Lines(list.into_iter().map(line).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use collinear_play::StopFlag;
    use std::sync::Arc;

    use super::*;
    use crate::adjudication::ScoreRule;
    use crate::store::Store;
    use crate::testing::registry;

    /// Every description comes back from the file as it was, in words and as a file of its own.
    #[test]
    fn a_run_can_be_described_again() {
        let base = RunSpec {
            limits: "turn=50ms,nodes=9".parse().expect("limits"),
            ..RunSpec::new(
                Rules::CONNECT4,
                ["dice", "dice", "dice:share=0.5@depth=2"].map(str::to_owned).into(),
                2,
            )
        };
        let swiss = RunSpec { format: Format::Swiss, rounds: Some(2), seed: 77, ..base.clone() };
        let specs = [
            base.clone(),
            RunSpec { format: Format::Gauntlet, first_move: FirstMove::Fixed, ..base.clone() },
            RunSpec { openings: OpeningSource::Word("random:3".to_owned()), ..swiss.clone() },
            RunSpec {
                openings: OpeningSource::Lines(vec!["d1 d2".to_owned(), "c1".to_owned()]),
                max_stones: Some(30),
                dead_draws: true,
                adjudicate: Some(ScoreRule { chance: 0.98, turns: 6 }),
                ..swiss
            },
            RunSpec {
                game: Rules::GOMOKU,
                opening_rule: Some(OpeningRule::Swap2),
                limits: TimeControl::default(),
                ..base
            },
        ];
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(Store::open(&folder.path().join("r.sqlite")).expect("a store"));
        for spec in specs {
            let job = spec.job(&registry(), "test").expect("a job");
            let stop = StopFlag::default();
            stop.stop();
            let finished = crate::run(&job, &store, &stop, &mut |_| {}).expect("begun");
            let row = store.run(&finished.run).expect("reads").expect("is there");
            let again = row.spec().expect("described");
            assert_eq!(again, spec);
            assert_eq!(again.plan(&registry()).expect("a plan").description(), row.plan);
            let file = toml::to_string(&again).expect("a file");
            assert_eq!(RunSpec::from_toml("again.toml", &file, &registry()).expect("reads"), spec);
            assert_eq!(row.swiss(&[]).is_some(), spec.format == Format::Swiss);
        }
    }

    #[test]
    fn what_was_tampered_with_is_refused() {
        let row = |plan: &str, planned| RunRow {
            id: "x".to_owned(),
            name: "match".to_owned(),
            started: String::new(),
            rules: "connect4".to_owned(),
            build: String::new(),
            plan: plan.to_owned(),
            games: 0,
            planned,
            ended: None,
        };
        assert!(matches!(row("{}", Some(4)).spec(), Err(KeptError::Plan { .. })));
        let plan = crate::testing::plan(2).description();
        assert!(matches!(row(&plan, None).spec(), Err(KeptError::Length { .. })));
        assert!(matches!(row(&plan, Some(0)).spec(), Err(KeptError::Length { .. })));
        assert_eq!(row(&plan, Some(4)).spec().map(|spec| spec.games), Ok(4));
        let nobody = plan.replace("[[\"dice\",\"dice\",\"\"],[\"dice\",\"dice\",\"\"]]", "[]");
        assert_ne!(nobody, plan);
        assert!(matches!(row(&nobody, Some(4)).spec(), Err(KeptError::Length { .. })));
        let cells = plan.replace("\"empty\"", "{\"list\":[[9999]]}");
        assert_ne!(cells, plan);
        assert!(row(&cells, Some(4)).spec().is_ok());
    }
}
