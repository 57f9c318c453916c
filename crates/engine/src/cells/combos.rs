//! What the four shapes of a cell mean together: its kind of threat, and its weights.
//!
//! A cell where two lines each become a three or a four is worth far more than both lines alone, so
//! evaluation and policy have a number for every combination of four shapes, in whatever order. The
//! same numbers serve every row length and both readings of overlong rows, since shapes count from
//! the row downwards.

use collinear_rules::hash::fnv1a;

use super::shape::Shape;
use crate::weights::WeightsError;

/// What a stone on a cell threatens, from nothing to a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum CellKind {
    /// No three and no four.
    #[default]
    Quiet,
    /// One three and nothing else.
    Three,
    /// A three and a line that can grow.
    ThreePlus,
    /// Two threes.
    ThreeThree,
    /// One four and nothing else.
    Four,
    /// A four and a line that can grow.
    FourPlus,
    /// A four and a three.
    FourThree,
    /// An open four or two fours: wins against everything but a row.
    OpenFour,
    /// A row.
    Row,
}

impl CellKind {
    /// All kinds, in order.
    pub const ALL: [Self; 9] = [
        Self::Quiet,
        Self::Three,
        Self::ThreePlus,
        Self::ThreeThree,
        Self::Four,
        Self::FourPlus,
        Self::FourThree,
        Self::OpenFour,
        Self::Row,
    ];
    /// How many kinds there are.
    pub const COUNT: usize = Self::ALL.len();

    fn of(shapes: [Shape; 4]) -> Self {
        let count = |is: fn(Shape) -> bool| shapes.iter().filter(|&&shape| is(shape)).count();
        let fours = count(|shape| shape == Shape::Four);
        let threes = count(Shape::is_three);
        let grows = count(|shape| shape.is_blocked_three() || shape.is_two()) > 0;
        if shapes.contains(&Shape::Row) {
            Self::Row
        } else if shapes.contains(&Shape::OpenFour) || fours > 1 {
            Self::OpenFour
        } else if fours > 0 {
            match (threes, grows) {
                (0, false) => Self::Four,
                (0, true) => Self::FourPlus,
                _ => Self::FourThree,
            }
        } else {
            match (threes, grows) {
                (0, _) => Self::Quiet,
                (1, false) => Self::Three,
                (1, true) => Self::ThreePlus,
                _ => Self::ThreeThree,
            }
        }
    }
}

/// The four shapes of a cell for one colour, four bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FourShapes(pub(crate) u16);

impl FourShapes {
    #[inline]
    pub(crate) const fn with(self, direction: usize, shape: Shape) -> Self {
        let at = 4 * direction;
        Self(self.0 & !(0xf << at) | (shape as u16) << at)
    }

    /// The shape of one line.
    #[inline]
    pub(crate) fn shape(self, direction: usize) -> Shape {
        Shape::ALL[usize::from(self.0 >> (4 * direction) & 0xf)]
    }

    fn shapes(self) -> Option<[Shape; 4]> {
        let shape = |d: usize| Shape::ALL.get(usize::from(self.0 >> (4 * d) & 0xf)).copied();
        Some([shape(0)?, shape(1)?, shape(2)?, shape(3)?])
    }
}

/// The weights of one combination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComboWeights {
    /// Evaluation, seen by the player to move; 1/4096 of a logit.
    pub mover: i16,
    /// Evaluation, seen by the other one; 1/4096 of a logit.
    pub waiter: i16,
    /// Policy for the colour's own stone; 1/256 of a logit.
    pub attack: i16,
    /// Policy for an enemy stone; 1/256 of a logit.
    pub defend: i16,
}

/// Combinations in any order: 15 shapes, four lines.
pub(crate) const COMBOS: usize = 3060;
/// Threat masks of a position (see [`mask`]).
pub(crate) const MASKS: usize = 1 << 11;

/// The weights of all combinations, and of the threats a position has.
#[derive(Clone, PartialEq)]
pub struct Combos {
    entries: Vec<ComboWeights>,
    masks: Vec<i16>,
    /// By [`FourShapes`]: the number of the combination, the kind above it.
    numbers: Vec<u16>,
}

/// Bits of a combination's number.
const NUMBER_BITS: u32 = 12;

impl std::fmt::Debug for Combos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Combos").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

impl Combos {
    pub(crate) const MAGIC: &'static [u8; 4] = b"SXC1";
    /// Magic, k and p.
    const HEADER: usize = 6;
    const BYTES: usize = Self::HEADER + COMBOS * 8 + MASKS * 2 + 8;

    /// From one entry per combination in the order of [`all`], and one number per mask, in 1/256 logit.
    pub(crate) fn new(entries: Vec<ComboWeights>, masks: Vec<i16>) -> Self {
        debug_assert_eq!((entries.len(), masks.len()), (COMBOS, MASKS));
        let mut numbers = vec![0; 1 << 16];
        let sorted = all();
        for word in 0..=u16::MAX {
            if let Some(mut shapes) = FourShapes(word).shapes() {
                let kind = CellKind::of(shapes) as u16;
                shapes.sort_unstable();
                let number = sorted.binary_search(&shapes).unwrap_or_default();
                numbers[usize::from(word)] = kind << NUMBER_BITS | number as u16;
            }
        }
        Self { entries, masks, numbers }
    }

    /// A start for the fit: what each line is worth alone.
    pub(crate) fn formula() -> Self {
        // By shape, in logits: a stone nearer to the row is worth about three times as much.
        let worth = |shape: Shape| match shape {
            Shape::Dead => 0.0,
            Shape::BlockedOne => 0.002,
            Shape::OneFew => 0.004,
            Shape::OneMany => 0.008,
            Shape::BlockedTwo => 0.01,
            Shape::TwoFew => 0.03,
            Shape::TwoSome | Shape::TwoMany | Shape::BlockedThree | Shape::BlockedThreeMany => 0.04,
            Shape::Three | Shape::ThreeTwice => 0.12,
            Shape::Four => 0.15,
            Shape::OpenFour | Shape::Row => 0.4,
        };
        let fixed = |logits: f64, unit: f64| (logits * unit).round().clamp(-32e3, 32e3) as i16;
        let entries = all().into_iter().map(|shapes| {
            let sum: f64 = shapes.iter().map(|&shape| worth(shape)).sum();
            ComboWeights {
                mover: fixed(1.1 * sum, 4096.0),
                waiter: fixed(sum, 4096.0),
                attack: fixed(20.0 * sum, 256.0),
                defend: fixed(16.0 * sum, 256.0),
            }
        });
        Self::new(entries.collect(), vec![0; MASKS])
    }

    #[inline]
    pub(crate) fn kind(&self, shapes: FourShapes) -> CellKind {
        CellKind::ALL[usize::from(self.numbers[usize::from(shapes.0)] >> NUMBER_BITS)]
    }

    /// The number of a combination in the order of [`all`].
    #[inline]
    pub(crate) fn number(&self, shapes: FourShapes) -> usize {
        usize::from(self.numbers[usize::from(shapes.0)] & ((1 << NUMBER_BITS) - 1))
    }

    #[inline]
    pub(crate) fn entry(&self, shapes: FourShapes) -> ComboWeights {
        self.entries[self.number(shapes)]
    }

    #[inline]
    pub(crate) fn mask_weight(&self, mask: usize) -> i32 {
        i32::from(self.masks[mask])
    }

    pub(crate) fn entries(&self) -> &[ComboWeights] {
        &self.entries
    }

    /// As bytes, to be shipped.
    pub(crate) fn to_bytes(&self, k: usize, p: usize) -> Vec<u8> {
        let mut bytes = Self::MAGIC.to_vec();
        bytes.extend([k as u8, p as u8]);
        for entry in &self.entries {
            for number in [entry.mover, entry.waiter, entry.attack, entry.defend] {
                bytes.extend(number.to_le_bytes());
            }
        }
        self.masks.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, with k and p.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<(Self, usize, usize), WeightsError> {
        if bytes.len() < Self::HEADER || !bytes.starts_with(Self::MAGIC) {
            return Err(WeightsError::Magic);
        }
        let [k, p] = [bytes[4], bytes[5]];
        if bytes.len() != Self::BYTES {
            return Err(WeightsError::Length { k, expected: Self::BYTES, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(bytes.len() - 8);
        if sum != fnv1a(content).to_le_bytes() {
            return Err(WeightsError::Damaged);
        }
        let numbers: Vec<i16> = content[Self::HEADER..]
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
            .collect();
        let (entries, masks) = numbers.split_at(4 * COMBOS);
        let entries = entries.chunks_exact(4).map(|n| ComboWeights {
            mover: n[0],
            waiter: n[1],
            attack: n[2],
            defend: n[3],
        });
        Ok((Self::new(entries.collect(), masks.to_vec()), usize::from(k), usize::from(p)))
    }
}

/// Every combination, its shapes in ascending order, in ascending order.
pub(crate) fn all() -> Vec<[Shape; 4]> {
    let mut found = Vec::with_capacity(COMBOS);
    let from = |shape: Shape| &Shape::ALL[shape as usize..];
    for &a in &Shape::ALL {
        for &b in from(a) {
            for &c in from(b) {
                found.extend(from(c).iter().map(|&d| [a, b, c, d]));
            }
        }
    }
    found
}

/// Which kinds of threats the player to move and the other one have, a bit each: together they decide
/// more than their sum, for the one who threatens more keeps the move.
#[inline]
pub(crate) fn mask(own: &[u16; CellKind::COUNT], enemy: &[u16; CellKind::COUNT]) -> usize {
    let bits = [
        own[CellKind::FourThree as usize],
        own[CellKind::FourPlus as usize],
        own[CellKind::Four as usize],
        own[CellKind::ThreeThree as usize],
        own[CellKind::ThreePlus as usize] + own[CellKind::Three as usize],
        enemy[CellKind::OpenFour as usize],
        enemy[CellKind::FourThree as usize],
        enemy[CellKind::FourPlus as usize],
        enemy[CellKind::Four as usize],
        enemy[CellKind::ThreeThree as usize],
        enemy[CellKind::ThreePlus as usize] + enemy[CellKind::Three as usize],
    ];
    bits.iter().enumerate().fold(0, |mask, (bit, &count)| mask | usize::from(count > 0) << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_numbered_whatever_their_order() {
        assert_eq!(all().len(), COMBOS);
        let combos = Combos::formula();
        let words = |shapes: [Shape; 4]| {
            shapes.iter().enumerate().fold(FourShapes(0), |w, (d, &shape)| w.with(d, shape))
        };
        for (number, &[a, b, c, d]) in all().iter().enumerate() {
            assert_eq!(combos.number(words([a, b, c, d])), number);
            assert_eq!(combos.number(words([d, b, a, c])), number);
        }
    }

    #[test]
    fn kinds_say_what_two_lines_threaten_together() {
        use Shape::{BlockedThree, Dead, Four, OneMany, OpenFour, Row, Three, ThreeTwice, TwoFew};
        for (shapes, kind) in [
            ([OneMany, Dead, Dead, TwoFew], CellKind::Quiet),
            ([Dead, Three, Dead, Dead], CellKind::Three),
            ([TwoFew, Three, Dead, Dead], CellKind::ThreePlus),
            ([TwoFew, Three, ThreeTwice, Dead], CellKind::ThreeThree),
            ([Dead, Dead, Dead, Four], CellKind::Four),
            ([BlockedThree, Dead, Dead, Four], CellKind::FourPlus),
            ([Three, Dead, Dead, Four], CellKind::FourThree),
            ([Four, Dead, Dead, Four], CellKind::OpenFour),
            ([Dead, Dead, Dead, OpenFour], CellKind::OpenFour),
            ([Dead, Row, Dead, OpenFour], CellKind::Row),
        ] {
            assert_eq!(CellKind::of(shapes), kind, "{shapes:?}");
        }
    }

    #[test]
    fn bytes_and_back() {
        let combos = Combos::formula();
        let bytes = combos.to_bytes(5, 1);
        assert_eq!(Combos::from_bytes(&bytes), Ok((combos, 5, 1)));
        let short = Combos::from_bytes(&bytes[..bytes.len() - 1]);
        assert!(matches!(short, Err(WeightsError::Length { k: 5, .. })));
        for at in (6..bytes.len()).step_by(997) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(Combos::from_bytes(&changed), Err(WeightsError::Damaged), "byte {at}");
        }
    }
}
