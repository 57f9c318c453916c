//! The game in a terminal window: start screen, board, panel, keys, agents at work.

mod app;
mod draw;
mod menu;
#[cfg(test)]
mod tests;
mod thinker;

use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use anyhow::{Result, bail};
use collinear_play::{Agent, Registry, StopFlag, TimeControl};
use collinear_rules::{Player, Position, Rules, notation};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};

use app::{App, Then, Wish};
use menu::{Chosen, Menu};
use thinker::{Answer, Job};

pub(crate) use menu::Seat;

/// What the screen begins with.
pub(crate) struct Start {
    pub(crate) rules: Rules,
    /// Who plays; the start screen asks when nobody was named.
    pub(crate) seats: Option<[Seat; 2]>,
    pub(crate) control: TimeControl,
    pub(crate) seed: u64,
}

/// How often agents are listened to while no key comes.
const TICK: Duration = Duration::from_millis(50);

/// Who gives hints, the first that plays the game.
const ADVISERS: [&str; 3] = ["sextant", "perfect", "kate"];

/// Plays until the person has had enough; returns the last position.
pub(crate) fn run(start: Start, registry: fn() -> Registry) -> Result<Option<Position>> {
    if let Some(seats) = &start.seats {
        // Wrong names are told on the plain terminal, not on a screen that vanishes.
        Table::new(&registry(), start.rules, seats, &start)?;
    }
    let mut terminal = ratatui::init();
    let played = Screen { start, registry, last: None }.run(&mut terminal);
    ratatui::restore();
    played
}

struct Screen {
    start: Start,
    registry: fn() -> Registry,
    last: Option<Position>,
}

impl Screen {
    fn run(mut self, terminal: &mut DefaultTerminal) -> Result<Option<Position>> {
        let mut chosen = self.start.seats.clone().map(|seats| (self.start.rules, seats));
        let mut menu = Menu::new(self.start.rules, (self.registry)());
        let mut message = String::new();
        loop {
            let Some((rules, seats)) = chosen.take().or_else(|| ask(terminal, &mut menu, &message))
            else {
                return Ok(self.last);
            };
            match Table::new(&(self.registry)(), rules, &seats, &self.start) {
                Err(error) => message = format!("{error:#}"),
                Ok(table) => {
                    let (then, position) = game(terminal, App::new(rules, seats), table)?;
                    self.last = Some(position);
                    if then == Then::Quit {
                        return Ok(self.last);
                    }
                    message.clear();
                }
            }
        }
    }
}

/// The start screen; none to leave.
fn ask(
    terminal: &mut DefaultTerminal,
    menu: &mut Menu,
    message: &str,
) -> Option<(Rules, [Seat; 2])> {
    loop {
        terminal.draw(|frame| draw::menu(frame, menu, message)).ok()?;
        match menu.on_key(next_key(None).ok()??) {
            Chosen::Nothing => {}
            Chosen::Game(rules, seats) => return Some((rules, seats)),
            Chosen::Quit => return None,
        }
    }
}

fn game(
    terminal: &mut DefaultTerminal,
    mut app: App,
    mut table: Table,
) -> Result<(Then, Position)> {
    loop {
        terminal.draw(|frame| draw::game(frame, &app))?;
        while let Ok(Answer { id, said }) = table.answers.try_recv() {
            app.hear(id, said);
        }
        if let Some((wish, id)) = app.next_wish() {
            table.think(&wish, id, app.position())?;
        }
        if let Some(key) = next_key(Some(TICK))? {
            let (then, wish) = app.on_key(key);
            if then != Then::Stay {
                table.stop.stop();
                return Ok((then, app.position().clone()));
            }
            match wish {
                Some((wish, id)) => table.think(&wish, id, app.position())?,
                // Nobody waits for the thoughts on a position that is gone.
                None if !app.is_thinking() => table.stop.stop(),
                None => {}
            }
        }
    }
}

/// The next key that matters, within `wait` or whenever it comes. Anything else that happens
/// (a new window size) only asks for drawing again.
fn next_key(wait: Option<Duration>) -> Result<Option<KeyCode>> {
    if let Some(wait) = wait
        && !event::poll(wait)?
    {
        return Ok(None);
    }
    loop {
        return Ok(match event::read()? {
            Event::Key(key) if key.kind == KeyEventKind::Release => continue,
            Event::Key(key)
                if key.modifiers.contains(KeyModifiers::CONTROL)
                    && matches!(key.code, KeyCode::Char('c' | 'd')) =>
            {
                Some(KeyCode::Char('q'))
            }
            Event::Key(key) => Some(key.code),
            _ if wait.is_some() => None,
            // The start screen draws again for any key it does not know.
            _ => Some(KeyCode::Null),
        });
    }
}

/// The agents of one game.
struct Table {
    seats: [Option<Sender<Job>>; 2],
    adviser: Option<Sender<Job>>,
    answers: Receiver<Answer>,
    control: TimeControl,
    /// Ends the thinking that goes on.
    stop: StopFlag,
}

impl Table {
    fn new(registry: &Registry, rules: Rules, seats: &[Seat; 2], start: &Start) -> Result<Self> {
        let (say, answers) = mpsc::channel();
        let build = |spec: &str, seed: u64| -> Result<Sender<Job>> {
            let agent = registry.parse(spec)?.build(&rules, seed)?;
            Ok(thinker::spawn(agent, say.clone()))
        };
        let mut agents = [None, None];
        for player in Player::BOTH {
            if let Seat::Agent(spec) = &seats[player.index()] {
                let seed = start.seed.wrapping_add(player.index() as u64);
                agents[player.index()] = Some(build(spec, seed)?);
            }
        }
        let adviser = adviser(registry, &rules, start.seed);
        let adviser = adviser.map(|agent| thinker::spawn(agent, say.clone()));
        let stop = StopFlag::default();
        Ok(Self { seats: agents, adviser, answers, control: start.control, stop })
    }

    fn think(&mut self, wish: &Wish, id: u64, position: &Position) -> Result<()> {
        let worker = match wish {
            Wish::Turn(player) => self.seats[player.index()].as_ref(),
            Wish::Hint => self.adviser.as_ref(),
        };
        let Some(worker) = worker else {
            bail!("nobody plays {} here", position.rules());
        };
        self.stop.stop();
        self.stop = StopFlag::default();
        let budget = self.control.budget(None, self.stop.clone());
        // An agent whose thread ended has said why; the game goes on without it.
        let _ = worker.send(Job { id, position: position.clone(), budget });
        Ok(())
    }
}

/// Somebody who can give hints in a game.
pub(crate) fn adviser(registry: &Registry, rules: &Rules, seed: u64) -> Option<Box<dyn Agent>> {
    ADVISERS.iter().find_map(|spec| registry.parse(spec).ok()?.build(rules, seed).ok())
}

/// The moves of a game, for the terminal after the screen is gone: nothing is lost.
pub(crate) fn moves_line(position: &Position) -> String {
    notation::names(position.rules(), position.history())
}
