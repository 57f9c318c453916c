//! The type of one shape of any length, straight from its windows: no table, no recursion.
//!
//! Why no recursion is needed for the weak types: let the fullest windows have `w < k − p` stones
//! and `m = k − p − w` be missing for a threat. After `m` stones `S` a window threatens only if it
//! had `w` stones and holds all of `S`. On a line two stones are needed against two threats
//! exactly when they share no empty cell, so `S` must fill the overlap of two such windows, and
//! lie in it:
//!
//! ```text
//! . . X X X . . .      k=6, p=2, three stones, so m = 1: windows 0 and 2 overlap in four cells,
//! [         ]          one of them empty; a stone there makes ..XXXX.. with the empty cells
//!     [         ]      left and right for two windows that no single stone stops
//! ```

use crate::tablebase::shape::{LineRules, Shape, low};
use crate::tablebase::types::{Grade, ShapeType};
use collinear_windows::offsets;

/// The two numbers that decide a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Most own stones in one window.
    pub fullest: usize,
    /// Least stones that hit every window with `k − p` own stones or more, at most `p + 1`; that
    /// too when a row is already there.
    pub hitting: usize,
}

impl LineRules {
    /// Measures a shape: one pass over its windows. On a line the greedy choice is best: a window
    /// that nothing hits yet is hit at the empty cell nearest to the windows to come.
    pub fn measure(&self, shape: Shape) -> Measure {
        let (k, p) = (self.k(), self.p());
        let mut measure = Measure { fullest: 0, hitting: 0 };
        let mut next_unhit = 0;
        for offset in 0..=shape.length() - k {
            let window = low(k) << offset;
            let own = (shape.stones() & window).count_ones() as usize;
            measure.fullest = measure.fullest.max(own);
            if own == k {
                return Measure { fullest: k, hitting: p + 1 };
            }
            if own >= self.threat() && offset >= next_unhit && measure.hitting <= p {
                measure.hitting += 1;
                next_unhit = (!shape.stones() & window).ilog2() as usize + 1;
            }
        }
        measure
    }

    /// The type of a shape.
    ///
    /// ```
    /// use collinear_documents::tablebase::{LineRules, Shape, ShapeType};
    ///
    /// let rules = LineRules::CONNECT6;
    /// assert_eq!(rules.classify(Shape::parse(6, "..XXXX..")?), ShapeType::L4);
    /// assert_eq!(rules.classify(Shape::parse(6, "XXXX..")?), ShapeType::D4);
    /// # Ok::<(), collinear_documents::tablebase::ShapeError>(())
    /// ```
    pub fn classify(&self, shape: Shape) -> ShapeType {
        let measure = self.measure(shape);
        if let Some(strong) = self.strong_type(measure) {
            return strong;
        }
        let live = self.can_become_live(shape, measure.fullest);
        match self.threat() - measure.fullest {
            _ if measure.fullest == 0 => ShapeType::V,
            1 if live => ShapeType::L3,
            1 if self.two_make_l5(shape, measure.fullest) => ShapeType::S3,
            1 => ShapeType::D3,
            2 if live => ShapeType::L2,
            2 => ShapeType::D2,
            _ if live => ShapeType::L1,
            _ => ShapeType::D1,
        }
    }

    /// The type of one cell of a shape: what a stone on it would make of the connection.
    pub fn cell_type(&self, shape: Shape, index: usize) -> Grade {
        if shape.has_stone(index) {
            return Grade::U;
        }
        let grade = |shape| self.classify(shape).grade();
        grade(shape).of_cell(grade(shape.place(index)))
    }

    /// The type where the measure alone decides: C6, DW and the threats.
    #[inline]
    pub(crate) const fn strong_type(&self, measure: Measure) -> Option<ShapeType> {
        let Measure { fullest, hitting } = measure;
        Some(if fullest == self.k() {
            ShapeType::C6
        } else if hitting > self.p() {
            ShapeType::DW
        } else if fullest < self.threat() {
            return None;
        } else {
            match (fullest > self.threat(), hitting > 1) {
                (true, true) => ShapeType::L5,
                (true, false) => ShapeType::D5,
                (false, true) => ShapeType::L4,
                (false, false) => ShapeType::D4,
            }
        })
    }

    /// The offsets of the windows with this many stones.
    fn windows_with(&self, shape: Shape, stones: usize) -> impl Iterator<Item = usize> + Clone {
        let k = self.k();
        (0..=shape.length() - k).filter(move |offset| {
            (shape.stones() >> offset & low(k)).count_ones() as usize == stones
        })
    }

    /// Whether two of the fullest windows overlap in just the empty cells that are missing.
    fn can_become_live(&self, shape: Shape, fullest: usize) -> bool {
        let k = self.k();
        let missing = (self.threat() - fullest) as u32;
        let windows = self.windows_with(shape, fullest);
        windows.clone().any(|a| {
            windows.clone().skip_while(|&b| b <= a).take_while(|&b| b < a + k).any(|b| {
                let overlap = low(a + k - b) << b;
                (shape.empties() & overlap).count_ones() == missing
            })
        })
    }

    /// Whether two stones make a live five, where one is missing for a threat: both must go into one
    /// of the fullest windows, for no other gets full enough.
    fn two_make_l5(&self, shape: Shape, fullest: usize) -> bool {
        self.windows_with(shape, fullest).any(|offset| {
            let empties = shape.empties() & low(self.k()) << offset;
            offsets(empties).any(|x| {
                let one = shape.place(x);
                offsets(empties & !low(x + 1)).any(|y| {
                    let measure = self.measure(one.place(y));
                    self.strong_type(measure) == Some(ShapeType::L5)
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Stones outside the fullest windows never make a live five.
        #[test]
        fn any_two_stones_make_no_more_live_fives(
            (k, p) in (3_usize..9).prop_flat_map(|k| (Just(k), 1..k)),
            more in 0_usize..30,
            stones in any::<u64>(),
            sparse in any::<u64>(),
        ) {
            let rules = LineRules::new(k, p).expect("rules");
            let length = k + more;
            let shape = Shape::new(k, length, stones & sparse & low(length)).expect("a shape");
            let fullest = rules.measure(shape).fullest;
            if fullest + 1 != rules.threat() {
                return Ok(());
            }
            let empties = || offsets(shape.empties());
            let plain = empties().any(|x| {
                empties().filter(|&y| y > x).any(|y| {
                    let both = shape.place(x).place(y);
                    rules.strong_type(rules.measure(both)) == Some(ShapeType::L5)
                })
            });
            prop_assert_eq!(rules.two_make_l5(shape, fullest), plain);
        }
    }
}
