//! `collinear bench --late`: what a node costs on late boards of Gomoku, and whether another build of the program walks
//! the same tree, and how fast.
//!
//! Times of two programs on a machine that others use, too, mean something only side by side: both run as engines in
//! processes of their own and search each board in turn, several times, and of each the fastest counts.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use collinear_engine::bench::{BenchPosition, LATE_POSITIONS, late_boards};
use collinear_play::{Agent, Budget, Report, Turn};
use collinear_protocol::Protocol;
use collinear_protocol::host::{EngineConfig, External};
use collinear_rules::{Position, Rules, notation};
use serde_json::json;

use crate::report;

/// The agent that both programs play.
const AGENT: &str = "sextant:search=alphabeta,memory=16";

/// Searches the late boards with this program alone.
pub(super) fn alone(nodes: u64, json: bool) -> Result<()> {
    let results = late_boards(nodes, &mut |result| {
        if !json {
            // Who has gone does not hear the rest.
            let _ = report::line(format_args!(
                "{:>2} stones  depth {:>2}  {:>8} nodes  {:>5.0} kn/s  {}",
                stones(&result.position),
                result.depth,
                result.nodes,
                per_second(result.nodes, result.elapsed) / 1000.0,
                result.turn
            ));
        }
    });
    let nodes: u64 = results.iter().map(|result| result.nodes).sum();
    let speed = per_second(nodes, results.iter().map(|result| result.elapsed).sum());
    if json {
        return report::line(json!({ "nodes": nodes, "nodes_per_second": speed }));
    }
    report::line(format_args!("{nodes} nodes, {:.0} kn/s", speed / 1000.0))
}

fn stones(position: &BenchPosition) -> usize {
    position.stones.split(' ').count()
}

fn per_second(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}

/// What a search came to.
#[derive(Clone, PartialEq, Eq)]
struct Searched {
    nodes: u64,
    turn: Turn,
}

/// Searches the late boards with another program and this one, this many times each.
pub(super) fn against(other: &Path, nodes: u64, rounds: u32, json: bool) -> Result<()> {
    let rules = Rules::GOMOKU;
    let own = std::env::current_exe().context("this program cannot be found")?;
    let mut engines = [engine(other, rules)?, engine(&own, rules)?];
    let (mut totals, mut times, mut same) = ([0; 2], [Duration::ZERO; 2], 0);
    for board in LATE_POSITIONS {
        let position = position(board)?;
        let mut best = [Duration::MAX; 2];
        let mut searched = [None, None];
        for round in 0..rounds as usize {
            // Neither is always the one after the other.
            for which in [round % 2, 1 - round % 2] {
                let (result, time) = search(&mut engines[which], &position, nodes)?;
                best[which] = best[which].min(time);
                searched[which] = Some(result);
            }
        }
        let is_same = searched[0] == searched[1];
        let counts = searched.map(|result| result.map_or(0, |result| result.nodes));
        same += usize::from(is_same);
        for which in [0, 1] {
            totals[which] += counts[which];
            times[which] += best[which];
        }
        if !json {
            let speeds = [0, 1].map(|which| per_second(counts[which], best[which]) / 1000.0);
            report::line(format_args!(
                "{:>2} stones  {:>8} and {:>8} nodes  {:>5.0} and {:>5.0} kn/s  {:.2} times{}",
                stones(&board),
                counts[0],
                counts[1],
                speeds[0],
                speeds[1],
                speeds[1] / speeds[0].max(1e-9),
                if is_same { "" } else { "  another tree" }
            ))?;
        }
    }
    let speeds = [0, 1].map(|which| per_second(totals[which], times[which]));
    let ratio = speeds[1] / speeds[0].max(1e-9);
    let boards = LATE_POSITIONS.len();
    if json {
        return report::line(json!({
            "nodes": totals, "nodes_per_second": speeds, "ratio": ratio, "same_tree": same, "boards": boards,
        }));
    }
    report::line(format_args!(
        "{:.0} kn/s there, {:.0} kn/s here: {ratio:.2} times; the same tree on {same} of {boards} boards",
        speeds[0] / 1000.0,
        speeds[1] / 1000.0
    ))
}

fn engine(program: &Path, rules: Rules) -> Result<External> {
    let program = program.to_string_lossy().into_owned();
    let arguments = ["engine", "--protocol", "ugi", "--agent", AGENT, "--game", "gomoku"];
    let words: Vec<String> = std::iter::once(program).chain(arguments.map(str::to_owned)).collect();
    Ok(External::start(EngineConfig::from_words(&words, Protocol::Ugi), rules)?)
}

fn position(board: BenchPosition) -> Result<Position> {
    let mut position = Position::new(board.game.parse()?);
    for name in board.stones.split(' ') {
        position.play(notation::parse(position.rules(), name)?)?;
    }
    Ok(position)
}

/// One search with an empty table.
fn search(engine: &mut External, position: &Position, nodes: u64) -> Result<(Searched, Duration)> {
    engine.new_game();
    let mut last = 0;
    let mut hear = |report: &Report| last = report.nodes.max(last);
    let started = Instant::now();
    let turn = engine.choose(position, &Budget::nodes(nodes), &mut hear)?;
    let time = started.elapsed();
    if last == 0 {
        bail!("an engine that says nothing of its nodes cannot be compared");
    }
    Ok((Searched { nodes: last, turn }, time))
}
