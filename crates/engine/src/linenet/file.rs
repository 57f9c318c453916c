//! The weights as bytes.
//!
//! ```text
//! "SXLINES2", k u8, overline u8 (0 wins, 1 does not), channels u8, reach u8
//!   rows [rows][32], each number as its difference from what the rows before say: all lower bytes, then all
//!   upper ones; then little-endian
//!   bias i16 [32]
//!   first layer i16 [32][32] and biases i32 [32]; second layer; last i16 [32]; direct i16 [32]; bias i32
//!   FNV-1a of everything before, 8 bytes
//! ```
//! Who fetches the file fetches it packed, and so it packs a tenth smaller than with the numbers themselves, which
//! version 1 had (rows i16 \[rows\]\[32\]) and which is still read.

use collinear_rules::Overline;
use collinear_rules::hash::fnv1a;
use thiserror::Error;

use super::head::{HIDDEN, Head, Layer};
use super::patterns::{Patterns, REACH, Seen, WINDOW};
use super::{CHANNELS, LineNet, Row};

/// Why bytes are not weights of a learned evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineNetError {
    /// The header is not ours.
    #[error("this is not a learned evaluation of this program: it does not begin with SXLINES2")]
    Magic,
    /// Too short or too long.
    #[error("a learned evaluation has {expected} bytes, this file has {found}")]
    Length {
        /// Bytes that such a file has.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The checksum does not fit.
    #[error("the checksum is wrong: the file is damaged; copy it again or make it again")]
    Checksum,
    /// A number is outside what the arithmetic allows.
    #[error("a number of the learned evaluation is outside what its arithmetic allows")]
    Number,
}

const HEADER: usize = 12;
const CHECKSUM: usize = 8;
const LAYER: usize = 2 * HIDDEN * HIDDEN + 4 * HIDDEN;
/// A row's numbers stay below this, so that four and the bias fit in an i16.
const MOST_ROW: i16 = i16::MAX / 5;

impl LineNet {
    /// How their files begin.
    pub const MAGIC: &[u8; 8] = b"SXLINES2";
    /// How they began with rows as they are.
    const FIRST: &[u8; 8] = b"SXLINES1";
    /// The largest number of a row.
    pub(crate) const MOST_ROW: i16 = MOST_ROW;

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Self::MAGIC.to_vec();
        bytes.extend([self.k, u8::from(self.overline != Overline::Wins)]);
        bytes.extend([CHANNELS as u8, REACH as u8]);
        let shorts = |bytes: &mut Vec<u8>, numbers: &[i16]| {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        differences(&mut bytes, &self.patterns, &self.rows);
        shorts(&mut bytes, &self.bias);
        for layer in [&self.head.first, &self.head.second] {
            shorts(&mut bytes, layer.weights.as_flattened());
            bytes.extend(layer.biases.iter().flat_map(|bias| bias.to_le_bytes()));
        }
        shorts(&mut bytes, &self.head.last);
        shorts(&mut bytes, &self.head.direct);
        bytes.extend(self.head.bias.to_le_bytes());
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LineNetError> {
        let is_first = bytes.starts_with(Self::FIRST);
        if !(is_first || bytes.starts_with(Self::MAGIC)) || bytes.len() < HEADER {
            return Err(LineNetError::Magic);
        }
        let patterns = Patterns::new();
        let rows = patterns.row_count();
        let row = 2 * CHANNELS;
        let expected = HEADER + (rows + 1) * row + 2 * LAYER + 2 * row + 4 + CHECKSUM;
        if bytes.len() != expected {
            return Err(LineNetError::Length { expected, found: bytes.len() });
        }
        let (body, sum) = bytes.split_at(expected - CHECKSUM);
        if fnv1a(body).to_le_bytes() != sum {
            return Err(LineNetError::Checksum);
        }
        let [k, overline, channels, reach] = [8, 9, 10, 11].map(|at| bytes[at]);
        if (usize::from(channels), usize::from(reach)) != (CHANNELS, REACH) || overline > 1 {
            return Err(LineNetError::Number);
        }
        let overline = if overline == 0 { Overline::Wins } else { Overline::Ignored };
        let mut reader = Reader(&body[HEADER..]);
        let rows: Vec<Row> = if is_first {
            (0..rows).map(|_| reader.row()).collect()
        } else {
            reader.summed(&patterns)
        };
        let bias = reader.row();
        let head = Head {
            first: reader.layer(),
            second: reader.layer(),
            last: reader.row(),
            direct: reader.row(),
            bias: reader.long(),
        };
        let is_small = |number: &i16| number.unsigned_abs() <= MOST_ROW as u16;
        if !rows.as_flattened().iter().chain(&bias).all(is_small) || !head.is_within_bounds() {
            return Err(LineNetError::Number);
        }
        Ok(Self::new(k, overline, rows, bias, head))
    }
}

/// Writes rows as their differences from what is expected of them, without a sign: 0, -1, 1, -2 …
fn differences(bytes: &mut Vec<u8>, patterns: &Patterns, rows: &[Row]) {
    let unsigned = |number: i16| ((number << 1) ^ (number >> 15)) as u16;
    let numbers: Vec<u16> = (0..rows.len())
        .flat_map(|row| {
            let expected = expected(patterns, rows, row);
            std::array::from_fn::<u16, CHANNELS, _>(|at| {
                unsigned(rows[row][at].wrapping_sub(expected[at]))
            })
        })
        .collect();
    bytes.extend(numbers.iter().map(|number| *number as u8));
    bytes.extend(numbers.iter().map(|number| (number >> 8) as u8));
}

/// What the rows of patterns with fewer stones say of a row: that its outermost stones count each for
/// itself.
fn expected(patterns: &Patterns, rows: &[Row], row: usize) -> Row {
    let seen = patterns.cells_of_row(row);
    let others = || (0..WINDOW).filter(|&at| at != REACH && seen[at].is_stone());
    let without = |places: &[usize]| {
        let mut fewer = seen;
        for &at in places {
            fewer[at] = Seen::Empty;
        }
        rows[patterns.row_of(&fewer)]
    };
    match (others().next(), others().next_back()) {
        (Some(first), Some(last)) if first != last => {
            let (one, other) = (without(&[first]), without(&[last]));
            let neither = without(&[first, last]);
            std::array::from_fn(|at| one[at].wrapping_add(other[at]).wrapping_sub(neither[at]))
        }
        (Some(first), _) => without(&[first]),
        _ => [0; CHANNELS],
    }
}

/// Takes numbers off the front; the length was checked before.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (part, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *part
    }

    fn row(&mut self) -> Row {
        std::array::from_fn(|_| i16::from_le_bytes(self.take()))
    }

    /// Rows from their differences.
    fn summed(&mut self, patterns: &Patterns) -> Vec<Row> {
        let count = patterns.row_count();
        let (low, rest) = self.0.split_at(count * CHANNELS);
        let (high, rest) = rest.split_at(count * CHANNELS);
        self.0 = rest;
        let mut rows = Vec::with_capacity(count);
        for row in 0..count {
            let expected = expected(patterns, &rows, row);
            rows.push(std::array::from_fn(|at| {
                let place = row * CHANNELS + at;
                let number = u16::from_le_bytes([low[place], high[place]]);
                let difference = (number >> 1) as i16 ^ -((number & 1) as i16);
                expected[at].wrapping_add(difference)
            }));
        }
        rows
    }

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn layer(&mut self) -> Layer {
        let weights = std::array::from_fn(|_| self.row());
        Layer { weights, biases: std::array::from_fn(|_| self.long()) }
    }
}
