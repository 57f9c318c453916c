//! The table of targets.

mod agents;
mod files;
mod frames;
mod page;
mod players;
mod proofs;
mod protocols;
mod server;
mod texts;

use crate::Target;

/// Every target, in the order they are run.
pub fn all() -> Vec<Target> {
    let mut all = texts::targets();
    all.extend(files::targets());
    all.extend(proofs::targets());
    all.extend(protocols::targets());
    all.extend(page::targets());
    all.extend([frames::target(), agents::target(), players::target()]);
    all
}

/// Examples as bytes.
fn bytes(examples: &[&str]) -> Vec<Vec<u8>> {
    examples.iter().map(|text| text.as_bytes().to_vec()).collect()
}
