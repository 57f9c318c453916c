//! Experiments that are more than matches: boards measured, threat counters compared, the printed
//! tables of line types, constants by regression.
//!
//! A file of `experiments/` with `study = "name"` is answered by code: [`STUDIES`] is the table of
//! names. Each study gets a [`Context`] and returns findings, which the arena turns into a report.
//! It tells of its progress through a callback, and it stops when a flag says so.
//!
//! ```
//! use collinear_documents::studies::STUDIES;
//!
//! let names: Vec<&str> = STUDIES.iter().map(|(name, _)| *name).collect();
//! assert_eq!(names, ["boards", "feval-regression", "table-base", "threat-counters"]);
//! ```

mod boards;
mod error;
mod feval_regression;
pub mod table_base;
pub mod threat_counters;

use std::sync::Arc;

use collinear_arena::Store;
use collinear_arena::experiment::{Experiment, Findings};
use collinear_play::{Registry, StopFlag};

pub use error::StudyError;

/// Code by the name that `study` gives.
pub const STUDIES: &[(&str, Study)] = &[
    ("boards", boards::study),
    ("feval-regression", feval_regression::study),
    ("table-base", table_base::study),
    ("threat-counters", threat_counters::study),
];

/// The code of an experiment that is more than matches.
pub type Study = fn(&Context<'_>) -> Result<Findings, StudyError>;

/// What a study has to work with.
pub struct Context<'a> {
    /// The experiment it belongs to.
    pub experiment: &'a Experiment,
    /// What its file says under `[parameters]`.
    pub parameters: &'a toml::Table,
    /// The agents there are.
    pub registry: &'a Registry,
    /// Where games are kept: play them through `PairingRunner` or `runner::run` and they resume.
    pub store: &'a Arc<Store>,
    /// The program that plays.
    pub build: &'a str,
    /// Games per cell, or of each kind, instead of what the file says.
    pub games: Option<u64>,
    /// Whether missing games are played; otherwise those that are kept must do.
    pub play: bool,
    /// Games at the same time.
    pub workers: usize,
    /// Set to stop: the study then ends with [`StudyError::Stopped`].
    pub stop: &'a StopFlag,
    /// Hears one line of progress at a time.
    pub say: &'a (dyn Fn(&str) + Sync),
}

impl Context<'_> {
    /// An error of the experiment's file.
    fn wrong(&self, reason: &dyn std::fmt::Display) -> StudyError {
        StudyError::Parameters {
            experiment: self.experiment.name.clone(),
            reason: reason.to_string(),
        }
    }
}
