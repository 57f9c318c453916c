//! A place in a text that knows its line and column.

use super::Format;
use super::error::{self, Problem, RecordError};

/// Walks over a text, sign by sign.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    place: Place,
    format: Format,
}

/// Line and column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a str, format: Format) -> Self {
        Self { text, at: 0, place: Place { line: 1, column: 1 }, format }
    }

    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// What is still to read.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.at += sign.len_utf8();
        if sign == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(sign)
    }

    /// Takes the sign if it is this one.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.bump();
        }
        there
    }

    pub(crate) fn expect(&mut self, wanted: char) -> Result<(), RecordError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.unexpected(&format!("{wanted:?}"))) }
    }

    pub(crate) fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&keep) {
            self.bump();
        }
        &self.text[start..self.at]
    }

    pub(crate) fn skip_blank(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The rest of this line without its end; the cursor then stands on the next line.
    pub(crate) fn line(&mut self) -> Option<&'a str> {
        self.peek()?;
        let rest = self.rest();
        let (line, step) = match rest.find('\n') {
            Some(end) => (&rest[..end], end + 1),
            None => (rest, rest.len()),
        };
        self.at += step;
        self.place = Place { line: self.place.line + 1, column: 1 };
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// An error that quotes the word at the cursor.
    pub(crate) fn unexpected(&self, expected: &str) -> RecordError {
        let rest = self.rest();
        let word = rest.char_indices().find(|(at, c)| *at > 0 && c.is_whitespace());
        self.unexpected_at(self.place, word.map_or(rest, |(end, _)| &rest[..end]), expected)
    }

    pub(crate) fn unexpected_at(&self, place: Place, found: &str, expected: &str) -> RecordError {
        let problem =
            Problem::Unexpected { found: error::found(found), expected: expected.to_owned() };
        self.error(place, problem)
    }

    pub(crate) const fn error(&self, place: Place, problem: Problem) -> RecordError {
        RecordError { format: self.format, line: place.line, column: place.column, problem }
    }
}

/// The words of a line at blanks and commas, each with its column.
pub(crate) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_gap = |c: char| c.is_whitespace() || c == ',';
    let mut rest = line;
    let mut column = 1;
    std::iter::from_fn(move || {
        let start = rest.find(|c| !is_gap(c))?;
        column += rest[..start].chars().count();
        rest = &rest[start..];
        let end = rest.find(is_gap).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let at = column;
        column += word.chars().count();
        rest = after;
        Some((at, word))
    })
}
