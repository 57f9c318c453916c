//! What a coach says about a game, in words: for the terminal, the page and the comments of a record.

use std::fmt::Write as _;

use collinear_play::{NodeId, Tree, Value};
use collinear_rules::{Player, Rules, notation};

use super::{Grade, Side, TurnAnalysis, side, turning_point, won_from};

/// A value as people read it.
pub fn show(value: Value) -> String {
    match value {
        Value::Chance(chance) => format!("{:.0} %", 100.0 * chance),
        Value::WinsIn(1) => "wins now".to_owned(),
        Value::WinsIn(turns) => format!("wins in {turns} turns"),
        Value::LosesIn(1) => "loses at once".to_owned(),
        Value::LosesIn(turns) => format!("loses in {turns} turns"),
        Value::Draw => "draw".to_owned(),
    }
}

/// The same after "from" and "to": `a win in 3 turns`.
fn named(value: Value) -> String {
    match value {
        Value::WinsIn(1) => "a win at once".to_owned(),
        Value::WinsIn(turns) => format!("a win in {turns} turns"),
        Value::LosesIn(1) => "a loss at once".to_owned(),
        Value::LosesIn(turns) => format!("a loss in {turns} turns"),
        Value::Draw => "a draw".to_owned(),
        Value::Chance(_) => show(value),
    }
}

/// What a turn has cost; nothing where there is nothing to say.
pub fn verdict(turn: &TurnAnalysis) -> Option<String> {
    match turn.grade {
        Grade::Best | Grade::Good => None,
        Grade::MissedWin => Some(match turn.after {
            Value::LosesIn(_) => {
                format!("misses {} and gets {}", named(turn.value), named(turn.after))
            }
            _ => format!("misses {}", named(turn.value)),
        }),
        grade => {
            Some(format!("{}: from {} to {}", grade.name(), named(turn.value), named(turn.after)))
        }
    }
}

/// The same with the better turn and what it does: `mistake: from 48 % to 12 %; better j8: blocks the
/// open three g8–h8–i8`.
pub fn remark(rules: &Rules, turn: &TurnAnalysis) -> Option<String> {
    let verdict = verdict(turn)?;
    let better = notation::names(rules, &turn.best);
    let missed = turn.grade == Grade::MissedWin;
    let line = notation::names(rules, &turn.line);
    Some(match (missed, &turn.reason[..]) {
        (true, "") => format!("{verdict}: {line}"),
        (true, reason) => format!("{verdict}: {line} ({better}: {reason})"),
        (false, "") => format!("{verdict}; better {better}"),
        (false, reason) => format!("{verdict}; better {better}: {reason}"),
    })
}

/// What went wrong in a game, in a few sentences: how each side played, where the game turned, and
/// from when on it was won. `names` are those of Black and White.
pub fn summary(
    rules: &Rules,
    turns: &[TurnAnalysis],
    names: &[String; 2],
    winner: Option<Player>,
) -> String {
    let mut text = String::new();
    for player in Player::BOTH {
        let _ = writeln!(text, "{}", portrait(&names[player.index()], side(turns, player)));
    }
    text.push_str(&story(rules, turns, names, winner));
    text.truncate(text.trim_end().len());
    text
}

/// The part of a [`summary`] that tells what happened: where the game turned, and from when on it
/// was won. Empty when there is nothing to tell.
pub fn story(
    rules: &Rules,
    turns: &[TurnAnalysis],
    names: &[String; 2],
    winner: Option<Player>,
) -> String {
    let mut text = String::new();
    if let Some(at) = turning_point(turns) {
        let turn = &turns[at];
        let _ = writeln!(
            text,
            "The game turned at turn {}, when {} played {} ({}).",
            at + 1,
            names[turn.player.index()],
            notation::names(rules, &turn.played),
            remark(rules, turn).unwrap_or_else(|| turn.grade.name().to_owned())
        );
    }
    if let Some((winner, first)) =
        winner.and_then(|winner| Some((winner, won_from(turns, winner)?)))
    {
        let _ = writeln!(
            text,
            "From turn {} {} had a forced win and never lost it.",
            first + 1,
            names[winner.index()]
        );
    }
    text.truncate(text.trim_end().len());
    text
}

fn portrait(name: &str, side: Side) -> String {
    let poor = side.inaccuracies + side.mistakes + side.blunders + side.missed_wins;
    let mut words = vec![format!("{} of {} turns best or good", side.turns - poor, side.turns)];
    for (count, one, many) in [
        (side.inaccuracies, "inaccuracy", "inaccuracies"),
        (side.mistakes, "mistake", "mistakes"),
        (side.blunders, "blunder", "blunders"),
        (side.missed_wins, "missed win", "missed wins"),
    ] {
        match count {
            0 => {}
            1 => words.push(format!("1 {one}")),
            several => words.push(format!("{several} {many}")),
        }
    }
    format!("{name}: {}; accuracy {:.0} %", words.join(", "), side.accuracy)
}

/// Writes a comment after each turn and the better line as a variation. `line` are the nodes of
/// the game, the root first.
pub fn annotate(tree: &mut Tree, line: &[NodeId], rules: &Rules, turns: &[TurnAnalysis]) {
    let first = turns.first().map_or(0, |turn| turn.start);
    for turn in turns {
        let before = turn.start - first;
        let (Some(&from), Some(&to)) = (line.get(before), line.get(before + turn.played.len()))
        else {
            return;
        };
        let text = format!(
            "{}: {} before, {} after{}",
            turn.player,
            show(turn.value),
            show(turn.after),
            remark(rules, turn).map(|text| format!(". {text}")).unwrap_or_default()
        );
        tree.add_comment(to, &text);
        if turn.grade >= Grade::Inaccuracy {
            let mut at = Some(from);
            for &cell in &turn.line {
                at = at.and_then(|node| tree.add(node, cell));
            }
        }
    }
}
