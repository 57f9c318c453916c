//! CSV tables of games, one row per game; the header names the columns.
//!
//! `moves` is the one column that must be there: letters-digits cells separated by commas or
//! blanks. `winner` (black, white, draw, or any result of the native form), `rules`, `black` and
//! `white` are known; every other column is kept as metadata. Fields are quoted as in RFC 4180.

use std::fmt::Write as _;

use collinear_play::GameRecord;
use collinear_rules::{Rules, notation};

use super::builder::{Boards, Builder};
use super::cursor::{Cursor, Place, words};
use super::error::{Problem, RecordError};
use super::result;

/// The columns that are written.
pub(super) const HEADER: &str = "game_id,moves,winner,rules,black,white\n";

const MAX_COLUMNS: usize = 1000;

pub(super) struct Reader {
    rules: Option<Rules>,
    columns: Vec<String>,
}

impl Reader {
    pub(super) const fn new(rules: Option<Rules>) -> Self {
        Self { rules, columns: Vec::new() }
    }
}

impl super::Reader for Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> super::NextGame {
        if self.columns.is_empty() {
            let place = cursor.place();
            let Some(header) = row(cursor)? else { return Ok(None) };
            self.columns = header.into_iter().map(|field| field.text.trim().to_owned()).collect();
            if !self.columns.iter().any(|name| name == "moves") {
                let found = self.columns.join(",");
                return Err(cursor.unexpected_at(
                    place,
                    &found,
                    "a header with a column \"moves\"",
                ));
            }
        }
        let place = cursor.place();
        let Some(fields) = row(cursor)? else { return Ok(None) };
        if fields.len() != self.columns.len() {
            let found = format!("{} fields", fields.len());
            let expected = format!("{} as in the header", self.columns.len());
            return Err(cursor.unexpected_at(place, &found, &expected));
        }
        let game = Row { names: &self.columns, fields: &fields };
        let rules = match game.field("rules").filter(|field| !field.text.is_empty()) {
            Some(field) => field
                .text
                .parse()
                .map_err(|error| cursor.error(field.place, Problem::Rules(error)))?,
            None => self.rules.unwrap_or(Rules::CONNECT6),
        };
        game.read(cursor, Builder::new(rules, boards)).map(Some)
    }
}

struct Field {
    place: Place,
    text: String,
}

struct Row<'a> {
    names: &'a [String],
    fields: &'a [Field],
}

impl Row<'_> {
    fn field(&self, name: &str) -> Option<&Field> {
        self.names.iter().zip(self.fields).find(|(n, _)| *n == name).map(|(_, field)| field)
    }

    fn read(&self, cursor: &Cursor<'_>, mut builder: Builder) -> Result<GameRecord, RecordError> {
        for (name, field) in self.names.iter().zip(self.fields) {
            let text = field.text.trim();
            let given = (!text.is_empty()).then(|| text.to_owned());
            match name.as_str() {
                "moves" => {
                    for (column, word) in words(text) {
                        let cell = notation::parse(&builder.record.rules, word);
                        let column = field.place.column + column - 1;
                        let place = Place { column, ..field.place };
                        builder
                            .place_read(cell, word)
                            .map_err(|problem| cursor.error(place, problem))?;
                    }
                }
                "winner" => {
                    let end = if text.is_empty() { Ok(None) } else { result::parse(text) };
                    builder.record.end = end.map_err(|()| {
                        cursor.unexpected_at(field.place, text, "black, white, draw or nothing")
                    })?;
                }
                "rules" => {}
                "black" => builder.record.players[0] = given,
                "white" => builder.record.players[1] = given,
                _ => {
                    if let Some(text) = given {
                        builder.record.metadata.insert(name.clone(), text);
                    }
                }
            }
        }
        Ok(builder.finish())
    }
}

/// The fields of the next row that is not blank.
fn row(cursor: &mut Cursor<'_>) -> Result<Option<Vec<Field>>, RecordError> {
    cursor.skip_blank();
    if cursor.peek().is_none() {
        return Ok(None);
    }
    let mut fields = Vec::new();
    loop {
        fields.push(field(cursor)?);
        match cursor.peek() {
            Some(',') if fields.len() < MAX_COLUMNS => drop(cursor.bump()),
            Some(',') => {
                let problem = Problem::TooLarge("more than 1,000 columns");
                return Err(cursor.error(cursor.place(), problem));
            }
            _ => {
                cursor.eat('\r');
                cursor.eat('\n');
                return Ok(Some(fields));
            }
        }
    }
}

fn field(cursor: &mut Cursor<'_>) -> Result<Field, RecordError> {
    let open = cursor.place();
    if !cursor.eat('"') {
        let text = cursor.take_while(|c| !matches!(c, ',' | '\n' | '\r'));
        return Ok(Field { place: open, text: text.to_owned() });
    }
    let place = cursor.place();
    let mut text = String::new();
    loop {
        text.push_str(cursor.take_while(|c| c != '"'));
        if !cursor.eat('"') {
            let expected = "a closing '\"' for the one that opens here: the file seems cut short";
            return Err(cursor.unexpected_at(open, "", expected));
        }
        if !cursor.eat('"') {
            break;
        }
        text.push('"');
    }
    match cursor.peek() {
        None | Some(',' | '\n' | '\r') => Ok(Field { place, text }),
        Some(_) => Err(cursor.unexpected("a comma or the end of the line after a quoted field")),
    }
}

pub(super) fn write(
    out: &mut String,
    record: &GameRecord,
    header: Option<&str>,
    number: usize,
) -> Result<(), String> {
    super::no_setup(record)?;
    out.push_str(header.unwrap_or_default());
    let moves = notation::names(&record.rules, &record.moves()).replace(' ', ",");
    let winner = record.end.as_ref().map(|end| result::text(Some(end))).unwrap_or_default();
    let id = record.metadata.get("game_id").cloned().unwrap_or_else(|| number.to_string());
    let name = |player: usize| record.players[player].as_deref().unwrap_or_default();
    let rules = record.rules.to_string();
    let fields = [id.as_str(), &moves, &winner, &rules, name(0), name(1)];
    for (nth, field) in fields.into_iter().enumerate() {
        if nth > 0 {
            out.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) {
            let _ = write!(out, "\"{}\"", field.replace('"', "\"\""));
        } else {
            out.push_str(field);
        }
    }
    out.push('\n');
    Ok(())
}
