//! A network as bytes.
//!
//! ```text
//! "SXN1", k, p, overline (0 wins, 1 does not), blocks, channels / 32; then little-endian
//!   first layer   f32 [25 offsets][4 planes][channels], bias f32 [channels]
//!   each block    norm; convolution; convolution
//!   last norm, policy f32 [channels] and bias, hidden f32 [2·channels][64] and bias, value f32 [64] and bias
//!   FNV-1a of everything before, 8 bytes
//! norm: scale f32 [channels], shift f32 [channels]
//! convolution: i8 [channels / 32][3][3][channels / 4][32][4], norm
//! ```

use collinear_rules::Overline;
use collinear_rules::hash::fnv1a;
use thiserror::Error;

use super::{Block, Convolution, GROUP, HIDDEN, Net, Norm, PLANES, STAMP};

/// Why bytes are not a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetError {
    /// The header is not ours.
    #[error("this is not a network of this program: it does not begin with SXN1")]
    Magic,
    /// The header names a network that cannot be.
    #[error(
        "the header asks for {blocks} blocks of {channels} channels: 1 to 64 blocks of 32 to 256 are possible"
    )]
    Shape {
        /// Blocks.
        blocks: usize,
        /// Channels.
        channels: usize,
    },
    /// Too short or too long for its header.
    #[error("such a network has {expected} bytes, this file has {found}")]
    Length {
        /// Bytes that such a network has.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The checksum does not fit.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// A weight is not a number.
    #[error("a weight is not a finite number, or outside what the arithmetic allows")]
    Number,
}

const MAGIC: &[u8; 4] = b"SXN1";
const HEADER: usize = 9;
const CHECKSUM: usize = 8;

impl Net {
    /// The most bytes a file of a network may have.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.k, self.p, u8::from(self.overline != Overline::Wins)]);
        bytes.extend([self.blocks.len() as u8, (self.channels / GROUP) as u8]);
        let floats = |bytes: &mut Vec<u8>, numbers: &[f32]| {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        floats(&mut bytes, &self.stamps);
        floats(&mut bytes, &self.input_bias);
        let norm = |bytes: &mut Vec<u8>, norm: &Norm| {
            floats(bytes, &norm.scale);
            floats(bytes, &norm.shift);
        };
        for block in &self.blocks {
            norm(&mut bytes, &block.norm);
            for convolution in [&block.first, &block.second] {
                bytes.extend(convolution.weights.iter().map(|&weight| weight as u8));
                norm(&mut bytes, &convolution.norm);
            }
        }
        norm(&mut bytes, &self.last);
        for numbers in [&self.policy, &vec![self.policy_bias], &self.hidden, &self.hidden_bias] {
            floats(&mut bytes, numbers);
        }
        floats(&mut bytes, &self.value);
        floats(&mut bytes, &[self.value_bias]);
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        if !bytes.starts_with(MAGIC) || bytes.len() < HEADER {
            return Err(NetError::Magic);
        }
        let [k, p, overline, blocks, groups] = [4, 5, 6, 7, 8].map(|at| bytes[at]);
        let (blocks, channels) = (usize::from(blocks), usize::from(groups) * GROUP);
        if !(1..=64).contains(&blocks) || !(32..=256).contains(&channels) {
            return Err(NetError::Shape { blocks, channels });
        }
        let expected = length(blocks, channels);
        if bytes.len() != expected {
            return Err(NetError::Length { expected, found: bytes.len() });
        }
        let (body, sum) = bytes.split_at(expected - CHECKSUM);
        if fnv1a(body).to_le_bytes() != sum {
            return Err(NetError::Checksum);
        }
        let mut reader = Reader { bytes: &body[HEADER..], finite: true };
        let net = Self {
            k,
            p,
            overline: if overline == 0 { Overline::Wins } else { Overline::Ignored },
            channels,
            stamps: reader.floats(STAMP * STAMP * PLANES * channels),
            input_bias: reader.floats(channels),
            blocks: (0..blocks).map(|_| reader.block(channels)).collect(),
            last: reader.norm(channels),
            policy: reader.floats(channels),
            policy_bias: reader.floats(1)[0],
            hidden: reader.floats(2 * channels * HIDDEN),
            hidden_bias: reader.floats(HIDDEN),
            value: reader.floats(HIDDEN),
            value_bias: reader.floats(1)[0],
        };
        if reader.finite { Ok(net) } else { Err(NetError::Number) }
    }
}

/// Bytes of a file.
const fn length(blocks: usize, channels: usize) -> usize {
    let norm = 8 * channels;
    let convolution = 9 * channels * channels + norm;
    let first = 4 * channels * (STAMP * STAMP * PLANES + 1);
    let heads = 4 * (channels + 1 + 2 * channels * HIDDEN + HIDDEN + HIDDEN + 1);
    HEADER + first + blocks * (norm + 2 * convolution) + norm + heads + CHECKSUM
}

/// Takes parts off the front; the length was checked before.
struct Reader<'a> {
    bytes: &'a [u8],
    finite: bool,
}

impl Reader<'_> {
    fn take(&mut self, bytes: usize) -> &[u8] {
        let (part, rest) = self.bytes.split_at(bytes);
        self.bytes = rest;
        part
    }

    fn floats(&mut self, numbers: usize) -> Vec<f32> {
        let read = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let numbers: Vec<f32> = self.take(4 * numbers).chunks_exact(4).map(read).collect();
        self.finite &= numbers.iter().all(|number| number.is_finite());
        numbers
    }

    fn norm(&mut self, channels: usize) -> Norm {
        Norm { scale: self.floats(channels), shift: self.floats(channels) }
    }

    fn convolution(&mut self, channels: usize) -> Convolution {
        let weights: Vec<i8> =
            self.take(9 * channels * channels).iter().map(|&byte| byte as i8).collect();
        // −128 would let two products saturate the AVX2 path.
        self.finite &= !weights.contains(&i8::MIN);
        Convolution::new(weights, self.norm(channels))
    }

    fn block(&mut self, channels: usize) -> Block {
        Block {
            norm: self.norm(channels),
            first: self.convolution(channels),
            second: self.convolution(channels),
        }
    }
}
