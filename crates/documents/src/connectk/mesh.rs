//! The board as an elastic surface that stones press down (document 000, §3.3, Mesh): clumps of own
//! stones make deep places, and the deepest empty cell is played.
//!
//! ```text
//!  .   .   .   .   .        each cell looks along its eight rays to the nearest stone,
//!    \   |   /              takes the four nearest of these, and lies
//!  .  -  c  -  X   X
//!    /   |   \                depth(c) = weight(c) + stretch · ¼ Σ depth(stone)
//!  X   .   .   .   .
//! ```
//!
//! Every stone weighs 1, whoever's it is: the document gives no other weight (`opposing=1`). It does
//! not say why its equations have a solution; with a stretch below 1 the iteration is a contraction.
//! Ours: `falloff=distance` divides by the distance, and a negative weight of opposing stones keeps
//! clumps apart. The improved mode adds what the document announces: wins, blocks and multiple
//! threats first, and windows beside the depth.

use crate::search::{Appraise, Candidate, Score};
use collinear_play::{Agent, AgentSpec, BuildError, OptionSpec, Options};
use collinear_rules::{Cell, Player, Position, Rules};

use crate::connectk::adjacent::from_centre;
use crate::connectk::sequences::exchange;
use crate::connectk::tactics::Tactics;
use crate::search::listed::{DEPTH, Listed, NO_CHANCE, PARALLEL, UNIT, WIDTH, search_of};

const MODE: OptionSpec = OptionSpec::choice("mode", &["basic", "improved"], "basic")
    .help("the document's agent, or the one with attack and defence it announces");
const STRETCH: OptionSpec = OptionSpec::float("stretch", 0.0..=0.99, 0.9)
    .help("how far a stone pulls the surface down around it");
const OPPOSING: OptionSpec = OptionSpec::float("opposing", -4.0..=4.0, 1.0)
    .help("weight of an opposing stone beside 1 for one's own");
const FALLOFF: OptionSpec = OptionSpec::choice("falloff", &["none", "distance"], "none")
    .help("whether a stone counts less the farther it is");

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "an elastic surface pressed down by stones: plays the lowest empty cell",
    source: "document 000, §3.3 Mesh and §6",
    options: &[MODE, STRETCH, OPPOSING, FALLOFF, DEPTH, UNIT, WIDTH, PARALLEL],
    ..AgentSpec::new("mesh", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let appraiser = Mesh {
        stretch: options.float(STRETCH.name),
        opposing: options.float(OPPOSING.name),
        falloff: options.text(FALLOFF.name) == "distance",
        tactics: (options.text(MODE.name) == "improved").then(|| Tactics::new(*rules)),
    };
    Ok(Box::new(Listed::new(appraiser, search_of(options), NO_CHANCE, seed)))
}

/// A depth of 1 in utilities.
const WORTH: f64 = 1_000_000.0;
/// What a point of the improved mode's windows is worth in depth.
const WINDOW_DEPTH: f64 = 0.02;
/// The iteration ends when no stone moves by more, or after so many rounds.
const RESTING: f64 = 1e-9;
const MAX_ROUNDS: usize = 200;

#[derive(Clone)]
struct Mesh {
    stretch: f64,
    opposing: f64,
    falloff: bool,
    /// Only in the improved mode.
    tactics: Option<Tactics>,
}

/// A stone seen from a cell.
#[derive(Clone, Copy)]
struct Sight {
    stone: Cell,
    distance: u32,
}

impl Mesh {
    /// How deep every cell lies for this player.
    fn surface(&self, position: &Position, player: Player) -> Vec<f64> {
        let cells = position.rules().cells();
        let weights: Vec<f64> = position
            .rules()
            .all_cells()
            .map(|cell| match position.at(cell) {
                None => 0.0,
                Some(owner) if owner == player => 1.0,
                Some(_) => self.opposing,
            })
            .collect();
        let sights: Vec<_> =
            position.rules().all_cells().map(|cell| nearest(position, cell)).collect();
        let pull = |depth: &[f64], cell: usize| {
            let sum: f64 = sights[cell]
                .iter()
                .flatten()
                .map(|sight| {
                    let distance = if self.falloff { sight.distance } else { 1 };
                    depth[sight.stone.index()] / f64::from(distance)
                })
                .sum();
            weights[cell] + self.stretch * sum / 4.0
        };
        let stones: Vec<usize> =
            (0..cells).filter(|&cell| position.at(Cell::new(cell)).is_some()).collect();
        let mut depth = weights.clone();
        for _ in 0..MAX_ROUNDS {
            let next: Vec<f64> = stones.iter().map(|&cell| pull(&depth, cell)).collect();
            let mut moved = 0.0_f64;
            for (&cell, value) in stones.iter().zip(next) {
                moved = moved.max((depth[cell] - value).abs());
                depth[cell] = value;
            }
            if moved < RESTING {
                break;
            }
        }
        (0..cells).map(|cell| pull(&depth, cell)).collect()
    }
}

/// The four nearest of the stones that a cell sees in its eight directions.
fn nearest(position: &Position, cell: Cell) -> [Option<Sight>; 4] {
    let mut seen: Vec<Sight> = Vec::with_capacity(8);
    for at in position.geometry().lines_through(cell) {
        let [black, white] = position.line(at.line);
        let stones = black | white;
        let cells = position.geometry().line_cells(at.line);
        let index = u32::from(at.index);
        let before = stones & ((1 << index) - 1);
        if let Some(other) = before.checked_ilog2() {
            seen.push(Sight { stone: cells[other as usize], distance: index - other });
        }
        let after = stones.checked_shr(index + 1).unwrap_or(0);
        if after != 0 {
            let other = index + 1 + after.trailing_zeros();
            seen.push(Sight { stone: cells[other as usize], distance: other - index });
        }
    }
    seen.sort_by_key(|sight| sight.distance);
    std::array::from_fn(|i| seen.get(i).copied())
}

impl Appraise for Mesh {
    fn load(&mut self, position: &Position) {
        if let Some(tactics) = &mut self.tactics {
            tactics.windows.set(position);
        }
    }

    fn place(&mut self, cell: Cell, player: Player) {
        if let Some(tactics) = &mut self.tactics {
            tactics.windows.place(cell, player);
        }
    }

    fn remove(&mut self, cell: Cell, player: Player) {
        if let Some(tactics) = &mut self.tactics {
            tactics.windows.remove(cell, player);
        }
    }

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let mover = position.to_move();
        let surface = self.surface(position, mover);
        let stakes = self.tactics.as_mut().map(|tactics| tactics.stakes(position));
        for cell in position.legal_cells() {
            // The middle is a little lower than the rim: it decides on an empty board.
            let sag = from_centre(position.rules(), cell) as i64;
            let depth = surface[cell.index()];
            let utility = match (&mut self.tactics, &stakes) {
                (Some(tactics), Some(stakes)) => {
                    let (gain, loss) = exchange(&tactics.windows, cell, mover);
                    let worth = depth + WINDOW_DEPTH * (gain + loss) as f64;
                    tactics.verdict(stakes, cell).score((WORTH * worth) as i64 - sag)
                }
                _ => Score::of((WORTH * depth) as i64 - sag),
            };
            list.push(Candidate { cell, utility });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh() -> Mesh {
        Mesh { stretch: 0.9, opposing: -0.25, falloff: true, tactics: None }
    }

    #[test]
    fn one_stone_presses_its_neighbours_down_by_distance() {
        let rules: Rules = "9x9,k=5".parse().expect("rules");
        let position = Position::from_moves(rules, &[Cell::new(40)]).expect("legal");
        let surface = mesh().surface(&position, Player::Black);
        let depth = |index: usize| surface[index];
        assert!((depth(40) - 1.0).abs() < 1e-6);
        assert!((depth(41) - 0.225).abs() < 1e-6);
        assert!((depth(42) - 0.1125).abs() < 1e-6);
        assert!(depth(51).abs() < 1e-6, "a knight's jump away nothing is seen");
        let white = mesh().surface(&position, Player::White);
        assert!(white[41] < 0.0);
        // As the text has it: nothing falls off, and both players see the same surface.
        let text = Mesh { opposing: 1.0, falloff: false, ..mesh() };
        let white = text.surface(&position, Player::White);
        assert!((white[42] - 0.225).abs() < 1e-6 && (white[44] - white[42]).abs() < 1e-6);
    }

    #[test]
    fn stones_side_by_side_lie_deeper_than_apart() {
        let rules: Rules = "9x9,k=5,p=2,q=2".parse().expect("rules");
        let deepest = |a: usize, b: usize| {
            let moves = [Cell::new(a), Cell::new(b)];
            let position = Position::from_moves(rules, &moves).expect("legal");
            mesh().surface(&position, Player::Black).into_iter().fold(0.0, f64::max)
        };
        // Two stones: d = 1 + 0.225 d, so d = 1 / 0.775.
        assert!((deepest(40, 41) - 1.0 / 0.775).abs() < 1e-6);
        assert!(deepest(40, 41) > deepest(40, 43));
    }
}
