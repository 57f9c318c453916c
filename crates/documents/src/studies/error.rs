//! Why a study has no findings.

use collinear_arena::FileError;
use collinear_arena::RunError;
use collinear_arena::StoreError;
use collinear_play::{AgentError, BuildError, IllegalTurn};
use thiserror::Error;

/// What can go wrong in a study.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The experiment's file asks for something impossible.
    #[error("{experiment}: [parameters]: {reason}")]
    Parameters {
        /// The experiment.
        experiment: String,
        /// What is wrong.
        reason: String,
    },
    /// An experiment that the study made up does not fit.
    #[error(transparent)]
    File(#[from] FileError),
    /// An agent cannot be made.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// An agent has no turn.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// An agent's turn is illegal.
    #[error(transparent)]
    Turn(#[from] IllegalTurn),
    /// Games cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Results cannot be kept or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No threads.
    #[error("no worker could be started: {0}")]
    Workers(String),
    /// Somebody stopped it; what is finished is kept.
    #[error("stopped{}", detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Stopped {
        /// How far it came.
        detail: Option<String>,
    },
}
