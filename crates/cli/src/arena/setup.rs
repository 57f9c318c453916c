//! The arguments of a run, turned once into a checked plan.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;
use collinear_arena::Openings;
use collinear_arena::Store;
use collinear_arena::{Adjudication, ScoreRule};
use collinear_arena::{Contestant, FirstMove, Format, Plan};
use collinear_arena::{Job, Shard};
use collinear_play::{Clock, Registry, TimeControl, TimeError, parse_time};
use collinear_rules::Rules;
use collinear_rules::hash::fnv1a;

use crate::report;

/// Where results go.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Place {
    /// Results file [default: results.sqlite in the data folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// The data folder, the same as for `collinear serve` [default: the user's data folder]
    #[arg(long, value_name = "DIR", conflicts_with = "db")]
    pub(crate) data: Option<PathBuf>,
}

/// The file of results in a data folder.
const RESULTS_FILE: &str = "results.sqlite";

impl Place {
    /// Opens the file, making it if need be.
    pub(crate) fn open(&self) -> Result<Arc<Store>> {
        let store = Store::open(&self.path()?)?;
        tell_set_aside(&store);
        Ok(Arc::new(store))
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

/// Names files beside the results that could not be taken over.
pub(crate) fn tell_set_aside(store: &Store) {
    for aside in store.set_aside() {
        report::note(aside);
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
    pub(crate) game: String,
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
    pub(crate) place: Place,
    /// One JSON object per line on standard output: every game, then the summary
    #[arg(long)]
    pub(crate) json: bool,
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
    /// What every contestant may spend unless it has limits of its own.
    pub(crate) fn control(&self) -> TimeControl {
        let mut control = TimeControl {
            turn: self.time,
            clock: self.clock,
            nodes: self.nodes,
            depth: self.depth,
            ..TimeControl::default()
        };
        if let Some(grace) = self.grace {
            control.grace = grace;
        }
        control
    }

    /// The plan for these contestants.
    pub(crate) fn plan(
        &self,
        registry: &Registry,
        specs: &[String],
        format: Format,
    ) -> Result<Plan> {
        let rules: Rules = self.game.parse()?;
        let control = self.control();
        let mut contestants = Vec::new();
        for spec in specs {
            contestants.push(Contestant::parse(registry, spec, control)?);
        }
        Contestant::tell_apart(&mut contestants);
        Ok(Plan {
            rules,
            contestants,
            format,
            first_move: match self.first {
                First::Alternating => FirstMove::Alternating,
                First::Fixed => FirstMove::Fixed,
            },
            openings: parse_openings(&rules, &self.openings)?,
            adjudication: Adjudication {
                max_stones: self.max_stones,
                dead_draws: self.dead_draws,
                score: self.adjudicate,
            },
            seed: self.seed,
        })
    }

    /// The job that plays it.
    pub(crate) fn job(&self, plan: Plan, name: &str) -> Result<Job> {
        Ok(Job {
            plan: Arc::new(plan),
            games: self.games,
            build: build_name()?,
            name: name.to_owned(),
            shard: self.shard.unwrap_or(Shard::WHOLE),
            workers: self.concurrency.map_or_else(cores, |n| n as usize),
            sprt: None,
            patience: self.patience,
        })
    }
}

/// Reads one of [`Openings::WORDS`] or a file with one opening per line.
pub(crate) fn parse_openings(rules: &Rules, text: &str) -> Result<Openings> {
    if let Some(openings) = Openings::from_word(rules, text)? {
        return Ok(openings);
    }
    let content = std::fs::read_to_string(text)
        .with_context(|| format!("openings {text}: neither {}, nor a file", Openings::WORDS))?;
    Openings::from_lines(rules, &content).with_context(|| text.to_owned())
}

/// Names this very program: version and a hash of its file. Games of different programs are kept
/// apart, since a rebuilt engine may play differently.
pub(crate) fn build_name() -> Result<String> {
    // Inside an interpreter the program is the package's library, and the package says where.
    let program = match std::env::var_os("COLLINEAR_PROGRAM") {
        Some(library) => PathBuf::from(library),
        None => std::env::current_exe().context("this program's own file cannot be found")?,
    };
    build_name_of(&program)
}

/// The same for a program whose file is known.
pub fn build_name_of(program: &Path) -> Result<String> {
    let bytes = std::fs::read(program)
        .with_context(|| format!("this program's own file {} cannot be read", program.display()))?;
    // Words of eight bytes: hashing byte by byte would take longer than some runs.
    let words: Vec<u8> = bytes
        .chunks(8 * 1024)
        .map(|chunk| {
            chunk.chunks(8).fold(0_u64, |sum, word| {
                let mut bytes = [0; 8];
                bytes[..word.len()].copy_from_slice(word);
                (sum.rotate_left(5) ^ u64::from_le_bytes(bytes)).wrapping_mul(0x0100_0000_01b3)
            })
        })
        .flat_map(u64::to_le_bytes)
        .collect();
    Ok(format!("{} {:016x}", env!("CARGO_PKG_VERSION"), fnv1a(&words)))
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
    if chance > 0.5 && chance <= 1.0 { Ok(ScoreRule { chance, turns }) } else { Err(wrong()) }
}

pub(crate) fn shard(text: &str) -> Result<Shard, String> {
    let wrong = || "a part such as 2/8 is needed, from 1/8 to 8/8".to_owned();
    let (index, of) = text.split_once('/').ok_or_else(wrong)?;
    let index: u64 = index.parse().map_err(|_| wrong())?;
    let of: u64 = of.parse().map_err(|_| wrong())?;
    if (1..=of).contains(&index) { Ok(Shard { index: index - 1, of }) } else { Err(wrong()) }
}
