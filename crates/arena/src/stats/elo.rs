//! Elo differences: from the score of a sample, with their 95 % intervals.
//!
//! Logistic Elo says how much better the player scores: score = 1 / (1 + 10^(−elo/400)).
//! Normalised Elo says how easily that is seen: the mean over the standard deviation of a game,
//! scaled so that both agree for balanced games without draws (M. Van den Bergh, "Normalized Elo").

use serde::Serialize;

use super::{Interval, Sample, Tally, Z95, normal_below};

/// Elo points in one unit of "mean over deviation": 800 / ln 10.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The score that a player so much stronger expects.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference that explains a score; infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// What a sample says about the difference between two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Logistic Elo; infinite (in JSON null) when every game was won or lost.
    pub elo: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// Normalised Elo, and half the width of its 95 % interval.
    pub normalised: f64,
    /// Half the width of the 95 % interval of `normalised`.
    pub normalised_error: f64,
    /// Likelihood of superiority: the chance that the first player is the better one.
    pub los: f64,
}

impl Estimate {
    /// What the sample says. The tally of the same games serves where the sample has no spread.
    pub fn of(sample: &Sample, tally: &Tally) -> Self {
        Self::of_share(sample, tally, 1.0)
    }

    /// The same when only this share of the results is evidence: results that repeat others say
    /// nothing new. The estimate stays, its errors grow.
    pub fn of_share(sample: &Sample, tally: &Tally, share: f64) -> Self {
        let (mean, variance) = sample.mean_and_variance();
        let results = sample.len().max(1) as f64 * share;
        let error = (variance / results).sqrt();
        let los = if error > 0.0 {
            normal_below((mean - 0.5) / error)
        } else {
            // All results alike: the Wilson interval knows that n equal results prove little.
            let wilson = tally.wilson_of(share);
            normal_below((mean - 0.5) / ((wilson.high - wilson.low) / (2.0 * Z95)))
        };
        let game_deviation = (sample.games_each() as f64 * variance).sqrt();
        let normalised_error =
            Z95 * NORMALISED_UNIT / (results * sample.games_each() as f64).sqrt();
        Self {
            elo: elo_of_score(mean),
            interval: interval(mean, error, tally.wilson_of(share)),
            normalised: normalised(mean - 0.5, game_deviation),
            normalised_error,
            los,
        }
    }

    /// Half the width of the interval: the figure behind "±".
    pub fn error(&self) -> f64 {
        (self.interval.high - self.interval.low) / 2.0
    }
}

/// Infinite for games without spread, unless they are all drawn.
fn normalised(surplus: f64, game_deviation: f64) -> f64 {
    if surplus.abs() < f64::EPSILON { 0.0 } else { surplus / game_deviation * NORMALISED_UNIT }
}

/// Normal interval of the mean, carried over to Elo. An end that falls on or beyond a perfect
/// score, or a sample without spread, takes the Wilson end instead.
fn interval(mean: f64, error: f64, wilson: Interval) -> Interval {
    let (mut low, mut high) = (mean - Z95 * error, mean + Z95 * error);
    if error == 0.0 || low <= 0.0 {
        low = wilson.low;
    }
    if error == 0.0 || high >= 1.0 {
        high = wilson.high;
    }
    Interval { low: elo_of_score(low), high: elo_of_score(high) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    #[test]
    fn the_two_directions_agree() {
        for elo in [-700.0, -3.5, 0.0, 120.0, 400.0] {
            assert_close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        // FIDE's table: 200 points are worth 76 %, 400 points 91 to 92 %.
        assert_close(score_of_elo(200.0), 0.76, 5e-3);
        assert_close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
    }

    #[test]
    fn fastchess_says_the_same() {
        // From the tests of fastchess (app/tests/elo_test.cpp): Elo, error, normalised Elo, error,
        // superiority in per cent.
        let games = Tally { wins: 136, draws: 111, losses: 96 };
        for (sample, [elo, error, normalised, normalised_error, los]) in [
            (Sample::of_games(&games), [40.70, 30.43, 49.77, 36.77, 99.60]),
            (Sample::Pairs([34, 54, 63, 64, 75]), [55.58, 27.65, 57.94, 28.28, 100.0]),
            (Sample::Pairs([332, 433, 498, 333, 334]), [-8.64, 10.33, -9.17, 10.96, 5.05]),
        ] {
            let found = Estimate::of(&sample, &games);
            assert_close(found.elo, elo, 0.01);
            assert_close(found.error(), error, 0.05);
            assert_close(found.normalised, normalised, 0.01);
            assert_close(found.normalised_error, normalised_error, 0.01);
            assert_close(100.0 * found.los, los, 0.01);
        }
    }

    #[test]
    fn a_match_by_hand() {
        // 100 pairs: 10 lost, 20 at ¼, 40 even, 20 at ¾, 10 won → mean ½, variance 0.075.
        let even = Sample::Pairs([10, 20, 40, 20, 10]);
        let tally = Tally { wins: 70, draws: 60, losses: 70 };
        let estimate = Estimate::of(&even, &tally);
        assert_close(estimate.elo, 0.0, 1e-9);
        assert_close(estimate.los, 0.5, 1e-9);
        // 1.96 · √(0.075 / 100) = 0.05368 around ½ is ± 37.4 Elo.
        assert_close(estimate.error(), elo_of_score(0.553_676_9), 0.01);
        // Normalised: 1.96 · 347.4 / √200 = 48.15.
        assert_close(estimate.normalised_error, 48.15, 0.01);
    }

    #[test]
    fn perfect_scores_have_a_finite_lower_end() {
        let sample = Sample::Pairs([0, 0, 0, 0, 10]);
        let estimate = Estimate::of(&sample, &Tally { wins: 20, draws: 0, losses: 0 });
        assert!(estimate.elo.is_infinite() && estimate.interval.high.is_infinite());
        // Wilson for 20 of 20 is 0.8389: 286.6 Elo.
        assert_close(estimate.interval.low, 286.6, 0.2);
        assert!(estimate.los > 0.999);
    }

    #[test]
    fn pairs_that_balance_each_other_are_strong_evidence() {
        // Colour decides every game: every pair is even, so the difference is known to be small,
        // while single games would say ± 48.
        let pairs = Sample::Pairs([0, 1, 98, 1, 0]);
        let tally = Tally { wins: 98, draws: 2, losses: 100 };
        assert!(Estimate::of(&pairs, &tally).error() < 5.0);
        assert!(Estimate::of(&Sample::of_games(&tally), &tally).error() > 45.0);
    }
}
