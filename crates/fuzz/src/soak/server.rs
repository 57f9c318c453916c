//! The server under test: a process of its own, killed without warning and started again on its games.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long it may take to say where it is.
const START: Duration = Duration::from_secs(60);

pub(crate) struct Program {
    path: PathBuf,
    folder: PathBuf,
    /// `http://127.0.0.1:PORT/…`, the same after every start.
    url: String,
    child: Child,
}

impl Program {
    /// Starts it on a free port.
    pub(crate) async fn start(program: &Path, folder: &Path) -> Result<Self> {
        let (child, url) = serve(program, folder, "0").await?;
        Ok(Self { path: program.to_owned(), folder: folder.to_owned(), url, child })
    }

    /// Kills it and starts it again in the same place.
    pub(crate) async fn restart(&mut self) -> Result<()> {
        self.child.kill().await?;
        let port = authority(&self.url).rsplit(':').next().unwrap_or_default().to_owned();
        let (child, url) = serve(&self.path, &self.folder, &port).await?;
        if authority(&url) != authority(&self.url) {
            bail!("the server is at {url} now, not at {}", self.url);
        }
        self.child = child;
        Ok(())
    }

    /// Where pages connect to.
    pub(crate) fn address(&self) -> Address {
        let query =
            self.url.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        Address { authority: authority(&self.url).to_owned(), query }
    }

    /// What it holds of the machine's memory, where the system tells.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
    }
}

/// Host and port of the server, and the token of its address where it wants one.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) authority: String,
    pub(crate) query: String,
}

fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or_default()
}

async fn serve(program: &Path, folder: &Path, port: &str) -> Result<(Child, String)> {
    let mut child = Command::new(program)
        .args(["serve", "--no-open", "--port", port, "--data"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("{} does not start", program.display()))?;
    let stdout = child.stdout.take().context("no output")?;
    let mut lines = BufReader::new(stdout).lines();
    let url = tokio::time::timeout(START, async {
        while let Some(line) = lines.next_line().await? {
            let word = line.split_whitespace().find(|word| word.starts_with("http://"));
            if let Some(url) = word {
                return Ok(url.to_owned());
            }
        }
        bail!("the server ended before it said where it is")
    })
    .await
    .context("the server did not say where it is")??;
    // Whatever it has to say from now on must not fill the pipe.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((child, url))
}
