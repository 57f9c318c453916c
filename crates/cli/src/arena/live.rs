//! A run while it is on: progress bar, JSON events, Ctrl-C.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use collinear_arena::Store;
use collinear_arena::report::elo_text;
use collinear_arena::stats::Estimate;
use collinear_arena::{Finished, Job, Progress, game_event, run};
use collinear_play::StopFlag;
use indicatif::{ProgressBar, ProgressStyle};

use super::boards::Boards;
use crate::{report, signals};

/// How much is said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Events on stdout, one JSON object a line.
    pub(crate) json: bool,
    /// The boards of every game on stdout.
    pub(crate) show: bool,
    /// No progress on stderr.
    pub(crate) quiet: bool,
}

/// Instant games would spend their time drawing.
const DRAW_EVERY: Duration = Duration::from_millis(200);
/// Says on a log, where no bar can be drawn, every so often how far the run is.
const LOG_EVERY: Duration = Duration::from_secs(30);

/// Sets Ctrl-C up to stop runs cleanly; a second one ends the program at once.
pub(crate) fn stop_on_ctrl_c() -> Result<StopFlag> {
    let stop = StopFlag::default();
    let flag = stop.clone();
    signals::watch(move |signal| {
        if flag.is_stopped() {
            std::process::exit(signal.exit_code().into());
        }
        flag.stop();
    })?;
    Ok(stop)
}

/// Plays a job and tells about it while it is on.
pub(crate) fn run_job(
    job: &Job,
    store: &Arc<Store>,
    stop: &StopFlag,
    style: Style,
) -> Result<Finished> {
    let mut live = Live::new(job, style);
    let boards = Boards::new(store, job.plan.run_id(&job.build), job.plan.labels());
    let mut failed = None;
    let finished = run(job, store, stop, &mut |progress| {
        if let Some(game) = progress.game.filter(|_| style.show) {
            failed = failed.take().or(boards.show(game.summary.number).err());
        }
        live.hear(progress);
    });
    live.end();
    failed.map_or(Ok(finished?), Err)
}

/// Tells of the progress of one run.
pub(crate) struct Live {
    labels: Vec<String>,
    style: Style,
    bar: Option<ProgressBar>,
    said: Instant,
    /// Whether a bar can be drawn.
    terminal: bool,
}

impl Live {
    /// Before the first game.
    pub(crate) fn new(job: &Job, style: Style) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self { labels: job.plan.labels(), style, bar: None, said: Instant::now(), terminal }
    }

    /// After every game.
    pub(crate) fn hear(&mut self, progress: &Progress<'_>) {
        if self.style.json
            && let Some(game) = progress.game
        {
            let event = game_event(&self.labels, game, progress);
            // A reader that went away must not end the run: results are in the store.
            let _ = writeln!(std::io::stdout(), "{event}");
        }
        if self.style.quiet {
            return;
        }
        if progress.game.is_none() && progress.resumed > 0 {
            let left = progress.total - progress.done;
            report::note(format_args!(
                "{} games were played before, {left} left",
                progress.resumed
            ));
        }
        let pause = if self.terminal { DRAW_EVERY } else { LOG_EVERY };
        if self.said.elapsed() < pause {
            return;
        }
        self.said = Instant::now();
        let line = self.line(progress);
        if self.terminal {
            let bar = self.bar.get_or_insert_with(|| bar(progress.total));
            bar.set_position(progress.done);
            bar.set_message(line);
        } else {
            report::note(format_args!("{}/{} {line}", progress.done, progress.total));
        }
    }

    /// Clears the bar.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Score, Elo, test and time left.
    fn line(&self, progress: &Progress<'_>) -> String {
        let score = progress.score;
        let mut parts = Vec::new();
        if self.labels.len() == 2 {
            let tally = score.tally(0);
            let Estimate { elo: points, interval, .. } = score.estimate();
            let error = (interval.high - interval.low) / 2.0;
            parts.push(format!("{} {:.1} % {tally}", self.labels[0], 100.0 * tally.score()));
            parts.push(format!("Elo {} ± {error:.0}", elo_text(points)));
        } else {
            let best = (0..self.labels.len())
                .max_by(|&a, &b| score.tally(a).score().total_cmp(&score.tally(b).score()));
            parts.extend(best.map(|b| {
                format!("{} leads with {:.1} %", self.labels[b], 100.0 * score.tally(b).score())
            }));
        }
        if let Some(sprt) = score.sprt() {
            parts.push(format!("LLR {:.2} [{:.2}, {:.2}]", sprt.llr, sprt.lower, sprt.upper));
        }
        if score.faults() > 0 {
            parts.push(format!("{} faults", score.faults()));
        }
        let played = progress.done - progress.resumed;
        if played > 0 {
            let left = progress.elapsed.as_secs_f64() * (progress.total - progress.done) as f64
                / played as f64;
            parts.push(format!("{} left", duration(left)));
        }
        parts.join(" · ")
    }
}

fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// `1 h 5 min`, `3 min 20 s`, `12 s`.
pub(crate) fn duration(seconds: f64) -> String {
    let s = seconds.round() as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}
