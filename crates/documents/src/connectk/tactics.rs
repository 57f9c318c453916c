//! The three urgent cases every agent with foresight of one turn shares (document 000, §3.3,
//! Sequences): a win is there; the opponent still threatens; more own threats than the opponent
//! can stop.
//!
//! Threats are counted with the document's marks: windows are visited in the order of the board's
//! lines; one that a full turn can fill and that holds no marked cell is a threat, and all its
//! empty cells are marked. Only windows that one turn can fill matter, and [`Windows`] knows their
//! lines, so a recount is a walk over a handful of them instead of the whole board. With gravity a
//! window counts only when the stones that fill it would come to rest.
//!
//! That is a fresh count. Sequences as the document has it keeps marks from stone to stone instead:
//! see [`owned`].

use crate::search::Score;
use collinear_rules::{Cell, LineId, Player, Position, Rules};
use collinear_windows::{Windows, offsets};

mod owned;

use owned::Owned;

/// What a stone does to the urgent cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// A row is made (0) or can be made with this many more stones of this turn.
    Wins(usize),
    /// The number of threats the opponent has left.
    Threatened(u32),
    /// More own threats than the opponent has stones, and none of his.
    Forces,
    /// Nothing urgent.
    Quiet,
}

/// More threats than these are not told apart.
const MAX_THREATS: u32 = 500;
/// The distance between two verdicts, larger than any sum of window scores.
const TIER: i64 = 1 << 50;

impl Urgency {
    /// The utility: urgent cases first, all equals of a case alike.
    pub(crate) fn flat(self, quiet: i64) -> Score {
        self.score(if self == Self::Quiet { quiet } else { 0 })
    }

    /// The utility: urgent cases first, `quiet` among equals.
    pub(crate) fn score(self, quiet: i64) -> Score {
        let quiet = quiet.clamp(-TIER / 2 + 1, TIER / 2 - 1);
        match self {
            Self::Wins(stones) => Score::of(Score::MAX.get() - stones as i64),
            Self::Threatened(threats) => {
                Score::of(-TIER * i64::from(threats.min(MAX_THREATS)) + quiet)
            }
            Self::Forces => Score::of(TIER + quiet),
            Self::Quiet => Score::of(quiet),
        }
    }
}

/// The windows of a position and the marks to count threats with.
#[derive(Clone)]
pub(crate) struct UrgentCases {
    pub(crate) windows: Windows,
    marks: Marks,
    /// Marks kept by the windows that made them, instead of fresh counts.
    owned: Option<Owned>,
}

/// What holds before the next stone, computed once for all cells.
pub(crate) struct Stakes {
    mover: Player,
    /// Stones left after the next one.
    left: usize,
    /// The fewest stones that fill a window of the mover, if the turn has that many.
    need: Option<usize>,
    /// Threats of the mover and of the opponent.
    threats: [u32; 2],
    /// Whether a stone can only be judged by placing it.
    slow: bool,
}

impl UrgentCases {
    pub(crate) fn new(rules: Rules) -> Self {
        let position = Position::new(rules);
        Self { windows: Windows::of(&position), marks: Marks::new(rules.cells()), owned: None }
    }

    /// The same with marks that windows own. With gravity a stone changes windows that it is no
    /// part of, and counts stay fresh.
    pub(crate) fn with_owned_marks(rules: Rules) -> Self {
        let tactics = Self::new(rules);
        let owned = (!rules.gravity()).then(|| Owned::new(tactics.windows.geometry()));
        Self { owned, ..tactics }
    }

    /// Takes over a position; where marks are owned, stone by stone as it was played.
    pub(crate) fn set(&mut self, position: &Position) {
        if self.owned.is_none() {
            self.windows.set(position);
            return;
        }
        self.windows.clear();
        self.owned = Some(Owned::new(self.windows.geometry()));
        let played = position.history();
        for player in Player::BOTH {
            for cell in position.stones(player).filter(|cell| !played.contains(cell)) {
                self.place(cell, player);
            }
        }
        for &cell in played {
            if let Some(player) = position.at(cell) {
                self.place(cell, player);
            }
        }
        if let Some(owned) = &mut self.owned {
            owned.settle();
        }
    }

    /// A stone was placed.
    pub(crate) fn place(&mut self, cell: Cell, player: Player) {
        self.windows.place(cell, player);
        if let Some(owned) = &mut self.owned {
            owned.scan(&self.windows, cell);
        }
    }

    /// The stone placed last was taken back.
    pub(crate) fn remove(&mut self, cell: Cell, player: Player) {
        self.windows.remove(cell, player);
        if let Some(owned) = &mut self.owned {
            owned.undo(self.windows.geometry());
        }
    }

    pub(crate) fn stakes(&mut self, position: &Position) -> Stakes {
        let (mover, left) = (position.to_move(), position.stones_left());
        let rules = position.rules();
        Stakes {
            mover,
            left: left - 1,
            need: (0..=left).find(|&need| self.windows.can_win(mover, need)),
            threats: [mover, mover.opponent()].map(|player| self.count(player, MAX_THREATS)),
            // With gravity a stone also opens the cell above it; an own stone can spoil a window
            // it is not part of where only exactly k win.
            slow: rules.gravity() || !rules.overlines_win(),
        }
    }

    /// Whether the opponent of the player to move threatens.
    pub(crate) fn is_threatened(&mut self, position: &Position) -> bool {
        self.count(position.to_move().opponent(), 1) > 0
    }

    /// Judges a stone of the player to move on a legal cell.
    pub(crate) fn verdict(&mut self, stakes: &Stakes, cell: Cell) -> Urgency {
        let &Stakes { mover, left, need, threats: [own, opposing], slow } = stakes;
        if slow {
            return self.verdict_by_placing(stakes, cell);
        }
        if let Some(need) = need {
            let after = need - usize::from(self.touches(cell, mover, need));
            if after <= left {
                return Urgency::Wins(after);
            }
        }
        let p = self.windows.geometry().rules().p();
        let blocks = opposing > 0 && self.touches(cell, mover.opponent(), p);
        let builds = self.touches(cell, mover, p + 1);
        if !blocks && (opposing > 0 || !builds) {
            return grade(opposing, own, p);
        }
        self.place(cell, mover);
        let opposing = if blocks { self.count(mover.opponent(), MAX_THREATS) } else { opposing };
        let own = if opposing == 0 && builds { self.count(mover, enough(p)) } else { own };
        self.remove(cell, mover);
        grade(opposing, own, p)
    }

    /// Whether a stone of the player to move leaves more own threats than the opponent has stones,
    /// whatever the opponent threatens.
    pub(crate) fn forces(&mut self, stakes: &Stakes, cell: Cell) -> bool {
        let &Stakes { mover, threats: [own, _], slow, .. } = stakes;
        let p = self.windows.geometry().rules().p();
        if !slow && !self.touches(cell, mover, p + 1) {
            return own as usize > p;
        }
        self.place(cell, mover);
        let own = self.count(mover, enough(p));
        self.remove(cell, mover);
        own as usize > p
    }

    fn verdict_by_placing(&mut self, stakes: &Stakes, cell: Cell) -> Urgency {
        let (mover, left) = (stakes.mover, stakes.left);
        self.place(cell, mover);
        let need = (0..=left).find(|&need| self.fillable(mover, need).next().is_some());
        let verdict = if let Some(need) = need {
            Urgency::Wins(need)
        } else {
            let p = self.windows.geometry().rules().p();
            let opposing = self.count(mover.opponent(), MAX_THREATS);
            let own = if opposing == 0 { self.count(mover, enough(p)) } else { 0 };
            grade(opposing, own, p)
        };
        self.remove(cell, mover);
        verdict
    }

    /// Whether a window of the player that `need` stones would fill goes through the cell.
    fn touches(&self, cell: Cell, player: Player, need: usize) -> bool {
        self.windows
            .geometry()
            .lines_through(cell)
            .iter()
            .any(|at| self.windows.within(at.line, player, need) & self.windows.windows_at(at) != 0)
    }

    /// The player's threats, by marks. No more than `most` are looked for: where a turn has as many
    /// stones as a row, every window of the board is one.
    fn count(&mut self, player: Player, most: u32) -> u32 {
        if let Some(owned) = &self.owned {
            return owned.threats(player);
        }
        let Self { windows, marks, .. } = self;
        let p = windows.geometry().rules().p();
        marks.clear();
        let mut threats = 0;
        for (line, words) in windows.lines_within(player, p) {
            let cells = windows.geometry().line_cells(line);
            for offset in offsets(words) {
                if threats >= most {
                    return threats;
                }
                let empties = windows.empties(line, offset);
                if marks.any(cells, empties) || !rests(windows, line, empties) {
                    continue;
                }
                marks.set(cells, empties);
                threats += 1;
            }
        }
        threats
    }

    /// The windows that this many stones fill, if these would come to rest.
    fn fillable(&self, player: Player, need: usize) -> impl Iterator<Item = (LineId, usize)> + '_ {
        self.windows.lines_within(player, need).flat_map(move |(line, words)| {
            offsets(words)
                .filter(move |&offset| {
                    rests(&self.windows, line, self.windows.empties(line, offset))
                })
                .map(move |offset| (line, offset))
        })
    }
}

/// As many threats as force a win.
const fn enough(p: usize) -> u32 {
    p as u32 + 1
}

fn grade(opposing: u32, own: u32, p: usize) -> Urgency {
    if opposing > 0 {
        Urgency::Threatened(opposing)
    } else if own as usize > p {
        Urgency::Forces
    } else {
        Urgency::Quiet
    }
}

/// Whether stones on these cells of a line would come to rest on others or on each other.
fn rests(windows: &Windows, line: LineId, empties: u64) -> bool {
    let rules = windows.geometry().rules();
    if !rules.gravity() {
        return true;
    }
    let cells = windows.geometry().line_cells(line);
    offsets(empties).all(|index| {
        let Some(below) = cells[index].index().checked_sub(rules.width()).map(Cell::new) else {
            return true;
        };
        !windows.is_empty(below) || offsets(empties).any(|other| cells[other] == below)
    })
}

/// Marked cells, with a list of them so that clearing is cheap.
#[derive(Clone)]
struct Marks {
    marked: Vec<bool>,
    list: Vec<Cell>,
}

impl Marks {
    fn new(cells: usize) -> Self {
        Self { marked: vec![false; cells], list: Vec::new() }
    }

    fn clear(&mut self) {
        for cell in self.list.drain(..) {
            self.marked[cell.index()] = false;
        }
    }

    fn any(&self, line: &[Cell], empties: u64) -> bool {
        !self.list.is_empty() && offsets(empties).any(|index| self.marked[line[index].index()])
    }

    fn set(&mut self, line: &[Cell], empties: u64) {
        for index in offsets(empties) {
            self.marked[line[index].index()] = true;
            self.list.push(line[index]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        #[test]
        fn without_gravity_the_count_is_that_of_mark_all(
            game in prop::sample::select(vec!["8x8,k=4,p=2,q=1", "7x7,k=5,exact", "6x6,k=5,p=3,q=1"]),
            picks in prop::collection::vec(0..100_usize, 1..40),
        ) {
            let mut position = Position::new(game.parse().expect(game));
            for pick in picks {
                let legal = position.legal_cells();
                if legal.is_empty() {
                    break;
                }
                position.play(legal[pick % legal.len()]).expect("legal");
            }
            let mut tactics = UrgentCases::new(*position.rules());
            tactics.windows.set(&position);
            for player in Player::BOTH {
                let expected = crate::connectk::mark_all(&position, player);
                prop_assert_eq!(tactics.count(player, u32::MAX) as usize, expected);
            }
        }
    }
}
