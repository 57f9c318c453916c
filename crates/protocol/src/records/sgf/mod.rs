//! SGF FF[4], in the dialects that games of this family come in.
//!
//! | dialect | mark | a stone | origin |
//! |---|---|---|---|
//! | Gomoku | `GM[4]`, or none and `SZ[15]`; `RU[1]` exactly five, `RU[4]` Renju | `;B[hh]` | top left |
//! | ours, any rules | `XRU[19x19,k=6,p=2,q=1]` | `;B[jj]`, past 52 columns or rows `;B[ba60]` | top left |
//! | Little Golem, Connect6 | neither `GM` nor `XRU` | `;W[j9l11]`, a turn per node | bottom left |
//! | Taiwanese editors, Connect6 | `GM[511]` | `;W[LJ];W[KI]`, capital letters | bottom left |
//!
//! Private properties, all of them optional. Of the game: `XRU` the rules in their long form; `XSL`
//! the stones left of the first turn after a set-up; `XOP` the stones of the opening;
//! `XRE[reason:detail]` why it ended, where `RE` cannot say it; `XMD[key:value]` further metadata. At
//! the last stone of a turn: `XMS` milliseconds spent, `XCK` milliseconds left on the clock, `XND`
//! nodes, `XDP` depth, `XVA` what the player thought of its position (`0.52`, `win 3`, `loss 2`,
//! `draw`). Of a position: `XCH` Black's chance as an analysis found it; `XHU[blue:AR:hh:ii]` the
//! colour of a mark (`CR`, `MA`, `SQ`, `TR`, `LB`), an arrow (`AR`) or a line (`LN`). Parsing keeps its own stack: nesting costs no recursion.

mod lex;
mod notes;
mod point;
mod read;
mod write;

pub(super) use read::Reader;
pub(super) use write::{is_connect6, write};

/// How the points of a record are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Letter pairs from the top left: `GM[4]` and ours.
    Ours,
    /// Letters-digits, a whole turn in one node.
    LittleGolem,
    /// Capital letter pairs from the bottom left.
    Taiwan,
}

/// Metadata keys that SGF has a property for.
const PROPERTIES: [(&str, &str); 7] = [
    ("event", "EV"),
    ("date", "DT"),
    ("place", "PC"),
    ("round", "RO"),
    ("source", "SO"),
    ("name", "GN"),
    ("annotator", "AN"),
];

/// Other root properties are kept under this prefix: `sgf.BR`.
const PREFIX: &str = "sgf.";

/// The property a metadata key is written as.
pub(super) fn property_of(key: &str) -> Option<&str> {
    let own = key.strip_prefix(PREFIX).filter(|name| {
        (1..=8).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_uppercase())
    });
    own.or_else(|| PROPERTIES.iter().find(|(known, _)| *known == key).map(|(_, name)| *name))
}
