//! `collinear tune`: better values for an agent's numeric options, found by games; with `--spsa`, for
//! the parameters of its search.

mod spsa;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use collinear_arena::stats::{Estimate, Tally};
use collinear_arena::tune::{Parameter, Settings, Tuning, parameter};
use collinear_play::read_text_file;
use collinear_rules::Rules;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::arena::stop_on_ctrl_c;
use crate::failure::Interrupted;
use crate::out_file;
use crate::report;

/// Search for better values of an agent's numeric options by games against a pool
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear tune sequences --param c=0.2..4 --pool sequences --pool windows --state c.json
  collinear tune sextant --list
  collinear tune sextant --game gomoku --spsa 'search.lmr_*' --games 8 --nodes 3000 --steps 200 --out lmr.params
  collinear match sextant:params=lmr.params sextant --game gomoku --nodes 3000

The state is saved after every individual's games, or after every step of SPSA: the same command continues
an interrupted run.")]
pub(crate) struct Args {
    /// The agent, with the options that stay fixed
    agent: String,
    /// Option to tune, with a range if it should be narrower than the agent allows
    #[arg(long = "param", value_name = "NAME[=LOW..HIGH]", required_unless_present_any = ["names", "list"])]
    parameters: Vec<String>,
    #[command(flatten)]
    spsa: spsa::Args,
    /// Opponent; may be repeated [default: the agent itself]
    #[arg(long, value_name = "AGENT")]
    pool: Vec<String>,
    /// Rules of the game
    #[arg(short, long, default_value = "connect6")]
    game: Rules,
    /// Limits per turn, such as 50ms, nodes=1000 or depth=2
    #[arg(long, default_value = "")]
    limits: String,
    /// Random stones at the start of each game
    #[arg(long, default_value_t = 3)]
    opening: usize,
    /// Individuals per generation
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(2..))]
    population: u16,
    /// Number of generations
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Games per individual and generation; with --spsa, per step and opponent
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Final games of the best individual against the current values
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..))]
    verdict: u64,
    /// Typical size of a mutation, as a fraction of the range
    #[arg(long, default_value_t = 0.15)]
    mutation: f64,
    /// Seed for all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File that keeps the state of the run [default: tune.json; with --spsa, OUT.state.json]
    #[arg(long)]
    state: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
    /// Do not show progress
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if args.spsa.list {
        return spsa::list(&args);
    }
    if !args.spsa.names.is_empty() {
        return spsa::run(&args);
    }
    let state = args.state.clone().unwrap_or_else(|| PathBuf::from("tune.json"));
    let registry = crate::registry::registry();
    let settings = args.settings()?;
    let mut tuning = match read_state(&state)? {
        Some(kept) if kept.settings == settings => kept,
        Some(_) => bail!(
            "{} belongs to a run with other settings: name another file with --state, or remove it",
            state.display()
        ),
        None => Tuning::new(settings, &registry)?,
    };
    let stop = stop_on_ctrl_c()?;
    let bar = progress_bar(tuning.progress(), args.quiet);
    tuning.run(&registry, &stop, &mut |tuning| -> Result<()> {
        bar.set_position(tuning.progress().0);
        bar.set_message(format!("generation {}", tuning.history.len() + 1));
        write_state(&state, tuning)
    })?;
    bar.finish_and_clear();
    if !tuning.is_done() {
        let (done, total) = tuning.progress();
        report::note(format_args!(
            "stopped after {done} of {total} games: run the same command to continue"
        ));
        return Err(Interrupted.into());
    }
    if !args.quiet {
        report::note(format_args!(
            "{} games of the best against the current values …",
            args.verdict
        ));
    }
    let Some((tally, estimate)) = tuning.verdict(&registry, args.verdict, &stop)? else {
        report::note(format_args!("stopped: run the same command to continue"));
        return Err(Interrupted.into());
    };
    args.report(&tuning, &tally, &estimate)
}

impl Args {
    fn settings(&self) -> Result<Settings> {
        let registry = crate::registry::registry();
        let parameters: Result<Vec<Parameter>> = self
            .parameters
            .iter()
            .map(|text| {
                let (name, range) = name_and_range("--param", text)?;
                Ok(parameter(&registry, &self.agent, name, range)?)
            })
            .collect();
        if !(self.mutation > 0.0 && self.mutation <= 1.0) {
            bail!("--mutation {}: a number above 0 and up to 1 is needed", self.mutation);
        }
        let pool = if self.pool.is_empty() { vec![self.agent.clone()] } else { self.pool.clone() };
        Ok(Settings {
            agent: self.agent.clone(),
            pool,
            rules: self.game.to_string(),
            limits: self.limits.clone(),
            opening: self.opening,
            parameters: parameters?,
            population: self.population.into(),
            generations: self.generations,
            games: self.games,
            mutation: self.mutation,
            seed: self.seed,
        })
    }

    fn report(&self, tuning: &Tuning, tally: &Tally, estimate: &Estimate) -> Result<()> {
        let spec = tuning.settings.spec(&tuning.best().values);
        if self.json {
            return report::json(&json!({
                "best": spec, "values": tuning.best().values, "history": tuning.history,
                "verdict": { "tally": tally, "wilson": tally.wilson(), "elo": estimate },
            }));
        }
        let mut text = String::from("generation  mean score  best so far\n");
        for (number, generation) in (1..).zip(&tuning.history) {
            let best = &generation.best;
            let _ = writeln!(
                text,
                "{number:10}  {:9.1} %  {:.1} % in {} games: {}",
                100.0 * generation.mean,
                100.0 * best.tally().score(),
                best.tally().games(),
                tuning.settings.spec(&best.values)
            );
        }
        let wilson = tally.wilson();
        let _ = writeln!(
            text,
            "\nbest: {spec}\nagainst the current values: +{} ={} -{}, {:.1} % (95 %: {:.1} to {:.1}), Elo {:+.0} (95 %: {:+.0} to {:+.0})",
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.score(),
            100.0 * wilson.low,
            100.0 * wilson.high,
            estimate.elo,
            estimate.interval.low,
            estimate.interval.high
        );
        // Beating a pool in tuning games is not beating the present values in fresh ones.
        if wilson.high < 0.5 {
            text += "It lost: keep the current values.\n";
        } else if wilson.low <= 0.5 {
            text += "These games do not show that it is better than the current values.\n";
        }
        report::text(&text)
    }
}

/// `NAME` or `NAME=LOW..HIGH`.
fn name_and_range<'a>(option: &str, text: &'a str) -> Result<(&'a str, Option<(f64, f64)>)> {
    let Some((name, range)) = text.split_once('=') else { return Ok((text, None)) };
    let (low, high) = range
        .split_once("..")
        .with_context(|| format!("{option} {text}: write a range such as {name}=0.5..2"))?;
    let number = |text: &str| {
        text.parse::<f64>().with_context(|| format!("{option}: {text:?} is not a number"))
    };
    Ok((name, Some((number(low)?, number(high)?))))
}

fn progress_bar((done, total): (u64, u64), quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} games, {eta} to go")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style).with_position(done)
}

/// A state is small: this is far more than any run writes.
const MAX_STATE: u64 = 1 << 26;

fn read_state(file: &Path) -> Result<Option<Tuning>> {
    let Some(kept) = read_json::<Tuning>(file)? else { return Ok(None) };
    kept.check().with_context(|| file.display().to_string())?;
    Ok(Some(kept))
}

fn read_json<T: DeserializeOwned>(file: &Path) -> Result<Option<T>> {
    let shown = || file.display().to_string();
    if !file.exists() {
        return Ok(None);
    }
    let text = read_text_file(file, MAX_STATE)?;
    let kept = serde_json::from_str(&text)
        .with_context(|| format!("{} is not the state of a tuning run", shown()))?;
    Ok(Some(kept))
}

fn write_state(file: &Path, state: &impl Serialize) -> Result<()> {
    out_file::write(file, &serde_json::to_vec(state)?)
}
