//! The constants of the fours from games: document 003's "future work", done.
//!
//! A four is worth a constant by what it holds, eight in all. Teachers play each other; each
//! position of their games says how many fours of each kind there are and how the game came out
//! for the player who has just moved. Multiple regression finds the eight constants that explain
//! the results best, and players with these constants then meet those of the document.
//!
//! A second regression asks the document's other question, how many moves a four still needs: the
//! open fours are told apart by how many discs must still fall until they are complete.

use std::collections::BTreeMap;
use std::fmt::Write;

use collinear_arena::PlayedGame;
use collinear_arena::RunRow;
use collinear_arena::Shard;
use collinear_arena::experiment::{
    Content, Experiment, Findings, Matches, PairingResult, PairingRunner, Plot, Section, Table,
    TableEntry, match_findings,
};
use collinear_arena::report::chart::{Axis, Chart, Point, Series, Style};
use collinear_arena::stats::{LeastSquares, Observations};
use collinear_rules::{Cell, Player, Position, Rules, WindowId};
use serde::Deserialize;

use crate::studies::{Context, StudyError};

/// What the file says under `[parameters]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    teachers: Vec<String>,
    teaching_games: u64,
    largest: i32,
    plies: Vec<u32>,
    games: u64,
    opening_discs: u32,
    rivals: BTreeMap<String, [i32; KINDS.len()]>,
}

/// What a four can hold, in the order of the document's table.
const KINDS: [&str; 8] = ["blocked", "O3", "O2", "O1", "empty", "X1", "X2", "X3"];

/// Teachers play, the constants are fitted, and players with them meet the document's.
pub(super) fn study(context: &Context<'_>) -> Result<Findings, StudyError> {
    let settings: Settings =
        context.parameters.clone().try_into().map_err(|error| context.wrong(&error))?;
    if !(1..=1000).contains(&settings.largest) {
        return Err(context.wrong(&"largest must be 1 to 1000"));
    }

    // Step 1: games to learn from.
    (context.say)("teachers play");
    let lessons = teaching(context, &settings)?;
    play(context, &lessons)?;
    if context.stop.is_stopped() {
        return Err(StudyError::Stopped { detail: None });
    }

    // Step 2: the constants.
    (context.say)("regression");
    let mut by_kind = Observations::new(KINDS.len());
    let mut by_need = Observations::new(NEED_FEATURES);
    let mut games = 0;
    each_game(context, &lessons, &mut |game| {
        observe(game, games, &mut by_kind, &mut by_need);
        games += 1;
    })?;
    let Some(fit) = by_kind.fit() else {
        return Err(context.wrong(&format!("{games} games are too few to fit eight constants")));
    };
    let constants = constants(&fit, settings.largest);

    // Step 3: the players they make.
    (context.say)("the fitted players meet the others");
    let exam = exam(context, &settings, &constants)?;
    let results = play(context, &exam)?;
    if context.stop.is_stopped() {
        return Err(StudyError::Stopped { detail: None });
    }

    let mut findings = match_findings(context.experiment, &exam, &results);
    let mut sections = vec![
        Section::Text(format!(
            "{games} games of {} from openings of {} random discs; {} positions. The constants \
             explain {:.0} % of the variance of the results.",
            settings.teachers.join(", "),
            settings.opening_discs,
            by_kind.len(),
            100.0 * fit.r_squared
        )),
        Section::Table(constants_table(&settings, &fit, &constants)),
    ];
    if let Some(fit) = by_need.fit() {
        sections.push(Section::Table(needs_table(&fit)));
    }
    sections.push(Section::Plot(picture(&settings, &exam, &results)));
    sections.append(&mut findings.sections);
    findings.sections = sections;
    Ok(findings)
}

/// The constants for a player: blocked is nothing, the largest as large as wanted.
///
/// A four of every kind more is worth nothing, since their number never changes: so taking the
/// same from all eight changes no comparison.
fn constants(fit: &LeastSquares, largest: i32) -> [i32; KINDS.len()] {
    let shifted: [f64; KINDS.len()] =
        std::array::from_fn(|kind| fit.coefficients[kind] - fit.coefficients[0]);
    let most = shifted.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    shifted.map(|value| (value / most * f64::from(largest)).round() as i32)
}

/// The matches of a list of cells, each with the players' names and agents.
fn matches(
    context: &Context<'_>,
    games: u64,
    discs: u32,
    cells: &[[(String, String); 2]],
) -> Result<Matches, StudyError> {
    let mut text = format!(
        "title = \"\"\nquestion = \"\"\ngame = \"connect4\"\ngames = {games}\n\
         openings = \"random:{discs}\"\n"
    );
    let mut players = BTreeMap::new();
    text.push_str("cells = [\n");
    for [(x, x_agent), (o, o_agent)] in cells {
        players.extend([(x, x_agent), (o, o_agent)]);
        let _ = writeln!(text, "{{ x = {x:?}, o = {o:?} }},");
    }
    text.push_str("]\n[players]\n");
    for (name, agent) in players {
        let value: f64 =
            name.split(|c: char| !c.is_ascii_digit()).find_map(|n| n.parse().ok()).unwrap_or(0.0);
        let _ = writeln!(text, "{name:?} = {{ agent = {agent:?}, value = {value} }}");
    }
    let experiment = Experiment::parse(&context.experiment.name, &text, context.registry)?;
    match experiment.content {
        Content::Matches(matches) => Ok(matches),
        Content::Study { .. } => Err(context.wrong(&"the matches of a study are matches")),
    }
}

fn teaching(context: &Context<'_>, settings: &Settings) -> Result<Matches, StudyError> {
    let named = |agent: &String| (agent.clone(), agent.clone());
    let mut cells = Vec::new();
    for (n, x) in settings.teachers.iter().enumerate() {
        cells.extend(settings.teachers[n..].iter().map(|o| [named(x), named(o)]));
    }
    matches(context, settings.teaching_games, settings.opening_discs, &cells)
}

fn exam(
    context: &Context<'_>,
    settings: &Settings,
    constants: &[i32],
) -> Result<Matches, StudyError> {
    let weights = constants.iter().map(i32::to_string).collect::<Vec<_>>().join("/");
    let player =
        |plies: u32, weights: &str| format!("karplus:eval=custom,plies={plies},weights={weights}");
    let mut cells = Vec::new();
    for &plies in &settings.plies {
        for (rival, constants) in &settings.rivals {
            let theirs = constants.map(|constant| constant.to_string()).join("/");
            cells.push([
                (format!("{plies}ply fitted"), player(plies, &weights)),
                (format!("{plies}ply {rival}"), player(plies, &theirs)),
            ]);
        }
    }
    matches(context, settings.games, settings.opening_discs, &cells)
}

fn play(context: &Context<'_>, matches: &Matches) -> Result<Vec<PairingResult>, StudyError> {
    let runner = PairingRunner {
        store: context.store,
        build: context.build,
        name: &context.experiment.name,
        games: context.games,
        shard: Shard::WHOLE,
        workers: context.workers,
        stop: context.stop,
    };
    if !context.play {
        return Ok(runner.recall(matches)?);
    }
    let name = |index: usize| matches.players[index].name.as_str();
    Ok(runner.play(matches, &mut |progress| {
        if progress.done.is_multiple_of(50) {
            let cell = &matches.cells[progress.cell];
            let (x, o, done) = (name(cell.x), name(cell.o), progress.done);
            (context.say)(&format!("{x} – {o}: {done} of {}", progress.total));
        }
    })?)
}

fn each_game(
    context: &Context<'_>,
    matches: &Matches,
    on: &mut dyn FnMut(&PlayedGame),
) -> Result<(), StudyError> {
    let runs = context.store.runs()?;
    for cell in &matches.cells {
        let plan = matches.plan(cell);
        let (id, description) = (plan.run_id(context.build), plan.description());
        let wanted = |run: &&RunRow| {
            if context.play { run.id == id } else { run.plan == description }
        };
        let Some(run) = runs.iter().filter(wanted).max_by_key(|run| run.games) else { continue };
        let schedule = plan.schedule(context.games.unwrap_or(matches.games));
        context.store.each_game(run, &mut |game| {
            if schedule.get(game.summary.number).is_some() {
                on(&game);
            }
        })?;
    }
    Ok(())
}

/// Adds every position of a game after its opening and before its end.
fn observe(game: &PlayedGame, group: u64, by_kind: &mut Observations, by_need: &mut Observations) {
    let mut position = Position::new(Rules::CONNECT4);
    for (number, &cell) in game.record.moves().iter().enumerate() {
        let mover = position.to_move();
        if position.play(cell).is_err() || position.is_over() {
            return;
        }
        if number >= game.record.opening {
            let half_points = match game.summary.winner {
                None => 0.5,
                Some(winner) if winner == mover => 1.0,
                Some(_) => 0.0,
            };
            by_kind.push(&kinds(&position, mover), half_points, group);
            by_need.push(&needs(&position, mover), half_points, group);
        }
    }
}

/// Discs of a player and of the other in a four.
fn discs(position: &Position, four: WindowId, mover: Player) -> (usize, usize) {
    let cells = position.geometry().window_cells(four).iter();
    cells.fold((0, 0), |(own, other), &cell| match position.at(cell) {
        Some(player) if player == mover => (own + 1, other),
        Some(_) => (own, other + 1),
        None => (own, other),
    })
}

/// How many fours there are of each kind, seen by the player who has just moved.
fn kinds(position: &Position, mover: Player) -> [f64; KINDS.len()] {
    let mut counts = [0.0; KINDS.len()];
    for four in position.geometry().windows() {
        let kind = match discs(position, four, mover) {
            (0, other) => 4 - other,
            (own, 0) => 4 + own,
            _ => 0,
        };
        counts[kind] += 1.0;
    }
    counts
}

/// Discs that must fall below a four's empty cells first are counted up to this.
const MAX_BELOW: usize = 3;
/// Blocked, empty, and for each side one, two, three discs by what must fall below.
const NEED_FEATURES: usize = 2 + 2 * 3 * (MAX_BELOW + 1);

/// The feature of an open four with this many discs of one side.
const fn need_feature(is_own: bool, discs: usize, below: usize) -> usize {
    2 + (is_own as usize * 3 + (discs - 1)) * (MAX_BELOW + 1) + below
}

/// How many fours there are by discs and by what must fall below their empty cells.
fn needs(position: &Position, mover: Player) -> [f64; NEED_FEATURES] {
    let mut counts = [0.0; NEED_FEATURES];
    for four in position.geometry().windows() {
        let feature = match discs(position, four, mover) {
            (0, 0) => 1,
            (own, 0) => need_feature(true, own, below(position, four)),
            (0, other) => need_feature(false, other, below(position, four)),
            _ => 0,
        };
        counts[feature] += 1.0;
    }
    counts
}

/// Discs that must fall, beside those of the four itself, before it can be complete.
///
/// ```text
/// X X X .      nothing is below the empty cell: 0        X X X .      one disc: 1
/// O O X X                                                O O X .
/// ```
fn below(position: &Position, four: WindowId) -> usize {
    let rules = position.rules();
    let cells = position.geometry().window_cells(four);
    let hangs = |cell: Cell| {
        let column = (0..rules.row(cell)).filter_map(|row| rules.cell(rules.column(cell), row));
        column.filter(|c| position.is_empty(*c) && !cells.contains(c)).count()
    };
    let empty = cells.iter().copied().filter(|&cell| position.is_empty(cell));
    empty.map(hangs).sum::<usize>().min(MAX_BELOW)
}

fn constants_table(settings: &Settings, fit: &LeastSquares, constants: &[i32]) -> Table {
    let mut header: Vec<String> =
        ["four", "fit, points in 1000", "fitted constants"].map(str::to_owned).into();
    header.extend(settings.rivals.keys().cloned());
    let rows = KINDS.iter().enumerate().map(|(kind, name)| {
        let change = 1000.0 * (fit.coefficients[kind] - fit.coefficients[0]);
        let mut row = vec![
            TableEntry::head(*name),
            TableEntry::new(format!("{change:+.1}"))
                .with_note(format!("± {:.1}", 1960.0 * fit.errors[kind])),
            TableEntry::new(constants[kind].to_string()),
        ];
        row.extend(settings.rivals.values().map(|rival| TableEntry::new(rival[kind].to_string())));
        row
    });
    Table {
        caption: "What a four is worth to the player who has just moved: the change of the \
                  expected result against a blocked four, with 95 % intervals by game."
            .to_owned(),
        header,
        rows: rows.collect(),
    }
}

fn needs_table(fit: &LeastSquares) -> Table {
    let mut header = vec!["discs in the four".to_owned()];
    header.extend((0..=MAX_BELOW).map(|below| match below {
        MAX_BELOW => format!("{below} or more below"),
        _ => format!("{below} below"),
    }));
    let row = |is_own: bool, discs: usize| {
        let side = if is_own { "X" } else { "O" };
        let mut row = vec![TableEntry::head(format!("{side}{discs}"))];
        row.extend((0..=MAX_BELOW).map(|below| {
            let feature = need_feature(is_own, discs, below);
            let change = 1000.0 * (fit.coefficients[feature] - fit.coefficients[0]);
            TableEntry::new(format!("{change:+.1}"))
                .with_note(format!("± {:.1}", 1960.0 * fit.errors[feature]))
        }));
        row
    };
    let order = [(false, 3), (false, 2), (false, 1), (true, 1), (true, 2), (true, 3)];
    Table {
        caption: "How many moves a four still needs: its worth in points of 1000, by the discs \
                  that must fall below its empty cells first."
            .to_owned(),
        header,
        rows: order.into_iter().map(|(is_own, discs)| row(is_own, discs)).collect(),
    }
}

fn picture(settings: &Settings, exam: &Matches, results: &[PairingResult]) -> Plot {
    let series = settings.rivals.keys().map(|rival| {
        let mine = results.iter().filter(|r| exam.players[r.cell.o].name.ends_with(rival.as_str()));
        let points = mine.filter_map(|result| {
            let value = exam.players[result.cell.x].value?;
            Some(Point::score(value, &result.tally, result.share()))
        });
        let name = format!("against {rival}");
        Series { name, style: Style::LineDots, points: points.collect() }
    });
    let mut series: Vec<Series> = series.collect();
    let ends = [settings.plies.iter().min(), settings.plies.iter().max()];
    let half = ends.into_iter().flatten().map(|&plies| Point::new(f64::from(plies), 50.0));
    series.push(Series { name: "even".to_owned(), style: Style::Line, points: half.collect() });
    let chart = Chart {
        x: Axis::new("plies"),
        y: Axis::new("score of the fitted constants, %"),
        series,
        ..Chart::default()
    };
    Plot {
        name: "feval-regression-1".to_owned(),
        caption: "The fitted constants against those of the document, at equal plies.".to_owned(),
        svg: chart.svg(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(columns: &[usize]) -> Position {
        let mut position = Position::new(Rules::CONNECT4);
        for &column in columns {
            position.play(position.drop_cell(column).expect("room")).expect("legal");
        }
        position
    }

    #[test]
    fn every_four_is_counted_once() {
        let position = position(&[3, 3, 4, 4, 5]);
        let kinds = kinds(&position, Player::Black);
        assert_eq!(kinds.iter().sum::<f64>() as usize, 69);
        // d1 e1 f1 in two fours of the bottom row: c1–f1 and d1–g1.
        assert_eq!(kinds[7] as usize, 2);
        let needs = needs(&position, Player::Black);
        assert_eq!(needs.iter().sum::<f64>() as usize, 69);
        assert_eq!(needs[need_feature(true, 3, 0)] as usize, 2);
    }

    #[test]
    fn what_hangs_is_counted_below() {
        // White has d2 e2; f2 and c2 are wanted with c1 empty below c2, f1 filled.
        let position = position(&[3, 3, 4, 4, 5]);
        let rules = position.rules();
        let four = position
            .geometry()
            .windows()
            .find(|&four| {
                let cells = position.geometry().window_cells(four);
                let at = |n: usize| (rules.column(cells[n]), rules.row(cells[n]));
                at(0) == (2, 1) && at(3) == (5, 1)
            })
            .expect("c2 to f2");
        assert_eq!(discs(&position, four, Player::White), (2, 0));
        assert_eq!(below(&position, four), 1);
    }

    #[test]
    fn constants_are_shifted_and_scaled() {
        let fit = LeastSquares {
            coefficients: vec![0.5, 0.4, 0.45, 0.5, 0.5, 0.5, 0.55, 0.7],
            errors: vec![0.0; 8],
            r_squared: 0.0,
        };
        assert_eq!(constants(&fit, 100), [0, -50, -25, 0, 0, 0, 25, 100]);
    }
}
