//! `collinear fit`: the weights of Sextant's evaluation and policy from games against itself.

mod file;
mod learned;
mod network;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use collinear_engine::Weights;
use collinear_engine::fit::{
    FittedGames, Learning, Progress, SelfPlay, learn, learn_combos, play_games, suits_combos,
};
use collinear_engine::net::Net;

use self::file::Sink;
use self::learned::{EvaluationArgs, LabelsArgs};
use self::network::{NetGamesArgs, PositionsArgs, SettleArgs};
use collinear_play::{StopFlag, read_file};
use collinear_rules::Rules;
use indicatif::ProgressStyle;

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
    /// Make positions with the value that the network gives them; started again, it goes on where it was.
    Labels(LabelsArgs),
    /// Learn the evaluation of line patterns from labels; started again, it goes on where it was.
    Evaluation(EvaluationArgs),
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
        Step::Labels(args) => learned::labels(&args),
        Step::Evaluation(args) => learned::evaluation(&args),
    }
}

/// How long and how wide games are played.
#[derive(clap::Args)]
struct Pace {
    /// No new games after this many minutes.
    #[arg(long)]
    minutes: Option<f64>,
    /// Threads; all cores unless given.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Pace {
    /// Starts the threads and listens for Ctrl-C.
    fn begin(&self) -> Result<Session> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads.into())
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
    let (file, done) = network::begun(&args.out, &how.origin(), args.fresh)?;
    let numbers: Vec<u64> = (0..args.games).filter(|number| !done.contains(number)).collect();
    let sink = Sink::new(&args.out, file, &session, args.games, done.len())?;
    play_games(&how, &numbers, &sink.stop, &|game| sink.add(&game));
    sink.finish()
}

fn weights(args: &WeightsArgs) -> Result<()> {
    out_file::check(&args.out, args.fresh)?;
    let mut all: Option<FittedGames> = None;
    for path in &args.files {
        let file = FittedGames::from(&file::games(path)?);
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

fn style() -> Result<ProgressStyle> {
    Ok(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {elapsed}, {eta} to go")?)
}

/// Files of games and weights may have this many bytes.
const MAX_FILE_BYTES: u64 = 1 << 34;

fn read(path: &Path) -> Result<Vec<u8>> {
    Ok(read_file(path, MAX_FILE_BYTES)?)
}

fn show(path: &Path) -> String {
    path.display().to_string()
}
