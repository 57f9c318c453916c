//! `collinear experiment threat-counters`: how often the counters of the literature miss the exact number of
//! threats, on random positions, on positions of played games and on those of records.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail};
use collinear_arena::experiment::{Entry, Findings, Plot, Section, Table};
use collinear_arena::opening::random_opening;
use collinear_arena::report::chart::{Axis, Chart, Point, Series, Style};
use collinear_play::{AgentChoice, Budget, Registry, StopFlag, play_turn};
use collinear_protocol::records::{self, Format, ReadOptions};
use collinear_rules::{Geometry, Position, Rules};
use collinear_shapes::{Errors, Survey, SurveyRow};
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;

use crate::arena::stop_on_ctrl_c;
use crate::experiments::Context;
use crate::report;

/// Compare the threat counters of Wu–Huang and mark-all with the exact count, by stones on the
/// board.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  collinear experiment threat-counters --games 100 --svg counters.svg\n  collinear experiment threat-counters --records games.csv --json"
)]
pub(crate) struct Args {
    /// The game
    #[arg(long, default_value = "connect6")]
    game: Rules,
    /// Games of each kind: random ones, and ones an agent plays against itself
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Who plays the played games
    #[arg(long, default_value = "sextant:nodes=300,memory=1")]
    agent: String,
    /// Look at the games of this file too
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Stones a row of the table covers
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
    /// Seed of the random games, the openings and the agent
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write a plot
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

/// Played games begin with so many random stones, so that no two are alike.
const OPENING_STONES: usize = 5;

pub(crate) fn run(args: Args) -> Result<()> {
    let stop = stop_on_ctrl_c()?;
    let style = ProgressStyle::with_template("{msg} {pos}/{len} {bar:30} {eta}")?;
    let bar = ProgressBar::new(args.games).with_style(style);
    let sources = gather(&args, &crate::registry::registry(), &stop, &|what, done| {
        if done <= 1 {
            bar.reset();
            bar.set_message(what.to_owned());
        }
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let sources = sources?;
    if stop.is_stopped() {
        eprintln!("interrupted: these are the games so far");
    }
    if let Some(path) = &args.svg {
        fs::write(path, plot(&sources, &args.game)).with_context(|| path.display().to_string())?;
    }
    if args.json { report::json(&sources) } else { report::text(&text(&sources, args.game.p())) }
}

/// The same as a study among the experiments: page, data and picture instead of a text.
pub(crate) fn study(context: &Context<'_>) -> Result<Findings> {
    let Context { experiment, parameters, registry, stop, say, .. } = context;
    let text_of = |name: &str| match parameters.get(name).and_then(toml::Value::as_str) {
        Some(text) => Ok(text),
        None => bail!("{}: [parameters] lacks {name} = \"…\"", experiment.name),
    };
    let number = |name: &str| match parameters.get(name).and_then(toml::Value::as_integer) {
        Some(number) if number > 0 => Ok(number as u64),
        _ => bail!("{}: [parameters] lacks {name} = a number above 0", experiment.name),
    };
    let args = Args {
        game: text_of("game")?.parse()?,
        games: context.games.map_or_else(|| number("games"), Ok)?,
        agent: text_of("agent")?.to_owned(),
        records: None,
        step: u16::try_from(number("step")?).context("step is too large")?,
        seed: number("seed")?,
        svg: None,
        json: false,
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(context.workers).build()?;
    let sources = threads.install(|| {
        gather(&args, registry, stop, &|what, done| {
            say(&format!("{what}: {done} of {}", args.games));
        })
    })?;
    let mut data = vec![COLUMNS.map(str::to_owned).to_vec()];
    let mut sections = vec![Section::Text(explanation(args.game.p()))];
    for source in &sources {
        let rows = || source.rows.iter().map(|row| (row.name(), row));
        let all = || rows().chain([("all".to_owned(), &source.total)]);
        data.extend(rows().map(|(stones, row)| row.data(source.name, stones)));
        sections.push(Section::Table(Table {
            caption: format!("{} positions", source.name),
            header: COLUMNS[1..].iter().map(|&name| name.to_owned()).collect(),
            rows: all()
                .map(|(stones, row)| {
                    let mut entries = row.data(source.name, stones).split_off(1).into_iter();
                    let head = entries.next().map(Entry::head);
                    head.into_iter().chain(entries.map(Entry::new)).collect()
                })
                .collect(),
        }));
    }
    sections.push(Section::Plot(Plot {
        name: "threat-counters".to_owned(),
        caption: "Share of threatening sides whose count is wrong, by stones on the board."
            .to_owned(),
        svg: plot(&sources, &args.game),
    }));
    Ok(Findings {
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        question: experiment.question.clone(),
        source: experiment.source.clone(),
        sections,
        data,
        command: format!("collinear experiment run {}", experiment.name),
    })
}

/// Hears what is played and how many games of it are done.
type Listener<'a> = &'a (dyn Fn(&str, u64) + Sync);

fn gather(
    args: &Args,
    registry: &Registry,
    stop: &StopFlag,
    on: Listener<'_>,
) -> Result<Vec<Source>> {
    let agent = registry.parse(&args.agent)?;
    agent.build(&args.game, args.seed)?;
    let job = Job { args, geometry: Arc::new(Geometry::new(args.game)), stop, on };
    let mut sources = vec![
        Source::new("random", job.games("random games", |seed| Ok(job.random_game(seed)))?),
        Source::new("played", job.games("played games", |seed| job.played_game(&agent, seed))?),
    ];
    if let Some(file) = &args.records {
        sources.push(Source::new("records", job.recorded(file)?));
    }
    Ok(sources)
}

struct Job<'a> {
    args: &'a Args,
    geometry: Arc<Geometry>,
    stop: &'a StopFlag,
    on: Listener<'a>,
}

impl Job<'_> {
    fn survey(&self) -> Survey {
        Survey::new(self.args.step.into())
    }

    /// Plays the games, each with a seed of its own: the sum does not depend on the order.
    fn games(&self, what: &str, play: impl Fn(u64) -> Result<Survey> + Sync) -> Result<Survey> {
        let done = AtomicU64::new(0);
        (0..self.args.games)
            .into_par_iter()
            .filter(|_| !self.stop.is_stopped())
            .map(|number| {
                let survey = play(self.args.seed.wrapping_mul(1_000_003).wrapping_add(number));
                (self.on)(what, done.fetch_add(1, Ordering::Relaxed) + 1);
                survey
            })
            .try_reduce(
                || self.survey(),
                |mut sum, part| {
                    sum.merge(&part);
                    Ok(sum)
                },
            )
    }

    /// Stones anywhere until the board is full or somebody happens to win.
    fn random_game(&self, seed: u64) -> Survey {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut survey = self.survey();
        let mut position = Position::with_geometry(self.geometry.clone());
        while let Some(&cell) = position.legal_cells().choose(&mut rng) {
            position.play_unchecked(cell);
            add_if_turn_begins(&mut survey, &position);
        }
        survey
    }

    fn played_game(&self, agent: &AgentChoice, seed: u64) -> Result<Survey> {
        let mut survey = self.survey();
        let stones = OPENING_STONES.min(self.args.game.cells() / 4);
        let mut position = random_opening(&self.geometry, stones, seed)
            .unwrap_or_else(|_| Position::with_geometry(self.geometry.clone()));
        let mut player = agent.build(&self.args.game, seed)?;
        while !position.is_over() && !self.stop.is_stopped() {
            let turn = player.choose(&position, &Budget::default(), &mut |_| {})?;
            play_turn(&mut position, &turn)?;
            add_if_turn_begins(&mut survey, &position);
        }
        Ok(survey)
    }

    fn recorded(&self, file: &Path) -> Result<Survey> {
        let shown = || file.display().to_string();
        let bytes = fs::read(file).with_context(shown)?;
        let text = records::decode(&bytes).with_context(shown)?;
        let format = file.extension().and_then(|e| Format::from_extension(e.to_str()?));
        let options = ReadOptions { rules: Some(self.args.game) };
        let mut survey = self.survey();
        for record in records::games(&text, format, &options) {
            let record = record.with_context(shown)?;
            if record.rules != self.args.game {
                bail!("{}: a game of {} among those of {}", shown(), record.rules, self.args.game);
            }
            let mut position = record.start()?;
            for cell in record.moves() {
                position.play(cell)?;
                add_if_turn_begins(&mut survey, &position);
            }
            if self.stop.is_stopped() {
                break;
            }
        }
        Ok(survey)
    }
}

/// Threats matter when a whole turn is to answer them.
fn add_if_turn_begins(survey: &mut Survey, position: &Position) {
    if !position.is_over() && position.stones_left() == position.rules().p() {
        survey.add(position);
    }
}

/// The columns of the study's data.
const COLUMNS: [&str; 11] = [
    "source",
    "stones",
    "sides",
    "threatening",
    "on two or more lines",
    "Wu–Huang over",
    "Wu–Huang under",
    "Wu–Huang decisive",
    "mark-all over",
    "mark-all under",
    "mark-all decisive",
];

#[derive(Serialize)]
struct Source {
    #[serde(rename = "source")]
    name: &'static str,
    rows: Vec<Row>,
    total: Row,
}

#[derive(Clone, Copy, Serialize)]
struct Row {
    stones: usize,
    stones_to: usize,
    sides: u64,
    threatening: u64,
    crossing: u64,
    unstoppable: u64,
    wu_huang: Wrong,
    mark_all: Wrong,
}

#[derive(Clone, Copy, Serialize)]
struct Wrong {
    over: u64,
    under: u64,
    decisive: u64,
}

impl From<Errors> for Wrong {
    fn from(errors: Errors) -> Self {
        Self { over: errors.over, under: errors.under, decisive: errors.decisive }
    }
}

impl Wrong {
    const fn all(self) -> u64 {
        self.over + self.under
    }
}

impl Row {
    fn of(row: &SurveyRow, stones_to: usize) -> Self {
        Self {
            stones: row.stones,
            stones_to,
            sides: row.sides,
            threatening: row.threatening,
            crossing: row.crossing,
            unstoppable: row.unstoppable,
            wu_huang: row.wu_huang.into(),
            mark_all: row.mark_all.into(),
        }
    }

    fn name(&self) -> String {
        format!("{}–{}", self.stones, self.stones_to)
    }

    /// In the order of [`COLUMNS`].
    fn data(&self, source: &str, stones: String) -> Vec<String> {
        let mut data = vec![source.to_owned(), stones];
        let Wrong { over, under, decisive } = self.wu_huang;
        let wu_huang = [over, under, decisive];
        let Wrong { over, under, decisive } = self.mark_all;
        let numbers = [self.sides, self.threatening, self.crossing].into_iter();
        data.extend(numbers.chain(wu_huang).chain([over, under, decisive]).map(|n| n.to_string()));
        data
    }

    fn share(&self, part: u64) -> f64 {
        if self.threatening == 0 { 0.0 } else { part as f64 / self.threatening as f64 }
    }
}

impl Source {
    fn new(name: &'static str, survey: Survey) -> Self {
        let rows: Vec<Row> =
            survey.rows().map(|row| Row::of(row, row.stones + survey.step() - 1)).collect();
        let last = rows.last().map_or(0, |row| row.stones_to);
        Self { name, total: Row::of(&survey.total(), last), rows }
    }
}

fn explanation(p: usize) -> String {
    format!(
        "Sides that threaten something, when a turn begins. over, under: the count is above or below \
         the exact one (both capped at {}); decisive: wrong about whether a turn stops the attack.",
        p + 1
    )
}

fn text(sources: &[Source], p: usize) -> String {
    let mut out = explanation(p) + "\n";
    for source in sources {
        let _ = writeln!(
            out,
            "\n{:<8}                              Wu–Huang                 mark-all\n\
             stones        sides  threatening     over  under decisive     over  under decisive",
            source.name
        );
        for row in &source.rows {
            write_row(&mut out, &row.name(), row);
        }
        write_row(&mut out, "all", &source.total);
        let Row { crossing, wu_huang, mark_all, .. } = source.total;
        let percent = |wrong: Wrong| 100.0 * wrong.all() as f64 / crossing.max(1) as f64;
        let _ = writeln!(
            out,
            "of {crossing} with threats on two or more lines: Wu–Huang wrong {} ({:.2}%), mark-all wrong {} ({:.2}%)",
            wu_huang.all(),
            percent(wu_huang),
            mark_all.all(),
            percent(mark_all),
        );
    }
    out
}

fn write_row(out: &mut String, stones: &str, row: &Row) {
    let _ = write!(out, "{stones:<9} {:>9}  {:>11}", row.sides, row.threatening);
    for wrong in [row.wu_huang, row.mark_all] {
        let percent = |part| 100.0 * row.share(part);
        let _ = write!(
            out,
            "  {:>6.2}% {:>5.2}% {:>7.2}%",
            percent(wrong.over),
            percent(wrong.under),
            percent(wrong.decisive)
        );
    }
    out.push('\n');
}

/// Fewer sides than this make a share too uncertain to plot.
const PLOT_FROM_SIDES: u64 = 100;

/// A line a source and counter: share of wrong counts over stones on the board.
fn plot(sources: &[Source], rules: &Rules) -> String {
    type Pick = fn(&Row) -> Wrong;
    let counters: [(&str, Pick); 2] =
        [("Wu–Huang", |row| row.wu_huang), ("mark-all", |row| row.mark_all)];
    let lines = sources.iter().flat_map(|source| {
        counters.map(|(name, pick)| {
            let rows = source.rows.iter().filter(|row| row.threatening >= PLOT_FROM_SIDES);
            let points = rows.map(|row| {
                let middle = f64::midpoint(row.stones as f64, row.stones_to as f64);
                Point::new(middle, 100.0 * row.share(pick(row).all()))
            });
            let name = format!("{name}, {}", source.name);
            Series { name, style: Style::LineDots, points: points.collect() }
        })
    });
    let series: Vec<Series> = lines.collect();
    let highest = series.iter().flat_map(|line| &line.points).map(|point| point.y);
    let range = Some((0.0, 1.1 * highest.fold(0.1, f64::max)));
    Chart {
        title: format!("Wrong threat counts, {rules}"),
        x: Axis::new("stones on the board"),
        y: Axis { label: "wrong counts, % of threatening sides".to_owned(), log: false, range },
        series,
        ..Chart::default()
    }
    .svg()
}
