//! `collinear bench`: fixed positions, a signature of the search, its speed.

mod late;

use std::path::PathBuf;

use anyhow::{Result, bail};
use collinear_engine::bench::{BenchResult, bench, signature, time_to_depth, unexpected};
use serde_json::json;

use crate::report;

/// Search fixed positions of several games; print a signature of the search and its speed
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear bench --nodes 50000
  collinear bench --threads 2
  collinear bench --late --nodes 200000 --against ./older-build/collinear")]
pub(crate) struct Args {
    /// Nodes per position
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
    /// Compare the time to a fixed depth with one thread and with N
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=256))]
    threads: Option<u16>,
    /// With --threads: search this many stones less deep than usual
    #[arg(long, default_value_t = 0, requires = "threads")]
    shallower: u32,
    /// Search late boards of Gomoku by alpha-beta: what a node costs there
    #[arg(long, conflicts_with = "threads")]
    late: bool,
    /// With --late: another build of this program, for the ratio of the two and whether both walk the same tree
    #[arg(long, requires = "late", value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// With --against: searches of each board by each program, of which the fastest counts
    #[arg(long, default_value_t = 3, requires = "against", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Only say whether each game is searched as its stored signature says
    #[arg(long, conflicts_with_all = ["nodes", "threads", "json", "late"])]
    check: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if args.check {
        return check();
    }
    let nodes = args.nodes.max(1);
    match (&args.against, args.late) {
        (Some(other), _) => return late::against(other, nodes, args.rounds, args.json),
        (None, true) => return late::alone(nodes, args.json),
        (None, false) => {}
    }
    match args.threads {
        Some(threads) => depth_by_threads(&args, usize::from(threads)),
        None => nodes_and_signature(&args),
    }
}

fn check() -> Result<()> {
    let changed: Vec<String> = unexpected()
        .into_iter()
        .map(|game| format!("{}: {:#018x} instead of {:#018x}", game.game, game.found, game.stored))
        .collect();
    if changed.is_empty() {
        return report::line("every game is searched as its stored signature says");
    }
    bail!(
        "the search has changed: {}; if it was meant to, store what was found in \
         crates/engine/src/bench.rs",
        changed.join(", ")
    )
}

fn depth_by_threads(args: &Args, threads: usize) -> Result<()> {
    let ms = |result: &BenchResult| result.elapsed.as_secs_f64() * 1000.0;
    let pairs = time_to_depth(threads, args.shallower, &mut |[one, several]| {
        if !args.json {
            // Who has gone does not hear the rest.
            let _ = report::line(format_args!(
                "{:<10} depth {:>2}  {:>8.0} ms  {:>8.0} ms  {:.2} times as fast, {:.2} times the nodes",
                one.position.game,
                one.depth,
                ms(one),
                ms(several),
                ms(one) / ms(several).max(1e-6),
                several.nodes as f64 / one.nodes.max(1) as f64
            ));
        }
    });
    let total = |which: usize| pairs.iter().map(|pair| ms(&pair[which])).sum::<f64>();
    let (one, several) = (total(0), total(1));
    let logs: f64 = pairs.iter().map(|pair| (ms(&pair[0]) / ms(&pair[1]).max(1e-6)).ln()).sum();
    let mean = (logs / pairs.len().max(1) as f64).exp();
    let nodes = |which: usize| pairs.iter().map(|pair| pair[which].nodes).sum::<u64>();
    let more_nodes = nodes(1) as f64 / nodes(0).max(1) as f64;
    if args.json {
        let report = json!({
            "threads": threads, "one_ms": one, "several_ms": several,
            "total_ratio": one / several.max(1e-6), "mean_ratio": mean,
            "nodes_ratio": more_nodes,
        });
        report::line(report)
    } else {
        report::line(format_args!(
            "1 thread {one:.0} ms, {threads} threads {several:.0} ms: {:.2} times as fast in all, \
             {mean:.2} times on the average (geometric), {more_nodes:.2} times the nodes",
            one / several.max(1e-6)
        ))
    }
}

fn nodes_and_signature(args: &Args) -> Result<()> {
    let results = bench(args.nodes.max(1), &mut |result| {
        if !args.json {
            let seconds = result.elapsed.as_secs_f64().max(1e-9);
            // Who has gone does not hear the rest.
            let _ = report::line(format_args!(
                "{:<20} depth {:>2}  {:>8} nodes  {:>5.0} kn/s  {}",
                result.position.game,
                result.depth,
                result.nodes,
                result.nodes as f64 / seconds / 1000.0,
                result.turn
            ));
        }
    });
    let nodes: u64 = results.iter().map(|result| result.nodes).sum();
    let seconds: f64 = results.iter().map(|result| result.elapsed.as_secs_f64()).sum();
    let speed = nodes as f64 / seconds.max(1e-9);
    let signature = format!("{:016x}", signature(&results));
    if args.json {
        let positions: Vec<_> = results
            .iter()
            .map(|result| {
                json!({
                    "game": result.position.game,
                    "stones": result.position.stones,
                    "depth": result.depth,
                    "nodes": result.nodes,
                    "ms": result.elapsed.as_secs_f64() * 1000.0,
                    "turn": result.turn,
                })
            })
            .collect();
        let report = json!({
            "signature": signature,
            "nodes": nodes,
            "nodes_per_second": speed,
            "positions": positions,
        });
        report::line(report)
    } else {
        report::line(format_args!(
            "{nodes} nodes, {:.0} kn/s, signature {signature}",
            speed / 1000.0
        ))
    }
}
