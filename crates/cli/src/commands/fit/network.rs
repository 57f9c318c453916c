//! Games of the network search and positions for its trainer.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use collinear_engine::Weights;
use collinear_engine::fit::records::Origin;
use collinear_engine::fit::{
    GameFile, NetPlay, SearchedGame, play_net_games, positions, settle_games, settled_origin,
};
use collinear_engine::net::Net;
use collinear_rules::Rules;

use super::file::{self, Sink};
use super::{Pace, read, show};
use crate::{out_file, report};

#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear fit net-games connect6 --games 25000 --visits 256 --seed 1 --out c6.sxg"
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
    /// The file to write; the same command goes on where an earlier one stopped.
    #[arg(long)]
    out: PathBuf,
    /// Replace what is there instead.
    #[arg(long)]
    fresh: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Example: collinear fit settle gomoku.sxg --nodes 5000 --out settled.sxg")]
pub(super) struct SettleArgs {
    /// A file of games of `net-games` or of a card.
    file: PathBuf,
    /// Nodes for each turn of a game.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    #[command(flatten)]
    pace: Pace,
    /// The file to write; the same command goes on where an earlier one stopped.
    #[arg(long)]
    out: PathBuf,
    /// Replace what is there instead.
    #[arg(long)]
    fresh: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Example: collinear fit positions c6-*.sxg --out c6.sxp")]
pub(super) struct PositionsArgs {
    /// Files of games of one set of rules.
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
    let (file, done) = begun(&args.out, &how.origin(), args.fresh)?;
    let numbers: Vec<u64> = (0..args.games).filter(|number| !done.contains(number)).collect();
    let sink = Sink::new(&args.out, file, &session, args.games, done.len())?;
    play_net_games(&how, &numbers, &sink.stop, &|game| sink.add(&game));
    sink.finish()
}

pub(super) fn settle(args: &SettleArgs) -> Result<()> {
    if args.file == args.out {
        bail!("{} cannot be settled into itself: name another file with --out", show(&args.out));
    }
    let games = file::games(&args.file)?;
    let nodes = args.nodes.max(1);
    let session = args.pace.begin()?;
    let origin = settled_origin(&games.rules, nodes, &games.origin);
    let (file, done) = begun(&args.out, &origin, args.fresh)?;
    let left: Vec<&SearchedGame> =
        games.games.iter().filter(|game| !done.contains(&game.number)).collect();
    let sink = Sink::new(&args.out, file, &session, games.games.len() as u64, done.len())?;
    settle_games(&games.rules, nodes, &left, &sink.stop, &|game| sink.add(&game));
    sink.finish()
}

/// The file to append to and the numbers of the games it has.
pub(super) fn begun(path: &Path, origin: &Origin, fresh: bool) -> Result<(File, HashSet<u64>)> {
    let growing = file::open(path, GameFile::KIND, origin, fresh)?;
    let old = GameFile::from_bytes(&growing.bytes).with_context(|| show(path))?;
    Ok((growing.file, old.games.iter().map(|game| game.number).collect()))
}

pub(super) fn positions(args: &PositionsArgs) -> Result<()> {
    out_file::check(&args.out, args.fresh)?;
    let mut rules: Option<Rules> = None;
    let mut bytes = Vec::new();
    for path in &args.files {
        let file = file::games(path)?;
        match rules {
            Some(known) if known != file.rules => {
                bail!("{} has games of {}, not of {known}", show(path), file.rules)
            }
            _ => rules = Some(file.rules),
        }
        positions::of_games(&file, &mut bytes);
    }
    let Some(rules) = rules else { bail!("no file of games was given") };
    let mut whole = positions::header(&rules);
    whole.extend(bytes);
    out_file::write(&args.out, &whole)?;
    let length = positions::length(&rules);
    report::line(format_args!("{} positions in {}", whole.len() / length, show(&args.out)))?;
    Ok(())
}
