//! `collinear merge`: the results of many machines in one file.

use std::path::PathBuf;

use anyhow::Result;
use collinear_arena::Store;
use serde_json::json;

use crate::report;

/// Merge results files
#[derive(clap::Args)]
#[command(after_help = "Example, a job array on eight machines:
  collinear match kate random --game connect4 --games 8000 --shard 3/8 --db part3.sqlite
  collinear merge all.sqlite part1.sqlite part2.sqlite part3.sqlite …
  collinear match kate random --game connect4 --games 8000 --db all.sqlite

A game that is in two files counts once. Two different games with the same number are refused.")]
pub(crate) struct Args {
    /// Results file to merge into; created if necessary
    into: PathBuf,
    /// Results files to read; they are not changed
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// Report as JSON
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
                "{name}: {} new runs, {} new games, {} already known\n",
                merged.runs, merged.games, merged.known
            )
        })?;
    }
    Ok(())
}
