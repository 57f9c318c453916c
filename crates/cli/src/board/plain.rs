//! The game in plain lines: moves are typed, boards are printed, nothing moves the cursor.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use collinear_rules::{Cell, Player, Position, notation};

use super::app::App;
use super::thinkers::{News, Thinkers, Wish};
use super::{Chair, Start};

const HELP: &str = "cells such as j10 (several with spaces), or: undo, redo, hint, board, moves, black, white, chains, help, quit";

/// Nobody types more.
const MAX_LINE: u64 = 10_000;
/// How often a silent agent is looked after.
const TICK: Duration = Duration::from_millis(200);

/// Plays one game.
pub(crate) fn play_in_lines(start: &Start, chairs: [Chair; 2]) -> Result<()> {
    let thinkers = Thinkers::new(&start.registry, start.rules, &chairs, start.seed)?;
    let app = App::new(start.rules, chairs.map(|chair| chair.seat()), start.control)
        .with_columns(start.columns)
        .with_opening_rule(start.opening_rule)?;
    let mut lines = Lines { out: io::stdout().lock(), app, thinkers };
    match lines.game(&mut io::stdin().lock()) {
        // The reader of our output went away: nothing left to say.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        other => other,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

struct Lines<W> {
    out: W,
    app: App,
    thinkers: Thinkers,
}

impl<W: Write> Lines<W> {
    fn game(&mut self, input: &mut impl BufRead) -> Result<()> {
        write!(self.out, "{}", self.app.position())?;
        while !self.app.game().is_over() {
            if let Some((wish, id)) = self.app.next_wish() {
                let in_opening = self.app.game().step().is_some();
                self.think(wish, id)?;
                if in_opening {
                    self.show_step()?;
                } else {
                    self.show_turn()?;
                }
            } else if !self.person(input)? {
                writeln!(self.out, "the game ends unfinished")?;
                return Ok(());
            }
        }
        if let Some(end) = self.app.end_text() {
            writeln!(self.out, "{end}")?;
        }
        Ok(())
    }

    /// Waits until the agent has answered or was given up.
    fn think(&mut self, wish: Wish, id: u64) -> Result<()> {
        self.thinkers.ask(wish, id, self.app.question(wish))?;
        while self.app.is_thinking() {
            if let Some(News { id, said }) = self.thinkers.wait(TICK) {
                self.app.hear(id, said);
            } else if let Some(wish) = self.app.give_up_late(Instant::now()) {
                self.thinkers.dismiss(wish);
            }
        }
        Ok(())
    }

    /// The board and the agent's turn with its thoughts; nothing after a fault.
    fn show_turn(&mut self) -> Result<()> {
        let position = self.app.position();
        let turn = last_turn(position);
        let Some(player) = turn.first().and_then(|&cell| position.at(cell)) else { return Ok(()) };
        if self.app.game().end().is_some_and(|end| end.is_fault()) {
            return Ok(());
        }
        write!(self.out, "{position}")?;
        let names = notation::names(position.rules(), turn);
        write!(self.out, "{player} ({}) plays {names}", self.app.name(player))?;
        if let Some((_, report)) = &self.app.report {
            if let Some(line) = report.lines.first() {
                write!(self.out, "   {:.0} %", 100.0 * line.value.chance())?;
            }
            write!(self.out, "   depth {}, {} nodes", report.depth, report.nodes)?;
            if let Some(note) = &report.note {
                write!(self.out, ", {note}")?;
            }
        }
        writeln!(self.out)?;
        Ok(())
    }

    /// What an agent did in the opening, and why.
    fn show_step(&mut self) -> Result<()> {
        if !self.app.game().is_over() {
            write!(self.out, "{}", self.app.position())?;
            writeln!(self.out, "{}", self.app.message)?;
        }
        Ok(())
    }

    /// Reads one line of a person; false at the end.
    fn person(&mut self, input: &mut impl BufRead) -> Result<bool> {
        let position = self.app.position();
        match self.app.opening_text() {
            Some(text) => write!(self.out, "{text}> ")?,
            None => {
                write!(self.out, "{}, {} to place> ", position.to_move(), position.stones_left())?;
            }
        }
        self.out.flush()?;
        let mut line = String::new();
        if io::Read::take(&mut *input, MAX_LINE).read_line(&mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(false);
        }
        let position = self.app.position();
        let rules = *position.rules();
        match line.trim() {
            "" => {}
            word if self.app.may_choose(word) => {
                self.app.choose(word);
                writeln!(self.out, "{}", self.app.message)?;
            }
            "quit" | "exit" | "q" => return Ok(false),
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "board" => write!(self.out, "{position}")?,
            "moves" => writeln!(self.out, "{}", notation::names(&rules, position.history()))?,
            "hint" => self.hint()?,
            "black" => self.stones_of(Player::Black)?,
            "white" => self.stones_of(Player::White)?,
            "chains" => {
                for player in Player::BOTH {
                    writeln!(self.out, "{}", self.app.chain_text(player))?;
                }
            }
            "undo" => {
                let done = self.app.take_back();
                self.show(done)?;
            }
            "redo" => {
                let done = self.app.play_again();
                self.show(done)?;
            }
            cells => {
                if self.app.play_line(cells) {
                    write!(self.out, "{}", self.app.position())?;
                } else {
                    writeln!(self.out, "{}; nothing was placed ({HELP})", self.app.message)?;
                }
            }
        }
        Ok(true)
    }

    /// The board after something was done, or why it was not.
    fn show(&mut self, done: bool) -> Result<()> {
        if done {
            write!(self.out, "{}", self.app.position())?;
        } else {
            writeln!(self.out, "{}", self.app.message)?;
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<()> {
        if let Some((wish, id)) = self.app.ask_hint() {
            self.think(wish, id)?;
        }
        writeln!(self.out, "{}", self.app.message)?;
        Ok(())
    }

    /// The stones of one side as they were played.
    fn stones_of(&mut self, player: Player) -> Result<()> {
        let position = self.app.position();
        let stones = position.history().iter().copied();
        let own: Vec<Cell> = stones.filter(|&cell| position.at(cell) == Some(player)).collect();
        writeln!(self.out, "{}", notation::names(position.rules(), &own))?;
        Ok(())
    }
}

/// The stones of the last turn, whole or not.
pub(super) fn last_turn(position: &Position) -> &[Cell] {
    let history = position.history();
    let Some(player) = history.last().and_then(|&cell| position.at(cell)) else { return &[] };
    let same = history.iter().rev().take_while(|&&cell| position.at(cell) == Some(player)).count();
    &history[history.len() - same..]
}
