//! `collinear._native`: what the Python package `collinear` is made of.
//!
//! Everything here is a thin skin over the libraries: arguments become typed values, errors become
//! Python exceptions with our words, and whatever takes long runs without the interpreter's lock.
//! The Python sources beside this crate (`python/collinear`) put names, environments and the
//! cluster on top.

#![forbid(unsafe_code)]

mod board;
mod drawing;
mod errors;
mod game;
mod legal;
mod planes;
mod vector;

use pyo3::prelude::*;

/// The native half of the package.
#[pymodule]
#[pyo3(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::board::Outcome;
    #[pymodule_export]
    use crate::errors::{AgentError, IllegalMove, RunError, SpecError};
    #[pymodule_export]
    use crate::legal::{LegalMoves, LegalMovesIterator};
    #[pymodule_export]
    use crate::vector::VectorEnv;
}
