//! Multiple linear regression: the constants that explain a target best, with honest errors.
//!
//! Observations come in groups (the positions of one game share its result), and those of a group
//! are not independent. The standard errors therefore add up residuals group by group first (the
//! cluster-robust sandwich of Liang and Zeger, 1986); with groups of one it is White's estimator.

use nalgebra::{DMatrix, DVector};

/// Observations to be explained: features, target and the group they belong to.
#[derive(Clone, Debug)]
pub struct Observations {
    width: usize,
    features: Vec<f64>,
    targets: Vec<f64>,
    groups: Vec<u64>,
}

/// The fitted constants, one per feature. A constant term is a feature that is always 1.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    /// What one unit of each feature adds to the target.
    pub coefficients: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
    /// The part of the target's variance that the features explain.
    pub r_squared: f64,
}

impl Observations {
    /// No rows yet; each will have this many features.
    pub const fn new(width: usize) -> Self {
        Self { width, features: Vec::new(), targets: Vec::new(), groups: Vec::new() }
    }

    /// Adds one. Observations of a group come one after the other.
    pub fn push(&mut self, features: &[f64], target: f64, group: u64) {
        assert_eq!(features.len(), self.width, "every observation has the same features");
        self.features.extend_from_slice(features);
        self.targets.push(target);
        self.groups.push(group);
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The least-squares fit; none when the features do not determine one.
    pub fn fit(&self) -> Option<LeastSquares> {
        if self.len() <= self.width {
            return None;
        }
        let features = DMatrix::from_row_slice(self.len(), self.width, &self.features);
        let targets = DVector::from_column_slice(&self.targets);
        // Columns of length one: the rank test below then means the same for every feature.
        let lengths: Vec<f64> = features.column_iter().map(|column| column.norm()).collect();
        if lengths.contains(&0.0) {
            return None;
        }
        let mut scaled = features;
        for (mut column, length) in scaled.column_iter_mut().zip(&lengths) {
            column /= *length;
        }
        let (q, r) = scaled.clone().qr().unpack();
        if r.diagonal().iter().any(|entry| entry.abs() < RANK_TOLERANCE) {
            return None;
        }
        let solution = r.solve_upper_triangular(&(q.transpose() * &targets))?;
        let residuals = &targets - &scaled * &solution;
        let inverse = r.solve_upper_triangular(&DMatrix::identity(self.width, self.width))?;
        let bread = &inverse * inverse.transpose();
        let covariance = &bread * self.meat(&scaled, &residuals) * &bread;
        let total = targets.add_scalar(-targets.mean()).norm_squared();
        let unscaled = |values: DVector<f64>| -> Vec<f64> {
            values.iter().zip(&lengths).map(|(value, length)| value / length).collect()
        };
        Some(LeastSquares {
            errors: unscaled(covariance.diagonal().map(|v| v.max(0.0).sqrt())),
            coefficients: unscaled(solution),
            r_squared: if total > 0.0 { 1.0 - residuals.norm_squared() / total } else { 0.0 },
        })
    }

    /// The squares of the residuals' pull on each constant, summed within groups first.
    fn meat(&self, features: &DMatrix<f64>, residuals: &DVector<f64>) -> DMatrix<f64> {
        let mut meat = DMatrix::zeros(self.width, self.width);
        let mut pull = DVector::zeros(self.width);
        for row in 0..self.len() {
            pull += features.row(row).transpose() * residuals[row];
            if self.groups.get(row + 1) != Some(&self.groups[row]) {
                meat += &pull * pull.transpose();
                pull.fill(0.0);
            }
        }
        meat
    }
}

/// A column that is nearer than this to a combination of the others adds nothing.
const RANK_TOLERANCE: f64 = 1e-10;

#[cfg(test)]
mod tests {
    use super::*;

    /// NIST Statistical Reference Datasets, linear regression, "Longley" (1967), certified values:
    /// the usual test of how much precision a fit loses.
    #[test]
    fn longley() {
        const DATA: [[f64; 7]; 16] = [
            [60323., 83.0, 234_289., 2356., 1590., 107_608., 1947.],
            [61122., 88.5, 259_426., 2325., 1456., 108_632., 1948.],
            [60171., 88.2, 258_054., 3682., 1616., 109_773., 1949.],
            [61187., 89.5, 284_599., 3351., 1650., 110_929., 1950.],
            [63221., 96.2, 328_975., 2099., 3099., 112_075., 1951.],
            [63639., 98.1, 346_999., 1932., 3594., 113_270., 1952.],
            [64989., 99.0, 365_385., 1870., 3547., 115_094., 1953.],
            [63761., 100.0, 363_112., 3578., 3350., 116_219., 1954.],
            [66019., 101.2, 397_469., 2904., 3048., 117_388., 1955.],
            [67857., 104.6, 419_180., 2822., 2857., 118_734., 1956.],
            [68169., 108.4, 442_769., 2936., 2798., 120_445., 1957.],
            [66513., 110.8, 444_546., 4681., 2637., 121_950., 1958.],
            [68655., 112.6, 482_704., 3813., 2552., 123_366., 1959.],
            [69564., 114.2, 502_601., 3931., 2514., 125_368., 1960.],
            [69331., 115.7, 518_173., 4806., 2572., 127_852., 1961.],
            [70551., 116.9, 554_894., 4007., 2827., 130_081., 1962.],
        ];
        const CERTIFIED: [f64; 7] = [
            -3_482_258.634_595_82,
            15.061_872_271_373_3,
            -0.035_819_179_292_591_0,
            -2.020_229_803_816_83,
            -1.033_226_867_173_59,
            -0.051_104_105_653_580_7,
            1_829.151_464_613_55,
        ];
        let mut observations = Observations::new(7);
        for (group, row) in DATA.iter().enumerate() {
            let features = [&[1.0], &row[1..]].concat();
            observations.push(&features, row[0], group as u64);
        }
        let fit = observations.fit().expect("a fit");
        for (found, certified) in fit.coefficients.iter().zip(CERTIFIED) {
            assert!((found / certified - 1.0).abs() < 1e-6, "{found} {certified}");
        }
        assert!((fit.r_squared - 0.995_479_004_577_296).abs() < 1e-9, "{}", fit.r_squared);
    }

    #[test]
    fn errors_count_groups_and_not_their_copies() {
        let mut once = Observations::new(2);
        let mut copied = Observations::new(2);
        for n in 0..40_u64 {
            let x = n as f64 / 10.0;
            let target = 3.0 * x + 1.0 + if n % 3 == 0 { 0.5 } else { -0.25 };
            once.push(&[1.0, x], target, n);
            for _ in 0..5 {
                copied.push(&[1.0, x], target, n);
            }
        }
        let (once, copied) = (once.fit().expect("a fit"), copied.fit().expect("a fit"));
        for (a, b) in once.errors.iter().zip(&copied.errors) {
            assert!((a - b).abs() < 1e-12 && *a > 0.0, "{a} {b}");
        }
        assert!((once.coefficients[1] - 3.0).abs() < 0.1);
    }

    #[test]
    fn what_cannot_be_told_apart_has_no_fit() {
        let mut observations = Observations::new(2);
        assert_eq!(observations.fit(), None);
        for n in 0..10 {
            observations.push(&[f64::from(n), 2.0 * f64::from(n)], 1.0, 0);
        }
        assert_eq!(observations.fit(), None);
    }
}
