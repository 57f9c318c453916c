//! The plain twin of Renju's forbidden stones: the definitions as they stand in the rules, on a
//! mailbox board that is copied for every stone thought of.

use collinear_rules::{Cell, Foul, Player};

use super::Mailbox;

const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A cell by column and row, which may lie outside the board.
type At = (isize, isize);

impl Mailbox {
    /// What forbids a black stone on an empty cell.
    pub fn foul(&self, cell: Cell) -> Option<Foul> {
        let stone = (self.rules.column(cell) as isize, self.rules.row(cell) as isize);
        let board = self.with(stone);
        if STEPS.iter().any(|&step| board.run(stone, step).len() == 5) {
            return None;
        }
        if STEPS.iter().any(|&step| board.run(stone, step).len() > 5) {
            return Some(Foul::Overline);
        }
        let fours: usize = STEPS.iter().map(|&step| board.fours(stone, step)).sum();
        if fours >= 2 {
            return Some(Foul::DoubleFour);
        }
        let threes = STEPS.iter().filter(|&&step| board.is_three(stone, step)).count();
        (threes >= 2).then_some(Foul::DoubleThree)
    }

    fn with(&self, stone: At) -> Self {
        let mut board = self.clone();
        let cell = board.cell(stone).expect("on the board");
        board.cells[cell.index()] = Some(Player::Black);
        board
    }

    fn cell(&self, (x, y): At) -> Option<Cell> {
        self.rules.cell(usize::try_from(x).ok()?, usize::try_from(y).ok()?)
    }

    fn is_black(&self, at: At) -> bool {
        self.cell(at).is_some_and(|cell| self.cells[cell.index()] == Some(Player::Black))
    }

    fn is_free(&self, at: At) -> bool {
        self.cell(at).is_some_and(|cell| self.cells[cell.index()].is_none())
    }

    /// The black stones in a row with this one.
    fn run(&self, stone: At, step: At) -> Vec<At> {
        let mut run = vec![stone];
        for sign in [1, -1] {
            let mut next = moved(stone, step, sign);
            while self.is_black(next) {
                run.push(next);
                next = moved(next, step, sign);
            }
        }
        run
    }

    fn line(stone: At, step: At) -> impl Iterator<Item = (isize, At)> {
        (-14..=14).map(move |distance| (distance, moved(stone, step, distance)))
    }

    /// The places on the line that complete a five with the stone in it.
    fn completions(&self, stone: At, step: At) -> Vec<isize> {
        let completes = |&(_, at): &(isize, At)| {
            self.is_free(at) && {
                let run = self.with(at).run(at, step);
                run.len() == 5 && run.contains(&stone)
            }
        };
        Self::line(stone, step).filter(completes).map(|(distance, _)| distance).collect()
    }

    /// Two completions five apart are the ends of one straight four.
    fn fours(&self, stone: At, step: At) -> usize {
        match self.completions(stone, step)[..] {
            [] => 0,
            [first, second] if second - first != 5 => 2,
            _ => 1,
        }
    }

    fn makes_straight_four(&self, stone: At, step: At) -> bool {
        let completions = self.completions(stone, step);
        completions.len() == 2 && completions[1] - completions[0] == 5
    }

    fn is_three(&self, stone: At, step: At) -> bool {
        self.fours(stone, step) == 0
            && Self::line(stone, step).any(|(_, next)| {
                self.is_free(next) && {
                    let board = self.with(next);
                    let four = board.run(next, step);
                    four.contains(&stone)
                        && four.len() == 4
                        && board.makes_straight_four(next, step)
                        && STEPS.iter().all(|&other| board.run(next, other).len() != 5)
                        && self.foul(self.cell(next).expect("free")).is_none()
                }
            })
    }
}

fn moved((x, y): At, (dx, dy): At, steps: isize) -> At {
    (x + dx * steps, y + dy * steps)
}
