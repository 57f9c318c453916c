//! Plain move lists: one game per line, cells separated by blanks, commas or nothing (`h8i7j9`).
//!
//! ```text
//! # rules: 15x15,k=5
//! h8 i9 h9 h10
//! ```
//!
//! Lines that begin with `#` are skipped, except that `# rules:` names the game of what follows.

use std::fmt::Write as _;

use collinear_play::GameRecord;
use collinear_rules::{Rules, notation};

use super::builder::{Boards, Builder};
use super::cursor::{Cursor, Place, words};
use super::error::{Problem, RecordError};

/// Reads games of these rules, until a line names others.
pub(super) struct Reader(pub(super) Rules);

impl super::Reader for Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> super::NextGame {
        let Some((place, line)) = next_game_line(cursor, &mut self.0)? else { return Ok(None) };
        let mut builder = Builder::new(self.0, boards);
        for (column, word) in words(line) {
            for name in notation::split(word) {
                let cell = notation::parse(&self.0, name);
                builder
                    .place_read(cell, name)
                    .map_err(|problem| cursor.error(Place { column, ..place }, problem))?;
            }
        }
        Ok(Some(builder.finish()))
    }
}

/// The game that is assumed where neither the reader nor the text names one: Connect6, or Gomoku for
/// moves without blanks, which Gomocalc and Yixin's programs write.
pub(super) fn usual(text: &str) -> Rules {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    let is_joined =
        |line: &str| line.split_whitespace().any(|word| notation::split(word).count() > 1);
    if first.is_some_and(is_joined) { Rules::GOMOKU } else { Rules::CONNECT6 }
}

/// The next line that holds a game; `# rules:` lines before it change the rules.
pub(super) fn next_game_line<'a>(
    cursor: &mut Cursor<'a>,
    rules: &mut Rules,
) -> Result<Option<(Place, &'a str)>, RecordError> {
    loop {
        let place = cursor.place();
        let Some(line) = cursor.line() else { return Ok(None) };
        let trimmed = line.trim();
        if let Some(remark) = trimmed.strip_prefix('#') {
            if let Some(game) = remark.trim_start().strip_prefix("rules:") {
                *rules =
                    game.parse().map_err(|error| cursor.error(place, Problem::Rules(error)))?;
            }
        } else if !trimmed.is_empty() {
            return Ok(Some((place, line)));
        }
    }
}

pub(super) fn write(
    out: &mut String,
    record: &GameRecord,
    last_rules: Option<Rules>,
) -> Result<(), String> {
    super::no_setup(record)?;
    if record.tree.is_empty() {
        return Err("a game without a stone would be an empty line".to_owned());
    }
    write_rules(out, record, last_rules.unwrap_or(Rules::CONNECT6));
    out.push_str(&notation::names(&record.rules, &record.moves()));
    out.push('\n');
    Ok(())
}

/// Names the rules where the reader would assume others.
pub(super) fn write_rules(out: &mut String, record: &GameRecord, assumed: Rules) {
    if record.rules != assumed {
        let _ = writeln!(out, "# rules: {}", record.rules);
    }
}
