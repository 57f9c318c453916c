//! Values of small games with their certificates. `collinear.proof` checks certificates in Python.

use std::time::{Duration, Instant};

use collinear_play::StopFlag;
use collinear_prove::{Limits, ProveError, Prover};
use pyo3::prelude::*;

use crate::agent::Limit;
use crate::board::Board;
use crate::errors::value_error;
use crate::interrupt;
use crate::proof_jobs::bytes;

/// Who wins a position with perfect play, and why.
#[pyclass(module = "collinear", frozen, get_all)]
pub(crate) struct Proof {
    /// `black`, `white` or `draw`; `None` when the limit came first.
    value: Option<String>,
    /// The bytes of a file that `collinear prove --check` and `collinear.proof.check` read.
    certificate: Option<Vec<u8>>,
    /// Positions searched.
    nodes: u64,
}

#[pymethods]
impl Proof {
    #[new]
    fn new(value: Option<String>, certificate: Option<Vec<u8>>, nodes: u64) -> Self {
        Self { value, certificate, nodes }
    }

    fn __repr__(&self) -> String {
        let value =
            self.value.as_ref().map_or_else(|| "None".to_owned(), |value| format!("'{value}'"));
        format!("Proof(value={value}, nodes={})", self.nodes)
    }
}

/// Proves who wins a position of at most 64 cells with perfect play, within a limit of time or
/// nodes. `memory` bounds the table, in MiB. Ctrl-C stops the search.
///
/// >>> import collinear as cl
/// >>> from collinear import proof
/// >>> found = cl.prove(cl.Board("4x4,k=3,p=2,q=1"))
/// >>> found.value, proof.check(found.certificate)[:2]
/// ('black', ('4x4,k=3,p=2,q=1', 'black'))
#[pyfunction]
#[pyo3(signature = (board, limit=None, *, threads=1, memory=256))]
pub(crate) fn prove(
    py: Python<'_>,
    board: &Bound<'_, Board>,
    limit: Option<&Bound<'_, Limit>>,
    threads: usize,
    memory: usize,
) -> PyResult<Proof> {
    let prover = Prover::new(&board.borrow().position, bytes(memory)?).map_err(value_error)?;
    let (time, nodes) = limit.map_or((None, None), |limit| limit.get().time_and_nodes());
    let until = time.and_then(|time: Duration| Instant::now().checked_add(time));
    let stop = StopFlag::default();
    let flag = stop.clone();
    let (found, nodes) = interrupt::run(py, &stop, move || {
        let stopped = || flag.is_stopped() || until.is_some_and(|until| Instant::now() >= until);
        let limits = Limits { threads, nodes, stop: Some(&stopped), on: None };
        (prover.run(&limits), prover.nodes())
    })?;
    match found {
        Ok(certificate) => Ok(Proof {
            value: Some(certificate.value.name().to_owned()),
            certificate: Some(certificate.to_bytes()),
            nodes,
        }),
        Err(ProveError::Stopped { .. }) => Ok(Proof { value: None, certificate: None, nodes }),
        Err(error) => Err(value_error(error)),
    }
}
