//! A game in the terminal without the terminal: what keys, typed lines and agents do to it.
//!
//! Threads and drawing stay outside, so a test can press keys and read what comes of it.

use std::time::{Duration, Instant};

use collinear_engine::analysis::reasons;
use collinear_play::{
    Budget, Choice, Fault, Game, OpeningRule, Reason, Refusal, Report, Seat, Side, Step, StopFlag,
    TimeControl,
};
use collinear_rules::typed::ColumnNumbers;
use collinear_rules::{Cell, Player, Position, Rules, notation};
use ratatui::crossterm::event::KeyCode;

use super::thinkers::{Question, Said, Wish};
use super::{PATIENCE, name};

/// What a key leads to beyond the game itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Stay,
    /// Back to the start screen.
    Menu,
    Quit,
}

/// Asked before a game is left.
const LEAVE: &str = "Leave this game? y / n";

/// A question an agent has in hand.
struct Thinking {
    id: u64,
    wish: Wish,
    since: Instant,
    /// What it may take, if there is a limit.
    limit: Option<Duration>,
}

/// See the module.
pub(crate) struct App {
    game: Game,
    control: TimeControl,
    /// How columns are counted where stones fall.
    columns: ColumnNumbers,
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
    /// Whether `q` was pressed once while the game is on.
    pub(crate) leaving: bool,
    /// Agents wait; a game between two of them can be watched step by step.
    pub(crate) paused: bool,
    thinking: Option<Thinking>,
    last_id: u64,
}

impl App {
    pub(crate) fn new(rules: Rules, seats: [Seat; 2], control: TimeControl) -> Self {
        let centre = rules.cell(rules.width() / 2, rules.height() / 2);
        let mut app = Self {
            game: Game::new(rules).with_seats(seats).with_controls([control; 2]),
            control,
            columns: ColumnNumbers::default(),
            cursor: centre.unwrap_or(Cell::new(0)),
            typed: None,
            message: String::new(),
            report: None,
            hint: Vec::new(),
            help: false,
            leaving: false,
            paused: false,
            thinking: None,
            last_id: 0,
        };
        app.settle_cursor();
        app
    }

    /// The same with columns counted in another way.
    pub(crate) const fn with_columns(mut self, columns: ColumnNumbers) -> Self {
        self.columns = columns;
        self
    }

    /// The label below a column: its letters, or its number where somebody wants to count from 0.
    pub(crate) fn column_label(&self, column: usize) -> String {
        match self.columns {
            ColumnNumbers::FromZero if self.game.rules().gravity() => column.to_string(),
            _ => notation::column_name(column),
        }
    }

    /// The longest chain of a player, in words.
    pub(crate) fn chain_text(&self, player: Player) -> String {
        let chain = self.position().longest_chain(player);
        let names = notation::names(self.game.rules(), &chain);
        format!("{player}: {} in a row {names}", chain.len())
    }

    /// The same with an opening rule.
    pub(crate) fn with_opening_rule(mut self, rule: Option<OpeningRule>) -> Result<Self, Refusal> {
        if let Some(rule) = rule {
            self.game = self.game.with_opening_rule(rule)?;
        }
        Ok(self)
    }

    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) const fn position(&self) -> &Position {
        self.game.position()
    }

    /// The name beside the board.
    pub(crate) fn name(&self, player: Player) -> &str {
        name(&self.game.seats[player.index()])
    }

    pub(crate) const fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// What should be thought about next, with the number its answers must carry.
    pub(crate) fn next_wish(&mut self) -> Option<(Wish, u64)> {
        if self.thinking.is_some() || self.paused {
            return None;
        }
        let (player, _) = self.game.agent_to_move()?;
        Some((Wish::Turn(player), self.begin(Wish::Turn(player))))
    }

    /// What is to be thought about.
    pub(crate) fn question(&self, wish: Wish) -> Question {
        Question {
            position: self.position().clone(),
            budget: self.budget(wish),
            step: self.game.step().filter(|_| wish != Wish::Hint),
            swapped: self.game.black() == Some(Side::Chooser),
        }
    }

    /// What a person is to do in an opening; none outside of one.
    pub(crate) fn opening_text(&self) -> Option<String> {
        let step = self.game.step()?;
        Some(match step {
            Step::Place { stones, .. } => {
                let colour = self.position().to_move();
                format!("opening: {stones} more to place, {colour} next")
            }
            Step::Choose { two_stones: true, .. } => {
                "opening: black, white, or two (you put two more stones)".to_owned()
            }
            Step::Choose { two_stones: false, .. } => "opening: black or white".to_owned(),
        })
    }

    /// Whether a colour is to be chosen and this word is a choice.
    pub(crate) fn may_choose(&self, word: &str) -> bool {
        matches!(self.game.step(), Some(Step::Choose { .. })) && choice(word).is_some()
    }

    /// A person's choice in an opening.
    pub(crate) fn choose(&mut self, word: &str) {
        let person = self.game.seat_to_move().is_person();
        let Some(choice) = choice(word).filter(|_| person) else { return };
        self.message = match self.game.choose(choice) {
            Ok(()) => self.deed_text(),
            Err(refusal) => refusal.to_string(),
        };
        self.drop_thoughts();
    }

    /// The last thing that was done in the opening.
    fn deed_text(&self) -> String {
        let deed = self.game.dialogue().and_then(|dialogue| dialogue.deeds().last());
        deed.map_or_else(String::new, |deed| {
            let swapped = self.game.black() == Some(Side::Chooser);
            let side = if swapped { deed.side.other() } else { deed.side };
            deed.words(self.name(side.seat()))
        })
    }

    /// What the next thoughts may cost.
    fn budget(&self, wish: Wish) -> Budget {
        match wish {
            Wish::Turn(_) => self.game.budget(StopFlag::default()),
            Wish::Hint => self.control.budget(None, StopFlag::default()),
        }
    }

    /// What an agent said; old answers are to questions nobody asks any more.
    pub(crate) fn hear(&mut self, id: u64, said: Said) {
        let Some(wish) = self.thinking.as_ref().filter(|job| job.id == id).map(|job| job.wish)
        else {
            return;
        };
        let player = self.position().to_move();
        let answer = match said {
            Said::Report(report) => {
                self.report = Some((player, report));
                return;
            }
            Said::Step(reply) => {
                self.thinking = None;
                match reply.map(|reply| self.game.act(&reply)) {
                    Ok(Ok(())) => {
                        self.message = self.deed_text();
                        self.settle_cursor();
                    }
                    Ok(Err(refusal)) => self.message = refusal.to_string(),
                    Err(fault) => self.forfeit(self.game.acting(), &fault),
                }
                return;
            }
            Said::Answer(answer) => answer,
        };
        self.thinking = None;
        match (wish, answer.turn) {
            (Wish::Hint, Ok(turn)) => {
                let names = notation::names(self.game.rules(), &turn);
                let words = reasons(self.position(), &turn, answer.thought.value);
                let words = words.filter(|words| !words.is_empty());
                let words = words.map_or_else(String::new, |words| format!(": {words}"));
                self.message = format!("hint: {names}{words}");
                self.cursor = turn.first().copied().unwrap_or(self.cursor);
                self.hint = turn;
            }
            (Wish::Hint, Err(fault)) => self.message = format!("no hint: {fault}"),
            (Wish::Turn(_), Ok(turn)) => {
                let names = notation::names(self.game.rules(), &turn);
                self.message = match self.game.play_turn(&turn, answer.thought) {
                    Ok(()) => format!("{player} played {names}"),
                    Err(refusal) => refusal.to_string(),
                };
                self.after_stone();
            }
            (Wish::Turn(player), Err(fault)) => self.forfeit(player, &fault),
        }
    }

    /// Gives an agent up that should have answered long ago; says which.
    pub(crate) fn give_up_late(&mut self, now: Instant) -> Option<Wish> {
        let Thinking { wish, since, limit, .. } = *self.thinking.as_ref()?;
        let over = now.saturating_duration_since(since).checked_sub(limit?)?;
        if over < PATIENCE {
            return None;
        }
        self.thinking = None;
        match wish {
            Wish::Turn(player) => self.forfeit(player, &Fault::Late { over }),
            Wish::Hint => "no hint came in time".clone_into(&mut self.message),
        }
        Some(wish)
    }

    fn forfeit(&mut self, player: Player, fault: &Fault) {
        // Nothing to do where the game was over already.
        let _ = self.game.forfeit(player, fault);
        self.after_stone();
    }

    /// How the game ended, for people.
    pub(crate) fn end_text(&self) -> Option<String> {
        let end = self.game.end()?;
        Some(match (end.winner, end.reason) {
            (Some(player), Reason::Row) => {
                let row = notation::names(self.game.rules(), &self.position().winning_cells());
                format!("{player} ({}) wins: {row}", self.name(player))
            }
            _ => end.to_string(),
        })
    }

    /// A key; a hint comes back as a wish.
    pub(crate) fn on_key(&mut self, key: KeyCode) -> (Then, Option<(Wish, u64)>) {
        if self.help {
            self.help = false;
            return (Then::Stay, None);
        }
        if self.leaving {
            self.leaving = false;
            if matches!(key, KeyCode::Char('q' | 'y' | 'Q' | 'Y') | KeyCode::Enter) {
                return (Then::Quit, None);
            }
            self.message.clear();
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
            KeyCode::Enter | KeyCode::Char(' ') => drop(self.place(self.cursor)),
            KeyCode::Char('b') if self.may_choose("black") => self.choose("black"),
            KeyCode::Char('w') if self.may_choose("white") => self.choose("white"),
            KeyCode::Char('2') if self.may_choose("two") => self.choose("two"),
            // Where stones fall a digit is a column.
            KeyCode::Char(digit) if digit.is_ascii_digit() && self.game.rules().gravity() => {
                self.play_line(&digit.to_string());
            }
            KeyCode::Char(':' | '/' | 'm') => self.typed = Some(String::new()),
            KeyCode::Char(command) => return self.command(&command.to_string()),
            KeyCode::Backspace => return self.command("undo"),
            _ => {}
        }
        (Then::Stay, None)
    }

    fn command(&mut self, word: &str) -> (Then, Option<(Wish, u64)>) {
        match word {
            "u" | "undo" => drop(self.take_back()),
            "r" | "redo" => drop(self.play_again()),
            "h" | "hint" => return (Then::Stay, self.ask_hint()),
            "p" | "pause" => {
                self.paused = !self.paused;
                let state = if self.paused { "agents wait" } else { "agents go on" };
                state.clone_into(&mut self.message);
            }
            "chains" => {
                self.message = Player::BOTH.map(|player| self.chain_text(player)).join("; ");
            }
            "n" | "new" => return (Then::Menu, None),
            "?" | "help" => self.help = true,
            "q" if self.is_on() => {
                self.leaving = true;
                LEAVE.clone_into(&mut self.message);
            }
            "q" | "quit" => return (Then::Quit, None),
            _ => {}
        }
        (Then::Stay, None)
    }

    fn on_typing(&mut self, key: KeyCode) -> (Then, Option<(Wish, u64)>) {
        /// Nobody types more stones in one turn.
        const MAX_TYPED: usize = 400;
        let Some(typed) = &mut self.typed else { return (Then::Stay, None) };
        match key {
            KeyCode::Char(sign) if typed.len() < MAX_TYPED => typed.push(sign),
            KeyCode::Backspace if !typed.is_empty() => {
                typed.pop();
            }
            KeyCode::Backspace | KeyCode::Esc => self.typed = None,
            KeyCode::Enter => {
                let line = self.typed.take().unwrap_or_default();
                let line = line.trim();
                if ["undo", "redo", "hint", "chains", "pause", "new", "help", "quit"]
                    .contains(&line)
                {
                    return self.command(line);
                }
                if self.may_choose(line) {
                    self.choose(line);
                } else {
                    self.play_line(line);
                }
            }
            _ => {}
        }
        (Then::Stay, None)
    }

    /// Plays typed stones, all or none; false if there is something wrong with them.
    pub(crate) fn play_line(&mut self, line: &str) -> bool {
        match self.game.typed(line, self.columns) {
            Ok(cells) => cells.into_iter().all(|cell| self.place(cell)),
            Err(error) => {
                self.message = error.to_string();
                false
            }
        }
    }

    fn place(&mut self, cell: Cell) -> bool {
        let player = self.position().to_move();
        if !self.game.is_over() && !self.game.seat_to_move().is_person() {
            self.message = format!("{player} is played by {}", self.name(player));
            return false;
        }
        let name = notation::name(self.game.rules(), cell);
        match self.game.play(cell) {
            Ok(()) => {
                self.message = format!("{player} placed {name}");
                self.drop_thoughts();
                self.cursor = cell;
                self.after_stone();
                true
            }
            Err(refusal) => {
                self.message = refusal.to_string();
                false
            }
        }
    }

    fn after_stone(&mut self) {
        self.hint.clear();
        self.settle_cursor();
        if let Some(end) = self.end_text() {
            self.message = end;
        }
    }

    /// Takes back a stone of an unfinished turn, or else to where a person was to move; between
    /// agents one turn. False when there is nothing to take back.
    pub(crate) fn take_back(&mut self) -> bool {
        let cell = self.position().history().last().copied();
        let person = self.game.seat_to_move().is_person();
        let retracted = person && self.game.retract().is_ok();
        match if retracted { Ok(()) } else { self.game.undo() } {
            Err(refusal) => {
                self.message = refusal.to_string();
                return false;
            }
            Ok(()) => "taken back".clone_into(&mut self.message),
        }
        self.paused |= self.game.agent_to_move().is_some();
        if self.paused {
            self.message.push_str("; p lets the agents go on");
        }
        self.moved_to(cell);
        true
    }

    /// Plays again what was taken back.
    pub(crate) fn play_again(&mut self) -> bool {
        if let Err(refusal) = self.game.redo() {
            self.message = refusal.to_string();
            return false;
        }
        "played again".clone_into(&mut self.message);
        let cell = self.position().history().last().copied();
        self.moved_to(cell);
        self.after_stone();
        true
    }

    fn moved_to(&mut self, cell: Option<Cell>) {
        self.hint.clear();
        self.drop_thoughts();
        self.cursor = cell.unwrap_or(self.cursor);
        self.settle_cursor();
    }

    pub(crate) fn ask_hint(&mut self) -> Option<(Wish, u64)> {
        if self.game.is_over() || !self.game.seat_to_move().is_person() {
            "a hint is for a person to move".clone_into(&mut self.message);
            return None;
        }
        if self.game.step().is_some() {
            "hints begin when the colours are settled".clone_into(&mut self.message);
            return None;
        }
        if self.thinking.is_some() {
            return None;
        }
        "thinking of a hint".clone_into(&mut self.message);
        Some((Wish::Hint, self.begin(Wish::Hint)))
    }

    /// With gravity the cursor is a column: it rests where a stone would land.
    fn settle_cursor(&mut self) {
        let position = self.game.position();
        let rules = position.rules();
        if rules.gravity()
            && let Some(cell) = position.drop_cell(rules.column(self.cursor))
        {
            self.cursor = cell;
        }
    }

    fn step(&mut self, dx: isize, dy: isize) {
        let rules = *self.game.rules();
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

    fn begin(&mut self, wish: Wish) -> u64 {
        self.last_id += 1;
        let limit = self.budget(wish).limit();
        self.thinking = Some(Thinking { id: self.last_id, wish, since: Instant::now(), limit });
        self.report = None;
        self.last_id
    }

    fn drop_thoughts(&mut self) {
        self.thinking = None;
        self.report = None;
    }

    /// Whether there is a game to lose by leaving.
    fn is_on(&self) -> bool {
        self.position().stone_count() > 0 && !self.game.is_over()
    }
}

/// A choice in an opening by its word.
fn choice(word: &str) -> Option<Choice> {
    match word {
        "black" => Some(Choice::Black),
        "white" => Some(Choice::White),
        "two" => Some(Choice::TwoStones),
        _ => None,
    }
}
