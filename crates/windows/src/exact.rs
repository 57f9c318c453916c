//! The exact threat count: how many stones the defender needs against everything at once.
//!
//! A threat is a live window of need ≤ r; the defender stops it by a stone on one of its empty
//! cells. So the count is the size of a minimum hitting set of these sets of empty cells, over
//! all lines together. Counting line by line cannot be right:
//!
//! ```text
//!  . . . . . .      two rows of four that share an empty cell `*`:
//!  . . . X . .      two threats by line, but one stone on `*` stops both
//!  . . . X . .
//!  . . . X . .
//!  . . . X . .
//!  . . . * X X X X O
//!  O . . O . .
//! ```
//!
//! Some stone must hit the first set that is not hit yet, and the set has at most r cells: so
//! branch on them, to depth r. That is r^r leaves at most (1, 4, 27 for r = 1, 2, 3), far fewer
//! with the bound of disjoint sets, and the same recursion lists all best defences.

use collinear_rules::{Cell, Geometry, LineId, LineStones, Player, Position};

use crate::windows::{Windows, offsets};

/// Counts threats exactly. Keeps its buffers: make one and use it again and again.
///
/// ```
/// use collinear_rules::{Player, Position, Rules, Setup, notation};
/// use collinear_windows::{ThreatCounter, Windows};
///
/// let rules = Rules::CONNECT6;
/// let row = ["g10", "h10", "i10", "j10"].map(|name| notation::parse(&rules, name).unwrap());
/// let setup = Setup { black: row.to_vec(), ..Setup::default() };
/// let position = Position::from_setup(rules, &setup).unwrap();
///
/// let windows = Windows::of(&position);
/// let mut counter = ThreatCounter::new();
/// assert_eq!(counter.count(&windows, Player::Black), 2);
/// let defences = counter.defences(&windows, Player::Black, 10);
/// let named: Vec<_> = defences.iter().map(|cells| notation::names(&rules, cells)).collect();
/// assert_eq!(named, ["e10 k10", "f10 k10", "f10 l10"]);
/// ```
#[derive(Clone, Debug)]
pub struct ThreatCounter {
    sets: Vec<EmptySet>,
    chosen: Vec<Cell>,
    steps: u32,
    most_steps: u32,
}

impl Default for ThreatCounter {
    fn default() -> Self {
        Self::new()
    }
}

/// The empty cells of a live window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EmptySet {
    line: LineId,
    direction: u8,
    cells: u64,
}

/// Steps after which a count gives up with the bound it has proved. Never reached with turns of
/// up to seven stones, where a search has at most 7^7 leaves.
const MAX_STEPS: u32 = 1 << 21;

impl ThreatCounter {
    /// A counter with empty buffers.
    pub const fn new() -> Self {
        Self::with_steps(MAX_STEPS)
    }

    /// A counter that gives up after this many steps, where an answer in time is worth more than an
    /// exact one.
    pub const fn with_steps(most_steps: u32) -> Self {
        Self { sets: Vec::new(), chosen: Vec::new(), steps: 0, most_steps }
    }

    /// Whether the last answer ran out of steps: a count is then a lower bound, and a list of
    /// defences lacks some.
    #[inline]
    pub const fn gave_up(&self) -> bool {
        self.steps > self.most_steps
    }

    /// The least number of stones that stop every threat of the attacker to win with a full turn,
    /// at most `p + 1` (which stands for "too many for one turn", a row already there included).
    #[inline]
    pub fn count(&mut self, windows: &Windows, attacker: Player) -> usize {
        let p = windows.geometry().rules().p();
        self.count_within(windows, attacker, p, p)
    }

    /// The same for an attacker with `stones` stones in his turn, at most `most + 1`.
    #[inline]
    pub fn count_within(
        &mut self,
        windows: &Windows,
        attacker: Player,
        stones: usize,
        most: usize,
    ) -> usize {
        self.steps = 0;
        if !windows.can_win(attacker, stones) {
            return 0;
        }
        self.gather(windows, attacker, stones);
        self.hitting_number(windows.geometry(), most)
    }

    /// Every smallest set of cells that stops all threats, each sorted, in order; none when even
    /// `p` stones are too few. At most `most` sets are listed.
    pub fn defences(&mut self, windows: &Windows, attacker: Player, most: usize) -> Vec<Vec<Cell>> {
        let rules = *windows.geometry().rules();
        let count = self.count(windows, attacker);
        if count == 0 || count > rules.p() || self.gave_up() {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.steps = 0;
        self.list(windows.geometry(), count, most, &mut found);
        found.sort();
        found
    }

    /// Collects the sets; of sets on one line that contain each other only the smallest stays.
    fn gather(&mut self, windows: &Windows, attacker: Player, stones: usize) {
        self.sets.clear();
        self.chosen.clear();
        for (line, threats) in windows.lines_within(attacker, stones) {
            let direction = windows.geometry().direction(line) as u8;
            let first = self.sets.len();
            for offset in offsets(threats) {
                let mut cells = windows.empties(line, offset);
                if attacker == Player::White {
                    cells = without_forbidden(windows, line, cells);
                }
                if self.sets[first..].iter().any(|set| set.cells & !cells == 0) {
                    continue;
                }
                let mut kept = first;
                for i in first..self.sets.len() {
                    if cells & !self.sets[i].cells != 0 {
                        self.sets[kept] = self.sets[i];
                        kept += 1;
                    }
                }
                self.sets.truncate(kept);
                self.sets.push(EmptySet { line, direction, cells });
            }
        }
    }

    /// The least size of a hitting set of the gathered sets, at most `most + 1`.
    fn hitting_number(&mut self, geometry: &Geometry, most: usize) -> usize {
        self.steps = 0;
        (1..=most)
            .find(|&size| self.hits_with(geometry, size) || self.gave_up())
            .unwrap_or(most + 1)
    }

    /// Whether `size` more stones can hit every set that the chosen ones leave.
    fn hits_with(&mut self, geometry: &Geometry, size: usize) -> bool {
        self.steps += 1;
        if self.gave_up() {
            return false;
        }
        let Some(set) = self.first_open(geometry) else {
            return true;
        };
        if size == 0 || size > 2 && self.disjoint_open(geometry, size) > size {
            return false;
        }
        let cells = geometry.line_cells(set.line);
        for index in offsets(set.cells) {
            self.chosen.push(cells[index]);
            let hit = self.hits_with(geometry, size - 1);
            self.chosen.pop();
            if hit {
                return true;
            }
        }
        false
    }

    fn list(&mut self, geometry: &Geometry, size: usize, most: usize, found: &mut Vec<Vec<Cell>>) {
        self.steps += 1;
        if found.len() >= most || self.gave_up() {
            return;
        }
        let Some(set) = self.first_open(geometry) else {
            let mut cells = self.chosen.clone();
            cells.sort_unstable();
            if !found.contains(&cells) {
                found.push(cells);
            }
            return;
        };
        if size == 0 {
            return;
        }
        let cells = geometry.line_cells(set.line);
        for index in offsets(set.cells) {
            self.chosen.push(cells[index]);
            self.list(geometry, size - 1, most, found);
            self.chosen.pop();
        }
    }

    /// A set that no chosen cell hits: the one to branch on.
    #[inline]
    fn first_open(&self, geometry: &Geometry) -> Option<EmptySet> {
        self.sets.iter().copied().find(|set| !self.is_hit(geometry, set))
    }

    #[inline]
    fn is_hit(&self, geometry: &Geometry, set: &EmptySet) -> bool {
        self.chosen.iter().any(|&cell| {
            let at = geometry.lines_through(cell)[usize::from(set.direction)];
            at.line == set.line && set.cells >> at.index & 1 != 0
        })
    }

    /// Open sets, taken greedily, of which no two share a cell: each needs a stone of its own.
    /// Stops counting above `most`.
    fn disjoint_open(&mut self, geometry: &Geometry, most: usize) -> usize {
        let mut disjoint = 0;
        let mark = self.chosen.len();
        for i in 0..self.sets.len() {
            let set = self.sets[i];
            if !self.is_hit(geometry, &set) {
                disjoint += 1;
                if disjoint > most {
                    break;
                }
                let cells = geometry.line_cells(set.line);
                self.chosen.extend(offsets(set.cells).map(|index| cells[index]));
            }
        }
        self.chosen.truncate(mark);
        disjoint
    }
}

/// The cells of a line that Black may use to stop a threat: in Renju not those forbidden to him.
fn without_forbidden(windows: &Windows, line: LineId, cells: u64) -> u64 {
    let geometry = windows.geometry();
    if !geometry.rules().is_renju() {
        return cells;
    }
    let on_line = geometry.line_cells(line);
    let allowed = offsets(cells).filter(|&index| !windows.is_forbidden(on_line[index]));
    allowed.fold(0, |word, index| word | 1 << index)
}

/// The exact threat count of a whole position, from scratch.
pub fn exact(position: &Position, attacker: Player) -> usize {
    ThreatCounter::new().count(&Windows::of(position), attacker)
}
