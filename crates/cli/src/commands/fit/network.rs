//! Games of the network search and positions for its trainer.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use collinear_engine::Weights;
use collinear_engine::fit::{
    GameFile, NetPlay, SearchedFile, SearchedGame, is_searched, play_net_games, positions,
    searched_header, settle_games,
};
use collinear_engine::net::Net;
use collinear_play::StopFlag;
use collinear_rules::Rules;
use indicatif::ProgressBar;

use super::{Pace, Session, read, show, style};
use crate::{out_file, report};

#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear fit net-games connect6 --games 25000 --visits 256 --seed 1 --out c6.sxv"
)]
pub(super) struct NetGamesArgs {
    /// The game.
    game: Rules,
    /// How many games in all, those in the file already included.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Visits of a long search, one stone in four; it teaches the policy.
    #[arg(long, default_value_t = 256)]
    visits: u32,
    /// Visits of the other searches.
    #[arg(long, default_value_t = 48)]
    quick_visits: u32,
    /// Stones that an opening goes on by at most, as the network likes: 0 to 100.
    #[arg(long, default_value_t = 48, value_parser = clap::value_parser!(u8).range(..=100))]
    wander: u8,
    /// Seed of game 0; game n follows from seed + n alone, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pace: Pace,
    /// The network that plays instead of the shipped one.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The file to write; games of the same run in it are kept.
    #[arg(long)]
    out: PathBuf,
}

#[derive(clap::Args)]
#[command(after_help = "Example: collinear fit settle gomoku.sxv --nodes 5000 --out settled.sxv")]
pub(super) struct SettleArgs {
    /// A file of games of `net-games` or of a card.
    file: PathBuf,
    /// Nodes for each turn of a game.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    #[command(flatten)]
    pace: Pace,
    /// The file to write; games in it already are kept.
    #[arg(long)]
    out: PathBuf,
}

#[derive(clap::Args)]
#[command(after_help = "Example: collinear fit positions c6-*.sxv --out c6.sxp")]
pub(super) struct PositionsArgs {
    /// Files of games (.sxv of `net-games`, .sxg of `games`) of one set of rules.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
    /// Replace the file if it is there.
    #[arg(long)]
    fresh: bool,
}

pub(super) fn games(args: &NetGamesArgs) -> Result<()> {
    let net = match &args.weights {
        Some(path) => {
            let net = Net::from_bytes(&read(path)?).with_context(|| show(path))?;
            if !net.suits(&args.game) {
                bail!("{} is not for {}", show(path), args.game);
            }
            Arc::new(net)
        }
        None => match Net::for_rules(&args.game) {
            Some(net) => net,
            None => bail!("no network is shipped for {}: name one with --weights", args.game),
        },
    };
    let session = args.pace.begin()?;
    let how = NetPlay {
        rules: args.game,
        net,
        weights: Arc::new(Weights::for_rules(&args.game)),
        visits: args.visits.max(1),
        quick_visits: args.quick_visits.max(1),
        wander: args.wander.into(),
        seed: args.seed,
    };
    let (file, done) = open(&args.out, &args.game)?;
    let numbers: Vec<u64> = (0..args.games).filter(|number| !done.contains(number)).collect();
    let sink = Sink::new(&args.out, file, &session, args.games, done.len())?;
    play_net_games(&how, &numbers, &sink.stop, &|game| sink.add(&game));
    sink.finish()
}

pub(super) fn settle(args: &SettleArgs) -> Result<()> {
    if args.file == args.out {
        bail!("{} cannot be settled into itself: name another file with --out", show(&args.out));
    }
    let games = SearchedFile::from_bytes(&read(&args.file)?).with_context(|| show(&args.file))?;
    let session = args.pace.begin()?;
    let (file, done) = open(&args.out, &games.rules)?;
    let left: Vec<&SearchedGame> =
        games.games.iter().filter(|game| !done.contains(&game.number)).collect();
    let sink = Sink::new(&args.out, file, &session, games.games.len() as u64, done.len())?;
    settle_games(&games.rules, args.nodes.max(1), &left, &sink.stop, &|game| sink.add(&game));
    sink.finish()
}

/// Where games go as they end.
struct Sink<'a> {
    path: &'a Path,
    session: &'a Session,
    /// Set when the time is over or the file cannot be written.
    stop: StopFlag,
    bar: ProgressBar,
    file: Mutex<(File, std::io::Result<()>)>,
}

impl<'a> Sink<'a> {
    fn new(
        path: &'a Path,
        file: File,
        session: &'a Session,
        games: u64,
        done: usize,
    ) -> Result<Self> {
        let bar = ProgressBar::new(games).with_style(style()?).with_position(done as u64);
        let stop = session.asked.child();
        Ok(Self { path, session, stop, bar, file: Mutex::new((file, Ok(()))) })
    }

    fn add(&self, game: &SearchedGame) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.0.write_all(&game.to_bytes()) {
            file.1 = Err(error);
            self.stop.stop();
        }
        self.bar.inc(1);
        if self.session.is_late() {
            self.stop.stop();
        }
    }

    fn finish(self) -> Result<()> {
        let games = self.bar.position();
        self.bar.finish_and_clear();
        let (file, written) = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        let context = || out_file::cannot_write(self.path);
        written.and_then(|()| file.sync_all()).with_context(context)?;
        report::line(format_args!("{games} games in {}", show(self.path)))?;
        self.session.result()
    }
}

/// The file to append to, cut after its last whole game, and the games it has.
fn open(path: &Path, rules: &Rules) -> Result<(File, HashSet<u64>)> {
    let context = || out_file::cannot_write(path);
    if !path.exists() {
        let mut file = File::create_new(path).with_context(context)?;
        file.write_all(&searched_header(rules)).with_context(context)?;
        return Ok((file, HashSet::new()));
    }
    let old = SearchedFile::from_bytes(&read(path)?).with_context(|| show(path))?;
    if old.rules != *rules {
        bail!("{} has games of {}, not of {rules}", show(path), old.rules);
    }
    let mut file = OpenOptions::new().write(true).open(path).with_context(context)?;
    file.set_len(old.whole as u64).with_context(context)?;
    file.seek(SeekFrom::End(0)).with_context(context)?;
    Ok((file, old.games.iter().map(|game| game.number).collect()))
}

pub(super) fn positions(args: &PositionsArgs) -> Result<()> {
    out_file::check(&args.out, args.fresh)?;
    let mut rules: Option<Rules> = None;
    let mut bytes = Vec::new();
    for path in &args.files {
        let file = read(path)?;
        let mut check = |found: Rules| match rules {
            Some(known) if known != found => {
                bail!("{} has games of {found}, not of {known}", show(path))
            }
            _ => {
                rules = Some(found);
                Ok(())
            }
        };
        if is_searched(&file) {
            let file = SearchedFile::from_bytes(&file).with_context(|| show(path))?;
            check(file.rules)?;
            positions::of_searched(&file, &mut bytes);
        } else {
            let file = GameFile::from_bytes(&file).with_context(|| show(path))?;
            check(file.rules)?;
            positions::of_fitted(&file, &mut bytes);
        }
    }
    let Some(rules) = rules else { bail!("no file of games was given") };
    let mut whole = positions::header(&rules);
    whole.extend(bytes);
    out_file::write(&args.out, &whole)?;
    let length = positions::length(&rules);
    report::line(format_args!("{} positions in {}", whole.len() / length, show(&args.out)))?;
    Ok(())
}
