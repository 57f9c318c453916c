//! Records of the Chinese computer games championship (CCGC), Connect6 only.
//!
//! ```text
//! {[C6][team B][team W][先手胜][2018.07.28 Beijing][2018 CCGC];B(J,10);W(I,11);W(K,9)…}
//! ```
//!
//! Letter column, number row from the bottom. The result says which side won: 先手 is the first
//! player, 后手 the second, 和 a draw. Files are often in GBK; the words are known in that form too.

use std::fmt::Write as _;

use collinear_play::{End, GameRecord};
use collinear_rules::{Player, Position, Rules, notation};

use super::builder::{Boards, Builder};
use super::cursor::Cursor;
use super::error::{Problem, RecordError};
use super::result::{DRAWN, won};

/// The first words of a result in UTF-8, in GBK read as Latin-1, and in English.
const RESULTS: [(&str, End); 9] = [
    ("先手", won(Player::Black)),
    ("后手", won(Player::White)),
    ("和", DRAWN),
    ("\u{cf}\u{c8}\u{ca}\u{d6}", won(Player::Black)),
    ("\u{ba}\u{f3}\u{ca}\u{d6}", won(Player::White)),
    ("\u{ba}\u{cd}", DRAWN),
    ("B", won(Player::Black)),
    ("W", won(Player::White)),
    ("draw", DRAWN),
];

/// Reads games of these rules.
pub(super) struct Reader(pub(super) Rules);

impl super::Reader for Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> super::NextGame {
        cursor.skip_blank();
        if cursor.peek().is_none() {
            return Ok(None);
        }
        cursor.expect('{')?;
        let mut builder = Builder::new(self.0, boards);
        let place = cursor.place();
        let game = field(cursor)?;
        if game != "C6" {
            return Err(cursor.unexpected_at(place, game, "[C6], the mark of a Connect6 record"));
        }
        for (player, mark) in [(Player::Black, " B"), (Player::White, " W")] {
            let name = field(cursor)?;
            let name = name.strip_suffix(mark).unwrap_or(name).trim();
            if !name.is_empty() {
                builder.record.players[player.index()] = Some(name.to_owned());
            }
        }
        let result = field(cursor)?.trim();
        let known = RESULTS.into_iter().find(|(word, _)| result.starts_with(word));
        builder.record.end = known.map(|(_, end)| end);
        let (date, location) = {
            let when = field(cursor)?.trim();
            when.rsplit_once(' ').unwrap_or((when, ""))
        };
        let event = field(cursor)?.trim();
        for (key, value) in [("date", date), ("place", location), ("event", event)] {
            if !value.is_empty() {
                builder.record.metadata.insert(key.to_owned(), value.to_owned());
            }
        }
        loop {
            cursor.skip_blank();
            if cursor.eat('}') {
                return Ok(Some(builder.finish()));
            }
            if !cursor.eat(';') {
                return Err(cursor.unexpected("';' and a move such as ;B(J,10), or '}'"));
            }
            cursor.skip_blank();
            if cursor.peek() != Some('}') {
                stone(cursor, &mut builder)?;
            }
        }
    }
}

fn field<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, RecordError> {
    cursor.skip_blank();
    cursor.expect('[')?;
    let text = cursor.take_while(|c| c != ']' && c != '\n');
    cursor.expect(']')?;
    Ok(text)
}

/// `B(J,10)`; the colour must be the one to move.
fn stone(cursor: &mut Cursor<'_>, builder: &mut Builder) -> Result<(), RecordError> {
    let place = cursor.place();
    let player = match cursor.bump() {
        Some('B') => Player::Black,
        Some('W') => Player::White,
        _ => return Err(cursor.unexpected_at(place, "", "B or W")),
    };
    cursor.expect('(')?;
    let inside = cursor.take_while(|c| c != ')' && c != ';' && c != '\n');
    cursor.expect(')')?;
    let name: String = inside.chars().filter(|c| *c != ',' && !c.is_whitespace()).take(8).collect();
    let number = builder.number();
    let cell = notation::parse(&builder.record.rules, &name)
        .map_err(|reason| cursor.error(place, Problem::Cell { number, reason }))?;
    builder.place_as(player, cell, &name).map_err(|problem| cursor.error(place, problem))
}

pub(super) fn write(
    out: &mut String,
    record: &GameRecord,
    mut position: Position,
) -> Result<(), String> {
    super::no_setup(record)?;
    if record.rules != Rules::CONNECT6 {
        return Err(format!("it knows Connect6 on 19x19 only, not {}", record.rules));
    }
    let plain =
        |text: &str| text.replace(['[', '{'], "(").replace([']', '}'], ")").replace('\n', " ");
    let name = |player: Player| plain(record.players[player.index()].as_deref().unwrap_or(""));
    let meta = |key: &str| plain(record.metadata.get(key).map_or("", String::as_str));
    let result = match record.end.as_ref().filter(|end| end.counts()).map(|end| end.winner) {
        Some(Some(Player::Black)) => "先手胜",
        Some(Some(Player::White)) => "后手胜",
        Some(None) => "和棋",
        None => "",
    };
    let when = format!("{} {}", meta("date"), meta("place").replace(' ', "_"));
    let _ = write!(
        out,
        "{{[C6][{} B][{} W][{result}][{}][{}]",
        name(Player::Black),
        name(Player::White),
        when.trim(),
        meta("event")
    );
    for cell in record.moves() {
        let colour = if position.to_move() == Player::Black { 'B' } else { 'W' };
        let column = notation::column_name(record.rules.column(cell)).to_uppercase();
        let _ = write!(out, ";{colour}({column},{})", record.rules.row(cell) + 1);
        position.play(cell).map_err(|error| error.to_string())?;
    }
    out.push_str("}\n");
    Ok(())
}
