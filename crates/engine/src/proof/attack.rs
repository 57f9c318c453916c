//! Which turns of the attacker make threats that need `p` stones or more.
//!
//! The general way places stones and counts. For two stones per turn the pairs are found by words
//! instead: a stone on a window of need 3 leaves sets of two empty cells, and what matters of a
//! line is the *common* cells of its sets, those that stop them all. Sets on different lines
//! through one stone share no empty cell, so
//!
//! ```text
//!   a stone with sets on two lines, or with no common cell on one, needs two stones by itself;
//!   two stones need two stones together unless their lines' common cells share a cell;
//!   two stones on one line are judged by the words of that line.
//! ```

use collinear_play::Meter;
use collinear_rules::{Cell, LineId, LineStones, Player};
use collinear_windows::{ThreatCounter, Windows, offsets};

use super::{ProofParams, general};

/// Turns of the attacker that may force the defender, best first. Keeps its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Attacks {
    hot: Vec<HotCell>,
    /// Per cell its index in `hot` plus one.
    hot_at: Vec<u16>,
    pairs: Vec<[Cell; 2]>,
    crossings: Vec<Cell>,
    touched: Vec<u8>,
    /// Whether the last list left out second stones that [`Breadth::Wide`] would have had.
    pub(super) left_some_out: bool,
    /// Whether there was a turn that forces the defender, listed or not.
    pub(super) forces: bool,
    /// Sets of stones that the general way looked at for the last list.
    pub(super) sets: usize,
}

/// A cell where a stone makes a threat.
#[derive(Clone, Copy, Debug)]
struct HotCell {
    cell: Cell,
    line: LineId,
    /// Cells of the line that would stop all the stone's threats on it.
    common: u64,
    lines: u8,
}

impl HotCell {
    const fn is_double(&self) -> bool {
        self.lines > 1 || self.common == 0
    }
}

/// How many second stones are tried beside a first one that forces both replies by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// Those that stop a threat or stand where lines cross.
    Narrow,
    /// All that could matter.
    Wide,
}

/// Which turns are of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All that force the defender.
    All,
    /// Those with more threats than he can stop; others may be left out.
    Wins,
}

/// What a list is to hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing<'a> {
    pub(super) breadth: Breadth,
    pub(super) wanted: Wanted,
    /// Asked where the list takes long; if the time is up, the list ends early.
    pub(super) meter: Option<&'a Meter>,
    pub(super) params: ProofParams,
}

/// A turn to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attack {
    pub(super) stones: Vec<Cell>,
    /// Stones the defender needs, at most `p + 1`.
    pub(super) threats: usize,
    pub(super) promise: u32,
}

impl Attacks {
    /// All turns with `left` stones after which the attacker's threats need at least `p` stones
    /// and the defender has no row to complete. The attacker must have no win in this turn.
    ///
    /// For turns of one and two stones the list is complete but for second stones that add
    /// nothing to a first one that already forces both replies; for longer turns it is a selection.
    pub(super) fn list(
        &mut self,
        windows: &mut Windows,
        counter: &mut ThreatCounter,
        attacker: Player,
        left: usize,
        how: Listing<'_>,
    ) -> Vec<Attack> {
        let Listing { breadth, wanted, .. } = how;
        let mut found = Vec::new();
        self.sets = 0;
        let p = windows.geometry().rules().p();
        self.left_some_out = false;
        self.forces = false;
        if p == 2 && left == 2 {
            self.find_pairs(windows, counter, attacker, breadth);
            // Where a row may be too long a stone can spoil windows of its own colour, and where
            // the defender threatens a row the pair has to stop it: both are seen on the board.
            let is_plain =
                windows.geometry().rules().overlines_win() && !windows.has_threat(!attacker);
            let pairs = std::mem::take(&mut self.pairs);
            for &pair in &pairs {
                let threats =
                    if is_plain { self.threats_by_words(windows, attacker, pair) } else { None };
                match threats {
                    Some(2) if wanted == Wanted::Wins => self.forces = true,
                    Some(threats) => found.push(Attack {
                        stones: pair.to_vec(),
                        threats,
                        promise: promise_by_words(windows, attacker, pair),
                    }),
                    None => judge(windows, counter, attacker, &pair, &mut found),
                }
            }
            self.pairs = pairs;
        } else {
            self.sets = general::find(windows, counter, attacker, left, how, &mut found);
        }
        self.forces |= !found.is_empty();
        found.sort_by_key(|attack| std::cmp::Reverse((attack.threats > p, attack.promise)));
        found
    }

    /// The pairs whose threats need two stones, by words alone.
    fn find_pairs(
        &mut self,
        windows: &Windows,
        counter: &mut ThreatCounter,
        attacker: Player,
        breadth: Breadth,
    ) {
        self.pairs.clear();
        self.find_hot(windows, attacker);
        self.pairs_on_one_line(windows, attacker);
        for (i, a) in self.hot.iter().enumerate() {
            for b in &self.hot[i + 1..] {
                if a.is_double() || b.is_double() || !share_a_cell(windows, a, b) {
                    self.pairs.push(sorted(a.cell, b.cell));
                }
            }
        }
        self.pairs_with_a_double(windows, counter, attacker, breadth);
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    fn find_hot(&mut self, windows: &Windows, attacker: Player) {
        let geometry = windows.geometry();
        self.hot_at.clear();
        self.hot_at.resize(geometry.rules().cells(), 0);
        self.hot.clear();
        for (line, threes) in windows.lines_within(attacker, 3) {
            let cells = geometry.line_cells(line);
            let mut any = 0;
            for offset in offsets(threes) {
                any |= windows.empties(line, offset);
            }
            for index in offsets(any) {
                let mut common = u64::MAX;
                for offset in offsets(threes) {
                    let empties = windows.empties(line, offset);
                    if empties >> index & 1 != 0 {
                        common &= empties & !(1 << index);
                    }
                }
                let cell = cells[index];
                match self.hot_at[cell.index()] {
                    0 => {
                        self.hot.push(HotCell { cell, line, common, lines: 1 });
                        self.hot_at[cell.index()] = self.hot.len() as u16;
                    }
                    known => self.hot[usize::from(known) - 1].lines += 1,
                }
            }
        }
    }

    /// Two stones in one window of need 3 or 4.
    fn pairs_on_one_line(&mut self, windows: &Windows, attacker: Player) {
        let geometry = windows.geometry();
        self.touched.clear();
        self.touched.resize(geometry.rules().cells(), 0);
        self.crossings.clear();
        for (line, fours) in windows.lines_within(attacker, 4) {
            let cells = geometry.line_cells(line);
            let threes = windows.within(line, attacker, 3);
            let mut done = [0_u64; 64];
            let mut any = 0;
            for offset in offsets(fours) {
                let empties = windows.empties(line, offset);
                any |= empties;
                for i in offsets(empties) {
                    for j in offsets(empties & u64::MAX << i << 1 & !done[i]) {
                        done[i] |= 1 << j;
                        if self.forces_both(windows, line, [fours, threes], [i, j]) {
                            self.pairs.push(sorted(cells[i], cells[j]));
                        }
                    }
                }
            }
            for index in offsets(any) {
                let cell = cells[index];
                let lines = &mut self.touched[cell.index()];
                *lines += 1;
                if *lines == 2 {
                    self.crossings.push(cell);
                }
            }
        }
    }

    /// Whether stones on cells `i` and `j` of a line make threats there that one stone cannot
    /// stop, or make one there while one of them makes another elsewhere.
    #[inline]
    fn forces_both(
        &self,
        windows: &Windows,
        line: LineId,
        [fours, threes]: [u64; 2],
        [i, j]: [usize; 2],
    ) -> bool {
        let both = 1_u64 << i | 1 << j;
        let mut common = u64::MAX;
        for offset in offsets(fours) {
            let empties = windows.empties(line, offset);
            let filled = (empties & both).count_ones();
            let is_three = threes >> offset & 1 != 0;
            if filled == 2 || is_three && filled == 1 {
                common &= empties & !both;
                if common == 0 {
                    return true;
                }
            }
        }
        let cells = windows.geometry().line_cells(line);
        [i, j].into_iter().any(|index| match self.hot_at[cells[index].index()] {
            0 => false,
            known => {
                let hot = &self.hot[usize::from(known) - 1];
                hot.lines > 1 || hot.line != line
            }
        })
    }

    /// The stones needed against a pair of the list, at most three, where words alone can tell. The
    /// attacker had no threat before, so each threat is on a line through one of the two.
    fn threats_by_words(
        &self,
        windows: &Windows,
        attacker: Player,
        pair: [Cell; 2],
    ) -> Option<usize> {
        let hot = pair.map(|cell| match self.hot_at[cell.index()] {
            0 => None,
            known => Some(&self.hot[usize::from(known) - 1]),
        });
        let Some((line, both)) = window_of_both(windows, attacker, pair) else {
            return match hot {
                // One stone against each, and not one against both, else it would not be a pair.
                [Some(a), Some(b)] if !a.is_double() && !b.is_double() => Some(2),
                _ => None,
            };
        };
        let is_alone = hot.iter().flatten().all(|hot| hot.lines == 1 && hot.line == line);
        is_alone.then(|| {
            let through = windows.within(line, attacker, 4);
            line_threats(|| {
                offsets(through)
                    .map(|offset| windows.empties(line, offset) & !both)
                    .filter(|rest| rest.count_ones() <= 2)
            })
        })
    }

    /// A stone that forces both replies by itself leaves the second free: to block, or to build
    /// where lines cross.
    fn pairs_with_a_double(
        &mut self,
        windows: &Windows,
        counter: &mut ThreatCounter,
        attacker: Player,
        breadth: Breadth,
    ) {
        if !self.hot.iter().any(HotCell::is_double) {
            return;
        }
        for cover in counter.defences(windows, !attacker, 8) {
            self.crossings.extend(cover);
        }
        match breadth {
            Breadth::Wide => self.add_free_cells(windows, attacker),
            Breadth::Narrow => self.left_some_out = true,
        }
        for a in self.hot.iter().filter(|hot| hot.is_double()) {
            for &b in self.crossings.iter().filter(|&&b| b != a.cell) {
                self.pairs.push(sorted(a.cell, b));
            }
        }
    }
}

impl Attacks {
    /// Every cell that could matter later: where the attacker has two stones in a window or the
    /// defender has.
    fn add_free_cells(&mut self, windows: &Windows, attacker: Player) {
        self.crossings.clear();
        self.touched.fill(0);
        for player in [attacker, !attacker] {
            for (line, found) in windows.lines_within(player, 4) {
                let cells = windows.geometry().line_cells(line);
                let any = offsets(found).fold(0, |any, at| any | windows.empties(line, at));
                for index in offsets(any) {
                    let cell = cells[index];
                    if std::mem::replace(&mut self.touched[cell.index()], 1) == 0 {
                        self.crossings.push(cell);
                    }
                }
            }
        }
    }
}

/// Whether one cell stops the threats of both stones, each on its own line.
#[inline]
fn share_a_cell(windows: &Windows, a: &HotCell, b: &HotCell) -> bool {
    if a.line == b.line {
        return a.common & b.common != 0;
    }
    let geometry = windows.geometry();
    let direction = geometry.direction(b.line) as usize;
    let cells = geometry.line_cells(a.line);
    offsets(a.common).any(|index| {
        let at = geometry.lines_through(cells[index])[direction];
        at.line == b.line && b.common >> at.index & 1 != 0
    })
}

/// The line, and the cells on it, of two stones that a window two turns from a row holds.
#[inline]
fn window_of_both(windows: &Windows, attacker: Player, [a, b]: [Cell; 2]) -> Option<(LineId, u64)> {
    let geometry = windows.geometry();
    let lines = geometry.lines_through(a).iter().zip(geometry.lines_through(b));
    let (at, to) = lines.into_iter().find(|(at, to)| at.line == to.line)?;
    let hold = windows.windows_at(at) & windows.windows_at(to);
    (windows.within(at.line, attacker, 4) & hold != 0)
        .then_some((at.line, 1 << at.index | 1 << to.index))
}

/// The least number of cells, at most three, that hit sets of one or two cells of a line.
fn line_threats<Sets: Iterator<Item = u64>>(sets: impl Fn() -> Sets) -> usize {
    let common_of = |without: u64| {
        sets().filter(|set| set & without == 0).fold(u64::MAX, |common, set| common & set)
    };
    if common_of(0) != 0 {
        return 1;
    }
    let first = sets().next().unwrap_or(0);
    if offsets(first).any(|cell| common_of(1 << cell) != 0) { 2 } else { 3 }
}

/// How many windows of need 3 or less the lines through each of two stones would have.
fn promise_by_words(windows: &Windows, attacker: Player, [a, b]: [Cell; 2]) -> u32 {
    let geometry = windows.geometry();
    let lines = geometry.lines_through(a).iter().zip(geometry.lines_through(b));
    lines.fold(0, |sum, (at, to)| {
        let count = |with: [u64; 2], line: LineId| {
            let within = |need: usize| windows.within(line, attacker, need);
            let either = with[0] | with[1];
            let both = with[0] & with[1];
            let mut windows = within(3) | within(4) & either;
            if both != 0 {
                windows |= within(5) & both;
            }
            windows.count_ones()
        };
        let (here, there) = (windows.windows_at(at), windows.windows_at(to));
        if at.line == to.line {
            sum + 2 * count([here, there], at.line)
        } else {
            sum + count([here, 0], at.line) + count([there, 0], to.line)
        }
    })
}

fn sorted(a: Cell, b: Cell) -> [Cell; 2] {
    if a < b { [a, b] } else { [b, a] }
}

/// Whether the rules allow a turn on empty cells: Renju, with one stone per turn, forbids some.
pub(crate) fn is_allowed(windows: &Windows, player: Player, stones: &[Cell]) -> bool {
    player == Player::White || !stones.iter().any(|&cell| windows.is_forbidden(cell))
}

/// Places the stones, counts, and takes them back.
pub(super) fn judge(
    windows: &mut Windows,
    counter: &mut ThreatCounter,
    attacker: Player,
    stones: &[Cell],
    found: &mut Vec<Attack>,
) {
    if !is_allowed(windows, attacker, stones) {
        return;
    }
    for &cell in stones {
        windows.place(cell, attacker);
    }
    if !windows.has_threat(!attacker) {
        let p = windows.geometry().rules().p();
        let threats = counter.count(windows, attacker);
        if threats >= p {
            let promise = stones
                .iter()
                .flat_map(|&cell| windows.geometry().lines_through(cell))
                .map(|at| windows.within(at.line, attacker, p + 1).count_ones())
                .sum();
            found.push(Attack { stones: stones.to_vec(), threats, promise });
        }
    }
    for &cell in stones {
        windows.remove(cell, attacker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Position, Rules};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Every pair, by placing and counting.
    fn plain_pairs(windows: &mut Windows, attacker: Player) -> Vec<Attack> {
        let mut counter = ThreatCounter::new();
        let empty: Vec<Cell> =
            windows.geometry().rules().all_cells().filter(|&cell| windows.is_empty(cell)).collect();
        let mut found = Vec::new();
        for (i, &a) in empty.iter().enumerate() {
            for &b in &empty[i + 1..] {
                judge(windows, &mut counter, attacker, &[a, b], &mut found);
            }
        }
        found
    }

    /// Whether a stone alone already needs two replies: then its partner is free, and the list
    /// holds a selection of partners only.
    fn has_a_double(windows: &mut Windows, attacker: Player, pair: &[Cell]) -> bool {
        let mut counter = ThreatCounter::new();
        pair.iter().any(|&cell| {
            windows.place(cell, attacker);
            let double = counter.count(windows, attacker) >= 2;
            windows.remove(cell, attacker);
            double
        })
    }

    #[test]
    fn pairs_by_words_are_the_pairs_by_counting() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut pairs = 0;
        for text in
            ["9x9,k=6,p=2,q=1", "10x8,k=5,p=2,q=1", "11x9,k=7,p=2,q=1", "9x9,k=6,p=2,q=1,exact"]
        {
            let rules: Rules = text.parse().expect(text);
            for _ in 0..200 {
                let mut position = Position::new(rules);
                for _ in 0..random.random_range(8..26) {
                    let legal = position.legal_cells();
                    if let Some(&cell) = legal.get(random.random_range(0..legal.len().max(1))) {
                        position.play(cell).expect("legal");
                    }
                }
                let mut windows = Windows::of(&position);
                let attacker = position.to_move();
                if position.is_over() || windows.can_win(attacker, 2) {
                    continue;
                }
                let mut attacks = Attacks::default();
                let counter = &mut ThreatCounter::new();
                let mut list = |windows: &mut Windows, wanted| {
                    let how = Listing {
                        breadth: Breadth::Narrow,
                        wanted,
                        meter: None,
                        params: ProofParams::default(),
                    };
                    let listed = attacks.list(windows, counter, attacker, 2, how);
                    (listed, attacks.forces)
                };
                let (listed, forces) = list(&mut windows, Wanted::All);
                let (wins, also_forces) = list(&mut windows, Wanted::Wins);
                let plain = plain_pairs(&mut windows, attacker);
                assert!(listed.iter().all(|attack| plain.contains(attack)), "{text}\n{position}");
                for attack in &plain {
                    let pair = &attack.stones;
                    assert!(
                        listed.contains(attack) || has_a_double(&mut windows, attacker, pair),
                        "{text} misses {pair:?}\n{position}"
                    );
                }
                let is_win = |attack: &&Attack| attack.threats > 2;
                assert!(listed.iter().filter(is_win).eq(wins.iter().filter(is_win)));
                assert_eq!([forces, also_forces], [!listed.is_empty(); 2], "{text}\n{position}");
                pairs += plain.len();
            }
        }
        assert!(pairs > 500, "{pairs} pairs are too few to mean anything");
    }
}
