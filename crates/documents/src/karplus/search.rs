//! The document's minimax, pruned: the same value for every move that matters and the same set of
//! best moves, hundreds of times faster.
//!
//! The plain algorithm tries the columns in random order and keeps the first best. Values do not
//! depend on that order, so its choice is uniform over the columns with the largest value: it is
//! enough to know that set exactly. Below the root, bounds do: a faded value reaches a bound
//! exactly when the value reaches [`reaching`] of it, so alpha-beta works through the decay.

use collinear_play::Meter;
use collinear_rules::Cell;

use super::board::{Board, Gain, Side, Slot};
use super::decay::{INFINITY, Unit, faded, reaching};
use super::evaluation::WIN;

/// How often the clock is looked at.
pub(super) const CLOCK_CHECK_NODES: u64 = 1024;

/// The moves nothing beats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Best {
    /// Their value for the player to move.
    pub(crate) value: i64,
    /// All of them, sorted: the same seed then picks the same one however they were found.
    pub(crate) cells: Vec<Cell>,
}

/// A disc worth trying and what it adds to the sum.
#[derive(Clone, Copy)]
struct Candidate {
    slot: Slot,
    gain: i32,
}

/// What a search must tell apart: values up to alpha, values from beta on, and each one between.
#[derive(Clone, Copy)]
struct Window {
    alpha: i64,
    beta: i64,
}

impl Window {
    /// Tells worse from equal from better; everything while there is nothing to compare with.
    const fn around(value: i64) -> Self {
        if value == -INFINITY {
            Self { alpha: -INFINITY, beta: INFINITY }
        } else {
            Self { alpha: value - 1, beta: value + 1 }
        }
    }
}

/// One search.
pub(crate) struct Search<'a> {
    board: &'a mut Board,
    unit: Unit,
    meter: &'a Meter,
    /// The value of a win before it fades.
    win: i64,
    /// No disc that does not win is worth more than this.
    ceiling: i64,
    /// The candidates of all nodes on the current line, one run after the other.
    candidates: Vec<Candidate>,
    nodes: u64,
    spent: bool,
}

impl<'a> Search<'a> {
    /// A search on a board that is set.
    pub(crate) fn new(board: &'a mut Board, bound: i64, unit: Unit, meter: &'a Meter) -> Self {
        let win = unit.leaf(WIN);
        let ceiling = faded(win).max(unit.leaf(bound));
        Self { board, unit, meter, win, ceiling, candidates: Vec::new(), nodes: 0, spent: false }
    }

    /// Boards looked at.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// All moves with the largest value, looking `plies` discs ahead; of those that the budget
    /// had time for.
    pub(crate) fn best(&mut self, plies: u32) -> Best {
        let side = if plies % 2 == 1 { Side::Last } else { Side::Other };
        let mut best = Best { value: -INFINITY, cells: Vec::new() };
        if self.gather(side) {
            best = Best { value: self.win, cells: self.winning_cells(side) };
        }
        for at in 0..self.candidates.len() {
            if best.value > self.ceiling {
                break;
            }
            let disc = self.candidates[at];
            let mut value = self.candidate(disc, side, plies, Window::around(best.value));
            if value > best.value && best.value > -INFINITY {
                let open = Window { alpha: best.value, beta: INFINITY };
                value = self.candidate(disc, side, plies, open);
            }
            if self.spent {
                break;
            }
            if value > best.value {
                best = Best { value, cells: vec![self.board.landing(disc.slot)] };
            } else if value == best.value {
                best.cells.push(self.board.landing(disc.slot));
            }
        }
        self.candidates.clear();
        best.cells.sort_unstable();
        best
    }

    /// The value of the board for `side`, looking `plies` discs ahead.
    ///
    /// Exact between alpha and beta; at most alpha: no less than the truth; at least beta: no more.
    fn value(&mut self, side: Side, plies: u32, window: Window) -> i64 {
        let Window { mut alpha, beta } = window;
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_CHECK_NODES) && self.meter.is_spent(self.nodes) {
            self.spent = true;
        }
        if self.spent {
            return 0;
        }
        if plies == 1 {
            return self.last_ply(beta);
        }

        // Step 1: a disc that wins is hard to beat.
        let start = self.candidates.len();
        let mut best = if self.gather(side) { self.win } else { -INFINITY };
        // Step 2: the others, those first that gain most.
        for at in start..self.candidates.len() {
            if best >= beta || best >= self.ceiling {
                break;
            }
            alpha = alpha.max(best);
            let disc = self.candidates[at];
            best = best.max(self.candidate(disc, side, plies, Window { alpha, beta }));
        }
        self.candidates.truncate(start);
        best
    }

    /// What a disc that does not win is worth to `side`, under the same contract.
    fn candidate(&mut self, disc: Candidate, side: Side, plies: u32, window: Window) -> i64 {
        let Candidate { slot, gain } = disc;
        if plies == 1 {
            return self.unit.leaf(i64::from(self.board.sum() + gain));
        }
        self.board.drop(slot, side, gain);
        let value = if self.board.is_full() {
            0
        } else {
            // -faded(v) > alpha exactly when v < reaching(-alpha), and likewise for beta.
            let below = Window { alpha: -reaching(window.beta), beta: reaching(-window.alpha) };
            -faded(self.value(side.opponent(), plies - 1, below))
        };
        self.board.lift(slot, side, gain);
        value
    }

    /// The largest value a single disc of the side that moves last can reach, or one of at least
    /// beta.
    fn last_ply(&self, beta: i64) -> i64 {
        let mut best = -INFINITY;
        for slot in self.board.open() {
            let value = match self.board.gain(slot, Side::Last) {
                Gain::Win => self.win,
                Gain::Sum(gain) => self.unit.leaf(i64::from(self.board.sum() + gain)),
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// Adds the discs of `side` that do not win to the candidates, those that gain most first;
    /// true when there are others, which do win.
    fn gather(&mut self, side: Side) -> bool {
        let start = self.candidates.len();
        let mut wins = false;
        for slot in self.board.open() {
            match self.board.gain(slot, side) {
                Gain::Win => wins = true,
                Gain::Sum(gain) => {
                    let promise = |gain: i32| if side == Side::Last { gain } else { -gain };
                    let mut at = self.candidates.len();
                    self.candidates.push(Candidate { slot, gain });
                    while at > start && promise(self.candidates[at - 1].gain) < promise(gain) {
                        self.candidates.swap(at - 1, at);
                        at -= 1;
                    }
                }
            }
        }
        wins
    }

    fn winning_cells(&self, side: Side) -> Vec<Cell> {
        let wins = self.board.open().filter(|&slot| self.board.gain(slot, side) == Gain::Win);
        wins.map(|slot| self.board.landing(slot)).collect()
    }
}

#[cfg(test)]
mod tests {
    use collinear_play::Budget;
    use collinear_rules::{Position, Rules};
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::super::evaluation::Evaluation;
    use super::super::plain::Plain;
    use super::*;
    use crate::testing::random_position;

    const EVALUATIONS: [Evaluation; 4] =
        [Evaluation::WINEVAL, Evaluation::FEVALA, Evaluation::FEVALB, Evaluation::FEVALC];

    fn agree(position: &Position, evaluation: &Evaluation, plies: u32) {
        let meter = Budget::default().start(1);
        let last = if plies % 2 == 1 { position.to_move() } else { !position.to_move() };
        let mut board = Board::new(position.geometry(), *evaluation);
        board.set(position, last);
        for unit in [Unit::INTEGER, Unit::real(plies)] {
            let plain = Plain::new(evaluation, unit, &meter).best(position, plies);
            let bound = evaluation.bound(board.four_count());
            let pruned = Search::new(&mut board, bound, unit, &meter).best(plies);
            assert_eq!(pruned, plain, "{plies} plies, {evaluation:?}, {unit:?}\n{position}");
        }
    }

    #[test]
    fn pruned_and_plain_search_have_the_same_value_and_the_same_best_moves() {
        let mut rng = SmallRng::seed_from_u64(2010);
        for (plies, positions) in [(1, 300), (2, 200), (3, 100), (4, 30), (5, 6)] {
            for _ in 0..positions {
                let position = random_position(Rules::CONNECT4, &mut rng);
                for evaluation in &EVALUATIONS {
                    agree(&position, evaluation, plies);
                }
            }
        }
    }

    #[test]
    fn they_agree_to_nine_plies_where_few_cells_are_left() {
        let mut rng = SmallRng::seed_from_u64(9);
        let mut seen = 0;
        while seen < 12 {
            let position = random_position(Rules::CONNECT4, &mut rng);
            if position.legal_cells().len() <= 3 {
                seen += 1;
                for evaluation in &EVALUATIONS {
                    (6..=9).for_each(|plies| agree(&position, evaluation, plies));
                }
            }
        }
    }

    #[test]
    fn they_agree_on_other_boards_and_with_any_constants() {
        let mut rng = SmallRng::seed_from_u64(44);
        for text in ["4x4,k=4,gravity", "5x4,k=4,gravity", "4x9,k=4,gravity", "9x3,k=4,gravity"] {
            let rules: Rules = text.parse().expect(text);
            for plies in 1..=4 {
                for _ in 0..8 {
                    let constants: Vec<String> =
                        (0..8).map(|_| rng.random_range(-1000..=1000).to_string()).collect();
                    let evaluation = constants.join("/").parse().expect("eight constants");
                    agree(&random_position(rules, &mut rng), &evaluation, plies);
                }
            }
        }
    }
}
