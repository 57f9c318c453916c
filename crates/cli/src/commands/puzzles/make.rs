//! `collinear puzzles make`: a set of puzzles from games, in the form that the page loads.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use collinear_agents::puzzles::{Finder, play_game, set_header};
use collinear_play::StopFlag;
use collinear_rules::{Cell, Rules};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::arena::stop_on_ctrl_c;
use crate::failure::Interrupted;
use crate::journal::{Journal, Piece};
use crate::record_file::RecordFile;
use crate::{out_file, report};

/// Games looked at together for each core, so that few cores wait for the longest.
const BATCH_PER_CORE: u64 = 8;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear puzzles make --game connect4 --games 500 --seed 1 --out connect4.txt
  collinear puzzles make --game gomoku --from games.sgf
  collinear puzzles check connect4.txt --levels 100

Every puzzle is proved, and its proof replayed against every defence by a checker that shares nothing with the search;
with gravity the scores are exact. No two are mirror images. The rating follows from which levels solve it, on a scale
from 600 (level 1) to 2400 (full strength). The same seed makes the same set on any number of cores. With --out an
interrupted search goes on where it stopped.")]
pub(super) struct Make {
    /// The game: a name or WxH,k=K[,p=P,q=Q][,gravity][,exact]
    #[arg(long, default_value = "gomoku")]
    game: Rules,
    /// How many games levels play against each other
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Games of a file instead, in any format that `collinear convert` reads, `-` for standard input
    #[arg(long, value_name = "RECORD", conflicts_with = "games")]
    from: Option<PathBuf>,
    /// The most puzzles
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Seed for all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    fresh: bool,
}

/// The puzzles of one game.
#[derive(Clone, Serialize, Deserialize)]
struct Searched {
    number: u64,
    puzzles: Vec<String>,
}

impl Piece for Searched {
    fn number(&self) -> u64 {
        self.number
    }
}

impl Make {
    pub(super) fn run(&self) -> Result<()> {
        if let Some(file) = &self.out {
            out_file::check(file, self.fresh)?;
        }
        let given = self.given()?;
        if given.is_none() && play_game(&self.game, self.seed).is_none() {
            bail!(
                "nobody plays {}: choose another --game, or games of your own by --from",
                self.name()
            );
        }
        let command = self.command(given.as_deref());
        let journal = self.out.as_ref().map(|file| Journal::open(file, &command)).transpose()?;
        let stop = stop_on_ctrl_c()?;
        let set = self.search(given.as_deref(), journal.as_ref(), &stop)?;
        if stop.is_stopped() {
            if journal.is_some() {
                report::note(format_args!("interrupted: the same command goes on"));
            }
            return Err(Interrupted.into());
        }
        let mut lines = Vec::new();
        let mut seen = HashSet::new();
        for line in set {
            let new = line.split(' ').next().is_some_and(|id| seen.insert(id.to_owned()));
            if new && lines.len() < self.count.unwrap_or(usize::MAX) {
                lines.push(line);
            }
        }
        lines.sort_by_cached_key(|line| (rating(line), line.clone()));
        let text = set_header(&self.game, &command) + &lines.join("\n");
        match &self.out {
            Some(file) => out_file::write(file, (text + "\n").as_bytes())?,
            None => report::line(text)?,
        }
        if let Some(journal) = journal {
            journal.finish();
        }
        Ok(())
    }

    /// The puzzles of all games, in the order of the games.
    fn search(
        &self,
        given: Option<&[Vec<Cell>]>,
        journal: Option<&Journal<Searched>>,
        stop: &StopFlag,
    ) -> Result<Vec<String>> {
        let games = given.map_or(self.games, |games| games.len() as u64);
        let bar = ProgressBar::new(games);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games {msg} {eta}") {
            bar.set_style(style);
        }
        let mut found = Vec::new();
        let batch = BATCH_PER_CORE * rayon::current_num_threads() as u64;
        let mut done = 0;
        while done < games && !stop.is_stopped() {
            let pieces: Vec<Result<Searched>> = (done..games.min(done + batch))
                .into_par_iter()
                .map(|number| {
                    let searched = self.piece(number, given, journal, stop);
                    bar.inc(1);
                    searched
                })
                .collect();
            for piece in pieces {
                found.extend(piece?.puzzles);
            }
            done += batch;
            bar.set_message(format!("{} puzzles", found.len()));
            if self.count.is_some_and(|count| found.len() >= 2 * count) {
                break;
            }
        }
        bar.finish_and_clear();
        Ok(found)
    }

    /// The puzzles of one game.
    fn piece(
        &self,
        number: u64,
        given: Option<&[Vec<Cell>]>,
        journal: Option<&Journal<Searched>>,
        stop: &StopFlag,
    ) -> Result<Searched> {
        if let Some(known) = journal.and_then(|journal| journal.known(number)) {
            return Ok(known.clone());
        }
        let none = Searched { number, puzzles: Vec::new() };
        if stop.is_stopped() {
            return Ok(none);
        }
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
        let played = match given {
            Some(games) => games.get(number as usize).cloned(),
            None => play_game(&self.game, seed),
        };
        let mut finder = Finder::new(&self.game, self.seed);
        finder.heed(stop.clone());
        let puzzles = finder.find(&played.unwrap_or_default());
        if stop.is_stopped() {
            return Ok(none);
        }
        let puzzles = puzzles.iter().map(ToString::to_string).collect();
        let searched = Searched { number, puzzles };
        if let Some(journal) = journal {
            journal.add(&searched)?;
        }
        Ok(searched)
    }

    /// The games of a file, those of other rules left out.
    fn given(&self) -> Result<Option<Vec<Vec<Cell>>>> {
        let Some(file) = &self.from else { return Ok(None) };
        let records = RecordFile::read(file)?.games(Some(self.game)).collect::<Result<Vec<_>>>()?;
        let games: Vec<Vec<Cell>> = records
            .iter()
            .filter(|record| record.rules == self.game)
            .map(collinear_play::GameRecord::moves)
            .collect();
        if games.is_empty() {
            bail!("{} has no game of {}: name its game by --game", file.display(), self.name());
        }
        Ok(Some(games))
    }

    fn name(&self) -> String {
        self.game.preset_name().map_or_else(|| self.game.to_string(), str::to_owned)
    }

    /// The command that makes this set again: all that decides what is in it.
    fn command(&self, given: Option<&[Vec<Cell>]>) -> String {
        let game = self.name();
        let games = match (&self.from, given) {
            (Some(file), Some(games)) => {
                // Another file of that name must not go on with this one's journal.
                let stones = games.iter().flatten();
                let sum = stones.fold(games.len() as u64, |sum, cell| {
                    sum.wrapping_mul(0x0100_0000_01b3) ^ cell.index() as u64
                });
                format!("--from {} (games {sum:016x})", file.display())
            }
            _ => format!("--games {}", self.games),
        };
        let count = self.count.map_or_else(String::new, |count| format!(" --count {count}"));
        format!("collinear puzzles make --game {game} {games}{count} --seed {}", self.seed)
    }
}

/// The rating in a line of a set.
fn rating(line: &str) -> u32 {
    line.split(' ').nth(3).and_then(|rating| rating.parse().ok()).unwrap_or(0)
}
