//! `collinear solve`: the exact score of a position of a gravity game, and of every column.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use collinear_arena::WholeFile;
use collinear_connect4::resumable::{self, Plan, RunError};
use collinear_connect4::{Book, Limits, Mode, Score, Solver};
use collinear_play::{read_file, read_text_file};
use collinear_rules::{Player, Position, Rules, notation};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::arena::stop_on_ctrl_c;
use crate::failure::Interrupted;
use crate::{out_file, report};

/// Solve a position of Connect Four, or of any gravity game that fits in 128 bits
#[derive(clap::Args)]
#[command(
    after_help = "Scores are for the player to move: 0 is a draw, n a win with n own stones left to place\n(1: with the very last one), -n a loss the same way.\n\nExamples: collinear solve 4455 --board\n          collinear solve 1122 --game 8x7,k=4,gravity --json\n          collinear solve --batch positions.txt --no-book\n          collinear solve --make-book --depth 8 --out 7x6.book"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Columns played so far, one character each: 1 to 9, then a, b, …
    #[arg(default_value = "")]
    moves: String,
    /// Rules of the game
    #[arg(long, default_value = "connect4")]
    game: String,
    /// Print the scores of the columns only, tab-separated, - where a column is full
    #[arg(long, conflicts_with_all = ["json", "batch"])]
    scores: bool,
    /// Ask who wins, not how soon: scores are then -1, 0 and 1
    #[arg(long)]
    weak: bool,
    /// Add a line of best play
    #[arg(long, conflicts_with = "batch")]
    line: bool,
    /// Draw the board
    #[arg(long, conflicts_with_all = ["json", "batch", "scores"])]
    board: bool,
    /// Do not use a book: search for every answer
    #[arg(long, conflicts_with = "book")]
    no_book: bool,
    /// Use this book instead of the embedded one
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Memory limit of the table in MiB (with --make-book: per thread)
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: u32,
    /// Make a book of every position after --depth stones; an interrupted run can be continued
    #[arg(long, requires = "depth", requires = "out", conflicts_with_all = ["moves", "batch", "scores", "line", "board", "weak", "json", "book", "no_book"])]
    make_book: bool,
    /// Stones on the board in the positions of the book
    #[arg(long, value_name = "D", requires = "make_book")]
    depth: Option<usize>,
    /// File to write the book to
    #[arg(long, value_name = "FILE", requires = "make_book")]
    out: Option<PathBuf>,
    /// Replace the book if it exists, and start over
    #[arg(long, requires = "make_book")]
    fresh: bool,
    /// Number of threads [default: one per core; one for a batch]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Solve every line "MOVES [SCORE]" of a file and report the mismatches, mean time, mean nodes, speed and worst time
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    batch: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let rules: Rules = args.game.parse()?;
    if let (Some(depth), Some(out)) = (args.depth, &args.out) {
        return make_book(&args, &rules, depth, out);
    }
    let mut solver = solver(&args, &rules)?;
    if args.batch.is_some() {
        return batch(&args, &rules, &mut solver);
    }
    let position = place(&rules, &args.moves)?;
    let answer = Answer::find(&mut solver, &position, &args)?;
    if args.json {
        report::json(&answer)
    } else if args.scores {
        report::text(&(answer.columns_text("\t") + "\n"))
    } else {
        report::text(&answer.text(&position, &args))
    }
}

/// The solver that was asked for.
/// A book or a file of positions may have this many bytes.
const MAX_FILE_BYTES: u64 = 1 << 32;

fn solver(args: &Args, rules: &Rules) -> Result<Solver> {
    let solver = if args.no_book { Solver::without_book(rules)? } else { Solver::new(rules)? };
    let threads =
        if args.batch.is_some() { args.threads.map_or(1, usize::from) } else { threads(args) };
    let solver = solver.memory((args.memory as usize) << 20).threads(threads);
    let Some(file) = &args.book else { return Ok(solver) };
    let bytes = read_file(file, MAX_FILE_BYTES)?;
    match Book::from_bytes(bytes) {
        Ok(book) if book.rules() != rules => {
            bail!("{}: this is a book for {}, not for {rules}", file.display(), book.rules())
        }
        Ok(book) => Ok(solver.book(Some(Arc::new(book)))),
        Err(reason) => {
            report::note(format_args!("warning: {}: {reason}; solving without it", file.display()));
            Ok(solver.book(None))
        }
    }
}

/// As many threads as asked for, or as there are cores.
fn threads(args: &Args) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    args.threads.map_or_else(cores, usize::from)
}

fn make_book(args: &Args, rules: &Rules, depth: usize, out: &Path) -> Result<()> {
    out_file::check(out, args.fresh)?;
    let stop = stop_on_ctrl_c()?;
    let started = Instant::now();
    let style = "{bar:24} {pos}/{len} chunks, {elapsed} gone, {eta} left";
    let bar = ProgressBar::no_length().with_style(ProgressStyle::with_template(style)?);
    let mut part = out.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let made = resumable::make(&Plan {
        rules,
        depth,
        part: &part,
        fresh: args.fresh,
        threads: threads(args),
        memory: (args.memory as usize) << 20,
        stop: &|| stop.is_stopped(),
        on: &|done, chunks| {
            bar.set_length(chunks as u64);
            bar.set_position(done as u64);
        },
    });
    bar.finish_and_clear();
    let made = match made {
        Err(error @ RunError::Stopped { .. }) => {
            report::note(error);
            return Err(Interrupted.into());
        }
        made => made?,
    };
    WholeFile::write(out, made.book.as_bytes()).with_context(|| out.display().to_string())?;
    // The book holds everything now.
    std::fs::remove_file(&part).with_context(|| part.display().to_string())?;
    let (positions, bytes) = (made.book.len(), made.book.as_bytes().len());
    let seconds = started.elapsed().as_secs_f64();
    report::note(format_args!(
        "{positions} positions, {bytes} bytes, {} nodes in this run, {seconds:.0} s",
        made.nodes
    ));
    report::line(format_args!(
        "{}: depth {}, {positions} positions",
        out.display(),
        made.book.depth()
    ))
}

/// The position after these columns; an error names the sign at fault.
fn place(rules: &Rules, moves: &str) -> Result<Position> {
    let mut position = Position::new(*rules);
    for (number, sign) in moves.chars().enumerate() {
        let place = || {
            let shown: String = moves.chars().take(number + 1).collect();
            format!("move {} of \"{shown}\"", number + 1)
        };
        if position.is_over() {
            bail!("{}: the game was over after move {number}", place());
        }
        let cell = notation::parse_pons(&position, sign).with_context(place)?;
        position.play(cell).with_context(place)?;
    }
    if position.is_over() {
        bail!("the game is over after move {}: there is nothing to solve", position.stone_count());
    }
    Ok(position)
}

/// What is reported about one position.
#[derive(Serialize)]
struct Answer {
    game: String,
    moves: String,
    to_move: &'static str,
    score: i8,
    /// Per column the score of a stone there; none where the column is full.
    columns: Vec<Option<i8>>,
    /// The best columns, from 1.
    best: Vec<usize>,
    stones_to_end: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    nodes: u64,
    seconds: f64,
}

impl Answer {
    fn find(solver: &mut Solver, position: &Position, args: &Args) -> Result<Self> {
        let started = Instant::now();
        let mode = if args.weak { Mode::Weak } else { Mode::Strong };
        let limits = Limits::default();
        let solved = solver.scores_within(position, mode, &limits)?;
        let columns: Vec<Option<i8>> = solved.columns.iter().map(|s| s.map(Score::get)).collect();
        let score = columns.iter().flatten().copied().max().unwrap_or_default();
        let best = (1..).zip(&columns).filter(|(_, s)| **s == Some(score)).map(|(c, _)| c);
        let line = if args.line {
            let rules = position.rules();
            let cells = solver.line(position, rules.cells(), &limits)?;
            Some(cells.iter().filter_map(|&c| notation::pons_name(rules.column(c))).collect())
        } else {
            None
        };
        Ok(Self {
            game: position.rules().to_string(),
            moves: args.moves.clone(),
            to_move: position.to_move().name(),
            score,
            best: best.collect(),
            columns,
            stones_to_end: (!args.weak)
                .then(|| Score::new(score).stones_to_end(position.empty_count())),
            line,
            nodes: solved.nodes,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    fn columns_text(&self, separator: &str) -> String {
        let texts: Vec<String> = self
            .columns
            .iter()
            .map(|score| score.map_or_else(|| "-".to_owned(), |score| score.to_string()))
            .collect();
        texts.join(separator)
    }

    fn text(&self, position: &Position, args: &Args) -> String {
        let mut text = String::new();
        if args.board {
            text += &board(position, &self.columns);
        }
        let winner = match self.score {
            0 => "draw".to_owned(),
            1.. => format!("{} wins", position.to_move()),
            ..0 => format!("{} wins", !position.to_move()),
        };
        let end = match self.stones_to_end {
            Some(1) => " with the next stone".to_owned(),
            Some(stones) if self.score != 0 => format!(" in {stones} stones"),
            _ => String::new(),
        };
        let _ = writeln!(text, "score {} ({winner}{end})", self.score);
        let _ = writeln!(text, "columns {}", self.columns_text(" "));
        let best: Vec<String> = self
            .best
            .iter()
            .filter_map(|&column| notation::pons_name(column - 1).map(String::from))
            .collect();
        let _ = writeln!(text, "best {}", best.join(" "));
        if let Some(line) = &self.line {
            let _ = writeln!(text, "line {line}");
        }
        let _ = writeln!(text, "{} nodes, {:.3} s", self.nodes, self.seconds);
        text
    }
}

/// The board with the scores below the columns they belong to.
fn board(position: &Position, columns: &[Option<i8>]) -> String {
    let rules = position.rules();
    let mut text = String::new();
    for row in (0..rules.height()).rev() {
        for column in 0..rules.width() {
            let stone = rules.cell(column, row).and_then(|cell| position.at(cell));
            let sign = match stone {
                Some(Player::Black) => 'X',
                Some(Player::White) => 'O',
                None => '.',
            };
            let _ = write!(text, "{sign:>4}");
        }
        text.push('\n');
    }
    for column in 0..rules.width() {
        let _ = write!(text, "{:>4}", notation::pons_name(column).unwrap_or('?'));
    }
    text.push('\n');
    for score in columns {
        let shown = score.map_or_else(|| "-".to_owned(), |score| format!("{score:+}"));
        let _ = write!(text, "{shown:>4}");
    }
    text + "\n\n"
}

/// The summary of a batch.
#[derive(Default, Serialize)]
struct Summary {
    positions: usize,
    mismatches: usize,
    mean_us: f64,
    mean_nodes: f64,
    nodes_per_s: f64,
    worst_us: f64,
}

/// Solves a file of positions, each with an empty table: figures can be compared with published
/// ones.
fn batch(args: &Args, rules: &Rules, solver: &mut Solver) -> Result<()> {
    let Some(file) = &args.batch else { return Ok(()) };
    let text = read_text_file(file, MAX_FILE_BYTES)?;
    let mode = if args.weak { Mode::Weak } else { Mode::Strong };
    let mut summary = Summary::default();
    let (mut nodes, mut seconds) = (0, 0.0);
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .collect();
    let progress = ProgressBar::new(lines.len() as u64);
    for (number, line) in lines {
        let at = || format!("{} line {number}", file.display());
        // A line that begins with a blank is the empty board.
        let (moves, expected) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let expected = match expected.trim() {
            "" => None,
            text => Some(
                text.parse::<i8>().with_context(|| format!("{}: {text:?} is not a score", at()))?,
            ),
        };
        let position = place(rules, moves).with_context(at)?;
        solver.clear();
        let started = Instant::now();
        let solution = solver.solve_within(&position, mode, &Limits::default()).with_context(at)?;
        let took = started.elapsed().as_secs_f64();
        seconds += took;
        summary.worst_us = summary.worst_us.max(took * 1e6);
        nodes += solution.nodes;
        summary.positions += 1;
        let found = solution.score.get();
        if let Some(expected) = expected
            && found != if args.weak { expected.signum() } else { expected }
        {
            summary.mismatches += 1;
            progress.suspend(|| {
                report::text(&format!(
                    "line {number}\t{moves}\texpected {expected}\tfound {found}\n"
                ))
            })?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    if summary.positions > 0 {
        summary.mean_us = seconds / summary.positions as f64 * 1e6;
        summary.mean_nodes = nodes as f64 / summary.positions as f64;
        summary.nodes_per_s = nodes as f64 / seconds;
    }
    if args.json {
        return report::json(&summary);
    }
    report::text(&format!(
        "positions\tmismatches\tmean_us\tmean_nodes\tnodes_per_s\tworst_us\n{}\t{}\t{:.2}\t{:.1}\t{:.0}\t{:.1}\n",
        summary.positions,
        summary.mismatches,
        summary.mean_us,
        summary.mean_nodes,
        summary.nodes_per_s,
        summary.worst_us,
    ))
}
