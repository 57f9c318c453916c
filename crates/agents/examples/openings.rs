//! Openings of Connect6 that are proved won: the positions with three to seven stones in some games, whether
//! threats alone win them or a quiet turn does, and how long that takes.
//!
//! ```text
//! cargo run --release -p collinear-agents --example openings -- NODES FILE…
//! ```
//! A file has one game per line, its stones with blanks between; positions that a rotation or reflection makes
//! equal count once. Every position gets NODES nodes of searches for threats.

use std::collections::HashSet;
use std::error::Error;
use std::time::Instant;

use collinear_agents::{ZoneLimits, ZoneSearch};
use collinear_play::Budget;
use collinear_rules::{Position, Rules, Symmetry, notation};

/// Quiet turns after each other, and nodes of each search for threats: those of `collinear prove`.
const QUIET: u16 = 2;
const PROOF_NODES: u64 = 1000;
const STONES: std::ops::RangeInclusive<usize> = 3..=7;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let nodes: u64 = arguments.next().ok_or("give nodes and files")?.parse()?;
    let rules = Rules::CONNECT6;
    let (mut seen, mut positions) = (HashSet::new(), Vec::new());
    for file in arguments {
        for line in std::fs::read_to_string(&file)?.lines().filter(|line| !line.starts_with('#')) {
            let mut position = Position::new(rules);
            for name in line.split_whitespace().take(*STONES.end()) {
                position.play(notation::parse(&rules, name)?)?;
                if STONES.contains(&position.stone_count()) && seen.insert(form(&position)) {
                    positions.push(position.clone());
                }
            }
        }
    }
    println!("{} positions", positions.len());
    let mut total = Sums::default();
    for stones in STONES {
        let mut sums = Sums::default();
        for position in positions.iter().filter(|at| at.stone_count() == stones) {
            sums.add(position, nodes)?;
        }
        sums.show(&format!("{stones} stones"));
        total.join(&sums);
    }
    total.show("together");
    Ok(())
}

/// The stones under the symmetry that makes them least.
fn form(position: &Position) -> Vec<u8> {
    let rules = position.rules();
    let images = Symmetry::of(rules).iter().map(|symmetry| {
        let mut image = vec![0; rules.cells()];
        for cell in rules.all_cells() {
            let stone = position.at(cell).map_or(0, |player| 1 + player.index() as u8);
            image[symmetry.apply(rules, cell).index()] = stone;
        }
        image
    });
    images.min().unwrap_or_default()
}

#[derive(Default)]
struct Sums {
    positions: u32,
    threats: u32,
    quiet: u32,
    nodes: u64,
    seconds: f64,
    /// Seconds and nodes of each win with quiet turns.
    wins: Vec<(f64, u64, String)>,
}

impl Sums {
    fn add(&mut self, position: &Position, nodes: u64) -> Result<(), Box<dyn Error>> {
        let meter = Budget::nodes(nodes).start(1);
        let limits = ZoneLimits { quiet: QUIET, proof_nodes: PROOF_NODES, meter: &meter };
        let mut search = ZoneSearch::new(position.rules());
        let started = Instant::now();
        let found = search.find(position, limits, &|_, _| {})?;
        let seconds = started.elapsed().as_secs_f64();
        self.positions += 1;
        self.nodes += search.nodes();
        self.seconds += seconds;
        match found {
            Some(found) if found.quiet == 0 => self.threats += 1,
            Some(_) => {
                self.quiet += 1;
                let moves = notation::names(position.rules(), position.history());
                self.wins.push((seconds, search.nodes(), moves));
            }
            None => {}
        }
        Ok(())
    }

    fn join(&mut self, other: &Self) {
        self.positions += other.positions;
        self.threats += other.threats;
        self.quiet += other.quiet;
        self.nodes += other.nodes;
        self.seconds += other.seconds;
        self.wins.extend(other.wins.iter().cloned());
    }

    fn show(&mut self, what: &str) {
        self.wins.sort_by(|a, b| a.0.total_cmp(&b.0));
        let median = self.wins.get(self.wins.len() / 2);
        let (seconds, nodes, moves) = median.cloned().unwrap_or_default();
        println!(
            "{what:<10} {} positions, {} won by threats, {} with quiet turns (median {seconds:.2} s, {nodes} nodes, {moves}); {} nodes, {:.1} s in all",
            self.positions, self.threats, self.quiet, self.nodes, self.seconds
        );
    }
}
