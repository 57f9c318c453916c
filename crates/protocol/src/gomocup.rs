//! Points and rules as Gomocup writes them, for both sides of the protocol.
//!
//! `X,Y` counts from 0 at the top left. For games other than five in a row with one stone per turn
//! there is a compatible extension: `INFO game connect W H K P Q` (with `INFO gravity 1`) before
//! `START`, and turns as several points with blanks between them. Old programs ignore the INFO.

use std::fmt::Write as _;

use collinear_rules::{Cell, Rules};

use crate::quote::quoted;

/// The bit of `INFO rule` for exactly five.
pub(crate) const EXACT: u32 = 1;
/// The bit for Renju, and the number that Yixin's programs send for it.
pub(crate) const RENJU: u32 = 4;
pub(crate) const YIXIN_RENJU: u32 = 2;

/// Evaluations that engines report are on a logistic scale of about this width.
pub(crate) const EVAL_SCALE: f64 = 200.0;

/// Reads `X,Y`.
pub(crate) fn parse_point(rules: &Rules, text: &str) -> Result<Cell, String> {
    let number = |part: &str| part.trim().parse::<i64>().ok();
    let point = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    let (x, y) = point.ok_or_else(|| format!("{} is not a point such as 7,7", quoted(text)))?;
    cell_at(rules, x, y)
}

/// The cell at a point.
pub(crate) fn cell_at(rules: &Rules, x: i64, y: i64) -> Result<Cell, String> {
    let row = (rules.height() as i64 - 1).checked_sub(y).and_then(|row| usize::try_from(row).ok());
    let column = usize::try_from(x).ok();
    row.zip(column)
        .and_then(|(row, column)| rules.cell(column, row))
        .ok_or_else(|| format!("{x},{y} is outside the {}x{} board", rules.width(), rules.height()))
}

/// The points a line of an engine begins with, at most this many, and whether more text follows.
/// Blanks around the comma are allowed.
pub(crate) fn leading_points(line: &str, most: usize) -> Option<(Vec<(i64, i64)>, bool)> {
    let mut rest = line;
    let mut points = Vec::new();
    while points.len() < most
        && let Some((point, after)) = leading_point(rest)
    {
        points.push(point);
        rest = after;
    }
    (!points.is_empty()).then(|| (points, !rest.trim().is_empty()))
}

fn leading_point(text: &str) -> Option<((i64, i64), &str)> {
    let (x, text) = leading_number(text)?;
    let (y, text) = leading_number(text.trim_start().strip_prefix(',')?)?;
    Some(((x, y), text))
}

fn leading_number(text: &str) -> Option<(i64, &str)> {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = text.len() - digits.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let (number, rest) = text.split_at(end);
    Some((number.parse().ok()?, rest))
}

/// Reads the points of a turn: `7,7` or `7,7 8,8`.
pub(crate) fn parse_turn(rules: &Rules, text: &str) -> Result<Vec<Cell>, String> {
    let most = rules.p().max(rules.q());
    let points = text.split_whitespace().take(most + 1).map(|point| parse_point(rules, point));
    let cells = points.collect::<Result<Vec<Cell>, String>>()?;
    match cells.len() {
        0 => Err("a point such as 7,7 is missing".to_owned()),
        n if n > most => Err(format!("a turn has at most {most} stones")),
        _ => Ok(cells),
    }
}

/// Writes `X,Y`.
pub(crate) fn point(rules: &Rules, cell: Cell) -> String {
    format!("{},{}", rules.column(cell), rules.height() - 1 - rules.row(cell))
}

/// Writes the points of a turn.
pub(crate) fn turn(rules: &Rules, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| point(rules, cell)).collect::<Vec<_>>().join(" ")
}

/// The INFO lines that name a game beyond the usual one.
pub(crate) fn info_game(rules: &Rules) -> Vec<String> {
    let mut lines = Vec::new();
    if rules.k() != 5 || rules.p() != 1 || rules.q() != 1 || rules.gravity() {
        let (w, h, k, p, q) = (rules.width(), rules.height(), rules.k(), rules.p(), rules.q());
        let mut line = "INFO game connect".to_owned();
        let _ = write!(line, " {w} {h} {k} {p} {q}");
        lines.push(line);
        lines.push(format!("INFO gravity {}", u8::from(rules.gravity())));
    }
    lines
}

/// The INFO line for longer rows and Renju. It comes after START, as in other hosts.
pub(crate) fn info_rule(rules: &Rules) -> [String; 1] {
    let rule = match (rules.is_renju(), rules.overlines_win()) {
        (true, _) => RENJU,
        (false, false) => EXACT,
        (false, true) => 0,
    };
    [format!("INFO rule {rule}")]
}
