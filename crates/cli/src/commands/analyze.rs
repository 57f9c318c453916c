//! `collinear analyze`: a game as a coach would comment on it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use collinear_engine::analysis::{Grade, TurnAnalysis, analyze};
use collinear_engine::proof::check;
use collinear_engine::{Engine, Settings};
use collinear_play::{Budget, Value, parse_time};
use collinear_protocol::records::{self, Format, GameRecord, ReadOptions};
use collinear_rules::{Cell, Player, Position, Rules, notation};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};

use crate::failure::Failed;
use crate::{out_file, report};

/// Analyse a recorded game: the value of every turn, better turns, missed wins with proofs, blunders
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  collinear analyze game.sgf\n  collinear analyze games.csv --number 12 --time 1s --verify\n  collinear analyze game.sgf --sgf commented.sgf --json"
)]
pub(crate) struct Args {
    /// Game record, in any format that `collinear convert` reads
    record: PathBuf,
    /// Which game of the file, counted from 1
    #[arg(long, default_value_t = 1)]
    number: usize,
    /// Rules of the game, for records that do not name them
    #[arg(long)]
    game: Option<Rules>,
    /// Time per turn
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
    /// Replace the file of --sgf if it exists
    #[arg(long, requires = "sgf")]
    fresh: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if let Some(path) = &args.sgf {
        out_file::check(path, args.fresh)?;
    }
    let record = read(&args)?;
    let start = record.start()?;
    let moves = record.moves();
    if moves.is_empty() {
        bail!("{} has no stones to analyse", args.record.display());
    }
    let budget = match args.nodes {
        Some(nodes) => Budget::nodes(nodes.max(1)),
        None => Budget::time(args.time),
    };
    let stop = budget.stop.clone();
    ctrlc::set_handler(move || stop.stop())?;
    let mut engine = Engine::new(&record.rules, Settings::default(), 0);
    let bar = ProgressBar::new(moves.len() as u64);
    let turns = analyze(&mut engine, &start, &moves, &budget, &mut |stones| {
        bar.set_position(stones as u64);
    })?;
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

fn read(args: &Args) -> Result<GameRecord> {
    let name = || args.record.display().to_string();
    let bytes = std::fs::read(&args.record).with_context(name)?;
    let text = records::decode(&bytes).with_context(name)?;
    let format = args.record.extension().and_then(|e| e.to_str()).and_then(Format::from_extension);
    let options = ReadOptions { rules: args.game };
    let wanted = args.number.max(1) - 1;
    match records::games(&text, format, &options).nth(wanted) {
        Some(record) => record.with_context(name),
        None => bail!("{} has no game number {}", name(), args.number),
    }
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

fn show(value: Value) -> String {
    match value {
        Value::Chance(chance) => format!("{:.0} %", 100.0 * chance),
        Value::WinsIn(1) => "wins now".to_owned(),
        Value::WinsIn(turns) => format!("wins in {turns} turns"),
        Value::LosesIn(1) => "loses at once".to_owned(),
        Value::LosesIn(turns) => format!("loses in {turns} turns"),
        Value::Draw => "draw".to_owned(),
    }
}

/// What a coach would write under a turn; nothing where there is nothing to say.
fn remark(rules: &Rules, turn: &TurnAnalysis) -> Option<String> {
    let best = notation::names(rules, &turn.best);
    let text = match turn.grade {
        Grade::Best | Grade::Good => return None,
        Grade::MissedWin => {
            let line = notation::names(rules, &turn.line);
            format!("misses a win: {best} {} ({line})", show(turn.value))
        }
        grade => format!(
            "{}: from {} to {}; better {best}",
            grade.name(),
            show(turn.value),
            show(turn.after)
        ),
    };
    Some(text)
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
    for player in Player::BOTH {
        let _ = writeln!(text, "{}", portrait(&name(player), player, turns));
    }
    if let Some(turning) = turning_point(turns) {
        let turn = &turns[turning];
        let _ = writeln!(
            text,
            "The game turned at turn {}, when {} played {}: {}.",
            turning + 1,
            name(turn.player),
            notation::names(rules, &turn.played),
            remark(rules, turn).unwrap_or_else(|| turn.grade.name().to_owned())
        );
    }
    if let Some((winner, first)) =
        record.winner().and_then(|winner| Some((winner, won_from(turns, winner)?)))
    {
        let _ = writeln!(
            text,
            "From turn {} on {} had a certain win ({}) and kept it.",
            first + 1,
            name(winner),
            show(turns[first].value)
        );
    }
    if !checks.is_empty() {
        let good = checks.iter().filter(|(_, result)| result.is_ok()).count();
        let _ = writeln!(text, "{good} of {} proofs hold against every defence.", checks.len());
    }
    text
}

fn portrait(name: &str, player: Player, turns: &[TurnAnalysis]) -> String {
    let own: Vec<&TurnAnalysis> = turns.iter().filter(|turn| turn.player == player).collect();
    let count = |grade: Grade| own.iter().filter(|turn| turn.grade == grade).count();
    let lost: f32 = own.iter().map(|turn| turn.loss()).sum::<f32>() / own.len().max(1) as f32;
    let fine = count(Grade::Best) + count(Grade::Good);
    let mut words = vec![format!("{fine} of {} turns best or good", own.len())];
    for (grade, one, many) in [
        (Grade::Inaccuracy, "inaccuracy", "inaccuracies"),
        (Grade::Mistake, "mistake", "mistakes"),
        (Grade::Blunder, "blunder", "blunders"),
        (Grade::MissedWin, "missed win", "missed wins"),
    ] {
        match count(grade) {
            0 => {}
            1 => words.push(format!("1 {one}")),
            several => words.push(format!("{several} {many}")),
        }
    }
    format!(
        "{name}: {}; {:.1} % of the chances given away per turn",
        words.join(", "),
        100.0 * lost
    )
}

/// The first turn from which the winner had a proved win at every turn of his.
fn won_from(turns: &[TurnAnalysis], winner: Player) -> Option<usize> {
    let own = turns.iter().enumerate().rev().filter(|(_, turn)| turn.player == winner);
    own.take_while(|(_, turn)| matches!(turn.value, Value::WinsIn(_))).last().map(|(at, _)| at)
}

/// The last turn after which the winning side never stood worse again: where most was lost.
fn turning_point(turns: &[TurnAnalysis]) -> Option<usize> {
    let worst = (0..turns.len()).filter(|&n| turns[n].grade >= Grade::Mistake);
    worst.max_by(|&a, &b| turns[a].loss().total_cmp(&turns[b].loss()).then(b.cmp(&a)))
}

/// The record with a comment after each turn and the better line as a variation.
fn commented(record: &GameRecord, turns: &[TurnAnalysis]) -> GameRecord {
    let mut record = record.clone();
    let nodes: Vec<_> = record.tree.main_line().collect();
    let first = turns.first().map_or(0, |turn| turn.start);
    for turn in turns {
        let before = turn.start - first;
        let end = before + turn.played.len();
        let text = format!(
            "{}: {} before, {} after{}",
            turn.player,
            show(turn.value),
            show(turn.after),
            remark(&record.rules, turn).map(|text| format!(". {text}")).unwrap_or_default()
        );
        record.tree.add_comment(nodes[end], &text);
        if turn.grade >= Grade::Inaccuracy {
            let mut at = nodes[before];
            for &cell in &turn.line {
                // Beyond the largest tree there is no room for another line.
                let Some(next) = record.tree.add(at, cell) else { break };
                at = next;
            }
        }
    }
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
