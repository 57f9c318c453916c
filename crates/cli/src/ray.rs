//! `--ray ADDRESS`: a run on many machines. The cluster is Ray's business, and Ray speaks Python:
//! the description of the run goes to the package as JSON, and the package plays shards of it on the
//! cluster into the file of results.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use collinear_arena::RunSpec;
use serde::Deserialize;

use crate::carrier::Carrier;
use crate::failure::Failed;

/// Where and how a run is played.
pub(crate) struct Cluster<'a> {
    pub(crate) address: &'a str,
    pub(crate) results: &'a Path,
    pub(crate) fresh: bool,
    pub(crate) quiet: bool,
}

/// What the package says when it is done.
#[derive(Deserialize)]
struct ClusterAnswer {
    build: String,
}

/// Plays the run; says which build did.
pub(crate) fn play(spec: &RunSpec, cluster: &Cluster<'_>, carrier: &Carrier) -> Result<String> {
    let Cluster { address, results, fresh, quiet } = *cluster;
    let mut package = Command::new(&carrier.python)
        .args(["-m", "collinear.cluster", "--address", address, "--db"])
        .arg(results)
        .args(fresh.then_some("--fresh"))
        .args(quiet.then_some("--quiet"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| {
            format!(
                "--ray needs Python with `pip install collinear-games[cluster]`: {} does not start",
                carrier.python.display()
            )
        })?;
    if let Some(mut stdin) = package.stdin.take() {
        // One that ended before it read says why on its own.
        let _ = stdin.write_all(serde_json::to_string(spec)?.as_bytes());
    }
    let said = package.wait_with_output()?;
    if !said.status.success() {
        let message = format!("--ray {address}: the run on the cluster ended with {}", said.status);
        return Err(Failed(message).into());
    }
    let played: ClusterAnswer = serde_json::from_slice(&said.stdout)
        .context("--ray: the package did not say which build played: install the same version")?;
    Ok(played.build)
}
