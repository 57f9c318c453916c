//! What a line means: windows and their needs, connections and their types, threats and the
//! stones that stop them, for every (k, p, q).
//!
//! The crate looks at one position; it searches nothing.

mod exact;
mod windows;

pub use exact::{ThreatCounter, exact};
pub use windows::{Windows, offsets};
