//! `collinear play`: a game in the terminal: a screen of its own, or plain lines with moves typed.

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result};
use collinear_play::{Report, StopFlag, TimeControl, parse_time};
use collinear_rules::{Cell, Outcome, Player, Position, Rules, notation};

use crate::session::{Session, Side};
use crate::{report, screen, typed};

/// Play against an agent in the terminal, or watch two of them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear play
  collinear play gomoku --black sequences:depth=2 --white human
  collinear play connect4 --white perfect
  collinear play --black sequences --white threats
  collinear play --white sextant --plain

On the screen: arrows and Enter, or : and moves typed; ? lists the keys.
Plain lines: moves are typed as cells (j10), several with spaces; with gravity a column (d) is enough.
Other words: undo, hint, board, moves, black, white (the stones of one side), chains (the longest
of each), help, quit.")]
pub(crate) struct Args {
    /// The game [default: connect6]
    #[arg(value_name = "GAME")]
    rules: Option<Rules>,
    /// The game, the same
    #[arg(short, long, value_name = "GAME", hide = true, conflicts_with = "rules")]
    game: Option<Rules>,
    /// Who opens: human, or an agent
    #[arg(long, value_name = "WHO")]
    black: Option<String>,
    /// Who answers; with neither named a start screen asks, and plain lines play sequences
    #[arg(long, value_name = "WHO")]
    white: Option<String>,
    /// Time an agent takes at most for a turn
    #[arg(long, default_value = "2s", value_parser = time)]
    time: Duration,
    /// Seed of the agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plain lines instead of a screen, as for pipes
    #[arg(long)]
    plain: bool,
}

impl Args {
    /// Who plays, if anybody was named; who was not is a person.
    fn named(&self) -> Option<[String; 2]> {
        let name = |side: &Option<String>| side.clone().unwrap_or_else(|| "human".to_owned());
        (self.black.is_some() || self.white.is_some())
            .then(|| [name(&self.black), name(&self.white)])
    }
}

fn time(text: &str) -> Result<Duration, String> {
    parse_time(text).ok_or_else(|| "write a time such as 500ms or 2s".to_owned())
}

const HELP: &str = "cells such as j10 (several with spaces), or: undo, hint, board, moves, black, white, chains, help, quit";

pub(crate) fn run(args: Args) -> Result<()> {
    let rules = args.rules.or(args.game).unwrap_or(Rules::CONNECT6);
    let control = TimeControl::turn(args.time);
    if !args.plain && io::stdin().is_terminal() && io::stdout().is_terminal() {
        let seats = args.named().map(|names| names.map(|name| screen::Seat::parse(&name)));
        let start = screen::Start { rules, seats, control, seed: args.seed };
        let last = screen::run(start, crate::registry::registry)?;
        return match last {
            Some(position) if !position.history().is_empty() => {
                report::text(&(screen::moves_line(&position) + "\n"))
            }
            _ => Ok(()),
        };
    }
    let names = args.named().unwrap_or_else(|| ["human".to_owned(), "sequences".to_owned()]);
    let registry = crate::registry::registry();
    let side = |spec: &str, seed: u64| -> Result<Side> {
        if spec == "human" {
            return Ok(Side::Human);
        }
        Ok(Side::Agent(registry.parse(spec)?.build(&rules, seed)?))
    };
    let sides = [side(&names[0], args.seed)?, side(&names[1], args.seed.wrapping_add(1))?];
    let mut session = Session::new(rules, sides, control, StopFlag::default());
    let mut screen = Screen { out: io::stdout().lock(), names, control, seed: args.seed };
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
    control: TimeControl,
    seed: u64,
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
            "hint" => self.hint(session.position())?,
            "black" => self.side(session, Player::Black)?,
            "white" => self.side(session, Player::White)?,
            "chains" => {
                for player in Player::BOTH {
                    let chain = longest_chain(session.position(), player);
                    let names = notation::names(session.position().rules(), &chain);
                    writeln!(self.out, "{player}: {} in a row {names}", chain.len())?;
                }
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

    fn hint(&mut self, position: &Position) -> Result<()> {
        let registry = crate::registry::registry();
        let Some(mut adviser) = screen::adviser(&registry, position.rules(), self.seed) else {
            writeln!(self.out, "nobody here knows this game well enough for a hint")?;
            return Ok(());
        };
        let budget = self.control.budget(None, StopFlag::default());
        let turn = adviser.choose(position, &budget, &mut |_| {})?;
        writeln!(self.out, "hint: {}", notation::names(position.rules(), &turn))?;
        Ok(())
    }

    /// The stones of one side as they were played.
    fn side(&mut self, session: &Session, player: Player) -> Result<()> {
        let position = session.position();
        let stones = position.history().iter().copied();
        let own: Vec<Cell> = stones.filter(|&cell| position.at(cell) == Some(player)).collect();
        writeln!(self.out, "{}", notation::names(position.rules(), &own))?;
        Ok(())
    }

    fn stones(&mut self, session: &mut Session, player: Player, line: &str) -> Result<()> {
        for word in line.split([' ', ',']).filter(|word| !word.is_empty()) {
            if session.position().is_over() || session.position().to_move() != player {
                writeln!(self.out, "{word}: the turn is over already")?;
                break;
            }
            match typed::cell(session.position(), word) {
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

/// The longest row of neighbouring stones of a player, the first of equals.
fn longest_chain(position: &Position, player: Player) -> Vec<Cell> {
    let geometry = position.geometry();
    let mut best = Vec::new();
    for line in geometry.lines() {
        let cells = geometry.line_cells(line);
        for chain in cells.chunk_by(|&a, &b| position.at(a) == position.at(b)) {
            if position.at(chain[0]) == Some(player) && chain.len() > best.len() {
                best = chain.to_vec();
            }
        }
    }
    best
}

/// Nobody types more.
const LONGEST_LINE: u64 = 10_000;
