//! The report of a run: one page to share, with everything in it: standings, rounds, crosstable, how
//! it was played and how to play it again, and every game.

use std::collections::HashSet;
use std::fmt::Write;

use collinear_rules::notation;

use super::html::{Page, escape, frame, standings_html, table_html};
use crate::experiment::{Table, TableEntry};
use crate::game::{GameSummary, PlayedGame};
use crate::opening::OpeningSource;
use crate::plan::{FirstMove, Format};
use crate::run_spec::RunSpec;
use crate::standings::Standings;
use crate::store::{RunRow, Store, StoreError};
use crate::swiss::Swiss;

/// Games whose stones are on the page; a file for a mail has room for as many.
const MAX_LISTED: usize = 5000;

/// What a run is called in its report, and a sentence about it.
pub fn run_headline(row: &RunRow, games: usize) -> (String, String) {
    let rules = row.parsed_rules();
    let name = rules.as_ref().and_then(collinear_rules::Rules::preset_name).unwrap_or(&row.rules);
    let kind = if row.labels().len() == 2 { "Match" } else { "Tournament" };
    let spec = row.spec().ok();
    let how = spec.as_ref().map_or_else(String::new, |spec| {
        let format = match spec.format {
            Format::RoundRobin => format!("{} per pairing", spec.games),
            Format::Gauntlet => format!("{} per pairing of a gauntlet", spec.games),
            Format::Swiss => format!(
                "a Swiss tournament of {} rounds with {} per meeting",
                spec.length(),
                spec.games
            ),
        };
        let colours = match spec.first_move {
            FirstMove::Alternating if spec.games > 1 => "every start twice with colours swapped",
            FirstMove::Alternating => "colours in turn",
            FirstMove::Fixed => "the first named moves first",
        };
        format!(", {format}, {colours}, seed {}", spec.seed)
    });
    let state = match row.planned {
        Some(planned) if (games as u64) < planned => format!("{games} of {planned} games so far"),
        _ => format!("{games} games"),
    };
    (format!("{kind}: {name}"), format!("{}, {state}{how}.", row.rules))
}

/// The page of a run with these games, of which each is in the store.
pub fn run_page(row: &RunRow, games: &[GameSummary], store: &Store) -> Result<String, StoreError> {
    let labels = row.labels();
    let standings = Standings::new(&labels, games);
    let (title, subtitle) = run_headline(row, games.len());
    let mut body = String::new();
    if let Some(swiss) = row.swiss(games) {
        body.push_str(&table_html(&places(&swiss, &standings)));
        for (number, round) in swiss.rounds.iter().enumerate() {
            body.push_str(&table_html(&round_table(number, round, &labels)));
        }
    }
    body.push_str(&standings_html(&standings));
    body.push_str(&table_html(&facts(row, &standings)));
    if let Ok(spec) = row.spec() {
        body.push_str(&again(&spec));
    }
    body.push_str(&moves(row, games, store, &labels)?);
    let page = Page {
        title,
        subtitle,
        made_by: format!(
            "Made by collinear {}; run {}, begun {} UTC, played by build {}.",
            env!("CARGO_PKG_VERSION"),
            row.id,
            row.started,
            row.build
        ),
    };
    Ok(frame(&page, &body))
}

/// The table of a Swiss tournament.
fn places(swiss: &Swiss, standings: &Standings) -> Table {
    let rows = swiss.places.iter().enumerate().map(|(place, line)| {
        let player = &standings.players[line.player];
        vec![
            TableEntry::head((place + 1).to_string()),
            TableEntry::head(player.label.clone()),
            TableEntry::new(line.points.to_string()),
            TableEntry::new(line.buchholz.to_string()),
            TableEntry::new(player.tally.to_string()),
            TableEntry::new(line.byes.to_string()),
        ]
    });
    Table {
        caption:
            "The table: points, with equal points Buchholz, the points of the opponents added \
                  up. A bye counts as if every game of its round had been won."
                .to_owned(),
        header: ["", "", "points", "Buchholz", "games", "byes"].map(str::to_owned).into(),
        rows: rows.collect(),
    }
}

fn round_table(number: usize, round: &crate::SwissRound, labels: &[String]) -> Table {
    let name = |player: usize| labels.get(player).cloned().unwrap_or_default();
    let meetings = round.meetings.iter().map(|meeting| {
        let [a, b] = meeting.points;
        let result =
            if meeting.games > 0 { format!("{a} : {b}") } else { "not played yet".to_owned() };
        let [first, second] = meeting.players.map(name);
        vec![TableEntry::head(first), TableEntry::head(second), TableEntry::new(result)]
    });
    let bye = round.bye.map(|player| {
        vec![TableEntry::head(name(player)), TableEntry::head("–"), TableEntry::new("bye")]
    });
    Table {
        caption: format!("Round {}.", number + 1),
        header: ["", "", "points"].map(str::to_owned).into(),
        rows: meetings.chain(bye).collect(),
    }
}

/// How it was played, and how games ended.
fn facts(row: &RunRow, standings: &Standings) -> Table {
    let fact = |name: &str, value: String| vec![TableEntry::head(name), TableEntry::new(value)];
    let mut rows = vec![fact("game", row.rules.clone())];
    if let Ok(spec) = row.spec() {
        let format = match spec.format {
            Format::RoundRobin => "round-robin".to_owned(),
            Format::Gauntlet => "gauntlet".to_owned(),
            Format::Swiss => format!("Swiss, {} rounds", spec.length()),
        };
        let start = match &spec.openings {
            OpeningSource::Word(word) => word.clone(),
            OpeningSource::Lines(lines) => format!("{} given openings", lines.len()),
        };
        rows.push(fact("format", format));
        rows.push(fact("games per meeting", spec.games.to_string()));
        let limits = spec.limits.to_string();
        let limits = if limits.is_empty() { "none".to_owned() } else { limits };
        rows.push(fact("limits, unless a name says others", limits));
        rows.push(fact("openings", start));
        if let Some(rule) = spec.opening_rule {
            rows.push(fact("opening rule", rule.to_string()));
        }
        rows.push(fact("seed", spec.seed.to_string()));
    }
    let movers = standings.first_movers;
    rows.push(fact("score of the first mover", format!("{:.1} %", 100.0 * movers.score())));
    let worth = standings.first_move;
    rows.push(fact(
        "worth of the first move",
        format!("{:+.0} ± {:.0} Elo", worth.elo, worth.error),
    ));
    for (ending, count) in &standings.endings {
        rows.push(fact(&format!("ended by {}", ending.name()), count.to_string()));
    }
    Table {
        caption: "Settings, and all games.".to_owned(),
        header: vec![String::new(), String::new()],
        rows,
    }
}

/// The file and the command that play it again.
fn again(spec: &RunSpec) -> String {
    // A seed above 2⁶³ has no place in such a file.
    let Ok(file) = toml::to_string(spec) else { return String::new() };
    format!(
        "<h2>To play it again</h2>\n<p>Keep this as <code>cup.toml</code>, then \
         <code>collinear tournament cup.toml</code>. Engines of other people need their names first: \
         <code>collinear engines add</code>.</p>\n<pre>{}</pre>\n",
        escape(&file)
    )
}

/// Every game with its stones.
fn moves(
    row: &RunRow,
    games: &[GameSummary],
    store: &Store,
    labels: &[String],
) -> Result<String, StoreError> {
    let listed: HashSet<u64> = games.iter().take(MAX_LISTED).map(|game| game.number).collect();
    let mut out = "<h2>Games</h2>\n".to_owned();
    store.each_game(row, &mut |game| {
        if listed.contains(&game.summary.number) {
            out.push_str(&game_html(&game, labels));
        }
    })?;
    if games.len() > MAX_LISTED {
        // Writing into a string cannot fail.
        let _ = writeln!(
            out,
            "<p>The first {MAX_LISTED} of {} games; <code>collinear export</code> writes all.</p>",
            games.len()
        );
    }
    Ok(out)
}

fn game_html(game: &PlayedGame, labels: &[String]) -> String {
    let summary = &game.summary;
    let name = |player: usize| escape(labels.get(player).map_or("?", String::as_str));
    let result = match summary.half_points() {
        2 => "1 : 0",
        1 => "½ : ½",
        _ => "0 : 1",
    };
    let rules = &game.record.rules;
    let stones = game.record.moves();
    let (opening, rest) = stones.split_at(game.record.opening.min(stones.len()));
    let opening = if opening.is_empty() {
        String::new()
    } else {
        format!("<span class=\"opening\">{}</span> ", notation::names(rules, opening))
    };
    let detail = game.detail().map(|words| format!("<br>{}", escape(words))).unwrap_or_default();
    format!(
        "<details><summary>{}. {} – {} <b>{result}</b> ({})</summary><p class=\"moves\">{opening}{}{detail}</p></details>\n",
        summary.number + 1,
        name(summary.black),
        name(summary.white),
        summary.reason.name(),
        notation::names(rules, rest),
    )
}
