//! The four generations of document 001's evaluation, kept line by line.
//!
//! All of them are sums over lines (and, for the distance to the middle, over stones), seen from
//! the player whose turn it is at the root:
//!
//! | | a line is worth | a stone is worth |
//! |---|---|---|
//! | a | 10 · 2^(l−1) for each stone of a chain that can still become a row, l own stones behind it | |
//! | b | for each window, those cut by the edge included, 10 · (2^(own−1) − 2^(opposing−1)), ±100 and ±50 where own outnumber opposing by k−1 and k−2 (signed by who holds the last cell), +10 a free cell where there is an own stone, −10 if there is none free | 10 − distance to the middle |
//! | c | as b | as b, and for the stones of the last turn: the chains they block and extend |
//! | d | 2^l for each own stone with l own stones behind it, −3^l for opposing ones; +500/−800 where l = k−2, +2000/−5000 where l = k−1 | max(0, 10 − distance to the middle) |
//!
//! The document's table for c is lost; 10^(chain−1) stands for it. Its listing returns the chain of
//! the last direction it looks in, `↘`; `c-longest` takes the longest of the four. `a-chain` counts a
//! chain once, with 10 · 2^(length−1), and `b-whole` only windows that lie on the board. These three
//! are ours.

use std::sync::Arc;

use crate::search::Score;
use collinear_rules::{Cell, Geometry, Player, Position};

/// One point of the document in scores, so that tuned weights may have fractions.
pub(crate) const POINT: i64 = 100;

/// Which evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Generation {
    A,
    AChain,
    B,
    BWhole,
    C(Chains),
    D(Weights),
}

/// Which chain through a stone counts for c.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chains {
    /// The one in the last direction, as the document's listing has it.
    Last,
    /// The longest one.
    Longest,
}

/// The numbers of generation d, own first, then opposing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    pub(crate) base: [f64; 2],
    pub(crate) two_short: [f64; 2],
    pub(crate) one_short: [f64; 2],
}

/// An evaluation with its sums.
#[derive(Clone)]
pub(crate) struct Evaluation {
    geometry: Arc<Geometry>,
    generation: Generation,
    /// For d: by colour relation (own, opposing) what one more stone behind adds, `[0]` being none.
    steps: [Vec<i64>; 2],
    me: Player,
    lengths: Vec<usize>,
    lines: Vec<[u64; 2]>,
    sums: Vec<i64>,
    total: i64,
}

/// Chains longer than this are worth no more: their powers must stay within a score.
const MAX_LENGTH: usize = 20;

impl Evaluation {
    pub(crate) fn new(geometry: Arc<Geometry>, generation: Generation) -> Self {
        let k = geometry.rules().k();
        let steps = match generation {
            Generation::D(weights) => [0, 1].map(|side| chain_steps(&weights, side, k)),
            _ => [Vec::new(), Vec::new()],
        };
        let lines = geometry.line_count();
        Self {
            lengths: geometry.lines().map(|line| geometry.line_cells(line).len()).collect(),
            geometry,
            generation,
            steps,
            me: Player::Black,
            lines: vec![[0; 2]; lines],
            sums: vec![0; lines],
            total: 0,
        }
    }

    /// Takes over a position, to be seen from this player.
    pub(crate) fn load(&mut self, position: &Position, me: Player) {
        self.me = me;
        self.total = 0;
        for line in self.geometry.clone().lines() {
            self.lines[line.index()] = position.line(line);
            self.sums[line.index()] = self.line_value(line.index());
            self.total += self.sums[line.index()];
        }
        for player in Player::BOTH {
            for cell in position.stones(player) {
                self.total += self.place_value(cell, player);
            }
        }
    }

    pub(crate) fn place(&mut self, cell: Cell, player: Player) {
        self.flip(cell, player);
        self.total += self.place_value(cell, player);
    }

    pub(crate) fn remove(&mut self, cell: Cell, player: Player) {
        self.flip(cell, player);
        self.total -= self.place_value(cell, player);
    }

    /// Worth to a player of the position after the turn with these stones.
    pub(crate) fn value(
        &self,
        position: &Position,
        player: Player,
        turn: &[(Cell, Player)],
    ) -> Score {
        let board = if player == self.me { self.total } else { -self.total };
        let moves = match self.generation {
            Generation::C(chains) => {
                turn.iter().map(|&(cell, owner)| move_value(position, cell, owner, chains)).sum()
            }
            _ => 0,
        };
        Score::of(board + moves)
    }

    fn flip(&mut self, cell: Cell, player: Player) {
        for at in *self.geometry.lines_through(cell) {
            let line = at.line.index();
            self.lines[line][player.index()] ^= 1 << at.index;
            self.total -= self.sums[line];
            self.sums[line] = self.line_value(line);
            self.total += self.sums[line];
        }
    }

    fn line_value(&self, line: usize) -> i64 {
        let (own, opposing) =
            (self.lines[line][self.me.index()], self.lines[line][self.me.opponent().index()]);
        if own | opposing == 0 {
            return 0;
        }
        let cells = self.lengths[line];
        let k = self.geometry.rules().k();
        match self.generation {
            Generation::A | Generation::AChain => {
                let chain: fn(usize, usize) -> i64 =
                    if self.generation == Generation::A { by_stone } else { by_chain };
                living(own, opposing, cells, k, chain) - living(opposing, own, cells, k, chain)
            }
            Generation::B | Generation::C(_) => windows(own, opposing, cells, k, cells),
            Generation::BWhole => windows(own, opposing, cells, k, (cells + 1).saturating_sub(k)),
            Generation::D(_) => behind(own, &self.steps[0]) - behind(opposing, &self.steps[1]),
        }
    }

    /// The distance to the middle.
    fn place_value(&self, cell: Cell, player: Player) -> i64 {
        let near = 10 - from_middle(&self.geometry, cell);
        let value = match self.generation {
            Generation::A | Generation::AChain => 0,
            Generation::B | Generation::BWhole | Generation::C(_) => near,
            Generation::D(_) => near.max(0),
        };
        if player == self.me { POINT * value } else { -POINT * value }
    }
}

fn from_middle(geometry: &Geometry, cell: Cell) -> i64 {
    let rules = geometry.rules();
    let x = rules.column(cell).abs_diff(rules.width() / 2);
    (x + rules.row(cell).abs_diff(rules.height() / 2)) as i64
}

/// d: `[l]` is what a stone with l behind it is worth more than one with l − 1.
fn chain_steps(weights: &Weights, side: usize, k: usize) -> Vec<i64> {
    let worth = |behind: usize| {
        let mut worth = weights.base[side].powi(behind.min(MAX_LENGTH) as i32);
        if behind + 2 == k {
            worth += weights.two_short[side];
        } else if behind + 1 == k {
            worth += weights.one_short[side];
        }
        (worth * POINT as f64).round() as i64
    };
    (0..k).map(|l| if l == 0 { worth(0) } else { worth(l) - worth(l - 1) }).collect()
}

/// d: sums the worth of every stone by the stones of its colour right behind it, at most k − 1.
fn behind(stones: u64, steps: &[i64]) -> i64 {
    let mut sum = 0;
    let mut chain = stones;
    for (length, step) in steps.iter().enumerate() {
        if chain == 0 {
            break;
        }
        sum += step * i64::from(chain.count_ones());
        if length < 63 {
            chain &= stones >> (length + 1);
        }
    }
    sum
}

/// a: chains that lie in a stretch without opposing stones long enough for a row.
fn living(own: u64, opposing: u64, cells: usize, k: usize, worth: fn(usize, usize) -> i64) -> i64 {
    let mut sum = 0;
    let mut start = 0;
    while start < cells {
        // A stretch without opposing stones, then the chains in it.
        let length = (opposing >> start).trailing_zeros().min((cells - start) as u32) as usize;
        if length >= k {
            let mut rest = own >> start & ones(length);
            while rest != 0 {
                rest >>= rest.trailing_zeros();
                let chain = rest.trailing_ones() as usize;
                sum += worth(chain, k);
                rest &= !ones(chain);
            }
        }
        start += length + 1;
    }
    sum
}

/// a as written: 10 · 2^(l−1) for each stone with l behind it, at most k − 1.
fn by_stone(chain: usize, k: usize) -> i64 {
    (0..chain).map(|behind| (5 * POINT) << behind.min(k - 1).min(MAX_LENGTH)).sum()
}

/// a counted once for a chain.
fn by_chain(chain: usize, _: usize) -> i64 {
    (10 * POINT) << (chain - 1).min(MAX_LENGTH)
}

/// b: the windows of the line that begin at its first `starts` cells.
fn windows(own: u64, opposing: u64, cells: usize, k: usize, starts: usize) -> i64 {
    let mut sum = 0;
    for start in 0..starts {
        let window = ones(k.min(cells - start));
        let (a, b) = (own >> start & window, opposing >> start & window);
        let (mine, theirs) = (a.count_ones() as i32, b.count_ones() as i32);
        if mine + theirs == 0 {
            continue;
        }
        // 10 · 2^(n−1) = 5 · 2^n.
        let power = |n: i32| 5_i64 << n.min(MAX_LENGTH as i32);
        sum += power(mine) - power(theirs);
        let extra = match k as i32 - (mine - theirs) {
            1 => 100,
            2 => 50,
            _ => 0,
        };
        let last = 1 << (k - 1);
        sum += extra * (i64::from(a & last != 0) - i64::from(b & last != 0));
        if mine > 0 {
            let free = i64::from(window.count_ones() as i32 - mine - theirs);
            sum += if free > 0 { 10 * free } else { -10 };
        }
    }
    sum * POINT
}

/// c: the chains of the opponent that a stone blocks and the own ones it extends.
pub(super) fn move_value(position: &Position, cell: Cell, player: Player, chains: Chains) -> i64 {
    let counted = |owner: Player| {
        let lines = position.geometry().lines_through(cell);
        let chain = |at: &collinear_rules::LineRef| {
            let stones = position.line(at.line)[owner.index()];
            let index = u32::from(at.index);
            let after = stones.checked_shr(index + 1).unwrap_or(0).trailing_ones();
            1 + after + (stones << (63 - index) << 1).leading_ones()
        };
        match chains {
            Chains::Last => lines.last().map(chain),
            Chains::Longest => lines.iter().map(chain).max(),
        }
        .unwrap_or(1)
    };
    let worth = |chain: u32| 10_i64.pow((chain - 1).min(6));
    let near = 10 * POINT / (from_middle(position.geometry(), cell) + 1);
    POINT * (worth(counted(player.opponent())) + worth(counted(player))) + near
}

const fn ones(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DOCUMENT: Weights =
        Weights { base: [2.0, 3.0], two_short: [500.0, 800.0], one_short: [2000.0, 5000.0] };

    /// The document's own words: for every stone and direction, count the chain ahead.
    fn literal_d(position: &Position, me: Player) -> i64 {
        let rules = position.rules();
        let (mut sum, k) = (0, rules.k() as i64);
        for player in Player::BOTH {
            for cell in position.stones(player) {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let (mut x, mut y) = (rules.column(cell), rules.row(cell));
                    let mut length = 0;
                    for _ in 1..k {
                        (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                        if rules.cell(x, y).and_then(|c| position.at(c)) != Some(player) {
                            break;
                        }
                        length += 1;
                    }
                    let (base, four, five): (i64, i64, i64) =
                        if player == me { (2, 500, 2000) } else { (-3, -800, -5000) };
                    let power = base.abs().pow(length as u32);
                    sum += base.signum() * power;
                    sum += if length == k - 2 { four } else { 0 };
                    sum += if length == k - 1 { five } else { 0 };
                }
                let near = (10 - from_middle(position.geometry(), cell)).max(0);
                sum += if player == me { near } else { -near };
            }
        }
        sum * POINT
    }

    /// The document's listing of b: from every cell six cells on in each direction, as far as the
    /// board goes.
    fn literal_b(position: &Position, me: Player) -> i64 {
        let rules = position.rules();
        let k = rules.k();
        let mut sum = 0;
        for cell in rules.all_cells() {
            let near = 10 - from_middle(position.geometry(), cell);
            match position.at(cell) {
                Some(owner) if owner == me => sum += near,
                Some(_) => sum -= near,
                None => {}
            }
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let (mut own, mut other, mut free, mut last) = (0, 0, 0, None);
                for i in 0..k as isize {
                    let x = rules.column(cell).wrapping_add_signed(i * dx);
                    let at = rules.cell(x, rules.row(cell).wrapping_add_signed(i * dy));
                    last = at.and_then(|cell| position.at(cell));
                    match (at, last) {
                        (Some(_), Some(owner)) if owner == me => own += 1,
                        (Some(_), Some(_)) => other += 1,
                        (Some(_), None) => free += 1,
                        _ => {}
                    }
                }
                sum += (5_i64 << own) - (5_i64 << other);
                let sign = last.map_or(0, |owner| if owner == me { 1 } else { -1 });
                if own - other == k as i64 - 1 {
                    sum += 100 * sign;
                } else if own - other == k as i64 - 2 {
                    sum += 50 * sign;
                }
                if own > 0 {
                    sum += if free > 0 { 10 * free } else { -10 };
                }
            }
        }
        sum * POINT
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn sums_kept_equal_sums_from_scratch(
            game in prop::sample::select(vec!["9x9,k=6,p=2,q=1", "5x8,k=4", "connect4"]),
            picks in prop::collection::vec(0..100_usize, 1..40),
            generation in prop::sample::select(
                vec![
                    Generation::A,
                    Generation::AChain,
                    Generation::B,
                    Generation::BWhole,
                    Generation::C(Chains::Last),
                    Generation::D(DOCUMENT),
                ]),
        ) {
            let mut position = Position::new(game.parse().expect(game));
            let geometry = position.geometry().clone();
            let mut kept = Evaluation::new(geometry.clone(), generation);
            kept.load(&position, Player::White);
            for pick in picks {
                let (legal, player) = (position.legal_cells(), position.to_move());
                if legal.is_empty() {
                    break;
                }
                let cell = legal[pick % legal.len()];
                let before = kept.total;
                kept.place(cell, player);
                kept.remove(cell, player);
                prop_assert_eq!(kept.total, before);
                kept.place(cell, player);
                position.play(cell).expect("legal");
                let mut fresh = Evaluation::new(geometry.clone(), generation);
                fresh.load(&position, Player::White);
                prop_assert_eq!(kept.total, fresh.total);
                match generation {
                    Generation::D(_) => {
                        prop_assert_eq!(kept.total, literal_d(&position, Player::White));
                    }
                    Generation::B => {
                        prop_assert_eq!(kept.total, literal_b(&position, Player::White));
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn the_listing_returns_the_chain_of_the_last_direction() {
        // On a 5×5 board, row 2: `XXX.`, d2 next; falling to the right of it nothing.
        let rules: collinear_rules::Rules = "5x5,k=4,p=3,q=3".parse().expect("rules");
        let cell = |x, y| rules.cell(x, y).expect("on the board");
        let position =
            Position::from_moves(rules, &[cell(0, 1), cell(1, 1), cell(2, 1)]).expect("legal");
        let value = |chains| move_value(&position, cell(3, 1), Player::Black, chains);
        let near = 10 * POINT / 3;
        assert_eq!(value(Chains::Longest), POINT * (1 + 1000) + near);
        assert_eq!(value(Chains::Last), POINT * (1 + 1) + near);
    }

    #[test]
    fn chains_and_windows_by_hand() {
        // XX.O.X on six cells, k = 3: X's first chain lives only if its stretch holds a row.
        let living = |k, worth| living(0b10_0011, 0b00_1000, 6, k, worth);
        assert_eq!(living(3, by_chain), 10 * POINT * 2);
        assert_eq!(living(2, by_chain), 10 * POINT * 3);
        // Stone by stone: ½ and 1 for the pair, ½ for the single one.
        assert_eq!(living(2, by_stone), 10 * POINT * 2);
        // One window of four, XXX.: 5·8 − 5 and +100 is for the last cell only, +10 for the free one.
        assert_eq!(windows(0b0111, 0, 4, 4, 1), POINT * (40 - 5 + 10));
        assert_eq!(windows(0b1011, 0, 4, 4, 1), POINT * (40 - 5 + 10 + 100));
        assert_eq!(windows(0, 0b1000, 4, 4, 1), POINT * (5 - 10));
        // Cut by the edge, `X` at the end is four windows: of 4, 3, 2 and 1 cells.
        assert_eq!(windows(0b1000, 0, 4, 4, 4), POINT * (4 * (10 - 5) + 30 + 20 + 10 - 10));
    }
}
