//! The name of a build: the version and a hash of the program's file. Games of different builds are
//! kept apart, since a rebuilt engine may play differently.

use std::path::Path;

use collinear_play::{InputFileError, read_file};
use collinear_rules::hash::fnv1a;

/// Far more than any program.
const MAX_BYTES: u64 = 1 << 32;

/// Names the build that a program's file is.
pub fn build_name(program: &Path) -> Result<String, InputFileError> {
    let bytes = read_file(program, MAX_BYTES)?;
    // Words of eight bytes: hashing byte by byte would take longer than some runs.
    let words: Vec<u8> = bytes
        .chunks(8 * 1024)
        .map(|chunk| {
            chunk.chunks(8).fold(0_u64, |sum, word| {
                let mut bytes = [0; 8];
                bytes[..word.len()].copy_from_slice(word);
                (sum.rotate_left(5) ^ u64::from_le_bytes(bytes)).wrapping_mul(0x0100_0000_01b3)
            })
        })
        .flat_map(u64::to_le_bytes)
        .collect();
    Ok(format!("{} {:016x}", env!("CARGO_PKG_VERSION"), fnv1a(&words)))
}
