//! Pascal Pons' strings: the columns of a gravity game, counted from 1, one game per line.
//!
//! ```text
//! 4455 3        an optional number after the moves is kept as the metadata `score`
//! ```

use collinear_play::GameRecord;
use collinear_rules::{Rules, notation};

use super::builder::{Boards, Builder};
use super::cursor::{Cursor, Place, words};
use super::moves::{next_game_line, write_rules};

/// Reads games of these rules, until a line names others.
pub(super) struct Reader(pub(super) Rules);

impl super::Reader for Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> super::NextGame {
        let Some((place, line)) = next_game_line(cursor, &mut self.0)? else { return Ok(None) };
        if !self.0.gravity() {
            let expected = format!("a game with gravity: {} has none", self.0);
            return Err(cursor.unexpected_at(place, line, &expected));
        }
        let mut builder = Builder::new(self.0, boards);
        for (nth, (column, word)) in words(line).enumerate() {
            let place = Place { column, ..place };
            if nth == 0 {
                for (offset, sign) in word.chars().enumerate() {
                    let cell = notation::parse_pons(builder.position(), sign);
                    let place = Place { column: column + offset, ..place };
                    builder
                        .place_read(cell, sign.encode_utf8(&mut [0; 4]))
                        .map_err(|problem| cursor.error(place, problem))?;
                }
            } else if nth == 1 && word.parse::<i32>().is_ok() {
                builder.record.metadata.insert("score".to_owned(), word.to_owned());
            } else {
                return Err(cursor.unexpected_at(place, word, "a score or the end of the line"));
            }
        }
        Ok(Some(builder.finish()))
    }
}

pub(super) fn write(
    out: &mut String,
    record: &GameRecord,
    last_rules: Option<Rules>,
) -> Result<(), String> {
    super::no_setup(record)?;
    let rules = record.rules;
    if !rules.gravity() {
        return Err(format!("it names columns only, and {rules} has no gravity"));
    }
    if record.tree.is_empty() {
        return Err("a game without a stone would be an empty line".to_owned());
    }
    let columns: Option<String> =
        record.moves().into_iter().map(|cell| notation::pons_name(rules.column(cell))).collect();
    let columns = columns.ok_or("it has signs for 35 columns only")?;
    write_rules(out, record, last_rules.unwrap_or(Rules::CONNECT4));
    out.push_str(&columns);
    if let Some(score) = record.metadata.get("score").filter(|score| score.parse::<i32>().is_ok()) {
        out.push(' ');
        out.push_str(score);
    }
    out.push('\n');
    Ok(())
}
