//! Matches and tournaments: the arena's runs, described by the arguments of the command line.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use collinear_arena::{Ended, Finished, Format, PlayedGame, Progress, Scoreboard, Shard, Store};
use collinear_play::StopFlag;
use collinear_rules::notation;
use pyo3::prelude::*;

use crate::errors::RunError;
use crate::{interrupt, players};

/// A match or a tournament that can be played, watched, merged and read.
#[pyclass(module = "collinear._native", name = "Run", frozen)]
pub(crate) struct PythonRun {
    run: collinear::Run,
    is_match: bool,
}

#[pymethods]
impl PythonRun {
    /// `arguments` are those of `collinear match` or `collinear tournament`, the command first;
    /// `program` is the file that names the build. Of a run that is cut into shards, `(index, of)`
    /// is played here, one game at a time and without a test: no shard sees all games.
    #[new]
    #[pyo3(signature = (arguments, program, shard=None))]
    fn new(
        py: Python<'_>,
        arguments: Vec<String>,
        program: PathBuf,
        shard: Option<(u64, u64)>,
    ) -> PyResult<Self> {
        let is_match = arguments.first().is_some_and(|command| command == "match");
        let registry = players::registry(py)?;
        py.detach(move || {
            let mut run = collinear::Run::from_arguments(&arguments, &registry)?;
            run.job.build = collinear::build_name_of(&program)?;
            if let Some((index, of)) = shard {
                run.job.shard = Shard { index, of };
                (run.job.workers, run.job.sprt) = (1, None);
            }
            let schedule = run.job.plan.schedule(run.job.games);
            run.store.begin(&run.job.plan, &run.job.build, &run.job.name, schedule.len())?;
            Ok(Self { run, is_match })
        })
        .map_err(wrong)
    }

    /// The run's name: a hash of everything that decides its games, the build included.
    #[getter]
    fn id(&self) -> String {
        self.run.job.plan.run_id(&self.run.job.build)
    }

    /// The program that plays.
    #[getter]
    fn build(&self) -> &str {
        &self.run.job.build
    }

    /// The file of results.
    #[getter]
    fn db(&self) -> PathBuf {
        self.run.store.path().to_owned()
    }

    /// The contestants' names.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.run.job.plan.contestants.iter().map(|contestant| contestant.label.clone()).collect()
    }

    /// Plays what is left; `heard` is called with every finished game as JSON. Ctrl-C stops the
    /// run and keeps what was played. Returns the summary as JSON.
    #[pyo3(signature = (heard=None))]
    fn play(&self, py: Python<'_>, heard: Option<Py<PyAny>>) -> PyResult<String> {
        let stop = StopFlag::default();
        let (job, store, flag) = (self.run.job.clone(), self.run.store.clone(), stop.clone());
        let labels = self.labels();
        let (finished, failed) = interrupt::run(py, &stop, move || {
            let mut failed = None;
            let mut tell = |progress: &Progress<'_>| {
                let (Some(game), Some(heard)) = (progress.game, &heard) else { return };
                let event = collinear::game_event(&labels, game, progress).to_string();
                if let Err(error) = Python::attach(|py| heard.call1(py, (event,)).map(drop)) {
                    flag.stop();
                    failed = Some(error);
                }
            };
            (collinear_arena::run(&job, &store, &flag, &mut tell), failed)
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let finished = finished.map_err(|error| RunError::new_err(error.to_string()))?;
        Ok(self.summary(&finished))
    }

    /// The summary as JSON of what is in the file of results, without playing. A test is decided
    /// by the longest row of finished pairs from the first one on.
    fn standing(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| {
            let job = &self.run.job;
            let schedule = job.plan.schedule(job.games);
            let mut games = self.run.store.summaries(&job.plan.run_id(&job.build))?;
            games.retain(|game| schedule.get(game.number).is_some());
            let mut score = Scoreboard::new(&job.plan, job.sprt);
            for game in &games {
                score.add(game);
            }
            let ended = if let Some(pair) = score.decided_by() {
                games.retain(|game| game.pair <= pair);
                Ended::Decided
            } else if games.len() as u64 == schedule.len() {
                Ended::Complete
            } else {
                Ended::Stopped
            };
            let run = job.plan.run_id(&job.build);
            let (total, elapsed) = (schedule.len(), Duration::ZERO);
            Ok(self.summary(&Finished { run, ended, games, played: 0, total, elapsed }))
        })
        .map_err(wrong)
    }

    /// The numbers of the games in the file.
    fn numbers(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let run = self.id();
        let games = py.detach(|| self.run.store.summaries(&run)).map_err(|e| wrong(e.into()))?;
        Ok(games.into_iter().map(|game| game.number).collect())
    }

    /// The numbers of the games of every shard, when the run is cut into `of` of them.
    fn shards(&self, of: u64) -> Vec<Vec<u64>> {
        let schedule = self.run.job.plan.schedule(self.run.job.games);
        let of = of.clamp(1, schedule.len().max(1));
        let mut shards = vec![Vec::new(); of as usize];
        for fixture in schedule.iter() {
            shards[(fixture.pair % of) as usize].push(fixture.number);
        }
        shards
    }

    /// The whole games in the file, each as JSON.
    fn games(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let (id, labels) = (self.id(), self.labels());
        py.detach(|| {
            let mut games = Vec::new();
            if let Some(row) = self.run.store.run(&id)? {
                self.run
                    .store
                    .each_game(&row, &mut |game| games.push(self.game(&labels, &game)))?;
            }
            Ok(games)
        })
        .map_err(wrong)
    }

    /// Takes over the games of another file that are not here yet; says how many.
    fn merge(&self, py: Python<'_>, file: PathBuf) -> PyResult<u64> {
        let merged = py.detach(|| self.run.store.merge_new(&file)).map_err(|e| wrong(e.into()))?;
        Ok(merged.games)
    }

    /// Notes how the run ended, for whoever looks at the file: `"complete"`, `"decided"` or
    /// `"stopped"`.
    fn end(&self, py: Python<'_>, ended: &str) -> PyResult<()> {
        let ended = Ended::from_name(ended)
            .ok_or_else(|| crate::errors::value_error(format!("{ended:?} is no end of a run")))?;
        py.detach(|| self.run.store.end(&self.id(), ended)).map_err(|e| wrong(e.into()))
    }
}

impl PythonRun {
    fn summary(&self, finished: &Finished) -> String {
        let job = &self.run.job;
        if self.is_match && job.plan.format == Format::RoundRobin {
            collinear::match_summary(job, finished).to_string()
        } else {
            collinear::tournament_summary(job, finished).to_string()
        }
    }

    fn game(&self, labels: &[String], game: &PlayedGame) -> String {
        let (summary, rules) = (&game.summary, self.run.job.plan.rules);
        serde_json::json!({
            "number": summary.number,
            "pair": summary.pair,
            "game": crate::game::name(&rules),
            "black": labels[summary.black],
            "white": labels[summary.white],
            "result": summary.result_name(),
            "ending": summary.reason,
            "words": game.record.end.as_ref().and_then(|end| end.detail.as_ref()),
            "opening": game.record.opening,
            "moves": notation::names(&rules, &game.record.moves()),
            "turns": [summary.sides[0].turns, summary.sides[1].turns],
            "seconds": summary.sides.map(|side| side.micros as f64 / 1e6),
            "nodes": summary.sides.map(|side| side.nodes),
        })
        .to_string()
    }
}

fn wrong(error: anyhow::Error) -> PyErr {
    RunError::new_err(format!("{error:#}"))
}

/// The command `collinear` with these arguments, the program's name first; returns its exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    let code = py.detach(|| collinear::main(arguments));
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(1)
}

/// The name of the build that a program's file is.
#[pyfunction]
pub(crate) fn build_name(program: PathBuf) -> PyResult<String> {
    collinear::build_name_of(&program).map_err(wrong)
}

/// Takes the games of a file of results that are new over into another one; says how many.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, into: PathBuf, file: PathBuf) -> PyResult<u64> {
    let merged = py.detach(|| Store::open(&into)?.merge_new(&file));
    merged.map(|merged| merged.games).map_err(|error| wrong(error.into()))
}
