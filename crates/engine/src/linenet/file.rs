//! The weights as bytes.
//!
//! ```text
//! "SXLINES1", k u8, overline u8 (0 wins, 1 does not), channels u8, reach u8; then little-endian
//!   rows i16 [rows][32], bias i16 [32]
//!   first layer i16 [32][32] and biases i32 [32]; second layer; last i16 [32]; direct i16 [32]; bias i32
//!   FNV-1a of everything before, 8 bytes
//! ```

use collinear_rules::Overline;
use collinear_rules::hash::fnv1a;
use thiserror::Error;

use super::head::{HIDDEN, Head, Layer};
use super::patterns::{Patterns, REACH};
use super::{CHANNELS, LineNet, Row};

/// Why bytes are not weights of a learned evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineNetError {
    /// The header is not ours.
    #[error("this is not a learned evaluation of this program: it does not begin with SXLINES1")]
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
    pub const MAGIC: &[u8; 8] = b"SXLINES1";
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
        shorts(&mut bytes, self.rows.as_flattened());
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
        if !bytes.starts_with(Self::MAGIC) || bytes.len() < HEADER {
            return Err(LineNetError::Magic);
        }
        let rows = Patterns::new().row_count();
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
        let rows: Vec<Row> = (0..rows).map(|_| reader.row()).collect();
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

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn layer(&mut self) -> Layer {
        let weights = std::array::from_fn(|_| self.row());
        Layer { weights, biases: std::array::from_fn(|_| self.long()) }
    }
}
