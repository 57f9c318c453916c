//! `cargo xtask fuzz --kills N`: every long command is ended at random moments, by a kill, by the signals
//! of a terminal and of an impatient system, and begun again with the same words. `--faults N`: a write, a
//! sync, a move of a file fails, or is the last thing that happens, at N points of every command in turn.
//!
//! What was there before must still be there, and in the end the files must be those of a run that
//! nobody disturbed: nothing is lost, nothing is there twice, and no draft is left over.

#![forbid(unsafe_code)]

mod faults;
mod jobs;
mod signals;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use jobs::{Found, JOBS, Job, Place};

/// Ends every long command at random moments and looks at what is left
#[derive(Parser)]
#[command(name = "cargo xtask fuzz")]
struct Arguments {
    /// Kills of all commands together
    #[arg(long, default_value_t = 100)]
    kills: usize,
    /// Instead of kills: points of each command at which a system call fails
    #[arg(long)]
    faults: Option<usize>,
    /// Only the commands whose names begin so
    #[arg(long, default_value = "")]
    target: String,
    /// Seed for the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program
    #[arg(long)]
    program: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let program = fs::canonicalize(&arguments.program).context("the program")?;
    let all = std::env::temp_dir().join(format!("collinear-kills-{}", std::process::id()));
    let jobs: Vec<&Job> =
        JOBS.iter().filter(|job| job.name.starts_with(&arguments.target)).collect();
    if jobs.is_empty() {
        let known: Vec<_> = JOBS.iter().map(|job| job.name).collect();
        bail!("no command begins with {:?}: {}", arguments.target, known.join(", "));
    }
    let mut total = Disturbed::default();
    println!(
        "{:<18} {:>8} {:>8} {:>12} {:>9}",
        "command", "ended", "finished", "slowest end", "failures"
    );
    for (number, job) in jobs.iter().enumerate() {
        let calm = Calm::of(job, &program, &all.join("calm"))?;
        let work = all.join("work");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed ^ number as u64);
        let done = if let Some(points) = arguments.faults {
            faults::disturb(&calm, &work, points)?
        } else {
            let share =
                arguments.kills * (number + 1) / jobs.len() - arguments.kills * number / jobs.len();
            signals::disturb(&calm, &work, share, &mut random)?
        };
        println!(
            "{:<18} {:>8} {:>8} {:>9.0} ms {:>9}",
            job.name,
            done.ended,
            done.finished,
            done.slowest.as_secs_f64() * 1000.0,
            done.failures.len()
        );
        for failure in &done.failures {
            println!("  {failure}");
        }
        total.add(done);
    }
    let _ = fs::remove_dir_all(&all);
    println!(
        "{} commands were ended {} times, {} finished in between: {} failures",
        jobs.len(),
        total.ended,
        total.finished,
        total.failures.len()
    );
    if total.failures.is_empty() { Ok(()) } else { bail!("{} failures", total.failures.len()) }
}

/// What came of disturbing a command.
#[derive(Default)]
struct Disturbed {
    /// How often it was ended before it had finished, or failed as it should.
    ended: usize,
    /// How often it came to its end, with the right files.
    finished: usize,
    /// The longest time from a signal to the end.
    slowest: Duration,
    failures: Vec<String>,
}

impl Disturbed {
    fn add(&mut self, other: Self) {
        self.ended += other.ended;
        self.finished += other.finished;
        self.slowest = self.slowest.max(other.slowest);
        self.failures.extend(other.failures);
    }
}

/// A command as it is when nobody disturbs it.
struct Calm<'a> {
    job: &'static Job,
    program: &'a Path,
    /// What it reads, to be copied.
    inputs: PathBuf,
    /// How long it takes.
    time: Duration,
    found: Found,
    names: BTreeSet<String>,
}

impl<'a> Calm<'a> {
    fn of(job: &'static Job, program: &'a Path, folder: &Path) -> Result<Self> {
        let inputs = folder.with_extension("inputs");
        fresh(&inputs)?;
        job.prepare(&Place { program, folder: &inputs })?;
        copy(&inputs, folder)?;
        let place = Place { program, folder };
        let began = Instant::now();
        job.finish(&place)?;
        let time = began.elapsed();
        let found = job.found(&place)?;
        if found.iter().any(Option::is_none) {
            bail!("{}: does not leave what it should", job.name);
        }
        Ok(Self { job, program, inputs, time, found, names: names(folder)? })
    }

    /// A folder in which the command can begin.
    fn begin(&self, folder: &Path) -> Result<()> {
        copy(&self.inputs, folder)
    }

    /// Whether the results lie here, whole.
    fn has_results(&self, folder: &Path) -> Result<bool> {
        Ok(self.job.found(&Place { program: self.program, folder })? == self.found)
    }

    /// Whether the command that has come to its end here has left what it should, and nothing else.
    fn check_end(&self, folder: &Path) -> Result<Result<(), String>> {
        if !self.has_results(folder)? {
            return Ok(Err("the files differ from those of a calm run".to_owned()));
        }
        let names = names(folder)?;
        if names != self.names {
            let other: Vec<_> = names.symmetric_difference(&self.names).cloned().collect();
            return Ok(Err(format!("left behind or missing: {}", other.join(", "))));
        }
        Ok(Ok(()))
    }
}

/// Runs the command to its end after it was disturbed, and looks at what it leaves.
fn go_on(calm: &Calm<'_>, folder: &Path) -> Result<Result<(), String>> {
    match calm.job.finish(&Place { program: calm.program, folder }) {
        Ok(()) => calm.check_end(folder),
        Err(error) => Ok(Err(format!("does not go on: {error:#}"))),
    }
}

/// An empty folder.
fn fresh(folder: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

/// Copies the files of a folder, which has no folders, into an empty one.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fresh(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The names in a folder, but those of torn ends, which are kept on purpose.
fn names(folder: &Path) -> Result<BTreeSet<String>> {
    let names =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let names: Result<BTreeSet<String>> = names.collect();
    Ok(names?.into_iter().filter(|name| !name.contains(".torn-")).collect())
}
