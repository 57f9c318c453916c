//! `collinear._native`: what the Python package `collinear` is made of.
//!
//! Everything here is a thin skin over the libraries: arguments become typed values, errors become
//! Python exceptions with our words, and whatever takes long runs without the interpreter's lock.
//! The Python sources beside this crate (`python/collinear`) put names, environments and the
//! cluster on top.

#![forbid(unsafe_code)]
// Arguments that come from Python are converted, and come by value; doc comments are Python's too.
#![allow(clippy::needless_pass_by_value, clippy::doc_link_with_quotes)]

mod agent;
mod board;
mod drawing;
mod errors;
mod game;
mod interrupt;
mod knowledge;
mod legal;
mod matches;
mod page;
mod planes;
mod players;
mod proof_jobs;
mod proofs;
mod records;
mod vector;

use pyo3::prelude::*;

/// The native half of the package.
#[pymodule]
#[pyo3(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::agent::{Agent, Limit, Line, Play};
    #[pymodule_export]
    use crate::board::{Board, Outcome};
    #[pymodule_export]
    use crate::errors::{AgentError, IllegalMove, RunError, SpecError};
    #[pymodule_export]
    use crate::knowledge::{LineShape, Solution, Threats, shape, solve, threats};
    #[pymodule_export]
    use crate::legal::LegalMoves;
    #[pymodule_export]
    use crate::matches::{PythonRun, PythonRunSpec, build_name, command, merge};
    #[pymodule_export]
    use crate::page::serve;
    #[pymodule_export]
    use crate::players::Row;
    #[pymodule_export]
    use crate::proof_jobs::{UpperTree, do_proof_job, proof_board};
    #[pymodule_export]
    use crate::proofs::{Proof, prove};
    #[pymodule_export]
    use crate::records::{Record, read_games};
    #[pymodule_export]
    use crate::vector::VectorEnv;
}
