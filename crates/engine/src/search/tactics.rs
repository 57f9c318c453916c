//! What the search asks about threats: rows at hand, wins by continuous threats, and the stones
//! that can stop such a win.

use collinear_rules::Player;

use super::frame::Node;
use super::moves;
use super::score::{Score, wins_at};
use super::settings::{Feature, Settings};
use super::table::{Bound, Entry};
use super::worker::{CERTAIN, Worker};
use crate::proof::{ProofLimits, Verdict, Zone};

impl Worker<'_> {
    /// Where a stone of this turn must fall because the opponent would win by continuous threats
    /// if we passed. Asked at the root and where the main line passes early.
    pub(super) fn zone(&mut self, node: Node, depth: i32, is_pv: bool) -> Option<Zone> {
        let Settings { near_effort, features, .. } = self.settings;
        let p = self.state.geometry().rules().p();
        let effort = match node.ply {
            0 => near_effort + self.params.zone_root_effort,
            _ if node.distance == 0 || is_pv && depth >= self.params.zone_depth => near_effort,
            _ => return None,
        };
        let opponent = !self.state.turn().player;
        if !features.has(Feature::Zone) || !self.could_force(opponent) {
            return None;
        }
        let proof = self.search_proof(opponent, p, effort).proof()?;
        let left = usize::from(self.state.turn().left);
        Some(Zone::of(self.state.windows_mut(), opponent, &proof, left))
    }

    /// A proved win of the player to move.
    pub(super) fn prove(&mut self, effort: u8, distance: i32) -> Option<Score> {
        let turn = self.state.turn();
        let verdict = self.search_proof(turn.player, usize::from(turn.left), effort);
        let turns = i32::from(verdict.proof()?.turns());
        Some(wins_at(distance + 2 * (turns - 1)))
    }

    /// Whether the opponent wins by continuous threats after the turn that the search likes best,
    /// looked for longer than inside the tree. The table then knows, and the next search likes
    /// another turn.
    pub(super) fn is_refuted(&mut self, stones: usize) -> bool {
        let features = self.settings.features;
        let is_on = features.has(Feature::Verify) && features.has(Feature::Table);
        if !is_on || self.line().len() < stones {
            return false;
        }
        let share =
            self.params.verify_divisor * self.seen_factor() * self.settings.threads.max(1) as u64;
        let effort = (self.total_nodes() / share).max(1).ilog2() as u8;
        for at in 0..stones {
            self.state.play(self.frames[0].line[at]);
        }
        let key = self.state.key();
        let known = self.shared.table.get(key, 1);
        let is_new = known.is_none_or(|entry| entry.unproved < effort);
        let is_open = is_new && !self.wins_now() && !self.state.geometry().rules().gravity();
        let mut score = if is_open { self.prove(effort, 1) } else { None };
        if is_open && score.is_none() && features.has(Feature::Quiet) {
            score = self.prove_quiet(1, self.settings.threads.max(1) as u64);
        }
        for _ in 0..stones {
            self.state.undo();
        }
        if is_open && !self.is_stopped() {
            let entry = match (score, known) {
                (Some(score), _) => Entry {
                    score,
                    bound: Bound::Lower,
                    depth: CERTAIN,
                    best: None,
                    unproved: effort,
                },
                (None, Some(known)) => Entry { unproved: effort, ..known },
                (None, None) => return false,
            };
            self.shared.table.put(key, 1, entry);
        }
        score.is_some()
    }

    /// A proved win of the player to move that begins with a quiet turn.
    fn prove_quiet(&mut self, distance: i32, threads: u64) -> Option<Score> {
        let spent = self.total_nodes();
        let rest = self.shared.meter.max_nodes().saturating_sub(spent);
        let total =
            (spent / (self.params.verify_quiet_divisor * self.seen_factor() * threads)).min(rest);
        let turn = self.state.turn();
        let before = self.tactics.nodes();
        let (windows, left) = (self.state.windows_mut(), usize::from(turn.left));
        let limits = self.tactics.quiet_limits(total, self.shared.meter);
        let proof = self.tactics.prove_quiet(windows, turn.player, left, limits);
        self.nodes += self.tactics.nodes() - before;
        proof.map(|proof| wins_at(distance + 2 * (i32::from(proof.turns()) - 1)))
    }

    const fn seen_factor(&self) -> u64 {
        if self.state.cells().is_some() { self.params.verify_seen_factor } else { 1 }
    }

    fn search_proof(&mut self, attacker: Player, left: usize, effort: u8) -> Verdict {
        let meter = Some(self.shared.meter);
        let limits = ProofLimits { turns: self.params.proof_turns, nodes: 1 << effort, meter };
        let before = self.tactics.nodes();
        let verdict = self.tactics.prove(self.state.windows_mut(), attacker, left, limits);
        self.nodes += self.tactics.nodes() - before;
        verdict
    }

    pub(super) fn wins_now(&mut self) -> bool {
        let turn = self.state.turn();
        let rules = *self.state.geometry().rules();
        if !rules.gravity() {
            return self.state.windows().can_win(turn.player, usize::from(turn.left));
        }
        (0..rules.width()).any(|column| {
            let Some(cell) = moves::drop_cell(self.state, column) else { return false };
            let windows = self.state.windows();
            let mut lines = windows.geometry().lines_through(cell).iter();
            lines.any(|at| windows.within(at.line, turn.player, 1) & windows.windows_at(at) != 0)
        })
    }

    /// Whether a proof search for a player is worth its while.
    pub(super) fn could_force(&mut self, player: Player) -> bool {
        self.tactics.could_force(self.state.windows(), player)
    }

    /// Whether so much hangs on a node that a win is looked for even if none is likely: with two stones
    /// a turn and more, near the root, on the main line (+40 Elo, 15 to 65) and far from the horizon.
    pub(super) fn is_decisive(&self, depth: i32, is_pv: bool, distance: i32) -> bool {
        self.state.geometry().rules().p() > 1
            && (is_pv || distance <= 1 || depth >= self.params.proof_decisive_depth)
    }

    /// How many nodes (a power of two) a proof search may take inside the tree: much near the root,
    /// where its answer matters most; none at the horizon with two stones per turn and more, where it
    /// would cost more time than everything else.
    pub(super) fn proof_effort(&self, depth: i32, is_pv: bool, distance: i32) -> u8 {
        let Settings { leaf_effort, near_effort, .. } = self.settings;
        let deep = (depth / 2).clamp(0, self.params.proof_effort_deep) as u8;
        // Four nodes find most wins with one stone per turn, few with more.
        let long =
            if self.state.geometry().rules().p() > 1 { self.params.proof_effort_long } else { 0 };
        let effort =
            leaf_effort + long + deep + if is_pv { self.params.proof_effort_pv } else { 0 };
        match distance {
            ..=1 => effort.max(near_effort),
            _ if long > 0 && depth < self.params.proof_min_depth && !is_pv => 0,
            _ => effort,
        }
    }
}
