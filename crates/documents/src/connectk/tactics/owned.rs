//! Marks that belong to windows, kept from stone to stone (document 000, §3.3, Sequences).
//!
//! The document scans again only the windows that hold a new stone and one more on each side. Each
//! of them first takes back the marks it made itself; marks of other windows stand. So the count
//! can depend on the order of the stones, and it can miss a threat: when a window loses its threat,
//! a window on a crossing line that its marks had silenced is not looked at again.
//!
//! ```text
//! . . X X X X . .        a stone here  ^  is looked at by the windows [ ] and their neighbours
//!   [         ]
//! ```

use collinear_rules::{Cell, Geometry, Player, WindowId};
use collinear_windows::{Windows, offsets};

/// Who marked what.
#[derive(Clone)]
pub(super) struct Owned {
    /// Per window and colour the cells it marked, as bits of its line: none if it is not a threat.
    marks: Vec<[u64; 2]>,
    /// Per cell and colour how many windows marked it.
    marked: Vec<[u8; 2]>,
    threats: [u32; 2],
    /// For every stone what its scan replaced, to be put back.
    replaced: Vec<Vec<(WindowId, Player, u64)>>,
}

impl Owned {
    pub(super) fn new(geometry: &Geometry) -> Self {
        Self {
            marks: vec![[0; 2]; geometry.window_count()],
            marked: vec![[0; 2]; geometry.rules().cells()],
            threats: [0; 2],
            replaced: Vec::new(),
        }
    }

    pub(super) const fn threats(&self, player: Player) -> u32 {
        self.threats[player.index()]
    }

    /// Scans around a stone that was just placed.
    pub(super) fn scan(&mut self, windows: &Windows, cell: Cell) {
        let geometry = windows.geometry();
        let (k, p) = (geometry.rules().k(), geometry.rules().p());
        let mut replaced = Vec::new();
        for at in geometry.lines_through(cell) {
            let mut ids = geometry.line_windows(at.line);
            let count = ids.len();
            let Some(first) = ids.next() else { continue };
            let index = usize::from(at.index);
            for player in Player::BOTH {
                for offset in index.saturating_sub(k)..(index + 2).min(count) {
                    let window = WindowId::new(first.index() + offset);
                    let before = self.marks[window.index()][player.index()];
                    self.set(geometry, window, player, 0);
                    let threatens = windows.within(at.line, player, p) >> offset & 1 != 0;
                    let empties = windows.empties(at.line, offset);
                    let cells = geometry.line_cells(at.line);
                    let silent = offsets(empties)
                        .any(|cell| self.marked[cells[cell].index()][player.index()] > 0);
                    if threatens && !silent {
                        self.set(geometry, window, player, empties);
                    }
                    if before != self.marks[window.index()][player.index()] {
                        replaced.push((window, player, before));
                    }
                }
            }
        }
        self.replaced.push(replaced);
    }

    /// Puts back what the latest scan replaced.
    pub(super) fn undo(&mut self, geometry: &Geometry) {
        for (window, player, before) in self.replaced.pop().into_iter().flatten().rev() {
            self.set(geometry, window, player, before);
        }
    }

    /// Forgets how to undo: these stones stay.
    pub(super) fn settle(&mut self) {
        self.replaced.clear();
    }

    fn set(&mut self, geometry: &Geometry, window: WindowId, player: Player, marks: u64) {
        let cells = geometry.line_cells(geometry.window_line(window));
        let side = player.index();
        let before = std::mem::replace(&mut self.marks[window.index()][side], marks);
        for cell in offsets(before) {
            self.marked[cells[cell].index()][side] -= 1;
        }
        for cell in offsets(marks) {
            self.marked[cells[cell].index()][side] += 1;
        }
        self.threats[side] += u32::from(marks != 0);
        self.threats[side] -= u32::from(before != 0);
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Position, Rules};
    use proptest::prelude::*;

    use super::*;

    fn scan(windows: &mut Windows, owned: &mut Owned, cell: Cell, player: Player) {
        windows.place(cell, player);
        owned.scan(windows, cell);
    }

    /// The document's example: a four with its left threat seen first; a stone on the left marked
    /// cell, and the window one step beyond the new stone finds the threat on the right.
    #[test]
    fn one_window_beyond_the_stone_finds_the_other_threat() {
        let rules: Rules = "12x1,k=6,p=2,q=1".parse().expect("rules");
        let mut windows = Windows::of(&Position::new(rules));
        let mut owned = Owned::new(windows.geometry());
        for index in [3, 4, 5, 6] {
            scan(&mut windows, &mut owned, Cell::new(index), Player::White);
        }
        assert_eq!(owned.threats(Player::White), 2);
        scan(&mut windows, &mut owned, Cell::new(2), Player::Black);
        assert_eq!(owned.threats(Player::White), 1);
    }

    /// Where the scheme fails: the row marks both ends of itself, which silences the column; a
    /// stone that stops the row does not bring the column back.
    #[test]
    fn a_threat_on_a_crossing_line_can_be_missed() {
        let rules = Rules::CONNECT6;
        let at = |x: usize, y: usize| rules.cell(x, y).expect("on the board");
        let mut windows = Windows::of(&Position::new(rules));
        let mut owned = Owned::new(windows.geometry());
        for (x, y) in [(1, 2), (8, 2), (2, 0), (2, 7)] {
            scan(&mut windows, &mut owned, at(x, y), Player::White);
        }
        for (x, y) in [(3, 2), (4, 2), (5, 2), (6, 2), (2, 3), (2, 4), (2, 5), (2, 6)] {
            scan(&mut windows, &mut owned, at(x, y), Player::Black);
        }
        assert_eq!(owned.threats(Player::Black), 1);
        scan(&mut windows, &mut owned, at(7, 2), Player::White);
        assert_eq!(owned.threats(Player::Black), 0, "the column still threatens");
        assert!(windows.has_threat(Player::Black));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn marks_are_those_of_threats_share_no_cell_and_come_back(
            picks in prop::collection::vec((0..64_usize, any::<bool>(), any::<bool>()), 1..60),
        ) {
            let rules: Rules = "8x8,k=4,p=2,q=1".parse().expect("rules");
            let mut windows = Windows::of(&Position::new(rules));
            let geometry = windows.geometry().clone();
            let mut owned = Owned::new(&geometry);
            let mut placed = Vec::new();
            for (index, black, back) in picks {
                let player = if black { Player::Black } else { Player::White };
                let cell = Cell::new(index);
                if windows.is_empty(cell) {
                    let before = (owned.marks.clone(), owned.marked.clone(), owned.threats);
                    scan(&mut windows, &mut owned, cell, player);
                    if back {
                        windows.remove(cell, player);
                        owned.undo(&geometry);
                        let after = (owned.marks.clone(), owned.marked.clone(), owned.threats);
                        prop_assert!(before == after);
                    } else {
                        placed.push(cell);
                    }
                }
                for player in Player::BOTH {
                    let side = player.index();
                    let marking = geometry.windows().filter(|w| owned.marks[w.index()][side] != 0);
                    let marking: Vec<WindowId> = marking.collect();
                    prop_assert_eq!(owned.threats(player) as usize, marking.len());
                    for window in marking {
                        let line = geometry.window_line(window);
                        let offset = geometry.window_offset(window);
                        prop_assert_eq!(
                            owned.marks[window.index()][side], windows.empties(line, offset)
                        );
                        prop_assert!(windows.within(line, player, 2) >> offset & 1 != 0);
                    }
                    prop_assert!(owned.marked.iter().all(|cell| cell[side] <= 1));
                }
            }
        }
    }
}
