//! What an agent tells the search: the cells worth a stone, each with its utility (document 000,
//! §4).

use std::fmt;

use collinear_rules::{Cell, Player, Position};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Worth to one player, as large as the agent likes within ±[`Score::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i64);

impl Score {
    /// A draw, or nothing to say.
    pub const EVEN: Self = Self(0);
    /// The largest utility; wins are above it.
    pub const MAX: Self = Self(1 << 60);
    /// Below everything: no line of play has this score.
    pub(crate) const NOTHING: Self = Self(-(1 << 62));
    const WIN: i64 = 1 << 61;

    /// An agent's utility, cut to the range.
    pub const fn of(utility: i64) -> Self {
        if utility > Self::MAX.0 {
            Self::MAX
        } else if utility < -Self::MAX.0 {
            Self(-Self::MAX.0)
        } else {
            Self(utility)
        }
    }

    /// A row with the n-th stone from now: sooner is better.
    pub const fn win(stones: usize) -> Self {
        Self(Self::WIN - stones as i64)
    }

    /// The number, for agents that scale it.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// How many stones from now the row comes and whether it is one's own; none for a score that
    /// decides nothing.
    pub fn decided(self) -> Option<(bool, usize)> {
        (self.0.abs() > Self::MAX.0 && self > Self::NOTHING)
            .then(|| (self.0 > 0, (Self::WIN - self.0.abs()) as usize))
    }
}

impl std::ops::Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decided() {
            None => write!(f, "{}", self.0),
            Some((true, stones)) => write!(f, "win in {stones} stones"),
            Some((false, stones)) => write!(f, "loss in {stones} stones"),
        }
    }
}

/// A cell with what a stone there is worth to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// Its utility.
    pub utility: Score,
}

/// An agent's view of a position, kept up to date stone by stone.
pub trait Appraise: Clone + Send + Sync {
    /// Whether the horizon is judged by [`value`](Self::value). If not, the best utility of the
    /// list before the last stone stands for what that stone leads to, and depth 1 is the agent
    /// without search.
    const EVALUATES: bool = false;

    /// Takes over a position.
    fn load(&mut self, position: &Position);

    /// A stone was placed.
    fn place(&mut self, cell: Cell, player: Player);

    /// The stone placed last was taken back.
    fn remove(&mut self, cell: Cell, player: Player);

    /// Fills the empty `list` with legal cells for the next stone. At least one, as long as the
    /// game goes on; the order does not matter.
    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>);

    /// Worth of a row to the player who completes it with the n-th stone from now.
    fn row(&self, stones: usize) -> Score {
        Score::win(stones)
    }

    /// Worth of a position at the horizon to this player.
    fn value(&mut self, _position: &Position, _player: Player) -> Score {
        Score::EVEN
    }
}

/// Who comes first among equals: a random order of the cells, the same for a whole turn's search.
#[derive(Clone, Debug)]
pub struct Noise(Vec<u16>);

impl Noise {
    /// An order for a board of this many cells.
    pub fn new(cells: usize, seed: u64) -> Self {
        let mut order: Vec<u16> = (0..cells).map(|cell| cell as u16).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        Self(order)
    }

    /// The place of a cell in the order.
    pub fn rank(&self, cell: Cell) -> u16 {
        self.0[cell.index()]
    }

    /// Best first, equals in this order, and no more than `most`.
    pub fn sort(&self, list: &mut Vec<Candidate>, most: usize) {
        let key = |c: &Candidate| std::cmp::Reverse((c.utility, self.0[c.cell.index()]));
        if list.len() > most.max(1) {
            list.select_nth_unstable_by_key(most.max(1) - 1, key);
            list.truncate(most.max(1));
        }
        list.sort_unstable_by_key(key);
    }
}

/// Whether a stone of the player to move on this empty cell makes a row.
#[inline]
pub fn completes_row(position: &Position, cell: Cell) -> bool {
    let player = position.to_move();
    let geometry = position.geometry();
    geometry.lines_through(cell).iter().any(|at| {
        let stones = position.line(at.line)[player.index()] | 1 << at.index;
        geometry.winning_starts(stones, player) != 0
    })
}
