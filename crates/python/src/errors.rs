//! The package's exceptions. Each says in our words what was wrong and what to do.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

create_exception!(collinear, IllegalMove, PyValueError, "A stone or a turn the rules refuse.");
create_exception!(
    collinear,
    SpecError,
    PyValueError,
    "A text that names no agent, or an agent that does not play this game."
);
create_exception!(collinear, AgentError, PyRuntimeError, "An agent or an engine that failed.");
create_exception!(
    collinear,
    RunError,
    PyRuntimeError,
    "A match or a tournament that cannot go on: results that cannot be kept, a broken plan."
);

/// Anything a caller put in wrongly that has no exception of its own.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A refused stone or turn.
pub(crate) fn illegal(error: impl Display) -> PyErr {
    IllegalMove::new_err(error.to_string())
}
