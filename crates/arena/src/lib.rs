//! Matches, tournaments and experiments whose numbers can be trusted.
//!
//! A [`stats`] number is pure arithmetic on results.

pub mod stats;
