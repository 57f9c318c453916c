//! How hard a puzzle is: the levels try it, and its rating is the most likely one for what they
//! solve.
//!
//! The scale is that of players: the weakest level is worth 600, the strongest 2400, those between
//! them lie evenly. A puzzle is one more player, who wins when it is not solved (Elo, "The Rating of
//! Chessplayers", 1978); without any try it would be worth 1500.

use collinear_play::{Agent, Budget, play_turn};
use collinear_rules::{Position, Rules};

use super::{Answer, Entry, Judge};
use crate::{levels, registry};

/// Ratings of the weakest and the strongest level.
pub const RATINGS: std::ops::RangeInclusive<u16> = 600..=2400;
/// Own turns of a puzzle that a level plays, at most: who sees these sees the rest. With gravity a
/// quiet win may slip at any turn.
const TURNS: u16 = 3;
const DROPPED_TURNS: u16 = 12;
/// Tries of a level below full strength, whose turns are drawn.
const TRIES: u32 = 4;
/// Levels in a row that find a puzzle at every try, before the stronger ones need not try.
const SURE: u32 = 2;
/// Nodes of a turn of the strongest level; of a network search with two stones per turn visits.
const NODES: u64 = 6_000;
const VISITS: u64 = 200;
/// What is known before any try, as a normal distribution.
const PRIOR: f64 = 1500.0;
const PRIOR_SPREAD: f64 = 500.0;

/// A level that tries puzzles.
struct Solver {
    rating: f64,
    agent: Box<dyn Agent>,
    tries: u32,
}

/// The levels of a game, ready to try puzzles.
pub struct Ladder {
    solvers: Vec<Solver>,
}

/// What a level made of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// Of the level.
    pub rating: f64,
    /// Whether it found every turn.
    pub solved: bool,
}

impl Ladder {
    /// The levels of a game; the same seed tries the same turns.
    pub fn new(rules: &Rules, seed: u64) -> Self {
        let registry = registry();
        let levels = levels(&registry, rules);
        let steps = levels.len().saturating_sub(1).max(1) as f64;
        let (low, high) = (f64::from(*RATINGS.start()), f64::from(*RATINGS.end()));
        let solvers = levels.iter().enumerate().filter_map(|(step, level)| {
            // By the clock nothing would come out the same again.
            if level.spec.contains("time=") {
                return None;
            }
            let agent = registry.parse(&level.spec).ok()?.build(rules, seed).ok()?;
            let rating = low + (high - low) * step as f64 / steps;
            let tries = if step + 1 == levels.len() { 1 } else { TRIES };
            Some(Solver { rating, agent, tries })
        });
        Self { solvers: solvers.collect() }
    }

    /// Lets the levels try a puzzle, from the weakest on. Once two of them in a row found it
    /// every time the stronger ones, which cost most, are taken to find it too.
    pub fn try_all(&mut self, judge: &mut Judge, puzzle: &Entry) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        let mut sure = 0;
        for solver in &mut self.solvers {
            let known = sure == SURE;
            let tried = (0..solver.tries).map(|_| Attempt {
                rating: solver.rating,
                solved: known || solves(&mut *solver.agent, judge, puzzle),
            });
            let tried: Vec<Attempt> = tried.collect();
            sure = match tried.iter().all(|attempt| attempt.solved) {
                true if known => SURE,
                true => sure + 1,
                false => 0,
            };
            attempts.extend(tried);
        }
        attempts
    }
}

/// Whether an agent finds the turns of a puzzle.
fn solves(agent: &mut dyn Agent, judge: &mut Judge, puzzle: &Entry) -> bool {
    let mut position: Position = puzzle.position.clone();
    let turns = if position.rules().gravity() { DROPPED_TURNS } else { TURNS };
    for _ in 0..turns {
        let nodes = if position.rules().p() > 1 { VISITS } else { NODES };
        let Ok(turn) = agent.choose(&position, &Budget::nodes(nodes), &mut |_| {}) else {
            return false;
        };
        match judge.answer_to(puzzle.goal, &position, &turn) {
            Some(Answer::Solved) => return true,
            Some(Answer::Defended { defence, .. }) => {
                if play_turn(&mut position, &turn).is_err()
                    || play_turn(&mut position, &defence).is_err()
                {
                    return false;
                }
            }
            Some(Answer::Missed) | None => return false,
        }
    }
    true
}

/// The most likely rating of a puzzle that was tried like this.
pub fn rating(attempts: &[Attempt]) -> u16 {
    let scale = std::f64::consts::LN_10 / 400.0;
    // The slope of the logarithm of the likelihood falls with the rating: its zero by halving.
    let slope = |rating: f64| {
        let prior = (PRIOR - rating) / (PRIOR_SPREAD * PRIOR_SPREAD);
        let tries = attempts.iter().map(|attempt| {
            let expected = 1.0 / (1.0 + (scale * (rating - attempt.rating)).exp());
            scale * (expected - f64::from(u8::from(attempt.solved)))
        });
        prior + tries.sum::<f64>()
    };
    let (mut low, mut high) = (0.0, 4000.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(solved: impl Fn(f64) -> bool) -> u16 {
        let attempts: Vec<Attempt> = (0..10)
            .map(|step| 600.0 + 200.0 * f64::from(step))
            .map(|rating| Attempt { rating, solved: solved(rating) })
            .collect();
        rating(&attempts)
    }

    #[test]
    fn the_rating_lies_where_the_levels_begin_to_solve() {
        let ratings = [0.0, 1000.0, 1400.0, 1800.0, 2200.0, 9000.0]
            .map(|from| tried(|rating| rating >= from));
        assert!(ratings.is_sorted_by(|a, b| a < b), "{ratings:?}");
        // Half of the levels solve it: the middle of the scale.
        assert!((1480..=1520).contains(&tried(|rating| rating > 1500.0)));
        assert_eq!(rating(&[]), 1500);
    }

    /// The maximum of the likelihood by looking at every whole number.
    #[test]
    fn the_rating_is_the_most_likely_one() {
        let attempts = [(600.0, false), (1200.0, true), (1300.0, false), (2000.0, true)]
            .map(|(rating, solved)| Attempt { rating, solved });
        let likelihood = |rating: f64| -> f64 {
            let wins = |level: f64| 1.0 / (1.0 + 10_f64.powf((rating - level) / 400.0));
            let tries = attempts.iter().map(|attempt| {
                let p = wins(attempt.rating);
                if attempt.solved { p.ln() } else { (1.0 - p).ln() }
            });
            tries.sum::<f64>() - ((rating - PRIOR) / PRIOR_SPREAD).powi(2) / 2.0
        };
        let best = (0..4000_u16)
            .max_by(|a, b| likelihood(f64::from(*a)).total_cmp(&likelihood(f64::from(*b))));
        assert!(best.is_some_and(|best| best.abs_diff(rating(&attempts)) <= 1));
    }

    #[test]
    fn by_the_clock_nobody_tries() {
        let ladder = Ladder::new(&Rules::CONNECT4, 1);
        assert_eq!(ladder.solvers.len(), 7);
        assert!((ladder.solvers[6].rating - 2400.0).abs() < 1e-9);
    }
}
