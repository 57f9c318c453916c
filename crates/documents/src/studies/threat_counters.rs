//! `collinear experiment threat-counters`: how often the counters of the literature miss the exact number of
//! threats, on random positions, on positions of played games and on those of records.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::connectk::{Errors, Survey, SurveyRow, mark_all, wu_huang};
use collinear_arena::experiment::{EntryMark, Findings, Plot, Section, Table, TableEntry};
use collinear_arena::random_opening;
use collinear_arena::report::chart::{Axis, Chart, Point, Series, Style};
use collinear_play::{AgentChoice, Budget, BuildError, StopFlag, play_turn};
use collinear_rules::{Cell, Geometry, Player, Position, Rules, Setup, notation};
use collinear_windows::exact;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;

use crate::studies::{Context, StudyError};

/// Played games begin with this many random stones, so that no two are alike.
const OPENING_STONES: usize = 5;

/// The comparison as an experiment: tables, data and a plot.
pub fn study(context: &Context<'_>) -> Result<Findings, StudyError> {
    let &Context { experiment, parameters, registry, stop, say, .. } = context;
    let text_of = |name: &str| {
        let text = parameters.get(name).and_then(toml::Value::as_str);
        text.ok_or_else(|| context.wrong(&format!("{name} = \"…\" is missing")))
    };
    let number = |name: &str| match parameters.get(name).and_then(toml::Value::as_integer) {
        Some(number) if number > 0 => Ok(number as u64),
        _ => Err(context.wrong(&format!("{name} = a number above 0 is missing"))),
    };
    let settings = Settings {
        game: text_of("game")?.parse().map_err(|error| context.wrong(&error))?,
        games: context.games.map_or_else(|| number("games"), Ok)?,
        agent: registry.parse(text_of("agent")?).map_err(BuildError::from)?,
        step: u16::try_from(number("step")?).map_err(|_| context.wrong(&"step is too large"))?,
        seed: number("seed")?,
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(context.workers).build();
    let threads = threads.map_err(|error| StudyError::Workers(error.to_string()))?;
    let sources = threads.install(|| {
        gather(&settings, &[], stop, &|what, done| {
            say(&format!("{what}: {done} of {}", settings.games));
        })
    })?;
    let mut data = vec![COLUMNS.map(str::to_owned).to_vec()];
    let mut sections =
        vec![Section::Table(figures(context)?), Section::Text(explanation(settings.game.p()))];
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
                    let head = entries.next().map(TableEntry::head);
                    head.into_iter().chain(entries.map(TableEntry::new)).collect()
                })
                .collect(),
        }));
    }
    sections.push(Section::Plot(Plot {
        name: "threat-counters".to_owned(),
        caption: "Share of threatening sides whose count is wrong, by stones on the board."
            .to_owned(),
        svg: plot(&sources, &settings.game),
    }));
    Ok(Findings::new(experiment, sections, data))
}

/// A figure of the document: its section, Black's stones, White's, which counter it is about, what
/// the document says that one counts, and what it says is right.
type Figure = (&'static str, &'static str, &'static str, Counter, usize, usize);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Counter {
    WuHuang,
    MarkAll,
}

/// The text has lost its figures: these positions are made from its words.
const FIGURES: [Figure; 3] = [
    ("§2.1, a live four on one line", "d1 e1 f1 g1", "", Counter::WuHuang, 2, 2),
    (
        "§2.2, a row and a column that share an end",
        "c4 c5 c6 c7 d3 e3 f3 g3",
        "b3 i3 c1 c8",
        Counter::WuHuang,
        2,
        1,
    ),
    (
        "§2.3, a row with a column through either end",
        "c4 c5 c6 c7 d3 e3 f3 g3 h4 h5 h6 h7",
        "b3 i3 c1 c8 h1 h8",
        Counter::MarkAll,
        1,
        2,
    ),
];

/// The figures of §2 counted by everybody, beside what the document says.
fn figures(context: &Context<'_>) -> Result<Table, StudyError> {
    let rules = Rules::CONNECT6;
    let cells = |names: &str| -> Result<Vec<Cell>, StudyError> {
        let parse = |name| notation::parse(&rules, name).map_err(|error| context.wrong(&error));
        names.split_whitespace().map(parse).collect()
    };
    let mut rows = Vec::new();
    for (name, black, white, counter, printed, right) in FIGURES {
        let to_move = Some((Player::White, rules.p()));
        let setup = Setup { black: cells(black)?, white: cells(white)?, to_move };
        let position = Position::from_setup(rules, &setup).map_err(|e| context.wrong(&e))?;
        let beside = |ours: usize, printed: Option<usize>| {
            let off = printed.is_some_and(|printed| printed != ours);
            let entry = TableEntry::new(ours.to_string());
            let entry = entry.marked(if off { EntryMark::Off } else { EntryMark::None });
            printed.into_iter().fold(entry, |entry, printed| entry.with_note(printed.to_string()))
        };
        let said = |of: Counter| (of == counter).then_some(printed);
        rows.push(vec![
            TableEntry::head(name),
            beside(wu_huang(&position, Player::Black), said(Counter::WuHuang)),
            beside(mark_all(&position, Player::Black), said(Counter::MarkAll)),
            beside(exact(&position, Player::Black), Some(right)),
        ]);
    }
    Ok(Table {
        caption: "The document's figures: Black's threats by each counter, in brackets what the text says.".to_owned(),
        header: ["figure", "Wu–Huang", "mark-all", "exact"].map(str::to_owned).into(),
        rows,
    })
}

/// What is compared.
pub struct Settings {
    /// The game.
    pub game: Rules,
    /// Games of each kind: random ones, and ones the agent plays against itself.
    pub games: u64,
    /// Who plays the played games.
    pub agent: AgentChoice,
    /// Stones that a row of the table covers.
    pub step: u16,
    /// Seed of the random games, the openings and the agent.
    pub seed: u64,
}

/// A game from elsewhere: where it starts, and its stones.
pub type Recorded = (Position, Vec<Cell>);

/// Hears what is played and how many games of it are done.
pub type Listener<'a> = &'a (dyn Fn(&str, u64) + Sync);

/// Plays the games and counts; games from elsewhere make a source of their own. Once stopped it
/// returns what it has.
pub fn gather(
    settings: &Settings,
    recorded: &[Recorded],
    stop: &StopFlag,
    on: Listener<'_>,
) -> Result<Vec<Source>, StudyError> {
    settings.agent.build(&settings.game, settings.seed)?;
    let job = Job { settings, geometry: Arc::new(Geometry::new(settings.game)), stop, on };
    let mut sources = vec![
        Source::new("random", &job.games("random games", |seed| Ok(job.random_game(seed)))?),
        Source::new("played", &job.games("played games", |seed| job.played_game(seed))?),
    ];
    if !recorded.is_empty() {
        sources.push(Source::new("records", &job.recorded(recorded)));
    }
    Ok(sources)
}

struct Job<'a> {
    settings: &'a Settings,
    geometry: Arc<Geometry>,
    stop: &'a StopFlag,
    on: Listener<'a>,
}

impl Job<'_> {
    fn survey(&self) -> Survey {
        Survey::new(self.settings.step.into())
    }

    /// Plays the games, each with a seed of its own: the sum does not depend on the order.
    fn games(
        &self,
        what: &str,
        play: impl Fn(u64) -> Result<Survey, StudyError> + Sync,
    ) -> Result<Survey, StudyError> {
        let done = AtomicU64::new(0);
        (0..self.settings.games)
            .into_par_iter()
            .filter(|_| !self.stop.is_stopped())
            .map(|number| {
                let survey = play(self.settings.seed.wrapping_mul(1_000_003).wrapping_add(number));
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

    fn played_game(&self, seed: u64) -> Result<Survey, StudyError> {
        let mut survey = self.survey();
        let stones = OPENING_STONES.min(self.settings.game.cells() / 4);
        let mut position = random_opening(&self.geometry, stones, seed)
            .unwrap_or_else(|_| Position::with_geometry(self.geometry.clone()));
        let mut player = self.settings.agent.build(&self.settings.game, seed)?;
        while !position.is_over() && !self.stop.is_stopped() {
            let turn = player.choose(&position, &Budget::default(), &mut |_| {})?;
            play_turn(&mut position, &turn)?;
            add_if_turn_begins(&mut survey, &position);
        }
        Ok(survey)
    }

    fn recorded(&self, games: &[Recorded]) -> Survey {
        let mut survey = self.survey();
        for (start, moves) in games.iter().take_while(|_| !self.stop.is_stopped()) {
            let mut position = start.clone();
            for &cell in moves {
                // A record was checked when it was read; what cannot be played ends it.
                if position.play(cell).is_err() {
                    break;
                }
                add_if_turn_begins(&mut survey, &position);
            }
        }
        survey
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

/// What was counted in one kind of games.
#[derive(Serialize)]
pub struct Source {
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
    fn new(name: &'static str, survey: &Survey) -> Self {
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

/// The tables for a terminal.
pub fn text(sources: &[Source], p: usize) -> String {
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

/// The share of wrong counts by stones on the board as SVG: a line per source and counter.
pub fn plot(sources: &[Source], rules: &Rules) -> String {
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
