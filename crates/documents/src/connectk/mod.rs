//! Document 000, *Analysis of Computational Agents for Connect-k Games*: its agents, and the threat
//! counters of the literature that it compares.

pub(crate) mod adjacent;
mod counters;
pub(crate) mod generalised;
pub(crate) mod mesh;
pub(crate) mod montecarlo;
pub(crate) mod sequences;
mod survey;
pub(crate) mod tactics;
pub(crate) mod threats;
pub(crate) mod windows;

pub use counters::{Marking, Marks, count_marking, mark_all, wu_huang};
pub use generalised::{
    Generalised, GeneralisedOptions, Priority, Reading, generalised, generalised_line,
};
pub use survey::{Errors, Survey, SurveyRow};
