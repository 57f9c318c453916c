//! Tactics: what every searcher asks about threats before it judges anything by itself.
//!
//! Rows at hand, covers of threats, wins by continuous threats and the complete defence against
//! them live here, for alpha-beta and for the network search alike. A claim made here is a proof:
//! where a limit ends the work, the answer leaves more stones open, never fewer.

mod defence;
mod params;
mod quiet;

use std::sync::Arc;

use collinear_play::Meter;
use collinear_rules::{Cell, Player, Position, Rules};
use collinear_windows::{ThreatCounter, Windows, offsets};

use crate::Params;
use crate::proof::{COUNT_STEPS, Proof, ProofLimits, Solver, Verdict};

pub use defence::DefenceLimits;
pub use params::TacticsParams;
pub use quiet::QuietLimits;

/// Where the next stone of a turn must go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replies {
    /// Anywhere: no threat is known.
    Free,
    /// Every turn that may save the game has a stone among these, so it can begin with it.
    Only(Vec<Cell>),
    /// Nowhere: whatever the turn, the opponent wins within this many turns of his own.
    Lost {
        /// The opponent's turns, at most.
        turns: u16,
    },
}

/// Answers questions about threats in one game; remembers proofs from question to question.
#[derive(Clone, Debug)]
pub struct Tactics {
    rules: Rules,
    params: TacticsParams,
    solver: Solver,
    counter: ThreatCounter,
}

impl Tactics {
    /// Tactics of a game. With gravity nothing is ever proved.
    pub fn new(rules: &Rules) -> Self {
        Self::with_params(rules, &Params::default())
    }

    /// The same with other numbers.
    pub fn with_params(rules: &Rules, params: &Params) -> Self {
        Self {
            rules: *rules,
            params: params.tactics,
            solver: Solver::with_params(rules, &params.proof),
            counter: ThreatCounter::with_steps(COUNT_STEPS),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.solver.clear();
    }

    /// Positions that proof searches have looked at so far: the unit of all limits.
    pub const fn nodes(&self) -> u64 {
        self.solver.nodes()
    }

    /// Looks for a win by continuous threats of `attacker`, who is to move with `left` stones.
    pub fn prove(
        &mut self,
        windows: &mut Windows,
        attacker: Player,
        left: usize,
        limits: ProofLimits<'_>,
    ) -> Verdict {
        self.solver.prove(windows, attacker, left, limits)
    }

    /// A win of the player to move: by continuous threats, else one that begins with a quiet turn, each
    /// looked for in at most so many positions.
    pub fn win(&mut self, position: &Position, nodes: u64, meter: &Meter) -> Option<Arc<Proof>> {
        let (player, left) = (position.to_move(), position.stones_left());
        let windows = &mut Windows::of(position);
        let limits = ProofLimits { nodes, meter: Some(meter), ..ProofLimits::default() };
        let proof = self.prove(windows, player, left, limits).proof();
        proof.or_else(|| {
            let limits = self.quiet_limits(nodes, meter);
            self.prove_quiet(windows, player, left, limits)
        })
    }

    /// Where a stone of `player`, to move with `left` stones, must go against threats to complete
    /// a row in the opponent's next turn. He must have no row to complete himself.
    ///
    /// Some stone of the turn has to hit the smallest threat, and the order of a turn's stones is
    /// free: the cells of that threat after which the other stones can still stop the rest.
    pub fn covers(&mut self, windows: &mut Windows, player: Player, left: usize) -> Replies {
        if self.rules.gravity() || !windows.has_threat(!player) {
            return Replies::Free;
        }
        let p = self.rules.p();
        if self.counter.count_within(windows, !player, p, left) > left {
            return Replies::Lost { turns: 1 };
        }
        let sets = windows.lines_within(!player, p).flat_map(|(line, threats)| {
            let windows = &*windows;
            offsets(threats).map(move |offset| (line, windows.empties(line, offset)))
        });
        let Some((line, empties)) = sets.min_by_key(|(_, empties)| empties.count_ones()) else {
            return Replies::Free;
        };
        let geometry = windows.geometry().clone();
        let mut cells = Vec::new();
        for index in offsets(empties) {
            let cell = geometry.line_cells(line)[index];
            windows.place(cell, player);
            let rest = self.counter.count_within(windows, !player, p, left - 1);
            windows.remove(cell, player);
            if rest < left {
                cells.push(cell);
            }
        }
        if cells.is_empty() { Replies::Lost { turns: 1 } } else { Replies::Only(cells) }
    }

    /// Whether a player could soon make more threats than can be answered: else a proof search is
    /// seldom worth its while. One stone per turn needs two windows, which an open three has.
    pub fn could_force(&self, windows: &Windows, player: Player) -> bool {
        if self.rules.gravity() {
            return false;
        }
        let mut count = 0;
        let mut lines = 0;
        for (_, found) in windows.lines_within(player, self.rules.p() + 1) {
            count += found.count_ones();
            lines += 1;
        }
        let TacticsParams { force_windows_one, force_windows, force_lines, .. } = self.params;
        lines >= force_lines
            || count >= if self.rules.p() == 1 { force_windows_one } else { force_windows }
    }
}
