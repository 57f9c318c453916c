//! `collinear experiment threat-counters`: how often the threat counters of the literature are wrong.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use collinear_documents::studies::threat_counters::{Recorded, Settings, gather, plot, text};
use collinear_rules::Rules;
use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::stop_on_ctrl_c;
use crate::failure::Interrupted;
use crate::record_file::RecordFile;
use crate::{out_file, report};

/// Compare the threat counters of Wu–Huang and mark-all with the exact count, by stones on the
/// board
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  collinear experiment threat-counters --games 100 --svg counters.svg\n  collinear experiment threat-counters --records games.csv --json"
)]
pub(crate) struct Args {
    /// Rules of the game
    #[arg(long, default_value = "connect6")]
    game: Rules,
    /// Games of each kind: random ones, and ones an agent plays against itself
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Agent that plays the played games
    #[arg(long, default_value = "sextant:search=alphabeta,nodes=300,memory=1")]
    agent: String,
    /// Include the games of this file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Stones that a row of the table covers
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
    /// Seed for the random games, the openings and the agent
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write a plot
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace the file of --svg if it exists
    #[arg(long, requires = "svg")]
    fresh: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if let Some(path) = &args.svg {
        out_file::check(path, args.fresh)?;
    }
    let settings = Settings {
        game: args.game,
        games: args.games,
        agent: crate::registry::registry().parse(&args.agent)?,
        step: args.step,
        seed: args.seed,
    };
    let recorded = match &args.records {
        Some(file) => read(file, args.game).with_context(|| file.display().to_string())?,
        None => Vec::new(),
    };
    let stop = stop_on_ctrl_c()?;
    let style = ProgressStyle::with_template("{msg} {pos}/{len} {bar:30} {eta}")?;
    let bar = ProgressBar::new(args.games).with_style(style);
    let sources = gather(&settings, &recorded, &stop, &|what, done| {
        if done <= 1 {
            bar.reset();
            bar.set_message(what.to_owned());
        }
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let sources = sources?;
    if stop.is_stopped() {
        report::note("interrupted: these are the results so far");
    }
    if let Some(path) = &args.svg {
        out_file::write(path, plot(&sources, &args.game).as_bytes())?;
    }
    if args.json {
        report::json(&sources)?;
    } else {
        report::text(&text(&sources, args.game.p()))?;
    }
    if stop.is_stopped() { Err(Interrupted.into()) } else { Ok(()) }
}

/// The games of a file, which must all be of one game.
fn read(file: &Path, game: Rules) -> Result<Vec<Recorded>> {
    let mut games = Vec::new();
    for record in RecordFile::read(file)?.games(Some(game)) {
        let record = record?;
        if record.rules != game {
            bail!("a game of {} among those of {game}", record.rules);
        }
        games.push((record.start()?, record.moves()));
    }
    Ok(games)
}
