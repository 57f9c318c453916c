//! The numbers of the questions about threats: how far quiet wins are looked for.

use crate::params::parameters;

parameters! {
    /// The numbers of the questions about threats.
    TacticsParams, "tactics":

    /// Quiet turns: cells that a turn of one stone is chosen from.
    quiet_cells_one: usize = 16, 1..64, "cells";
    /// Cells that a turn of two stones is chosen from.
    quiet_cells_two: usize = 12, 2..32, "cells";
    /// Cells more than stones that a longer turn is chosen from.
    quiet_cells_spare: usize = 2, 0..6, "cells";
    /// Turns tried at a position, at most.
    quiet_turns: usize = 66, 1..500, "turns";
    /// Quiet turns after each other with one stone per turn.
    quiet_depth_one: u16 = 4, 1..12, "turns";
    /// The same with several stones per turn.
    quiet_depth: u16 = 1, 1..6, "turns";
    /// Each single proof takes all positions divided by this,
    quiet_divisor: u64 = 32, 1..1000, "divisor";
    /// at least this,
    quiet_min: u64 = 16, 1..1_000, "positions";
    /// at most this.
    quiet_max: u64 = 1024, 1_000..1_000_000, "positions";
    /// Attacker turns of each single proof.
    quiet_proof_turns: u16 = 12, 1..60, "turns";
    /// A proof search is worth its while from this many windows on one line with one stone per turn,
    force_windows_one: u32 = 2, 1..20, "windows";
    /// and from this many with several.
    force_windows: u32 = 4, 1..20, "windows";
    /// Two of these lines are enough.
    force_lines: usize = 2, 1..20, "lines";
}
