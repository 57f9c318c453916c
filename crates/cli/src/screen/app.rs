//! The game on the screen, without the screen: what keys and agents do to it.
//!
//! Threads and drawing stay outside, so a test can press keys and read what comes of it.

use collinear_play::{Report, play_turn};
use collinear_rules::{Cell, Outcome, Player, Position, Rules, notation};
use ratatui::crossterm::event::KeyCode;

use super::menu::Seat;
use super::thinker::Said;
use crate::typed;

/// What the agents are to do for the game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// The agent of this side is to choose its turn.
    Turn(Player),
    /// Somebody strong is to choose for the person.
    Hint,
}

/// What a key leads to beyond the game itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Stay,
    /// Back to the start screen.
    Menu,
    Quit,
}

/// A job an agent has in hand.
struct Thinking {
    id: u64,
    hint: bool,
}

/// A game in progress.
pub(crate) struct App {
    position: Position,
    seats: [Seat; 2],
    /// Where Enter places a stone.
    pub(crate) cursor: Cell,
    /// The move line while somebody types in it.
    pub(crate) typed: Option<String>,
    /// The latest news, good or bad.
    pub(crate) message: String,
    /// The latest thoughts, with the player who had them.
    pub(crate) report: Option<(Player, Report)>,
    /// The stones a hint proposes.
    pub(crate) hint: Vec<Cell>,
    pub(crate) help: bool,
    /// Agents wait; a game between two of them can be watched step by step.
    pub(crate) paused: bool,
    thinking: Option<Thinking>,
    last_id: u64,
    /// An agent failed: it is not asked again before something changes.
    stuck: bool,
}

impl App {
    pub(crate) fn new(rules: Rules, seats: [Seat; 2]) -> Self {
        let position = Position::new(rules);
        let centre = rules.cell(rules.width() / 2, rules.height() / 2);
        let mut app = Self {
            cursor: centre.unwrap_or(Cell::new(0)),
            position,
            seats,
            typed: None,
            message: String::new(),
            report: None,
            hint: Vec::new(),
            help: false,
            paused: false,
            thinking: None,
            last_id: 0,
            stuck: false,
        };
        app.settle_cursor();
        app
    }

    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) const fn seat(&self, player: Player) -> &Seat {
        &self.seats[player.index()]
    }

    pub(crate) const fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// What should be thought about next, with the number its answers must carry.
    pub(crate) fn next_wish(&mut self) -> Option<(Wish, u64)> {
        let player = self.position.to_move();
        let idle = self.thinking.is_none() && !self.position.is_over();
        if !idle || self.paused || self.stuck || self.is_person(player) {
            return None;
        }
        Some((Wish::Turn(player), self.begin(false)))
    }

    /// What an agent said; old answers are to questions nobody asks any more.
    pub(crate) fn hear(&mut self, id: u64, said: Said) {
        let Some(Thinking { hint, .. }) = self.thinking.as_ref().filter(|job| job.id == id) else {
            return;
        };
        let hint = *hint;
        let player = self.position.to_move();
        match said {
            Said::Report(report) => self.report = Some((player, report)),
            Said::Failed(reason) => {
                self.thinking = None;
                self.stuck = !hint;
                self.message = format!("{player} has no move: {reason}");
            }
            Said::Turn(turn) if hint => {
                self.thinking = None;
                let names = notation::names(self.position.rules(), &turn);
                self.message = format!("hint: {names}");
                self.cursor = turn.first().copied().unwrap_or(self.cursor);
                self.hint = turn;
            }
            Said::Turn(turn) => {
                self.thinking = None;
                let names = notation::names(self.position.rules(), &turn);
                self.message = match play_turn(&mut self.position, &turn) {
                    Ok(()) => format!("{player} played {names}"),
                    Err(reason) => {
                        self.stuck = true;
                        format!("{player} tried {names}: {reason}")
                    }
                };
                self.after_stone();
            }
        }
    }

    /// A key; a hint comes back as a wish.
    pub(crate) fn on_key(&mut self, key: KeyCode) -> (Then, Option<(Wish, u64)>) {
        if self.help {
            self.help = false;
            return (Then::Stay, None);
        }
        if self.typed.is_some() {
            return self.on_typing(key);
        }
        match key {
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, 1),
            KeyCode::Down => self.step(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => self.place(self.cursor),
            KeyCode::Char(':' | '/' | 'm') => self.typed = Some(String::new()),
            KeyCode::Char(command) => return self.command(&command.to_string()),
            KeyCode::Backspace => return self.command("undo"),
            _ => {}
        }
        (Then::Stay, None)
    }

    fn command(&mut self, word: &str) -> (Then, Option<(Wish, u64)>) {
        match word {
            "u" | "undo" => self.take_back(),
            "h" | "hint" => return (Then::Stay, self.ask_hint()),
            "p" | "pause" => {
                self.paused = !self.paused;
                let state = if self.paused { "agents wait" } else { "agents go on" };
                state.clone_into(&mut self.message);
            }
            "n" | "new" => return (Then::Menu, None),
            "?" | "help" => self.help = true,
            "q" | "quit" => return (Then::Quit, None),
            _ => {}
        }
        (Then::Stay, None)
    }

    fn on_typing(&mut self, key: KeyCode) -> (Then, Option<(Wish, u64)>) {
        /// Nobody types more stones in one turn.
        const LONGEST: usize = 400;
        let Some(typed) = &mut self.typed else { return (Then::Stay, None) };
        match key {
            KeyCode::Char(sign) if typed.len() < LONGEST => typed.push(sign),
            KeyCode::Backspace if !typed.is_empty() => {
                typed.pop();
            }
            KeyCode::Backspace | KeyCode::Esc => self.typed = None,
            KeyCode::Enter => {
                let line = self.typed.take().unwrap_or_default();
                let line = line.trim();
                if ["undo", "hint", "pause", "new", "help", "quit"].contains(&line) {
                    return self.command(line);
                }
                self.play_line(line);
            }
            _ => {}
        }
        (Then::Stay, None)
    }

    /// Plays typed stones, up to the first that cannot be.
    fn play_line(&mut self, line: &str) {
        let player = self.position.to_move();
        for word in line.split([' ', ',']).filter(|word| !word.is_empty()) {
            if !self.position.is_over() && self.position.to_move() != player {
                self.message = format!("{word}: the turn is over already");
                return;
            }
            match typed::cell(&self.position, word) {
                Ok(cell) => {
                    let before = self.position.stone_count();
                    self.place(cell);
                    if self.position.stone_count() == before {
                        return;
                    }
                }
                Err(reason) => {
                    self.message = reason;
                    return;
                }
            }
        }
    }

    fn place(&mut self, cell: Cell) {
        let player = self.position.to_move();
        if !self.position.is_over() && !self.is_person(player) {
            self.message = format!("{player} is played by {}", self.seat(player).name());
            return;
        }
        let name = notation::name(self.position.rules(), cell);
        match self.position.play(cell) {
            Ok(()) => {
                self.message = format!("{player} placed {name}");
                self.drop_thoughts();
                self.cursor = cell;
                self.after_stone();
            }
            Err(reason) => self.message = format!("{name}: {reason}"),
        }
    }

    fn after_stone(&mut self) {
        self.hint.clear();
        self.settle_cursor();
        match self.position.outcome() {
            Outcome::Won(player) => {
                let row = notation::names(self.position.rules(), &self.position.winning_cells());
                self.message = format!("{player} wins: {row}");
            }
            Outcome::Drawn => "nobody wins: the board is full".clone_into(&mut self.message),
            Outcome::Ongoing => {}
        }
    }

    /// Back to where a person placed the last stone; between agents, one stone.
    fn take_back(&mut self) {
        let before = self.position.clone();
        let people = Player::BOTH.into_iter().any(|player| self.is_person(player));
        while let Some(cell) = self.position.undo() {
            if !people || self.is_person(self.position.to_move()) {
                "taken back".clone_into(&mut self.message);
                self.paused |= !people;
                self.stuck = false;
                self.hint.clear();
                self.drop_thoughts();
                self.cursor = cell;
                self.settle_cursor();
                return;
            }
        }
        self.position = before;
        "there is nothing to take back".clone_into(&mut self.message);
    }

    fn ask_hint(&mut self) -> Option<(Wish, u64)> {
        if self.position.is_over() || !self.is_person(self.position.to_move()) {
            "a hint is for a person to move".clone_into(&mut self.message);
            return None;
        }
        if self.thinking.is_some() {
            return None;
        }
        "thinking of a hint".clone_into(&mut self.message);
        Some((Wish::Hint, self.begin(true)))
    }

    /// With gravity the cursor is a column: it rests where a stone would land.
    fn settle_cursor(&mut self) {
        let rules = self.position.rules();
        if rules.gravity()
            && let Some(cell) = self.position.drop_cell(rules.column(self.cursor))
        {
            self.cursor = cell;
        }
    }

    fn step(&mut self, dx: isize, dy: isize) {
        let rules = *self.position.rules();
        let dy = if rules.gravity() { 0 } else { dy };
        let column = rules.column(self.cursor).checked_add_signed(dx);
        let row = rules.row(self.cursor).checked_add_signed(dy);
        if let (Some(column), Some(row)) = (column, row)
            && let Some(cell) = rules.cell(column, row)
        {
            self.cursor = cell;
            self.settle_cursor();
        }
    }

    fn begin(&mut self, hint: bool) -> u64 {
        self.last_id += 1;
        self.thinking = Some(Thinking { id: self.last_id, hint });
        self.report = None;
        self.last_id
    }

    fn drop_thoughts(&mut self) {
        self.thinking = None;
        self.report = None;
    }

    fn is_person(&self, player: Player) -> bool {
        *self.seat(player) == Seat::Person
    }
}
