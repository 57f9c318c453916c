//! `collinear book`: opening books from game records.

mod make;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use collinear_book::{Book, Entry, Rule};
use collinear_play::{End, read_file};
use collinear_protocol::records::GameRecord;
use collinear_rules::{Position, Rules, notation};
use indicatif::ProgressBar;
use serde_json::json;

use crate::out_file;
use crate::record_file::RecordFile;
use crate::report;

/// Build an opening book from game records, or query one
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    Build(Build),
    Make(make::Make),
    Info(Info),
    Query(Query),
}

/// Build a book from records in any format `collinear convert` reads
#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear book build games.sgf more.csv --game connect6 --out my.book

Unfinished games and games of other rules are skipped and counted."
)]
struct Build {
    /// Files of game records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Rules of the games
    #[arg(short, long, default_value = "connect6")]
    game: Rules,
    /// Use the first N turns of each game
    #[arg(long, default_value_t = 12)]
    turns: u16,
    /// Keep only positions that at least N games reached
    #[arg(long, default_value_t = 1)]
    min_games: u32,
    /// Where to write the book
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the book if it exists
    #[arg(long)]
    fresh: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

/// Show what a book contains
#[derive(clap::Args)]
#[command(after_help = "Example: collinear book info my.book")]
struct Info {
    /// The book
    file: PathBuf,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

/// Show the turns played after these moves, and which one two rules recommend
#[derive(clap::Args)]
#[command(after_help = "Example: collinear book query my.book --moves \"j10 k9 k11\"")]
struct Query {
    /// The book
    file: PathBuf,
    /// The moves so far, such as "j10 k9 k11"
    #[arg(long, default_value = "")]
    moves: String,
    /// How often a turn must have been played to count
    #[arg(long, default_value_t = 4)]
    s: u32,
    /// Show the N most frequent turns
    #[arg(long, default_value_t = 20)]
    top: usize,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    match args.action {
        Action::Build(build) => build.run(),
        Action::Make(make) => make.run(),
        Action::Info(info) => info.run(),
        Action::Query(query) => query.run(),
    }
}

/// More than any book of ours.
const MAX_BOOK_BYTES: u64 = 1 << 32;

pub(super) fn read_book(file: &Path) -> Result<Book> {
    let bytes = read_file(file, MAX_BOOK_BYTES)?;
    Book::from_bytes(&bytes).with_context(|| file.display().to_string())
}

#[derive(Default)]
struct Counts {
    used: u64,
    unfinished: u64,
    other_rules: u64,
    set_up: u64,
}

impl Build {
    fn run(&self) -> Result<()> {
        out_file::check(&self.out, self.fresh)?;
        let mut book = Book::new(self.game, self.turns);
        let mut counts = Counts::default();
        let progress = ProgressBar::new_spinner().with_message("reading games");
        for file in &self.files {
            let file = RecordFile::read(file)?;
            for record in file.games(Some(self.game)) {
                let record = record?;
                self.add(&mut book, &record, &mut counts)
                    .with_context(|| file.shown().to_owned())?;
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        if counts.used == 0 {
            bail!("there is no finished game of {} in these files", self.game);
        }
        book.prune(self.min_games);
        let bytes = book.to_bytes();
        out_file::write(&self.out, &bytes)?;
        let Counts { used, unfinished, other_rules, set_up } = counts;
        if self.json {
            return report::json(&json!({
                "games": used, "unfinished": unfinished, "other_rules": other_rules,
                "set_up": set_up, "positions": book.positions(), "turns": book.links(),
                "bytes": bytes.len(),
            }));
        }
        let mut text = format!(
            "{}: {used} games, {} positions, {} turns, {} bytes\n",
            self.out.display(),
            book.positions(),
            book.links(),
            bytes.len()
        );
        for (count, why) in [
            (unfinished, "unfinished"),
            (other_rules, "of other rules"),
            (set_up, "that start from a set-up position"),
        ] {
            if count > 0 {
                let _ = writeln!(text, "skipped {count} games {why}");
            }
        }
        report::text(&text)
    }

    fn add(&self, book: &mut Book, record: &GameRecord, counts: &mut Counts) -> Result<()> {
        if record.rules != self.game {
            counts.other_rules += 1;
            return Ok(());
        }
        if record.start()?.stone_count() > 0 {
            counts.set_up += 1;
            return Ok(());
        }
        let Some(End { winner, .. }) = record.outcome().filter(End::counts) else {
            counts.unfinished += 1;
            return Ok(());
        };
        let moves = record.moves();
        book.add(&moves, winner)
            .map_err(|(number, reason)| anyhow::anyhow!("stone {}: {reason}", number + 1))?;
        counts.used += 1;
        Ok(())
    }
}

impl Info {
    fn run(&self) -> Result<()> {
        let book = read_book(&self.file)?;
        let tally = book.tally(&Position::new(*book.rules())).unwrap_or_default();
        if self.json {
            return report::json(&json!({
                "rules": book.rules().to_string(), "games": book.games(), "turns": book.turns(),
                "positions": book.positions(), "links": book.links(),
                "black_wins": tally.wins, "ties": tally.ties, "white_wins": tally.losses,
            }));
        }
        report::text(&format!(
            "{}\n{} games, the first {} turns of each: {} positions, {} turns\nBlack won {}, White {}, tied {}\n",
            book.rules(),
            book.games(),
            book.turns(),
            book.positions(),
            book.links(),
            tally.wins,
            tally.losses,
            tally.ties
        ))
    }
}

impl Query {
    fn run(&self) -> Result<()> {
        let book = read_book(&self.file)?;
        let rules = book.rules();
        let mut position = Position::new(*rules);
        for name in self.moves.split([' ', ',']).filter(|name| !name.is_empty()) {
            let cell = notation::parse(rules, name).context("--moves")?;
            position.play(cell).with_context(|| format!("--moves: {name}"))?;
        }
        let entries = book.entries(&position);
        let (paper, bound) =
            (Rule::Paper { enough: self.s }, Rule::Bound { enough: self.s.min(2) });
        let recommended = [paper, bound].map(|rule| rule.choose(&entries));
        let name = |entry: &Entry| notation::names(rules, &entry.turn);
        if self.json {
            let turns = entries.iter().take(self.top).map(|entry| {
                json!({
                    "turn": name(entry), "games": entry.tally.games(), "wins": entry.tally.wins,
                    "ties": entry.tally.ties, "losses": entry.tally.losses,
                    "ratio": entry.tally.ratio(), "lower_bound": entry.tally.lower_bound(),
                })
            });
            return report::json(&json!({
                "to_move": position.to_move().name(),
                "turns": turns.collect::<Vec<_>>(),
                "paper": recommended[0].map(name), "bound": recommended[1].map(name),
            }));
        }
        let mut text = format!("{} to move, {} turns known\n", position.to_move(), entries.len());
        if !entries.is_empty() {
            text.push_str("games   wins   ties losses  ratio  bound  turn\n");
        }
        for entry in entries.iter().take(self.top) {
            let tally = entry.tally;
            let _ = writeln!(
                text,
                "{:5} {:6} {:6} {:6} {:5.1}% {:5.1}%  {}",
                tally.games(),
                tally.wins,
                tally.ties,
                tally.losses,
                100.0 * tally.ratio(),
                100.0 * tally.lower_bound(),
                name(entry)
            );
        }
        let say = |entry: Option<&Entry>| entry.map_or_else(|| "nothing".to_owned(), name);
        let _ = writeln!(text, "document's rule (s = {}): {}", self.s, say(recommended[0]));
        let _ = writeln!(text, "confidence bound: {}", say(recommended[1]));
        report::text(&text)
    }
}
