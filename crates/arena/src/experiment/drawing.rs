//! From the games of an experiment to its pictures.

use super::cells::PairingResult;
use super::matches::{costs, game_name};
use super::spec::{Matches, PlotKind, PlotSpec};
use crate::report::chart::{Axis, Chart, Point, Series, Style};
use crate::stats::{Logistic, RatedGame, Ratings, ScorePoint, Tally};

/// A picture, and what is to be said about it.
pub(super) fn chart(
    matches: &Matches,
    results: &[PairingResult],
    spec: &PlotSpec,
) -> (Chart, String) {
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
    played: Vec<&'a PairingResult>,
    axis: Axis,
}

impl Drawing<'_> {
    fn value(&self, player: usize) -> Option<f64> {
        self.matches.players[player].value
    }

    fn point(x: f64, result: &PairingResult) -> Point {
        Point::score(x, &result.tally, result.share())
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
        let ours: Vec<_> = with_difference.iter().map(|(x, r)| Self::point(*x, r)).collect();
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
            let points = results.iter().filter_map(|r| Some(Self::point(self.value(r.cell.x)?, r)));
            Self::line(&format!("O = {}", self.matches.players[o].name), points)
        });
        Chart {
            x: Axis { label: format!("X's {}", self.axis.label), ..self.axis.clone() },
            y: Self::score_axis(),
            series: series.collect(),
            ..Chart::default()
        }
    }

    fn draws_by_value(&self) -> Chart {
        let equal = self.played.iter().filter_map(|r| {
            let value = self.value(r.cell.x)?;
            (self.value(r.cell.o)? - value).abs().lt(&1e-9).then_some((value, r))
        });
        let points = equal.map(|(x, result)| {
            let tally = result.tally;
            let draws = Tally { wins: tally.draws, draws: 0, losses: tally.games() - tally.draws };
            Point::score(x, &draws, result.share())
        });
        let line = Self::line("", points);
        let most = line.points.iter().map(|point| point.interval.high).fold(5.0, f64::max);
        let range = Some((0.0, (1.05 * most).min(100.0)));
        Chart {
            y: Axis { label: "draws, %".to_owned(), log: false, range },
            series: vec![line],
            x: self.axis.clone(),
            ..Chart::default()
        }
    }

    fn time_by_value(&self) -> Chart {
        let results: Vec<PairingResult> = self.played.iter().map(|r| (*r).clone()).collect();
        let times = costs(self.matches, &results).into_iter().map(|cost| {
            let millis = cost.micros as f64 / 1000.0 / cost.turns.max(1) as f64;
            (cost.turns > 0).then(|| Point::new(0.0, millis))
        });
        Chart {
            y: Axis { label: "milliseconds per turn".to_owned(), log: true, range: None },
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
            series: self.by_kind(ratings.map(|r| Some(Point::with_error(0.0, r.elo, r.error)))),
            x: self.axis.clone(),
            ..Chart::default()
        }
    }

    /// One point per player, put at its value; a line for each kind. Players are of one kind when
    /// their names differ only in words with digits: `5ply fevala` is one of `fevala`.
    fn by_kind(&self, points: impl Iterator<Item = Option<Point>>) -> Vec<Series> {
        let mut kinds: Vec<(String, Vec<Point>)> = Vec::new();
        for (player, point) in self.matches.players.iter().zip(points) {
            let (Some(x), Some(point)) = (player.value, point) else { continue };
            let words = player.name.split([' ', '_']);
            let words = words.filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
            let kind = words.collect::<Vec<_>>().join(" ");
            let point = Point { x, ..point };
            match kinds.iter_mut().find(|(name, _)| *name == kind) {
                Some((_, points)) => points.push(point),
                None => kinds.push((kind, vec![point])),
            }
        }
        let many = kinds.len() > 1;
        let name = |kind: String| if many { kind } else { String::new() };
        kinds
            .into_iter()
            .map(|(kind, points)| Self::line(&name(kind), points.into_iter()))
            .collect()
    }

    fn bars(&self, pick: fn(&PairingResult) -> Tally, label: &str) -> Chart {
        let many = self.matches.has_many_games();
        let name = |r: &PairingResult| {
            let player = |index: usize| self.matches.players[index].name.clone();
            if many {
                game_name(&r.cell.rules)
            } else {
                format!("{} – {}", player(r.cell.x), player(r.cell.o))
            }
        };
        let at = |n: usize, r: &&PairingResult| Point::score(n as f64, &pick(r), r.share());
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
    fn by_player(&self, pick: fn(&PairingResult) -> usize) -> Vec<(usize, Vec<&PairingResult>)> {
        let mut groups: Vec<(usize, Vec<&PairingResult>)> = Vec::new();
        for &result in &self.played {
            match groups.iter_mut().find(|(player, _)| *player == pick(result)) {
                Some((_, results)) => results.push(result),
                None => groups.push((pick(result), vec![result])),
            }
        }
        groups
    }
}
