//! The complete defence against a win by continuous threats.
//!
//! Suppose the player passed and the opponent had a proof. A turn that saves the game has a stone
//! in the proof's relevance zone. Put each cell of the zone alone: if the opponent still has a
//! proof, the turn's next stone must be in the zone of that one, and so on for every stone of the
//! turn. Stones after which no other stone helps are out; if all are, the game is lost, and the
//! proofs for all of them together are the proof of it (Wu & Lin, "Relevance-zone-oriented proof
//! search for Connect6", 2010, for any number of stones in a turn).

use std::sync::Arc;

use collinear_play::Meter;
use collinear_rules::{Cell, Player, Position};
use collinear_windows::Windows;

use super::{Replies, Tactics};
use crate::proof::{Proof, ProofLimits, Zone, is_allowed};

/// How far a complete defence is looked for.
#[derive(Clone, Copy, Debug)]
pub struct DefenceLimits<'a> {
    /// Of each single proof of the opponent.
    pub proof: ProofLimits<'a>,
    /// Nodes of all of them together. The stones that were not refuted until then stay.
    pub total: u64,
}

/// How many stones that are not refuted are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HowMany {
    All,
    One,
}

impl Tactics {
    /// The stones of `player`, to move with `left` stones, that may save him from a win by
    /// continuous threats or a row of the opponent, each tried as long as the limits allow. He must
    /// have no row to complete himself.
    pub fn defences(
        &mut self,
        windows: &mut Windows,
        player: Player,
        left: usize,
        limits: DefenceLimits<'_>,
    ) -> Replies {
        let end = self.nodes().saturating_add(limits.total);
        DefenceSearch { tactics: self, windows, player, proof: limits.proof, end }.replies(
            left,
            HowMany::All,
            None,
        )
    }

    /// The same without trying them: the covers, or else the zone of a proof.
    pub fn candidates(
        &mut self,
        windows: &mut Windows,
        player: Player,
        left: usize,
        limits: ProofLimits<'_>,
    ) -> Replies {
        match self.covers(windows, player, left) {
            Replies::Free => {}
            forced => return forced,
        }
        let p = self.rules.p();
        match self.prove(windows, !player, p, limits).proof() {
            Some(proof) => in_zone(windows, player, left, &proof),
            None => Replies::Free,
        }
    }

    /// The turns of the player to move that may hinder the opponent's win, those that matter most first:
    /// what covers his threats, else what meets his proof if nothing did. At most a few dozen.
    pub fn hindrances(&mut self, position: &Position, nodes: u64, meter: &Meter) -> Vec<Vec<Cell>> {
        /// Cells of a zone that are combined to turns.
        const MAX_CELLS: [usize; 2] = [16, 7];
        /// Turns in all.
        const MAX_TURNS: usize = 24;
        let (player, left) = (position.to_move(), position.stones_left());
        let windows = &mut Windows::of(position);
        if left > MAX_CELLS.len() {
            return Vec::new();
        }
        let mut turns = self.counter.defences(windows, !player, MAX_TURNS);
        turns.retain(|turn| turn.len() == left);
        if turns.is_empty() {
            let limits = ProofLimits { nodes, meter: Some(meter), ..ProofLimits::default() };
            let Replies::Only(mut cells) = self.candidates(windows, player, left, limits) else {
                return Vec::new();
            };
            cells.truncate(MAX_CELLS[left - 1]);
            for (at, &cell) in cells.iter().enumerate() {
                match left {
                    1 => turns.push(vec![cell]),
                    _ => turns.extend(cells[at + 1..].iter().map(|&other| vec![cell, other])),
                }
            }
        }
        turns.retain(|turn| is_allowed(windows, player, turn));
        turns.truncate(MAX_TURNS);
        turns
    }
}

/// The empty cells of a proof's zone, those that matter most first.
pub(super) fn in_zone(
    windows: &mut Windows,
    player: Player,
    left: usize,
    proof: &Proof,
) -> Replies {
    let zone = Zone::of(windows, !player, proof, left);
    let mut cells: Vec<Cell> = windows
        .geometry()
        .rules()
        .all_cells()
        .filter(|&cell| zone.contains(cell) && windows.is_empty(cell))
        .filter(|&cell| is_allowed(windows, player, &[cell]))
        .collect();
    cells.sort_by_key(|cell| std::cmp::Reverse(zone.weight(*cell)));
    if cells.is_empty() { Replies::Lost { turns: proof.turns() } } else { Replies::Only(cells) }
}

struct DefenceSearch<'a, 'b> {
    tactics: &'a mut Tactics,
    windows: &'a mut Windows,
    player: Player,
    proof: ProofLimits<'b>,
    /// Nodes after which nothing is tried any more.
    end: u64,
}

impl DefenceSearch<'_, '_> {
    /// The stones that save; `like` is a proof against one stone less.
    fn replies(&mut self, left: usize, how_many: HowMany, like: Option<&Proof>) -> Replies {
        if self.windows.can_win(self.player, left) {
            return Replies::Free;
        }
        let mut proof = None;
        let mut replies = self.tactics.covers(self.windows, self.player, left);
        if replies == Replies::Free {
            proof = self.renewed(like);
            if let Some(proof) = &proof {
                replies = in_zone(self.windows, self.player, left, proof);
            }
        }
        let Replies::Only(cells) = replies else { return replies };
        let mut saving = Vec::new();
        let mut longest = 0;
        for cell in cells {
            if let Some(turns) = self.loses_in(cell, left, proof.as_deref().or(like)) {
                longest = longest.max(turns);
                continue;
            }
            saving.push(cell);
            if how_many == HowMany::One {
                break;
            }
        }
        if saving.is_empty() { Replies::Lost { turns: longest } } else { Replies::Only(saving) }
    }

    /// The opponent's turns to win if the turn has a stone on this cell, where that is proved.
    fn loses_in(&mut self, cell: Cell, left: usize, like: Option<&Proof>) -> Option<u16> {
        let is_late = self.proof.meter.is_some_and(|meter| meter.is_spent(0));
        if is_late || self.tactics.nodes() >= self.end {
            return None;
        }
        self.windows.place(cell, self.player);
        let turns = if left > 1 {
            match self.replies(left - 1, HowMany::One, like) {
                Replies::Lost { turns } => Some(turns),
                Replies::Free | Replies::Only(_) => None,
            }
        } else {
            self.renewed(like).map(|proof| proof.turns())
        };
        self.windows.remove(cell, self.player);
        turns
    }

    /// The opponent's proof if the player placed no further stone.
    fn renewed(&mut self, like: Option<&Proof>) -> Option<Arc<Proof>> {
        let rest = self.end.saturating_sub(self.tactics.nodes());
        let limits = ProofLimits { nodes: self.proof.nodes.min(rest), ..self.proof };
        let (opponent, p) = (!self.player, self.tactics.rules.p());
        let solver = &mut self.tactics.solver;
        let verdict = match like {
            Some(like) => solver.prove_like(self.windows, opponent, p, limits, like),
            None => solver.prove(self.windows, opponent, p, limits),
        };
        verdict.proof()
    }
}
