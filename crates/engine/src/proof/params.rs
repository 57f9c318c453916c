//! The numbers of the search for wins by continuous threats.

use crate::params::parameters;

parameters! {
    /// The numbers of the search for wins by continuous threats.
    ProofParams, "proof":

    /// Attacks tried at a position in the first pass.
    first_width: usize = 10, 1..200, "turns";
    /// Covers listed at most: with more the attack is given up as unclear.
    max_covers: usize = 512, 1..4096, "covers";
    /// Sets of stones, placed and judged, that count as one position.
    sets_per_position: usize = 16, 1..1000, "sets";
    /// Turns of three stones and more: cells that they are chosen from.
    general_width: usize = 12, 3..32, "cells";
    /// Sets of such stones looked at, at most.
    general_sets: usize = 1024, 16..100_000, "sets";
}
