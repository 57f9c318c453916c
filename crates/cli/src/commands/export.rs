//! `collinear export`: kept games as records, tables or JSON lines.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use collinear_arena::PlayedGame;
use collinear_arena::WholeFile;
use collinear_arena::{RunRow, Store};
use collinear_protocol::records::{Format, GameRecord, Writer};
use collinear_rules::Rules;

use crate::arena::ResultsFile;
use crate::failure::Failed;
use crate::out_file;
use crate::report;

/// Export stored games as SGF or another record format, as CSV or JSON lines
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear export --list
  collinear export -o games.sgf
  collinear export 1f3a -o table.csv

csv and jsonl have everything that is kept of a game: seeds, times, nodes, reasons; sgf has all but the seeds.\nWhat `export` writes, `convert` reads.")]
pub(crate) struct Args {
    /// Run to export: the beginning of its name, or `last`
    #[arg(default_value = "last")]
    run: String,
    /// List the stored runs instead
    #[arg(long)]
    list: bool,
    /// Output file; the extension selects the format: sgf, psq, pons, moves, csv, jsonl
    #[arg(long, short, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    fresh: bool,
    /// Format, if the extension does not name it
    #[arg(long)]
    format: Option<String>,
    #[command(flatten)]
    results: ResultsFile,
    /// With --list: report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    // What is left of a damaged file is worth having; that something is missing is said at the end.
    let store = Store::look_into(&args.results.path()?)?;
    let runs = store.runs()?;
    if args.list {
        if runs.is_empty() {
            report::note(format_args!(
                "no runs are stored yet: `collinear match` and `collinear tournament` play some"
            ));
        }
        return list(&runs, args.json);
    }
    let row = choose(&runs, &args.run)?;
    let format = args.format()?;
    if let Some(file) = &args.out {
        out_file::check(file, args.fresh)?;
    }
    let rules = row.parsed_rules().with_context(|| format!("{:?} is not a game", row.rules))?;
    let mut sheet = Sheet { row, rules, labels: row.labels(), format, writer: Writer::new(format) };
    let mut out: Box<dyn Output> = match args.out.as_deref() {
        None => Box::new(std::io::stdout().lock()),
        Some(file) => Box::new(out_file::create(file)?),
    };
    let mut written = out.write_all(sheet.head().as_bytes()).map_err(anyhow::Error::from);
    let mut games = 0;
    let read = store.each_game(row, &mut |game| {
        if written.is_ok() {
            written = sheet.text(&game).and_then(|text| Ok(out.write_all(text.as_bytes())?));
            games += 1;
        }
    });
    let damage = read.and_then(|()| store.check()).err();
    let done = written
        .and_then(|()| Ok(out.write_all(sheet.foot().as_bytes())?))
        .and_then(|()| Ok(out.finish()?));
    match done {
        // A reader that has seen enough is not an error.
        Err(error) if is_broken_pipe(&error) => return Ok(()),
        other => other?,
    }
    if let Some(file) = &args.out {
        let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        report::note(format_args!("{games} of run {} in {}", row.id, shown(file)));
    }
    match damage {
        None => Ok(()),
        Some(reason) => Err(Failed(format!(
            "this export is partial, with {games} of {} games: {reason}",
            row.games
        ))
        .into()),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
}

/// Something that is written to its end.
trait Output: Write {
    fn finish(self: Box<Self>) -> std::io::Result<()>;
}

impl Output for std::io::StdoutLock<'_> {
    fn finish(mut self: Box<Self>) -> std::io::Result<()> {
        self.flush()
    }
}

impl Output for WholeFile {
    fn finish(self: Box<Self>) -> std::io::Result<()> {
        self.commit()
    }
}

fn shown(file: &Path) -> String {
    file.display().to_string()
}

fn list(runs: &[RunRow], json: bool) -> Result<()> {
    for run in runs {
        report::text(&if json {
            serde_json::to_string(run)? + "\n"
        } else {
            let labels = run.labels();
            let who = if labels.len() > 4 {
                format!("{} contestants", labels.len())
            } else {
                labels.join(" – ")
            };
            let planned = match run.planned {
                Some(planned) if !run.is_finished() => format!(" of {planned}"),
                _ => String::new(),
            };
            format!(
                "{}  {}  {:<12} {:>7}{planned} games  {}  {who}\n",
                run.id, run.started, run.name, run.games, run.rules
            )
        })?;
    }
    Ok(())
}

fn choose<'a>(runs: &'a [RunRow], name: &str) -> Result<&'a RunRow> {
    let found: Vec<_> = if name == "last" {
        runs.iter().take(1).collect()
    } else {
        runs.iter().filter(|run| run.id.starts_with(name)).collect()
    };
    match found[..] {
        [run] => Ok(run),
        [] if runs.is_empty() => {
            bail!("no runs are stored yet: `collinear match` and `collinear tournament` play some")
        }
        [] => bail!("there is no run {name:?}: `collinear export --list` lists them"),
        _ => bail!("{} runs begin with {name:?}: write more of the name", found.len()),
    }
}

impl Args {
    fn format(&self) -> Result<Format> {
        let known = || Format::ALL.map(Format::name).join(", ");
        if let Some(name) = &self.format {
            return Format::from_name(name)
                .with_context(|| format!("there is no format {name:?}; formats: {}", known()));
        }
        let Some(file) = &self.out else { return Ok(Format::Jsonl) };
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        Format::from_extension(ending).with_context(|| {
            format!("{}: the extension names no format: use --format {}", shown(file), known())
        })
    }
}

/// Turns games into text.
struct Sheet<'a> {
    row: &'a RunRow,
    rules: Rules,
    labels: Vec<String>,
    format: Format,
    writer: Writer,
}

const COLUMNS: &str = "run,number,pair,black,white,result,ending,words,stones,opening,black_us,white_us,\
    black_turns,white_turns,black_nodes,white_nodes,black_depth,white_depth,black_seed,white_seed,moves\n";

impl Sheet<'_> {
    fn head(&self) -> &'static str {
        if self.format == Format::Csv { COLUMNS } else { "" }
    }

    fn text(&mut self, game: &PlayedGame) -> Result<String> {
        if self.format == Format::Csv {
            return Ok(self.csv(game));
        }
        let mut text = String::new();
        self.writer.append(&mut text, &self.record(game))?;
        Ok(text)
    }

    fn foot(self) -> String {
        let mut text = String::new();
        if self.format != Format::Csv {
            self.writer.finish(&mut text);
        }
        text
    }

    fn label(&self, index: usize) -> &str {
        self.labels.get(index).map_or("?", String::as_str)
    }

    fn csv(&self, game: &PlayedGame) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\"").replace('\n', " "));
        let summary = &game.summary;
        let [b, w] = &summary.sides;
        format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            self.row.id,
            summary.number,
            summary.pair,
            quoted(self.label(summary.black)),
            quoted(self.label(summary.white)),
            summary.result_name(),
            summary.reason.name(),
            quoted(game.detail().unwrap_or_default()),
            game.record.tree.len() - 1,
            game.record.opening,
            b.micros,
            w.micros,
            b.turns,
            w.turns,
            b.nodes,
            w.nodes,
            b.depth,
            w.depth,
            game.seeds[0],
            game.seeds[1],
            game.moves_text(&self.rules),
        )
    }

    /// The game with everything that is kept of it, in the fields a record has for that.
    fn record(&self, game: &PlayedGame) -> GameRecord {
        let PlayedGame { summary, seeds, record } = game;
        let mut record = record.clone();
        record.players =
            [summary.black, summary.white].map(|player| Some(self.label(player).to_owned()));
        let mut note = |key: &str, value: &str| {
            record.metadata.insert(key.to_owned(), value.to_owned());
        };
        note("event", &format!("{} {}", self.row.name, self.row.id));
        note("round", &(summary.number + 1).to_string());
        note("date", self.row.started.split(' ').next().unwrap_or_default());
        if self.format == Format::Jsonl {
            note("run", &self.row.id);
            note("pair", &summary.pair.to_string());
            note("black_seed", &seeds[0].to_string());
            note("white_seed", &seeds[1].to_string());
        }
        record
    }
}
