//! `collinear convert`: game records from one format to another, many games at once.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use collinear_arena::WholeFile;
use collinear_protocol::records::{self, Format, GameRecord, Writer};
use collinear_rules::Rules;
use indicatif::ProgressBar;

use crate::failure::Interrupted;
use crate::record_file::{RecordFile, format_of};
use crate::{out_file, report};

/// Convert game records from one format to another
#[derive(clap::Args)]
#[command(
    after_help = "Formats: sgf (Gomoku GM[4], Connect6 dialects, any rules), sgf-lg (Little Golem), sgf-511 (GM[511]),\n         psq, pons, ccgc, moves, csv, renlib (one tree), jsonl (the native format: nothing is lost)\n\nExamples:\n  collinear convert games.csv games.sgf\n  collinear convert --from pons --to jsonl - - < lines.txt\n  collinear convert old.sgf new.sgf --to sgf-511"
)]
pub(crate) struct Args {
    /// File to read, `-` for standard input
    #[arg(value_name = "IN")]
    input: String,
    /// File to write, `-` for standard output
    #[arg(value_name = "OUT")]
    output: String,
    /// Format of the input [default: by extension, or else by content]
    #[arg(long, value_parser = format)]
    from: Option<Format>,
    /// Format of the output [default: by extension]
    #[arg(long, value_parser = format)]
    to: Option<Format>,
    /// Rules of the game, for records that do not name them
    #[arg(long)]
    game: Option<Rules>,
    /// Replace the output file if it exists
    #[arg(long)]
    fresh: bool,
}

/// Quick conversions show no progress.
const PROGRESS_AFTER: Duration = Duration::from_secs(2);
/// The output is handed on in pieces of this size.
const PIECE_BYTES: usize = 1 << 16;

pub(crate) fn run(args: Args) -> Result<()> {
    let to = args.to.or_else(|| format_of(Path::new(&args.output)));
    let Some(to) = to else {
        bail!("the format of {} is not clear: name it with --to {}", args.output, names());
    };
    if args.output != "-" {
        out_file::check(Path::new(&args.output), args.fresh)?;
    }
    let started = Instant::now();
    let input = RecordFile::read(Path::new(&args.input))?.with_format(args.from);
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    crate::signals::watch(move |_| flag.store(true, Ordering::Relaxed))?;

    let mut output = Output::create(&args.output)?;
    let mut writer = Writer::new(to);
    let (mut piece, mut count) = (String::new(), 0_usize);
    let mut losses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut progress: Option<ProgressBar> = None;
    for game in input.games(args.game) {
        let game = game?;
        count += 1;
        if to == Format::Renlib {
            if count > 1 {
                bail!(
                    "{}: a RenLib file holds one tree, and there are more games",
                    shown(&args.input)
                );
            }
            output.write_all(&records::to_renlib(&game)?).with_context(|| shown(&args.output))?;
            note_losses(&mut losses, to, &game);
            continue;
        }
        writer.append(&mut piece, &game).with_context(|| format!("game {count}"))?;
        note_losses(&mut losses, to, &game);
        if piece.len() > PIECE_BYTES {
            output.write_all(piece.as_bytes()).with_context(|| shown(&args.output))?;
            piece.clear();
        }
        if interrupted.load(Ordering::Relaxed) {
            report::note(format_args!(
                "interrupted after {count} games: {} was not written",
                shown(&args.output)
            ));
            return Err(Interrupted.into());
        }
        if started.elapsed() > PROGRESS_AFTER {
            progress
                .get_or_insert_with(|| ProgressBar::new_spinner().with_message("games"))
                .set_message(format!("{count} games"));
        }
    }
    if count == 0 {
        bail!("{}: there is no game in it", input.shown());
    }
    writer.finish(&mut piece);
    output.write_all(piece.as_bytes()).with_context(|| shown(&args.output))?;
    output.commit().with_context(|| shown(&args.output))?;
    if let Some(progress) = progress {
        progress.finish_and_clear();
    }
    for (what, games) in losses {
        report::note(format_args!(
            "note: {} has no place for {what}: left out of {games} games",
            to.name()
        ));
    }
    let seconds = started.elapsed().as_secs_f64();
    report::note(format_args!("{count} games, {:.0} games/s", count as f64 / seconds.max(1e-6)));
    Ok(())
}

fn note_losses(losses: &mut BTreeMap<&str, usize>, to: Format, game: &GameRecord) {
    for loss in to.losses(game) {
        *losses.entry(loss).or_default() += 1;
    }
}

fn format(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| format!("formats are {}", names()))
}

fn names() -> String {
    Format::ALL.map(Format::name).join(", ")
}

fn shown(path: &str) -> String {
    if path == "-" { "standard output".to_owned() } else { path.to_owned() }
}

/// Where the games go. A pipe gets them at the end too: a reader sees all of them or none.
enum Output {
    Pipe(Vec<u8>),
    File(WholeFile),
}

impl Output {
    fn create(path: &str) -> Result<Self> {
        if path == "-" {
            return Ok(Self::Pipe(Vec::new()));
        }
        out_file::create(Path::new(path)).map(Self::File)
    }

    fn commit(self) -> io::Result<()> {
        match self {
            Self::Pipe(bytes) => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(&bytes)?;
                stdout.flush()
            }
            Self::File(file) => file.commit(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Pipe(buffer) => buffer.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
