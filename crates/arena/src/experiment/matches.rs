//! From the games of an experiment to its tables.

use std::fmt::Write;

use collinear_rules::Rules;

use super::cells::PairingResult;
use super::drawing::chart;
use super::findings::{EntryMark, Findings, Plot, Section, Table, TableEntry};
use super::printed;
use super::rating;
use super::spec::{Experiment, Matches};
use crate::game::Side;
use crate::plan::FirstMove;
use crate::report::elo_text;
use crate::stats::{Estimate, Interval, Sample};

/// Beyond this a difference is not put down to chance.
pub(super) const FAR: f64 = 3.0;

/// What the games of a match experiment say.
pub fn match_findings(
    experiment: &Experiment,
    matches: &Matches,
    results: &[PairingResult],
) -> Findings {
    let mut sections = vec![Section::Text(setting(matches, results))];
    sections.extend(experiment.notes.clone().map(Section::Text));
    sections.push(Section::Table(score_table(matches, results)));
    sections.extend(rating::table(matches, results).map(Section::Table));
    sections.extend(repetitions(matches, results).map(Section::Text));
    sections.extend(agreement(matches, results).map(Section::Text));
    sections.extend(printed::sections(matches, results));
    for (number, spec) in matches.plots.iter().enumerate() {
        let (chart, remark) = chart(matches, results, spec);
        let caption = [spec.caption.clone().unwrap_or_default(), remark].join(" ");
        sections.push(Section::Plot(Plot {
            name: format!("{}-{}", experiment.name, number + 1),
            caption: caption.trim().to_owned(),
            svg: chart.svg(),
        }));
    }
    sections.push(Section::Table(cost_table(matches, results)));
    Findings::new(experiment, sections, data(matches, results))
}

pub(super) fn game_name(rules: &Rules) -> String {
    rules.preset_name().map_or_else(|| rules.to_string(), ToOwned::to_owned)
}

fn setting(matches: &Matches, results: &[PairingResult]) -> String {
    let games = results.iter().map(|result| result.tally.games()).max().unwrap_or(0);
    let first = match matches.first_move {
        FirstMove::Alternating => "both players move first equally often",
        FirstMove::Fixed => "X always moves first",
    };
    let game = if matches.has_many_games() {
        "several games".to_owned()
    } else {
        game_name(&matches.cells[0].rules)
    };
    let done = results.iter().filter(|result| result.tally.games() > 0).count();
    let missing = if done < matches.cells.len() {
        format!(
            " Of {} cells, {} are not played yet.",
            matches.cells.len(),
            matches.cells.len() - done
        )
    } else {
        String::new()
    };
    format!(
        "{game}, {games} games per cell, {first}. A score is X's wins and half the draws.{missing}"
    )
}

/// A grid of X by O where the cells make one, otherwise a list.
fn score_table(matches: &Matches, results: &[PairingResult]) -> Table {
    let used = |pick: fn(&PairingResult) -> usize| {
        let mut list: Vec<usize> = Vec::new();
        for result in results {
            if !list.contains(&pick(result)) {
                list.push(pick(result));
            }
        }
        list
    };
    let (xs, os) = (used(|r| r.cell.x), used(|r| r.cell.o));
    let is_grid = xs.len() > 2
        && os.len() > 2
        && !matches.has_many_games()
        && 2 * results.len() >= xs.len() * os.len();
    if !is_grid {
        return score_list(matches, results);
    }
    let name = |index: usize| matches.players[index].name.clone();
    let mut header = vec!["O ↓  X →".to_owned()];
    header.extend(xs.iter().map(|&x| name(x)));
    let rows = os
        .iter()
        .map(|&o| {
            let mut row = vec![TableEntry::head(name(o))];
            row.extend(xs.iter().map(|&x| {
                results
                    .iter()
                    .find(|result| (result.cell.x, result.cell.o) == (x, o))
                    .map_or_else(TableEntry::default, |result| cell_entry(matches, result))
            }));
            row
        })
        .collect();
    let printed = if results.iter().any(|result| result.cell.printed.is_some()) {
        "; below it the printed score and z, the difference in standard deviations"
    } else {
        ""
    };
    Table { caption: format!("X's score in per cent{printed}."), header, rows }
}

pub(super) fn percent(part: f64) -> String {
    format!("{:.1}", 100.0 * part)
}

fn cell_entry(matches: &Matches, result: &PairingResult) -> TableEntry {
    if result.tally.games() == 0 {
        return TableEntry::new("–");
    }
    let entry = TableEntry::new(percent(result.tally.score()));
    if let (Some(printed), Some(z)) = (result.cell.printed, result.z(matches.printed_games)) {
        entry
            .with_note(format!("{} z {z:+.1}", percent(printed / matches.printed_games as f64)))
            .marked(if z.abs() > FAR { EntryMark::Off } else { EntryMark::None })
    } else {
        let Interval { low, high } = result.interval();
        entry.with_note(format!("{} to {}", percent(low), percent(high)))
    }
}

fn score_list(matches: &Matches, results: &[PairingResult]) -> Table {
    let printed = results.iter().any(|result| result.cell.printed.is_some());
    let mut header: Vec<String> =
        ["X", "O", "games", "score %", "95 %", "Elo", "wins %", "draws %", "first mover %"]
            .map(str::to_owned)
            .into();
    if matches.has_many_games() {
        header.insert(0, "game".to_owned());
    }
    if printed {
        header.extend(["printed %".to_owned(), "z".to_owned()]);
    }
    let rows = results
        .iter()
        .map(|result| {
            let (tally, wilson) = (result.tally, result.interval());
            let estimate = Estimate::of(&Sample::of_games(&tally), &tally);
            let mut row = vec![
                TableEntry::head(matches.players[result.cell.x].name.clone()),
                TableEntry::head(matches.players[result.cell.o].name.clone()),
                TableEntry::new(tally.games().to_string()),
                TableEntry::new(percent(tally.score())),
                TableEntry::new(format!("{} to {}", percent(wilson.low), percent(wilson.high))),
                TableEntry::new(elo_text(estimate.elo)),
                TableEntry::new(percent(tally.wins as f64 / tally.games().max(1) as f64)),
                TableEntry::new(percent(tally.draw_rate())),
                TableEntry::new(percent(result.first_movers.score())),
            ];
            if matches.has_many_games() {
                row.insert(0, TableEntry::head(game_name(&result.cell.rules)));
            }
            if printed {
                let z = result.z(matches.printed_games);
                let points = |p: f64| percent(p / matches.printed_games as f64);
                row.push(TableEntry::new(result.cell.printed.map(points).unwrap_or_default()));
                row.push(
                    TableEntry::new(z.map(|z| format!("{z:+.1}")).unwrap_or_default()).marked(
                        if z.is_some_and(|z| z.abs() > FAR) {
                            EntryMark::Off
                        } else {
                            EntryMark::None
                        },
                    ),
                );
            }
            row
        })
        .collect();
    Table { caption: "X's score in each match.".to_owned(), header, rows }
}

/// Which cells hold games that repeat others.
fn repetitions(matches: &Matches, results: &[PairingResult]) -> Option<String> {
    let name = |index: usize| &matches.players[index].name;
    let repeated = results.iter().filter(|result| result.distinct < result.tally.games());
    let listed: Vec<String> = repeated
        .map(|r| {
            let (x, o) = (name(r.cell.x), name(r.cell.o));
            format!("{x} – {o}: {} of {} games are distinct", r.distinct, r.tally.games())
        })
        .collect();
    (!listed.is_empty()).then(|| {
        format!(
            "{}. The others repeat them stone by stone; intervals and z count a repetition as nothing.",
            listed.join("; ")
        )
    })
}

/// How many cells agree with what was printed.
fn agreement(matches: &Matches, results: &[PairingResult]) -> Option<String> {
    let compared: Vec<_> =
        results.iter().filter_map(|r| r.z(matches.printed_games).map(|z| (r, z))).collect();
    if compared.is_empty() {
        return None;
    }
    let far: Vec<_> = compared.iter().filter(|(_, z)| z.abs() > FAR).collect();
    let mut text = format!(
        "|z| ≤ 3 in {} of {} cells ({:.1} %).",
        compared.len() - far.len(),
        compared.len(),
        100.0 * (compared.len() - far.len()) as f64 / compared.len() as f64
    );
    for (result, z) in far {
        let name = |index: usize| &matches.players[index].name;
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            " {} – {}: {} found, {} printed (z {z:+.1}).",
            name(result.cell.x),
            name(result.cell.o),
            percent(result.tally.score()),
            percent(result.cell.printed.unwrap_or(0.0) / matches.printed_games as f64),
        );
    }
    Some(text)
}

pub(super) fn costs(matches: &Matches, results: &[PairingResult]) -> Vec<Side> {
    let mut costs = vec![Side::default(); matches.players.len()];
    for result in results {
        costs[result.cell.x] += result.cost[0];
        costs[result.cell.o] += result.cost[1];
    }
    costs
}

fn cost_table(matches: &Matches, results: &[PairingResult]) -> Table {
    let rows = matches.players.iter().zip(costs(matches, results)).map(|(player, cost)| {
        let turns = cost.turns.max(1) as f64;
        vec![
            TableEntry::head(player.name.clone()),
            TableEntry::new(player.contestant.agent.text.clone()),
            TableEntry::new(cost.turns.to_string()),
            TableEntry::new(format!("{:.4}", cost.micros as f64 / 1000.0 / turns)),
            TableEntry::new(format!("{:.0}", cost.nodes as f64 / turns)),
            TableEntry::new(format!("{:.1}", cost.depth as f64 / turns)),
        ]
    });
    Table {
        caption: "What turns cost.".to_owned(),
        header: ["player", "agent", "turns", "ms per turn", "nodes per turn", "depth"]
            .map(str::to_owned)
            .into(),
        rows: rows.collect(),
    }
}

fn data(matches: &Matches, results: &[PairingResult]) -> Vec<Vec<String>> {
    let header = [
        "game",
        "x",
        "o",
        "games",
        "x_wins",
        "draws",
        "o_wins",
        "distinct",
        "x_points",
        "first_mover_points",
        "x_us_per_turn",
        "o_us_per_turn",
        "printed_points",
        "printed_games",
        "z",
    ];
    let micros = |side: &Side| format!("{:.3}", side.micros as f64 / side.turns.max(1) as f64);
    let rows = results.iter().map(|result| {
        let printed = result.cell.printed;
        vec![
            game_name(&result.cell.rules),
            matches.players[result.cell.x].name.clone(),
            matches.players[result.cell.o].name.clone(),
            result.tally.games().to_string(),
            result.tally.wins.to_string(),
            result.tally.draws.to_string(),
            result.tally.losses.to_string(),
            result.distinct.to_string(),
            result.tally.points().to_string(),
            result.first_movers.points().to_string(),
            micros(&result.cost[0]),
            micros(&result.cost[1]),
            printed.map(|p| p.to_string()).unwrap_or_default(),
            printed.map(|_| matches.printed_games.to_string()).unwrap_or_default(),
            result.z(matches.printed_games).map(|z| format!("{z:.3}")).unwrap_or_default(),
        ]
    });
    std::iter::once(header.map(str::to_owned).into()).chain(rows).collect()
}
