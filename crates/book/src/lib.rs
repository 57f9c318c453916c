//! Opening statistics (document 000, §3.3, Opening Book): a graph of positions with the results of
//! the games that passed through them, links labelled by turns.
//!
//! ```text
//!            ●  812 games                a node is a position after a turn; other orders of the
//!     k9 k11/ \h8 i10                    same stones lead to the same node, and so do turned and
//!          ○   ○                         mirrored boards and, where Black opens with one stone,
//!           \ /                          boards shifted as a whole
//!            ●
//! ```
//!
//! Games go in as moves and come out as recommendations. Bytes go in and out; files are the
//! caller's business.

#![forbid(unsafe_code)]

mod file;
mod frame;
mod graph;
mod rule;

pub use file::BookError;
pub use graph::{Book, Entry, Tally};
pub use rule::Rule;
