//! The numbers of the alpha-beta search. Those of Gomoku were tuned together by games;
//! depths are in stones, scores in 1/256 of a logit.

use super::score::Score;
use crate::params::parameters;

parameters! {
    /// The numbers of the alpha-beta search.
    SearchParams, "search":

    /// Half the first aspiration window.
    aspiration: Score = 60, 5..1000, "1/256 logit";
    /// An aspiration window wider than this becomes the whole range.
    aspiration_limit: Score = 500, 10..10000, "1/256 logit";
    /// A window that failed grows by this factor.
    aspiration_growth: Score = 4, 2..16, "times";
    /// No new iteration after this part of the time.
    last_iteration: f64 = 0.8, 0.1..1.0, "of the turn";
    /// Turns refuted by verification at one depth.
    max_refuted: usize = 16, 0..64, "turns";

    /// Part of the turn for the proof search at the root.
    root_proof_share: f64 = 0.25, 0.0..0.9, "of the turn";
    /// Proof search at the root where nothing but depth limits the turn.
    root_proof_untimed: u64 = 20_000, 0..10_000_000, "positions";
    /// Part of the turn for a win at the root that begins with a quiet turn.
    root_quiet_share: f64 = 0.1, 0.0..0.9, "of the turn";
    /// The same where nothing but depth limits the turn.
    root_quiet_untimed: u64 = 4_000, 0..10_000_000, "positions";
    /// The best turn is verified with the nodes of the turn divided by this.
    verify_divisor: u64 = 4, 1..1000, "divisor";
    /// A quiet win of the opponent is looked for with the nodes of the turn divided by this.
    verify_quiet_divisor: u64 = 8, 1..1000, "divisor";
    /// Both divisors grow by this factor with one stone per turn, where the search sees fours itself.
    verify_seen_factor: u64 = 4, 1..100, "times";
    /// Attacker turns of a proof inside the tree.
    proof_turns: u16 = 12, 1..60, "turns";
    /// Powers of two that a proof search gets more with several stones per turn.
    proof_effort_long: u8 = 2, 1..6, "powers of two";
    /// Powers of two more on the main line.
    proof_effort_pv: u8 = 2, 0..6, "powers of two";
    /// Most powers of two more by depth, one for two stones of it.
    proof_effort_deep: i32 = 4, 0..10, "powers of two";
    /// With several stones per turn, off the main line, no proof search below this depth.
    proof_min_depth: i32 = 3, 0..20, "stones";
    /// From this depth a win by threats is looked for without condition (several stones per turn).
    proof_decisive_depth: i32 = 6, 0..40, "stones";
    /// From this depth the relevance zone is asked for on the main line.
    zone_depth: i32 = 4, 0..40, "stones";
    /// Powers of two more for the zone at the root.
    zone_root_effort: u8 = 3, 0..8, "powers of two";

    /// Where all stones lose, this many times as many are tried first.
    widen_factor: usize = 4, 1..16, "times";
    /// A complete defence takes at most the nodes so far divided by this.
    defence_divisor: u64 = 8, 1..1000, "divisor";
    /// A complete defence may always take this many.
    defence_min: u64 = 4096, 0..1_000_000, "positions";
    /// Powers of two more than near-effort for each proof of a complete defence.
    defence_effort: u8 = 2, 0..8, "powers of two";
    /// Turns from the root within which everything is tried against a loss.
    widen_near: i32 = 1, 0..20, "turns";
    /// Turns more for each degree of doubt.
    widen_near_by_doubt: i32 = 2, 0..20, "turns";

    /// What history adds to a stone's order at most is 4096 divided by this.
    history_divisor: i32 = 6, 1..100, "divisor";
    /// What a killer adds to its order.
    killer_bonus: i32 = 300, 0..4000, "1/256 logit";
    /// The largest bonus of a cutoff, which grows with the square of the depth.
    history_max_bonus: i32 = 256, 16..1000, "history";
    /// A stone that was good enough gains this many times what earlier ones lose.
    history_gain: i32 = 4, 1..4, "times";

    /// Several stones per turn: above beta by this per turn of depth, a node is not searched.
    turns_futility_margin: Score = 250, 10..4000, "1/256 logit";
    /// Up to this depth.
    turns_futility_depth: i32 = 4, 0..20, "stones";
    /// Late move reductions from this depth.
    turns_lmr_depth: i32 = 3, 1..20, "stones";
    /// After this many stones.
    turns_lmr_first: usize = 2, 1..30, "stones";
    /// One stone of depth more after this many.
    turns_lmr_second: usize = 3, 1..60, "stones";
    /// And another one after this many.
    turns_lmr_third: usize = 7, 1..60, "stones";
    /// Stones tried for the last of a turn at the horizon.
    turns_leaf_width: usize = 4, 1..64, "stones";
    /// First stones of a turn tried at depth 0; two more for each stone of depth, up to the width.
    turns_first_width: usize = 8, 1..64, "stones";
    /// Later stones of a turn tried at depth 0; one more for each stone of depth, up to the width.
    turns_next_width: usize = 4, 1..64, "stones";
    /// With so few empty cells every one is tried.
    turns_small_board: usize = 16, 0..64, "cells";

    /// Depth from which the network is asked.
    guide_depth: i32 = 6, 2..40, "stones";
    /// Part of the difference between the network's value and the evaluation that corrects it.
    guide_part: f32 = 0.32, 0.0..1.0, "part";
    /// Where the evaluation is above beta by this per stone of depth, the network is not asked.
    guide_margin: Score = 42, 0..1000, "1/256 logit";
    /// The line patterns' part in the order of stones that the network lists, as a divisor.
    guide_pattern_divisor: i32 = 5, 1..100, "divisor";
    /// Razoring up to this depth.
    razor_depth: i32 = 2, 0..10, "stones";
    /// Razoring where the evaluation is below alpha by this,
    razor_base: Score = 25, 0..2000, "1/256 logit";
    /// and this per stone of depth.
    razor_margin: Score = 19, 0..2000, "1/256 logit";
    /// Reverse futility pruning where the evaluation is above beta by this per stone of depth.
    futility_margin: Score = 42, 1..2000, "1/256 logit";
    /// Internal iterative reduction from this depth.
    iir_depth: i32 = 4, 1..40, "stones";
    /// Stones tried: this without a guide,
    width_base: f32 = 3.0, 1.0..64.0, "stones";
    /// and the depth to this power.
    width_power: f32 = 1.32, 0.1..3.0, "power";
    /// Stones tried with a guide: this,
    guided_width_base: f32 = 1.33, 1.0..64.0, "stones";
    /// and the depth to this power.
    guided_width_power: f32 = 1.2, 0.1..3.0, "power";
    /// A cutoff is likely where the evaluation is above beta by this per stone of depth,
    likely_high_margin: Score = 15, 0..1000, "1/256 logit";
    /// and this where the opponent threatens to win,
    likely_high_pressed: Score = 80, -1000..2000, "1/256 logit";
    /// or this where he does not.
    likely_high_quiet: Score = -19, -1000..2000, "1/256 logit";
    /// Singular extension from this depth.
    singular_depth: i32 = 7, 2..40, "stones";
    /// The table's depth may be less by this.
    singular_table_depth: i32 = 2, 0..10, "stones";
    /// All others must be worse by a quarter of this per stone of depth.
    singular_margin: i32 = 3, 0..40, "1/1024 logit";
    /// Worse by this, the extension is doubled.
    singular_double: Score = 25, 0..2000, "1/256 logit";
    /// Once a stone is above alpha, others lose a stone of depth from above this depth,
    raised_min_depth: i32 = 2, 0..40, "stones";
    /// up to below this.
    raised_max_depth: i32 = 12, 1..128, "stones";
    /// Late move reductions: the factor of ln(depth) · ln(number of the stone),
    lmr_factor: f32 = 1.19, 0.0..4.0, "stones";
    /// less this,
    lmr_base: f32 = 0.36, -4.0..4.0, "stones";
    /// less this on the main line,
    lmr_pv: f32 = 1.0, -2.0..6.0, "stones";
    /// and this more where the evaluation became worse,
    lmr_worse: f32 = 1.08, -2.0..6.0, "stones";
    /// and this more where a cutoff is expected,
    lmr_cut: f32 = 0.38, -2.0..6.0, "stones";
    /// less this for a three or more,
    lmr_three: f32 = 0.14, -2.0..6.0, "stones";
    /// less this for an attack that goes on,
    lmr_attack: f32 = 1.5, -2.0..6.0, "stones";
    /// less the history divided by this.
    lmr_history: f32 = 3868.0, 500.0..100_000.0, "history";
    /// Quiescence search: own fours after each other, at most,
    quiescence_fours: u8 = 20, 1..60, "fours";
    /// and those among them that may threaten nothing else.
    quiescence_plain: u8 = 2, 0..60, "fours";
    /// Stones of one attack are at most so far apart, unless on one line.
    quiescence_near: usize = 2, 1..5, "cells";
}
