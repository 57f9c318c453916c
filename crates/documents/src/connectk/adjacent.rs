//! A random cell next to a stone: document 000's proof of concept, useful to try search with.

use crate::search::{Appraise, Candidate, Score};
use collinear_play::{Agent, AgentSpec, BuildError, Options};
use collinear_rules::{Cell, Player, Position, Rules};

use crate::search::listed::{ANEW, DEPTH, Listed, PARALLEL, TIES, UNIT, WIDTH, search_of};

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "a random cell next to a stone; with search it finds short wins",
    source: "document 000, §3.3 Adjacent",
    options: &[DEPTH, UNIT, WIDTH, TIES, ANEW, PARALLEL],
    ..AgentSpec::new("adjacent", build)
};

fn build(_: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    Ok(Box::new(Listed::new(Adjacent, search_of(options), 1.0, seed)))
}

/// All neighbours of stones are worth the same; the search's random order decides.
#[derive(Clone)]
struct Adjacent;

impl Appraise for Adjacent {
    fn load(&mut self, _: &Position) {}

    fn place(&mut self, _: Cell, _: Player) {}

    fn remove(&mut self, _: Cell, _: Player) {}

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let legal = position.legal_cells();
        let near = |&cell: &Cell| has_neighbour(position, cell, 1);
        let candidate = |cell| Candidate { cell, utility: Score::EVEN };
        list.extend(legal.iter().copied().filter(near).map(candidate));
        if list.is_empty() {
            let best = legal.into_iter().min_by_key(|&cell| from_centre(position.rules(), cell));
            list.extend(best.map(candidate));
        }
    }
}

/// Whether a stone lies within `steps` along a line.
pub(crate) fn has_neighbour(position: &Position, cell: Cell, steps: u32) -> bool {
    position.geometry().lines_through(cell).iter().any(|at| {
        let [black, white] = position.line(at.line);
        let index = u32::from(at.index);
        let from = index.saturating_sub(steps);
        let span = index + steps - from;
        let mask = if span >= 63 { u64::MAX } else { (1 << (span + 1)) - 1 };
        (black | white) >> from & mask != 0
    })
}

/// King's steps and more exactly the sum of both distances from the middle of the board, doubled
/// so that even boards have a middle too.
pub(crate) fn from_centre(rules: &Rules, cell: Cell) -> usize {
    let x = (2 * rules.column(cell)).abs_diff(rules.width() - 1);
    let y = (2 * rules.row(cell)).abs_diff(rules.height() - 1);
    x + y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_exactly_the_empty_neighbours() {
        let rules = Rules::GOMOKU;
        let mut position = Position::new(rules);
        let mut list = Vec::new();
        Adjacent.list(&position, &mut list);
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].cell, rules.cell(7, 7).expect("on the board"));
        for (x, y) in [(0, 0), (14, 14), (1, 0)] {
            position.play(rules.cell(x, y).expect("on the board")).expect("legal");
        }
        list.clear();
        Adjacent.list(&position, &mut list);
        let near = |cell| {
            position.stones(Player::Black).chain(position.stones(Player::White)).any(
                |stone: Cell| {
                    rules.column(cell).abs_diff(rules.column(stone)) <= 1
                        && rules.row(cell).abs_diff(rules.row(stone)) <= 1
                },
            )
        };
        let expected: Vec<Cell> = position.empty_cells().filter(|&cell| near(cell)).collect();
        assert_eq!(list.iter().map(|c| c.cell).collect::<Vec<_>>(), expected);
    }
}
