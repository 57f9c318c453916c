//! PSQ, the files of Piskvorky (the Gomocup manager): one stone per turn, five in a row.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0      board, two numbers about the players, 1: the second begins
//! 10,11,350                      column, row from the top, milliseconds; both from 1
//! …
//! pbrain-one.exe                 the players; the first is Black unless the second began
//! pbrain-two.exe
//! -1                             an error code; 0 is none, -1 not known
//! 1,Freestyle                    1 or 2 won, 0 nobody; the rule
//! ```
//!
//! The last line is that of Gomocup's files. Piskvork's own end with the error code, and who won is
//! seen on the board.

use std::fmt::Write as _;
use std::time::Duration;

use collinear_play::{End, GameRecord, Thought};
use collinear_rules::notation::NotationError;
use collinear_rules::{Cell, Fouls, Player, Rules};

use super::builder::{Boards, Builder};
use super::cursor::{Cursor, Place};
use super::error::{Problem, RecordError};
use super::result::{DRAWN, won};
use crate::quote::short;

const HEADER: &str = "a header such as \"Piskvorky 20x20, 11:11, 0\"";
/// Anything longer than this is not a game.
const MAX_LINES: usize = 64 * 64 + 100;

/// Reads games of these rules, or of those that the text names.
pub(super) struct Reader(pub(super) Option<Rules>);

impl super::Reader for Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> super::NextGame {
        cursor.skip_blank();
        let place = cursor.place();
        let Some(header) = cursor.line() else { return Ok(None) };
        let (width, height) =
            board(header).ok_or_else(|| cursor.unexpected_at(place, header, HEADER))?;
        let (moves, tail) = split_game(cursor)?;
        let mut players = Player::BOTH;
        if header.rsplit(',').next().is_some_and(|begins| begins.trim() == "1") {
            players.reverse();
        }
        let (winner, rule) = verdict(cursor, tail.get(2..).unwrap_or_default(), players)?;
        let five = Rules::builder(width, height, 5);
        let five = match rule {
            Rule::Freestyle => five,
            Rule::Standard => five.exact(),
            Rule::Renju => five.fouls(Fouls::Lose),
        };
        let five = five.build();
        let rules = self.0.map_or(five, Ok);
        let rules = rules.map_err(|error| cursor.error(place, Problem::Rules(error.into())))?;
        let mut builder = Builder::new(rules, boards);
        for (place, line) in moves {
            stone(&mut builder, line).map_err(|problem| cursor.error(place, problem))?;
        }
        for (player, (_, name)) in players.into_iter().zip(&tail) {
            builder.record.players[player.index()] = Some((*name).to_owned());
        }
        builder.record.end = winner;
        Ok(Some(builder.finish()))
    }
}

type PlacedLine<'a> = (Place, &'a str);

/// The lines of moves and those behind them, up to the next header.
fn split_game<'a>(
    cursor: &mut Cursor<'a>,
) -> Result<(Vec<PlacedLine<'a>>, Vec<PlacedLine<'a>>), RecordError> {
    let (mut moves, mut tail) = (Vec::new(), Vec::new());
    loop {
        let place = cursor.place();
        if cursor.rest().starts_with("Piskvorky") {
            break;
        }
        let Some(line) = cursor.line() else { break };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if tail.is_empty() && line.split(',').next().is_some_and(|x| x.parse::<i64>().is_ok()) {
            moves.push((place, line));
        } else {
            tail.push((place, line));
        }
        if moves.len() + tail.len() > MAX_LINES {
            return Err(cursor.error(place, Problem::TooLarge("more lines than a board has cells")));
        }
    }
    Ok((moves, tail))
}

/// The rules a file can name.
enum Rule {
    Freestyle,
    Standard,
    /// A forbidden stone is taken and loses, as the manager judges it.
    Renju,
}

/// `-1` and `1,Freestyle`: who won, and by which rule. A number alone is an error code.
fn verdict(
    cursor: &Cursor<'_>,
    tail: &[PlacedLine<'_>],
    players: [Player; 2],
) -> Result<(Option<End>, Rule), RecordError> {
    let (mut winner, mut chosen) = (None, Rule::Freestyle);
    for &(place, line) in tail {
        let Some((number, rule)) = line.split_once(',') else { continue };
        winner = match number.trim() {
            "1" => Some(won(players[0])),
            "2" => Some(won(players[1])),
            "0" => Some(DRAWN),
            _ => winner,
        };
        match rule.trim().to_ascii_lowercase().as_str() {
            "" | "freestyle" => {}
            "standard" => chosen = Rule::Standard,
            "renju" => chosen = Rule::Renju,
            _ => {
                let expected =
                    "the rule Freestyle, Standard or Renju; others are not of this family";
                return Err(cursor.unexpected_at(place, line, expected));
            }
        }
    }
    Ok((winner, chosen))
}

fn board(header: &str) -> Option<(u32, u32)> {
    let size = header.strip_prefix("Piskvorky")?.split(',').next()?.trim();
    let (width, height) = size.split_once(['x', 'X'])?;
    Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
}

fn stone(builder: &mut Builder, line: &str) -> Result<(), Problem> {
    let rules = builder.record.rules;
    let mut parts = line.split(',').map(|part| part.trim().parse::<u32>());
    let form = || NotationError::Form {
        text: short(line),
        expected: "column,row,milliseconds such as 10,11,350",
    };
    let number = builder.number();
    let wrong = |reason| Problem::Cell { number, reason };
    let (Some(Ok(x)), Some(Ok(y))) = (parts.next(), parts.next()) else {
        return Err(wrong(form()));
    };
    let millis = match parts.next() {
        None => None,
        Some(Ok(millis)) => Some(millis),
        Some(Err(_)) => return Err(wrong(form())),
    };
    let cell = point(&rules, x, y).ok_or_else(|| {
        wrong(NotationError::Outside {
            text: short(line),
            width: rules.width(),
            height: rules.height(),
        })
    })?;
    builder.place(cell, line)?;
    let at = builder.at();
    if let (Some(millis), Some(notes)) = (millis, builder.record.tree.notes_mut(at)) {
        notes.thought = Thought::timed(Duration::from_millis(u64::from(millis)));
    }
    Ok(())
}

fn point(rules: &Rules, x: u32, y: u32) -> Option<Cell> {
    let row = rules.height().checked_sub(y as usize)?;
    rules.cell((x as usize).checked_sub(1)?, row)
}

/// The games that its readers take a file for.
pub(super) fn holds(rules: &Rules) -> bool {
    (rules.k(), rules.p(), rules.q(), rules.gravity()) == (5, 1, 1, false)
}

pub(super) fn write(out: &mut String, record: &GameRecord) -> Result<(), String> {
    super::no_setup(record)?;
    let rules = record.rules;
    if !holds(&rules) {
        return Err(format!("it knows five in a row with one stone per turn only, not {rules}"));
    }
    let _ = writeln!(out, "Piskvorky {}x{}, 11:11, 0", rules.width(), rules.height());
    for node in record.tree.main_line() {
        let Some(cell) = record.tree.stone(node) else { continue };
        let time = record.tree.thought(node).and_then(|thought| thought.time);
        let (x, y) = (rules.column(cell) + 1, rules.height() - rules.row(cell));
        let _ = writeln!(out, "{x},{y},{}", time.map_or(0, |time| time.as_millis()));
    }
    for (player, unnamed) in Player::BOTH.into_iter().zip(["Black", "White"]) {
        let name = record.players[player.index()].as_deref().unwrap_or(unnamed);
        // A name that looks like a move, or breaks the line, would be read as something else.
        let name = name.replace(['\r', '\n', ','], " ");
        let name = if name.trim().is_empty() || name.trim().parse::<i64>().is_ok() {
            unnamed
        } else {
            name.trim()
        };
        let _ = writeln!(out, "{name}");
    }
    let winner = match record.end.as_ref().filter(|end| end.counts()).map(|end| end.winner) {
        Some(Some(Player::Black)) => "1",
        Some(Some(Player::White)) => "2",
        Some(None) => "0",
        None => "-1",
    };
    let rule = match (rules.is_renju(), rules.overlines_win()) {
        (true, _) => "Renju",
        (false, false) => "Standard",
        (false, true) => "Freestyle",
    };
    let _ = writeln!(out, "-1\n{winner},{rule}");
    Ok(())
}
