//! A match or a tournament as its arguments describe it, and its summary as JSON: what `--json`
//! prints, and what the Python package plays and reads.

use std::sync::Arc;

use anyhow::Result;
use clap::Parser;
use collinear_arena::Scoreboard;
use collinear_arena::Standings;
use collinear_arena::Store;
use collinear_arena::{Finished, Job};
use collinear_play::Registry;
use serde_json::{Value, json};

use crate::commands::Arguments;

/// A run that can be played.
pub struct Run {
    /// What is played.
    pub job: Job,
    /// Where its games are kept.
    pub store: Arc<Store>,
}

impl Run {
    /// Reads the arguments of `collinear match` or `collinear tournament`, the command first, and
    /// opens its file of results. A run that is to start afresh forgets its games.
    pub fn from_arguments(arguments: &[String], registry: &Registry) -> Result<Self> {
        let given = std::iter::once("collinear").chain(arguments.iter().map(String::as_str));
        let arguments = Arguments::try_parse_from(given)?;
        let (job, args) = arguments.job(registry)?;
        let store = args.place.open()?;
        if args.fresh {
            store.forget(&job.plan.run_id(&job.build))?;
        }
        Ok(Self { job, store })
    }
}

/// The table and the score of what has been played.
pub(crate) fn tables(job: &Job, finished: &Finished) -> (Standings, Scoreboard) {
    let labels: Vec<_> = job.plan.contestants.iter().map(|c| c.label.clone()).collect();
    let mut score = Scoreboard::new(&job.plan, job.sprt);
    for game in &finished.games {
        score.add(game);
    }
    (Standings::new(&labels, &finished.games), score)
}

/// The last line of `collinear match --json`.
pub fn match_summary(job: &Job, finished: &Finished) -> Value {
    let (standings, score) = tables(job, finished);
    let tally = score.tally(0);
    let mut summary = progress(finished);
    for (key, value) in [
        ("score", json!(tally.score())),
        ("tally", json!(tally)),
        ("wilson", json!(score.interval(0))),
        ("distinct", json!(score.distinct())),
        ("pairs", json!(score.sample())),
        ("elo", json!(score.estimate())),
        ("sprt", json!(score.sprt())),
        ("standings", json!(standings)),
    ] {
        summary[key] = value;
    }
    summary
}

/// The last line of `collinear tournament --json`.
pub fn tournament_summary(job: &Job, finished: &Finished) -> Value {
    let mut summary = progress(finished);
    summary["standings"] = json!(tables(job, finished).0);
    summary
}

/// How far a run has come.
fn progress(finished: &Finished) -> Value {
    json!({
        "event": "summary",
        "run": finished.run,
        "ended": finished.ended,
        "games": finished.games.len(),
        "played_now": finished.played,
        "total": finished.total,
        "seconds": finished.elapsed.as_secs_f64(),
    })
}
