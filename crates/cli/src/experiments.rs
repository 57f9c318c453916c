//! The experiments inside the binary.
//!
//! A new experiment is a file in `experiments/` and a line in [`FILES`]; one with `study = "name"`
//! also has code in `collinear_documents::studies`. What a file may say: `collinear_arena::experiment`.

/// A file of `experiments/` with its name.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!(env!("COLLINEAR_EXPERIMENTS"), "/", $name, ".toml")))
    };
}

/// Name and text of every experiment, in the order they are listed.
pub(crate) const FILES: &[(&str, &str)] = &[
    file!("alicante"),
    file!("boards"),
    file!("book-worth"),
    file!("connect-k-2007"),
    file!("feval-regression"),
    file!("first-move-random"),
    file!("first-move-sequences"),
    file!("karplus-1"),
    file!("karplus-2"),
    file!("karplus-3"),
    file!("karplus-4"),
    file!("karplus-5"),
    file!("karplus-6a"),
    file!("karplus-6b"),
    file!("karplus-7"),
    file!("karplus-real"),
    file!("karplus-time"),
    file!("kate-depth"),
    file!("kate-steps"),
    file!("kate-time"),
    file!("monte-carlo"),
    file!("rivals"),
    file!("rivals-gomoku"),
    file!("strength-by-time"),
    file!("table-base"),
    file!("table-base-player"),
    file!("threat-counters"),
];
