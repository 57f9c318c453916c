//! The shapes of five in a row by the names their players use, and the stones and cells they are of.
//!
//! ```text
//! five            XXXXX       straight four  .XXXX.     four   OXXXX.    broken four  XX.XX
//! open three      ..XXX.      broken three   .XX.X.     sleeping three   OXXX..
//! open two        ..XX..      sleeping two   OXX...
//! ```
//!
//! A four can become a five, a straight four in two ways; an open or broken three can become a
//! straight four by one stone, which in Renju must be allowed to Black; a sleeping three can become
//! only a four; an open two can become an open or broken three. Stones belong to one shape of a line,
//! the strongest: those of a four are not a three.

use std::fmt;

use collinear_rules::{Cell, LineId, Overline, Player, Position, Rules, notation};

/// What stones on one line are called, from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineShape {
    /// `OXX...`
    SleepingTwo,
    /// `..XX..`
    OpenTwo,
    /// `OXXX..`
    SleepingThree,
    /// `.XX.X.`
    BrokenThree,
    /// `..XXX.`
    OpenThree,
    /// `XX.XX`
    BrokenFour,
    /// `OXXXX.`
    Four,
    /// `.XXXX.`
    StraightFour,
    /// `XXXXX`
    Five,
}

impl LineShape {
    /// `open three`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SleepingTwo => "sleeping two",
            Self::OpenTwo => "open two",
            Self::SleepingThree => "sleeping three",
            Self::BrokenThree => "broken three",
            Self::OpenThree => "open three",
            Self::BrokenFour => "broken four",
            Self::Four => "four",
            Self::StraightFour => "straight four",
            Self::Five => "five",
        }
    }

    /// Whether it becomes a five by one stone.
    pub const fn is_four(self) -> bool {
        matches!(self, Self::BrokenFour | Self::Four | Self::StraightFour)
    }

    /// Whether it becomes a straight four by one stone.
    pub const fn is_three(self) -> bool {
        matches!(self, Self::BrokenThree | Self::OpenThree)
    }
}

impl fmt::Display for LineShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A shape on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundShape {
    /// What it is called.
    pub shape: LineShape,
    /// Where.
    pub line: LineId,
    /// Its stones, in the order of the line.
    pub stones: Vec<Cell>,
    /// The cells by which it becomes the next stronger shape.
    pub keys: Vec<Cell>,
}

impl FoundShape {
    /// `open three g8–h8–i8`.
    pub fn words(&self, rules: &Rules) -> String {
        let names: Vec<String> =
            self.stones.iter().map(|&cell| notation::name(rules, cell)).collect();
        format!("{} {}", self.shape, names.join("–"))
    }
}

/// Whether the names are those of the game: five in a row, one stone per turn, no gravity.
pub fn has_shapes(rules: &Rules) -> bool {
    (rules.k(), rules.p(), rules.gravity()) == (FIVE, 1, false)
}

/// The shapes of a player's stones, strongest first; none where the game has other names.
pub fn shapes(position: &Position, player: Player) -> Vec<FoundShape> {
    if !has_shapes(position.rules()) {
        return Vec::new();
    }
    let geometry = position.geometry();
    let mut found = Vec::new();
    for line in geometry.lines() {
        let cells = geometry.line_cells(line);
        let row = Row::of(position, player, line, cells.len());
        if row.own.count_ones() < 2 || cells.len() < FIVE {
            continue;
        }
        let is_forbidden =
            |index: usize| player == Player::Black && position.is_forbidden(cells[index]);
        let pick = |word: u64| crate::windows::offsets(word).map(|at| cells[at]);
        found.extend(row.groups(is_forbidden).into_iter().map(|group| FoundShape {
            shape: group.shape,
            line,
            stones: pick(group.stones).collect(),
            keys: pick(group.keys).collect(),
        }));
    }
    found.sort_by_key(|found| std::cmp::Reverse(found.shape));
    found
}

const FIVE: usize = 5;

/// One line, seen by a player.
#[derive(Clone, Copy)]
struct Row {
    own: u64,
    enemy: u64,
    length: usize,
    /// Whether six in a row do not win.
    exact: bool,
}

/// A shape as bits of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    shape: LineShape,
    stones: u64,
    keys: u64,
}

impl Row {
    fn of(position: &Position, player: Player, line: LineId, length: usize) -> Self {
        let words = position.line(line);
        Self {
            own: words[player.index()],
            enemy: words[player.opponent().index()],
            length,
            exact: position.rules().overline(player) == Overline::Ignored,
        }
    }

    fn with(self, index: usize) -> Self {
        Self { own: self.own | 1 << index, ..self }
    }

    fn empty(self) -> impl Iterator<Item = usize> {
        (0..self.length).filter(move |i| (self.own | self.enemy) >> i & 1 == 0)
    }

    /// The windows that may become a five: five cells without an enemy and, where six do not win,
    /// without an own stone at their ends.
    fn windows(self) -> impl Iterator<Item = u64> {
        (0..(self.length + 1).saturating_sub(FIVE)).map(|start| 0b1_1111 << start).filter(
            move |window| {
                let ends = (window << 1 | window >> 1) & !window;
                self.enemy & window == 0 && !(self.exact && self.own & ends != 0)
            },
        )
    }

    fn groups(self, is_forbidden: impl Fn(usize) -> bool) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for window in self.windows().filter(|window| self.own & window == *window) {
            add(&mut groups, LineShape::Five, window, 0);
        }
        if groups.is_empty() {
            self.add_fours(&mut groups);
            self.add_threes(&mut groups, is_forbidden);
            self.add_windows(&mut groups, LineShape::SleepingThree, FIVE - 2);
            for (stones, key) in self.next(Self::threes) {
                add(&mut groups, LineShape::OpenTwo, stones, key);
            }
            self.add_windows(&mut groups, LineShape::SleepingTwo, FIVE - 3);
        }
        // A five that two sets of stones complete on one cell is one four.
        let mut keys = 0;
        groups.retain(|group| {
            let is_new = !group.shape.is_four() || group.keys & keys == 0;
            keys |= if group.shape.is_four() { group.keys } else { 0 };
            is_new
        });
        groups
    }

    /// Straight fours, then every window that lacks one stone.
    fn add_fours(self, groups: &mut Vec<Group>) {
        for (stones, keys) in self.straight_fours() {
            add(groups, LineShape::StraightFour, stones, keys);
        }
        for window in self.windows() {
            let (stones, key) = (self.own & window, window & !self.own);
            if stones.count_ones() as usize == FIVE - 1 {
                let is_whole = is_whole(stones);
                let shape = if is_whole { LineShape::Four } else { LineShape::BrokenFour };
                add(groups, shape, stones, key);
            }
        }
    }

    /// The stones of `.XXXX.` and the two cells at their ends.
    fn straight_fours(self) -> Vec<(u64, u64)> {
        let windows: Vec<u64> = self.windows().collect();
        let ends = |window: &u64| {
            let next = window << 1;
            let stones = window & next;
            let is_straight = windows.contains(&next) && self.own & (window | next) == stones;
            is_straight.then_some((stones, (window | next) & !stones))
        };
        windows.iter().filter_map(ends).collect()
    }

    fn add_threes(self, groups: &mut Vec<Group>, is_forbidden: impl Fn(usize) -> bool) {
        for (stones, key) in self.threes() {
            if !is_forbidden(key.trailing_zeros() as usize) {
                let is_whole = is_whole(stones);
                let shape = if is_whole { LineShape::OpenThree } else { LineShape::BrokenThree };
                add(groups, shape, stones, key);
            }
        }
    }

    /// The stones that become a straight four by one more, and where.
    fn threes(self) -> Vec<(u64, u64)> {
        self.next(Self::straight_fours)
    }

    /// The stones that become something by one more, and where; not where the stone makes a five.
    fn next(self, what: impl Fn(Self) -> Vec<(u64, u64)>) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        for index in self.empty() {
            let (after, key) = (self.with(index), 1 << index);
            if after.windows().any(|window| window & key != 0 && after.own & window == window) {
                continue;
            }
            let with_it = what(after).into_iter().filter(|(stones, _)| stones & key != 0);
            found.extend(with_it.map(|(stones, _)| (stones & !key, key)));
        }
        found
    }

    /// Windows with this many own stones that are not part of a stronger shape.
    fn add_windows(self, groups: &mut Vec<Group>, shape: LineShape, stones: usize) {
        for window in self.windows() {
            let own = self.own & window;
            if own.count_ones() as usize == stones {
                add(groups, shape, own, window & !own);
            }
        }
    }
}

/// Adds a shape, or cells to one that is known; nothing for stones that make a stronger shape.
fn add(groups: &mut Vec<Group>, shape: LineShape, stones: u64, keys: u64) {
    if groups.iter().any(|group| group.shape > shape && stones & !group.stones == 0) {
        return;
    }
    match groups.iter_mut().find(|group| (group.shape, group.stones) == (shape, stones)) {
        Some(group) => group.keys |= keys,
        None => groups.push(Group { shape, stones, keys }),
    }
}

/// Whether stones are neighbours without a gap.
const fn is_whole(stones: u64) -> bool {
    let run = stones >> stones.trailing_zeros();
    run & (run + 1) == 0
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The line as text: `X` own, `O` enemy; the shapes as `open three 1 2 3`.
    fn named(text: &str, exact: bool) -> Vec<String> {
        let word = |sign: char| {
            text.chars().enumerate().fold(0, |word, (i, c)| word | u64::from(c == sign) << i)
        };
        let row = Row { own: word('X'), enemy: word('O'), length: text.len(), exact };
        let mut groups = row.groups(|_| false);
        groups.sort_by_key(|group| std::cmp::Reverse(group.shape));
        let show = |group: &Group| {
            let stones: Vec<String> = (0..text.len())
                .filter(|i| group.stones >> i & 1 != 0)
                .map(|i| i.to_string())
                .collect();
            format!("{} {}", group.shape, stones.join(" "))
        };
        groups.iter().map(show).collect()
    }

    #[test]
    fn lines_have_the_names_people_use() {
        for (line, name) in [
            ("..XXXXX..", "five 2 3 4 5 6"),
            (".XXXX.", "straight four 1 2 3 4"),
            ("OXXXX.", "four 1 2 3 4"),
            (".XX.XX.", "broken four 1 2 4 5"),
            ("..XXX.", "open three 2 3 4"),
            (".XX.X.", "broken three 1 2 4"),
            ("OXXX..", "sleeping three 1 2 3"),
            (".XXX.", "sleeping three 1 2 3"),
            ("...XX...", "open two 3 4"),
            ("OXX...", "sleeping two 1 2"),
        ] {
            assert_eq!(named(line, false), [name], "{line}");
        }
        assert_eq!(named("X.XXX.X", false), ["broken four 0 2 3 4", "broken four 2 3 4 6"]);
        // Six are not a five there, so neither end makes one.
        assert_eq!(named("X.XXXX.", false).len(), 1);
        assert_eq!(named("X.XXXX.", true), ["four 2 3 4 5"]);
        assert_eq!(named("OX.X.XO", true), ["sleeping three 1 3 5"]);
    }

    /// The definitions once more, on a list of cells and every set of stones, with nothing but runs.
    struct Plain {
        cells: Vec<char>,
        exact: bool,
    }

    impl Plain {
        fn with(&self, index: usize) -> Self {
            let mut cells = self.cells.clone();
            cells[index] = 'X';
            Self { cells, exact: self.exact }
        }

        fn is_five_through(&self, index: usize) -> bool {
            let own = |i: &usize| self.cells[*i] == 'X';
            let before = (0..index).rev().take_while(own).count();
            let length = before + (index..self.cells.len()).take_while(own).count();
            length == 5 || length > 5 && !self.exact
        }

        /// The cells that make five neighbouring cells with these stones, and a five of the line.
        fn completions(&self, stones: &[usize]) -> Vec<usize> {
            let completes = |&index: &usize| {
                let mut all = stones.to_vec();
                all.push(index);
                all.sort_unstable();
                self.cells[index] == '.'
                    && all.len() == 5
                    && all[4] - all[0] == 4
                    && self.with(index).is_five_through(index)
            };
            (0..self.cells.len()).filter(completes).collect()
        }

        fn straight(&self, stones: &[usize]) -> bool {
            stones.len() == 4 && self.completions(stones).len() == 2
        }

        fn becomes(&self, stones: &[usize], what: &dyn Fn(&Self, &[usize]) -> bool) -> bool {
            (0..self.cells.len()).any(|index| {
                let mut all = stones.to_vec();
                all.push(index);
                all.sort_unstable();
                let after = self.with(index);
                self.cells[index] == '.' && !after.is_five_through(index) && what(&after, &all)
            })
        }

        fn three(&self, stones: &[usize]) -> bool {
            stones.len() == 3 && self.becomes(stones, &Self::straight)
        }

        /// Whether the stones, and no other own ones, lie in five cells that can become a five.
        fn fits(&self, stones: &[usize]) -> bool {
            (0..(self.cells.len() + 1).saturating_sub(5)).any(|start| {
                let own: Vec<usize> =
                    (start..start + 5).filter(|&i| self.cells[i] == 'X').collect();
                let mut full = Self { cells: self.cells.clone(), exact: self.exact };
                full.cells[start..start + 5].fill('X');
                own == stones
                    && !self.cells[start..start + 5].contains(&'O')
                    && full.is_five_through(start)
            })
        }

        fn shape(&self, stones: &[usize]) -> Option<LineShape> {
            let is_whole = stones.windows(2).all(|pair| pair[1] == pair[0] + 1);
            let choose = |whole, broken| Some(if is_whole { whole } else { broken });
            match stones.len() {
                4 if self.straight(stones) => Some(LineShape::StraightFour),
                4 if !self.completions(stones).is_empty() => {
                    choose(LineShape::Four, LineShape::BrokenFour)
                }
                3 if self.three(stones) => choose(LineShape::OpenThree, LineShape::BrokenThree),
                3 if self.fits(stones) => Some(LineShape::SleepingThree),
                2 if self.becomes(stones, &Self::three) => Some(LineShape::OpenTwo),
                2 if self.fits(stones) => Some(LineShape::SleepingTwo),
                _ => None,
            }
        }
    }

    #[test]
    fn names_follow_the_definitions() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
        let mut seen = std::collections::HashMap::new();
        for round in 0..3000 {
            let length = random.random_range(5..=15);
            let signs = ['.', '.', '.', 'X', 'X', 'O'];
            let cells: Vec<char> =
                (0..length).map(|_| signs[random.random_range(0..signs.len())]).collect();
            let plain = Plain { cells: cells.clone(), exact: round % 2 == 0 };
            let own: Vec<usize> = (0..length).filter(|&i| cells[i] == 'X').collect();
            if own.iter().any(|&i| plain.is_five_through(i)) {
                continue;
            }
            let mut wanted: Vec<(LineShape, Vec<usize>)> = Vec::new();
            for set in 1_u32..1 << own.len() {
                let stones: Vec<usize> =
                    (0..own.len()).filter(|at| set >> at & 1 != 0).map(|at| own[at]).collect();
                if (2..=4).contains(&stones.len())
                    && let Some(shape) = plain.shape(&stones)
                {
                    wanted.push((shape, stones));
                }
            }
            let strongest = wanted.clone();
            wanted.retain(|(shape, stones)| {
                !strongest.iter().any(|(other, larger)| {
                    other > shape && stones.iter().all(|stone| larger.contains(stone))
                })
            });
            // A five that two sets of stones complete on one cell is one four.
            let mut keys = Vec::new();
            wanted.sort_by_key(|(shape, stones)| {
                (std::cmp::Reverse(*shape == LineShape::StraightFour), stones.clone())
            });
            wanted.retain(|(shape, stones)| {
                let own_keys = plain.completions(stones);
                let is_new = !shape.is_four() || own_keys.iter().all(|key| !keys.contains(key));
                keys.extend(own_keys);
                is_new
            });
            let text: String = cells.iter().collect();
            let mut wanted: Vec<String> = wanted
                .iter()
                .map(|(shape, stones)| {
                    *seen.entry(*shape).or_insert(0) += 1;
                    let stones: Vec<String> = stones.iter().map(usize::to_string).collect();
                    format!("{shape} {}", stones.join(" "))
                })
                .collect();
            let mut found = named(&text, plain.exact);
            wanted.sort();
            found.sort();
            assert_eq!(found, wanted, "{text} exact: {}", plain.exact);
        }
        assert!(seen.len() == 8 && seen.values().all(|&count| count > 10), "{seen:?}");
    }
}
