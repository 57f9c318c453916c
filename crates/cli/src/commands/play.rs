//! `collinear play`: a game in the terminal, moves typed.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use anyhow::{Context, Result};
use collinear_play::{Report, StopFlag, TimeControl, parse_time};
use collinear_rules::{Cell, Outcome, Player, Position, Rules, notation};

use crate::session::{Session, Side};

/// Play against an agent in the terminal, or watch two of them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear play
  collinear play --game gomoku --black sequences:depth=2 --white human
  collinear play --game connect4 --white perfect
  collinear play --black sequences --white threats

Moves are typed as cells (j10), several with spaces; with gravity a column (d) is enough.
Other words: undo, board, moves, help, quit.")]
pub(crate) struct Args {
    /// The game
    #[arg(short, long, default_value = "connect6")]
    game: Rules,
    /// Who opens: human, or an agent
    #[arg(long, default_value = "human")]
    black: String,
    /// Who answers
    #[arg(long, default_value = "sequences")]
    white: String,
    /// Time an agent takes at most for a turn
    #[arg(long, default_value = "2s", value_parser = time)]
    time: Duration,
    /// Seed of the agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn time(text: &str) -> Result<Duration, String> {
    parse_time(text).ok_or_else(|| "write a time such as 500ms or 2s".to_owned())
}

const HELP: &str = "cells such as j10 (several with spaces), or: undo, board, moves, help, quit";

pub(crate) fn run(args: Args) -> Result<()> {
    let registry = crate::registry::registry();
    let side = |spec: &str, seed: u64| -> Result<Side> {
        if spec == "human" {
            return Ok(Side::Human);
        }
        Ok(Side::Agent(registry.parse(spec)?.build(&args.game, seed)?))
    };
    let sides = [side(&args.black, args.seed)?, side(&args.white, args.seed.wrapping_add(1))?];
    let control = TimeControl::turn(args.time);
    let mut session = Session::new(args.game, sides, control, StopFlag::default());
    let mut screen = Screen { out: io::stdout().lock(), names: [args.black, args.white] };
    match screen.game(&mut session, &mut io::stdin().lock()) {
        // The reader of our output went away: nothing left to say.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        other => other,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

struct Screen<W> {
    out: W,
    names: [String; 2],
}

impl<W: Write> Screen<W> {
    fn game(&mut self, session: &mut Session, input: &mut impl BufRead) -> Result<()> {
        write!(self.out, "{}", session.position())?;
        while !session.position().is_over() {
            if session.is_human_to_move() {
                if !self.ask(session, input)? {
                    writeln!(self.out, "the game ends unfinished")?;
                    return Ok(());
                }
            } else {
                self.agent(session)?;
            }
        }
        let result = match session.position().outcome() {
            Outcome::Won(player) => {
                let row = notation::names(
                    session.position().rules(),
                    &session.position().winning_cells(),
                );
                format!("{player} ({}) wins: {row}", self.names[player.index()])
            }
            _ => "nobody wins".to_owned(),
        };
        writeln!(self.out, "{result}")?;
        Ok(())
    }

    fn agent(&mut self, session: &mut Session) -> Result<()> {
        let player = session.position().to_move();
        let mut last: Option<Report> = None;
        let turn = session
            .agent_turn(&mut |report| last = Some(report.clone()))
            .with_context(|| format!("{player} ({})", self.names[player.index()]))?;
        let rules = *session.position().rules();
        let name = &self.names[player.index()];
        write!(self.out, "{}", session.position())?;
        write!(self.out, "{player} ({name}) plays {}", notation::names(&rules, &turn))?;
        if let Some(report) = last {
            if let Some(line) = report.lines.first() {
                write!(self.out, "   {:.0} %", 100.0 * line.value.chance())?;
            }
            write!(self.out, "   depth {}, {} nodes", report.depth, report.nodes)?;
            if let Some(note) = report.note {
                write!(self.out, ", {note}")?;
            }
        }
        writeln!(self.out)?;
        Ok(())
    }

    /// Reads one line of a person; false at the end.
    fn ask(&mut self, session: &mut Session, input: &mut impl BufRead) -> Result<bool> {
        let (player, left) = (session.position().to_move(), session.position().stones_left());
        write!(self.out, "{player}, {left} to place> ")?;
        self.out.flush()?;
        let mut line = String::new();
        if io::Read::take(&mut *input, LONGEST_LINE).read_line(&mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(false);
        }
        match line.trim() {
            "quit" | "exit" | "q" => return Ok(false),
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "board" => write!(self.out, "{}", session.position())?,
            "moves" => {
                let position = session.position();
                writeln!(self.out, "{}", notation::names(position.rules(), position.history()))?;
            }
            "undo" => {
                if session.take_back() {
                    write!(self.out, "{}", session.position())?;
                } else {
                    writeln!(self.out, "there is nothing to take back")?;
                }
            }
            cells => self.stones(session, player, cells)?,
        }
        Ok(true)
    }

    fn stones(&mut self, session: &mut Session, player: Player, line: &str) -> Result<()> {
        for word in line.split([' ', ',']).filter(|word| !word.is_empty()) {
            if session.position().is_over() || session.position().to_move() != player {
                writeln!(self.out, "{word}: the turn is over already")?;
                break;
            }
            match cell(session.position(), word) {
                Err(reason) => {
                    writeln!(self.out, "{reason}; {HELP}")?;
                    break;
                }
                Ok(cell) => {
                    if let Err(reason) = session.place(cell) {
                        writeln!(self.out, "{word}: {reason}")?;
                        break;
                    }
                }
            }
        }
        write!(self.out, "{}", session.position())?;
        Ok(())
    }
}

/// Nobody types more.
const LONGEST_LINE: u64 = 10_000;

/// A cell by its name, or by its column where stones fall.
fn cell(position: &Position, word: &str) -> Result<Cell, String> {
    let rules = position.rules();
    if rules.gravity() {
        let columns = 0..rules.width();
        let by_letter = columns.clone().find(|&x| notation::column_name(x) == word.to_lowercase());
        let by_number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        if let Some(column) = by_letter.or(by_number).filter(|column| columns.contains(column)) {
            return position.drop_cell(column).ok_or_else(|| format!("column {word} is full"));
        }
    }
    notation::parse(rules, word).map_err(|error| error.to_string())
}
