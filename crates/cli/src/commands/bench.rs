//! `collinear bench`: fixed positions, a signature of the search, its speed.

use anyhow::Result;
use collinear_engine::bench::{bench, signature};
use serde_json::json;

/// Search fixed positions of several games; print what the search did and how fast.
#[derive(clap::Args)]
#[command(after_help = "Example: collinear bench --nodes 50000")]
pub(crate) struct Args {
    /// Nodes for each position.
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

#[expect(clippy::unnecessary_wraps, reason = "every command returns a result")]
pub(crate) fn run(args: Args) -> Result<()> {
    let results = bench(args.nodes.max(1), &mut |result| {
        if !args.json {
            let seconds = result.elapsed.as_secs_f64().max(1e-9);
            println!(
                "{:<20} depth {:>2}  {:>8} nodes  {:>5.0} kn/s  {}",
                result.position.game,
                result.depth,
                result.nodes,
                result.nodes as f64 / seconds / 1000.0,
                result.turn
            );
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
        println!("{report}");
    } else {
        println!("{nodes} nodes, {:.0} kn/s, signature {signature}", speed / 1000.0);
    }
    Ok(())
}
