//! `collinear fit`: the weights of Sextant's evaluation and policy from games against itself.

mod network;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use collinear_engine::Weights;
use collinear_engine::fit::{
    GameFile, GameFileError, Learning, Progress, SearchedFile, SelfPlay, is_searched, learn,
    learn_combos, play_games, suits_combos,
};

use collinear_engine::net::Net;

use self::network::{NetGamesArgs, PositionsArgs, SettleArgs};
use collinear_play::StopFlag;
use collinear_rules::Rules;
use collinear_rules::hash::fnv1a;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Interrupted;
use crate::{out_file, report};

/// Fit Sextant's weights to games it plays against itself
#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear fit games connect6 --games 20000 --nodes 3000 --seed 1 --out c6.sxg\n         collinear fit weights c6.sxg --out connect6.sxw"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(clap::Subcommand)]
enum Step {
    /// Play games and write them to a file; Ctrl-C or --minutes end it early and keep what is finished
    Games(GamesArgs),
    /// Learn weights from files of games
    Weights(WeightsArgs),
    /// Play games of the network search, for `train/`; started again, it goes on where it was.
    NetGames(NetGamesArgs),
    /// End games of the network where alpha-beta first proves who wins; started again, it goes on.
    Settle(SettleArgs),
    /// Turn files of games into positions that `train/` reads.
    Positions(PositionsArgs),
}

#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear fit games connect6 --games 500 --nodes 2000 --out c6.sxg"
)]
struct GamesArgs {
    /// The game.
    game: Rules,
    /// How many games.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Nodes per turn.
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Stones that an opening goes on by at most, as the weights like: 0 to 100.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    wander: u8,
    /// Seed: game n depends on seed + n alone, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pace: Pace,
    /// Weights the players use instead of the shipped ones.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The file to write; the same command goes on where an earlier one stopped.
    #[arg(long)]
    out: PathBuf,
    /// Replace what is there instead.
    #[arg(long)]
    fresh: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Example: collinear fit weights c6-*.sxg --epochs 12 --out connect6.sxw")]
struct WeightsArgs {
    /// Files of games of one set of rules, from `fit games` or `fit net-games`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Times each game is looked at.
    #[arg(long, default_value_t = Learning::default().epochs)]
    epochs: usize,
    /// Part of the value's target that is the search's score; the rest is the game's result.
    #[arg(long, default_value_t = Learning::default().trust)]
    trust: f64,
    /// Step size at the start.
    #[arg(long, default_value_t = Learning::default().rate)]
    rate: f64,
    /// Pull towards the start.
    #[arg(long, default_value_t = Learning::default().decay)]
    decay: f64,
    /// Start from the shipped weights instead of the formula.
    #[arg(long)]
    go_on: bool,
    /// Learn from the shipped network, too: its policy, and its value where stones leave the games.
    #[arg(long)]
    teacher: bool,
    /// Seed for the order of the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    fresh: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    match args.step {
        Step::Games(args) => games(&args),
        Step::Weights(args) => weights(&args),
        Step::NetGames(args) => network::games(&args),
        Step::Settle(args) => network::settle(&args),
        Step::Positions(args) => network::positions(&args),
    }
}

/// How long and how wide games are played.
#[derive(clap::Args)]
struct Pace {
    /// No new games after so many minutes.
    #[arg(long)]
    minutes: Option<f64>,
    /// Threads; all cores unless given.
    #[arg(long)]
    threads: Option<usize>,
}

impl Pace {
    /// Starts the threads and listens for Ctrl-C.
    fn begin(&self) -> Result<Session> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .context("cannot start the threads")?;
        }
        let asked = StopFlag::default();
        let stop = asked.clone();
        crate::signals::watch(move |_| stop.stop())?;
        // A time too long for a clock is none.
        let limit =
            self.minutes.map(|minutes| Duration::try_from_secs_f64(60.0 * minutes.max(0.0)));
        let end = limit.and_then(|limit| Instant::now().checked_add(limit.ok()?));
        Ok(Session { asked, end })
    }
}

/// Games being played.
struct Session {
    /// Set by Ctrl-C.
    asked: StopFlag,
    /// No new games after this.
    end: Option<Instant>,
}

impl Session {
    fn is_late(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() > end)
    }

    /// An interrupted run ends the program as such.
    fn result(&self) -> Result<()> {
        if self.asked.is_stopped() { Err(Interrupted.into()) } else { Ok(()) }
    }
}

/// Games of every core between two looks at the clock and writes to the file.
const BATCH: usize = 32;

fn games(args: &GamesArgs) -> Result<()> {
    let weights = match &args.weights {
        Some(path) => Weights::from_bytes(&read(path)?).with_context(|| show(path))?,
        None => Weights::for_rules(&args.game),
    };
    let session = args.pace.begin()?;
    let how = SelfPlay {
        rules: args.game,
        nodes: args.nodes.max(1),
        seed: args.seed,
        weights: Arc::new(weights),
        guide: Net::for_rules(&args.game),
        wander: args.wander.into(),
    };
    let bar = ProgressBar::new(args.games).with_style(style()?);
    let mut file = begun(args, &how)?;
    let before = file.games.len() as u64;
    bar.set_position(before);
    let batch = BATCH * rayon::current_num_threads();
    for start in (before..args.games).step_by(batch) {
        if session.is_late() || session.asked.is_stopped() {
            break;
        }
        let numbers = start..(start + batch as u64).min(args.games);
        // Ctrl-C lets the games under way end; every batch is written, so that even a kill loses
        // little.
        file.games.extend(play_games(&how, numbers, &session.asked, &|| bar.inc(1)));
        out_file::write(&args.out, &file.to_bytes())?;
    }
    bar.finish_and_clear();
    report::line(format_args!("{} games in {}", file.games.len(), args.out.display()))?;
    session.result()
}

/// The games of an earlier run that was stopped, or none: finished work is never written over.
fn begun(args: &GamesArgs, how: &SelfPlay) -> Result<GameFile> {
    let weights = fnv1a(&how.weights.to_bytes(how.rules.p()));
    let guide = if how.is_guided() { "guided, " } else { "" };
    let origin = format!(
        "seed {}, {} nodes, wander {}, {guide}weights {weights:016x}",
        how.seed, how.nodes, how.wander
    );
    let is_there = std::fs::metadata(&args.out).is_ok_and(|there| there.len() > 0);
    if args.fresh || !is_there {
        out_file::check(&args.out, args.fresh)?;
        return Ok(GameFile { rules: args.game, origin, games: Vec::new() });
    }
    let file = GameFile::from_bytes(&read(&args.out)?).with_context(|| show(&args.out))?;
    if file.rules != args.game || file.origin != origin {
        let known = if file.origin.is_empty() { "other settings" } else { &file.origin };
        bail!(
            "{} has games of {} ({known}), not of {} ({origin}): --fresh replaces them",
            show(&args.out),
            file.rules,
            args.game
        );
    }
    Ok(file)
}

fn weights(args: &WeightsArgs) -> Result<()> {
    out_file::check(&args.out, args.fresh)?;
    let mut all: Option<GameFile> = None;
    for path in &args.files {
        let file = games_of_either_kind(&read(path)?).with_context(|| show(path))?;
        match &mut all {
            None => all = Some(file),
            Some(all) if all.rules == file.rules => all.games.extend(file.games),
            Some(all) => bail!("{} has games of {}, not of {}", show(path), file.rules, all.rules),
        }
    }
    let Some(file) = all else { bail!("no file of games was given") };
    if file.games.len() < 2 {
        bail!("{} games are too few to learn from", file.games.len());
    }
    let teacher = Net::for_rules(&file.rules).filter(|_| args.teacher);
    if args.teacher && teacher.is_none() {
        bail!("no network is shipped for {}: leave --teacher out", file.rules);
    }
    let how = Learning {
        epochs: args.epochs,
        trust: args.trust,
        rate: args.rate,
        decay: args.decay,
        seed: args.seed,
        teacher,
        ..Learning::default()
    };
    report::line(format_args!("{} games of {}", file.games.len(), file.rules))?;
    let mut report_epoch = |progress: Progress| {
        // Who has gone does not hear the rest.
        let _ = report::line(format_args!(
            "epoch {:>2}: value {:.4}, policy {:.4}, first choice {:.1} % of {} positions held back",
            progress.epoch,
            progress.value,
            progress.policy,
            100.0 * progress.first_choice,
            progress.positions
        ));
    };
    let start = if args.go_on {
        Weights::for_rules(&file.rules)
    } else {
        Weights::formula(file.rules.k(), file.rules.p())
    };
    let learn = if suits_combos(&file.rules) { learn_combos } else { learn };
    let weights = learn(&file, &start, &how, &mut report_epoch);
    out_file::write(&args.out, &weights.to_bytes(file.rules.p()))?;
    report::line(format_args!("weights in {}", args.out.display()))?;
    Ok(())
}

fn games_of_either_kind(bytes: &[u8]) -> Result<GameFile, GameFileError> {
    if is_searched(bytes) {
        return Ok(GameFile::from(&SearchedFile::from_bytes(bytes)?));
    }
    GameFile::from_bytes(bytes)
}

fn style() -> Result<ProgressStyle> {
    Ok(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {elapsed}, {eta} to go")?)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn show(path: &Path) -> String {
    path.display().to_string()
}
