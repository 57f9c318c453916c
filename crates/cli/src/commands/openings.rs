//! `collinear openings`: quiet and balanced starts for fair matches.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use collinear_arena::Contestant;
use collinear_arena::{OpeningError, random_opening};
use collinear_play::{Registry, StopFlag, TimeControl};
use collinear_rules::{Geometry, Position, Rules, notation};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::json;

use crate::out_file;
use crate::report;

/// Generate balanced openings: random stones near the centre, no immediate threats
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear openings --game connect6 --stones 5 --count 100 --seed 1 -o openings.txt
  collinear match sextant random --openings openings.txt --time 50ms
  collinear openings --game connect4 --stones 6 --judge kate@depth=6 --balance 0.2

No opening is a mirror image of another, and neither side can win within a turn. The judge
evaluates each one; openings that are far from even are discarded.")]
pub(crate) struct Args {
    /// The game: a name or WxH,k=K[,p=P,q=Q][,gravity][,exact]
    #[arg(long, short, default_value = "connect6")]
    game: Rules,
    /// Stones per opening
    #[arg(long, default_value_t = 5, value_name = "N")]
    stones: usize,
    /// Number of openings
    #[arg(long, short = 'n', default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    /// Seed: the same seed gives the same openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Agent that judges the balance, with its limits, or none
    #[arg(long, default_value = DEFAULT_JUDGE)]
    judge: String,
    /// Largest distance of the judged winning chance from 0.5
    #[arg(long, default_value_t = 0.15, value_name = "PART")]
    balance: f32,
    /// Output file [default: standard output]
    #[arg(long, short, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    fresh: bool,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

const DEFAULT_JUDGE: &str = "sextant@nodes=3000";
/// Candidates judged at a time, all cores at work.
const BATCH: u64 = 16;
/// Candidates for each opening wanted before the search is called hopeless.
const MAX_TRIES_EACH: u64 = 200;

struct Opening {
    position: Position,
    /// The side to move's chance, if somebody judged.
    chance: Option<f32>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if let Some(file) = &args.out {
        out_file::check(file, args.fresh)?;
    }
    let judge = args.judge()?;
    let geometry = Arc::new(Geometry::new(args.game));
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let tries = args.count.saturating_mul(MAX_TRIES_EACH).max(10 * BATCH);
    let bar = ProgressBar::new(args.count);
    for batch in 0..tries.div_ceil(BATCH) {
        let candidates: Vec<Result<Option<Opening>>> = (batch * BATCH..(batch + 1) * BATCH)
            .into_par_iter()
            .map(|number| args.candidate(&geometry, judge.as_ref(), number))
            .collect();
        for candidate in candidates {
            let Some(opening) = candidate? else { continue };
            if seen.insert(opening.position.canonical_key()) && found.len() < args.count as usize {
                found.push(opening);
            }
        }
        bar.set_position(found.len() as u64);
        if found.len() as u64 == args.count {
            break;
        }
    }
    bar.finish_and_clear();
    let short = (found.len() as u64) < args.count;
    if short && found.is_empty() {
        bail!("no opening of {} stones is balanced enough: try a larger --balance", args.stones);
    }
    args.write(&found)?;
    if short {
        report::note(format_args!(
            "found only {} different openings in {tries} tries",
            found.len()
        ));
    }
    Ok(())
}

impl Args {
    fn judge(&self) -> Result<Option<Contestant>> {
        if self.judge == "none" {
            return Ok(None);
        }
        let registry: Registry = crate::registry::registry();
        let judge = Contestant::parse(&registry, &self.judge, TimeControl::default())?;
        match judge.agent.build(&self.game, self.seed) {
            Ok(_) => Ok(Some(judge)),
            // The default judge does not play every game; a judge that was asked for must.
            Err(_) if self.judge == DEFAULT_JUDGE => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Candidate number n, unless it is far from even.
    fn candidate(
        &self,
        geometry: &Arc<Geometry>,
        judge: Option<&Contestant>,
        number: u64,
    ) -> Result<Option<Opening>> {
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
        let position = match random_opening(geometry, self.stones, seed) {
            Ok(position) => position,
            Err(error @ OpeningError::TooManyStones { .. }) if number == 0 => {
                return Err(error.into());
            }
            Err(_) => return Ok(None),
        };
        let Some(judge) = judge else { return Ok(Some(Opening { position, chance: None })) };
        let mut agent = judge.agent.build(&self.game, seed)?;
        agent.new_game();
        let budget = judge.control.budget(None, StopFlag::default());
        let mut chance = None;
        agent
            .choose(&position, &budget, &mut |report| {
                chance = report.lines.first().map(|line| line.value.chance()).or(chance);
            })
            .with_context(|| format!("{} cannot judge", self.judge))?;
        let even = chance.is_none_or(|chance| (chance - 0.5).abs() <= self.balance);
        Ok(even.then_some(Opening { position, chance }))
    }

    fn write(&self, found: &[Opening]) -> Result<()> {
        let mut text = String::new();
        if !self.json {
            writeln!(
                text,
                "# {}, {} stones, seed {}, judge {}",
                self.game, self.stones, self.seed, self.judge
            )?;
        }
        for Opening { position, chance } in found {
            let names = notation::names(&self.game, position.history());
            if self.json {
                writeln!(text, "{}", json!({ "moves": names, "chance": chance }))?;
            } else if let Some(chance) = chance {
                writeln!(text, "{names}  # {chance:.2}")?;
            } else {
                writeln!(text, "{names}")?;
            }
        }
        match &self.out {
            Some(file) => out_file::write(file, text.as_bytes()),
            None => report::text(&text),
        }
    }
}
