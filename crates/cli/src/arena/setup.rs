//! The arguments of a run: what is played becomes a [`RunSpec`], how it is played a [`Job`].

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;
use collinear_arena::{
    FirstMove, Format, Job, OpeningSource, Openings, RunSpec, ScoreRule, Shard, Store, build_name,
};
use collinear_play::{Clock, OpeningRule, Registry, TimeControl, TimeError, parse_time};
use collinear_rules::Rules;

use crate::carrier::Carrier;

/// Where results go.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ResultsFile {
    /// Results file, instead of --data [default: results.sqlite in the data folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// The data folder, the same as for `collinear serve` [default: the user's data folder]
    #[arg(long, value_name = "DIR", conflicts_with = "db")]
    pub(crate) data: Option<PathBuf>,
}

/// The file of results in a data folder.
const RESULTS_FILE: &str = "results.sqlite";

impl ResultsFile {
    /// Opens the file, making it if need be.
    pub(crate) fn open(&self) -> Result<Arc<Store>> {
        Ok(Arc::new(Store::open(&self.path()?)?))
    }

    /// The file.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        match (&self.db, &self.data) {
            (Some(file), _) => Ok(file.clone()),
            (None, Some(folder)) => Ok(folder.join(RESULTS_FILE)),
            (None, None) => Ok(data_folder()?.join(RESULTS_FILE)),
        }
    }
}

/// The user's data folder.
pub(crate) fn data_folder() -> Result<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "collinear")
        .context("this system names no data folder: give one with --data DIR")?;
    Ok(folders.data_dir().to_owned())
}

/// What a match and a tournament have in common.
#[derive(clap::Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct RunArgs {
    /// The game: a name or WxH,k=K[,p=P,q=Q][,gravity][,exact]
    #[arg(long, short, default_value = "connect6", value_name = "GAME")]
    pub(crate) game: Rules,
    /// Games per pairing
    #[arg(long, short = 'n', default_value_t = 100, value_name = "N")]
    pub(crate) games: u64,
    /// Seed for all random choices: the same seed plays the same games
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Time per turn, such as 100ms or 2s
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    /// Time per game with an increment per turn, such as 60s+1s
    #[arg(long, value_name = "TIME[+TIME]", value_parser = clock)]
    pub(crate) clock: Option<Clock>,
    /// Node limit per turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Depth limit, in stones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// How late an answer may be before it forfeits the game
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) grace: Option<Duration>,
    /// Openings: empty, random:K (K quiet stones near the centre), balanced or balanced:K (equal chances; for Connect6
    /// and Gomoku), or a file with one opening per line
    #[arg(long, default_value = "empty", value_name = "OPENINGS")]
    pub(crate) openings: String,
    /// The players settle who plays Black: swap2, swap or swap1, in games such as Gomoku and Renju
    #[arg(long, value_name = "RULE")]
    pub(crate) opening_rule: Option<OpeningRule>,
    /// Who moves first: each side once per opening (pairs), or always the agent named first
    #[arg(long, value_enum, default_value_t = First::Alternating)]
    pub(crate) first: First,
    /// Adjudicate a draw after N stones
    #[arg(long, value_name = "STONES")]
    pub(crate) max_stones: Option<usize>,
    /// Adjudicate a draw as soon as no row is possible any more
    #[arg(long)]
    pub(crate) dead_draws: bool,
    /// Adjudicate a win when both players agree on this winning chance for N turns, such as 0.98,6
    #[arg(long, value_name = "CHANCE,TURNS", value_parser = score_rule)]
    pub(crate) adjudicate: Option<ScoreRule>,
    /// Games played in parallel [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) concurrency: Option<u64>,
    /// Play only this part of the run, such as 2/8; `collinear merge` joins the parts
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
    /// Play on the Ray cluster at this address; `auto` finds one. Needs `pip install collinear[cluster]`
    #[arg(long, value_name = "ADDRESS", conflicts_with = "shard")]
    pub(crate) ray: Option<String>,
    /// Discard earlier games of this run
    #[arg(long)]
    pub(crate) fresh: bool,
    /// How long past its time limit an agent may hang before it loses the game
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    pub(crate) patience: Duration,
    #[command(flatten)]
    pub(crate) results: ResultsFile,
    /// One JSON object per line on standard output: every game, then the summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Show every game as it ends, the board after each turn; one game at a time unless -j says otherwise
    #[arg(long, conflicts_with_all = ["json", "ray"])]
    pub(crate) show: bool,
    /// Do not show progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum First {
    Alternating,
    Fixed,
}

impl RunArgs {
    /// What is played.
    pub(crate) fn spec(&self, agents: Vec<String>, format: Format) -> Result<RunSpec> {
        let openings = OpeningSource::word_or_file(&self.openings).with_context(|| {
            format!("openings {}: neither {}, nor a file", self.openings, Openings::WORDS)
        })?;
        // Read here too: the complaint names the file.
        openings.openings(&self.game).with_context(|| format!("openings {}", self.openings))?;
        Ok(RunSpec {
            format,
            limits: self.limits(),
            openings,
            opening_rule: self.opening_rule,
            first_move: match self.first {
                First::Alternating => FirstMove::Alternating,
                First::Fixed => FirstMove::Fixed,
            },
            max_stones: self.max_stones,
            dead_draws: self.dead_draws,
            adjudicate: self.adjudicate,
            seed: self.seed,
            ..RunSpec::new(self.game, agents, self.games)
        })
    }

    /// What every contestant may spend unless it has limits of its own.
    fn limits(&self) -> TimeControl {
        let usual = TimeControl::default();
        TimeControl {
            turn: self.time,
            clock: self.clock,
            nodes: self.nodes,
            depth: self.depth,
            grace: self.grace.unwrap_or(usual.grace),
        }
    }

    /// The job that plays it here.
    pub(crate) fn job(
        &self,
        spec: &RunSpec,
        registry: &Registry,
        carrier: &Carrier,
    ) -> Result<Job> {
        Ok(Job {
            shard: self.shard.unwrap_or(Shard::WHOLE),
            workers: match self.concurrency {
                Some(n) => n as usize,
                None if self.show => 1,
                None => cores(),
            },
            patience: self.patience,
            ..spec.job(registry, &build_name(&carrier.program)?)?
        })
    }
}

/// Games at the same time unless the user says otherwise.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn clock(text: &str) -> Result<Clock, TimeError> {
    let (left, increment) = text.split_once('+').unwrap_or((text, "0s"));
    Ok(Clock { left: parse_time(left)?, increment: parse_time(increment)? })
}

fn score_rule(text: &str) -> Result<ScoreRule, String> {
    let wrong = || "a chance above 0.5 and a number of turns are needed, such as 0.98,6".to_owned();
    let (chance, turns) = text.split_once(',').ok_or_else(wrong)?;
    let chance: f32 = chance.trim().parse().map_err(|_| wrong())?;
    let turns = turns.trim().parse().map_err(|_| wrong())?;
    Some(ScoreRule { chance, turns }).filter(ScoreRule::is_sensible).ok_or_else(wrong)
}

pub(crate) fn shard(text: &str) -> Result<Shard, String> {
    let wrong = || "a part such as 2/8 is needed, from 1/8 to 8/8".to_owned();
    let (index, of) = text.split_once('/').ok_or_else(wrong)?;
    let index: u64 = index.parse().map_err(|_| wrong())?;
    let of: u64 = of.parse().map_err(|_| wrong())?;
    if (1..=of).contains(&index) { Ok(Shard { index: index - 1, of }) } else { Err(wrong()) }
}
