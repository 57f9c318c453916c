//! A run as JSON: what `--json` prints, and what Python reads. And how a run stands, from its file.

use std::time::Duration;

use serde_json::{Value, json};

use crate::plan::Pairings;
use crate::runner::{Ended, EndedGame, Finished, Job, Progress};
use crate::score::Scoreboard;
use crate::standings::Standings;
use crate::store::{Store, StoreError};

/// A finished game, as it is told of while the run is on.
pub fn game_event(labels: &[String], game: &EndedGame, progress: &Progress<'_>) -> Value {
    let summary = &game.summary;
    json!({
        "event": "game",
        "number": summary.number,
        "black": labels[summary.black],
        "white": labels[summary.white],
        "result": summary.result_name(),
        "ending": summary.reason,
        "words": game.detail,
        "stones": game.stones,
        "done": progress.done,
        "total": progress.total,
        "llr": progress.score.sprt().map(|sprt| sprt.llr),
    })
}

/// The table and the score of what has been played.
pub fn tables(job: &Job, finished: &Finished) -> (Standings, Scoreboard) {
    let mut score = Scoreboard::new(&job.plan, job.sprt);
    for game in &finished.games {
        score.add(game);
    }
    (Standings::new(&job.plan.labels(), &finished.games), score)
}

/// What a run came to. A match between two has a score, Elo and a test; every run has standings.
pub fn summary(job: &Job, finished: &Finished) -> Value {
    let (standings, score) = tables(job, finished);
    let mut summary = json!({
        "event": "summary",
        "run": finished.run,
        "ended": finished.ended,
        "games": finished.games.len(),
        "played_now": finished.played,
        "total": finished.total,
        "seconds": finished.elapsed.as_secs_f64(),
    });
    if job.plan.contestants.len() == 2 && job.plan.format == Pairings::RoundRobin {
        let tally = score.tally(0);
        for (key, value) in [
            ("score", json!(tally.score())),
            ("tally", json!(tally)),
            ("wilson", json!(score.interval(0))),
            ("distinct", json!(score.distinct())),
            ("pairs", json!(score.sample())),
            ("elo", json!(score.estimate())),
            ("sprt", json!(score.sprt())),
        ] {
            summary[key] = value;
        }
    }
    if let Some(swiss) = job.plan.swiss(job.games, &finished.games) {
        summary["swiss"] = json!(swiss);
    }
    summary["standings"] = json!(standings);
    summary
}

/// How a run stands by what is in its file, without playing. A test is decided by the longest
/// sequence of finished pairs from the first one on.
pub fn standing(job: &Job, store: &Store) -> Result<Finished, StoreError> {
    let (run, schedule) = (job.plan.run_id(&job.build), job.plan.schedule(job.games));
    let mut games = store.summaries(&run)?;
    games.retain(|game| schedule.contains(game.number));
    let mut score = Scoreboard::new(&job.plan, job.sprt);
    for game in &games {
        score.add(game);
    }
    let ended = Ended::of(&score, &mut games, schedule.len());
    let (total, elapsed) = (schedule.len(), Duration::ZERO);
    Ok(Finished { run, ended, games, played: 0, total, elapsed })
}
