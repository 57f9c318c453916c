//! The relevance zone of a proof: cells outside it cannot stop the attack.
//!
//! Suppose the defender passed and the attacker has a proof. If the defender instead places stones
//! outside every cell the proof depends on, the same proof goes through. It depends on
//!
//! * the attacker's stones, which need their cells empty,
//! * the empty cells of the windows he threatens to fill: a stone there would be a defence,
//! * the empty cells of the defender's own windows that the extra stones could turn into a row to
//!   complete: those with at least `k − p − extra` stones at some point of the proof.
//!
//! In Renju what is forbidden to Black may change by stones anywhere: a proof of Black's with a stone
//! that looks like a double three, or of White's that rests on a forbidden reply, depends on all cells.
//!
//! So at least one of the defender's next stones must fall into the zone.

use collinear_rules::{Cell, LineStones, Player};
use collinear_windows::{Windows, offsets};

use super::{Proof, Then};

/// A set of cells, each with how often the proof depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone(Vec<u16>);

impl Zone {
    /// The zone of a proof by `attacker`, against a defender who has `extra` stones to place
    /// before it begins and completes no row with them. The windows are those of the position
    /// without these stones.
    pub fn of(windows: &mut Windows, attacker: Player, proof: &Proof, extra: usize) -> Self {
        let mut zone = Self(vec![0; windows.geometry().rules().cells()]);
        // A row in the attacker's next turn comes before anything the defender could threaten.
        if proof.then != Then::Row {
            zone.add_windows(windows, !attacker, windows.geometry().rules().p() + extra);
        }
        zone.walk(windows, attacker, proof, extra);
        zone
    }

    /// Whether a cell belongs to it.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index()] > 0
    }

    /// How often the proof depends on a cell: stones where it is large are the likeliest defence.
    #[inline]
    pub fn weight(&self, cell: Cell) -> u16 {
        self.0[cell.index()]
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.0.iter().filter(|&&weight| weight > 0).count()
    }

    /// Whether no cell matters.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn walk(&mut self, windows: &mut Windows, attacker: Player, proof: &Proof, extra: usize) {
        let mut looks_far = false;
        for &cell in &proof.turn {
            self.add(cell);
            looks_far |= attacker == Player::Black && windows.may_become_foul(cell);
            windows.place(cell, attacker);
        }
        looks_far |= proof.then == Then::Overload && rests_on_a_foul(windows, attacker);
        if looks_far {
            self.0.fill(1);
        }
        let p = windows.geometry().rules().p();
        if proof.then != Then::Row {
            self.add_windows(windows, attacker, p);
            self.add_windows(windows, !attacker, p + extra);
        }
        match &proof.then {
            Then::Row | Then::Overload => {}
            // It depends on everything: a defender who is free may do anything.
            Then::Quiet(_) => self.0.fill(1),
            Then::Union { cells, next, .. } => {
                self.answer(windows, attacker, cells, next, extra);
            }
            Then::Covers(covers) => {
                for (cover, next) in covers {
                    self.answer(windows, attacker, cover, next, extra);
                }
            }
        }
        for &cell in &proof.turn {
            windows.remove(cell, attacker);
        }
    }

    fn answer(
        &mut self,
        windows: &mut Windows,
        attacker: Player,
        cells: &[Cell],
        next: &Proof,
        extra: usize,
    ) {
        for &cell in cells {
            self.add(cell);
            windows.place(cell, !attacker);
        }
        self.walk(windows, attacker, next, extra);
        for &cell in cells {
            windows.remove(cell, !attacker);
        }
    }

    #[inline]
    fn add(&mut self, cell: Cell) {
        let weight = &mut self.0[cell.index()];
        *weight = weight.saturating_add(1);
    }

    /// The empty cells of all live windows of a player that `need` stones or fewer fill.
    fn add_windows(&mut self, windows: &Windows, player: Player, need: usize) {
        for (line, found) in windows.lines_within(player, need) {
            let cells = windows.geometry().line_cells(line);
            for offset in offsets(found) {
                for index in offsets(windows.empties(line, offset)) {
                    self.add(cells[index]);
                }
            }
        }
    }
}

/// Whether only one cell would stop all threats, and Renju forbids it to the defender.
fn rests_on_a_foul(windows: &Windows, attacker: Player) -> bool {
    let geometry = windows.geometry();
    if !geometry.rules().is_renju() || attacker == Player::Black {
        return false;
    }
    let mut stops = windows.lines_within(attacker, 1).flat_map(|(line, found)| {
        let cells = geometry.line_cells(line);
        offsets(found).flat_map(move |offset| {
            offsets(windows.empties(line, offset)).map(move |index| cells[index])
        })
    });
    let first = stops.next();
    stops.all(|cell| Some(cell) == first)
}
