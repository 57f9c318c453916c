//! Playing the cells of an experiment, each as a run of its own that resumes like any other.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use collinear_play::StopFlag;

use super::spec::{Matches, Pairing};
use crate::game::{GameSummary, Side};
use crate::runner::{Ended, Job, RunError, Shard, run};
use crate::stats::{Interval, RatedGame, Tally};
use crate::store::{Store, StoreError};

/// What is known about a cell.
#[derive(Clone, Debug)]
pub struct PairingResult {
    /// The cell.
    pub cell: Pairing,
    /// X's games.
    pub tally: Tally,
    /// The same games, seen by whoever moved first.
    pub first_movers: Tally,
    /// What X's turns cost, and O's.
    pub cost: [Side; 2],
    /// Games that are not repetitions, stone by stone, of others: only they are evidence.
    pub distinct: u64,
    /// The squares of the games' lengths in turns, added up.
    pub squared_turns: f64,
    /// The games for ratings, players by their index in the experiment.
    pub rated: Vec<RatedGame>,
}

/// How far an experiment is.
#[derive(Clone, Copy, Debug)]
pub struct PairingProgress {
    /// Which cell is played, from 0.
    pub cell: usize,
    /// Of how many.
    pub cells: usize,
    /// Games done in this cell.
    pub done: u64,
    /// Games of this cell.
    pub total: u64,
}

/// Where and how cells are played.
pub struct PairingRunner<'a> {
    /// Keeps the games.
    pub store: &'a Arc<Store>,
    /// The program that plays.
    pub build: &'a str,
    /// The experiment's name.
    pub name: &'a str,
    /// Games per cell, instead of those of the file.
    pub games: Option<u64>,
    /// The part of every cell that is played here.
    pub shard: Shard,
    /// Games at the same time.
    pub workers: usize,
    /// Ends it early.
    pub stop: &'a StopFlag,
}

impl PairingRunner<'_> {
    /// Plays what is left of all cells. Fewer results than cells mean that it was stopped.
    pub fn play(
        &self,
        matches: &Matches,
        on: &mut dyn FnMut(PairingProgress),
    ) -> Result<Vec<PairingResult>, RunError> {
        let mut results = Vec::new();
        let cells = matches.cells.len();
        let games = self.games.unwrap_or(matches.games);
        // Where games cannot be read, nothing is changed.
        for cell in &matches.cells {
            self.store.summaries(&matches.plan(cell).run_id(self.build))?;
        }
        // All of them first: whoever looks at the store sees how many games there will be.
        for cell in &matches.cells {
            let plan = matches.plan(cell);
            self.store.begin(&plan, self.build, self.name, plan.schedule(games).len())?;
        }
        for (index, cell) in matches.cells.iter().enumerate() {
            let job = Job {
                plan: Arc::new(matches.plan(cell)),
                games,
                build: self.build.to_owned(),
                name: self.name.to_owned(),
                shard: self.shard,
                workers: self.workers,
                sprt: None,
                patience: Duration::from_secs(60),
                live: None,
                pause: StopFlag::default(),
            };
            let finished = run(&job, self.store, self.stop, &mut |progress| {
                on(PairingProgress { cell: index, cells, done: progress.done, total: games });
            })?;
            if self.stop.is_stopped() {
                // The cells that were never begun are stopped as well.
                for cell in &matches.cells[index + 1..] {
                    self.store.end(&matches.plan(cell).run_id(self.build), Ended::Stopped)?;
                }
                break;
            }
            results.push(PairingResult::new(cell, &finished.games, index));
        }
        Ok(results)
    }

    /// What the store has of all cells, by whatever build played most of them.
    pub fn recall(&self, matches: &Matches) -> Result<Vec<PairingResult>, StoreError> {
        let mut results = Vec::new();
        for (index, cell) in matches.cells.iter().enumerate() {
            let games = self.store.best_run_of(&matches.plan(cell))?;
            results.push(PairingResult::new(cell, &games, index));
        }
        Ok(results)
    }
}

impl PairingResult {
    /// Counts the games of a cell.
    pub fn new(cell: &Pairing, games: &[GameSummary], index: usize) -> Self {
        let mut result = Self {
            cell: cell.clone(),
            tally: Tally::default(),
            first_movers: Tally::default(),
            cost: [Side::default(); 2],
            distinct: games.iter().map(GameSummary::identity).collect::<HashSet<_>>().len() as u64,
            squared_turns: 0.0,
            rated: Vec::with_capacity(games.len()),
        };
        for game in games {
            let black = game.half_points();
            let x_moved_first = game.black == 0;
            result.tally.add(if x_moved_first { black } else { 2 - black });
            result.first_movers.add(black);
            result.cost[usize::from(!x_moved_first)] += game.sides[0];
            result.cost[usize::from(x_moved_first)] += game.sides[1];
            let turns = (game.sides[0].turns + game.sides[1].turns) as f64;
            result.squared_turns += turns * turns;
            let player = |contestant: usize| [cell.x, cell.o][contestant];
            result.rated.push(RatedGame {
                black: player(game.black),
                white: player(game.white),
                half_points: black,
                // Pairs of different cells have nothing to do with each other.
                pair: (index as u64) << 40 | game.pair,
            });
        }
        result
    }

    /// The share of the games that are evidence.
    pub fn share(&self) -> f64 {
        self.distinct as f64 / self.tally.games().max(1) as f64
    }

    /// The 95 % interval of X's score.
    pub fn interval(&self) -> Interval {
        self.tally.wilson_of(self.share())
    }

    /// How far X's score is from the printed one, in standard deviations of their difference.
    pub fn z(&self, printed_games: u64) -> Option<f64> {
        let (printed, n, m) = (self.cell.printed?, printed_games as f64, self.distinct as f64);
        if m == 0.0 {
            return None;
        }
        // A draw varies less than a win or a loss. How many of the printed games were drawn is not
        // known: they count as if none was.
        // Variances are those of the games and one win and one loss more (Agresti and Coull): few
        // games, all of them alike, do not prove that the next one would be like them.
        let pooled = (printed + self.tally.score() * m + 1.0) / (n + m + 2.0);
        let theirs = pooled * (1.0 - pooled);
        let drawn = self.tally.draw_rate() * m / (m + 2.0);
        let ours = (theirs - drawn / 4.0).max(0.0);
        let difference = self.tally.score() - printed / n;
        Some(difference / (ours / m + theirs / n).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;
    use crate::experiment::PrintedMore;

    fn result(tally: Tally, printed: f64) -> PairingResult {
        PairingResult {
            cell: Pairing {
                rules: Rules::CONNECT4,
                x: 0,
                o: 1,
                printed: Some(printed),
                printed_more: PrintedMore::default(),
                seed: 0,
                reading: None,
            },
            tally,
            first_movers: tally,
            cost: [Side::default(); 2],
            distinct: tally.games(),
            squared_turns: 0.0,
            rated: Vec::new(),
        }
    }

    #[test]
    fn z_is_that_of_two_proportions() {
        // 520 and 480 of 1000: pooled ½, error √(0.25 · 0.002) = 0.02236, difference 0.04.
        let z = result(Tally { wins: 520, draws: 0, losses: 480 }, 480.0).z(1000).expect("z");
        assert!((z - 1.788_85).abs() < 1e-4, "{z}");
        let all = result(Tally { wins: 1000, draws: 0, losses: 0 }, 1000.0);
        assert_eq!(all.z(1000), Some(0.0));
        // Every game played twice is half the evidence, with the same score.
        let mut twice = result(Tally { wins: 1040, draws: 0, losses: 960 }, 480.0);
        twice.distinct = 1000;
        assert_eq!(twice.z(1000), Some(z));
        let once = Tally { wins: 520, draws: 0, losses: 480 };
        assert_eq!(twice.interval(), once.wilson());
        // Draws on both sides make the same difference more significant.
        let drawn = result(Tally { wins: 260, draws: 520, losses: 220 }, 480.0).z(1000).expect("z");
        assert!(drawn > z);
        // Nothing but draws on our side does not make the printed score exact.
        let draws = result(Tally { wins: 0, draws: 1000, losses: 0 }, 538.0).z(1000).expect("z");
        assert!((draws + 2.405).abs() < 0.001, "{draws}");
        // Two draws say little.
        let two = result(Tally { wins: 0, draws: 2, losses: 0 }, 700.0).z(1000).expect("z");
        assert!(two > -1.0, "{two}");
    }
}
