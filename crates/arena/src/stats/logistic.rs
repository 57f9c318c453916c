//! The logistic curve through scores: score = 1 / (1 + e^−(a + b·x)).
//!
//! Document 003 fits it to scores by ply difference with gnuplot; here it is the most likely curve
//! for binomial scores (iteratively reweighted least squares), with standard errors that take the
//! actual spread of the points around the curve into account.

use serde::Serialize;

/// A fitted curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Logistic {
    /// The log-odds at x = 0.
    pub a: f64,
    /// The gain of log-odds with each unit of x.
    pub b: f64,
    /// Standard error of `a`.
    pub a_error: f64,
    /// Standard error of `b`.
    pub b_error: f64,
}

/// One point: where, the score between 0 and 1, and from how many games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScorePoint {
    /// Where on the axis.
    pub x: f64,
    /// Between 0 and 1.
    pub score: f64,
    /// Games behind it.
    pub games: f64,
}

impl Logistic {
    /// The most likely curve; none when the points cannot determine one (fewer than three, all at
    /// one x, or perfectly separated).
    pub fn fit(points: &[ScorePoint]) -> Option<Self> {
        const STEPS: usize = 100;
        const STEEPEST: f64 = 50.0;
        if points.len() < 3 {
            return None;
        }
        let (mut a, mut b) = (0.0, 0.0);
        for _ in 0..STEPS {
            let sums = Sums::at(a, b, points);
            let (step_a, step_b) = sums.solve()?;
            a += step_a;
            b += step_b;
            if a.abs() > STEEPEST || b.abs() > STEEPEST {
                return None;
            }
            if step_a.abs().max(step_b.abs()) < 1e-12 {
                break;
            }
        }
        let sums = Sums::at(a, b, points);
        let determinant = sums.determinant()?;
        // Points scatter more than coin tosses would when the curve is not the whole truth.
        let spread = (sums.chi_square / (points.len() - 2) as f64).max(1.0);
        Some(Self {
            a,
            b,
            a_error: (spread * sums.xx / determinant).sqrt(),
            b_error: (spread * sums.one / determinant).sqrt(),
        })
    }

    /// The score the curve expects.
    pub fn score(&self, x: f64) -> f64 {
        1.0 / (1.0 + (-(self.a + self.b * x)).exp())
    }
}

/// Sums over the points that one step of Newton's method needs.
struct Sums {
    one: f64,
    x: f64,
    xx: f64,
    pull: f64,
    pull_x: f64,
    chi_square: f64,
}

impl Sums {
    fn at(a: f64, b: f64, points: &[ScorePoint]) -> Self {
        let mut sums = Self { one: 0.0, x: 0.0, xx: 0.0, pull: 0.0, pull_x: 0.0, chi_square: 0.0 };
        let curve = Logistic { a, b, a_error: 0.0, b_error: 0.0 };
        for point in points {
            let expected = curve.score(point.x);
            let weight = point.games * expected * (1.0 - expected);
            let pull = point.games * (point.score - expected);
            sums.one += weight;
            sums.x += weight * point.x;
            sums.xx += weight * point.x * point.x;
            sums.pull += pull;
            sums.pull_x += pull * point.x;
            if weight > 0.0 {
                sums.chi_square += pull * pull / weight;
            }
        }
        sums
    }

    fn determinant(&self) -> Option<f64> {
        let determinant = self.one * self.xx - self.x * self.x;
        (determinant > 1e-12 * self.one * self.xx).then_some(determinant)
    }

    fn solve(&self) -> Option<(f64, f64)> {
        let determinant = self.determinant()?;
        Some((
            (self.xx * self.pull - self.x * self.pull_x) / determinant,
            (self.one * self.pull_x - self.x * self.pull) / determinant,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(data: &[(f64, f64, f64)]) -> Vec<ScorePoint> {
        data.iter().map(|&(x, wins, games)| ScorePoint { x, score: wins / games, games }).collect()
    }

    #[test]
    fn bliss_beetles() {
        // Beetles killed by carbon disulphide (Bliss 1935), logit fit as printed in Dobson, "An
        // Introduction to Generalized Linear Models", Table 7.3: −60.717 (5.18), 34.270 (2.91).
        let data = points(&[
            (1.6907, 6.0, 59.0),
            (1.7242, 13.0, 60.0),
            (1.7552, 18.0, 62.0),
            (1.7842, 28.0, 56.0),
            (1.8113, 52.0, 63.0),
            (1.8369, 53.0, 59.0),
            (1.8610, 61.0, 62.0),
            (1.8839, 60.0, 60.0),
        ]);
        // Our guard against runaway fits is for scores by ply: shift the axis to stay inside it.
        let shifted: Vec<_> = data.iter().map(|p| ScorePoint { x: p.x - 1.77, ..*p }).collect();
        let fit = Logistic::fit(&shifted).expect("a fit");
        assert!((fit.b - 34.270).abs() < 0.01, "{fit:?}");
        assert!((fit.a - 1.77 * fit.b + 60.717).abs() < 0.02, "{fit:?}");
        // Dobson's errors are those of pure binomial spread; ours grow with the misfit:
        // Pearson's chi-square is 10.03 with 6 degrees of freedom.
        assert!((fit.b_error - 2.91 * (10.03_f64 / 6.0).sqrt()).abs() < 0.02, "{fit:?}");
    }

    #[test]
    fn a_curve_is_found_again() {
        let truth = Logistic { a: -0.3, b: 0.8, a_error: 0.0, b_error: 0.0 };
        let data: Vec<_> = (-5..=5)
            .map(|x| ScorePoint { x: f64::from(x), score: truth.score(f64::from(x)), games: 100.0 })
            .collect();
        let fit = Logistic::fit(&data).expect("a fit");
        assert!((fit.a + 0.3).abs() < 1e-9 && (fit.b - 0.8).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_fitted_is_not() {
        assert_eq!(Logistic::fit(&points(&[(0.0, 1.0, 2.0), (1.0, 2.0, 2.0)])), None);
        assert_eq!(Logistic::fit(&points(&[(1.0, 1.0, 2.0); 4])), None);
        let separated =
            points(&[(-2.0, 0.0, 9.0), (-1.0, 0.0, 9.0), (1.0, 9.0, 9.0), (2.0, 9.0, 9.0)]);
        assert_eq!(Logistic::fit(&separated), None);
    }
}
