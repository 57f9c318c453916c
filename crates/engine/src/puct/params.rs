//! The numbers of the network search. Positions are those of a proof search.

use crate::params::parameters;

parameters! {
    /// The numbers of the network search.
    PuctParams, "puct":

    /// Weight of the prior against the value (PUCT's c).
    cpuct: f32 = 1.4, 0.1..10.0, "value";
    /// First-play urgency: an unvisited stone is worth this · √(prior visited) less than its node.
    fpu_reduction: f32 = 0.3, 0.0..2.0, "value";
    /// The network's best stones of a node.
    network_stones: usize = 40, 4..200, "stones";
    /// The best stones of the line patterns beside them.
    pattern_stones: usize = 8, 0..100, "stones";
    /// Part of a prior that comes from the line patterns.
    pattern_share: f32 = 0.1, 0.0..1.0, "part";

    /// Proof search at a new node for a win of the player to move.
    leaf_win: u64 = 1000, 0..100_000, "positions";
    /// For the zone against a win of the opponent.
    leaf_zone: u64 = 500, 0..100_000, "positions";
    /// The most turns of such a win.
    leaf_turns: u16 = 12, 1..60, "turns";
    /// At the root for a win of the player to move.
    root_win: u64 = 4000, 0..1_000_000, "positions";
    /// At the root for the zone.
    root_zone: u64 = 4000, 0..1_000_000, "positions";
    /// The most turns of such a win.
    root_turns: u16 = 16, 1..60, "turns";
    /// Where no threats are in sight, all these are divided by this.
    out_of_sight_divisor: u64 = 8, 1..1000, "divisor";
    /// Visits before a node gets longer proof searches.
    grow_from: u32 = 16, 1..100_000, "visits";
    /// Length of these searches.
    grow_positions: u64 = 64, 0..10_000, "positions per visit";
    /// The most turns of such a win.
    grow_turns: u16 = 16, 1..60, "turns";
    /// The zone gets this part of them, as a divisor.
    grow_zone_divisor: u64 = 2, 1..100, "divisor";
    /// The search for a quiet win gets this part of them, as a divisor.
    grow_quiet_divisor: u64 = 4, 1..100, "divisor";

    /// Positions of a proof search that take about as long as one visit.
    positions_per_visit: u64 = 100, 1..10_000, "positions";
    /// Part of the turn for proofs at the root.
    root_share: f64 = 0.2, 0.0..0.9, "of the turn";
    /// The most turns of a win at the root.
    root_proof_turns: u16 = 40, 1..60, "turns";
    /// Part of a proof search that looks for wins beginning with a quiet turn.
    quiet_part: f64 = 0.35, 0.0..1.0, "of the search";
    /// The most of a turn for verification, in all.
    verify_total: f64 = 0.4, 0.0..0.9, "of the turn";
    /// The parts of a turn at which the best turn is verified: the first,
    verify_first: f64 = 0.3, 0.0..1.0, "of the turn";
    /// the second,
    verify_second: f64 = 0.55, 0.0..1.0, "of the turn";
    /// the third,
    verify_third: f64 = 0.8, 0.0..1.0, "of the turn";
    /// the last.
    verify_last: f64 = 0.9, 0.0..1.0, "of the turn";
    /// One verification takes this part of the turn at its beginning,
    verify_base: f64 = 0.05, 0.0..0.9, "of the turn";
    /// and this more at its end,
    verify_growth: f64 = 0.08, 0.0..0.9, "of the turn";
    /// but at most this part of what is left,
    verify_rest: f64 = 0.8, 0.0..1.0, "of the rest";
    /// and none shorter than this.
    verify_least: f64 = 0.01, 0.0..0.5, "of the turn";
    /// The most turns of a win that refutes.
    verify_turns: u16 = 24, 1..60, "turns";
    /// Turns verified after each other, at most.
    verify_most: usize = 8, 1..64, "turns";
    /// Proof search where nothing limits the turn.
    untimed_proof: u64 = 200_000, 0..100_000_000, "positions";
}

impl PuctParams {
    /// The parts of a turn at which the best turn is verified.
    pub(super) const fn verify_at(&self) -> [f64; 4] {
        [self.verify_first, self.verify_second, self.verify_third, self.verify_last]
    }
}
