//! `collinear tournament`: many contestants, a crosstable with ratings, a page to keep.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use collinear_arena::report::{
    DATA, PAGE, Report, ReportStore, ratings_chart, run_headline, run_page, standings_csv,
};
use collinear_arena::{Finished, Format, Job, RunSpec, Shard, Standings, Store, summary, tables};
use collinear_play::{Registry, read_text_file};
use collinear_rules::Rules;

use super::r#match::{farewell, play, unless_stopped};
use crate::arena::{RunArgs, swiss_text, table_text};
use crate::carrier::Carrier;
use crate::out_file;
use crate::report;

/// Play many agents against each other and rate them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear tournament random kate@depth=3 perfect@10ms --game connect4 --games 20
  collinear tournament all --game 9x9,k=5,p=2,q=1 --games 10 --time 20ms --openings random:3
  collinear tournament all --game connect4 --format swiss --rounds 5 --games 2 --openings random:3
  collinear tournament cup.toml

A file has the keys game, games, agents, and optionally format, rounds, limits, openings, opening-rule, first-move,
max-stones, dead-draws, adjudicate, seed, sprt; with a file, the options that say what is played are ignored.")]
pub(crate) struct Args {
    /// Contestants as agent[:key=value,…][@limits], or `all`, or one file that ends in .toml
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,
    /// Pairings
    #[arg(long, value_enum, default_value_t = FormatArg::RoundRobin)]
    format: FormatArg,
    /// Rounds of a Swiss tournament, with --games per meeting [default: enough for one
    /// unbeaten agent]
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// Folder for the report [default: reports, beside the results file]; what something else left
    /// in its place is replaced only with --fresh
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArg {
    /// Every agent against every other
    RoundRobin,
    /// The first agent against all others
    Gauntlet,
    /// In each round everybody against somebody with about the same score
    Swiss,
}

pub(crate) fn run(args: Args, carrier: &Carrier) -> Result<()> {
    let spec = args.spec(&crate::registry::registry())?;
    if let Some(out) = &args.out {
        let job = args.run.job(&spec, &crate::registry::registry(), carrier)?;
        out_file::check_report(out, &report_name(&job), &report_run(&job), args.run.fresh)?;
    }
    let (job, store, finished) = play(&spec, &args.run, carrier)?;
    let (standings, _) = tables(&job, &finished);
    if args.run.json {
        report::line(summary(&job, &finished))?;
    } else {
        if let Some(swiss) = job.plan.swiss(job.games, &finished.games) {
            report::text(&swiss_text(&swiss, &job.plan.labels()))?;
        }
        report::text(&table_text(&standings))?;
    }
    let reports =
        args.out.clone().map_or_else(|| ReportStore::beside(store.path()), ReportStore::at);
    let page = reports.keep(&saved(&job, &store, &finished, &standings)?)?;
    if !args.run.quiet {
        report::note(format_args!("report: {}", page.display()));
        farewell(&store, &finished);
    }
    unless_stopped(&finished)
}

/// A tournament file may have this many bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

impl Args {
    /// What is played.
    fn spec(&self, registry: &Registry) -> Result<RunSpec> {
        let is_file = |name: &String| Path::new(name).extension().is_some_and(|end| end == "toml");
        if let Some(file) = self.agents.iter().find(|name| is_file(name)) {
            if self.agents.len() > 1 {
                bail!("{file} names the agents: no others can be given");
            }
            let text = read_text_file(Path::new(file), MAX_FILE_BYTES)?;
            return Ok(RunSpec::from_toml(file, &text, registry)?);
        }
        let format = match self.format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
            FormatArg::Swiss => Format::Swiss,
        };
        let mut agents = Vec::new();
        for agent in &self.agents {
            if agent == "all" {
                agents.extend(everybody(registry, &self.run.game));
            } else {
                agents.push(agent.clone());
            }
        }
        Ok(RunSpec { rounds: self.rounds, ..self.run.spec(agents, format)? })
    }
}

/// Every agent that plays the game as it comes, without options.
fn everybody(registry: &Registry, rules: &Rules) -> Vec<String> {
    let plays = |name: &&str| registry.parse(name).is_ok_and(|agent| agent.build(rules, 0).is_ok());
    registry.iter().map(|spec| spec.name).filter(plays).map(ToOwned::to_owned).collect()
}

fn report_name(job: &Job) -> String {
    format!("tournament-{}", job.plan.run_id(&job.build))
}

/// What the report is of: fewer games, or another part of them, make another one.
fn report_run(job: &Job) -> String {
    let Shard { index, of } = job.shard;
    format!("{} {} {index}/{of}", job.plan.run_id(&job.build), job.games)
}

/// The report of a tournament: page and crosstable.
fn saved(job: &Job, store: &Store, finished: &Finished, standings: &Standings) -> Result<Report> {
    let row =
        store.run(&finished.run)?.context("the run is not in the file of results any more")?;
    let page = run_page(&row, &finished.games, store)?;
    let (title, subtitle) = run_headline(&row, finished.games.len());
    let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    Ok(Report::new(&report_name(job), &title, &subtitle, &format!("collinear {command}"))
        .of_run(&report_run(job))
        .with(PAGE, "Everything in one page.", page)
        .with(DATA, "Ratings and scores, best first.", standings_csv(standings))
        .with("ratings.svg", "Ratings with their 95 % errors.", ratings_chart(standings)))
}
