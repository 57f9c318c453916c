//! Odd and even threats: what the rows of open threats say before anything is searched.
//!
//! A *threat* is an empty cell that completes a row. While both avoid the cell below each other's
//! threats, the columns fill up, and whoever runs out of other cells must play below one: that is
//! zugzwang, and the parity of rows decides it (Allis, "A Knowledge-based Approach of Connect-Four",
//! 1988).
//!
//! ```text
//! 6 A A A    A always answers in the same column: of an even number of empty cells A gets the top
//! 5 B B B    one and every second below it. On a board with even columns and A moving second these
//! 4 A A A    are the even rows, and the odd rows are B's. A threat *serves* its owner in a row that
//! 3 B B B    is the owner's: A takes it by answering, and B's turns the parity of the other columns,
//! 2 A A A    since A must not play below it.
//! 1 B B B
//! ```
//!
//! Three things are told, from what is only a rule of thumb to what is certain:
//!
//! - [`Threat::serves`]: whether the row is one of its owner's;
//! - [`Filling`]: who wins if the columns are filled and no threat arises besides those on the board,
//!   by a search of that small game. It is certain where no other threat *can* arise;
//! - [`Bounds`]: what is proved of the game itself, by forced chains and by the strategies of
//!   `zugzwang`, one stone ahead.

use collinear_rules::{Cell, Outcome, Player, Position};

use crate::board::Board;
use crate::resolve::{Resolved, best_quiet, resolve, worst_quiet};
use crate::shape::{BoardShape, Unsupported, with_shape};
use crate::solver::Score;
use crate::word::Word;
use crate::zugzwang::upper_bound;

/// The filling of columns is searched up to this many states: every position of Connect Four.
const MAX_STATES: usize = 1_000_000;

/// What parity says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parity {
    /// Who gets the top cell of columns filled in pairs, and every second one below it.
    pub answers: Player,
    /// The open threats, column by column from the bottom.
    pub threats: Vec<Threat>,
    /// How it ends if no other threat arises; none when the game is over or too open.
    pub filling: Option<Filling>,
    /// What is proved for the player to move; none when the game is over.
    pub bounds: Option<Bounds>,
}

/// An empty cell that completes a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Threat {
    /// Where.
    pub cell: Cell,
    /// Whose row.
    pub player: Player,
    /// Whether its row, counted from 1, is odd.
    pub odd: bool,
    /// Whether its row is one of the owner's.
    pub serves: bool,
    /// Whether a stone lands on it now.
    pub playable: bool,
}

/// The end of the game in which only the threats on the board count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filling {
    /// Who wins and with which threat; nobody when the board fills up.
    pub wins: Option<(Player, Cell)>,
    /// Whether the loser had to play below that threat.
    pub zugzwang: bool,
    /// The number of the last stone in the game.
    pub stones: usize,
    /// The score for the player to move, see [`Score`].
    pub score: Score,
    /// Whether no other threat can arise: then it is the end of the game itself.
    pub certain: bool,
}

/// What is proved of the score for the player to move, see [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// It is not less.
    pub least: Score,
    /// It is not more.
    pub most: Score,
}

impl Parity {
    /// Looks at a position.
    pub fn of(position: &Position) -> Result<Self, Unsupported> {
        let rules = position.rules();
        let over = position.outcome() != Outcome::Ongoing;
        let bounds = with_shape!(rules, |shape| {
            (!over).then(|| bounds(shape, &Board::new(shape, position)))
        })?;
        let mover = position.to_move();
        let answers = if position.empty_count().is_multiple_of(2) { !mover } else { mover };
        let threats = if over { Vec::new() } else { threats(position, answers) };
        let filling = if over { None } else { Columns::new(position, &threats).map(Columns::fill) };
        let bounds = bounds.map(|bounds| match filling {
            Some(Filling { certain: true, score, .. }) => Bounds { least: score, most: score },
            _ => bounds,
        });
        Ok(Self { answers, threats, filling, bounds })
    }
}

/// The empty cells that complete a row, of either player.
fn threats(position: &Position, answers: Player) -> Vec<Threat> {
    let rules = position.rules();
    let mut threats = Vec::new();
    for column in 0..rules.width() {
        let landing = position.drop_cell(column).map_or(rules.height(), |cell| rules.row(cell));
        for row in landing..rules.height() {
            let Some(cell) = rules.cell(column, row) else { continue };
            let is_answer = (rules.height() - 1 - row).is_multiple_of(2);
            for player in Player::BOTH.into_iter().filter(|&player| wins(position, cell, player)) {
                threats.push(Threat {
                    cell,
                    player,
                    odd: row.is_multiple_of(2),
                    serves: is_answer == (player == answers),
                    playable: row == landing,
                });
            }
        }
    }
    threats
}

/// The four ways a row can run.
const WAYS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The cell so many steps away.
fn step(position: &Position, cell: Cell, (x, y): (isize, isize), steps: isize) -> Option<Cell> {
    let rules = position.rules();
    let column = rules.column(cell).checked_add_signed(x * steps)?;
    rules.cell(column, rules.row(cell).checked_add_signed(y * steps)?)
}

/// Whether a stone of this player on an empty cell completes a row.
fn wins(position: &Position, cell: Cell, player: Player) -> bool {
    WAYS.into_iter().any(|way| {
        let run = |sign: isize| {
            (1..)
                .map_while(|steps| step(position, cell, way, sign * steps))
                .take_while(|&at| position.at(at) == Some(player))
                .count()
        };
        1 + run(1) + run(-1) >= position.rules().k()
    })
}

/// Whether every row that can still be completed lacks one stone only: then no threat can arise.
fn is_closed(position: &Position) -> bool {
    let rules = position.rules();
    rules.all_cells().all(|cell| {
        WAYS.into_iter().all(|way| {
            let cells = (0..rules.k() as isize).map(|steps| step(position, cell, way, steps));
            let Some(cells) = cells.collect::<Option<Vec<Cell>>>() else { return true };
            let of = |player| cells.iter().filter(|&&at| position.at(at) == Some(player)).count();
            let (black, white) = (of(Player::Black), of(Player::White));
            (black > 0 && white > 0) || black + white + 1 >= rules.k()
        })
    })
}

/// The game of filling columns. Columns without a threat are one pile of cells.
struct Columns<'a> {
    position: &'a Position,
    /// Whose threats each cell from the landing one up is, per column that has any.
    open: Vec<(usize, Vec<[bool; 2]>)>,
    /// Cells of the other columns.
    spare: usize,
    /// Scores that are known, by how much of each column is filled.
    known: Vec<Option<i8>>,
}

/// How much of each column with threats is filled, and of the pile.
type Filled = Vec<usize>;

impl<'a> Columns<'a> {
    /// None when there are too many ways.
    fn new(position: &'a Position, threats: &[Threat]) -> Option<Self> {
        let rules = position.rules();
        let mut open = Vec::new();
        let mut spare = 0;
        for column in 0..rules.width() {
            let Some(landing) = position.drop_cell(column) else { continue };
            let bottom = rules.row(landing);
            let mut cells = vec![[false; 2]; rules.height() - bottom];
            let here = threats.iter().filter(|threat| rules.column(threat.cell) == column);
            let mut any = false;
            for threat in here {
                cells[rules.row(threat.cell) - bottom][threat.player.index()] = true;
                any = true;
            }
            if any {
                open.push((column, cells));
            } else {
                spare += cells.len();
            }
        }
        let sizes = open.iter().map(|(_, cells)| cells.len() + 1).chain([spare + 1]);
        let states = sizes.into_iter().try_fold(1_usize, |product, size| {
            product.checked_mul(size).filter(|&product| product <= MAX_STATES)
        })?;
        Some(Self { position, open, spare, known: vec![None; states] })
    }

    fn fill(mut self) -> Filling {
        let rules = self.position.rules();
        let mut filled = vec![0; self.open.len() + 1];
        let score = self.score(&mut filled);
        let (mut last, mut before) = (None, None);
        let mut value = score;
        loop {
            let next = (0..filled.len()).find(|&at| self.after(&mut filled, at) == Some(value));
            let Some(at) = next else { break };
            let wins = self.wins(&filled, at);
            before = last;
            last = self.open.get(at).map(|(column, cells)| {
                let bottom = rules.height() - cells.len();
                (*column, bottom + filled[at])
            });
            filled[at] += 1;
            value = -value;
            if wins {
                break;
            }
        }
        let placed: usize = filled.iter().sum();
        let mover = self.position.to_move();
        let winner = if score > 0 { mover } else { !mover };
        let cell = last.and_then(|(column, row)| rules.cell(column, row)).filter(|_| score != 0);
        let below = last.and_then(|(column, row)| Some((column, row.checked_sub(1)?)));
        Filling {
            wins: cell.map(|cell| (winner, cell)),
            zugzwang: cell.is_some() && below.is_some() && before == below,
            stones: self.position.stone_count() + placed,
            score: Score::new(score),
            certain: is_closed(self.position),
        }
    }

    /// Whether the next stone in this column, or on the pile, completes a row of its player.
    fn wins(&self, filled: &Filled, at: usize) -> bool {
        let turns = filled.iter().sum::<usize>();
        let mover = self.position.to_move();
        let player = if turns.is_multiple_of(2) { mover } else { !mover };
        let column = self.open.get(at);
        column.is_some_and(|(_, cells)| cells[filled[at]][player.index()])
    }

    /// The score for the player to move of the next stone there, if there is room.
    fn after(&mut self, filled: &mut Filled, at: usize) -> Option<i8> {
        let room = self.open.get(at).map_or(self.spare, |(_, cells)| cells.len());
        if filled[at] == room {
            return None;
        }
        if self.wins(filled, at) {
            let stones = self.position.stone_count() + filled.iter().sum::<usize>();
            return Some(((self.position.rules().cells() + 1 - stones) / 2) as i8);
        }
        filled[at] += 1;
        let score = -self.score(filled);
        filled[at] -= 1;
        Some(score)
    }

    /// The score for the player to move.
    fn score(&mut self, filled: &mut Filled) -> i8 {
        let sizes = self.open.iter().map(|(_, cells)| cells.len() + 1).chain([self.spare + 1]);
        let key = sizes.zip(filled.iter()).fold(0, |key, (size, filled)| key * size + filled);
        if let Some(score) = self.known[key] {
            return score;
        }
        let score = (0..filled.len()).filter_map(|at| self.after(filled, at)).max().unwrap_or(0);
        self.known[key] = Some(score);
        score
    }
}

/// What forced chains and zugzwang prove, one stone ahead.
fn bounds<S: BoardShape>(shape: S, board: &Board<S::Word>) -> Bounds {
    let (least, most) = chain_bounds(shape, board, true);
    Bounds { least: Score::new(least as i8), most: Score::new(most as i8) }
}

/// Bounds for the mover of a position; looks a stone ahead when asked to.
fn chain_bounds<S: BoardShape>(shape: S, board: &Board<S::Word>, ahead: bool) -> (i32, i32) {
    if !(board.wins & board.landing(shape)).is_zero() {
        let score = ((shape.cells() + 1 - board.stones) / 2) as i32;
        return (score, score);
    }
    match resolve(shape, *board) {
        Resolved::Decided(score) => (score, score),
        Resolved::Mine(quiet) => quiet_bounds(shape, &quiet, ahead),
        Resolved::Theirs(quiet) => {
            let (least, most) = quiet_bounds(shape, &quiet, ahead);
            (-most, -least)
        }
    }
}

/// Bounds for the mover of a quiet position.
fn quiet_bounds<S: BoardShape>(shape: S, board: &Board<S::Word>, ahead: bool) -> (i32, i32) {
    let worst = worst_quiet(shape, board.stones).min(0);
    let best = best_quiet(shape, board.stones).max(0);
    let most = (worst..=0).find_map(|target| upper_bound(shape, board, target)).unwrap_or(best);
    if !ahead {
        return (worst, most);
    }
    let mut least = worst;
    for column in 0..shape.width() {
        let Some(cell) = board.landing_in(shape, column) else { continue };
        let (_, theirs) = chain_bounds(shape, &board.after(shape, cell), false);
        least = least.max(-theirs);
    }
    (least, most)
}

#[cfg(test)]
mod tests;
