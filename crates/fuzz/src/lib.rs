//! Hostile input for everything that reads input.
//!
//! A [`Target`] is something that must survive any bytes: a reader, a protocol session, a page's
//! messages, an agent on odd rules. Inputs are made from a few good examples by [`Mutator`], which
//! is seeded, so that case `n` of seed `s` is the same bytes for ever. A panic anywhere in the
//! process, a case that does not end and an answer that breaks the target's promise are failures.
//! Inputs that failed once are files in `regressions/`, and the tests run them all.

#![forbid(unsafe_code)]

mod mutate;
pub mod panics;
mod targets;

pub use mutate::Mutator;
pub use targets::all;

/// Runs one case; the error says which promise was broken.
pub type Run = Box<dyn FnMut(&[u8]) -> Result<(), String> + Send>;

/// Something that must survive any bytes.
pub struct Target {
    /// The name on the command line and of the folder of regressions.
    pub name: &'static str,
    /// Good inputs to begin with.
    pub examples: Vec<Vec<u8>>,
    /// Words that are worth trying.
    pub words: &'static [&'static str],
    /// Cases of the short run in the tests.
    pub test_cases: u64,
    /// Makes the runner, with whatever it keeps between cases.
    pub start: fn() -> Run,
}

impl Target {
    /// Case number `n` of a seed.
    pub fn case(&self, seed: u64, n: u64) -> Vec<u8> {
        Mutator::new(seed, n).mutate(&self.examples, self.words)
    }
}

/// Runs one case and looks for panics, in this thread or any other.
pub fn try_case(run: &mut Run, input: &[u8]) -> Result<(), String> {
    let before = panics::count();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(input)));
    let panicked = || format!("panicked: {}", panics::last());
    match result {
        Err(_) => Err(panicked()),
        Ok(Ok(())) if panics::count() > before => Err(panicked()),
        Ok(result) => result,
    }
}
