//! Files of records that are appended one by one: games and labels to learn from.
//!
//! ```text
//! kind: 8 bytes
//! origin: length u32 and text, lines of "name=value"; checksum u64 (FNV-1a of everything before)
//! then each record: length u32, the length's own checksum u32, body, the body's checksum u64
//! ```
//! Who appends may be cut off at any byte. Since a length has a checksum of its own, a file that merely ends
//! too early can be told from one that was changed: [`Records::whole`] says where the last whole record ends, and
//! what is behind it begins a record. Any other byte that is not as it was written is an error with its place.

use std::collections::HashSet;
use std::fmt::Display;

use collinear_rules::Rules;
use collinear_rules::hash::fnv1a;
use thiserror::Error;

/// How the records of a file were made: names and values. Records of different origins are not mixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(Vec<(String, String)>);

/// Why bytes are not records.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// Not the kind of file that was asked for.
    #[error("the file has no {needed} of this program: name another file")]
    Kind {
        /// What was asked for.
        needed: &'static str,
    },
    /// The file ends within its header, or the header was changed.
    #[error("the file's header is damaged: restore it from a copy, or make the file again")]
    Header,
    /// The rules cannot be read.
    #[error("the file names no game of the family: {0:?}")]
    Rules(String),
    /// A record was changed.
    #[error(
        "record {record}, at byte {at}, is damaged: restore the file from a copy, or make it again"
    )]
    Damaged {
        /// Which one, from 1.
        record: usize,
        /// Where it begins.
        at: usize,
    },
    /// A record is whole and makes no sense.
    #[error("record {0} cannot be replayed: it was not written by this version of the program")]
    Senseless(usize),
    /// A number occurs twice.
    #[error("the file has number {0} twice: two programs wrote to it")]
    Twice(u64),
}

impl Origin {
    /// Of a game, with what made the records.
    pub fn new(rules: &Rules, made_by: &str) -> Self {
        Self(Vec::new()).with("game", rules).with("by", made_by)
    }

    /// With one more setting; neither name nor value has line breaks.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.0.push((name.to_owned(), value.to_string()));
        self
    }

    /// With everything that is known about what the records were made from.
    #[must_use]
    pub fn of(mut self, source: &Self) -> Self {
        let parts = source.0.iter().map(|(name, value)| (format!("source-{name}"), value.clone()));
        self.0.extend(parts);
        self
    }

    /// The value of a setting.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The rules.
    pub fn rules(&self) -> Result<Rules, RecordsError> {
        let text = self.value("game").unwrap_or_default();
        text.parse().map_err(|_| RecordsError::Rules(text.to_owned()))
    }

    /// What differs, as a person reads it: `seed 1, not 2`.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let names: Vec<&str> =
            self.0.iter().chain(&other.0).map(|(name, _)| name.as_str()).collect();
        let mut seen = HashSet::new();
        let shown = |value: Option<&str>| value.unwrap_or("none").to_owned();
        names
            .into_iter()
            .filter(|name| seen.insert(*name) && self.value(name) != other.value(name))
            .map(|name| {
                format!("{name} {}, not {}", shown(self.value(name)), shown(other.value(name)))
            })
            .collect()
    }

    pub(super) fn to_text(&self) -> String {
        let line = |(name, value): &(String, String)| [name, "=", value, "\n"].concat();
        self.0.iter().map(line).collect()
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        let parts = text.lines().map(|line| {
            line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
        });
        parts.collect::<Option<_>>().map(Self)
    }
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// The first bytes.
    pub magic: &'static [u8; 8],
    /// In words, for messages.
    pub name: &'static str,
}

/// The records of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records<'a> {
    /// How they were made.
    pub origin: Origin,
    /// Their bodies.
    pub bodies: Vec<&'a [u8]>,
    /// Bytes up to the end of the last whole record: whoever appends goes on from here.
    pub whole: usize,
}

/// Bytes of a length and its checksum.
const LENGTH: usize = 8;
const CHECKSUM: usize = 8;
/// More than any header or record has.
const MAX_LENGTH: usize = 1 << 26;

impl<'a> Records<'a> {
    /// Reads a file; a record that was begun at its end is left out.
    pub fn from_bytes(bytes: &'a [u8], kind: FileKind) -> Result<Self, RecordsError> {
        if !bytes.starts_with(kind.magic) {
            return Err(RecordsError::Kind { needed: kind.name });
        }
        let (origin, mut whole) = header(bytes).ok_or(RecordsError::Header)?;
        let mut bodies = Vec::new();
        while whole < bytes.len() {
            let damaged = RecordsError::Damaged { record: bodies.len() + 1, at: whole };
            let rest = &bytes[whole..];
            let Some(length) = rest.first_chunk::<LENGTH>() else { break };
            let length = known_length(length).ok_or_else(|| damaged.clone())?;
            let Some(record) = rest.get(LENGTH..LENGTH + length + CHECKSUM) else { break };
            bodies.push(checked(record).ok_or(damaged)?);
            whole += LENGTH + record.len();
        }
        Ok(Self { origin, bodies, whole })
    }
}

/// The first bytes of a file.
pub fn header_bytes(kind: FileKind, origin: &Origin) -> Vec<u8> {
    let text = origin.to_text();
    let mut bytes = kind.magic.to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(fnv1a(&bytes).to_le_bytes());
    bytes
}

/// A record as it stands in a file.
pub fn record_bytes(body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32).to_le_bytes();
    let mut bytes = length.to_vec();
    bytes.extend(folded(&length).to_le_bytes());
    bytes.extend(body);
    bytes.extend(fnv1a(body).to_le_bytes());
    bytes
}

/// The origin, and where the header ends.
fn header(bytes: &[u8]) -> Option<(Origin, usize)> {
    const TEXT: usize = 12;
    let length = u32::from_le_bytes(bytes.get(8..TEXT)?.try_into().ok()?) as usize;
    let end = TEXT + length.min(MAX_LENGTH);
    let content = checked(bytes.get(..end + CHECKSUM)?)?;
    let text = std::str::from_utf8(&content[TEXT..]).ok()?;
    Some((Origin::from_text(text)?, end + CHECKSUM))
}

/// What stands before a checksum, if that fits.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk::<CHECKSUM>()?;
    (fnv1a(content).to_le_bytes() == *sum).then_some(content)
}

fn known_length(bytes: &[u8; LENGTH]) -> Option<usize> {
    let (length, sum) = bytes.split_first_chunk::<4>()?;
    let number = u32::from_le_bytes(*length) as usize;
    (folded(length).to_le_bytes() == *sum && number <= MAX_LENGTH).then_some(number)
}

fn folded(bytes: &[u8]) -> u32 {
    let hash = fnv1a(bytes);
    (hash ^ hash >> 32) as u32
}

/// Takes numbers off the front of a record.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (part, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*part)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    pub(super) fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

/// The first number that occurs twice is an error.
pub(super) fn all_different(numbers: impl Iterator<Item = u64>) -> Result<(), RecordsError> {
    let mut seen = HashSet::new();
    for number in numbers {
        if !seen.insert(number) {
            return Err(RecordsError::Twice(number));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FileKind = FileKind { magic: b"A test 1", name: "tests" };

    fn file(bodies: &[&[u8]]) -> Vec<u8> {
        let origin = Origin::new(&Rules::CONNECT6, "a test").with("seed", 7);
        let mut bytes = header_bytes(KIND, &origin);
        bytes.extend(bodies.iter().flat_map(|body| record_bytes(body)));
        bytes
    }

    #[test]
    fn one_flipped_bit_anywhere_is_noticed() {
        let bytes = file(&[b"first", b"", b"third"]);
        assert_eq!(Records::from_bytes(&bytes, KIND).expect("whole").bodies.len(), 3);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(Records::from_bytes(&changed, KIND).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_file_that_ends_anywhere_keeps_its_whole_records() {
        let bytes = file(&[b"first", b"second"]);
        let ends = [file(&[]).len(), file(&[b"first"]).len(), bytes.len()];
        for length in 0..bytes.len() {
            let found = Records::from_bytes(&bytes[..length], KIND);
            let whole = ends.iter().filter(|&&end| end <= length).count();
            match found {
                Ok(found) => {
                    assert_eq!((found.bodies.len() + 1, found.whole), (whole, ends[whole - 1]));
                }
                Err(error) => assert!(whole == 0, "{length}: {error}"),
            }
        }
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let mut bytes = file(&[b"first", b"second"]);
        let at = file(&[b"first"]).len();
        bytes[at + LENGTH] ^= 1;
        let found = Records::from_bytes(&bytes, KIND);
        assert_eq!(found, Err(RecordsError::Damaged { record: 2, at }));
    }

    #[test]
    fn differences_are_named() {
        let origin = |seed: u8| Origin::new(&Rules::GOMOKU, "a test").with("seed", seed);
        assert!(origin(1).differences(&origin(1)).is_empty());
        assert_eq!(origin(1).differences(&origin(2)), ["seed 1, not 2"]);
        let more = origin(1).with("visits", 9);
        assert_eq!(more.differences(&origin(1)), ["visits 9, not none"]);
        assert_eq!(more.rules(), Ok(Rules::GOMOKU));
    }
}
