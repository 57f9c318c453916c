//! Reading TOML files that people write: every complaint names the file and the line.

use std::ops::Range;

use collinear_play::TimeControl;
use collinear_rules::Rules;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;
use toml::de::DeTable;

use crate::opening::Openings;
use crate::plan::Plan;

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}, line {line}: {message}")]
pub struct FileError {
    /// The file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A file's name and text, to place complaints in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Reads the whole file into its form.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        toml::from_str(self.text).map_err(|error| {
            // Some messages go over several lines; the first says it all.
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            self.error(&error.span().unwrap_or(0..0), message)
        })
    }

    /// A game.
    pub(crate) fn rules(&self, name: &str, place: &Range<usize>) -> Result<Rules, FileError> {
        name.parse().map_err(|error| self.error(place, format!("game: {error}")))
    }

    /// What everybody may spend who has no limits of its own.
    pub(crate) fn limits(&self, text: Option<&Spanned<String>>) -> Result<TimeControl, FileError> {
        text.map_or(Ok(TimeControl::default()), |text| {
            let limits = text.get_ref().parse();
            limits.map_err(|error| self.error(&text.span(), format!("limits: {error}")))
        })
    }

    /// Where games start.
    pub(crate) fn openings(
        &self,
        rules: &Rules,
        text: Option<&Spanned<String>>,
    ) -> Result<Openings, FileError> {
        let Some(text) = text else { return Ok(Openings::Empty) };
        let wrong = |message| self.error(&text.span(), format!("openings: {message}"));
        match Openings::from_word(rules, text.get_ref()) {
            Ok(Some(openings)) => Ok(openings),
            Ok(None) => Err(wrong(format!("known are {}", Openings::WORDS))),
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    /// Where the value of a key stands, or one element of its list; the whole file where there is
    /// no such thing.
    pub(crate) fn span(&self, key: &str, element: Option<usize>) -> Range<usize> {
        let Ok(table) = DeTable::parse(self.text) else { return 0..0 };
        let Some(value) = table.get_ref().get(key) else { return 0..0 };
        let inner = element.and_then(|at| value.get_ref().as_array()?.get(at));
        inner.unwrap_or(value).span()
    }

    /// A number of games.
    pub(crate) fn games(&self, games: &Spanned<u64>) -> Result<u64, FileError> {
        let most = Plan::MAX_GAMES;
        if !(1..=most).contains(games.get_ref()) {
            return Err(self.error(&games.span(), format!("games must be 1 to {most}")));
        }
        Ok(*games.get_ref())
    }

    /// A complaint about a place.
    pub(crate) fn error(&self, place: &Range<usize>, message: impl Into<String>) -> FileError {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        FileError { file: self.file.to_owned(), line, message: message.into() }
    }
}
