//! `collinear experiment`: questions answered by games, with tables, pictures and a page.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::{Subcommand, ValueHint};
use collinear_arena::experiment::{
    CellRunner, Content, Experiment, Findings, Matches, match_findings,
};
use collinear_arena::report::{PAGE, Page, Report, Shelf, findings_page, findings_text};
use collinear_arena::store::Store;
use collinear_play::{Registry, StopFlag};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::arena::{Place, build_name, cores, stop_on_ctrl_c};
use crate::commands::threat_counters;
use crate::experiments::{Context, FILES, STUDIES};
use crate::report;

/// Runs the experiments of the documents and of your own files
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear experiment list
  collinear experiment run connect-k-agents
  collinear experiment run karplus          a whole group
  collinear experiment run my-idea.toml --games 50 --out /tmp/my-idea
  collinear experiment report first-move      again from kept games, nothing is played

Games are kept as they end: the same command goes on where it stopped.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// The experiments there are
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Plays what is missing and writes table, pictures and page
    Run(Which),
    /// Writes them from the games that are kept
    Report(Which),
    ThreatCounters(threat_counters::Args),
}

#[derive(clap::Args)]
struct Which {
    /// Experiments, groups, files of your own, or all
    #[arg(required = true, value_name = "NAME", value_hint = ValueHint::FilePath)]
    names: Vec<String>,
    /// Folder that gets a folder with page, data and pictures for each experiment [default: reports, beside the file of results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games a cell (in a study: of each kind) instead of what the experiment says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Games at the same time [default: one a core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: Option<u64>,
    #[command(flatten)]
    place: Place,
    /// Findings as JSON on stdout
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let registry = crate::registry::registry();
    match args.action {
        Action::List { json } => list(&registry, json),
        Action::Run(which) => go(&registry, &which, true),
        Action::Report(which) => go(&registry, &which, false),
        Action::ThreatCounters(args) => threat_counters::run(args),
    }
}

fn list(registry: &Registry, json: bool) -> Result<()> {
    for (name, text) in FILES {
        let experiment = Experiment::parse(&format!("{name}.toml"), text, registry)?;
        let size = match &experiment.content {
            Content::Matches(m) => format!("{} cells of {} games", m.cells.len(), m.games),
            Content::Study { .. } => "a study".to_owned(),
        };
        if json {
            let Experiment { name, title, question, source, group, .. } = &experiment;
            report::line(
                json!({ "name": name, "title": title, "question": question, "source": source,
                        "group": group, "size": size }),
            )?;
        } else {
            report::line(format_args!("{name:<20} {}  ({size})", experiment.title))?;
        }
    }
    Ok(())
}

fn go(registry: &Registry, which: &Which, play: bool) -> Result<()> {
    let experiments = select(registry, &which.names)?;
    let store = which.place.open()?;
    let build = build_name()?;
    let stop = stop_on_ctrl_c()?;
    let desk = Desk { registry, which, store: &store, build: &build, stop: &stop };
    let mut all = Vec::new();
    for experiment in &experiments {
        let Some(findings) = desk.findings(experiment, play)? else {
            eprintln!("stopped in {}: the same command goes on from here", experiment.name);
            break;
        };
        all.push(findings);
    }
    for findings in &all {
        if which.json {
            report::line(serde_json::to_string(findings)?)?;
        } else {
            report::line(findings_text(findings))?;
        }
    }
    if !all.is_empty() {
        let shelf = which.out.clone().map_or_else(|| Shelf::beside(store.path()), Shelf::at);
        let page = write(&shelf, &which.names, &all)?;
        if !which.quiet {
            eprintln!("page, data and pictures: {}", page.display());
        }
    }
    Ok(())
}

/// The experiments that names, groups and files mean, each once.
fn select(registry: &Registry, names: &[String]) -> Result<Vec<Experiment>> {
    let mut known = Vec::new();
    for (name, text) in FILES {
        known.push(Experiment::parse(&format!("{name}.toml"), text, registry)?);
    }
    let mut chosen: Vec<Experiment> = Vec::new();
    for name in names {
        let mut found: Vec<Experiment> = known
            .iter()
            .filter(|e| name == "all" || e.name == *name || e.group.as_ref() == Some(name))
            .cloned()
            .collect();
        if found.is_empty() && Path::new(name).extension().is_some_and(|end| end == "toml") {
            let text = fs::read_to_string(name).with_context(|| name.clone())?;
            found.push(Experiment::parse(name, &text, registry)?);
        }
        if found.is_empty() {
            let names: Vec<_> = FILES.iter().map(|(name, _)| *name).collect();
            bail!(
                "there is no experiment {name:?}; experiments: {}, all, or a file that ends in .toml",
                names.join(", ")
            );
        }
        for experiment in found {
            if !chosen.iter().any(|other| other.name == experiment.name) {
                chosen.push(experiment);
            }
        }
    }
    Ok(chosen)
}

/// Where experiments are worked on.
struct Desk<'a> {
    registry: &'a Registry,
    which: &'a Which,
    store: &'a Arc<Store>,
    build: &'a str,
    stop: &'a StopFlag,
}

impl Desk<'_> {
    /// What an experiment finds; none when it was stopped.
    fn findings(&self, experiment: &Experiment, play: bool) -> Result<Option<Findings>> {
        match &experiment.content {
            Content::Matches(matches) => self.matches(experiment, matches, play),
            Content::Study { study, parameters } => {
                let Some((_, code)) = STUDIES.iter().find(|(name, _)| name == study) else {
                    let known: Vec<_> = STUDIES.iter().map(|(name, _)| *name).collect();
                    bail!(
                        "{}: there is no study {study:?}; studies: {}",
                        experiment.name,
                        known.join(", ")
                    );
                };
                let bar = self.bar(experiment, 0);
                let findings = code(&Context {
                    experiment,
                    parameters,
                    registry: self.registry,
                    store: self.store,
                    build: self.build,
                    games: self.which.games,
                    play,
                    workers: self.workers(),
                    stop: self.stop,
                    say: &|line| bar.set_message(line.to_owned()),
                });
                bar.finish_and_clear();
                if self.stop.is_stopped() { Ok(None) } else { findings.map(Some) }
            }
        }
    }

    fn matches(
        &self,
        experiment: &Experiment,
        matches: &Matches,
        play: bool,
    ) -> Result<Option<Findings>> {
        let runner = CellRunner {
            store: self.store,
            build: self.build,
            name: &experiment.name,
            games: self.which.games,
            workers: self.workers(),
            stop: self.stop,
        };
        if !play {
            let results = runner.recall(matches)?;
            return Ok(Some(match_findings(experiment, matches, &results)));
        }
        let a_cell = self.which.games.unwrap_or(matches.games);
        let bar = self.bar(experiment, a_cell * matches.cells.len() as u64);
        let results = runner.play(matches, &mut |progress| {
            bar.set_position(progress.cell as u64 * a_cell + progress.done);
            if progress.done == 0 {
                let cell = &matches.cells[progress.cell];
                let name = |index: usize| matches.players[index].name.clone();
                bar.set_message(format!("{} – {}", name(cell.x), name(cell.o)));
            }
        })?;
        bar.finish_and_clear();
        let complete = results.len() == matches.cells.len();
        Ok(complete.then(|| match_findings(experiment, matches, &results)))
    }

    fn workers(&self) -> usize {
        self.which.concurrency.map_or_else(cores, |n| n as usize)
    }

    fn bar(&self, experiment: &Experiment, games: u64) -> ProgressBar {
        if self.which.quiet {
            return ProgressBar::hidden();
        }
        let (bar, template) = if games == 0 {
            (ProgressBar::new_spinner(), "{prefix} {spinner} {elapsed} {wide_msg}")
        } else {
            (
                ProgressBar::new(games),
                "{prefix} {bar:24} {pos}/{len} games, {eta} left · {wide_msg}",
            )
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(experiment.name.clone());
        bar
    }
}

/// Keeps a report of each experiment, and of many one more with all of them; says where the page
/// is.
fn write(shelf: &Shelf, names: &[String], all: &[Findings]) -> Result<PathBuf> {
    let page = |title: &str| Page {
        title: title.to_owned(),
        subtitle: "Games between programs, counted and compared.".to_owned(),
        made_by: format!("Made by collinear {}.", env!("CARGO_PKG_VERSION")),
    };
    let mut last = PathBuf::new();
    for findings in all {
        last = shelf.keep(&Report::of(&page(&findings.title), findings))?;
    }
    if let [_, _, ..] = all {
        let names = names.join(" ");
        let title = format!("Experiments: {names}");
        let command = format!("collinear experiment run {names}");
        let questions = format!("{} experiments", all.len());
        let report = Report::new(&names.replace(' ', "-"), &title, &questions, &command);
        let html = findings_page(&page(&title), all);
        last = shelf.keep(&report.with(PAGE, "Everything in one page.", html))?;
    }
    Ok(last)
}
