//! Text of programs from before UTF-8, whose files do not say which code page they were written in.
//!
//! Players of Renju write Chinese, Japanese, Russian and the languages of the Baltic. What a file is in
//! is guessed as a browser guesses it of a page that does not say so: from all of its text at once,
//! since a single comment is too short to tell. The program brings the tables of all encodings; a
//! browser has them already, and lends its decoder.

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod lent;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod tables;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use lent::decode_all;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use lent::lend_decoder;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) use tables::decode_all;
