//! `collinear openings`: quiet and balanced starts for fair matches.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use collinear_arena::{ColourTally, Contestant, Judge, OpeningError, random_opening};
use collinear_play::{Agent, StopFlag, TimeControl, ask};
use collinear_rules::{Geometry, Position, Rules, notation};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::arena::stop_on_ctrl_c;
use crate::failure::Interrupted;
use crate::journal::{Journal, Piece};
use crate::registry::registry;
use crate::{out_file, report};

/// Generate balanced openings: random stones near the centre, no threats, equal chances when played out
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear openings --game connect6 --stones 5 --count 100 --seed 1 -o openings.txt
  collinear match sextant random --openings openings.txt --time 50ms
  collinear openings --game connect4 --stones 6 --judge kate@depth=6 --balance 0.2 --play-out none
  collinear openings --game gomoku --stones 6 --balance 0.08 --play-out none \
    --judge \"external:cmd=./pbrain-rapfi,protocol=gomocup@300ms\"

No opening is a mirror image of another, and nobody can win within a turn. The judge looks at each candidate and says
how the side to move stands; those far from even are thrown away, and so are those of which it says nothing. Any engine
that reports a value can judge, a program of somebody else's too. The rest are played out in pairs of games by two
copies of the agent of --play-out, which should be stronger than the players the openings are for; a candidate is kept
when after every pair no colour has won more often than the other by more than the games drawn (a game that fills a
third of the board counts as drawn). With -o an interrupted search goes on where it stopped.")]
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
    /// Agent that looks at candidates first, with its limits, or none
    #[arg(long, default_value = DEFAULT_JUDGE)]
    judge: String,
    /// Largest distance of the judged winning chance from 0.5
    #[arg(long, default_value_t = 0.15, value_name = "PART")]
    balance: f32,
    /// Agent that plays candidates out, with its limits, or none
    #[arg(long, default_value = DEFAULT_PLAYER, value_name = "AGENT")]
    play_out: String,
    /// The most games of a candidate
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    games: u32,
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
const DEFAULT_PLAYER: &str = "sextant@nodes=100000";
/// Candidates judged at a time for each core, so that few cores wait for the slowest.
const BATCH_PER_CORE: u64 = 16;
/// Candidates for each opening wanted before the search is called hopeless.
const MAX_TRIES_EACH: u64 = 500;
/// After this many candidates a judge that has never said a value is not asked again.
const MAX_SILENCE: u32 = 16;

/// What became of one candidate.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Judged {
    /// Which.
    number: u64,
    /// How its games went.
    tally: ColourTally,
}

impl Piece for Judged {
    fn number(&self) -> u64 {
        self.number
    }
}

/// The openings found so far, and who judges the others.
struct Search<'a> {
    args: &'a Args,
    geometry: Arc<Geometry>,
    judge: Option<Contestant>,
    /// Copies of the judge that wait for the next candidate.
    idle: Mutex<Vec<Box<dyn Agent>>>,
    /// Whether the judge has given a value, and of how many candidates it gave none before.
    has_spoken: AtomicBool,
    silence: AtomicU32,
    player: Option<Judge>,
    journal: Option<Journal<Judged>>,
    stop: StopFlag,
}

struct Opening {
    position: Position,
    /// The side to move's chance, if somebody looked.
    chance: Option<f32>,
    /// How its games went, if somebody played.
    tally: Option<ColourTally>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if let Some(file) = &args.out {
        out_file::check(file, args.fresh)?;
    }
    let search = Search::new(&args)?;
    let (found, tries) = search.run()?;
    if search.stop.is_stopped() {
        report::note(format_args!(
            "interrupted with {} openings: the same command goes on",
            found.len()
        ));
        return Err(Interrupted.into());
    }
    let short = (found.len() as u64) < args.count;
    if short && found.is_empty() {
        bail!("no opening of {} stones is balanced enough: try a larger --balance", args.stones);
    }
    args.write(&found)?;
    if let Some(journal) = search.journal {
        journal.finish();
    }
    if short {
        report::note(format_args!(
            "found only {} different openings in {tries} tries",
            found.len()
        ));
    }
    Ok(())
}

impl<'a> Search<'a> {
    fn new(args: &'a Args) -> Result<Self> {
        let player = args.contestant(&args.play_out, DEFAULT_PLAYER)?;
        let player = player.map(|player| Judge { player, games: args.games });
        let journal = match &args.out {
            // Without games a search takes moments.
            Some(output) if player.is_some() => Some(Journal::open(output, &args.purpose())?),
            _ => None,
        };
        Ok(Self {
            args,
            geometry: Arc::new(Geometry::new(args.game)),
            judge: args.contestant(&args.judge, DEFAULT_JUDGE)?,
            idle: Mutex::default(),
            has_spoken: AtomicBool::new(false),
            silence: AtomicU32::new(0),
            player,
            journal,
            stop: stop_on_ctrl_c()?,
        })
    }

    /// The openings in the order of their candidates, so that they do not depend on the number of
    /// cores, and how many candidates there were.
    fn run(&self) -> Result<(Vec<Opening>, u64)> {
        let wanted = self.args.count;
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let batch = BATCH_PER_CORE * rayon::current_num_threads() as u64;
        let most = wanted.saturating_mul(MAX_TRIES_EACH).max(10 * batch);
        let bar = ProgressBar::new(wanted);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta}") {
            bar.set_style(style);
        }
        let mut tried = 0;
        while tried < most && (found.len() as u64) < wanted && !self.stop.is_stopped() {
            let candidates: Vec<Result<Option<Opening>>> = (tried..tried + batch)
                .into_par_iter()
                .map(|number| self.candidate(number))
                .collect();
            for candidate in candidates {
                let Some(opening) = candidate? else { continue };
                if seen.insert(opening.position.canonical_key()) && (found.len() as u64) < wanted {
                    found.push(opening);
                }
            }
            tried += batch;
            bar.set_position(found.len() as u64);
            bar.set_message(format!("of {tried} candidates"));
        }
        bar.finish_and_clear();
        Ok((found, tried))
    }

    /// Candidate number n, unless one side is better off.
    fn candidate(&self, number: u64) -> Result<Option<Opening>> {
        let seed = self.args.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
        let position = match random_opening(&self.geometry, self.args.stones, seed) {
            Ok(position) => position,
            Err(error @ OpeningError::TooManyStones { .. }) if number == 0 => {
                return Err(error.into());
            }
            Err(_) => return Ok(None),
        };
        let known = self
            .journal
            .as_ref()
            .and_then(|journal| journal.known(number))
            .map(|judged| judged.tally);
        if self.stop.is_stopped() || known.is_some_and(|tally| !tally.is_even()) {
            return Ok(None);
        }
        let chance = match &self.judge {
            Some(judge) => {
                let chance = self.look(judge, &position, seed)?;
                if chance.is_none_or(|chance| (chance - 0.5).abs() > self.args.balance) {
                    return Ok(None);
                }
                chance
            }
            None => None,
        };
        let tally = match (&self.player, known) {
            (_, Some(tally)) => Some(tally),
            (None, None) => None,
            (Some(player), None) => {
                let Some(tally) = player.play_out(&position, seed, &self.stop)? else {
                    return Ok(None);
                };
                if let Some(journal) = &self.journal {
                    journal.add(&Judged { number, tally })?;
                }
                Some(tally)
            }
        };
        let even = tally.is_none_or(ColourTally::is_even);
        Ok(even.then_some(Opening { position, chance, tally }))
    }

    /// What the judge makes of a position. One that can be as it was when it was new looks at the next
    /// one, too: a program of its own need not be started for each.
    fn look(&self, judge: &Contestant, position: &Position, seed: u64) -> Result<Option<f32>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let kept = idle.and_then(|mut agent| agent.reseed(seed).then_some(agent));
        let mut agent = match kept {
            Some(agent) => agent,
            None => judge.agent.build(&self.args.game, seed)?,
        };
        agent.new_game();
        let budget = judge.control.budget(None, self.stop.child());
        let mut chance = None;
        let answer = ask(&mut *agent, position, &budget, &mut |report| {
            chance = report.lines.first().map(|line| line.value.chance()).or(chance);
        });
        if self.stop.is_stopped() {
            return Ok(None);
        }
        answer.turn.with_context(|| format!("{} cannot judge", self.args.judge))?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(agent);
        if chance.is_some() {
            self.has_spoken.store(true, Ordering::Relaxed);
        } else if !self.has_spoken.load(Ordering::Relaxed)
            && self.silence.fetch_add(1, Ordering::Relaxed) >= MAX_SILENCE
        {
            bail!(
                "{} says nothing of how a position stands: name a judge that reports a value, or --judge none",
                self.args.judge
            );
        }
        Ok(chance)
    }
}

impl Args {
    fn contestant(&self, text: &str, usual: &str) -> Result<Option<Contestant>> {
        if text == "none" {
            return Ok(None);
        }
        let contestant = Contestant::parse(&registry(), text, TimeControl::default())?;
        match contestant.agent.build(&self.game, self.seed) {
            Ok(_) => Ok(Some(contestant)),
            // The usual ones do not play every game; one that was asked for must.
            Err(_) if text == usual => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Everything that decides which openings are found; how many of them does not.
    fn purpose(&self) -> String {
        let Self { game, stones, seed, judge, balance, play_out, games, .. } = self;
        let build = env!("CARGO_PKG_VERSION");
        format!(
            "collinear {build} openings --game {game} --stones {stones} --seed {seed} \
             --judge {judge} --balance {balance} --play-out {play_out} --games {games}"
        )
    }

    fn write(&self, found: &[Opening]) -> Result<()> {
        let mut text = String::new();
        if !self.json {
            writeln!(text, "# {} --count {}", self.purpose(), self.count)?;
        }
        for Opening { position, chance, tally } in found {
            let names = notation::names(&self.game, position.history());
            if self.json {
                writeln!(text, "{}", json!({ "moves": names, "chance": chance, "games": tally }))?;
                continue;
            }
            write!(text, "{names}")?;
            if let Some(chance) = chance {
                write!(text, "  # {chance:.2}")?;
            }
            writeln!(text)?;
        }
        match &self.out {
            Some(file) => out_file::write(file, text.as_bytes()),
            None => report::text(&text),
        }
    }
}
