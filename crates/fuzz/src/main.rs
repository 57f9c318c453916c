//! `cargo xtask fuzz`: runs every target for its share of the time and prints cases per second.
//! An input that fails is written beside the regressions, so that it can be replayed and kept.

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use collinear_fuzz::{Target, all, panics, try_case};

/// Hostile input for everything that reads input
#[derive(Parser)]
#[command(name = "cargo xtask fuzz")]
struct Arguments {
    /// Minutes for all targets together
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Only this target
    #[arg(long)]
    target: Option<String>,
    /// Seed for all inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run this input instead
    #[arg(long, value_name = "FILE", requires = "target")]
    replay: Option<PathBuf>,
}

/// A case that takes longer hangs.
const MAX_CASE: Duration = Duration::from_secs(60);

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
    panics::watch();
    let mut targets = all();
    if let Some(name) = &arguments.target {
        targets.retain(|target| target.name == name);
        if targets.is_empty() {
            let known: Vec<_> = all().iter().map(|target| target.name).collect();
            bail!("there is no target {name:?}; targets: {}", known.join(", "));
        }
    }
    if let (Some(file), [target]) = (&arguments.replay, &targets[..]) {
        let input = std::fs::read(file).with_context(|| file.display().to_string())?;
        return try_case(&mut (target.start)(), &input).map_err(anyhow::Error::msg);
    }
    let share = Duration::from_secs_f64(60.0 * arguments.minutes.max(0.0) / targets.len() as f64);
    println!("{:<10} {:>10} {:>12} {:>9}", "target", "cases", "cases/s", "failures");
    let (mut cases, mut failures) = (0, 0);
    for target in targets {
        let outcome = fuzz(target, arguments.seed, share)?;
        println!(
            "{:<10} {:>10} {:>12.0} {:>9}",
            outcome.name,
            outcome.cases,
            outcome.cases as f64 / outcome.time.as_secs_f64().max(1e-9),
            outcome.failures.len()
        );
        for (file, reason) in &outcome.failures {
            println!("  {}: {reason}", file.display());
        }
        cases += outcome.cases;
        failures += outcome.failures.len();
    }
    println!("{cases} cases, {failures} failures, seed {}", arguments.seed);
    if failures > 0 {
        bail!("{failures} failures");
    }
    Ok(())
}

/// What came of one target.
struct Outcome {
    name: &'static str,
    cases: u64,
    time: Duration,
    failures: Vec<(PathBuf, String)>,
}

/// What the thread of a target tells.
enum Told {
    Begun(Vec<u8>),
    Failed(Vec<u8>, String),
}

/// The most failures of a target before it is left alone.
const MAX_FAILURES: usize = 10;

/// Runs cases on a thread of their own, so that one that hangs is seen.
fn fuzz(target: Target, seed: u64, share: Duration) -> Result<Outcome> {
    let name = target.name;
    let (tell, told) = mpsc::sync_channel(64);
    let started = Instant::now();
    thread::spawn(move || {
        let mut run = (target.start)();
        for n in 0.. {
            let input = target.case(seed, n);
            if started.elapsed() > share || tell.send(Told::Begun(input.clone())).is_err() {
                return;
            }
            if let Err(reason) = try_case(&mut run, &input) {
                let _ = tell.send(Told::Failed(input, reason));
            }
        }
    });
    let mut outcome = Outcome { name, cases: 0, time: Duration::ZERO, failures: Vec::new() };
    let mut last = Vec::new();
    loop {
        match told.recv_timeout(MAX_CASE) {
            Ok(Told::Begun(input)) => {
                last = input;
                outcome.cases += 1;
            }
            Ok(Told::Failed(input, reason)) => {
                outcome.failures.push((keep(name, &input)?, reason));
                if outcome.failures.len() >= MAX_FAILURES {
                    break;
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                outcome.failures.push((keep(name, &last)?, format!("hangs for {MAX_CASE:?}")));
                break;
            }
        }
    }
    outcome.time = started.elapsed();
    Ok(outcome)
}

/// Writes an input that failed where the tests find it.
fn keep(name: &str, input: &[u8]) -> Result<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("regressions").join(name);
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{:016x}", collinear_rules::hash::fnv1a(input)));
    std::fs::write(&file, input).with_context(|| file.display().to_string())?;
    Ok(file)
}
