//! Values of small games with their certificates. `collinear.proof` checks certificates in Python.

use std::time::{Duration, Instant};

use collinear_agents::{ZoneLimits, ZoneSearch};
use collinear_play::{Budget, StopFlag};
use collinear_prove::{Certificate, Limits, ProveError, Prover};
use collinear_rules::Position;
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
    /// Stones until the row is complete, where `distance=True` asked for it and somebody wins.
    stones: Option<u32>,
}

#[pymethods]
impl Proof {
    #[new]
    #[pyo3(signature = (value, certificate, nodes, stones=None))]
    fn new(
        value: Option<String>,
        certificate: Option<Vec<u8>>,
        nodes: u64,
        stones: Option<u32>,
    ) -> Self {
        Self { value, certificate, nodes, stones }
    }

    fn __repr__(&self) -> String {
        let value =
            self.value.as_ref().map_or_else(|| "None".to_owned(), |value| format!("'{value}'"));
        let stones = self.stones.map_or_else(String::new, |stones| format!(", stones={stones}"));
        format!("Proof(value={value}, nodes={}{stones})", self.nodes)
    }
}

/// Proves who wins a position of at most 64 cells with perfect play, within a limit of time or
/// nodes. `memory` bounds the table, in MiB. Ctrl-C stops the search. With `distance` a win is followed by
/// the search for its length in stones, the winner hurrying and the loser delaying.
///
/// On larger boards without gravity wins are looked for by relevance zones, with at most `quiet` turns after each
/// other that force nothing at once; where none is found the value is `None`.
///
/// >>> import collinear as cl
/// >>> from collinear import proof
/// >>> found = cl.prove(cl.Board("4x4,k=3,p=2,q=1"))
/// >>> found.value, proof.check(found.certificate)[:2]
/// ('black', ('4x4,k=3,p=2,q=1', 'black'))
/// >>> cl.prove(cl.Board("4x3,k=3"), distance=True).stones
/// 7
#[pyfunction]
#[pyo3(signature = (board, limit=None, *, threads=1, memory=256, distance=false, quiet=2))]
pub(crate) fn prove(
    py: Python<'_>,
    board: &Bound<'_, Board>,
    limit: Option<&Bound<'_, Limit>>,
    threads: usize,
    memory: usize,
    distance: bool,
    quiet: u16,
) -> PyResult<Proof> {
    let (time, nodes) = limit.map_or((None, None), |limit| limit.get().time_and_nodes());
    let position = board.borrow().position.clone();
    if position.rules().cells() > MAX_SEARCHED {
        return by_zones(py, position, Budget { time, nodes, ..Budget::default() }, quiet);
    }
    let prover = Prover::new(&position, bytes(memory)?).map_err(value_error)?;
    let until = time.and_then(|time: Duration| Instant::now().checked_add(time));
    let stop = StopFlag::default();
    let flag = stop.clone();
    let (found, nodes) = interrupt::run(py, &stop, move || {
        let stopped = || flag.is_stopped() || until.is_some_and(|until| Instant::now() >= until);
        let limits = Limits { threads, nodes, stop: Some(&stopped), on: None };
        let found = prover.run(&limits).and_then(|certificate| {
            if !distance {
                return Ok(certificate);
            }
            match prover.with_distance(certificate.clone(), &limits) {
                // The value is known all the same.
                Err(ProveError::StoppedAt { .. }) => Ok(certificate),
                found => found,
            }
        });
        (found, prover.nodes())
    })?;
    match found {
        Ok(certificate) => Ok(proof_of(Some(&certificate), nodes)),
        Err(ProveError::Stopped { .. }) => Ok(proof_of(None, nodes)),
        Err(error) => Err(value_error(error)),
    }
}

/// Larger boards are not searched through.
const MAX_SEARCHED: usize = 64;
/// Nodes of each single search for a win by threats.
const PROOF_NODES: u64 = 1000;

fn proof_of(certificate: Option<&Certificate>, nodes: u64) -> Proof {
    Proof {
        value: certificate.map(|certificate| certificate.value.name().to_owned()),
        certificate: certificate.map(Certificate::to_bytes),
        nodes,
        stones: certificate.and_then(|certificate| certificate.stones),
    }
}

fn by_zones(py: Python<'_>, position: Position, budget: Budget, quiet: u16) -> PyResult<Proof> {
    let stop = StopFlag::default();
    let meter = Budget { stop: stop.clone(), ..budget }.start(1);
    let (found, nodes) = interrupt::run(py, &stop, move || {
        let mut search = ZoneSearch::new(position.rules());
        let limits = ZoneLimits { quiet, proof_nodes: PROOF_NODES, meter: &meter };
        (search.find(&position, limits, &|_, _| {}), search.nodes())
    })?;
    let found = found.map_err(value_error)?;
    Ok(proof_of(found.as_ref().map(|found| &found.win.certificate), nodes))
}
