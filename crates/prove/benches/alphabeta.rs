//! The prover beside a plain alpha-beta with a table, on 20 games in one run:
//! `cargo bench -p collinear-prove`.
//!
//! Nodes are counted alike: positions whose moves were gone through, not those answered at once by
//! the table or the end of the game. Alpha-beta gives up at [`MOST`] nodes; the ratio is then a lower
//! bound. `cargo bench -p collinear-prove -- --threads` compares two threads with one instead.

#![allow(missing_docs)]

use std::collections::HashMap;
use std::time::{Duration, Instant};

use collinear_prove::{Limits, Prover, Value, check};
use collinear_rules::{Geometry, Player, Position, Rules};

const GAMES: [&str; 20] = [
    "3x3,k=3",
    "4x3,k=3",
    "4x4,k=4",
    "5x4,k=4",
    "5x4,k=3",
    "6x4,k=4",
    "5x5,k=5",
    "5x5,k=4",
    "3x3,k=3,p=2,q=1",
    "4x4,k=3,p=2,q=1",
    "4x4,k=4,p=2,q=1",
    "4x4,k=4,p=2,q=2",
    "5x4,k=4,p=2,q=1",
    "5x4,k=5,p=3,q=2",
    "4x4,k=3,gravity",
    "4x4,k=4,gravity",
    "5x4,k=4,gravity",
    "5x5,k=4,gravity",
    "4x4,k=4,p=2,q=1,gravity",
    "5x4,k=4,p=2,q=1,gravity",
];

/// Games that take long enough to tell threads apart.
const LONG: [&str; 5] =
    ["5x5,k=4", "5x5,k=4,p=2,q=1", "6x5,k=4", "5x5,k=4,gravity", "5x5,k=5,p=2,q=1"];

/// Nodes after which alpha-beta gives up.
const MOST: u64 = 20_000_000;
/// Bytes of the prover's table.
const MEMORY: usize = 256 << 20;

fn main() {
    if std::env::args().any(|word| word == "--threads") {
        return threads();
    }
    println!(
        "{:<24} {:>6} {:>12} {:>9} {:>11} {:>9} {:>9}",
        "game", "value", "alpha-beta", "seconds", "prover", "seconds", "ratio"
    );
    let mut ratios = Vec::new();
    let mut times = Vec::new();
    for game in GAMES {
        let rules: Rules = game.parse().expect(game);
        let (plain, nodes, time) = plain(&rules);
        let (value, ours, our_time) = proved(&rules, 1);
        assert!(plain.is_none_or(|plain| plain == value), "{game}: {plain:?} and {value}");
        let ratio = nodes as f64 / ours.max(1) as f64;
        let more = if plain.is_none() { ">" } else { "" };
        println!(
            "{game:<24} {value:>6} {:>12} {:>9.3} {ours:>11} {:>9.3} {:>9}",
            format!("{more}{nodes}"),
            time.as_secs_f64(),
            our_time.as_secs_f64(),
            format!("{more}{ratio:.1}"),
        );
        ratios.push(ratio);
        times.push(time.as_secs_f64() / our_time.as_secs_f64());
    }
    println!(
        "median: alpha-beta has {:.1} times the nodes and takes {:.1} times as long",
        median(&mut ratios),
        median(&mut times)
    );
}

fn threads() {
    println!("{:<24} {:>6} {:>10} {:>10} {:>6}", "game", "value", "1 thread", "2 threads", "ratio");
    for game in LONG {
        let rules: Rules = game.parse().expect(game);
        let (value, _, one) = proved(&rules, 1);
        let (_, _, two) = proved(&rules, 2);
        let (one, two) = (one.as_secs_f64(), two.as_secs_f64());
        println!("{game:<24} {value:>6} {one:>10.3} {two:>10.3} {:>6.2}", one / two);
    }
}

/// Our value with nodes and time, certificate included; the checker's time is not.
fn proved(rules: &Rules, threads: usize) -> (Value, u64, Duration) {
    let started = Instant::now();
    let prover = Prover::new(&Position::new(*rules), MEMORY).expect("small");
    let certificate = prover.run(&Limits { threads, ..Limits::default() }).expect("no limit");
    let time = started.elapsed();
    check(&certificate).expect("holds");
    (certificate.value, prover.nodes(), time)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

/// Alpha-beta's value, unless it gives up, with nodes and time.
fn plain(rules: &Rules) -> (Option<Value>, u64, Duration) {
    let started = Instant::now();
    let mut search = AlphaBeta::new(rules);
    let left = rules.q() as u32;
    let score = search.score([0, 0], 0, left, -1, 1);
    let value = match score {
        1 => Value::Won(Player::Black),
        -1 => Value::Won(Player::White),
        _ => Value::Draw,
    };
    ((search.nodes < MOST).then_some(value), search.nodes, started.elapsed())
}

/// Negamax over one stone at a time on two words, with bounds of every position in a table; cells
/// near the middle first, a stone that completes a row at once.
struct AlphaBeta {
    cells: u32,
    width: u32,
    gravity: bool,
    p: u32,
    /// By cell: the windows through it.
    windows: Vec<Vec<u64>>,
    /// The cells, the middle first.
    order: Vec<u32>,
    /// Lower and upper bound.
    table: HashMap<([u64; 2], u8), (i8, i8)>,
    nodes: u64,
}

impl AlphaBeta {
    fn new(rules: &Rules) -> Self {
        let geometry = Geometry::new(*rules);
        let mut windows = vec![Vec::new(); rules.cells()];
        for id in geometry.windows() {
            let cells = geometry.window_cells(id);
            let set = cells.iter().fold(0_u64, |set, cell| set | 1 << cell.index());
            for cell in cells {
                windows[cell.index()].push(set);
            }
        }
        let (width, height) = (rules.width() as u32, rules.height() as u32);
        let mut order: Vec<u32> = (0..width * height).collect();
        let off = |cell: u32| {
            let (x, y) = (2 * (cell % width) + 1, 2 * (cell / width) + 1);
            x.abs_diff(width).pow(2) + y.abs_diff(height).pow(2)
        };
        order.sort_by_key(|&cell| off(cell));
        Self {
            cells: width * height,
            width,
            gravity: rules.gravity(),
            p: rules.p() as u32,
            windows,
            order,
            table: HashMap::new(),
            nodes: 0,
        }
    }

    /// The score for the player to move: 1, 0 or −1; at most `alpha` and at least `beta` are bounds.
    fn score(&mut self, stones: [u64; 2], mover: usize, left: u32, alpha: i8, beta: i8) -> i8 {
        let taken = stones[0] | stones[1];
        if taken.count_ones() == self.cells {
            return 0;
        }
        let key = (stones, (left as u8) << 1 | mover as u8);
        let (low, high) = self.table.get(&key).copied().unwrap_or((-1, 1));
        let (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return if low >= beta { low } else { high };
        }
        self.nodes += 1;
        if self.nodes >= MOST {
            return 0;
        }
        let mut moves = Vec::with_capacity(self.order.len());
        for &cell in &self.order {
            let free = taken >> cell & 1 == 0
                && (!self.gravity || cell < self.width || taken >> (cell - self.width) & 1 == 1);
            if free {
                let own = stones[mover] | 1 << cell;
                if self.windows[cell as usize].iter().any(|&window| window & !own == 0) {
                    return 1;
                }
                moves.push(cell);
            }
        }
        let (mut best, mut floor) = (-1, alpha);
        for cell in moves {
            let mut after = stones;
            after[mover] |= 1 << cell;
            let score = if left > 1 {
                self.score(after, mover, left - 1, floor, beta)
            } else {
                -self.score(after, 1 - mover, self.p, -beta, -floor)
            };
            best = best.max(score);
            floor = floor.max(best);
            if floor >= beta {
                break;
            }
        }
        let bounds = if best <= alpha {
            (low, best)
        } else if best >= beta {
            (best, high)
        } else {
            (best, best)
        };
        if self.nodes < MOST {
            self.table.insert(key, bounds);
        }
        best
    }
}
