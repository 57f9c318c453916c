//! A proof of a similar position, tried again.
//!
//! A defence puts a stone or two into the way of a proof; most of the proof often still holds, or
//! holds with other covers. Following it costs as many positions as it has turns, a search from
//! nothing many times that. What does not hold any more is left to the search.

use std::sync::Arc;

use collinear_rules::{Cell, Player};
use collinear_windows::Windows;

use super::attack::is_allowed;
use super::solver::{PASSES, ProofLimits, Search, Solver, Verdict, stones_key};
use super::{Proof, Then};

impl Solver {
    /// Looks for a win as [`prove`](Self::prove) does, along this proof first.
    pub fn prove_like(
        &mut self,
        windows: &mut Windows,
        attacker: Player,
        left: usize,
        limits: ProofLimits<'_>,
        like: &Proof,
    ) -> Verdict {
        if self.begin(left, limits) {
            let key = stones_key(windows);
            let mut search =
                Search { solver: self, windows, attacker, meter: limits.meter, pass: PASSES[0] };
            if let Some(proof) = search.replay(key, left, like) {
                return Verdict::Proved(proof);
            }
        }
        self.prove(windows, attacker, left, limits)
    }
}

impl Search<'_> {
    fn replay(&mut self, stones: u64, left: usize, like: &Proof) -> Option<Arc<Proof>> {
        if self.is_out_of_budget() {
            return None;
        }
        if let Some(turn) = self.row(left) {
            return Some(Arc::new(Proof { turn, then: Then::Row }));
        }
        let key = stones ^ self.windows.geometry().turn_key(self.attacker, left as u8);
        if let Some(proof) = self.solver.proved.get(&key) {
            return Some(proof.clone());
        }
        let fits = like.turn.len() == left && like.turn.iter().all(|&c| self.windows.is_empty(c));
        if !fits || !is_allowed(self.windows, self.attacker, &like.turn) {
            return None;
        }
        let stones = self.placed(stones, &like.turn, self.attacker);
        let then = self.replay_defence(stones, like);
        self.taken_back(&like.turn, self.attacker);
        let proof = Arc::new(Proof { turn: like.turn.clone(), then: then? });
        self.solver.proved.insert(key, proof.clone());
        Some(proof)
    }

    fn replay_defence(&mut self, stones: u64, like: &Proof) -> Option<Then> {
        if self.windows.has_threat(!self.attacker) {
            return None;
        }
        let p = self.solver.rules.p();
        let threats = self.solver.counter.count(self.windows, self.attacker);
        if threats != p {
            return (threats > p).then_some(Then::Overload);
        }
        let max_covers = self.solver.params.max_covers;
        let covers = self.solver.counter.defences(self.windows, self.attacker, max_covers);
        if covers.is_empty() || covers.len() >= max_covers || self.solver.counter.gave_up() {
            return None;
        }
        if let Then::Union { next, .. } = &like.then
            && self.solver.union_is_sound
            && covers.len() > 1
        {
            let mut cells = covers.concat();
            cells.sort_unstable();
            cells.dedup();
            if let Some(next) = self.replay_answer(stones, &cells, next) {
                return Some(Then::Union { cover: covers[0].clone(), cells, next });
            }
        }
        let mut answers = Vec::with_capacity(covers.len());
        for cover in covers {
            let next = self.replay_answer(stones, &cover, continuation(like, &cover)?)?;
            answers.push((cover, next));
        }
        Some(Then::Covers(answers))
    }

    fn replay_answer(&mut self, stones: u64, cells: &[Cell], next: &Proof) -> Option<Arc<Proof>> {
        let defender = !self.attacker;
        let stones = self.placed(stones, cells, defender);
        let proof = self.replay(stones, self.solver.rules.p(), next);
        self.taken_back(cells, defender);
        proof
    }
}

/// What the proof does against the cover, or against the one most like it.
fn continuation<'a>(like: &'a Proof, cover: &[Cell]) -> Option<&'a Proof> {
    match &like.then {
        Then::Row | Then::Overload | Then::Quiet(_) => None,
        Then::Union { next, .. } => Some(next),
        Then::Covers(covers) => {
            let shared = |other: &[Cell]| other.iter().filter(|cell| cover.contains(cell)).count();
            covers.iter().max_by_key(|(other, _)| shared(other)).map(|(_, next)| &**next)
        }
    }
}
