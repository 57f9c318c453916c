//! `collinear merge`: the results of many machines in one file.

use std::path::PathBuf;

use anyhow::Result;
use collinear_arena::store::Store;
use serde_json::json;

use crate::report;

/// Brings files of results together
#[derive(clap::Args)]
#[command(after_help = "Example, a job array on eight machines:
  collinear match kate random --game connect4 --games 8000 --shard 3/8 --db part3.sqlite
  collinear merge all.sqlite part1.sqlite part2.sqlite part3.sqlite …
  collinear match kate random --game connect4 --games 8000 --db all.sqlite

A game that two files have counts once. Two different games under one number are refused.")]
pub(crate) struct Args {
    /// The file that takes everything over; made if need be
    into: PathBuf,
    /// The files that are read; they stay as they are
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let store = Store::open(&args.into)?;
    for file in &args.from {
        let merged = store.merge(file)?;
        let name = file.display();
        report::text(&if args.json {
            let (runs, games, known) = (merged.runs, merged.games, merged.known);
            json!({ "file": name.to_string(), "runs": runs, "games": games, "known": known })
                .to_string()
                + "\n"
        } else {
            format!(
                "{name}: {} new runs, {} new games, {} were known\n",
                merged.runs, merged.games, merged.known
            )
        })?;
    }
    Ok(())
}
