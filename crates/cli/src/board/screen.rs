//! The game in a terminal window: start screen, board, panel, keys, agents at work.

use std::time::{Duration, Instant};

use anyhow::Result;
use collinear_rules::{Position, Rules};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};

use super::app::{App, Then};
use super::menu::{Chosen, Menu};
use super::thinkers::{News, Thinkers};
use super::{Chair, Start, draw};

/// How often agents are listened to while no key comes.
const TICK: Duration = Duration::from_millis(50);

/// Leaves at once, whatever is on: a key that no keyboard has.
const CTRL_C: KeyCode = KeyCode::F(255);

/// Plays until the person has had enough; returns the last position.
pub(crate) fn play_on_screen(start: &Start) -> Result<Option<Position>> {
    if let Some(chairs) = &start.players {
        // Players that cannot be made are told of on the plain terminal, not on a screen that
        // vanishes.
        Thinkers::new(&start.registry, start.rules, chairs, start.seed)?;
    }
    let mut terminal = ratatui::init();
    let played = run(start, &mut terminal);
    ratatui::restore();
    played
}

fn run(start: &Start, terminal: &mut DefaultTerminal) -> Result<Option<Position>> {
    let mut chosen = start.players.clone().map(|chairs| (start.rules, chairs));
    let mut menu = Menu::new(start.rules, start.registry.clone());
    let (mut last, mut message) = (None, String::new());
    loop {
        let Some((rules, chairs)) = chosen.take().or_else(|| ask(terminal, &mut menu, &message))
        else {
            return Ok(last);
        };
        match Thinkers::new(&start.registry, rules, &chairs, start.seed) {
            Err(error) => message = error.to_string(),
            Ok(thinkers) => {
                let app = App::new(rules, chairs.map(|chair| chair.seat()), start.control)
                    .with_columns(start.columns);
                // From the start screen any game can be begun, also one without such openings.
                let rule = start.opening_rule.filter(|rule| rule.check(&rules).is_ok());
                let app = app.with_opening_rule(rule)?;
                let (then, position) = game(terminal, app, thinkers)?;
                last = Some(position);
                if then == Then::Quit {
                    return Ok(last);
                }
                message.clear();
            }
        }
    }
}

/// The start screen; none to leave.
fn ask(
    terminal: &mut DefaultTerminal,
    menu: &mut Menu,
    message: &str,
) -> Option<(Rules, [Chair; 2])> {
    loop {
        terminal.draw(|frame| draw::menu(frame, menu, message)).ok()?;
        let key = next_key(None).ok()??;
        if key == CTRL_C {
            return None;
        }
        match menu.on_key(key) {
            Chosen::Nothing => {}
            Chosen::Game(rules, chairs) => return Some((rules, chairs)),
            Chosen::Quit => return None,
        }
    }
}

fn game(
    terminal: &mut DefaultTerminal,
    mut app: App,
    mut thinkers: Thinkers,
) -> Result<(Then, Position)> {
    loop {
        terminal.draw(|frame| draw::game(frame, &app))?;
        while let Some(News { id, said }) = thinkers.news() {
            app.hear(id, said);
        }
        if let Some(wish) = app.give_up_late(Instant::now()) {
            thinkers.dismiss(wish);
        }
        if let Some((wish, id)) = app.next_wish() {
            thinkers.ask(wish, id, app.question(wish))?;
        }
        if let Some(key) = next_key(Some(TICK))? {
            let (then, wish) = if key == CTRL_C { (Then::Quit, None) } else { app.on_key(key) };
            if then != Then::Stay {
                thinkers.stop();
                return Ok((then, app.position().clone()));
            }
            match wish {
                Some((wish, id)) => thinkers.ask(wish, id, app.question(wish))?,
                // Nobody waits for the thoughts on a position that is gone.
                None if !app.is_thinking() => thinkers.stop(),
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
                Some(CTRL_C)
            }
            Event::Key(key) => Some(key.code),
            _ if wait.is_some() => None,
            // The start screen draws again for any key it does not know.
            _ => Some(KeyCode::Null),
        });
    }
}
