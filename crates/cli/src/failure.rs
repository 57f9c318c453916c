//! How the program ends when it does not end well: one prefix for every error, and an exit code
//! that says whose turn it is.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | a failure at run time: a full disk, a damaged file of results, a check that failed |
//! | 2 | wrong use: arguments, names or the content of a file; clap uses the same |
//! | 130 | interrupted by Ctrl-C; what was finished is kept |
//! | 143, 129 | the same by a polite kill (SIGTERM), by a terminal that was closed (SIGHUP) |

use std::io;
use std::process::ExitCode;

use anyhow::Error;
use collinear_arena::RunError;
use collinear_arena::StoreError;
use collinear_arena::report::ReportError;
use collinear_connect4::resumable;
use collinear_documents::studies::StudyError;
use collinear_play::{AgentError, InputFileError};
use collinear_prove::ProveError;
use collinear_web::{FolderError, ServeError};
use thiserror::Error as ThisError;

use crate::report;
use crate::signals::{self, Signal};

/// The command worked as it should, and what it was to show does not hold.
#[derive(Debug, ThisError)]
#[error("{0}")]
pub(crate) struct Failed(pub(crate) String);

/// The person ended the command; what there was to say has been said.
#[derive(Debug, ThisError)]
#[error("interrupted")]
pub(crate) struct Interrupted;

const RUN_TIME: u8 = 1;
const WRONG_USE: u8 = 2;

/// Tells of an error and gives the exit code for it.
pub(crate) fn tell(error: &Error) -> ExitCode {
    if !error.is::<Interrupted>() {
        report::note(format_args!("error: {error:#}"));
    }
    ExitCode::from(code(error))
}

fn code(error: &Error) -> u8 {
    if error.is::<Interrupted>() {
        return signals::received().unwrap_or(Signal::INTERRUPT).exit_code();
    }
    let at_run_time = error.chain().any(|cause| {
        cause.is::<Failed>()
            || cause.is::<ReportError>()
            || cause.downcast_ref::<ServeError>().is_some_and(|error| match error {
                ServeError::Folder(FolderError::Io(_, error)) => is_run_time_io(error),
                _ => true,
            })
            || cause.is::<AgentError>()
            || cause.downcast_ref::<io::Error>().is_some_and(is_run_time_io)
            || cause.downcast_ref::<InputFileError>().is_some_and(|error| match error {
                InputFileError::Io { error, .. } => is_run_time_io(error),
                _ => false,
            })
            || cause.downcast_ref::<StudyError>().is_some_and(|error| match error {
                StudyError::Store(error) => is_run_time_store(error),
                StudyError::Run(error) => is_run_time_run(error),
                StudyError::Agent(_) | StudyError::Turn(_) | StudyError::Workers(_) => true,
                _ => false,
            })
            || cause.downcast_ref::<resumable::RunError>().is_some_and(|error| match error {
                resumable::RunError::Io { error, .. } => is_run_time_io(error),
                _ => false,
            })
            || matches!(
                cause.downcast_ref(),
                Some(
                    ProveError::Stopped { .. }
                        | ProveError::StoppedAt { .. }
                        | ProveError::DamagedState
                        | ProveError::Memory { .. }
                )
            )
            || cause.downcast_ref::<StoreError>().is_some_and(is_run_time_store)
            || cause.downcast_ref::<RunError>().is_some_and(is_run_time_run)
    });
    if at_run_time { RUN_TIME } else { WRONG_USE }
}

/// A file that is not there, or in the place of a folder, was named wrongly; anything else is the system's.
fn is_run_time_io(error: &io::Error) -> bool {
    use io::ErrorKind::{
        AlreadyExists, InvalidData, InvalidInput, IsADirectory, NotADirectory, NotFound,
    };
    !matches!(
        error.kind(),
        NotFound | AlreadyExists | IsADirectory | NotADirectory | InvalidInput | InvalidData
    )
}

fn is_run_time_run(error: &RunError) -> bool {
    match error {
        RunError::Store(error) => is_run_time_store(error),
        RunError::Workers(_) => true,
        _ => false,
    }
}

/// A file of results that was named wrongly is not a failure of the system.
fn is_run_time_store(error: &StoreError) -> bool {
    use StoreError::{Conflict, Foreign, Missing, Version};
    !matches!(error, Missing { .. } | Foreign { .. } | Version { .. } | Conflict { .. })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use anyhow::Context;

    use super::*;

    #[test]
    fn codes_tell_wrong_use_from_failures() {
        let io = |kind: io::ErrorKind| Error::from(io::Error::from(kind)).context("in a file");
        assert_eq!(code(&io(io::ErrorKind::NotFound)), 2);
        assert_eq!(code(&io(io::ErrorKind::StorageFull)), 1);
        let path = PathBuf::from("x");
        let full = Err::<(), _>(StoreError::DiskFull { path: path.clone() }).context("here");
        assert_eq!(code(&full.expect_err("full")), 1);
        assert_eq!(code(&RunError::from(StoreError::Missing { path }).into()), 2);
        assert_eq!(code(&Failed("3 of 5 checks failed".to_owned()).into()), 1);
        assert_eq!(code(&Interrupted.into()), 130);
        assert_eq!(code(&anyhow::anyhow!("there is no run")), 2);
    }
}
