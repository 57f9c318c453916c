//! How accurately the players of many games played: the accuracy of a review, calibrated against players
//! whose strength is known.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, bail};
use collinear_arena::report::chart::{Axis, Chart, Point, Series, Style};
use collinear_engine::analysis::{Side, side};
use collinear_protocol::records::GameRecord;
use collinear_rules::Player;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::json;

use super::{Args, budget, judged};
use crate::record_file::RecordFile;
use crate::{out_file, report};

/// Standard deviations on either side of a mean that hold 95 % of a normal distribution.
const NORMAL_95: f64 = 1.96;

/// How one player played, game by game.
#[derive(Default)]
struct Played {
    accuracies: Vec<f64>,
    turns: u32,
    faults: u32,
}

impl Played {
    fn add(&mut self, side: Side) {
        self.accuracies.push(f64::from(side.accuracy));
        self.turns += side.turns;
        self.faults += side.mistakes + side.blunders + side.missed_wins;
    }

    fn mean(&self) -> f64 {
        self.accuracies.iter().sum::<f64>() / self.accuracies.len().max(1) as f64
    }

    /// The error of the mean, 95 %, games being independent.
    fn error(&self) -> f64 {
        let (n, mean) = (self.accuracies.len() as f64, self.mean());
        let squares: f64 = self.accuracies.iter().map(|one| (one - mean).powi(2)).sum();
        if n > 1.0 { NORMAL_95 * (squares / (n - 1.0) / n).sqrt() } else { 0.0 }
    }

    /// Mistakes, blunders and missed wins of a hundred turns.
    fn faults(&self) -> f64 {
        100.0 * f64::from(self.faults) / f64::from(self.turns.max(1))
    }
}

/// Judges every game of the file, many at once.
pub(super) fn run(args: &Args) -> Result<()> {
    let file = RecordFile::read(&args.record)?;
    let records = file.games(args.game).collect::<Result<Vec<GameRecord>>>()?;
    if records.is_empty() {
        bail!("{}: there is no game in it", file.shown());
    }
    let budget = budget(args);
    let stop = budget.stop.clone();
    crate::signals::watch(move |_| stop.stop())?;
    let bar = ProgressBar::new(records.len() as u64);
    let sides = |record: &GameRecord| -> Result<[Side; 2]> {
        let turns = judged(record, &budget, &mut |_| {})?;
        bar.inc(1);
        Ok(Player::BOTH.map(|player| side(&turns, player)))
    };
    let judged: Vec<[Side; 2]> = records.par_iter().map(sides).collect::<Result<_>>()?;
    bar.finish_and_clear();
    if budget.stop.is_stopped() {
        bail!("stopped before all games were judged");
    }
    let mut players: BTreeMap<(String, u64), (String, Played)> = BTreeMap::new();
    for (record, sides) in records.iter().zip(judged) {
        for player in Player::BOTH {
            let name = record.players[player.index()].clone();
            let name = name.unwrap_or_else(|| player.to_string());
            let entry = players.entry(order(&name)).or_insert_with(|| (name, Played::default()));
            entry.1.add(sides[player.index()]);
        }
    }
    let players: Vec<(String, Played)> = players.into_values().collect();
    if let Some(path) = &args.plot {
        out_file::write(path, chart(&players, records.len()).as_bytes())?;
    }
    if args.json {
        for (name, played) in &players {
            report::line(json!({
                "player": name, "games": played.accuracies.len(), "turns": played.turns,
                "accuracy": played.mean(), "error": played.error(),
                "faults_per_100_turns": played.faults(),
            }))?;
        }
        return Ok(());
    }
    report::text(&table(&players))
}

/// Numbers in names are ordered as numbers: level 10 comes after level 9.
fn order(name: &str) -> (String, u64) {
    let digits: String = name.chars().rev().take_while(char::is_ascii_digit).collect();
    let digits: String = digits.chars().rev().collect();
    (name[..name.len() - digits.len()].to_owned(), digits.parse().unwrap_or(0))
}

fn table(players: &[(String, Played)]) -> String {
    let width = players.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:<width$}  games  turns  accuracy        faults per 100 turns\n", "");
    for (name, played) in players {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{name:<width$}  {:>5}  {:>5}  {:>5.1} ± {:<4.1} %  {:>5.1}",
            played.accuracies.len(),
            played.turns,
            played.mean(),
            played.error(),
            played.faults()
        );
    }
    text
}

fn chart(players: &[(String, Played)], games: usize) -> String {
    let points = players.iter().enumerate();
    let points = points
        .map(|(at, (_, played))| Point::with_error(at as f64, played.mean(), played.error()))
        .collect();
    Chart {
        title: format!("Accuracy of the players of {games} games"),
        y: Axis::new("accuracy, %"),
        names: players.iter().map(|(name, _)| name.clone()).collect(),
        series: vec![Series { name: String::new(), style: Style::Dots, points }],
        ..Chart::default()
    }
    .svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered_as_numbers() {
        let mut names = ["level=10", "level=9", "random", "level=1"].map(str::to_owned);
        names.sort_by_key(|name| order(name));
        assert_eq!(names, ["level=1", "level=9", "level=10", "random"]);
    }

    #[test]
    fn means_have_errors() {
        let side = |accuracy| Side { turns: 10, accuracy, mistakes: 1, ..Side::default() };
        let mut played = Played::default();
        for accuracy in [80.0, 90.0] {
            played.add(side(accuracy));
        }
        assert!((played.mean() - 85.0).abs() < 1e-9);
        assert!((played.error() - NORMAL_95 * 5.0).abs() < 1e-9);
        assert!((played.faults() - 10.0).abs() < 1e-9);
    }
}
