//! One file per agent, and the registry: the one table that drives the command line, the page, the
//! docs and the tests.

mod karplus;
mod kate;
mod perfect;
mod random;
mod registry;
mod sextant;

pub use registry::registry;
