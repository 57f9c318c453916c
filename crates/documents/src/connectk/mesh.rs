//! The board as an elastic surface that stones press down (document 000, §3.3, Mesh): clumps of
//! stones make deep places, and the deepest empty tile is played.
//!
//! ```text
//!  .   .   .   .   .   .   .        from each tile the four nearest in each of the eight directions:
//!    \   \   |   /   /
//!  .   .   .   .   .   .   .        depth(c) = weight(c) + 1/32 · Σ depth(those 32 tiles)
//!  -   -   -   c   -   -   -
//! ```
//!
//! The text says "the average weight of the four nearest stones in each of the eight radials" and
//! "solved iteratively". What it leaves open is filled in as in the authors' program: own stones weigh
//! 50 and opposing ones 500, tiles outside the board are flat and counted all the same, depths are
//! whole numbers, and ten sweeps over the board in reading order must do.
//!
//! The improved mode adds what the document announces: wins, blocks and multiple threats first, and
//! windows beside the depth.

use crate::search::{Appraise, Candidate, Score};
use collinear_play::{Agent, AgentSpec, BuildError, OptionSpec, Options};
use collinear_rules::{Cell, Player, Position, Rules};

use crate::connectk::adjacent::from_centre;
use crate::connectk::sequences::exchange;
use crate::connectk::tactics::UrgentCases;
use crate::search::listed::{
    ANEW, DEPTH, Listed, NO_CHANCE, PARALLEL, TIES, UNIT, WIDTH, search_of,
};

const MODE: OptionSpec = OptionSpec::choice("mode", &["basic", "improved"], "basic")
    .help("the document's agent, or the one with attack and defence it announces");
const OWN: OptionSpec = OptionSpec::int("own", -10_000..=10_000, 50).help("weight of an own stone");
const OPPOSING: OptionSpec =
    OptionSpec::int("opposing", -10_000..=10_000, 500).help("weight of an opposing stone");
const SWEEPS: OptionSpec =
    OptionSpec::int("sweeps", 1..=1000, 10).help("how often the whole surface is worked out");

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "an elastic surface pressed down by stones: plays the lowest empty cell",
    source: "document 000, §3.3 Mesh and §6",
    options: &[MODE, OWN, OPPOSING, SWEEPS, DEPTH, UNIT, WIDTH, TIES, ANEW, PARALLEL],
    ..AgentSpec::new("mesh", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let appraiser = Mesh {
        weights: [options.int(OWN.name), options.int(OPPOSING.name)],
        sweeps: options.int(SWEEPS.name) as usize,
        reach: rules.all_cells().map(|cell| reach(rules, cell)).collect(),
        squares: (0..=rules.k() as i32).map(|stones| stones.pow(2)).collect(),
        tactics: (options.text(MODE.name) == "improved").then(|| UrgentCases::new(*rules)),
    };
    Ok(Box::new(Listed::new(appraiser, search_of(options), NO_CHANCE, seed)))
}

/// Tiles looked at in each direction.
const RADIUS: usize = 4;
/// Tiles looked at from each, those outside the board included.
const SEEN: i64 = 8 * RADIUS as i64;
/// A unit of depth in utilities, above every distance from the middle.
const WORTH: i64 = 1 << 20;
/// What a point of the improved mode's windows is worth in depth: a guess.
const WINDOW_DEPTH: i64 = 1;

#[derive(Clone)]
struct Mesh {
    /// Of stones of the player to move, and of the opponent's.
    weights: [i64; 2],
    sweeps: usize,
    /// Per cell the tiles it hangs on.
    reach: Vec<Vec<Cell>>,
    squares: Vec<i32>,
    /// Only in the improved mode.
    tactics: Option<UrgentCases>,
}

/// The nearest tiles on the board in the eight directions.
fn reach(rules: &Rules, cell: Cell) -> Vec<Cell> {
    let (x, y) = (rules.column(cell), rules.row(cell));
    let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    steps
        .into_iter()
        .flat_map(|(dx, dy)| {
            (1..=RADIUS as isize).filter_map(move |far| {
                rules.cell(x.checked_add_signed(dx * far)?, y.checked_add_signed(dy * far)?)
            })
        })
        .collect()
}

impl Mesh {
    /// How deep every cell lies for this player.
    fn surface(&self, position: &Position, player: Player) -> Vec<i64> {
        let rules = position.rules();
        let weights: Vec<i64> = rules
            .all_cells()
            .map(|cell| match position.at(cell) {
                None => 0,
                Some(owner) => self.weights[usize::from(owner != player)],
            })
            .collect();
        let mut depth = vec![0; rules.cells()];
        for _ in 0..self.sweeps {
            // Reading order: the top row first. What a sweep has worked out counts at once.
            for row in (0..rules.height()).rev() {
                for cell in (0..rules.width()).filter_map(|column| rules.cell(column, row)) {
                    let at = cell.index();
                    let sum: i64 = self.reach[at].iter().map(|other| depth[other.index()]).sum();
                    depth[at] = weights[at] + sum / SEEN;
                }
            }
        }
        depth
    }
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
            // On a flat surface the middle is played; later equals are decided by the seed.
            let sag = if position.stone_count() == 0 {
                from_centre(position.rules(), cell) as i64
            } else {
                0
            };
            let depth = surface[cell.index()];
            let utility = match (&mut self.tactics, &stakes) {
                (Some(tactics), Some(stakes)) => {
                    let (gain, loss) = exchange(&tactics.windows, &self.squares, cell, mover);
                    let worth = depth + WINDOW_DEPTH * (gain + loss);
                    tactics.verdict(stakes, cell).score(WORTH * worth - sag)
                }
                _ => Score::of(WORTH * depth - sag),
            };
            list.push(Candidate { cell, utility });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(rules: Rules, sweeps: usize) -> Mesh {
        Mesh {
            weights: [50, 500],
            sweeps,
            reach: rules.all_cells().map(|cell| reach(&rules, cell)).collect(),
            squares: Vec::new(),
            tactics: None,
        }
    }

    #[test]
    fn a_stone_presses_the_four_tiles_of_each_direction_down() {
        let rules: Rules = "11x11,k=5".parse().expect("rules");
        let middle = rules.cell(5, 5).expect("on the board");
        let position = Position::from_moves(rules, &[middle]).expect("legal");
        // In the first sweep later rows see what earlier ones do not yet.
        let surface = mesh(rules, 1).surface(&position, Player::White);
        let depth = |x, y| surface[rules.cell(x, y).expect("on the board").index()];
        assert_eq!((depth(5, 5), depth(6, 5), depth(4, 5)), (500, 15, 0));
        assert_eq!(depth(5, 6), 0, "above");
        assert_eq!(depth(5, 4), (500 + 15) / 32, "below: the stone, and the tile beside it");
        // Own stones weigh less.
        let own = mesh(rules, 1).surface(&position, Player::Black);
        assert_eq!(own[rules.cell(6, 5).expect("on the board").index()], 50 / 32);
    }

    #[test]
    fn tiles_outside_the_board_are_flat_and_counted() {
        let rules: Rules = "9x9,k=5".parse().expect("rules");
        let corner = rules.cell(0, 8).expect("on the board");
        assert_eq!(reach(&rules, corner).len(), 3 * RADIUS);
        let position = Position::from_moves(rules, &[corner]).expect("legal");
        let surface = mesh(rules, 1).surface(&position, Player::White);
        assert_eq!(surface[rules.cell(1, 8).expect("on the board").index()], 500 / 32);
    }

    #[test]
    fn more_sweeps_press_farther() {
        let rules: Rules = "19x19,k=6,p=2,q=1".parse().expect("rules");
        let position = Position::from_moves(rules, &[Cell::new(180)]).expect("legal");
        let [one, ten] =
            [1, 10].map(|sweeps| mesh(rules, sweeps).surface(&position, Player::White));
        assert!(ten.iter().sum::<i64>() > one.iter().sum());
    }
}
