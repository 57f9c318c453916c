//! Drawing: the board, the panel beside it (or below, or left out, as room allows) and the menu.
//!
//! A cell is two signs wide: a gap and the cell. The gaps carry the cursor's brackets.
//!
//! ```text
//!  3 · · ● ·        ● Black  ○ White; the last turn is underlined, a winning row reversed
//!  2 ·[○]· ·        [ ] the cursor, ? what a hint proposes
//!  1 · · · ·
//!    a b c d
//! ```

use collinear_play::{Report, Value};
use collinear_rules::{Cell, Player, Position, Rules, notation};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::app::App;
use super::menu::Menu;
use super::plain::last_turn;

/// Below this nothing useful fits.
const LEAST: (u16, u16) = (16, 5);
/// Columns that make a panel beside the board worth having.
const PANEL_WIDTH: u16 = 26;
/// Rows that make one below it worth having.
const PANEL_HEIGHT: u16 = 4;
/// Row numbers at the left of the board.
const MARGIN: u16 = 3;

const KEYS: &str = ": type · u undo · r redo · h hint · n new · ? keys · q leave";

const HELP: &str = "\
arrows        move the cursor
Enter, space  place a stone
digits        with gravity: a stone in that column
: or /        type moves: j10 k11 (with gravity a column: d)
u, Backspace  take back
r             play again what was taken back
h             hint
:chains       the longest chain of each side
p             let agents wait, or go on
n             new game
q             leave; asks while a game is on

any key closes this";

/// Draws the game.
pub(crate) fn game(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    if too_small(frame, area) {
        return;
    }
    let [main, message, keys] = Layout::vertical([
        Constraint::Min(3),
        Constraint::Length(1),
        Constraint::Length(u16::from(area.height > 12)),
    ])
    .areas(area);
    let rules = app.position().rules();
    let board_size = (MARGIN + 2 * rules.width() as u16 + 1, rules.height() as u16 + 1);
    let (board_area, panel) = split(main, board_size);
    board(frame, board_area, app);
    if let Some(panel) = panel {
        self::panel(frame, panel, app);
    }
    let line = match &app.typed {
        Some(typed) => format!(":{typed}▏"),
        None => app.message.clone(),
    };
    // Without a panel the line below the board says whose turn it is.
    let line = match (panel, turn_text(app)) {
        (None, Some(turn)) => format!("{turn}  {line}"),
        _ => line,
    };
    let line = Paragraph::new(line);
    frame.render_widget(if app.game().is_over() { line.bold() } else { line }, message);
    frame.render_widget(Paragraph::new(KEYS).dim(), keys);
    if app.help {
        popup(frame, area, " keys ", HELP);
    }
}

/// The panel goes beside the board, else below it, else away.
fn split(area: Rect, board: (u16, u16)) -> (Rect, Option<Rect>) {
    if area.width >= board.0 + PANEL_WIDTH {
        let [left, right] =
            Layout::horizontal([Constraint::Length(board.0 + 1), Constraint::Min(PANEL_WIDTH)])
                .areas(area);
        (left, Some(right))
    } else if area.height >= board.1 + PANEL_HEIGHT {
        let [top, bottom] =
            Layout::vertical([Constraint::Length(board.1), Constraint::Min(PANEL_HEIGHT)])
                .areas(area);
        (top, Some(bottom))
    } else {
        (area, None)
    }
}

/// The part of the board that fits, around the cursor.
fn board(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let position = app.position();
    let rules = position.rules();
    let columns = visible(
        rules.width(),
        usize::from(area.width.saturating_sub(MARGIN + 1) / 2),
        rules.column(app.cursor),
    );
    let rows =
        visible(rules.height(), usize::from(area.height.saturating_sub(1)), rules.row(app.cursor));
    let marks = Marks::of(app);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in rows.clone().rev() {
        let mut spans = vec![Span::raw(format!("{:>2}", row + 1))];
        for column in columns.clone() {
            let Some(cell) = rules.cell(column, row) else { continue };
            let gap = match () {
                () if cell == app.cursor => "[",
                () if column > 0 && rules.cell(column - 1, row) == Some(app.cursor) => "]",
                () => " ",
            };
            spans.push(Span::raw(gap));
            spans.push(marks.cell(position, cell));
        }
        let last = columns.end.checked_sub(1).and_then(|column| rules.cell(column, row));
        spans.push(Span::raw(if last == Some(app.cursor) { "]" } else { " " }));
        lines.push(Line::from(spans));
    }
    let labels: Vec<String> =
        columns.map(|column| format!("{:>2}", app.column_label(column))).collect();
    lines.push(Line::from(format!("  {}", labels.concat())).dim());
    frame.render_widget(Paragraph::new(lines), area);
}

/// `room` neighbouring indices of `0..all` that hold `wanted`, in the middle where possible.
fn visible(all: usize, room: usize, wanted: usize) -> std::ops::Range<usize> {
    let room = room.clamp(1, all);
    let first = wanted.saturating_sub(room / 2).min(all - room);
    first..first + room
}

/// What stands out on the board.
struct Marks<'a> {
    winning: Vec<Cell>,
    last_turn: &'a [Cell],
    hint: &'a [Cell],
    forbidden: Vec<Cell>,
}

impl<'a> Marks<'a> {
    fn of(app: &'a App) -> Self {
        Self {
            winning: app.position().winning_cells(),
            last_turn: last_turn(app.position()),
            hint: &app.hint,
            forbidden: app.position().forbidden(),
        }
    }

    fn cell(&self, position: &Position, cell: Cell) -> Span<'static> {
        let (sign, style) = match position.at(cell) {
            Some(Player::Black) => ("●", Style::new().fg(Color::LightBlue)),
            Some(Player::White) => ("○", Style::new().fg(Color::LightYellow)),
            None if self.hint.contains(&cell) => ("?", Style::new().fg(Color::LightGreen)),
            None if self.forbidden.contains(&cell) => ("×", Style::new().fg(Color::LightRed)),
            None => ("·", Style::new().dim()),
        };
        let style = if self.winning.contains(&cell) {
            style.add_modifier(Modifier::REVERSED | Modifier::BOLD)
        } else if self.last_turn.contains(&cell) {
            style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD)
        } else {
            style
        };
        Span::styled(sign, style)
    }
}

fn panel(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let mut lines = vec![Line::from(game_name(app.position().rules())).bold()];
    for player in Player::BOTH {
        lines.push(player_line(app, player));
    }
    lines.extend(app.opening_text().map(|text| Line::from(text).bold()));
    if let Some((player, report)) = &app.report {
        lines.extend(thoughts(app.position().rules(), *player, report));
    } else if app.is_thinking() {
        lines.push(Line::from("thinking …").dim());
    }
    lines.push(Line::default());
    // Long lines wrap; the empty one at the end is slack for breaks between words.
    let rows = lines.iter().map(|line| line.width().div_ceil(usize::from(area.width)).max(1));
    let height = (rows.sum::<usize>() as u16).min(area.height);
    let thoughts = Paragraph::new(lines).wrap(Wrap { trim: true });
    let [top, bottom] =
        Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(area);
    frame.render_widget(thoughts, top);
    let moves = move_list(app.position());
    let fitting = moves.len().saturating_sub(usize::from(bottom.height));
    frame.render_widget(Paragraph::new(moves[fitting..].to_vec()), bottom);
}

/// `● black, stone 1 of 2` while the game is on.
fn turn_text(app: &App) -> Option<String> {
    let position = app.position();
    let player = position.to_move();
    if let Some(text) = app.opening_text() {
        return Some(text);
    }
    (!app.game().is_over()).then(|| {
        let sign = if player == Player::Black { "●" } else { "○" };
        match turn_of(position) {
            (stone, of) if of > 1 => format!("{sign} {player}, stone {stone} of {of}"),
            _ => format!("{sign} {player} to move"),
        }
    })
}

fn player_line(app: &App, player: Player) -> Line<'static> {
    let position = app.position();
    let settling = app.game().step().is_some();
    // Nobody has a colour yet.
    let sign = match player {
        _ if settling => "·",
        Player::Black => "●",
        Player::White => "○",
    };
    let to_move = !app.game().is_over() && app.game().acting() == player;
    let state = match app.game().end() {
        Some(end) if end.winner == Some(player) => "  wins".to_owned(),
        None if to_move && settling => "  acts".to_owned(),
        None if to_move => match turn_of(position) {
            (stone, of) if of > 1 => format!("  stone {stone} of {of}"),
            _ => "  to move".to_owned(),
        },
        _ => String::new(),
    };
    let line = Line::from(format!("{sign} {}{state}", app.name(player)));
    if to_move { line.bold() } else { line }
}

/// Which stone of how many the player to move places next.
fn turn_of(position: &Position) -> (usize, usize) {
    let mover = position.to_move();
    let placed = last_turn(position);
    let same = placed.first().and_then(|&cell| position.at(cell)) == Some(mover);
    let placed = if same { placed.len() } else { 0 };
    (placed + 1, placed + position.stones_left())
}

fn thoughts(rules: &Rules, player: Player, report: &Report) -> Vec<Line<'static>> {
    let mut lines = vec![Line::from(format!(
        "depth {}, {} nodes, {:.1} s",
        report.depth,
        report.nodes,
        report.elapsed.as_secs_f64()
    ))];
    if let Some(best) = report.lines.first() {
        let value = match best.value {
            Value::Chance(chance) => format!("{:.0} %", 100.0 * chance),
            Value::WinsIn(turns) => format!("wins in {turns}"),
            Value::LosesIn(turns) => format!("loses in {turns}"),
            Value::Draw => "draw".to_owned(),
        };
        let stones = notation::names(rules, &best.stones[..best.stones.len().min(8)]);
        lines.push(Line::from(format!("{player}: {value}  {stones}")));
    }
    lines.extend(report.note.clone().map(Line::from));
    lines
}

/// One line per turn: `12 ○ k9 l10`.
fn move_list(position: &Position) -> Vec<Line<'static>> {
    let mut lines: Vec<(Option<Player>, String)> = Vec::new();
    for &cell in position.history() {
        let player = position.at(cell);
        let name = notation::name(position.rules(), cell);
        match lines.last_mut() {
            Some((last, text)) if *last == player => {
                text.push(' ');
                text.push_str(&name);
            }
            _ => lines.push((player, name)),
        }
    }
    let numbered = lines.into_iter().enumerate().map(|(number, (player, text))| {
        let sign = if player == Some(Player::Black) { "●" } else { "○" };
        Line::from(format!("{:>3} {sign} {text}", number + 1))
    });
    numbered.collect()
}

/// Draws the start screen.
pub(crate) fn menu(frame: &mut Frame<'_>, menu: &Menu, message: &str) {
    let area = frame.area();
    if too_small(frame, area) {
        return;
    }
    let colour = match menu.colour {
        Player::Black => "● you open",
        Player::White => "○ you answer",
    };
    let mut lines = vec![
        Line::from("Collinear").bold(),
        Line::from(format!("{}   (Tab: another game)", game_name(&menu.rules()))),
        Line::from(format!("{colour}   (← →)")),
        Line::default(),
    ];
    for (index, opponent) in menu.opponents.iter().enumerate() {
        let chosen = index == menu.opponent;
        let line = Line::from(format!("{} {}", if chosen { '▸' } else { ' ' }, opponent.label));
        lines.push(if chosen { line.reversed() } else { line });
    }
    lines.push(Line::default());
    lines.push(Line::from("↑ ↓ choose · Enter play · q quit").dim());
    if !message.is_empty() {
        lines.push(Line::from(message.to_owned()));
    }
    // A low window scrolls so that the choice stays in sight.
    let bottom = 6 + menu.opponent as u16;
    let scroll = bottom.saturating_sub(area.height);
    frame.render_widget(Paragraph::new(lines).scroll((scroll, 0)), area);
}

fn game_name(rules: &Rules) -> String {
    rules.preset_name().map_or_else(|| rules.to_string(), str::to_owned)
}

fn too_small(frame: &mut Frame<'_>, area: Rect) -> bool {
    let small = area.width < LEAST.0 || area.height < LEAST.1;
    if small {
        let text =
            format!("too small: {}×{}, at least {}×{}", area.width, area.height, LEAST.0, LEAST.1);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    }
    small
}

fn popup(frame: &mut Frame<'_>, area: Rect, title: &str, text: &str) {
    let width = (text.lines().map(|line| line.chars().count()).max().unwrap_or(0) as u16 + 4)
        .min(area.width);
    let height = (text.lines().count() as u16 + 2).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    frame.render_widget(
        Paragraph::new(text).block(Block::bordered().title(title.to_owned())),
        place,
    );
}
