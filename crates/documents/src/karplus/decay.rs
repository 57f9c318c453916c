//! Values fade by a twentieth with every ply, so that near wins are worth more than far ones.
//!
//! The document says "0.95 times the value of the best move". Its tables only come out when values
//! are whole numbers and the product is cut off toward zero, as C does with an `int`: small
//! differences vanish on the way up, more moves tie, and ties are broken at random. The
//! real-valued reading is kept as an option to show the difference.
//!
//! Both are computed in whole numbers. For the real-valued one, leaves are scaled by 20 to the
//! power of the plies that can still fade them; every division by 20 is then exact.
//!
//! ```text
//! integer   20 → 19 → 18 → 17 → 16      1 → 0
//! real      20 → 19 → 18.05 → 17.1475   1 → 0.95 → 0.9025
//! ```

/// Beyond every value, and small enough to be divided by 0.95 at every ply.
pub(crate) const INFINITY: i64 = 1 << 57;

/// The value one ply further up.
pub(crate) const fn faded(value: i64) -> i64 {
    value * 19 / 20
}

/// The smallest value that fades to at least `bound`: what a search one ply further down must
/// reach. Fading is monotone, so bounds can be handed down through it.
pub(crate) const fn reaching(bound: i64) -> i64 {
    if bound > 0 { (bound * 20 + 18) / 19 } else { (20 * (bound - 1)).div_euclid(19) + 1 }
}

/// The unit that values are counted in: the one thing the two readings differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit(i64);

impl Unit {
    /// Values are whole numbers, cut off toward zero at each ply.
    pub(crate) const INTEGER: Self = Self(1);

    /// Values keep their fractions through a search of this many plies.
    pub(crate) const fn real(plies: u32) -> Self {
        Self(20_i64.pow(plies.saturating_sub(1)))
    }

    /// The value of a leaf in this unit.
    pub(crate) const fn leaf(self, value: i64) -> i64 {
        value * self.0
    }

    /// Back from the unit: what a person would call the value.
    pub(crate) fn shown(self, value: i64) -> f64 {
        value as f64 / self.0 as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_values_are_cut_off_as_the_product_with_0_95_is() {
        for value in -20_000_i64..=20_000 {
            let product = (0.95 * value as f64) as i64;
            assert_eq!(faded(value), product, "{value}");
        }
    }

    #[test]
    fn reaching_is_the_inverse_of_fading() {
        for bound in -3000_i64..=3000 {
            let least = reaching(bound);
            assert!(faded(least) >= bound, "{bound}");
            assert!(faded(least - 1) < bound, "{bound}");
        }
    }

    #[test]
    fn real_values_keep_their_fractions() {
        let unit = Unit::real(9);
        let mut value = unit.leaf(7);
        for ply in 1..9 {
            value = faded(value);
            let expected = 7.0 * 0.95_f64.powi(ply);
            assert!((unit.shown(value) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn bounds_survive_nine_plies_without_overflow() {
        let mut bound = INFINITY;
        for _ in 0..9 {
            assert!(faded(reaching(bound)) == bound && faded(reaching(-bound)) == -bound);
            bound = reaching(bound);
        }
    }
}
