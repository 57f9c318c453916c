//! Wins on large boards that threats alone do not bring: what `collinear prove` asks beyond 64 cells.
//!
//! The walk of [`collinear_prove::win_by_zones`] asks for turns of the attacker. Where he wins by
//! continuous threats it gets the first turn of that win; elsewhere, while quiet turns are left, the
//! turns that build most on his windows. A quiet turn must threaten a win by threats, or the walk drops it
//! when the defender passes. The search is deepened: no quiet turn, then one, then two after each other.

use std::collections::HashSet;

use collinear_engine::proof::{ProofLimits, Then};
use collinear_engine::tactics::Tactics;
use collinear_play::Meter;
use collinear_prove::{
    Attack, CellSet, CheckError, MAX_AT_ONCE, ZonePlace, ZoneTurn, ZoneWin, win_by_zones,
};
use collinear_rules::{Geometry, Player, Position, Rules};
use collinear_windows::Windows;

/// How far a win is looked for.
#[derive(Clone, Copy, Debug)]
pub struct ZoneLimits<'a> {
    /// Quiet turns after each other, at most.
    pub quiet: u16,
    /// Positions of each single search for a win by threats.
    pub proof_nodes: u64,
    /// Asked now and then whether the search is to end; its nodes are those of all searches.
    pub meter: &'a Meter,
}

/// A win and how it was found.
#[derive(Clone, Debug)]
pub struct FoundWin {
    /// Who wins.
    pub winner: Player,
    /// Quiet turns one after the other, at most; 0 where threats alone win.
    pub quiet: u16,
    /// The proof.
    pub win: ZoneWin,
}

/// Looks for wins by zones in one game; remembers what it learned of threats.
pub struct ZoneSearch {
    tactics: Tactics,
    windows: Windows,
    /// Stones under which threats alone do not win, as far as was looked.
    no_threats: HashSet<(CellSet, CellSet, usize)>,
}

/// Positions remembered without a win by threats before the memory is emptied.
const MAX_REMEMBERED: usize = 1 << 20;

impl ZoneSearch {
    /// A search in a game without gravity.
    pub fn new(rules: &Rules) -> Self {
        let windows = Windows::new(Geometry::new(*rules).into());
        Self { tactics: Tactics::new(rules), windows, no_threats: HashSet::new() }
    }

    /// Positions that searches for threats have looked at.
    pub fn nodes(&self) -> u64 {
        self.tactics.nodes()
    }

    /// Looks for a win of either player, with ever more quiet turns; `deeper` is told their number.
    pub fn find(
        &mut self,
        position: &Position,
        limits: ZoneLimits<'_>,
        deeper: &dyn Fn(u16, u64),
    ) -> Result<Option<FoundWin>, CheckError> {
        for quiet in 0..=limits.quiet {
            deeper(quiet, self.nodes());
            for winner in [position.to_move(), !position.to_move()] {
                let mut attack = Searched { search: self, limits };
                if let Some(win) = win_by_zones(position, winner, &mut attack, quiet)? {
                    return Ok(Some(FoundWin { winner, quiet, win }));
                }
                if limits.meter.is_spent(self.nodes()) {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}

struct Searched<'a, 'b> {
    search: &'a mut ZoneSearch,
    limits: ZoneLimits<'b>,
}

impl Attack for Searched<'_, '_> {
    fn turns(&mut self, place: &ZonePlace<'_>) -> Vec<ZoneTurn> {
        let ZoneSearch { tactics, windows, no_threats } = &mut *self.search;
        windows.clear();
        for player in Player::BOTH {
            place.ground.stones(player).iter().for_each(|cell| windows.place(cell, player));
        }
        let [black, white] = Player::BOTH.map(|player| place.ground.stones(player).clone());
        let key = (black, white, place.left);
        if !no_threats.contains(&key) {
            let ZoneLimits { proof_nodes: nodes, meter, .. } = self.limits;
            let limits = ProofLimits { nodes, meter: Some(meter), ..ProofLimits::default() };
            let found = tactics.prove(windows, place.attacker, place.left, limits).proof();
            if let Some(proof) = found {
                let few = windows.geometry().rules().p() <= MAX_AT_ONCE;
                let at_once = few && matches!(proof.then, Then::Union { .. });
                return vec![ZoneTurn { cells: proof.turn.clone(), at_once }];
            }
            if no_threats.len() >= MAX_REMEMBERED {
                no_threats.clear();
            }
            no_threats.insert(key);
        }
        if place.quiet == 0 {
            return Vec::new();
        }
        let turns = tactics.quiet_turns(windows, place.attacker, place.left);
        turns.into_iter().map(|cells| ZoneTurn { cells, at_once: false }).collect()
    }

    fn is_stopped(&self) -> bool {
        self.limits.meter.is_spent(self.search.nodes())
    }
}
