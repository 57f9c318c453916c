//! Proofs by jobs: the upper part of a proof for the driver, the jobs for the workers. Jobs and
//! answers are lines of text; `collinear.cluster.prove` carries them over a Ray cluster.

use std::path::PathBuf;

use collinear_prove::{Answer, AnswerError, AnswerFile, Job, Limits, Progress, Upper, do_job};
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors::value_error;

/// The upper part of a proof, whose edge is handed out as jobs.
#[pyclass(module = "collinear._native")]
pub(crate) struct UpperTree {
    upper: Upper,
    /// Where the answers are kept.
    answers: AnswerFile,
}

#[pymethods]
impl UpperTree {
    /// The proof of a position by jobs of at most this many nodes, which goes on after the answers of
    /// a file; `memory` in MiB is for the certificate.
    #[new]
    fn new(
        board: &Bound<'_, Board>,
        answers: PathBuf,
        job_nodes: u64,
        memory: usize,
    ) -> PyResult<Self> {
        let position = &board.borrow().position;
        let mut upper = Upper::new(position, bytes(memory)?, job_nodes).map_err(value_error)?;
        let (answers, _) = AnswerFile::open(&answers, &mut upper).map_err(value_error)?;
        Ok(Self { upper, answers })
    }

    /// The value, once it is known.
    #[getter]
    fn value(&self) -> Option<&'static str> {
        self.upper.value().map(collinear_prove::Value::name)
    }

    /// Nodes that the jobs have spent.
    #[getter]
    fn nodes(&self) -> u64 {
        self.upper.nodes()
    }

    /// Answers taken.
    #[getter]
    fn jobs(&self) -> u64 {
        self.upper.answers()
    }

    /// Per question: who attacks, whether the form is the weak one, proof and disproof number.
    fn progress(&self) -> Vec<(&'static str, bool, u32, u32)> {
        let Progress { questions, .. } = self.upper.progress();
        questions.iter().map(|q| (q.attacker.name(), q.weak, q.proof, q.disproof)).collect()
    }

    /// The job that is most worth doing; none when the value is known or all jobs are out.
    fn next_job(&mut self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.upper.next_job()).map(|job| job.to_string())
    }

    /// A job was lost: somebody else may do it.
    fn give_back(&mut self, job: &str) -> PyResult<()> {
        self.upper.give_back(&job.parse::<Job>().map_err(value_error)?);
        Ok(())
    }

    /// Checks an answer, takes it over and keeps it; whether it was new.
    fn report(&mut self, py: Python<'_>, answer: &str) -> PyResult<bool> {
        let answer: Answer = answer.parse().map_err(value_error)?;
        let taken = py.detach(|| self.upper.report(&answer));
        let is_new = taken.map_err(|error: AnswerError| value_error(error))?;
        if is_new {
            self.answers.append(&answer).map_err(value_error)?;
        }
        Ok(is_new)
    }

    /// The bytes of the certificate, once the value is known.
    fn certificate(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let written = py.detach(|| self.upper.certificate(&Limits::default()));
        written.map(|certificate| certificate.to_bytes()).map_err(value_error)
    }
}

/// Does a job with a table of this many MiB; the answer as a line.
#[pyfunction]
pub(crate) fn do_proof_job(py: Python<'_>, job: &str, memory: usize) -> PyResult<String> {
    let job: Job = job.parse().map_err(value_error)?;
    let bytes = bytes(memory)?;
    let answer = py.detach(|| do_job(&job, bytes, &|| false)).map_err(value_error)?;
    Ok(answer.to_string())
}

/// The board of a line such as `5x5,k=4;c3;d4 a1;white 1`.
#[pyfunction]
pub(crate) fn proof_board(text: &str) -> PyResult<Board> {
    let position = collinear_prove::parse_position(text)
        .ok_or_else(|| value_error(format!("{text:?} is not a position")))?;
    Ok(Board { position })
}

/// MiB as bytes.
pub(crate) fn bytes(memory: usize) -> PyResult<usize> {
    let bytes = memory.checked_mul(1 << 20).filter(|&bytes| bytes > 0);
    bytes.ok_or_else(|| value_error(format!("memory={memory} is not a number of MiB")))
}
