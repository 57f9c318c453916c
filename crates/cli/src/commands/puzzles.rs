//! `collinear puzzles`: proves the win in each position of a file and replays every proof.

mod check;
mod make;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use collinear_agents::puzzles::{Answer, BlindSpots, Judge};
use collinear_engine::proof::{self, ProofLimits, Solver, Verdict, check};
use collinear_play::{AgentChoice, Budget, Value, parse_time, read_text_file};
use collinear_rules::{Position, Rules, notation};
use collinear_windows::Windows;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::record_file::RecordFile;
use crate::registry::registry;
use crate::report;

/// Solve positions in which the side to move wins by continuous threats, and verify each proof
/// against every defence
#[derive(clap::Args)]
#[command(
    after_help = "The file has one JSON object per line: {\"id\":\"a\",\"stones\":[\"j10\",\"k10\",…]}, stones in order of play;\noptional keys: \"game\" (else --game), \"win_in_turns_at_most\".\n\nExample: collinear puzzles positions.jsonl --time 1s --json\n         collinear puzzles make --game gomoku --games 100 --out gomoku.txt"
)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// JSON lines, one position each
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// Time limit per position
    #[arg(long, default_value = "1s", value_parser = parse_time)]
    time: Duration,
    /// Rules for positions that do not name any
    #[arg(long, default_value = "connect6")]
    game: Rules,
    /// Ask this agent for a turn instead of proving the win: right is a turn that it has proved, or that
    /// keeps a win by continuous threats
    #[arg(long)]
    agent: Option<String>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make a set of puzzles from games: each is proved, checked and rated by the levels that solve it
    Make(make::Make),
    /// Prove every puzzle of a set again, and see whether the levels find hard what is rated so
    Check(check::Check),
    /// Find positions in games where the network does not see a proved win, one JSON object on each line
    Blind(Blind),
}

#[derive(clap::Args)]
#[command(
    after_help = "Example: collinear puzzles blind games.moves --game connect6 > blind.jsonl\n         collinear puzzles blind.jsonl --agent sextant --time 1s"
)]
struct Blind {
    /// Games in any format that `collinear convert` reads, `-` for standard input
    #[arg(value_name = "RECORD")]
    games: String,
    /// Rules of the games, for records that do not name them
    #[arg(long)]
    game: Option<Rules>,
}

impl Blind {
    fn run(&self) -> Result<()> {
        let games = RecordFile::read(Path::new(&self.games))?
            .games(self.game)
            .collect::<Result<Vec<_>>>()?;
        let bar = ProgressBar::new(games.len() as u64);
        for (number, game) in (1..).zip(&games) {
            bar.inc(1);
            let Some(winner) = game.winner() else { continue };
            let Some(mut spots) = BlindSpots::new(&game.rules) else {
                bail!("no network is shipped for {}", game.rules);
            };
            if let Some(puzzle) = spots.find(&game.moves(), winner, &format!("game {number}")) {
                report::line(puzzle.to_line())?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}

#[derive(Deserialize)]
struct Puzzle {
    id: Option<String>,
    game: Option<String>,
    stones: Vec<String>,
    win_in_turns_at_most: Option<u16>,
}

#[derive(Serialize)]
struct Summary {
    total: usize,
    solved: usize,
    verified: usize,
    median_ms: f64,
    slowest_ms: f64,
    nodes: u64,
    puzzles: Vec<Attempt>,
}

#[derive(Serialize)]
struct Attempt {
    id: String,
    solved: bool,
    verified: bool,
    ms: f64,
    nodes: u64,
    turns: Option<u16>,
    turns_known: Option<u16>,
    line: Option<String>,
    note: Option<String>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    match &args.command {
        Some(Command::Make(wanted)) => return wanted.run(),
        Some(Command::Check(wanted)) => return wanted.run(),
        Some(Command::Blind(wanted)) => return wanted.run(),
        None => {}
    }
    let agent = args.agent.as_ref().map(|agent| registry().parse(agent)).transpose()?;
    let puzzles = read(&args)?;
    let bar = ProgressBar::new(puzzles.len() as u64);
    let mut solved = Vec::new();
    for (id, position, turns_known) in puzzles {
        solved.push(match &agent {
            Some(agent) => ask(agent, id, &position, turns_known, args.time)?,
            None => solve(id, &position, turns_known, args.time),
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut times: Vec<f64> = solved.iter().map(|puzzle| puzzle.ms).collect();
    times.sort_by(f64::total_cmp);
    let summary = Summary {
        total: solved.len(),
        solved: solved.iter().filter(|puzzle| puzzle.solved).count(),
        verified: solved.iter().filter(|puzzle| puzzle.verified).count(),
        median_ms: times.get(times.len() / 2).copied().unwrap_or(0.0),
        slowest_ms: times.last().copied().unwrap_or(0.0),
        nodes: solved.iter().map(|puzzle| puzzle.nodes).sum(),
        puzzles: solved,
    };
    if args.json {
        report::line(serde_json::to_string(&summary)?)?;
    } else {
        print(&summary)?;
    }
    Ok(())
}

fn print(summary: &Summary) -> Result<()> {
    for puzzle in summary.puzzles.iter().filter(|puzzle| !puzzle.solved || puzzle.note.is_some()) {
        report::line(format_args!(
            "{}: {}",
            puzzle.id,
            puzzle.note.as_deref().unwrap_or("not verified")
        ))?;
    }
    report::line(format_args!(
        "{} of {} solved, {} proofs verified; median {:.2} ms, slowest {:.0} ms, {} nodes",
        summary.solved,
        summary.total,
        summary.verified,
        summary.median_ms,
        summary.slowest_ms,
        summary.nodes
    ))?;
    Ok(())
}

fn solve(id: String, position: &Position, turns_known: Option<u16>, time: Duration) -> Attempt {
    let started = Instant::now();
    let mut solver = Solver::new(position.rules());
    let meter = Budget::time(time).start(1);
    let limits = ProofLimits { meter: Some(&meter), ..ProofLimits::default() };
    let verdict = solver.prove(
        &mut Windows::of(position),
        position.to_move(),
        position.stones_left(),
        limits,
    );
    let ms = started.elapsed().as_secs_f64() * 1000.0;
    let note = match &verdict {
        Verdict::Proved(proof) => {
            check(position, proof).err().map(|error| format!("the proof fails: {error}"))
        }
        Verdict::Refuted => Some("no win by continuous threats".to_owned()),
        Verdict::Unknown => Some("not solved in time".to_owned()),
    };
    let proof = verdict.proof();
    Attempt {
        id,
        solved: proof.is_some(),
        verified: proof.is_some() && note.is_none(),
        ms,
        nodes: solver.nodes(),
        turns: proof.as_ref().map(|proof| proof.turns()),
        turns_known,
        line: proof.map(|proof| notation::names(position.rules(), &proof::line(position, &proof))),
        note,
    }
}

/// The turn of an agent: solved where it wins, verified where that is proved here, too.
fn ask(
    agent: &AgentChoice,
    id: String,
    position: &Position,
    turns_known: Option<u16>,
    time: Duration,
) -> Result<Attempt> {
    let started = Instant::now();
    let mut last = None;
    let turn =
        agent
            .build(position.rules(), 1)?
            .choose(position, &Budget::time(time), &mut |report| last = Some(report.clone()))?;
    let ms = started.elapsed().as_secs_f64() * 1000.0;
    let value = last.as_ref().and_then(|report| report.lines.first()).map(|line| line.value);
    let turns = match value {
        Some(Value::WinsIn(turns)) => Some(turns),
        _ => None,
    };
    let answer = Judge::new(position.rules()).answer(position, &turn);
    let verified = matches!(answer, Some(Answer::Solved | Answer::Defended { .. }));
    let line = notation::names(position.rules(), &turn);
    let solved = verified || turns.is_some();
    let note = (!solved).then(|| match value {
        Some(value) => format!("{line} with a chance of {:.3}", value.chance()),
        None => line.clone(),
    });
    let nodes = last.map_or(0, |report| report.nodes);
    Ok(Attempt { id, solved, verified, ms, nodes, turns, turns_known, line: Some(line), note })
}

/// A file of positions may have this many bytes.
const MAX_BYTES: u64 = 1 << 28;

fn read(args: &Args) -> Result<Vec<(String, Position, Option<u16>)>> {
    let path = args.file.as_deref().context("name a file of positions")?;
    let name = path.display();
    let text = read_text_file(path, MAX_BYTES)?;
    let mut puzzles = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{name}, line {}", number + 1);
        if line.trim().is_empty() {
            continue;
        }
        let puzzle: Puzzle = serde_json::from_str(line).with_context(place)?;
        let rules = match &puzzle.game {
            Some(game) => game.parse().with_context(place)?,
            None => args.game,
        };
        let position = position(rules, &puzzle.stones).with_context(place)?;
        let id = puzzle.id.unwrap_or_else(|| format!("line {}", number + 1));
        puzzles.push((id, position, puzzle.win_in_turns_at_most));
    }
    if puzzles.is_empty() {
        bail!("{name} has no positions: expected one JSON object per line");
    }
    Ok(puzzles)
}

fn position(rules: Rules, stones: &[String]) -> Result<Position> {
    if rules.gravity() {
        bail!("{rules} has gravity: the proof search is for boards without it");
    }
    let mut position = Position::new(rules);
    for (number, stone) in stones.iter().enumerate() {
        let place = || format!("stone {} ({stone})", number + 1);
        let cell = notation::parse(&rules, stone).with_context(place)?;
        position.play(cell).with_context(place)?;
    }
    if position.is_over() {
        bail!("the game is already over");
    }
    Ok(position)
}
