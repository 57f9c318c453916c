//! Quiet winning turns: wins that begin without force.
//!
//! A quiet turn leaves the defender free, but threatens a win by continuous threats, and in more
//! ways than one turn can stop (lambda order 2: T. Thomsen, "Lambda-search in game trees", 2000).
//! The defender's free turn is met as in the complete defence: the proof if he passed, its relevance
//! zone, for each stone in it the proof renewed, and so on for every stone of his turn. A stone
//! without an answer ends the attempt. With one stone per turn these are the threes of Gomoku, with
//! fours among them, against all defences.

use std::sync::Arc;

use collinear_play::Meter;
use collinear_rules::{Cell, Player};
use collinear_windows::{Windows, offsets};

use super::Replies;
use super::Tactics;
use super::defence::in_zone;
use crate::proof::{Answer, Proof, ProofLimits, Then, is_allowed};

/// How far quiet wins are looked for.
#[derive(Clone, Copy, Debug)]
pub struct QuietLimits<'a> {
    /// Quiet turns after each other, at most.
    pub turns: u16,
    /// Of each single search for a win by continuous threats.
    pub proof: ProofLimits<'a>,
    /// Nodes of all of them together.
    pub total: u64,
}

impl Tactics {
    /// The limits of a search for quiet wins that may take this many nodes.
    pub(crate) fn quiet_limits<'a>(&self, total: u64, meter: &'a Meter) -> QuietLimits<'a> {
        let params = &self.params;
        // Most single searches fail, and quickly; the longest may take a good part of all.
        let nodes = (total / params.quiet_divisor).clamp(params.quiet_min, params.quiet_max);
        QuietLimits {
            turns: if self.rules.p() == 1 { params.quiet_depth_one } else { params.quiet_depth },
            proof: ProofLimits { turns: params.quiet_proof_turns, nodes, meter: Some(meter) },
            total,
        }
    }

    /// Looks for a win of `attacker`, to move with `left` stones, that begins with a quiet turn. Wins
    /// by continuous threats are not looked for: ask [`prove`](Self::prove) first.
    pub fn prove_quiet(
        &mut self,
        windows: &mut Windows,
        attacker: Player,
        left: usize,
        limits: QuietLimits<'_>,
    ) -> Option<Arc<Proof>> {
        if self.rules.gravity() || left == 0 || windows.can_win(attacker, left) {
            return None;
        }
        let end = self.nodes().saturating_add(limits.total);
        Quiet { tactics: self, windows, attacker, proof: limits.proof, end }
            .attack(left, limits.turns)
    }

    /// The answers of `attacker`, who has just played a turn that leaves the defender free, to every turn
    /// of the defender's; none where they are not found.
    pub fn answers(
        &mut self,
        windows: &mut Windows,
        attacker: Player,
        limits: QuietLimits<'_>,
    ) -> Option<Arc<Answer>> {
        if self.rules.gravity() || limits.turns == 0 || windows.has_threat(!attacker) {
            return None;
        }
        let end = self.nodes().saturating_add(limits.total);
        let p = self.rules.p();
        Quiet { tactics: self, windows, attacker, proof: limits.proof, end }.answer(
            p,
            limits.turns,
            None,
        )
    }
}

impl Tactics {
    /// Turns of `attacker` that build on the own windows and stop the opponent's threats, the most promising
    /// first: those that [`prove_quiet`](Self::prove_quiet) tries.
    pub fn quiet_turns(
        &mut self,
        windows: &mut Windows,
        attacker: Player,
        left: usize,
    ) -> Vec<Vec<Cell>> {
        let proof = ProofLimits::default();
        Quiet { tactics: self, windows, attacker, proof, end: 0 }.turns(left)
    }
}

struct Quiet<'a, 'b> {
    tactics: &'a mut Tactics,
    windows: &'a mut Windows,
    attacker: Player,
    proof: ProofLimits<'b>,
    /// Nodes after which nothing is tried any more.
    end: u64,
}

impl Quiet<'_, '_> {
    fn attack(&mut self, left: usize, turns: u16) -> Option<Arc<Proof>> {
        if turns == 0 || self.is_late() {
            return None;
        }
        for turn in self.turns(left) {
            if !is_allowed(self.windows, self.attacker, &turn) {
                continue;
            }
            for &cell in &turn {
                self.windows.place(cell, self.attacker);
            }
            let answer = if self.windows.has_threat(!self.attacker) {
                None
            } else {
                self.answer(self.tactics.rules.p(), turns, None)
            };
            for &cell in &turn {
                self.windows.remove(cell, self.attacker);
            }
            if let Some(answer) = answer {
                return Some(Arc::new(Proof { turn, then: Then::Quiet(answer) }));
            }
            if self.is_late() {
                return None;
            }
        }
        None
    }

    /// The answers to every turn of the defender, who has `left` stones of it to place; `like` is a
    /// proof against one stone less.
    fn answer(&mut self, left: usize, turns: u16, like: Option<&Proof>) -> Option<Arc<Answer>> {
        let defender = !self.attacker;
        if self.is_late() || left > 0 && self.windows.can_win(defender, left) {
            return None;
        }
        let p = self.tactics.rules.p();
        let rest = self.end.saturating_sub(self.tactics.nodes());
        let limits = ProofLimits { nodes: self.proof.nodes.min(rest), ..self.proof };
        let solver = &mut self.tactics.solver;
        let verdict = match like {
            Some(like) => solver.prove_like(self.windows, self.attacker, p, limits, like),
            None => solver.prove(self.windows, self.attacker, p, limits),
        };
        if left == 0 {
            let proof = verdict.proof().or_else(|| self.attack(p, turns - 1))?;
            return Some(Arc::new(Answer { proof, stones: Vec::new() }));
        }
        let proof = verdict.proof()?;
        let cells = match in_zone(self.windows, defender, left, &proof) {
            Replies::Only(cells) => cells,
            Replies::Free | Replies::Lost { .. } => Vec::new(),
        };
        let mut stones = Vec::with_capacity(cells.len());
        for cell in cells {
            self.windows.place(cell, defender);
            let answer = self.answer(left - 1, turns, Some(&proof));
            self.windows.remove(cell, defender);
            stones.push((cell, answer?));
        }
        Some(Arc::new(Answer { proof, stones }))
    }

    fn is_late(&self) -> bool {
        self.tactics.nodes() >= self.end || self.proof.meter.is_some_and(|meter| meter.is_spent(0))
    }

    /// Turns that build on the attacker's windows, the most promising first.
    fn turns(&self, left: usize) -> Vec<Vec<Cell>> {
        let params = &self.tactics.params;
        let cells = self.cells();
        let wanted = match left {
            1 => params.quiet_cells_one,
            2 => params.quiet_cells_two,
            more => more + params.quiet_cells_spare,
        };
        let cells = &cells[..wanted.min(cells.len())];
        let mut found: Vec<(u32, Vec<Cell>)> = Vec::new();
        choose(cells, left, &mut Vec::new(), 0, &mut found);
        found.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        found.into_iter().take(params.quiet_turns).map(|(_, turn)| turn).collect()
    }

    /// Empty cells by how much they add to the attacker's windows; cells of the defender's threats
    /// come first, for one of them must be taken.
    fn cells(&self) -> Vec<(u32, Cell)> {
        let rules = *self.windows.geometry().rules();
        let mut worth = vec![0_u32; rules.cells()];
        // A window counts four times as much with each stone in it: all within one more stone are
        // counted again three times.
        for stones in 1..rules.k() {
            let add = if stones == 1 { 1 } else { 3 << (2 * (stones - 2)).min(20) };
            self.add(self.attacker, rules.k() - stones, add, &mut worth);
        }
        self.add(!self.attacker, rules.p(), 1 << 24, &mut worth);
        let mut cells: Vec<(u32, Cell)> = rules
            .all_cells()
            .filter(|cell| worth[cell.index()] > 0)
            .map(|cell| (worth[cell.index()], cell))
            .collect();
        cells.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        cells
    }

    /// Adds to the empty cells of a player's live windows that this many stones fill.
    fn add(&self, player: Player, need: usize, add: u32, worth: &mut [u32]) {
        for (line, found) in self.windows.lines_within(player, need) {
            let cells = self.windows.geometry().line_cells(line);
            for offset in offsets(found) {
                for index in offsets(self.windows.empties(line, offset)) {
                    let worth = &mut worth[cells[index].index()];
                    *worth = worth.saturating_add(add);
                }
            }
        }
    }
}

/// Every set of `left` cells, with the sum of their worth.
fn choose(
    cells: &[(u32, Cell)],
    left: usize,
    chosen: &mut Vec<Cell>,
    worth: u32,
    found: &mut Vec<(u32, Vec<Cell>)>,
) {
    if left == 0 {
        found.push((worth, chosen.clone()));
        return;
    }
    for (index, &(add, cell)) in cells.iter().enumerate() {
        chosen.push(cell);
        choose(&cells[index + 1..], left - 1, chosen, worth.saturating_add(add), found);
        chosen.pop();
    }
}
