//! `collinear prove --jobs NODES`: the same proof by jobs, on threads here or on a Ray cluster.
//!
//! Answers are appended to a file as they come, a line each. That file is all that a search keeps:
//! whoever was killed reads it and goes on.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};

use anyhow::{Context, Result};
use collinear_play::StopFlag;
use collinear_prove::{
    AnswerFile, Certificate, Limits, PROGRESS, ProveError, Upper, do_job, position_text,
};
use collinear_rules::Position;
use indicatif::ProgressBar;

use crate::carrier::Carrier;
use crate::failure::{Failed, Interrupted};
use crate::report;

/// How the jobs are done.
pub(super) struct Means<'a> {
    /// The file of answers; none when nothing is kept.
    pub(super) answers: Option<&'a Path>,
    /// Nodes per job.
    pub(super) job_nodes: u64,
    pub(super) memory: usize,
    pub(super) threads: usize,
    pub(super) stop: &'a StopFlag,
    pub(super) bar: &'a ProgressBar,
}

/// What the threads share.
struct Shared {
    upper: Upper,
    file: Option<AnswerFile>,
    failure: Option<anyhow::Error>,
    working: usize,
}

/// The file of answers beside a certificate.
pub(super) fn answers_file(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".answers");
    name.into()
}

/// Proves a position by jobs on threads; the certificate and the nodes of all jobs.
pub(super) fn run(position: &Position, means: &Means<'_>) -> Result<(Certificate, u64)> {
    let mut upper = Upper::new(position, means.memory, means.job_nodes)?;
    let file = means.answers.map(|path| resume(&mut upper, path)).transpose()?;
    let shared = Mutex::new(Shared { upper, file, failure: None, working: means.threads });
    let news = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..means.threads {
            scope.spawn(|| {
                if let Err(error) = work(&shared, &news, means) {
                    locked(&shared).failure.get_or_insert(error);
                }
                locked(&shared).working -= 1;
                news.notify_all();
            });
        }
        let mut state = locked(&shared);
        while state.working > 0 {
            means.bar.set_message(super::show(&state.upper.progress()));
            means.bar.tick();
            state = news.wait_timeout(state, PROGRESS).unwrap_or_else(PoisonError::into_inner).0;
        }
    });
    let Shared { upper, failure, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error);
    }
    let stopped = || means.stop.is_stopped();
    let limits = Limits { stop: Some(&stopped), ..Limits::default() };
    match upper.certificate(&limits) {
        Ok(certificate) => Ok((certificate, upper.nodes())),
        Err(ProveError::Stopped { .. }) => {
            report::note(super::show(&upper.progress()));
            Err(Interrupted.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// One thread: job after job, until the value is known.
fn work(shared: &Mutex<Shared>, news: &Condvar, means: &Means<'_>) -> Result<()> {
    // Each thread has a table of its own.
    let memory = means.memory / means.threads;
    loop {
        let job = {
            let mut state = locked(shared);
            loop {
                if means.stop.is_stopped() || state.failure.is_some() {
                    return Ok(());
                }
                if let Some(job) = state.upper.next_job() {
                    break job;
                }
                if state.upper.value().is_some() {
                    return Ok(());
                }
                // Everything that is worth doing is being done.
                state =
                    news.wait_timeout(state, PROGRESS).unwrap_or_else(PoisonError::into_inner).0;
            }
        };
        let stop = || means.stop.is_stopped();
        let answer = match do_job(&job, memory, &stop) {
            Ok(answer) => answer,
            Err(ProveError::Stopped { .. }) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let mut state = locked(shared);
        if state.upper.report(&answer)?
            && let Some(file) = &mut state.file
        {
            file.append(&answer)?;
        }
        news.notify_all();
    }
}

fn locked(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the file of answers, and says if a proof goes on.
fn resume(upper: &mut Upper, path: &Path) -> Result<AnswerFile> {
    let (file, taken) = AnswerFile::open(path, upper)?;
    if taken > 0 {
        report::note(format_args!("{}: going on after {taken} answers", path.display()));
    }
    Ok(file)
}

/// Has the Python package do the jobs on a Ray cluster and write the certificate; the nodes of all
/// jobs.
pub(super) fn on_ray(
    address: &str,
    position: &Position,
    out: &Path,
    means: &Means<'_>,
    carrier: &Carrier,
) -> Result<u64> {
    let said = Command::new(&carrier.python)
        .args(["-m", "collinear._proving", "--address", address])
        .args(["--position", &position_text(position), "--job-nodes", &means.job_nodes.to_string()])
        .args(["--memory", &(means.memory >> 20).to_string(), "--out"])
        .arg(out)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| {
            format!(
                "--ray needs Python with `pip install collinear-games[cluster]`: {} does not start",
                carrier.python.display()
            )
        })?;
    if means.stop.is_stopped() {
        return Err(Interrupted.into());
    }
    if !said.status.success() {
        let message =
            format!("--ray {address}: the proof on the cluster ended with {}", said.status);
        return Err(Failed(message).into());
    }
    let nodes = String::from_utf8_lossy(&said.stdout).trim().parse();
    nodes.context("--ray: the package did not say how many nodes it took: install the same version")
}
