//! `collinear tournament`: many contestants, a crosstable with ratings, a page to keep.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use collinear_arena::experiment::{Table, TableEntry};
use collinear_arena::report::{
    DATA, PAGE, Page, Report, ReportStore, ratings_chart, standings_csv, standings_page,
};
use collinear_arena::{
    Finished, Format, Job, Openings, RunSpec, Shard, Standings, summary, tables,
};
use collinear_play::{Registry, read_text_file};
use collinear_rules::Rules;

use super::r#match::{farewell, play, unless_stopped};
use crate::arena::{RunArgs, table_text};
use crate::carrier::Carrier;
use crate::out_file;
use crate::report;

/// Play many agents against each other and rate them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear tournament random kate@depth=3 perfect@10ms --game connect4 --games 20
  collinear tournament all --game 9x9,k=5,p=2,q=1 --games 10 --time 20ms --openings random:3
  collinear tournament cup.toml

A file has the keys game, games, agents, and optionally format, limits, openings, opening-rule, first-move,
max-stones, dead-draws, adjudicate, seed, sprt; with a file, the options that say what is played are ignored.")]
pub(crate) struct Args {
    /// Contestants as agent[:key=value,…][@limits], or `all`, or one file that ends in .toml
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,
    /// Pairings
    #[arg(long, value_enum, default_value_t = FormatArg::RoundRobin)]
    format: FormatArg,
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
        report::text(&table_text(&standings))?;
    }
    let reports =
        args.out.clone().map_or_else(|| ReportStore::beside(store.path()), ReportStore::at);
    let page = reports.keep(&saved(&job, &finished, &standings))?;
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
        };
        let mut agents = Vec::new();
        for agent in &self.agents {
            if agent == "all" {
                agents.extend(everybody(registry, &self.run.game));
            } else {
                agents.push(agent.clone());
            }
        }
        self.run.spec(agents, format)
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
fn saved(job: &Job, finished: &Finished, standings: &Standings) -> Report {
    let plan = &job.plan;
    let rules = plan.rules.to_string();
    let page = Page {
        title: format!("Tournament: {}", plan.rules.preset_name().unwrap_or(&rules)),
        subtitle: format!(
            "{rules}, {} games, {} per pairing, {}, seed {}.",
            finished.games.len(),
            job.games,
            if plan.is_paired() {
                "every start twice with colours swapped"
            } else {
                "the first named moves first"
            },
            plan.seed
        ),
        made_by: format!("Made by collinear {}, run {}.", env!("CARGO_PKG_VERSION"), finished.run),
    };
    let movers = standings.first_movers;
    let fact = |name: &str, value: String| vec![TableEntry::head(name), TableEntry::new(value)];
    let start = match &plan.openings {
        Openings::Empty => "the empty board".to_owned(),
        Openings::Random(stones) => format!("{stones} random stones near the centre"),
        Openings::List(list) => format!("{} given openings", list.len()),
    };
    let mut rows = vec![
        fact("where games start", start),
        fact("score of the first mover", format!("{:.1} %", 100.0 * movers.score())),
        fact(
            "worth of the first move",
            format!("{:+.0} ± {:.0} Elo", standings.first_move.elo, standings.first_move.error),
        ),
    ];
    for (ending, count) in &standings.endings {
        rows.push(fact(&format!("ended by {}", ending.name()), count.to_string()));
    }
    let facts = Table {
        caption: "All games.".to_owned(),
        header: vec![String::new(), String::new()],
        rows,
    };
    let limits = Table {
        caption: "Contestants.".to_owned(),
        header: vec!["name".to_owned(), "limits".to_owned()],
        rows: plan.contestants.iter().map(|c| fact(&c.label, c.control.to_string())).collect(),
    };
    let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    Report::new(&report_name(job), &page.title, &page.subtitle, &format!("collinear {command}"))
        .of_run(&report_run(job))
        .with(PAGE, "Everything in one page.", standings_page(&page, standings, &[facts, limits]))
        .with(DATA, "Ratings and scores, best first.", standings_csv(standings))
        .with("ratings.svg", "Ratings with their 95 % errors.", ratings_chart(standings))
}
