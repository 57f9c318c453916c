//! Turns of any number of stones that make threats, found by placing stones and counting.

//!
//! A turn of many stones has too many sets to try them all: a few hundred of the likeliest are
//! judged, and the clock is asked meanwhile.

use std::collections::HashSet;

use collinear_play::Meter;
use collinear_rules::{Cell, Player};
use collinear_windows::{ThreatCounter, Windows, offsets};

use super::ProofParams;
use super::attack::{Attack, Listing, judge};

/// Sets between two looks at the clock.
const CLOCK_CHECK_SETS: usize = 16;

/// Adds the turns with `left` stones after which the defender needs at least `p`. Returns how many
/// sets of stones were looked at.
pub(super) fn find(
    windows: &mut Windows,
    counter: &mut ThreatCounter,
    attacker: Player,
    left: usize,
    how: Listing<'_>,
    found: &mut Vec<Attack>,
) -> usize {
    let mut general = General {
        attacker,
        seen: HashSet::new(),
        looked: 0,
        meter: how.meter,
        params: how.params,
        is_spent: false,
        found,
    };
    general.extend(windows, counter, &mut Vec::new(), left);
    general.looked
}

/// Any number of stones per turn, stone by stone.
struct General<'a> {
    attacker: Player,
    /// Sets of several stones; one stone alone never comes twice.
    seen: HashSet<Vec<Cell>>,
    /// How many different sets were looked at.
    looked: usize,
    meter: Option<&'a Meter>,
    params: ProofParams,
    is_spent: bool,
    found: &'a mut Vec<Attack>,
}

impl General<'_> {
    fn extend(
        &mut self,
        windows: &mut Windows,
        counter: &mut ThreatCounter,
        stones: &mut Vec<Cell>,
        left: usize,
    ) {
        let cells = self.candidates(windows, left);
        for cell in cells {
            if self.is_enough(windows.geometry().rules().p()) {
                return;
            }
            stones.push(cell);
            if self.is_new(stones) {
                self.looked += 1;
                if left > 1 {
                    windows.place(cell, self.attacker);
                    self.extend(windows, counter, stones, left - 1);
                    windows.remove(cell, self.attacker);
                } else {
                    for &cell in &stones[..stones.len() - 1] {
                        windows.remove(cell, self.attacker);
                    }
                    judge(windows, counter, self.attacker, stones, self.found);
                    for &cell in &stones[..stones.len() - 1] {
                        windows.place(cell, self.attacker);
                    }
                }
            }
            stones.pop();
        }
    }

    /// Whether these stones are looked at for the first time, in whatever order.
    fn is_new(&mut self, stones: &[Cell]) -> bool {
        if stones.len() == 1 {
            return true;
        }
        let mut set = stones.to_vec();
        set.sort_unstable();
        self.seen.insert(set)
    }

    /// Whether no more sets are to be looked at. With one stone per turn they are as few as the cells.
    fn is_enough(&mut self, p: usize) -> bool {
        if self.looked % CLOCK_CHECK_SETS == CLOCK_CHECK_SETS - 1 {
            self.is_spent |= self.meter.is_some_and(|meter| meter.is_spent(0));
        }
        self.is_spent || p > 1 && self.looked >= self.params.general_sets
    }

    /// Cells of windows that the stones left can turn into threats, those in most and fullest
    /// windows first; cells that the defender threatens to win with come along.
    fn candidates(&self, windows: &Windows, left: usize) -> Vec<Cell> {
        let geometry = windows.geometry();
        let p = geometry.rules().p();
        let mut worth = vec![0_u32; geometry.rules().cells()];
        for need in p + 1..=p + left {
            for (line, found) in windows.lines_within(self.attacker, need) {
                let cells = geometry.line_cells(line);
                for offset in offsets(found) {
                    for index in offsets(windows.empties(line, offset)) {
                        worth[cells[index].index()] += 1;
                    }
                }
            }
        }
        for (line, found) in windows.lines_within(!self.attacker, p) {
            let cells = geometry.line_cells(line);
            for offset in offsets(found) {
                for index in offsets(windows.empties(line, offset)) {
                    worth[cells[index].index()] += 100;
                }
            }
        }
        let mut cells: Vec<usize> = (0..worth.len()).filter(|&cell| worth[cell] > 0).collect();
        cells.sort_by_key(|&cell| std::cmp::Reverse(worth[cell]));
        if p > 1 {
            cells.truncate(self.params.general_width);
        }
        cells.into_iter().map(Cell::new).collect()
    }
}
