//! What a document prints beside the score, beside ours: draws, lengths of games, times; and which
//! of several readings of a vague text fits all its results at once.

use std::fmt::Write;

use super::cells::PairingResult;
use super::findings::{EntryMark, Section, Table, TableEntry};
use super::matches::{FAR, percent};
use super::spec::Matches;

/// Fewer games of a match than these say nothing about a reading: even 20 leave ten per cent either
/// way within one standard deviation.
const MIN_GAMES: u64 = 100;

/// The sections of a report; none where nothing is printed.
pub(super) fn sections(matches: &Matches, results: &[PairingResult]) -> Vec<Section> {
    let mut sections = Vec::new();
    sections.extend(readings(matches, results).into_iter().flatten());
    sections.extend(more(matches, results).into_iter().flatten());
    sections
}

/// A share of ours beside a printed one: the difference in standard deviations.
fn share_z(ours: u64, games: u64, printed: f64, printed_games: u64) -> Option<f64> {
    let (m, n) = (games as f64, printed_games as f64);
    if m == 0.0 || n == 0.0 {
        return None;
    }
    // Smoothed as the z of scores is.
    let pooled = (ours as f64 + printed + 1.0) / (m + n + 2.0);
    let error = (pooled * (1.0 - pooled) * (1.0 / m + 1.0 / n)).sqrt();
    Some((ours as f64 / m - printed / n) / error)
}

/// The mean length of a game beside the printed one. The printed games are taken to vary as ours.
fn length_z(result: &PairingResult, printed: f64, printed_games: u64) -> Option<f64> {
    let (m, n) = (result.tally.games() as f64, printed_games as f64);
    if m < 2.0 || n == 0.0 {
        return None;
    }
    let turns = (result.cost[0].turns + result.cost[1].turns) as f64;
    let variance = ((result.squared_turns - turns * turns / m) / (m - 1.0)).max(0.0);
    let error = (variance * (1.0 / m + 1.0 / n)).sqrt();
    let difference = turns / m - printed / n;
    Some(if error > 0.0 { difference / error } else { 0.0 })
}

fn z_entry(z: Option<f64>) -> TableEntry {
    let text = z.map(|z| format!("{z:+.1}")).unwrap_or_default();
    TableEntry::new(text).marked(if z.is_some_and(|z| z.abs() > FAR) {
        EntryMark::Off
    } else {
        EntryMark::None
    })
}

/// Draws, lengths and times.
fn more(matches: &Matches, results: &[PairingResult]) -> Option<Vec<Section>> {
    let any = |r: &&PairingResult| r.cell.printed_more != super::PrintedMore::default();
    let printed: Vec<_> = results.iter().filter(any).collect();
    if printed.is_empty() {
        return None;
    }
    let games = matches.printed_games;
    let mut squares = [(0.0, 0_u32); 2];
    let mut count = |which: usize, z: Option<f64>| {
        if let Some(z) = z {
            squares[which].0 += z * z;
            squares[which].1 += 1;
        }
        z_entry(z)
    };
    let number = |value: Option<f64>, digits: usize| {
        TableEntry::new(value.map(|v| format!("{v:.digits$}")).unwrap_or_default())
    };
    let rows = printed.iter().map(|result| {
        let (tally, p) = (result.tally, result.cell.printed_more);
        let cost = result.cost;
        let (turns, micros) =
            (cost[0].turns + cost[1].turns, (cost[0].micros + cost[1].micros) as f64);
        let draws_z = p.draws.and_then(|d| share_z(tally.draws, tally.games(), d, games));
        let length_z = p.turns.and_then(|turns| length_z(result, turns, games));
        vec![
            TableEntry::head(matches.players[result.cell.x].name.clone()),
            TableEntry::head(matches.players[result.cell.o].name.clone()),
            TableEntry::new(percent(tally.draw_rate())),
            number(p.draws.map(|d| 100.0 * d / games as f64), 1),
            count(0, draws_z),
            TableEntry::new(format!("{:.2}", turns as f64 / tally.games().max(1) as f64)),
            number(p.turns.map(|t| t / games as f64), 2),
            count(1, length_z),
            TableEntry::new(format!("{:.1}", micros / turns.max(1) as f64)),
            number(p.micros, 0),
        ]
    });
    let header = [
        "X",
        "O",
        "draws %",
        "printed",
        "z",
        "turns per game",
        "printed",
        "z",
        "µs per turn",
        "printed",
    ];
    let table = Table {
        caption: "Draws, lengths of games and times beside the printed ones.".to_owned(),
        rows: rows.collect(),
        header: header.map(str::to_owned).into(),
    };
    let parts = ["numbers of draws", "mean lengths"].into_iter().zip(squares);
    let found: Vec<String> = parts
        .filter(|(_, (_, n))| *n > 0)
        .map(|(what, (sum, n))| format!("of {n} {what}: {:.2}", sum / f64::from(n)))
        .collect();
    let text = if found.is_empty() {
        "Times are those of this machine and of the document's.".to_owned()
    } else {
        format!("Mean z² {}. Chance alone gives 1.", found.join("; "))
    };
    Some(vec![Section::Table(table), Section::Text(text)])
}

/// Every reading with its results, once by score and once by wins alone, and which fit them all.
fn readings(matches: &Matches, results: &[PairingResult]) -> Option<Vec<Section>> {
    let mut names: Vec<&str> = Vec::new();
    for result in results {
        if let Some(reading) = result.cell.reading.as_deref()
            && !names.contains(&reading)
        {
            names.push(reading);
        }
    }
    if names.is_empty() {
        return None;
    }
    let games = matches.printed_games;
    let mut fitting = Vec::new();
    let mut too_few = false;
    let mut rows = Vec::new();
    for name in &names {
        let cells: Vec<_> = results
            .iter()
            .filter(|r| r.cell.reading.as_deref() == Some(name) && r.tally.games() > 0)
            .filter_map(|r| Some((r, r.cell.printed?)))
            .collect();
        for (counted, z) in [
            (
                "score",
                &(|r: &PairingResult, _| r.z(games)) as &dyn Fn(&PairingResult, f64) -> Option<f64>,
            ),
            ("wins", &|r, printed| share_z(r.tally.wins, r.tally.games(), printed, games)),
        ] {
            let zs: Vec<Option<f64>> = cells.iter().map(|(r, p)| z(r, *p)).collect();
            let close = zs.iter().flatten().filter(|z| z.abs() <= FAR).count();
            let enough = cells.iter().all(|(r, _)| r.distinct >= MIN_GAMES);
            too_few |= !enough;
            if close == cells.len() && !cells.is_empty() && enough {
                fitting.push(format!("{name}, counting {counted}"));
            }
            let mut found = String::new();
            for ((r, printed), z) in cells.iter().zip(&zs) {
                let ours = match counted {
                    "score" => r.tally.score(),
                    _ => r.tally.wins as f64 / r.tally.games() as f64,
                };
                // Writing into a string cannot fail.
                let _ = write!(
                    found,
                    "{}{} for {} ({:+.1})",
                    if found.is_empty() { "" } else { "; " },
                    percent(ours),
                    percent(printed / games as f64),
                    z.unwrap_or(0.0),
                );
            }
            rows.push(vec![
                TableEntry::head((*name).to_owned()),
                TableEntry::new(counted.to_owned()),
                TableEntry::new(format!("{close} of {}", cells.len())),
                TableEntry::new(found),
            ]);
        }
    }
    let table = Table {
        caption: "Readings of the text: ours for the printed per cent, z in brackets.".to_owned(),
        header: ["reading", "counting", "within chance", "found"].map(str::to_owned).into(),
        rows,
    };
    let mut text = match (fitting.is_empty(), too_few) {
        (false, _) => format!("All printed results at once fit: {}.", fitting.join("; ")),
        (true, false) => "No reading tried fits all printed results at once.".to_owned(),
        (true, true) => String::new(),
    };
    if too_few {
        let _ = write!(
            text,
            "{}Readings with fewer than {MIN_GAMES} different games in a match are not judged.",
            if text.is_empty() { "" } else { " " },
        );
    }
    Some(vec![Section::Table(table), Section::Text(text)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_of_shares_is_that_of_two_proportions() {
        // 520 and 480 of 1000: pooled ½, error 0.02236, difference 0.04.
        let z = share_z(520, 1000, 480.0, 1000).expect("z");
        assert!((z - 1.788_85).abs() < 1e-4, "{z}");
        assert_eq!(share_z(0, 10, 0.0, 10), Some(0.0));
        let few = share_z(0, 2, 70.0, 100).expect("z");
        assert!(few > -3.0, "two games prove nothing: {few}");
        assert_eq!(share_z(0, 0, 0.0, 10), None);
    }
}
