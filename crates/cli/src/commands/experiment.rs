//! `collinear experiment`: questions answered by games, with tables, pictures and a page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::{Subcommand, ValueHint};
use collinear_arena::experiment::{
    Content, Experiment, Findings, Matches, PairingRunner, match_findings,
};
use collinear_arena::report::{PAGE, Page, Report, ReportStore, findings_page, findings_text};
use collinear_arena::{Shard, Store, build_name};
use collinear_documents::studies::{Context, STUDIES, StudyError};
use collinear_play::{Registry, StopFlag, read_text_file};
use collinear_rules::hash::fnv1a;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::arena::{ResultsFile, cores, shard, stop_on_ctrl_c};
use crate::carrier::Carrier;
use crate::commands::threat_counters;
use crate::experiments::FILES;
use crate::failure::Interrupted;
use crate::out_file;
use crate::report;

/// Run experiments: those of the source documents, or your own files
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear experiment list
  collinear experiment karplus-1            the same as `experiment run karplus-1`
  collinear experiment run connect-k-2007
  collinear experiment run karplus          a whole group
  collinear experiment run my-idea.toml --games 50 --out /tmp/my-idea
  collinear experiment report first-move      write the report again, play nothing
  collinear experiment run rivals-gomoku --anchor rapfi=2283 --anchor wine=1837
  collinear experiment run karplus --shard 3/8 --db part3.sqlite    a part; then merge and report

Every game is stored as it ends: the same command continues an interrupted run.")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    which: Which,
}

#[derive(Subcommand)]
enum Action {
    /// List the experiments
    List {
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Play the missing games and write a report with tables and plots
    Run(Which),
    /// Write the report again from stored games
    Report(Which),
    ThreatCounters(threat_counters::Args),
}

#[derive(clap::Args)]
struct Which {
    /// Names of experiments or groups, your own .toml files, or all
    #[arg(required = true, value_name = "NAME", value_hint = ValueHint::FilePath)]
    names: Vec<String>,
    /// Folder for the reports [default: reports, beside the results file]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace what is in the folder already; a report of the very same games always is
    #[arg(long, requires = "out")]
    fresh: bool,
    /// Games per cell, or of each kind in a study, instead of the experiment's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// What others rate a player: all are rated together on that scale; may be given several times
    #[arg(long, value_name = "PLAYER=ELO", value_parser = anchor)]
    anchor: Vec<(String, f64)>,
    /// Games played in parallel [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: Option<u64>,
    /// Play only this part of every cell, such as 2/8, and write no report: `collinear merge` joins
    /// the parts, `experiment report` then makes it
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    #[command(flatten)]
    results: ResultsFile,
    /// Report as JSON on standard output
    #[arg(long)]
    json: bool,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: Args, carrier: &Carrier) -> Result<()> {
    let registry = crate::registry::registry();
    match args.action {
        Some(Action::List { json }) => list(&registry, json),
        Some(Action::Run(which)) => go(&registry, &which, carrier, true),
        Some(Action::Report(which)) => go(&registry, &which, carrier, false),
        Some(Action::ThreatCounters(args)) => threat_counters::run(args),
        None => go(&registry, &args.which, carrier, true),
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
            if let Some(source) = &experiment.source {
                report::line(format_args!("{:<20} {source}", ""))?;
            }
        }
    }
    Ok(())
}

fn go(registry: &Registry, which: &Which, carrier: &Carrier, play: bool) -> Result<()> {
    let mut experiments = select(registry, &which.names)?;
    set_anchors(&mut experiments, &which.anchor)?;
    if which.shard.is_some() {
        can_be_sharded(&experiments, play)?;
    }
    let build = build_name(&carrier.program)?;
    let runs: Vec<_> = experiments.iter().map(|one| report_run(one, which.games, &build)).collect();
    if let (Some(out), None) = (&which.out, which.shard) {
        for (experiment, run) in experiments.iter().zip(&runs) {
            out_file::check_report(out, &experiment.name, run, which.fresh)?;
        }
        if experiments.len() > 1 {
            let name = joint_name(&which.names);
            out_file::check_report(out, &name, &runs.join(" "), which.fresh)?;
        }
    }
    let store = which.results.open()?;
    let stop = stop_on_ctrl_c()?;
    let context = ExperimentRun { registry, which, store: &store, build: &build, stop: &stop };
    let (mut all, mut stopped) = (Vec::new(), false);
    for (experiment, run) in experiments.iter().zip(&runs) {
        if let Content::Matches(matches) = &experiment.content {
            for why in &matches.skipped {
                report::note(format_args!("{}: {why}", experiment.name));
            }
            if matches.cells.is_empty() {
                continue;
            }
        }
        let Some(findings) = context.findings(experiment, play)? else {
            report::note(format_args!(
                "stopped in {}: run the same command to continue",
                experiment.name
            ));
            stopped = true;
            break;
        };
        if which.shard.is_none() {
            all.push((findings, run.as_str()));
        }
    }
    for (findings, _) in &all {
        if which.json {
            report::line(serde_json::to_string(findings)?)?;
        } else {
            report::line(findings_text(findings))?;
        }
    }
    if !all.is_empty() {
        let reports =
            which.out.clone().map_or_else(|| ReportStore::beside(store.path()), ReportStore::at);
        let page = write(&reports, &which.names, &all, &runs.join(" "))?;
        if !which.quiet {
            report::note(format_args!("report: {}", page.display()));
        }
    }
    if stopped { Err(Interrupted.into()) } else { Ok(()) }
}

/// `rapfi=2283`.
fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text.split_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    let (name, elo) = parts.ok_or("expected a player and its rating, such as rapfi=2283")?;
    Ok((name.to_owned(), elo))
}

/// Gives players the ratings of others, in every experiment that they play in.
fn set_anchors(experiments: &mut [Experiment], anchors: &[(String, f64)]) -> Result<()> {
    for (name, elo) in anchors {
        let matches = experiments.iter_mut().filter_map(|one| match &mut one.content {
            Content::Matches(matches) => Some(matches),
            Content::Study { .. } => None,
        });
        let tried: Vec<_> = matches.map(|matches| matches.anchor(name, *elo)).collect();
        if tried.iter().all(Result::is_err) {
            let why = tried.into_iter().find_map(Result::err);
            bail!("--anchor {name}={elo}: {}", why.unwrap_or_else(|| "nobody plays".to_owned()));
        }
    }
    Ok(())
}

/// The experiments that names, groups and files mean, each once.
fn select(registry: &Registry, names: &[String]) -> Result<Vec<Experiment>> {
    let mut chosen: Vec<Experiment> = Vec::new();
    for name in names {
        for experiment in named(registry, name)? {
            if !chosen.iter().any(|other| other.name == experiment.name) {
                chosen.push(experiment);
            }
        }
    }
    Ok(chosen)
}

/// A file of an experiment may have this many bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// What one name means. Only the files it may mean are read.
fn named(registry: &Registry, name: &str) -> Result<Vec<Experiment>> {
    let shipped = |&(name, text): &(&str, &str)| {
        Ok(Experiment::parse(&format!("{name}.toml"), text, registry)?)
    };
    if let Some(file) = FILES.iter().find(|(known, _)| *known == name) {
        return Ok(vec![shipped(file)?]);
    }
    if Path::new(name).extension().is_some_and(|end| end == "toml") {
        let text = read_text_file(Path::new(name), MAX_FILE_BYTES)?;
        return Ok(vec![Experiment::parse(name, &text, registry)?]);
    }
    let mut found = FILES.iter().map(shipped).collect::<Result<Vec<_>>>()?;
    found.retain(|e| name == "all" || e.group.as_deref() == Some(name));
    if found.is_empty() {
        let names: Vec<_> = FILES.iter().map(|(name, _)| *name).collect();
        bail!(
            "there is no experiment {name:?}; experiments: {}, all, or a file that ends in .toml",
            names.join(", ")
        );
    }
    Ok(found)
}

/// Refuses what has no parts, before anything is played.
fn can_be_sharded(experiments: &[Experiment], play: bool) -> Result<()> {
    if !play {
        bail!("a report is of all games: leave --shard out");
    }
    match experiments.iter().find(|one| matches!(one.content, Content::Study { .. })) {
        Some(study) => bail!("{} is a study, which is played whole: leave --shard out", study.name),
        None => Ok(()),
    }
}

/// What the report of an experiment is of: which games of which program, and how many.
fn report_run(experiment: &Experiment, games: Option<u64>, build: &str) -> String {
    let text = match &experiment.content {
        Content::Matches(matches) => {
            let runs = matches.cells.iter().map(|cell| matches.plan(cell).run_id(build));
            let games = games.unwrap_or(matches.games);
            format!("{games} {}", runs.collect::<Vec<_>>().join(" "))
        }
        Content::Study { study, parameters } => format!("{build} {study} {games:?} {parameters:?}"),
    };
    format!("{:016x}", fnv1a(text.as_bytes()))
}

/// The name of the report of many experiments.
fn joint_name(names: &[String]) -> String {
    names.join("-")
}

/// What every experiment of a run shares.
struct ExperimentRun<'a> {
    registry: &'a Registry,
    which: &'a Which,
    store: &'a Arc<Store>,
    build: &'a str,
    stop: &'a StopFlag,
}

impl ExperimentRun<'_> {
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
                match findings {
                    Err(StudyError::Stopped { .. }) => Ok(None),
                    _ if self.stop.is_stopped() => Ok(None),
                    findings => Ok(Some(findings?)),
                }
            }
        }
    }

    fn matches(
        &self,
        experiment: &Experiment,
        matches: &Matches,
        play: bool,
    ) -> Result<Option<Findings>> {
        let runner = PairingRunner {
            store: self.store,
            build: self.build,
            name: &experiment.name,
            games: self.which.games,
            shard: self.which.shard.unwrap_or(Shard::WHOLE),
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
fn write(
    reports: &ReportStore,
    names: &[String],
    all: &[(Findings, &str)],
    runs: &str,
) -> Result<PathBuf> {
    let page = |title: &str| Page {
        title: title.to_owned(),
        subtitle: "Games between programs, counted and compared.".to_owned(),
        made_by: format!("Made by collinear {}.", env!("CARGO_PKG_VERSION")),
    };
    let mut last = PathBuf::new();
    for (findings, run) in all {
        last = reports.keep(&Report::of(&page(&findings.title), findings).of_run(run))?;
    }
    if let [_, _, ..] = all {
        let name = joint_name(names);
        let names = names.join(" ");
        let title = format!("Experiments: {names}");
        let command = format!("collinear experiment run {names}");
        let questions = format!("{} experiments", all.len());
        let report = Report::new(&name, &title, &questions, &command).of_run(runs);
        let all: Vec<_> = all.iter().map(|(findings, _)| findings.clone()).collect();
        let html = findings_page(&page(&title), &all);
        last = reports.keep(&report.with(PAGE, "Everything in one page.", html))?;
    }
    Ok(last)
}
