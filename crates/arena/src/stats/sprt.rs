//! The sequential probability ratio test (Wald 1945) on games or pairs: stop as soon as the games
//! tell two Elo differences apart.
//!
//! The log-likelihood ratio is the generalised one: each hypothesis gets the distribution of scores
//! that explains the games best among those with its Elo. For logistic bounds that means a fixed
//! mean, for normalised bounds a fixed (mean − ½) / deviation. Theory: M. Van den Bergh,
//! "A practical introduction to the GSPRT" and "Comments on normalized Elo".

use serde::{Deserialize, Serialize};

use super::elo::NORMALISED_UNIT;
use super::{Sample, score_of_elo};

/// The unit of the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// A difference in expected score.
    #[default]
    Logistic,
    /// A difference in units of the games' own spread.
    Normalised,
}

/// What is tested, and how sure the verdict must be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above `elo0`.
    pub elo1: f64,
    /// The chance to accept H1 when H0 holds.
    #[serde(default = "usual_error")]
    pub alpha: f64,
    /// The chance to accept H0 when H1 holds.
    #[serde(default = "usual_error")]
    pub beta: f64,
    /// The unit of the differences.
    #[serde(default)]
    pub scale: EloScale,
}

const fn usual_error() -> f64 {
    0.05
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// The games do not say enough yet.
    Undecided,
    /// The difference is `elo0` or less.
    AcceptH0,
    /// The difference is `elo1` or more.
    AcceptH1,
}

/// A test and how it stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// What is tested.
    pub bounds: Bounds,
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// How it stands.
    pub verdict: SprtVerdict,
}

impl Bounds {
    /// Logistic bounds with the usual 5 % errors.
    pub const fn new(elo0: f64, elo1: f64) -> Self {
        Self { elo0, elo1, alpha: usual_error(), beta: usual_error(), scale: EloScale::Logistic }
    }

    /// What makes these bounds unusable, if anything.
    pub fn problem(&self) -> Option<String> {
        let Self { elo0, elo1, alpha, beta, .. } = *self;
        let error_rate = |x: f64| x > 0.0 && x < 0.5;
        if !(elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0 && elo0 < elo1) {
            Some(format!(
                "bounds {elo0},{elo1} are not a test: give two numbers between -1000 and 1000, the smaller first"
            ))
        } else if !error_rate(alpha) || !error_rate(beta) {
            Some(format!("alpha {alpha} and beta {beta} must lie between 0 and 0.5"))
        } else {
            None
        }
    }

    /// How the test stands after these games.
    pub fn test(&self, sample: &Sample) -> Sprt {
        self.test_share(sample, 1.0)
    }

    /// The same when only this share of the results is evidence: results that repeat others say
    /// nothing new.
    pub fn test_share(&self, sample: &Sample, share: f64) -> Sprt {
        let (lower, upper) =
            ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln());
        let llr = share * self.llr(sample);
        let verdict = if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Undecided
        };
        Sprt { bounds: *self, llr, lower, upper, verdict }
    }

    /// The log-likelihood ratio of the two hypotheses.
    fn llr(&self, sample: &Sample) -> f64 {
        if sample.is_empty() {
            return 0.0;
        }
        let (observed, results) = sample.distribution();
        let explain = |elo: f64| match self.scale {
            EloScale::Logistic => with_mean(&observed, score_of_elo(elo)),
            EloScale::Normalised => {
                let per_result = (sample.games_each() as f64).sqrt() * elo / NORMALISED_UNIT;
                with_ratio(&observed, per_result)
            }
        };
        let (h0, h1) = (explain(self.elo0), explain(self.elo1));
        results
            * observed
                .iter()
                .zip(h0.iter().zip(&h1))
                .map(|((_, p), (p0, p1))| p * (p1 / p0).ln())
                .sum::<f64>()
    }
}

/// Of all distributions with this mean, the one that makes the observations most likely.
fn with_mean(observed: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let centred: Vec<_> = observed.iter().map(|&(score, p)| (score - mean, p)).collect();
    tilt(&centred)
}

/// Of all distributions with this (mean − ½) / deviation, the one that makes the observations most
/// likely: the constraint is linearised around the current guess until the guess stays.
fn with_ratio(observed: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    const ROUNDS: usize = 50;
    const SETTLED: f64 = 1e-12;
    let mut guess: Vec<f64> = observed.iter().map(|_| 1.0 / observed.len() as f64).collect();
    for _ in 0..ROUNDS {
        let moments = observed.iter().zip(&guess).map(|(&(score, _), p)| (score, p));
        let mean: f64 = moments.clone().map(|(score, p)| score * p).sum();
        let variance: f64 = moments.map(|(score, p)| (score - mean).powi(2) * p).sum();
        let deviation = variance.sqrt();
        let slopes: Vec<_> = observed
            .iter()
            .map(|&(score, p)| {
                let spread = 1.0 + ((mean - score) / deviation).powi(2);
                (score - 0.5 - ratio * deviation * spread / 2.0, p)
            })
            .collect();
        let next = tilt(&slopes);
        let change = guess.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        guess = next;
        if change < SETTLED {
            break;
        }
    }
    guess
}

/// The distribution `p / (1 + x·a)` for which `Σ a·p / (1 + x·a)` is 0: the most likely one under the
/// constraint that the values `a` average to zero. The sum falls with x, so halving finds x.
fn tilt(values: &[(f64, f64)]) -> Vec<f64> {
    const HALVINGS: usize = 200;
    let smallest = values.iter().map(|v| v.0).fold(f64::INFINITY, f64::min);
    let largest = values.iter().map(|v| v.0).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    for _ in 0..HALVINGS {
        let x = low.midpoint(high);
        let sum: f64 = values.iter().map(|&(a, p)| a * p / (1.0 + x * a)).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = low.midpoint(high);
    values.iter().map(|&(a, p)| p / (1.0 + x * a)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walds_bounds() {
        let sprt = Bounds::new(0.0, 5.0).test(&Sample::NO_PAIRS);
        // ln(19) = 2.9444, the ±2.94 seen on every fishtest page.
        assert!((sprt.upper - 2.944_439).abs() < 1e-6 && (sprt.lower + 2.944_439).abs() < 1e-6);
        assert_eq!(sprt.verdict, SprtVerdict::Undecided);
        assert!(sprt.llr.abs() < 1e-12);
    }

    #[test]
    fn the_tilted_distributions_meet_their_constraints() {
        let (observed, _) = Sample::Pairs([3, 11, 40, 20, 6]).distribution();
        for elo in [-30.0, 0.0, 25.0] {
            let p = with_mean(&observed, score_of_elo(elo));
            let mean: f64 = observed.iter().zip(&p).map(|(o, p)| o.0 * p).sum();
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((mean - score_of_elo(elo)).abs() < 1e-9);
            let ratio = elo / 300.0;
            let p = with_ratio(&observed, ratio);
            let mean: f64 = observed.iter().zip(&p).map(|(o, p)| o.0 * p).sum();
            let variance: f64 =
                observed.iter().zip(&p).map(|(o, p)| (o.0 - mean).powi(2) * p).sum();
            assert!(((mean - 0.5) / variance.sqrt() - ratio).abs() < 1e-9);
        }
    }

    #[test]
    fn the_ratio_is_near_its_normal_approximation() {
        // For many games LLR ≈ n (s1 − s0) (2 mean − s0 − s1) / (2 variance).
        let sample = Sample::Pairs([300, 1900, 5200, 2200, 400]);
        let (mean, variance) = sample.mean_and_variance();
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let approximation =
            sample.len() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let llr = Bounds::new(0.0, 5.0).test(&sample).llr;
        assert!((llr / approximation - 1.0).abs() < 0.01, "{llr} against {approximation}");
    }

    #[test]
    fn fishtest_says_the_same() {
        // Made with fishtest's LLRcalc.LLR_logistic (commit 93fe81e).
        for (counts, elo0, elo1, llr) in [
            ([3, 20, 50, 22, 5], 0.0, 20.0, 0.040_320_372_416_706_79),
            ([3, 20, 50, 22, 5], -10.0, 10.0, 0.934_472_911_388_982_9),
            ([0, 10, 30, 12, 0], 0.0, 5.0, 0.085_226_848_211_516),
            ([12, 40, 60, 30, 8], 0.0, 20.0, -2.997_301_135_158_272_3),
        ] {
            let found = Bounds::new(elo0, elo1).test(&Sample::Pairs(counts)).llr;
            assert!((found - llr).abs() < 1e-9, "{found} against {llr}");
        }
        let games = Bounds::new(0.0, 20.0).test(&Sample::Games([30, 40, 50])).llr;
        assert!((games - 1.433_371_799_770_413_6).abs() < 1e-9, "{games}");
    }

    #[test]
    fn fastchess_says_the_same() {
        // From the tests of fastchess (app/tests/sprt_test.cpp), printed to two decimals.
        use EloScale::{Logistic, Normalised};
        for (counts, elo0, elo1, scale, llr) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalised, 2.25),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalised, 3.01),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            let bounds = Bounds { scale, ..Bounds::new(elo0, elo1) };
            let found = bounds.test(&Sample::Pairs(counts)).llr;
            assert!((found - llr).abs() < 0.01, "{found} against {llr}");
        }
        let bounds = Bounds { scale: Normalised, ..Bounds::new(0.0, 2.0) };
        let games = bounds.test(&Sample::Games([36027, 68692, 36433])).llr;
        assert!((games - 0.92).abs() < 0.01, "{games}");
    }

    #[test]
    fn clear_results_decide() {
        let better = Sample::Pairs([0, 2, 10, 20, 30]);
        assert_eq!(Bounds::new(0.0, 50.0).test(&better).verdict, SprtVerdict::AcceptH1);
        let worse = Sample::Pairs([30, 20, 10, 2, 0]);
        assert_eq!(Bounds::new(0.0, 50.0).test(&worse).verdict, SprtVerdict::AcceptH0);
        let normalised = Bounds { scale: EloScale::Normalised, ..Bounds::new(0.0, 50.0) };
        assert_eq!(normalised.test(&better).verdict, SprtVerdict::AcceptH1);
    }

    #[test]
    fn unusable_bounds_are_named() {
        assert!(Bounds::new(5.0, 5.0).problem().is_some());
        assert!(Bounds::new(f64::NAN, 5.0).problem().is_some());
        assert!(Bounds { alpha: 0.0, ..Bounds::new(0.0, 5.0) }.problem().is_some());
        assert_eq!(Bounds::new(0.0, 5.0).problem(), None);
    }
}
