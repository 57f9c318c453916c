//! `collinear match`: two contestants, many games, one verdict.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use collinear_arena::stats::{Bounds, EloScale};
use collinear_arena::{Ended, Finished, Format, Job, RunSpec, Store, standing, summary, tables};

use crate::arena::{RunArgs, Style, match_text, run_job, stop_on_ctrl_c};
use crate::carrier::Carrier;
use crate::failure::Interrupted;
use crate::ray::{self, Cluster};
use crate::report;

/// Play two agents against each other, with error bars on the result
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear match random random --game connect4 --games 1000
  collinear match sequences threats --games 200 --time 100ms --openings random:5
  collinear match sequences@depth=4 sequences@depth=2 --game gomoku --sprt 0,30
  collinear match sextant sextant:level=8 --game gomoku --opening-rule swap2 --time 1s
  collinear match 3ply_fevala 2ply_wineval --game connect4 --games 2 --show

Limits after an @ are for that agent alone: turn=TIME (or just TIME), clock=TIME+TIME, nodes=N, depth=N.
Every game is stored as it ends: the same command continues an interrupted run.")]
pub(crate) struct Args {
    /// The first contestant: agent[:key=value,…][@limits]
    first_agent: String,
    /// The second contestant
    second_agent: String,
    #[command(flatten)]
    pub(super) run: RunArgs,
    /// Sequential test: stop as soon as the games decide between these two Elo differences, such as 0,10
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Probability of accepting ELO1 when ELO0 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// Probability of accepting ELO0 when ELO1 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    beta: f64,
    /// The bounds of --sprt are in normalised Elo
    #[arg(long, requires = "sprt")]
    normalised: bool,
}

pub(crate) fn run(args: Args, carrier: &Carrier) -> Result<()> {
    let spec = args.spec()?;
    let (job, store, finished) = play(&spec, &args.run, carrier)?;
    sum_up(&job, &store, &finished, &args.run)?;
    unless_stopped(&finished)
}

impl Args {
    /// What is played.
    fn spec(&self) -> Result<RunSpec> {
        let agents = vec![self.first_agent.clone(), self.second_agent.clone()];
        Ok(RunSpec { sprt: self.bounds()?, ..self.run.spec(agents, Format::RoundRobin)? })
    }

    fn bounds(&self) -> Result<Option<Bounds>> {
        let Some(text) = &self.sprt else { return Ok(None) };
        let (low, high) = text
            .split_once(',')
            .with_context(|| format!("--sprt {text}: write two Elo differences such as 0,10"))?;
        let number = |text: &str| -> Result<f64> {
            text.trim().parse().with_context(|| format!("--sprt: {text:?} is not a number"))
        };
        let bounds = Bounds {
            elo0: number(low)?,
            elo1: number(high)?,
            alpha: self.alpha,
            beta: self.beta,
            scale: if self.normalised { EloScale::Normalised } else { EloScale::Logistic },
        };
        match bounds.problem() {
            Some(problem) => bail!("--sprt: {problem}"),
            None => Ok(Some(bounds)),
        }
    }
}

/// Plays the games that are missing, here or on a cluster, and tells of those that are not continued.
pub(crate) fn play(
    spec: &RunSpec,
    args: &RunArgs,
    carrier: &Carrier,
) -> Result<(Job, Arc<Store>, Finished)> {
    let mut job = args.job(spec, &crate::registry::registry(), carrier)?;
    let store = args.results.open()?;
    if let Some(address) = &args.ray {
        job.plan.check(job.games)?;
        let (results, fresh, quiet) = (store.path(), args.fresh, args.quiet);
        job.build = ray::play(spec, &Cluster { address, results, fresh, quiet }, carrier)?;
        let finished = standing(&job, &store)?;
        return Ok((job, store, finished));
    }
    if args.fresh {
        store.forget(&job.plan.run_id(&job.build))?;
    }
    let others = store.games_of_other_builds(&job.plan, &job.build)?;
    if others > 0 && !args.quiet {
        report::note(format_args!(
            "{others} games of this plan from another build of this program are not counted"
        ));
    }
    let style = Style { json: args.json, show: args.show, quiet: args.quiet };
    let finished = run_job(&job, &store, &stop_on_ctrl_c()?, style)?;
    Ok((job, store, finished))
}

fn sum_up(job: &Job, store: &Store, finished: &Finished, args: &RunArgs) -> Result<()> {
    if args.json {
        report::line(summary(job, finished))?;
    } else {
        let (standings, score) = tables(job, finished);
        report::text(&match_text(&job.plan, &score, &standings))?;
    }
    if !args.quiet {
        farewell(store, finished);
    }
    Ok(())
}

/// A run that somebody stopped ends the program as one that was interrupted.
pub(crate) fn unless_stopped(finished: &Finished) -> Result<()> {
    if finished.ended == Ended::Stopped { Err(Interrupted.into()) } else { Ok(()) }
}

/// Where the games are and how to go on.
pub(crate) fn farewell(store: &Store, finished: &Finished) {
    let Finished { run, played, total, ended, games, elapsed } = finished;
    let rate = *played as f64 / elapsed.as_secs_f64().max(1e-9);
    report::note(format_args!(
        "run {run} in {}: {played} {} in {:.1} s ({rate:.1} per second)",
        store.path().display(),
        if *played == 1 { "game" } else { "games" },
        elapsed.as_secs_f64()
    ));
    match ended {
        Ended::Stopped => {
            let left = total - games.len() as u64;
            report::note(format_args!(
                "stopped with {left} {} left: run the same command to continue",
                if left == 1 { "game" } else { "games" }
            ));
        }
        Ended::Decided => {
            report::note(format_args!("the test is decided; {} games were enough", games.len()));
        }
        Ended::Complete if *played == 0 => {
            report::note(format_args!(
                "all games were played before: use --fresh or another --seed to play new ones"
            ));
        }
        Ended::Complete => {}
    }
}
