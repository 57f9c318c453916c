//! Results as text for a terminal.

use std::fmt::Write;

use collinear_arena::Openings;
use collinear_arena::Plan;
use collinear_arena::Scoreboard;
use collinear_arena::Side;
use collinear_arena::report::elo_text;
use collinear_arena::stats::{EloScale, Sample, Verdict};
use collinear_arena::{Standing, Standings};

/// The summary of a match between two.
pub(crate) fn match_text(plan: &Plan, score: &Scoreboard, standings: &Standings) -> String {
    let mut out = String::new();
    let [first, second] = &standings.players[..] else { return out };
    let (tally, interval) = (first.tally, score.interval(0));
    let name = plan.rules.preset_name().map(|name| format!("{name} ")).unwrap_or_default();
    let mut line = |head: &str, text: String| {
        // Writing into a string cannot fail.
        let _ = writeln!(out, "{head:<12}{text}");
    };
    line(
        "match",
        format!("{} – {} on {name}({}), seed {}", first.label, second.label, plan.rules, plan.seed),
    );
    line(
        "score",
        format!(
            "{} of {} = {:.1} % (95 %: {:.1} to {:.1})   {tally}",
            tally.points(),
            tally.games(),
            100.0 * tally.score(),
            100.0 * interval.low,
            100.0 * interval.high,
        ),
    );
    let results = score.sample().len();
    if score.distinct() < results {
        let what = if plan.is_paired() { "pairs" } else { "games" };
        line(
            "distinct",
            format!(
                "{} of {results} {what}: the others repeat them stone by stone, and intervals count \
                 a repetition as nothing{}",
                score.distinct(),
                if plan.openings == Openings::Empty {
                    "; start from different positions, such as --openings random:4"
                } else {
                    ""
                }
            ),
        );
    }
    if let Sample::Pairs([ll, ld, dd, wd, ww]) = score.sample() {
        line(
            "pairs",
            format!("{ll} with 0 points, {ld} with ½, {dd} with 1, {wd} with 1½, {ww} with 2"),
        );
    }
    let estimate = score.estimate();
    line(
        "Elo",
        format!(
            "{} (95 %: {} to {}), normalised {} ± {:.0}, superiority {:.1} %",
            elo_text(estimate.elo),
            elo_text(estimate.interval.low),
            elo_text(estimate.interval.high),
            elo_text(estimate.normalised),
            estimate.normalised_error,
            100.0 * estimate.los,
        ),
    );
    if let Some(sprt) = score.sprt() {
        let bounds = sprt.bounds;
        let unit = match bounds.scale {
            EloScale::Logistic => "Elo",
            EloScale::Normalised => "normalised Elo",
        };
        let verdict = match sprt.verdict {
            Verdict::Undecided => "undecided: more games are needed".to_owned(),
            Verdict::AcceptH0 => format!("H0 accepted: {} or less", bounds.elo0),
            Verdict::AcceptH1 => format!("H1 accepted: {} or more", bounds.elo1),
        };
        line(
            "SPRT",
            format!(
                "LLR {:.2} [{:.2}, {:.2}] for {} against {} {unit}: {verdict}",
                sprt.llr, sprt.lower, sprt.upper, bounds.elo0, bounds.elo1
            ),
        );
    }
    let movers = standings.first_movers;
    line("first move", format!("scored {:.1} %   {movers}", 100.0 * movers.score()));
    for player in [first, second] {
        line("per turn", format!("{}: {}", player.label, cost(player)));
    }
    line("endings", endings(standings));
    for player in [first, second] {
        if !player.faults.is_empty() {
            let faults: Vec<_> =
                player.faults.iter().map(|(what, n)| format!("{} {n}", what.name())).collect();
            line(
                "faults",
                format!(
                    "{}: {}: {} of its {} losses say nothing about its strength",
                    player.label,
                    faults.join(", "),
                    player.fault_count(),
                    player.tally.losses
                ),
            );
        }
    }
    for player in [first, second] {
        let Side { sure_but_lost, gave_up_early, .. } = player.cost;
        if sure_but_lost + gave_up_early > 0 {
            line(
                "verdicts",
                format!(
                    "{}: sure to win and lost {sure_but_lost} games; {gave_up_early} turns given up \
                     without a proof in less than half the time",
                    player.label
                ),
            );
        }
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

fn endings(standings: &Standings) -> String {
    let parts: Vec<_> =
        standings.endings.iter().map(|(what, n)| format!("{} {n}", what.name())).collect();
    parts.join(", ")
}
