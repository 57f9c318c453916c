//! What an experiment found: text, tables and pictures, ready to be shown anywhere.

use serde::Serialize;

use super::Experiment;
use crate::report::csv;

/// What an experiment found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// The experiment's name.
    pub name: String,
    /// A headline.
    pub title: String,
    /// What was asked.
    pub question: String,
    /// Where the question comes from.
    pub source: Option<String>,
    /// In the order they are read.
    pub sections: Vec<Section>,
    /// The data behind it all, for other programs: the first row names the columns.
    pub data: Vec<Vec<String>>,
    /// The command that plays it all again.
    pub command: String,
}

/// A part of a report.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Section {
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Table),
    /// A picture.
    Plot(Plot),
}

/// A table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    /// The sentence above it.
    pub caption: String,
    /// Names of the columns.
    pub header: Vec<String>,
    /// Rows of as many entries.
    pub rows: Vec<Vec<TableEntry>>,
}

/// An entry of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableEntry {
    /// What it says.
    pub text: String,
    /// A smaller line below: the printed value, the error.
    pub note: Option<String>,
    /// Whether it stands out.
    pub mark: EntryMark,
}

/// How an entry stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryMark {
    /// Like any other.
    #[default]
    None,
    /// Names a row.
    Head,
    /// Beyond what chance explains.
    Off,
}

/// A picture.
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    /// The file name without ending.
    pub name: String,
    /// The sentence below it.
    pub caption: String,
    /// The picture.
    #[serde(skip)]
    pub svg: String,
}

impl TableEntry {
    /// Plain text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The name of a row.
    pub fn head(text: impl Into<String>) -> Self {
        Self { text: text.into(), note: None, mark: EntryMark::Head }
    }

    /// With a smaller line below.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Standing out.
    #[must_use]
    pub const fn marked(mut self, mark: EntryMark) -> Self {
        self.mark = mark;
        self
    }
}

impl Findings {
    /// What `experiment` found.
    pub fn new(experiment: &Experiment, sections: Vec<Section>, data: Vec<Vec<String>>) -> Self {
        Self {
            name: experiment.name.clone(),
            title: experiment.title.clone(),
            question: experiment.question.clone(),
            source: experiment.source.clone(),
            sections,
            data,
            command: format!("collinear experiment run {}", experiment.name),
        }
    }

    /// The data as comma-separated values.
    pub fn csv(&self) -> String {
        csv(&self.data)
    }

    /// The pictures.
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.sections.iter().filter_map(|section| match section {
            Section::Plot(plot) => Some(plot),
            _ => None,
        })
    }
}
