//! `cargo xtask soak`: pages that play, close and come back for minutes, on a server that is killed and
//! started again, and what that costs.
//!
//! A stone counts as confirmed when a board with it came back. Whoever opens the game again, after a
//! lost connection or a killed server, must find every confirmed stone, in order.

#![forbid(unsafe_code)]

mod client;
mod idle;
mod server;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Parser;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use client::{Client, Figures};
use idle::Seen;
use server::Program;

/// Pages that play, close and come back, on a server that is killed and started again
#[derive(Parser)]
#[command(name = "cargo xtask soak")]
struct Arguments {
    /// How long
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Pages at once
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=400))]
    clients: u16,
    /// Seconds from one kill of the server to the next; 0 kills it never
    #[arg(long, default_value_t = 20)]
    kill_every: u64,
    /// Sockets that are opened beside the pages, again and again, and say nothing
    #[arg(long, default_value_t = 0)]
    idle: u16,
    /// Seed for what the pages do
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program to serve with
    #[arg(long)]
    program: PathBuf,
}

/// How long pages may take to notice that it is over.
const GOODBYE: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(soak(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn soak(arguments: &Arguments) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("collinear-soak-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut program = Program::start(&arguments.program, &folder).await?;
    let over = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = (0..u64::from(arguments.clients))
        .map(|number| {
            let random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed ^ number.rotate_left(32));
            tokio::spawn(Client::new(program.address(), random).play(Arc::clone(&over)))
        })
        .collect();
    let seen = Arc::new(Seen::default());
    for _ in 0..arguments.idle {
        tokio::spawn(idle::sit(program.address(), Arc::clone(&seen), Arc::clone(&over)));
    }
    let end = Instant::now() + Duration::from_secs_f64(60.0 * arguments.minutes.max(0.0));
    let mut memory = vec![program.memory()];
    let mut kills = 0;
    while Instant::now() < end {
        let pause = match arguments.kill_every {
            0 => Duration::MAX,
            seconds => Duration::from_secs(seconds),
        };
        tokio::time::sleep(pause.min(end.saturating_duration_since(Instant::now()))).await;
        memory.push(program.memory());
        if Instant::now() < end {
            program.restart().await?;
            kills += 1;
        }
    }
    over.store(true, Ordering::Relaxed);
    let mut figures = Figures::default();
    for client in clients {
        figures.add(tokio::time::timeout(GOODBYE, client).await??);
    }
    drop(program);
    // The games of a run that failed are worth a look.
    if figures.losses.is_empty() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    report(&mut figures, kills, &memory);
    if arguments.idle > 0 {
        let (opened, most) = seen.figures();
        println!("idle sockets: {opened} opened, at most {most} of {} at once", arguments.idle);
    }
    if figures.losses.is_empty() { Ok(()) } else { bail!("see {}", folder.display()) }
}

fn report(figures: &mut Figures, kills: u32, memory: &[Option<u64>]) {
    for loss in figures.losses.iter().take(20) {
        println!("lost: {loss}");
    }
    println!(
        "{} stones confirmed in {} games, {} reconnects, {kills} kills: {} lost",
        figures.stones,
        figures.games,
        figures.reconnects,
        figures.losses.len()
    );
    figures.latencies.sort_unstable();
    let at = |share: f64| {
        let last = figures.latencies.len().saturating_sub(1);
        let place = (share * last as f64) as usize;
        figures.latencies.get(place).map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
    };
    println!(
        "stone to board: median {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    let shown: Vec<String> = memory
        .iter()
        .map(|bytes| bytes.map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string()))
        .collect();
    println!("memory of the server before each kill and at the end, MiB: {}", shown.join(" "));
}
