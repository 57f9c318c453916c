//! The experiments inside the binary, and the code of those that are more than matches.
//!
//! A new experiment is a file in `experiments/` and a line in [`FILES`]; one with `study = "name"`
//! also has a line in [`STUDIES`]. What a file may say: `collinear_arena::experiment`.

use std::sync::Arc;

use anyhow::Result;
use collinear_arena::experiment::{Experiment, Findings};
use collinear_arena::store::Store;
use collinear_play::{Registry, StopFlag};

use crate::commands::threat_counters;
use crate::studies::feval_regression;

/// A file of `experiments/` with its name.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../experiments/", $name, ".toml")))
    };
}

/// Name and text of every experiment, in the order they are listed.
pub(crate) const FILES: &[(&str, &str)] = &[
    file!("connect-k-agents"),
    file!("feval-regression"),
    file!("first-move-random"),
    file!("first-move-sequences"),
    file!("karplus-1"),
    file!("karplus-2"),
    file!("karplus-3"),
    file!("karplus-4"),
    file!("karplus-5"),
    file!("karplus-6a"),
    file!("karplus-6b"),
    file!("karplus-7"),
    file!("karplus-real"),
    file!("karplus-time"),
    file!("kate-depth"),
    file!("kate-time"),
    file!("strength-by-time"),
    file!("threat-counters"),
];

/// Code by the name that `study` gives.
pub(crate) const STUDIES: &[(&str, Study)] =
    &[("feval-regression", feval_regression::run), ("threat-counters", threat_counters::study)];

/// The code of an experiment that is more than matches.
pub(crate) type Study = fn(&Context<'_>) -> Result<Findings>;

/// What a study has to work with.
pub(crate) struct Context<'a> {
    /// The experiment it belongs to.
    pub(crate) experiment: &'a Experiment,
    /// What its file says under `[parameters]`.
    pub(crate) parameters: &'a toml::Table,
    /// The agents there are.
    pub(crate) registry: &'a Registry,
    /// Where games are kept: play them through `CellRunner` or `runner::run` and they resume.
    pub(crate) store: &'a Arc<Store>,
    /// The program that plays.
    pub(crate) build: &'a str,
    /// Games a cell, or of each kind, instead of what the file says.
    pub(crate) games: Option<u64>,
    /// Whether missing games are played; otherwise those that are kept must do.
    pub(crate) play: bool,
    /// Games at the same time.
    pub(crate) workers: usize,
    /// Set by Ctrl-C.
    pub(crate) stop: &'a StopFlag,
    /// Shows a line of progress, unless the user wants none.
    pub(crate) say: &'a (dyn Fn(&str) + Sync),
}
