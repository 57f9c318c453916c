//! Matches and tournaments: the arena's runs, described from Python.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use collinear::Carrier;
use collinear_arena::stats::Bounds;
use collinear_arena::{
    Ended, Finished, Job, OpeningSource, PlayedGame, Progress, RunSpec, Shard, Store, game_event,
    standing, summary,
};
use collinear_play::{StopFlag, TimeControl};
use collinear_rules::notation;
use pyo3::prelude::*;

use crate::errors::{RunError, value_error};
use crate::{interrupt, players};

/// What is played: the arena's description of a run, which travels between machines as JSON.
#[pyclass(module = "collinear._native", name = "RunSpec", frozen)]
pub(crate) struct PythonRunSpec(RunSpec);

/// Openings by a word, by a file, or in a list.
#[derive(FromPyObject)]
enum GivenOpenings {
    Named(String),
    Listed(Vec<String>),
}

#[pymethods]
impl PythonRunSpec {
    /// Limits are those of everybody who has none of their own: `time` in seconds per turn.
    #[new]
    #[pyo3(signature = (agents, *, game="connect6", games=100, seed=1, time=None, nodes=None,
        depth=None, openings=None, opening_rule=None, sprt=None, format="round-robin",
        rounds=None))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn new(
        agents: Vec<String>,
        game: &str,
        games: u64,
        seed: u64,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        openings: Option<GivenOpenings>,
        opening_rule: Option<&str>,
        sprt: Option<(f64, f64)>,
        format: &str,
        rounds: Option<u64>,
    ) -> PyResult<Self> {
        if nodes == Some(0) || depth == Some(0) {
            return Err(value_error("nodes and depth are limits from 1 on, or None"));
        }
        let turn = time.map(Duration::try_from_secs_f64).transpose().map_err(value_error)?;
        let openings = match openings {
            None => OpeningSource::default(),
            Some(GivenOpenings::Listed(lines)) => OpeningSource::Lines(lines),
            Some(GivenOpenings::Named(name)) => {
                OpeningSource::word_or_file(&name).map_err(refused)?
            }
        };
        let format = serde_json::from_value(format.into()).map_err(value_error)?;
        Ok(Self(RunSpec {
            format,
            rounds,
            limits: TimeControl { turn, nodes, depth, ..TimeControl::default() },
            openings,
            opening_rule: opening_rule.map(str::parse).transpose().map_err(value_error)?,
            seed,
            sprt: sprt.map(|(elo0, elo1)| Bounds::new(elo0, elo1)),
            ..RunSpec::new(game.parse().map_err(refused)?, agents, games)
        }))
    }

    /// The description that `json` gave.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map(Self).map_err(refused)
    }

    /// The description as text.
    #[getter]
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(refused)
    }
}

/// A match or a tournament that can be played, watched, merged and read.
#[pyclass(module = "collinear._native", name = "Run", frozen)]
pub(crate) struct PythonRun {
    job: Job,
    store: Arc<Store>,
}

#[pymethods]
impl PythonRun {
    /// Opens `db`, the file of results; `program` is the file that names the build. Of a run that is
    /// cut into shards, `(index, of)` is played here, one game at a time and without a test: no shard
    /// sees all games. A run that is to start `fresh` forgets its games.
    #[new]
    #[pyo3(signature = (spec, db, program, *, concurrency=None, fresh=false, shard=None))]
    fn new(
        py: Python<'_>,
        spec: &PythonRunSpec,
        db: PathBuf,
        program: PathBuf,
        concurrency: Option<usize>,
        fresh: bool,
        shard: Option<(u64, u64)>,
    ) -> PyResult<Self> {
        let registry = players::registry(py)?;
        py.detach(|| {
            let build = collinear_arena::build_name(&program).map_err(refused)?;
            let mut job = spec.0.job(&registry, &build).map_err(refused)?;
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            job.workers = concurrency.unwrap_or(cores);
            if let Some((index, of)) = shard {
                job.shard = Shard { index, of };
                (job.workers, job.sprt) = (1, None);
            }
            job.plan.check(job.games).map_err(refused)?;
            let store = Store::open(&db).map_err(refused)?;
            if fresh {
                store.forget(&job.plan.run_id(&job.build)).map_err(refused)?;
            }
            let games = job.plan.schedule(job.games).len();
            store.begin(&job.plan, &job.build, &job.name, games).map_err(refused)?;
            Ok(Self { job, store: Arc::new(store) })
        })
    }

    /// The run's name: a hash of everything that decides its games, the build included.
    #[getter]
    fn id(&self) -> String {
        self.job.plan.run_id(&self.job.build)
    }

    /// The program that plays.
    #[getter]
    fn build(&self) -> &str {
        &self.job.build
    }

    /// The file of results.
    #[getter]
    fn db(&self) -> PathBuf {
        self.store.path().to_owned()
    }

    /// The contestants' names.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.job.plan.labels()
    }

    /// Plays what is left; `heard` is called with every finished game as JSON. Ctrl-C stops the
    /// run and keeps what was played. Returns the summary as JSON.
    #[pyo3(signature = (heard=None))]
    fn play(&self, py: Python<'_>, heard: Option<Py<PyAny>>) -> PyResult<String> {
        let stop = StopFlag::default();
        let (job, store, flag) = (self.job.clone(), self.store.clone(), stop.clone());
        let labels = self.labels();
        let (finished, failed) = interrupt::run(py, &stop, move || {
            let mut failed = None;
            let mut tell = |progress: &Progress<'_>| {
                let (Some(game), Some(heard)) = (progress.game, &heard) else { return };
                let event = game_event(&labels, game, progress).to_string();
                if let Err(error) = Python::attach(|py| heard.call1(py, (event,)).map(drop)) {
                    flag.stop();
                    failed = Some(error);
                }
            };
            (collinear_arena::run(&job, &store, &flag, &mut tell), failed)
        })?;
        match failed {
            Some(error) => Err(error),
            None => Ok(self.summary(&finished.map_err(refused)?)),
        }
    }

    /// The summary as JSON of what is in the file of results, without playing.
    fn standing(&self, py: Python<'_>) -> PyResult<String> {
        let finished = py.detach(|| standing(&self.job, &self.store)).map_err(refused)?;
        Ok(self.summary(&finished))
    }

    /// The numbers of the games in the file.
    fn numbers(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let games = py.detach(|| self.store.summaries(&self.id())).map_err(refused)?;
        Ok(games.into_iter().map(|game| game.number).collect())
    }

    /// The numbers of the games of every shard, when the run is cut into `of` of them.
    fn shards(&self, of: u64) -> PyResult<Vec<Vec<u64>>> {
        let schedule = self.job.plan.schedule(self.job.games);
        if schedule.is_drawn() {
            return Err(refused(collinear_arena::RunError::DrawnShard));
        }
        let of = of.clamp(1, schedule.len().max(1));
        let mut shards = vec![Vec::new(); of as usize];
        for fixture in schedule.iter() {
            shards[(fixture.pair % of) as usize].push(fixture.number);
        }
        Ok(shards)
    }

    /// The whole games in the file, each as JSON.
    fn games(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let (id, labels) = (self.id(), self.labels());
        py.detach(|| {
            let mut games = Vec::new();
            if let Some(row) = self.store.run(&id)? {
                self.store.each_game(&row, &mut |game| games.push(self.game(&labels, &game)))?;
            }
            Ok(games)
        })
        .map_err(|error: collinear_arena::StoreError| refused(error))
    }

    /// Takes over the games of another file that are not here yet; says how many.
    fn merge(&self, py: Python<'_>, file: PathBuf) -> PyResult<u64> {
        let merged = py.detach(|| self.store.merge_new(&file)).map_err(refused)?;
        Ok(merged.games)
    }

    /// Notes how the run ended, for whoever looks at the file: `"complete"`, `"decided"` or
    /// `"stopped"`.
    fn end(&self, py: Python<'_>, ended: &str) -> PyResult<()> {
        let ended = Ended::from_name(ended)
            .ok_or_else(|| value_error(format!("{ended:?} is not how a run ends")))?;
        py.detach(|| self.store.end(&self.id(), ended)).map_err(refused)
    }
}

impl PythonRun {
    fn summary(&self, finished: &Finished) -> String {
        summary(&self.job, finished).to_string()
    }

    fn game(&self, labels: &[String], game: &PlayedGame) -> String {
        let (summary, rules) = (&game.summary, self.job.plan.rules);
        serde_json::json!({
            "number": summary.number,
            "pair": summary.pair,
            "game": crate::game::name(&rules),
            "black": labels[summary.black],
            "white": labels[summary.white],
            "result": summary.result_name(),
            "ending": summary.reason,
            "words": game.detail(),
            "opening": game.record.opening,
            "moves": notation::names(&rules, &game.record.moves()),
            "turns": [summary.sides[0].turns, summary.sides[1].turns],
            "seconds": summary.sides.map(|side| side.micros as f64 / 1e6),
            "nodes": summary.sides.map(|side| side.nodes),
        })
        .to_string()
    }
}

fn refused(error: impl std::fmt::Display) -> PyErr {
    RunError::new_err(error.to_string())
}

/// The command `collinear` with these arguments, the program's name first; returns its exit code.
/// `program` is the file that names the build, `python` this very interpreter.
#[pyfunction]
pub(crate) fn command(
    py: Python<'_>,
    arguments: Vec<std::ffi::OsString>,
    program: PathBuf,
    python: PathBuf,
) -> u8 {
    let code = py.detach(|| collinear::main(arguments, &Carrier { program, python }));
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(1)
}

/// The name of the build that a program's file is.
#[pyfunction]
pub(crate) fn build_name(program: PathBuf) -> PyResult<String> {
    collinear_arena::build_name(&program).map_err(refused)
}

/// Takes the games of a file of results that are new over into another one; says how many.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, into: PathBuf, file: PathBuf) -> PyResult<u64> {
    let merged = py.detach(|| Store::open(&into)?.merge_new(&file)).map_err(refused)?;
    Ok(merged.games)
}
