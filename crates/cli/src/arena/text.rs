//! Results as text for a terminal.

use std::fmt::Write;

use collinear_arena::Openings;
use collinear_arena::Plan;
use collinear_arena::Scoreboard;
use collinear_arena::Side;
use collinear_arena::report::elo_text;
use collinear_arena::stats::{EloScale, Estimate, Interval, Sample, Sprt, SprtVerdict};
use collinear_arena::{Standing, Standings, Swiss};

/// The summary of a match between two.
pub(crate) fn match_text(plan: &Plan, score: &Scoreboard, standings: &Standings) -> String {
    let [first, second] = &standings.players[..] else { return String::new() };
    let players = [first, second];
    let name = plan.rules.preset_name().map(|name| format!("{name} ")).unwrap_or_default();
    let rules = plan.rules;
    let title =
        format!("{} – {} on {name}({rules}), seed {}", first.label, second.label, plan.seed);
    let movers = standings.first_movers;
    // Nothing can be said of no games.
    if first.tally.games() == 0 {
        return format!("{:<12}{title}\n{:<12}no game was finished\n", "match", "score");
    }
    let mut lines = vec![("match", title), ("score", score_line(first, score.interval(0)))];
    lines.extend(repetitions(plan, score).map(|text| ("distinct", text)));
    if let Sample::Pairs([ll, ld, dd, wd, ww]) = score.sample() {
        let pairs =
            format!("{ll} with 0 points, {ld} with ½, {dd} with 1, {wd} with 1½, {ww} with 2");
        lines.push(("pairs", pairs));
    }
    lines.push(("Elo", elo_line(&score.estimate())));
    lines.extend(score.sprt().map(|sprt| ("SPRT", sprt_line(&sprt))));
    lines.push(("first move", format!("scored {:.1} %   {movers}", 100.0 * movers.score())));
    lines.extend(players.map(|one| ("per turn", format!("{}: {}", one.label, cost(one)))));
    lines.extend(players.map(|one| ("in all", format!("{}: {}", one.label, in_all(one)))));
    lines.push(("endings", endings(standings)));
    lines.extend(players.into_iter().filter_map(faults).map(|text| ("faults", text)));
    lines.extend(players.into_iter().filter_map(misjudged).map(|text| ("verdicts", text)));
    lines.iter().fold(String::new(), |mut out, (head, text)| {
        // Writing into a string cannot fail.
        let _ = writeln!(out, "{head:<12}{text}");
        out
    })
}

fn score_line(first: &Standing, interval: Interval) -> String {
    let tally = first.tally;
    format!(
        "{} of {} = {:.1} % (95 %: {:.1} to {:.1})   {tally}",
        tally.points(),
        tally.games(),
        100.0 * tally.score(),
        100.0 * interval.low,
        100.0 * interval.high,
    )
}

/// Of games that repeat others, where there are any.
fn repetitions(plan: &Plan, score: &Scoreboard) -> Option<String> {
    let (distinct, results) = (score.distinct(), score.sample().len());
    let what = if plan.is_paired() { "pairs" } else { "games" };
    let remedy = if plan.openings == Openings::Empty {
        "; start from different positions, such as --openings random:4"
    } else {
        ""
    };
    (distinct < results).then(|| {
        format!(
            "{distinct} of {results} {what}: the others repeat them stone by stone, and intervals \
             count a repetition as nothing{remedy}"
        )
    })
}

fn elo_line(estimate: &Estimate) -> String {
    format!(
        "{} (95 %: {} to {}), normalised {} ± {:.0}, superiority {:.1} %",
        elo_text(estimate.elo),
        elo_text(estimate.interval.low),
        elo_text(estimate.interval.high),
        elo_text(estimate.normalised),
        estimate.normalised_error,
        100.0 * estimate.los,
    )
}

fn sprt_line(sprt: &Sprt) -> String {
    let Sprt { bounds, llr, lower, upper, verdict } = sprt;
    let unit = match bounds.scale {
        EloScale::Logistic => "Elo",
        EloScale::Normalised => "normalised Elo",
    };
    let verdict = match verdict {
        SprtVerdict::Undecided => "undecided: more games are needed".to_owned(),
        SprtVerdict::AcceptH0 => format!("H0 accepted: {} or less", bounds.elo0),
        SprtVerdict::AcceptH1 => format!("H1 accepted: {} or more", bounds.elo1),
    };
    let (elo0, elo1) = (bounds.elo0, bounds.elo1);
    format!("LLR {llr:.2} [{lower:.2}, {upper:.2}] for {elo0} against {elo1} {unit}: {verdict}")
}

/// Of games lost by faults.
fn faults(player: &Standing) -> Option<String> {
    let faults: Vec<_> =
        player.faults.iter().map(|(what, n)| format!("{} {n}", what.name())).collect();
    (!faults.is_empty()).then(|| {
        format!(
            "{}: {}: {} of its {} losses say nothing about its strength",
            player.label,
            faults.join(", "),
            player.fault_count(),
            player.tally.losses
        )
    })
}

/// Of games that a player judged wrongly.
fn misjudged(player: &Standing) -> Option<String> {
    let Side { sure_but_lost, gave_up_early, .. } = player.cost;
    (sure_but_lost + gave_up_early > 0).then(|| {
        format!(
            "{}: {sure_but_lost} games lost after it was sure to win; {gave_up_early} turns judged \
             lost without a proof in less than half the time",
            player.label
        )
    })
}

/// The table of a Swiss tournament, best first, and who met whom in its last round.
pub(crate) fn swiss_text(swiss: &Swiss, labels: &[String]) -> String {
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).max(6);
    let mut out = format!("  # {:<width$} points Buchholz  byes\n", "");
    for (place, line) in swiss.places.iter().enumerate() {
        let _ = writeln!(
            out,
            "{:>3} {:<width$} {:>6} {:>8} {:>5}",
            place + 1,
            labels[line.player],
            line.points,
            line.buchholz,
            line.byes
        );
    }
    if let Some(round) = swiss.rounds.last() {
        let met = round.meetings.iter().map(|meeting| {
            let ([a, b], [x, y]) = (meeting.players, meeting.points);
            format!("{} – {} {x}:{y}", labels[a], labels[b])
        });
        let met: Vec<String> = met.collect();
        let _ = writeln!(out, "round {}: {}", swiss.rounds.len(), met.join(", "));
    }
    out
}

/// The crosstable of many, best first.
pub(crate) fn table_text(standings: &Standings) -> String {
    let order = standings.ranking();
    let width = standings.players.iter().map(|p| p.label.chars().count()).max().unwrap_or(0).max(6);
    let mut out = format!(
        "Elo above the mean ± 95 %; columns 1 to {}: score against that place, in per cent\n",
        order.len()
    );
    let _ = write!(out, "  # {:<width$}  Elo   ±  games  score", "");
    for place in 1..=order.len() {
        let _ = write!(out, "{place:>6}");
    }
    out.push_str("    ms per turn\n");
    for (place, &index) in order.iter().enumerate() {
        let player = &standings.players[index];
        let _ = write!(
            out,
            "{:>3} {:<width$} {:>+5.0} {:>3.0} {:>6} {:>5.1}%",
            place + 1,
            player.label,
            player.rating.elo,
            player.rating.error,
            player.tally.games(),
            100.0 * player.tally.score(),
        );
        for &other in &order {
            let tally = standings.crosstable.between(index, other);
            if tally.games() == 0 {
                out.push_str("     ·");
            } else {
                let _ = write!(out, "{:>6.0}", 100.0 * tally.score());
            }
        }
        let faults = player.fault_count();
        let faults = if faults > 0 { format!("   {faults} faults") } else { String::new() };
        let _ = writeln!(out, "   {:>10.2}{faults}", player.millis_a_turn());
    }
    let movers = standings.first_movers;
    let _ = writeln!(
        out,
        "first move: {:.1} % of {} games, worth {:+.0} ± {:.0} Elo; endings: {}",
        100.0 * movers.score(),
        movers.games(),
        standings.first_move.elo,
        standings.first_move.error,
        endings(standings),
    );
    out
}

fn cost(player: &Standing) -> String {
    let mut text = format!("{:.3} ms", player.millis_a_turn());
    if player.cost.nodes > 0 {
        let _ = write!(text, ", {:.0} nodes", player.nodes_a_turn());
    }
    if player.cost.depth > 0 {
        let _ = write!(text, ", depth {:.1}", player.depth_a_turn());
    }
    text
}

/// What the program of document 003 prints: the turns of a player and the time they took.
fn in_all(player: &Standing) -> String {
    let seconds = player.cost.micros as f64 / 1e6;
    format!("{} turns in {seconds:.3} s", player.cost.turns)
}

fn endings(standings: &Standings) -> String {
    let parts: Vec<_> =
        standings.endings.iter().map(|(what, n)| format!("{} {n}", what.name())).collect();
    parts.join(", ")
}
