//! The plain twin: a mailbox board that scans everything, written to be obviously right.

// Each test binary uses another part of it.
#![allow(dead_code, unreachable_pub)]

pub mod renju;

use collinear_rules::{Cell, Fouls, Outcome, Overline, Player, Rules};

/// One entry a cell and the list of stones; nothing incremental.
#[derive(Clone)]
pub struct Mailbox {
    pub rules: Rules,
    pub cells: Vec<Option<Player>>,
    pub history: Vec<Cell>,
}

impl Mailbox {
    pub fn new(rules: Rules) -> Self {
        Self { rules, cells: vec![None; rules.cells()], history: Vec::new() }
    }

    /// Counts turns from the first stone on, as the rules are told to a child.
    pub fn turn(&self) -> (Player, usize) {
        let (mut player, mut left) = (Player::Black, self.rules.q());
        for _ in &self.history {
            left -= 1;
            if left == 0 {
                (player, left) = (player.opponent(), self.rules.p());
            }
        }
        (player, left.min(self.rules.cells() - self.history.len()))
    }

    pub fn play(&mut self, cell: Cell) {
        self.cells[cell.index()] = Some(self.turn().0);
        self.history.push(cell);
    }

    pub fn undo(&mut self) {
        let cell = self.history.pop().expect("a stone to take back");
        self.cells[cell.index()] = None;
    }

    fn colour(&self, x: isize, y: isize) -> Option<Player> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        self.cells[self.rules.cell(x, y)?.index()]
    }

    /// Every maximal run that wins, found by looking from every cell in every direction.
    pub fn winning_rows(&self) -> Vec<(Player, Vec<Cell>)> {
        let mut rows = Vec::new();
        for start in self.rules.all_cells() {
            let Some(player) = self.cells[start.index()] else { continue };
            let (x, y) = (self.rules.column(start) as isize, self.rules.row(start) as isize);
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                if self.colour(x - dx, y - dy) == Some(player) {
                    continue;
                }
                let run: Vec<Cell> = (0..Rules::MAX_SIDE as isize)
                    .take_while(|i| self.colour(x + i * dx, y + i * dy) == Some(player))
                    .filter_map(|i| self.rules.cell((x + i * dx) as usize, (y + i * dy) as usize))
                    .collect();
                let wins = match self.rules.overline(player) {
                    Overline::Wins => run.len() >= self.rules.k(),
                    Overline::Ignored => run.len() == self.rules.k(),
                };
                if wins {
                    rows.push((player, run));
                }
            }
        }
        rows
    }

    pub fn outcome(&self) -> Outcome {
        match self.winning_rows().first() {
            Some(&(player, _)) => Outcome::Won(player),
            None if self.lost_by_foul() => Outcome::Won(Player::White),
            None if self.history.len() == self.rules.cells() => Outcome::Drawn,
            None if self.allowed_cells().is_empty() => Outcome::Won(Player::White),
            None => Outcome::Ongoing,
        }
    }

    /// Whether the last stone is Black's, forbidden, and loses.
    fn lost_by_foul(&self) -> bool {
        let mut before = self.clone();
        let Some(last) = before.history.pop() else { return false };
        let stone = before.cells[last.index()].take();
        self.rules.fouls() == Fouls::Lose
            && stone == Some(Player::Black)
            && before.foul(last).is_some()
    }

    pub fn legal_cells(&self) -> Vec<Cell> {
        if self.outcome() == Outcome::Ongoing { self.allowed_cells() } else { Vec::new() }
    }

    fn allowed_cells(&self) -> Vec<Cell> {
        let black_in_renju = self.rules.is_renju() && self.turn().0 == Player::Black;
        let empty = |cell: &Cell| self.cells[cell.index()].is_none();
        let rests = |cell: &Cell| {
            let row = self.rules.row(*cell);
            !self.rules.gravity()
                || row == 0
                || self
                    .rules
                    .cell(self.rules.column(*cell), row - 1)
                    .is_some_and(|below| !empty(&below))
        };
        self.rules
            .all_cells()
            .filter(|cell| {
                empty(cell) && rests(cell) && !(black_in_renju && self.foul(*cell).is_some())
            })
            .collect()
    }

    /// No colour can fill a window any more, however the empty cells are coloured. Renju is judged
    /// as if Black's longer rows won, since a forbidden one may still decide the game.
    pub fn is_dead_draw(&self) -> bool {
        if self.rules.is_renju() {
            let (width, height) = (self.rules.width() as u32, self.rules.height() as u32);
            let rules = Rules::builder(width, height, 5).build().expect("valid");
            return !matches!(self.outcome(), Outcome::Won(_))
                && Self { rules, ..self.clone() }.is_dead_draw();
        }
        self.winning_rows().is_empty()
            && Player::BOTH.into_iter().all(|player| {
                let mut filled = self.clone();
                if self.rules.overline(player) == Overline::Wins {
                    for cell in &mut filled.cells {
                        cell.get_or_insert(player);
                    }
                    return filled.winning_rows().iter().all(|(winner, _)| *winner != player);
                }
                // With exactly k a longer row would hide a winning one: try each window by itself.
                self.rules.all_cells().all(|start| {
                    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().all(|(dx, dy)| {
                        let mut trial = self.clone();
                        let (x, y) =
                            (self.rules.column(start) as isize, self.rules.row(start) as isize);
                        for i in 0..self.rules.k() as isize {
                            let (x, y) = (x + i * dx, y + i * dy);
                            let cell = usize::try_from(x).ok().zip(usize::try_from(y).ok());
                            match cell.and_then(|(x, y)| self.rules.cell(x, y)) {
                                Some(cell)
                                    if self.cells[cell.index()] != Some(player.opponent()) =>
                                {
                                    trial.cells[cell.index()] = Some(player);
                                }
                                _ => return true,
                            }
                        }
                        let window_is_a_row = trial.winning_rows().iter().any(|(winner, row)| {
                            *winner == player
                                && row.contains(&start)
                                && row.iter().all(|cell| {
                                    let (cx, cy) = (
                                        self.rules.column(*cell) as isize,
                                        self.rules.row(*cell) as isize,
                                    );
                                    (0..self.rules.k() as isize)
                                        .any(|i| (x + i * dx, y + i * dy) == (cx, cy))
                                })
                        });
                        !window_is_a_row
                    })
                })
            })
    }
}
