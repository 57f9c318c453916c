//! Counts of equally spaced scores: single games (trinomial) or pairs of games (pentanomial).
//!
//! ```text
//! games   loss        draw        win              scores 0      ½      1
//! pairs   LL    LD    LW or DD    DW    WW         scores 0  ¼   ½  ¾   1
//! ```

use serde::Serialize;

use super::Tally;

/// How often each score came, lowest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sample {
    /// Losses, draws, wins.
    Games([u64; 3]),
    /// Pairs with 0, 1, 2, 3, 4 half points.
    Pairs([u64; 5]),
}

/// Stands in for a count of zero, so that likelihoods stay finite; the value fishtest uses.
const ALMOST_NEVER: f64 = 1e-3;

impl Sample {
    /// No pair yet.
    pub const NO_PAIRS: Self = Self::Pairs([0; 5]);

    /// Single games, not pairs.
    pub const fn of_games(tally: &Tally) -> Self {
        Self::Games([tally.losses, tally.draws, tally.wins])
    }

    /// Counts one more pair by its half points (0 to 4), or one more game by its half points.
    pub const fn add(&mut self, half_points: u8) {
        match self {
            Self::Games(counts) => counts[half_points as usize] += 1,
            Self::Pairs(counts) => counts[half_points as usize] += 1,
        }
    }

    /// The counts.
    pub const fn counts(&self) -> &[u64] {
        match self {
            Self::Games(counts) => counts,
            Self::Pairs(counts) => counts,
        }
    }

    /// How many independent results there are.
    pub fn len(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Games in one independent result.
    pub const fn games_each(&self) -> u64 {
        match self {
            Self::Games(_) => 1,
            Self::Pairs(_) => 2,
        }
    }

    /// The mean score of a game and the variance of an independent result.
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let n = self.len() as f64;
        if n == 0.0 {
            return (0.5, 0.0);
        }
        let moment = |power: i32, about: f64| {
            self.scores().map(|(score, count)| (score - about).powi(power) * count).sum::<f64>() / n
        };
        let mean = moment(1, 0.0);
        (mean, moment(2, mean))
    }

    /// Each score with its count.
    fn scores(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let counts = self.counts();
        let steps = (counts.len() - 1) as f64;
        counts.iter().enumerate().map(move |(i, &count)| (i as f64 / steps, count as f64))
    }

    /// Each score with its probability, none of them zero, and the number of results.
    pub(super) fn distribution(&self) -> (Vec<(f64, f64)>, f64) {
        let counts: Vec<_> =
            self.scores().map(|(s, n)| (s, if n == 0.0 { ALMOST_NEVER } else { n })).collect();
        let total: f64 = counts.iter().map(|(_, n)| n).sum();
        (counts.into_iter().map(|(score, n)| (score, n / total)).collect(), total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_one_result_of_two_games() {
        let mut pairs = Sample::NO_PAIRS;
        for half_points in [0, 2, 2, 3, 4] {
            pairs.add(half_points);
        }
        assert_eq!(pairs, Sample::Pairs([1, 0, 2, 1, 1]));
        let (mean, variance) = pairs.mean_and_variance();
        assert!((mean - 11.0 / 20.0).abs() < 1e-12);
        assert!((variance - 0.11).abs() < 1e-12);
    }
}
