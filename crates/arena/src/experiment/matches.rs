//! From the games of an experiment to its table and pictures.

use std::fmt::Write;

use collinear_rules::Rules;

use super::cells::CellResult;
use super::findings::{Entry, Findings, Mark, Plot, Section, Table};
use super::spec::{Experiment, Matches, PlotKind, PlotSpec};
use crate::game::Side;
use crate::plan::FirstMove;
use crate::report::chart::{Axis, Chart, Point, Series, Style};
use crate::stats::{Estimate, Logistic, RatedGame, Ratings, Sample, ScorePoint, Tally};

/// Beyond this a difference is not put down to chance.
const FAR: f64 = 3.0;

/// What the games of a match experiment say.
pub fn match_findings(
    experiment: &Experiment,
    matches: &Matches,
    results: &[CellResult],
) -> Findings {
    let mut sections = vec![Section::Text(setting(matches, results))];
    sections.extend(experiment.notes.clone().map(Section::Text));
    sections.push(Section::Table(score_table(matches, results)));
    sections.extend(agreement(matches, results).map(Section::Text));
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
    Findings {
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        question: experiment.question.clone(),
        source: experiment.source.clone(),
        sections,
        data: data(matches, results),
        command: format!("collinear experiment run {}", experiment.name),
    }
}

fn game_name(rules: &Rules) -> String {
    rules.preset_name().map_or_else(|| rules.to_string(), ToOwned::to_owned)
}

fn setting(matches: &Matches, results: &[CellResult]) -> String {
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
        "{game}, {games} games a cell, {first}. A score is X's wins and half the draws.{missing}"
    )
}

/// A grid of X by O where the cells make one, otherwise a list.
fn score_table(matches: &Matches, results: &[CellResult]) -> Table {
    let used = |pick: fn(&CellResult) -> usize| {
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
            let mut row = vec![Entry::head(name(o))];
            row.extend(xs.iter().map(|&x| {
                results
                    .iter()
                    .find(|result| (result.cell.x, result.cell.o) == (x, o))
                    .map_or_else(Entry::default, |result| cell_entry(matches, result))
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

fn percent(part: f64) -> String {
    format!("{:.1}", 100.0 * part)
}

fn cell_entry(matches: &Matches, result: &CellResult) -> Entry {
    if result.tally.games() == 0 {
        return Entry::new("–");
    }
    let entry = Entry::new(percent(result.tally.score()));
    match (result.cell.printed, result.z(matches.printed_games)) {
        (Some(printed), Some(z)) => entry
            .with_note(format!("{} z {z:+.1}", percent(printed / matches.printed_games as f64)))
            .marked(if z.abs() > FAR { Mark::Off } else { Mark::None }),
        _ => entry.with_note(format!("± {:.1}", 100.0 * score_error(&result.tally))),
    }
}

fn score_list(matches: &Matches, results: &[CellResult]) -> Table {
    let printed = results.iter().any(|result| result.cell.printed.is_some());
    let mut header: Vec<String> =
        ["X", "O", "games", "score %", "95 %", "Elo", "draws %", "first mover %"]
            .map(str::to_owned)
            .into();
    if matches.has_many_games() {
        header.insert(0, "game".to_owned());
    }
    if printed {
        header.extend(["printed %".to_owned(), "z".to_owned()]);
    }
    let rows =
        results
            .iter()
            .map(|result| {
                let (tally, wilson) = (result.tally, result.tally.wilson());
                let estimate = Estimate::of(&Sample::of_games(&tally), &tally);
                let mut row = vec![
                    Entry::head(matches.players[result.cell.x].name.clone()),
                    Entry::head(matches.players[result.cell.o].name.clone()),
                    Entry::new(tally.games().to_string()),
                    Entry::new(percent(tally.score())),
                    Entry::new(format!("{} to {}", percent(wilson.low), percent(wilson.high))),
                    Entry::new(if estimate.elo.is_finite() {
                        format!("{:+.0}", estimate.elo)
                    } else {
                        "∞".to_owned()
                    }),
                    Entry::new(percent(tally.draw_rate())),
                    Entry::new(percent(result.first_movers.score())),
                ];
                if matches.has_many_games() {
                    row.insert(0, Entry::head(game_name(&result.cell.rules)));
                }
                if printed {
                    let z = result.z(matches.printed_games);
                    let points = |p: f64| percent(p / matches.printed_games as f64);
                    row.push(Entry::new(result.cell.printed.map(points).unwrap_or_default()));
                    row.push(Entry::new(z.map(|z| format!("{z:+.1}")).unwrap_or_default()).marked(
                        if z.is_some_and(|z| z.abs() > FAR) { Mark::Off } else { Mark::None },
                    ));
                }
                row
            })
            .collect();
    Table { caption: "X's score in each match.".to_owned(), header, rows }
}

/// How many cells agree with what was printed.
fn agreement(matches: &Matches, results: &[CellResult]) -> Option<String> {
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

/// Half the width of a score's 95 % interval.
fn score_error(tally: &Tally) -> f64 {
    let wilson = tally.wilson();
    (wilson.high - wilson.low) / 2.0
}

fn costs(matches: &Matches, results: &[CellResult]) -> Vec<Side> {
    let mut costs = vec![Side::default(); matches.players.len()];
    for result in results {
        costs[result.cell.x] += result.cost[0];
        costs[result.cell.o] += result.cost[1];
    }
    costs
}

fn cost_table(matches: &Matches, results: &[CellResult]) -> Table {
    let rows = matches.players.iter().zip(costs(matches, results)).map(|(player, cost)| {
        let turns = cost.turns.max(1) as f64;
        vec![
            Entry::head(player.name.clone()),
            Entry::new(player.contestant.agent.text.clone()),
            Entry::new(cost.turns.to_string()),
            Entry::new(format!("{:.4}", cost.micros as f64 / 1000.0 / turns)),
            Entry::new(format!("{:.0}", cost.nodes as f64 / turns)),
        ]
    });
    Table {
        caption: "What turns cost.".to_owned(),
        header: ["player", "agent", "turns", "ms a turn", "nodes a turn"].map(str::to_owned).into(),
        rows: rows.collect(),
    }
}

fn data(matches: &Matches, results: &[CellResult]) -> Vec<Vec<String>> {
    let header = [
        "game",
        "x",
        "o",
        "games",
        "x_wins",
        "draws",
        "o_wins",
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

/// A picture, and what is to be said about it.
fn chart(matches: &Matches, results: &[CellResult], spec: &PlotSpec) -> (Chart, String) {
    let played: Vec<_> = results.iter().filter(|result| result.tally.games() > 0).collect();
    let axis = spec.axis.clone().unwrap_or_else(|| "value".to_owned());
    let drawing =
        Drawing { matches, played, axis: Axis { label: axis, log: spec.log, range: None } };
    match spec.kind {
        PlotKind::ScoreByDifference => drawing.score_by_difference(),
        PlotKind::ScoreByValue => (drawing.score_by_value(), String::new()),
        PlotKind::DrawsByValue => (drawing.draws_by_value(), String::new()),
        PlotKind::TimeByValue => (drawing.time_by_value(), String::new()),
        PlotKind::RatingByValue => (drawing.rating_by_value(), String::new()),
        PlotKind::ScoreBars => (drawing.bars(|result| result.tally, "X's score, %"), String::new()),
        PlotKind::FirstMoveBars => (
            drawing.bars(|result| result.first_movers, "score of the first mover, %"),
            String::new(),
        ),
    }
}

struct Drawing<'a> {
    matches: &'a Matches,
    played: Vec<&'a CellResult>,
    axis: Axis,
}

impl Drawing<'_> {
    fn value(&self, player: usize) -> Option<f64> {
        self.matches.players[player].value
    }

    fn point(x: f64, tally: &Tally) -> Point {
        Point { x, y: 100.0 * tally.score(), error: 100.0 * score_error(tally) }
    }

    fn score_axis() -> Axis {
        Axis { label: "X's score, %".to_owned(), log: false, range: Some((-3.0, 103.0)) }
    }

    fn score_by_difference(&self) -> (Chart, String) {
        let with_difference: Vec<_> = self
            .played
            .iter()
            .filter_map(|r| Some((self.value(r.cell.x)? - self.value(r.cell.o)?, *r)))
            .collect();
        let ours: Vec<_> = with_difference.iter().map(|(x, r)| Self::point(*x, &r.tally)).collect();
        let games = self.matches.printed_games as f64;
        let printed: Vec<_> = with_difference
            .iter()
            .filter_map(|(x, r)| Some(Point::new(*x, 100.0 * r.cell.printed? / games)))
            .collect();
        let scores: Vec<_> = with_difference
            .iter()
            .map(|(x, r)| ScorePoint {
                x: *x,
                score: r.tally.score(),
                games: r.tally.games() as f64,
            })
            .collect();
        let mut series =
            vec![Series { name: "found".to_owned(), style: Style::Dots, points: ours.clone() }];
        if !printed.is_empty() {
            series.push(Series {
                name: "printed".to_owned(),
                style: Style::Rings,
                points: printed,
            });
        }
        let mut remark = String::new();
        if let Some(fit) = Logistic::fit(&scores) {
            let ends =
                ours.iter().map(|p| p.x).fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            let curve = (0..=100)
                .map(|n| ends.0 + (ends.1 - ends.0) * f64::from(n) / 100.0)
                .map(|x| Point::new(x, 100.0 * fit.score(x)))
                .collect();
            series.push(Series {
                name: "logistic fit".to_owned(),
                style: Style::Line,
                points: curve,
            });
            remark = format!(
                "Fit: score = 1 / (1 + exp(−(a + b·d))) with a = {:.3} ± {:.3}, b = {:.3} ± {:.3} (standard errors).",
                fit.a, fit.a_error, fit.b, fit.b_error
            );
        }
        let x = Axis {
            label: format!("X's {0} minus O's {0}", self.axis.label),
            log: false,
            range: None,
        };
        (Chart { x, y: Self::score_axis(), series, ..Chart::default() }, remark)
    }

    fn score_by_value(&self) -> Chart {
        let series = self.by_player(|r| r.cell.o).into_iter().map(|(o, results)| {
            let points =
                results.iter().filter_map(|r| Some(Self::point(self.value(r.cell.x)?, &r.tally)));
            Self::line(&format!("O = {}", self.matches.players[o].name), points)
        });
        Chart {
            x: self.axis.clone(),
            y: Self::score_axis(),
            series: series.collect(),
            ..Chart::default()
        }
    }

    fn draws_by_value(&self) -> Chart {
        let equal = self.played.iter().filter_map(|r| {
            let value = self.value(r.cell.x)?;
            (self.value(r.cell.o)? - value).abs().lt(&1e-9).then_some((value, r.tally))
        });
        let points = equal.map(|(x, tally)| {
            let draws = Tally { wins: tally.draws, draws: 0, losses: tally.games() - tally.draws };
            Self::point(x, &draws)
        });
        Chart {
            y: Axis::new("draws, %"),
            series: vec![Self::line("", points)],
            x: self.axis.clone(),
            ..Chart::default()
        }
    }

    fn time_by_value(&self) -> Chart {
        let results: Vec<CellResult> = self.played.iter().map(|r| (*r).clone()).collect();
        let times = costs(self.matches, &results).into_iter().map(|cost| {
            let millis = cost.micros as f64 / 1000.0 / cost.turns.max(1) as f64;
            (cost.turns > 0).then(|| Point::new(0.0, millis))
        });
        Chart {
            y: Axis { label: "milliseconds a turn".to_owned(), log: true, range: None },
            series: self.by_kind(times),
            x: self.axis.clone(),
            ..Chart::default()
        }
    }

    fn rating_by_value(&self) -> Chart {
        let games: Vec<RatedGame> = self.played.iter().flat_map(|r| r.rated.clone()).collect();
        let ratings = Ratings::fit(self.matches.players.len(), &games);
        let ratings = ratings.players.into_iter();
        Chart {
            y: Axis::new("Elo above the mean"),
            series: self.by_kind(ratings.map(|r| Some(Point { x: 0.0, y: r.elo, error: r.error }))),
            x: self.axis.clone(),
            ..Chart::default()
        }
    }

    /// One point a player, put at its value; a line for each kind. Players are of one kind when
    /// their names differ only in digits.
    fn by_kind(&self, points: impl Iterator<Item = Option<Point>>) -> Vec<Series> {
        let mut kinds: Vec<(String, Vec<Point>)> = Vec::new();
        for (player, point) in self.matches.players.iter().zip(points) {
            let (Some(x), Some(point)) = (player.value, point) else { continue };
            let kind: String = player.name.chars().filter(|c| !c.is_ascii_digit()).collect();
            let kind = kind.trim_matches(['_', ' ', '-']);
            let point = Point { x, ..point };
            match kinds.iter_mut().find(|(name, _)| name == kind) {
                Some((_, points)) => points.push(point),
                None => kinds.push((kind.to_owned(), vec![point])),
            }
        }
        let many = kinds.len() > 1;
        let name = |kind: String| if many { kind } else { String::new() };
        kinds
            .into_iter()
            .map(|(kind, points)| Self::line(&name(kind), points.into_iter()))
            .collect()
    }

    fn bars(&self, pick: fn(&CellResult) -> Tally, label: &str) -> Chart {
        let many = self.matches.has_many_games();
        let name = |r: &CellResult| {
            let player = |index: usize| self.matches.players[index].name.clone();
            if many {
                game_name(&r.cell.rules)
            } else {
                format!("{} – {}", player(r.cell.x), player(r.cell.o))
            }
        };
        let at = |n: usize, r: &&CellResult| Self::point(n as f64, &pick(r));
        let bars = self.played.iter().enumerate().map(|(n, r)| at(n, r)).collect();
        let games = self.matches.printed_games as f64;
        let printed: Vec<_> = self
            .played
            .iter()
            .enumerate()
            .filter_map(|(n, r)| Some(Point::new(n as f64, 100.0 * r.cell.printed? / games)))
            .collect();
        let mut series = vec![Series { name: String::new(), style: Style::Bars, points: bars }];
        if !printed.is_empty() {
            "found".clone_into(&mut series[0].name);
            series.push(Series {
                name: "printed".to_owned(),
                style: Style::Rings,
                points: printed,
            });
        }
        Chart {
            y: Axis { label: label.to_owned(), log: false, range: Some((0.0, 108.0)) },
            names: self.played.iter().map(|r| name(r)).collect(),
            series,
            ..Chart::default()
        }
    }

    fn line(name: &str, points: impl Iterator<Item = Point>) -> Series {
        let mut points: Vec<_> = points.collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series { name: name.to_owned(), style: Style::LineDots, points }
    }

    /// The cells of each player, in order of appearance.
    fn by_player(&self, pick: fn(&CellResult) -> usize) -> Vec<(usize, Vec<&CellResult>)> {
        let mut groups: Vec<(usize, Vec<&CellResult>)> = Vec::new();
        for &result in &self.played {
            match groups.iter_mut().find(|(player, _)| *player == pick(result)) {
                Some((_, results)) => results.push(result),
                None => groups.push((pick(result), vec![result])),
            }
        }
        groups
    }
}
