//! The learned evaluation of line patterns: positions that the network labels, and learning from them.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use collinear_arena::report::chart::{Axis, Chart, Point, Series, Style};
use collinear_engine::fit::evaluation::{Fit, Losses, Schedule};
use collinear_engine::fit::labels::{LabelFile, Labelling};
use collinear_rules::Rules;
use indicatif::{ProgressBar, ProgressStyle};

use super::file::{self, Growing};
use super::{Pace, read, show};
use crate::{out_file, report};

#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear fit labels gomoku --labels 12000000 --seed 1 --out gomoku.sxl"
)]
pub(super) struct LabelsArgs {
    /// The game: one stone per turn, with a shipped network.
    game: Rules,
    /// How many labels in all at least, those in the file already included.
    #[arg(long, default_value_t = 12_000_000)]
    labels: u64,
    /// Nodes per turn of the games among them.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Seed of run 0; run n follows from seed + n alone, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pace: Pace,
    /// The file to write; the same command goes on where an earlier one stopped.
    #[arg(long)]
    out: PathBuf,
    /// Replace what is there instead.
    #[arg(long)]
    fresh: bool,
}

#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear fit evaluation gomoku.sxl --positions 40000000 --out gomoku.sxe"
)]
pub(super) struct EvaluationArgs {
    /// Files of labels of one set of rules.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Positions looked at in all, again and again where there are fewer.
    #[arg(long, default_value_t = Schedule::default().positions)]
    positions: u64,
    /// Positions in a batch.
    #[arg(long, default_value_t = Schedule::default().batch)]
    batch: usize,
    /// Step size at its height.
    #[arg(long, default_value_t = Schedule::default().rate)]
    rate: f64,
    /// Seed of the numbers at the start and of the order of positions.
    #[arg(long, default_value_t = Schedule::default().seed)]
    seed: u64,
    #[command(flatten)]
    pace: Pace,
    /// The file to write; what an interrupted run needs to go on is beside it, in FILE.under-way.
    #[arg(long)]
    out: PathBuf,
    /// A picture of the losses, too.
    #[arg(long)]
    picture: Option<PathBuf>,
    /// Replace the files if they exist.
    #[arg(long)]
    fresh: bool,
}

/// Runs that are made before their labels are written.
const BLOCK: u64 = 1024;

pub(super) fn labels(args: &LabelsArgs) -> Result<()> {
    let Some(how) = Labelling::new(&args.game, args.nodes.max(1), args.seed) else {
        bail!("{} has no network that could label: name a game with one, gomoku", args.game);
    };
    let session = args.pace.begin()?;
    let Growing { mut file, bytes } =
        file::open(&args.out, LabelFile::KIND, &how.origin(), args.fresh)?;
    let old = LabelFile::from_bytes(&bytes).with_context(|| show(&args.out))?;
    let (mut runs, mut count) = (old.runs.len() as u64, old.label_count() as u64);
    drop((old, bytes));
    let bar = ProgressBar::new(args.labels).with_style(style("labels")?).with_position(count);
    while count < args.labels && !session.is_late() {
        let block = how.make(runs..runs + BLOCK, &session.asked);
        let mut bytes = Vec::new();
        for run in block {
            if count >= args.labels {
                break;
            }
            bytes.extend(run.to_bytes());
            runs += 1;
            count += run.labels.len() as u64;
        }
        file.write_all(&bytes).with_context(|| out_file::cannot_write(&args.out))?;
        bar.set_position(count);
        if session.asked.is_stopped() {
            break;
        }
    }
    file.sync_all().with_context(|| out_file::cannot_write(&args.out))?;
    bar.finish_and_clear();
    report::line(format_args!("{count} labels of {runs} runs in {}", show(&args.out)))?;
    session.result()
}

pub(super) fn evaluation(args: &EvaluationArgs) -> Result<()> {
    out_file::check(&args.out, args.fresh)?;
    if let Some(picture) = &args.picture {
        out_file::check(picture, args.fresh)?;
    }
    let session = args.pace.begin()?;
    let labels = read_labels(&args.files)?;
    let rules = labels[0].rules;
    let schedule = Schedule {
        positions: args.positions,
        batch: args.batch.clamp(16, 1 << 16),
        rate: args.rate,
        seed: args.seed,
    };
    let origin = Fit::origin(&rules, &schedule, &labels);
    let mut fit = Fit::new(&rules, schedule);
    let under_way = beside(&args.out);
    if under_way.exists() && !args.fresh {
        fit.go_on(&read(&under_way)?, &origin).with_context(|| show(&under_way))?;
        report::line(format_args!("goes on after {} of {} steps", fit.step(), fit.steps()))?;
    }
    let stop = session.asked.child();
    let steps = fit.steps();
    let every = (steps / REPORTS).max(1);
    let mut curve = Vec::new();
    fit.learn(&labels, every, &stop, &mut |losses| {
        // Who has gone does not hear the rest.
        let _ = report::line(format_args!("{}", Said(&losses, steps)));
        curve.push(losses);
        if session.is_late() {
            stop.stop();
        }
    });
    if let Some(picture) = &args.picture {
        out_file::write(picture, picture_of(&curve, schedule.batch).as_bytes())?;
    }
    if fit.step() < steps {
        out_file::write(&under_way, &fit.to_bytes(&origin))?;
        report::line(format_args!("{} has what the same command goes on from", show(&under_way)))?;
        return session.result();
    }
    out_file::write(&args.out, &fit.evaluation().to_bytes())?;
    if under_way.exists() {
        std::fs::remove_file(&under_way).with_context(|| out_file::cannot_write(&under_way))?;
    }
    report::line(format_args!("evaluation in {}", show(&args.out)))?;
    Ok(())
}

/// Times that the losses are measured.
const REPORTS: u64 = 100;

/// Losses as a line.
struct Said<'a>(&'a Losses, u64);

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(losses, steps) = self;
        let [wandered, games] = losses.held;
        write!(
            f,
            "step {} of {steps}: distance to the network {:.4}, held back {wandered:.4}, of games {games:.4}; \
             results {:.4} (network {:.4})",
            losses.step, losses.learned, losses.results, losses.network
        )
    }
}

/// The labels of all files, which must be of one game; a torn end is left out.
fn read_labels(files: &[PathBuf]) -> Result<Vec<LabelFile>> {
    let mut all: Vec<LabelFile> = Vec::new();
    for path in files {
        let bytes = read(path)?;
        let file = LabelFile::from_bytes(&bytes).with_context(|| show(path))?;
        if file.whole < bytes.len() {
            report::note(format_args!(
                "{}: the last run was not finished; its {} bytes are left out",
                show(path),
                bytes.len() - file.whole
            ));
        }
        if let Some(first) = all.first().filter(|first| first.rules != file.rules) {
            bail!("{} has labels of {}, not of {}", show(path), file.rules, first.rules);
        }
        if file.label_count() == 0 {
            bail!("{} has no labels yet: let `fit labels` work longer", show(path));
        }
        all.push(file);
    }
    Ok(all)
}

/// Where a fit under way is kept.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".under-way");
    PathBuf::from(name)
}

/// The losses over the positions looked at.
fn picture_of(curve: &[Losses], batch: usize) -> String {
    let series = |name: &str, value: &dyn Fn(&Losses) -> f64| Series {
        name: name.to_owned(),
        style: Style::Line,
        points: curve
            .iter()
            .map(|losses| Point::new((losses.step * batch as u64) as f64 / 1e6, value(losses)))
            .collect(),
    };
    let chart = Chart {
        title: "Learning the evaluation".to_owned(),
        x: Axis::new("positions, millions"),
        y: Axis { log: true, ..Axis::new("distance to the network") },
        series: vec![
            series("learned from", &|losses| losses.learned),
            series("held back, wandering", &|losses| losses.held[0]),
            series("held back, of games", &|losses| losses.held[1]),
        ],
        ..Chart::default()
    };
    chart.svg()
}

fn style(what: &str) -> Result<ProgressStyle> {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{elapsed}}, {{eta}} to go");
    Ok(ProgressStyle::with_template(&template)?)
}
