//! The numbers of the evaluation and of the policy: one entry a line pattern.
//!
//! For a colour, every empty cell and direction adds its pattern's entry. The evaluation is the
//! logit of the mover's chance to win: Σ `mover` over his patterns − Σ `waiter` over the
//! opponent's. The policy is a logit for each cell: Σ `attack` over the mover's patterns through
//! it + Σ `defend` over the opponent's. Both are linear in the table, so both are fitted by
//! regression (module `fit`); where no fit ships for a game a formula stands in: a window is worth
//! more the fewer stones it needs beyond one turn.
//!
//! ```text
//! "SXW2"  k u8  p u8  tempo i16; then each pattern: mover, waiter, attack, defend as i16
//! checksum u64 (FNV-1a of everything before)
//! ```
//!
//! The search sees only [`crate::State`]'s `evaluation` and `policy`; which evaluation they come from
//! is decided in `evaluation.rs`.

use collinear_rules::hash::fnv1a;
use collinear_rules::{Player, Rules};
use std::sync::Arc;
use thiserror::Error;

use crate::cells::{Combos, ShapeTable};
use crate::linenet::LineNet;
use crate::lines::LineStones;
use crate::patterns::{Code, PatternSpace};

/// The weights of one pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternWeights {
    /// Evaluation, seen by the player to move; 1/4096 of a logit.
    pub mover: i16,
    /// Evaluation, seen by the other one; 1/4096 of a logit.
    pub waiter: i16,
    /// Policy for the colour's own stone; 1/256 of a logit.
    pub attack: i16,
    /// Policy for an enemy stone; 1/256 of a logit.
    pub defend: i16,
}

/// The weights of one row length and turn length.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    space: PatternSpace,
    entries: Vec<PatternWeights>,
    tempo: i16,
    /// Combinations of lines, for games with one stone per turn.
    combos: Option<Arc<Combos>>,
    /// Beside these, what learned line patterns say a position is worth.
    learned: Option<Arc<LineNet>>,
}

/// Why bytes are not weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The header is not ours.
    #[error("these are not weights of this program: the first bytes are not {MAGIC:?}")]
    Magic,
    /// Too short or too long for the game they name.
    #[error("weights for k = {k} have {expected} bytes, these have {found}")]
    Length {
        /// The row length the header names.
        k: u8,
        /// Bytes that such weights have.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The checksum does not fit.
    #[error("the weights are damaged (their checksum does not fit): copy or fit them again")]
    Damaged,
}

/// Weights fitted to self-play, by row length and stones per turn. `docs/strength.md` has the commands
/// that made them.
const FITTED: [(usize, usize, &[u8]); 2] = [
    (6, 2, include_bytes!("../weights/connect6.sxw")),
    (5, 1, include_bytes!("../weights/gomoku.sxw")),
];

/// Weights for combinations of lines, fitted to Gomoku; shapes mean the same for every row length.
const FITTED_COMBOS: &[u8] = include_bytes!("../weights/one-stone.sxc");

const MAGIC: &[u8; 4] = b"SXW2";
/// Bytes of the checksum.
const CHECKSUM: usize = 8;
/// Magic, k, p, tempo.
const HEADER: usize = 8;

impl Weights {
    /// Entries of the evaluation carry this many bits below the unit of 1/256 logit.
    pub const FRACTION_BITS: u32 = 4;
    /// Units of the evaluation in one logit.
    pub const LOGIT: f64 = 256.0;

    /// The weights for a game: fitted ones where they exist, else the formula.
    pub fn for_rules(rules: &Rules) -> Self {
        let shipped = FITTED.iter().find(|(k, p, _)| (*k, *p) == (rules.k(), rules.p()));
        let weights = match shipped.map(|(_, _, bytes)| Self::from_bytes(bytes)) {
            Some(Ok(weights)) => weights,
            _ => Self::formula(rules.k(), rules.p()),
        };
        if ShapeTable::suits(rules)
            && let Ok((combos, _, _)) = Combos::from_bytes(FITTED_COMBOS)
        {
            return weights.with_combos(combos).with_learned(LineNet::for_rules(rules));
        }
        weights
    }

    /// The same with weights for combinations of lines, which then take the place of the lines' own.
    #[must_use]
    pub(crate) fn with_combos(mut self, combos: Combos) -> Self {
        self.combos = Some(Arc::new(combos));
        self
    }

    /// The same with learned line patterns, which then say what a position is worth, or without any. They need
    /// combinations of lines beside them, which know threats and policy.
    #[must_use]
    pub fn with_learned(mut self, learned: Option<Arc<LineNet>>) -> Self {
        self.learned = learned.filter(|_| self.combos.is_some());
        self
    }

    /// The learned line patterns.
    pub(crate) const fn learned(&self) -> Option<&Arc<LineNet>> {
        self.learned.as_ref()
    }

    /// Whether there are weights for combinations of lines.
    pub const fn knows_combinations(&self) -> bool {
        self.combos.is_some()
    }

    /// The weights for combinations of lines.
    pub(crate) const fn combos(&self) -> Option<&Arc<Combos>> {
        self.combos.as_ref()
    }

    /// Weights that follow from counting windows alone.
    pub fn formula(k: usize, p: usize) -> Self {
        // Each stone less to go beyond one turn makes a window this much better.
        const STEP: f64 = 2.6;
        // The value of a window one stone short of a threat, in logits.
        const SHORT: f64 = 0.10;
        let space = PatternSpace::new(k);
        let window = space.window();
        let value = |need: usize| match need.saturating_sub(p) {
            0 => 1.6 * SHORT,
            beyond => SHORT * STEP.powi(1 - beyond as i32),
        };
        let entries = (0..space.len())
            .map(|code| {
                let pattern = space.pattern(code as Code);
                let (mut shared, mut whole) = (0.0, 0.0);
                if code > 0 {
                    for stones in pattern.windows(window) {
                        let need = window - stones.min(window - 1);
                        shared += value(need) / need as f64;
                        whole += value(need);
                    }
                }
                PatternWeights {
                    mover: fixed(shared * 1.1, 4096.0),
                    waiter: fixed(shared, 4096.0),
                    attack: fixed(whole * 15.0, 256.0),
                    defend: fixed(whole * 12.5, 256.0),
                }
            })
            .collect();
        Self { space, entries, tempo: 20, combos: None, learned: None }
    }

    /// Weights from one entry a code.
    pub(crate) fn from_entries(
        space: PatternSpace,
        entries: Vec<PatternWeights>,
        tempo: i16,
    ) -> Self {
        debug_assert_eq!(space.len(), entries.len());
        Self { space, entries, tempo, combos: None, learned: None }
    }

    /// The patterns.
    #[inline]
    pub const fn space(&self) -> &PatternSpace {
        &self.space
    }

    /// The entry of a pattern.
    #[inline]
    pub fn entry(&self, code: Code) -> PatternWeights {
        self.entries[usize::from(code)]
    }

    /// The pattern a colour sees from a cell of a line.
    #[inline]
    pub(crate) fn code(&self, line: LineStones, index: usize, player: Player) -> Code {
        let (own, enemy) = (line.stones[player.index()], line.stones[(!player).index()]);
        self.space.code(own, enemy, index, line.length as usize)
    }

    /// The entry of that pattern.
    #[inline]
    pub(crate) fn seen(&self, line: LineStones, index: usize, player: Player) -> PatternWeights {
        self.entry(self.code(line, index, player))
    }

    /// What it is worth to be at the start of one's turn, per stone left.
    #[inline]
    pub fn tempo(&self, left: u8) -> i32 {
        i32::from(self.tempo) * i32::from(left)
    }

    /// A checksum of all numbers, as hexadecimal digits.
    pub fn checksum(&self, p: usize) -> String {
        let mut bytes = self.to_bytes(p);
        bytes.extend(self.learned.iter().flat_map(|net| net.to_bytes()));
        format!("{:016x}", fnv1a(&bytes))
    }

    /// As bytes, to be shipped; learned line patterns have a file of their own.
    pub fn to_bytes(&self, p: usize) -> Vec<u8> {
        if let Some(combos) = &self.combos {
            return combos.to_bytes(self.space.window(), p);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.space.window() as u8, p as u8]);
        bytes.extend(self.tempo.to_le_bytes());
        for entry in &self.entries {
            for number in [entry.mover, entry.waiter, entry.attack, entry.defend] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        if bytes.starts_with(Combos::MAGIC) {
            let (combos, k, p) = Combos::from_bytes(bytes)?;
            return Ok(Self::formula(k, p).with_combos(combos));
        }
        if !bytes.starts_with(MAGIC) || bytes.len() < HEADER {
            return Err(WeightsError::Magic);
        }
        let k = bytes[4];
        let space = PatternSpace::new(usize::from(k));
        let expected = HEADER + space.len() * 8 + CHECKSUM;
        if bytes.len() != expected {
            return Err(WeightsError::Length { k, expected, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if sum != fnv1a(content).to_le_bytes() {
            return Err(WeightsError::Damaged);
        }
        let number = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let entries = (0..space.len())
            .map(|code| {
                let at = HEADER + code * 8;
                PatternWeights {
                    mover: number(at),
                    waiter: number(at + 2),
                    attack: number(at + 4),
                    defend: number(at + 6),
                }
            })
            .collect();
        Ok(Self { space, entries, tempo: number(6), combos: None, learned: None })
    }
}

fn fixed(logits: f64, unit: f64) -> i16 {
    (logits * unit).round().clamp(-32_000.0, 32_000.0) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let weights = Weights::formula(6, 2);
        let bytes = weights.to_bytes(2);
        assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
        assert_eq!(Weights::from_bytes(b"GIF8...."), Err(WeightsError::Magic));
        assert!(matches!(
            Weights::from_bytes(&bytes[..bytes.len() - 1]),
            Err(WeightsError::Length { k: 6, .. })
        ));
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let weights = Weights::formula(5, 1);
        let bytes = weights.to_bytes(1);
        for at in (8..bytes.len()).step_by(97) {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert_eq!(Weights::from_bytes(&changed), Err(WeightsError::Damaged), "byte {at}");
        }
    }

    #[test]
    fn what_ships_can_be_read() {
        for (k, p, bytes) in FITTED {
            let weights = Weights::from_bytes(bytes).expect("shipped weights");
            assert_eq!((weights.space().window(), bytes[5]), (k, p as u8));
            assert_ne!(weights, Weights::formula(k, p));
        }
    }

    #[test]
    fn more_stones_are_worth_more() {
        let weights = Weights::formula(6, 2);
        let seen = |own| weights.entry(weights.space().code(own, 0, 9, 19));
        let mut before = seen(0);
        for stones in 1..5 {
            let now = seen(((1 << stones) - 1) << (9 - stones));
            assert!(now.attack > before.attack && now.mover > before.mover);
            before = now;
        }
    }
}
