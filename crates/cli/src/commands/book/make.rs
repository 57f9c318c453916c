//! `collinear book make`: games of strong players from many openings, in the form that the page loads.

use std::path::PathBuf;

use anyhow::{Result, bail};
use collinear_agents::opening_game;
use collinear_book::games_header;
use collinear_play::StopFlag;
use collinear_rules::Rules;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::arena::stop_on_ctrl_c;
use crate::failure::Interrupted;
use crate::journal::{Journal, Piece};
use crate::{out_file, report};

/// Play games from many openings and write their beginnings with the results, a line for each
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear book make --game renju --games 260 --nodes 500 --seed 1 --out renju.txt
  collinear book build renju.moves --game renju --out renju.book    # from records of your own

In Gomoku and Renju the games begin with the 26 named openings in turn, in Connect6 with each first answer near
the middle, with gravity with stones that the seed draws; then the strongest player of the game plays both sides. The same seed makes the same list on any number
of cores. With --out an interrupted run goes on where it stopped.")]
pub(super) struct Make {
    /// The game: a name or WxH,k=K[,p=P,q=Q][,gravity][,exact]
    #[arg(long, default_value = "gomoku")]
    game: Rules,
    /// How many games
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games: u64,
    /// Node limit per turn
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Keep the first N turns of each game
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=20))]
    turns: u16,
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

/// One game.
#[derive(Clone, Serialize, Deserialize)]
struct Played {
    number: u64,
    line: String,
}

impl Piece for Played {
    fn number(&self) -> u64 {
        self.number
    }
}

impl Make {
    pub(super) fn run(&self) -> Result<()> {
        if let Some(file) = &self.out {
            out_file::check(file, self.fresh)?;
        }
        let command = self.command();
        let journal = self.out.as_ref().map(|file| Journal::open(file, &command)).transpose()?;
        let stop = stop_on_ctrl_c()?;
        let bar = ProgressBar::new(self.games);
        let lines: Result<Vec<Option<String>>> = (0..self.games)
            .into_par_iter()
            .map(|number| {
                let line = self.line(number, journal.as_ref(), &stop);
                bar.inc(1);
                line
            })
            .collect();
        bar.finish_and_clear();
        let lines = lines?;
        if stop.is_stopped() {
            if journal.is_some() {
                report::note(format_args!("interrupted: the same command goes on"));
            }
            return Err(Interrupted.into());
        }
        let lines: Vec<String> = lines.into_iter().flatten().collect();
        let text = games_header(&self.game, &command) + &lines.join("\n");
        match &self.out {
            Some(file) => out_file::write(file, (text + "\n").as_bytes())?,
            None => report::line(text)?,
        }
        if let Some(journal) = journal {
            journal.finish();
        }
        Ok(())
    }

    /// The line of one game; none when it was stopped.
    fn line(
        &self,
        number: u64,
        journal: Option<&Journal<Played>>,
        stop: &StopFlag,
    ) -> Result<Option<String>> {
        if let Some(known) = journal.and_then(|journal| journal.known(number)) {
            return Ok(Some(known.line.clone()));
        }
        if stop.is_stopped() {
            return Ok(None);
        }
        let Some(game) = opening_game(&self.game, number, self.seed, self.nodes) else {
            bail!("nobody plays {}: choose another --game", self.name());
        };
        let line = game.line(&self.game, self.turns);
        if let Some(journal) = journal {
            journal.add(&Played { number, line: line.clone() })?;
        }
        Ok(Some(line))
    }

    fn name(&self) -> String {
        self.game.preset_name().map_or_else(|| self.game.to_string(), str::to_owned)
    }

    /// The command that makes this list again.
    fn command(&self) -> String {
        format!(
            "collinear book make --game {} --games {} --nodes {} --turns {} --seed {}",
            self.name(),
            self.games,
            self.nodes,
            self.turns,
            self.seed
        )
    }
}
