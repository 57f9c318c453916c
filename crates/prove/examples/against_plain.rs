//! Nodes and time of the prover beside a plain alpha-beta with a table, in one run:
//! `cargo run --release -p collinear-prove --example against_plain [NODES]`.
//!
//! The plain search takes a row at once where there is one, tries cells near the middle first,
//! sees when no row is left to anybody, and remembers every position up to symmetry with its bounds. It gives up after NODES nodes (3
//! million); the ratio is then at least the one shown. Its values must be ours.

use std::collections::HashMap;
use std::time::Instant;

use collinear_prove::{Limits, Prover, Value};
use collinear_rules::{Cell, Outcome, Player, Position, Rules};

const GAMES: [&str; 20] = [
    "3x3,k=3",
    "4x3,k=3",
    "4x4,k=3",
    "4x3,k=4",
    "4x4,k=4",
    "5x4,k=4",
    "5x5,k=4",
    "6x5,k=4",
    "5x5,k=5",
    "4x4,k=3,p=2,q=1",
    "4x4,k=4,p=2,q=1",
    "5x4,k=4,p=2,q=1",
    "5x4,k=5,p=2,q=2",
    "5x4,k=4,p=3,q=1",
    "5x4,k=5,p=3,q=2",
    "4x4,k=4,gravity",
    "5x4,k=4,gravity",
    "5x5,k=4,gravity",
    "5x4,k=4,p=2,q=1,gravity",
    "5x4,k=4,p=2,q=2,gravity",
];

const MEMORY: usize = 256 << 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let most = std::env::args().nth(1).map_or(Ok(3_000_000), |text| text.parse())?;
    println!("| game | value | alpha-beta nodes | s | ours nodes | s | ratio |");
    println!("|---|---|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for game in GAMES {
        let position = Position::new(game.parse::<Rules>()?);
        let started = Instant::now();
        let mut plain = Plain { table: HashMap::new(), order: order(&position), nodes: 0, most };
        let found = plain.search(&mut position.clone(), -1, 1);
        let plain_time = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let prover = Prover::new(&position, MEMORY)?;
        let value = prover.value(&Limits::default())?;
        let time = started.elapsed().as_secs_f64();
        let nodes = prover.nodes().max(1);
        if let Some(score) = found {
            let theirs = match score {
                1 => Value::Won(Player::Black),
                -1 => Value::Won(Player::White),
                _ => Value::Draw,
            };
            assert_eq!(theirs, value, "{game}");
        }
        let ratio = plain.nodes as f64 / nodes as f64;
        let least = if found.is_none() { "≥ " } else { "" };
        println!(
            "| {game} | {value} | {least}{} | {plain_time:.2} | {nodes} | {time:.2} | {least}{ratio:.1} |",
            plain.nodes
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median ratio: {:.1}", f64::midpoint(ratios[9], ratios[10]));
    Ok(())
}

/// The cells, those near the middle first.
fn order(position: &Position) -> Vec<Cell> {
    let rules = *position.rules();
    let mut cells: Vec<Cell> = rules.all_cells().collect();
    cells.sort_by_key(|&cell| {
        (2 * rules.column(cell) + 1).abs_diff(rules.width())
            + (2 * rules.row(cell) + 1).abs_diff(rules.height())
    });
    cells
}

/// Whether a stone completes a row.
fn completes(position: &mut Position, cell: Cell) -> bool {
    position.play_unchecked(cell);
    let won = matches!(position.outcome(), Outcome::Won(_));
    position.undo();
    won
}

struct Plain {
    /// Lower and upper bound for the player to move.
    table: HashMap<u64, (i8, i8)>,
    order: Vec<Cell>,
    nodes: u64,
    most: u64,
}

impl Plain {
    /// 1, 0 or −1 for the player to move; exact inside the window, a bound outside. `None` when the
    /// nodes are used up.
    fn search(&mut self, position: &mut Position, low: i8, high: i8) -> Option<i8> {
        if self.nodes == self.most {
            return None;
        }
        self.nodes += 1;
        if position.is_dead_draw() {
            return Some(0);
        }
        let key = position.canonical_key();
        let (least, greatest) = self.table.get(&key).copied().unwrap_or((-1, 1));
        if least >= high || least == greatest {
            return Some(least);
        }
        if greatest <= low {
            return Some(greatest);
        }
        let (low, high) = (low.max(least), high.min(greatest));
        let player = position.to_move();
        if position.legal_cells().into_iter().any(|cell| completes(position, cell)) {
            return Some(1);
        }
        let mut best = -1;
        for index in 0..self.order.len() {
            let cell = self.order[index];
            if position.check(cell).is_err() {
                continue;
            }
            position.play_unchecked(cell);
            let score = match position.outcome() {
                Outcome::Won(_) => Some(1),
                Outcome::Drawn => Some(0),
                Outcome::Ongoing if position.to_move() == player => {
                    self.search(position, low.max(best), high)
                }
                Outcome::Ongoing => {
                    self.search(position, -high, -low.max(best)).map(|score| -score)
                }
            };
            position.undo();
            best = best.max(score?);
            if best >= high {
                break;
            }
        }
        let bounds = self.table.entry(key).or_insert((-1, 1));
        if best > low {
            bounds.0 = bounds.0.max(best);
        }
        if best < high {
            bounds.1 = bounds.1.min(best);
        }
        Some(best)
    }
}
