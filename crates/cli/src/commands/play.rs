//! `collinear play`: a game in the terminal: a screen of its own, or plain lines with moves typed.

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::Result;
use collinear_play::{OpeningRule, TimeControl, parse_time};
use collinear_rules::typed::ColumnNumbers;
use collinear_rules::{Rules, notation};

use crate::board::{self, Chair, Start};
use crate::report;

/// Play against an agent in the terminal, or watch two of them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear play
  collinear play gomoku --black sequences:depth=2 --white human
  collinear play connect4 --white perfect
  collinear play --black sequences --white threats
  collinear play --white sextant --plain
  collinear play connect4 --white 4ply_fevala --columns-from 0
  collinear play gomoku --white sextant --opening-rule swap2

On the screen: arrow keys and Enter, or : and typed moves; ? lists the keys.
Plain lines: type cells (j10), separated by spaces; with gravity a column (d or 4) is enough.
Other words: undo, redo, hint, board, moves, black, white (the stones of one side), chains (the longest
of each), help, quit. Where an opening rule asks for it: black, white, two.")]
pub(crate) struct Args {
    /// The game [default: connect6]
    #[arg(value_name = "GAME")]
    rules: Option<Rules>,
    /// The same as GAME
    #[arg(short, long, value_name = "GAME", hide = true, conflicts_with = "rules")]
    game: Option<Rules>,
    /// Who plays Black and moves first: human, or an agent
    #[arg(long, value_name = "WHO")]
    black: Option<String>,
    /// Who plays White. A side that is not named is yours; without both a start screen asks
    #[arg(long, value_name = "WHO")]
    white: Option<String>,
    /// The players settle who plays Black: swap2, swap or swap1; BLACK puts the first stones
    #[arg(long, value_name = "RULE")]
    opening_rule: Option<OpeningRule>,
    /// The number of the first column where stones fall: type or press 0 to 6 in Connect Four
    #[arg(long, value_name = "0|1", default_value_t = 1, value_parser = clap::value_parser!(u8).range(..=1))]
    columns_from: u8,
    /// Time per turn of an agent
    #[arg(long, default_value = "2s", value_parser = parse_time)]
    time: Duration,
    /// Seed for the agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plain lines of text instead of a full screen
    #[arg(long)]
    plain: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let rules = args.rules.or(args.game).unwrap_or(Rules::CONNECT6);
    let registry = crate::registry::registry();
    let chair = |side: &Option<String>| {
        side.as_ref().map_or(Ok(Chair(None)), |name| Chair::parse(&registry, name))
    };
    let named = args.black.is_some() || args.white.is_some();
    let players = if named { Some([chair(&args.black)?, chair(&args.white)?]) } else { None };
    let control = TimeControl::turn(args.time);
    if let Some(rule) = args.opening_rule {
        rule.check(&rules)?;
    }
    let (seed, opening_rule) = (args.seed, args.opening_rule);
    let columns =
        if args.columns_from == 0 { ColumnNumbers::FromZero } else { ColumnNumbers::FromOne };
    let start = Start { rules, players, control, opening_rule, columns, seed, registry };
    if args.plain || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let players = match start.players.clone() {
            Some(players) => players,
            None => [Chair(None), Chair::parse(&start.registry, PLAIN_OPPONENT)?],
        };
        return board::play_in_lines(&start, players);
    }
    match board::play_on_screen(&start)? {
        // The moves stay on the terminal after the screen is gone: nothing is lost.
        Some(position) if !position.history().is_empty() => {
            report::line(notation::names(position.rules(), position.history()))
        }
        _ => Ok(()),
    }
}

/// Who plays White in plain lines when nobody is named.
const PLAIN_OPPONENT: &str = "sequences";
