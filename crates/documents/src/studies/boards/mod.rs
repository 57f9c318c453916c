//! What it costs to keep a board in one way or another: the document that copied boards and then made
//! and unmade moves (001, §3.5 to 3.7), and the one that plans a byte per column (003, future work).
//!
//! Each way walks the same tree of moves and must count the same wins; the time is the fastest of a few
//! runs, divided by the boards looked at. Times are of the machine that measured; what counts is their
//! ratio.

mod drops;
mod stones;

use std::time::{Duration, Instant};

use collinear_arena::experiment::{Findings, Section, Table, TableEntry};
use serde::Deserialize;

use crate::studies::{Context, StudyError};

/// What the experiment's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// Discs to look ahead in Connect Four.
    plies: u32,
    /// Runs, of which the fastest counts.
    runs: u32,
}

/// What a walk found: the same whatever the board is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Walked {
    boards: u64,
    wins: u64,
}

/// One way to keep a board, measured.
struct Measured {
    name: &'static str,
    /// Of one board.
    bytes: usize,
    walked: Walked,
    time: Duration,
}

impl Measured {
    fn nanos(&self) -> f64 {
        self.time.as_nanos() as f64 / self.walked.boards.max(1) as f64
    }
}

/// The fastest of some runs.
fn measure(name: &'static str, bytes: usize, runs: u32, walk: impl Fn() -> Walked) -> Measured {
    let mut best = Measured { name, bytes, walked: Walked::default(), time: Duration::MAX };
    for _ in 0..runs.max(1) {
        let started = Instant::now();
        best.walked = std::hint::black_box(walk());
        best.time = best.time.min(started.elapsed());
    }
    best
}

/// The measurement as an experiment.
pub(super) fn study(context: &Context<'_>) -> Result<Findings, StudyError> {
    let settings: Settings =
        context.parameters.clone().try_into().map_err(|error| context.wrong(&error))?;
    if !(1..=9).contains(&settings.plies) || !(1..=100).contains(&settings.runs) {
        return Err(context.wrong(&"plies must be 1 to 9, and runs 1 to 100"));
    }
    let stopped = || context.stop.is_stopped().then_some(StudyError::Stopped { detail: None });
    (context.say)("boards of Connect6");
    let stones = stones::ways(settings.runs);
    if let Some(stopped) = stopped() {
        return Err(stopped);
    }
    (context.say)("boards of Connect Four");
    let drops = drops::ways(settings.plies, settings.runs);
    if let Some(stopped) = stopped() {
        return Err(stopped);
    }
    let mut sections = vec![
        Section::Table(table(
            "Document 001: pairs of eight cells and of the eight replies, each board looked at for a row.",
            &stones,
        )),
        Section::Table(table(
            &format!(
                "Document 003: all lines of {} discs, the players swapped after each.",
                settings.plies
            ),
            &drops,
        )),
    ];
    sections.extend(context.experiment.notes.clone().map(Section::Text));
    let head = ["board", "bytes", "boards", "wins", "ns per board"].map(str::to_owned).to_vec();
    let data = std::iter::once(head).chain(stones.iter().chain(&drops).map(row)).collect();
    Ok(Findings::new(context.experiment, sections, data))
}

fn row(measured: &Measured) -> Vec<String> {
    vec![
        measured.name.to_owned(),
        measured.bytes.to_string(),
        measured.walked.boards.to_string(),
        measured.walked.wins.to_string(),
        format!("{:.1}", measured.nanos()),
    ]
}

/// The first way is what the others are compared with.
fn table(caption: &str, ways: &[Measured]) -> Table {
    let first = ways.first().map_or(1.0, Measured::nanos);
    let rows = ways.iter().map(|way| {
        let mut entries: Vec<TableEntry> = row(way).into_iter().map(TableEntry::new).collect();
        entries[0] = TableEntry::head(way.name);
        entries.push(TableEntry::new(format!("{:.2}", first / way.nanos().max(f64::MIN_POSITIVE))));
        entries
    });
    Table {
        caption: caption.to_owned(),
        header: ["board", "bytes", "boards", "wins", "ns per board", "times as fast"]
            .map(str::to_owned)
            .into(),
        rows: rows.collect(),
    }
}
