//! `collinear analyze`: a game as a coach would comment on it, or how accurately the players of many
//! games played.

mod players;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use collinear_agents::{exact, strongest};
use collinear_connect4::{Limits, Solver};
use collinear_engine::analysis::{
    TurnAnalysis, analyze, annotate, judge, positions, remark, show, summary,
};
use collinear_engine::proof::check;
use collinear_engine::{Engine, Settings};
use collinear_play::{Budget, balance, parse_time};
use collinear_protocol::records::{self, Format, GameRecord};
use collinear_rules::{Cell, Player, Position, Rules, notation};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};

use crate::failure::Failed;
use crate::record_file::RecordFile;
use crate::registry::registry;
use crate::{out_file, report};

/// Analyse a recorded game: the value of every turn, better turns, missed wins with proofs, blunders
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  collinear analyze game.sgf\n  collinear analyze games.csv --number 12 --time 1s --verify\n  collinear analyze game.sgf --sgf commented.sgf --json\n  collinear analyze opening.sgf --balance 1 --time 10s\n  collinear analyze games.jsonl --players --nodes 3000 --plot accuracy.svg"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Game record, in any format that `collinear convert` reads
    record: PathBuf,
    /// Which game of the file, counted from 1
    #[arg(long, default_value_t = 1)]
    number: usize,
    /// Rules of the game, for records that do not name them
    #[arg(long)]
    game: Option<Rules>,
    /// Time per turn, for --balance in all
    #[arg(long, default_value = "300ms", value_parser = parse_time)]
    time: Duration,
    /// Nodes per turn instead of time: repeatable
    #[arg(long)]
    nodes: Option<u64>,
    /// Replay the proof of every win against all defences
    #[arg(long)]
    verify: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
    /// Write the game with comments and better lines as variations
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Replace the file of --sgf or --plot if it exists
    #[arg(long)]
    fresh: bool,
    /// Instead: how accurately each player of all games of the file played
    #[arg(long, conflicts_with_all = ["sgf", "verify", "balance", "number"])]
    players: bool,
    /// With --players: write a picture of the accuracies as SVG
    #[arg(long, value_name = "FILE", requires = "players")]
    plot: Option<PathBuf>,
    /// Instead: the number of stones, 1 or 2, that make the last position as even as possible
    #[arg(long, value_name = "STONES", conflicts_with_all = ["sgf", "verify"],
          value_parser = clap::value_parser!(u8).range(1..=2))]
    balance: Option<u8>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if let Some(path) = args.sgf.as_ref().or(args.plot.as_ref()) {
        out_file::check(path, args.fresh)?;
    }
    if args.players {
        return players::run(&args);
    }
    let record = read(&args)?;
    let start = record.start()?;
    let moves = record.moves();
    if let Some(stones) = args.balance {
        return even_out(&args, stones, &record.position()?);
    }
    if moves.is_empty() {
        bail!("{} has no stones to analyse", args.record.display());
    }
    let budget = budget(&args);
    let stop = budget.stop.clone();
    crate::signals::watch(move |_| stop.stop())?;
    let bar = ProgressBar::new(moves.len() as u64);
    let turns = judged(&record, &budget, &mut |stones| bar.set_position(stones as u64))?;
    bar.finish_and_clear();
    let checks = if args.verify { verify(&start, &moves, &turns) } else { Vec::new() };
    if let Some(path) = &args.sgf {
        let text = records::write(&[commented(&record, &turns)], Format::Sgf)?;
        out_file::write(path, text.as_bytes())?;
    }
    if args.json {
        report::line(to_json(&record, &turns, &checks))?;
    } else {
        report::text(&coach(&record, &turns, &checks))?;
    }
    match checks.iter().find_map(|(_, result)| result.as_ref().err()) {
        Some(error) => Err(Failed(format!("a proof does not hold: {error}")).into()),
        None => Ok(()),
    }
}

/// The turns of a game, judged: by exact values where the game is solved, else by searches.
fn judged(
    record: &GameRecord,
    budget: &Budget,
    on: &mut dyn FnMut(usize),
) -> Result<Vec<TurnAnalysis>> {
    let (start, moves) = (record.start()?, record.moves());
    let Ok(mut solver) = Solver::new(&record.rules) else {
        let mut engine = Engine::new(&record.rules, Settings::default(), 0);
        return Ok(analyze(&mut engine, &start, &moves, budget, on)?);
    };
    let stop = || budget.stop.is_stopped();
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let mut found = Vec::new();
    for (position, played) in positions(&start, &moves)? {
        if position.is_over() {
            break;
        }
        let Some(searched) = exact::searched(&mut solver, &position, &limits) else { break };
        found.push(searched);
        on(played);
    }
    Ok(judge(&start, &moves, found)?)
}

fn budget(args: &Args) -> Budget {
    match args.nodes {
        Some(nodes) => Budget::nodes(nodes.max(1)),
        None => Budget::time(args.time),
    }
}

/// The stones after which both colours are as near to even as they can be.
fn even_out(args: &Args, stones: u8, position: &Position) -> Result<()> {
    const EVEN: f32 = 0.5;
    if position.is_over() {
        bail!("the game is over: no stone can make it even");
    }
    let rules = position.rules();
    let registry = registry();
    let Some(agent) = strongest(&registry, rules) else { bail!("no agent plays {rules}") };
    let mut agent = agent.with_defaults().build(rules, 1)?;
    let candidates = match stones {
        1 => balance::next_stones(position),
        _ => balance::next_pairs(position, position.key()),
    };
    let budget = budget(args);
    let stop = budget.stop.clone();
    crate::signals::watch(move |_| stop.stop())?;
    let found = balance::nearest(&mut *agent, position, &candidates, EVEN, &budget, &mut |_| {})?;
    let Some(found) = found else { bail!("no stone was looked at: it takes more time or nodes") };
    let player = position.to_move();
    if args.json {
        let cells = notation::names(rules, &found.stones);
        return report::line(json!({
            "stones": cells.split(' ').collect::<Vec<_>>(),
            "player": player.name(),
            "chance": found.chance,
        }));
    }
    report::line(format_args!(
        "{}: {:.1} % for {player}",
        notation::names(rules, &found.stones),
        100.0 * found.chance
    ))
}

fn read(args: &Args) -> Result<GameRecord> {
    let file = RecordFile::read(&args.record)?;
    let wanted = args.number.max(1) - 1;
    file.games(args.game)
        .nth(wanted)
        .unwrap_or_else(|| bail!("{} has no game number {}", file.shown(), args.number))
}

type Check = (usize, Result<(), String>);

/// Replays every proof against all defences.
fn verify(start: &Position, moves: &[Cell], turns: &[TurnAnalysis]) -> Vec<Check> {
    let mut checks = Vec::new();
    for turn in turns {
        let Some(proof) = &turn.proof else { continue };
        let mut position = start.clone();
        let before = turn.start - start.stone_count();
        let legal = moves[..before].iter().all(|&cell| position.play(cell).is_ok());
        if legal {
            checks.push((turn.start, check(&position, proof).map_err(|error| error.to_string())));
        }
    }
    checks
}

fn coach(record: &GameRecord, turns: &[TurnAnalysis], checks: &[Check]) -> String {
    let rules = &record.rules;
    let mut text = String::new();
    let name = |player: Player| match &record.players[player.index()] {
        Some(name) => format!("{name} ({player})"),
        None => player.to_string(),
    };
    let game = rules.preset_name().map_or_else(|| rules.to_string(), str::to_owned);
    let _ = writeln!(
        text,
        "{game}, {} stones; {}\n",
        record.moves().len(),
        record
            .winner()
            .map_or("nobody has won".to_owned(), |player| format!("{} won", name(player)))
    );
    let _ = writeln!(text, "turn  player  stones           before            after");
    for (number, turn) in turns.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>4}  {:<6}  {:<15}  {:<16}  {:<16}{}",
            number + 1,
            turn.player,
            notation::names(rules, &turn.played),
            show(turn.value),
            show(turn.after),
            remark(rules, turn).map(|remark| format!("  {remark}")).unwrap_or_default()
        );
    }
    let _ = writeln!(text);
    let names = Player::BOTH.map(name);
    let _ = writeln!(text, "{}", summary(rules, turns, &names, record.winner()));
    if !checks.is_empty() {
        let good = checks.iter().filter(|(_, result)| result.is_ok()).count();
        let _ = writeln!(text, "{good} of {} proofs hold against every defence.", checks.len());
    }
    text
}

/// The record with a comment after each turn and the better line as a variation.
fn commented(record: &GameRecord, turns: &[TurnAnalysis]) -> GameRecord {
    let mut record = record.clone();
    let line: Vec<_> = record.tree.main_line().collect();
    let rules = record.rules;
    annotate(&mut record.tree, &line, &rules, turns);
    record
}

fn to_json(record: &GameRecord, turns: &[TurnAnalysis], checks: &[Check]) -> Json {
    let rules = &record.rules;
    let name = |cells: &[Cell]| -> Vec<String> {
        cells.iter().map(|&cell| notation::name(rules, cell)).collect()
    };
    let turns: Vec<Json> = turns
        .iter()
        .map(|turn| {
            let verified = checks.iter().find(|(start, _)| *start == turn.start);
            json!({
                "stones_before": turn.start,
                "player": turn.player.name(),
                "played": name(&turn.played),
                "best": name(&turn.best),
                "line": name(&turn.line),
                "chance_before": turn.value.chance(),
                "chance_after": turn.after.chance(),
                "before": show(turn.value),
                "after": show(turn.after),
                "depth": turn.depth,
                "grade": turn.grade.name(),
                "proved_win_in": turn.proof.as_ref().map(|proof| proof.turns()),
                "verified": verified.map(|(_, result)| result.is_ok()),
                "remark": remark(rules, turn),
            })
        })
        .collect();
    json!({
        "game": rules.to_string(),
        "players": record.players,
        "winner": record.winner().map(Player::name),
        "turns": turns,
    })
}
