//! Turns of any number of stones that make threats, found by placing stones and counting.

use collinear_rules::{Cell, Player};
use collinear_shapes::{ThreatCounter, Windows, offsets};

use super::attack::{Attack, judge};

/// Stones of the first, second, … stone of a turn that are tried.
const GENERAL_WIDTH: usize = 12;

/// Adds the turns with `left` stones after which the defender needs at least `p`.
pub(super) fn find(
    windows: &mut Windows,
    counter: &mut ThreatCounter,
    attacker: Player,
    left: usize,
    found: &mut Vec<Attack>,
) {
    let mut general = General { attacker, seen: Vec::new(), found };
    general.extend(windows, counter, &mut Vec::new(), left);
}

/// Any number of stones a turn, stone by stone.
struct General<'a> {
    attacker: Player,
    seen: Vec<Vec<Cell>>,
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
            stones.push(cell);
            let mut set = stones.clone();
            set.sort_unstable();
            if !self.seen.contains(&set) {
                self.seen.push(set);
                windows.place(cell, self.attacker);
                if left > 1 {
                    self.extend(windows, counter, stones, left - 1);
                }
                windows.remove(cell, self.attacker);
                if left == 1 {
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
            cells.truncate(GENERAL_WIDTH);
        }
        cells.into_iter().map(Cell::new).collect()
    }
}
