//! Boards of Connect6 as document 001 kept them: copied for every pair of stones, then made and unmade
//! on one board with a map of the stones beside it; and ours.
//!
//! The copies are lists of rows, as the listing's are. A row is looked for over the whole board (§3.1,
//! the first version) or through the stones just placed (the last).

use std::collections::HashMap;

use collinear_rules::{Cell, Position, Rules};

use super::{Measured, Walked, measure};

const SIDE: usize = 19;
/// Cells that a turn is chosen from, as many as the document's final lists have.
const CELLS: usize = 8;
const K: usize = 6;
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

type Place = (usize, usize);
type Board = Vec<Vec<u8>>;

/// Stones on the board before the walk: four in a row of the player to move, four of the opponent's.
const STONES: [[Place; 4]; 2] =
    [[(9, 9), (10, 9), (11, 9), (12, 9)], [(3, 3), (3, 4), (3, 5), (3, 6)]];
/// Where the two players place theirs: two of each complete a row.
const CANDIDATES: [[Place; CELLS]; 2] = [
    [(13, 9), (14, 9), (8, 8), (10, 10), (5, 5), (12, 12), (15, 3), (4, 14)],
    [(3, 7), (3, 8), (2, 2), (6, 6), (10, 4), (16, 16), (1, 12), (13, 1)],
];

fn start() -> Board {
    let mut board = vec![vec![0; SIDE]; SIDE];
    for (colour, stones) in (1..).zip(STONES) {
        for (x, y) in stones {
            board[x][y] = colour;
        }
    }
    board
}

/// All ways, the document's first one first.
pub(super) fn ways(runs: u32) -> Vec<Measured> {
    let bytes = SIDE * (SIDE + size_of::<Vec<u8>>());
    let map = bytes + 12 * size_of::<(Place, u8)>();
    vec![
        measure("two copies per pair, whole board scanned", bytes, runs, || {
            copied(&start(), 0, Copies::Two, |board, _| scan(board))
        }),
        measure("one copy per pair, whole board scanned", bytes, runs, || {
            copied(&start(), 0, Copies::One, |board, _| scan(board))
        }),
        measure("one copy per pair, row through the stones", bytes, runs, || {
            copied(&start(), 0, Copies::One, through)
        }),
        measure("made and unmade with a map, row through the stones", map, runs, || {
            let mut moves = HashMap::new();
            made(&mut start(), &mut moves, 0, &through)
        }),
        measure("ours: made and unmade, a bit word per line and colour", line_words(), runs, ours),
    ]
}

/// What a position of ours holds per line.
fn line_words() -> usize {
    Position::new(Rules::CONNECT6).geometry().line_count() * 2 * size_of::<u64>()
}

/// All ordered pairs of a player's cells, as the document's two loops have them.
fn pairs(player: usize) -> impl Iterator<Item = [Place; 2]> {
    let cells = CANDIDATES[player];
    (0..CELLS)
        .flat_map(move |i| (0..CELLS).filter(move |&j| j != i).map(move |j| [cells[i], cells[j]]))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    One,
    Two,
}

fn copied(
    board: &Board,
    player: usize,
    copies: Copies,
    is_won: fn(&Board, [Place; 2]) -> bool,
) -> Walked {
    let mut walked = Walked::default();
    for pair in pairs(player) {
        let mut next = board.clone();
        next[pair[0].0][pair[0].1] = player as u8 + 1;
        if copies == Copies::Two {
            next = next.clone();
        }
        next[pair[1].0][pair[1].1] = player as u8 + 1;
        walked.boards += 1;
        if is_won(&next, pair) {
            walked.wins += 1;
        } else if player == 0 {
            walked.add(copied(&next, 1, copies, is_won));
        }
    }
    walked
}

fn made(
    board: &mut Board,
    moves: &mut HashMap<Place, u8>,
    player: usize,
    is_won: &impl Fn(&Board, [Place; 2]) -> bool,
) -> Walked {
    let mut walked = Walked::default();
    for pair in pairs(player) {
        for (x, y) in pair {
            board[x][y] = player as u8 + 1;
            moves.insert((x, y), player as u8 + 1);
        }
        walked.boards += 1;
        if is_won(board, pair) {
            walked.wins += 1;
        } else if player == 0 {
            walked.add(made(board, moves, 1, is_won));
        }
        for (x, y) in pair {
            board[x][y] = 0;
            moves.remove(&(x, y));
        }
    }
    walked
}

fn ours() -> Walked {
    fn walk(position: &mut Position, player: usize) -> Walked {
        let mut walked = Walked::default();
        for pair in pairs(player) {
            let mut placed = 0;
            for (x, y) in pair {
                // A row may be there before the second stone: it counts for the pair.
                if let Some(cell) = position.rules().cell(x, y)
                    && !position.is_over()
                {
                    position.play_unchecked(cell);
                    placed += 1;
                }
            }
            walked.boards += 1;
            if position.is_over() {
                walked.wins += 1;
            } else if player == 0 {
                walked.add(walk(position, 1));
            }
            for _ in 0..placed {
                position.undo();
            }
        }
        walked
    }
    walk(&mut position(), 0)
}

/// The same stones as a position of ours; one more of Black's far away makes the turns come out.
fn position() -> Position {
    let rules = Rules::CONNECT6;
    let cell = |(x, y): Place| rules.cell(x, y).unwrap_or(Cell::new(0));
    let setup = collinear_rules::Setup {
        black: STONES[0].map(cell).to_vec(),
        white: STONES[1].map(cell).to_vec(),
        to_move: Some((collinear_rules::Player::Black, 2)),
    };
    Position::from_setup(rules, &setup).unwrap_or_else(|_| Position::new(rules))
}

/// The document's first test for a row: over the whole board.
fn scan(board: &Board) -> bool {
    (0..SIDE).any(|x| (0..SIDE).any(|y| board[x][y] != 0 && is_row(board, (x, y))))
}

/// Its last one: through the stones that were just placed.
fn through(board: &Board, pair: [Place; 2]) -> bool {
    pair.into_iter().any(|place| is_row(board, place))
}

fn is_row(board: &Board, (x, y): Place) -> bool {
    let colour = board[x][y];
    let at = |x: usize, y: usize| board.get(x).and_then(|row| row.get(y)) == Some(&colour);
    let run = |dx: isize, dy: isize| {
        (1..K as isize)
            .take_while(|i| at(x.wrapping_add_signed(i * dx), y.wrapping_add_signed(i * dy)))
            .count()
    };
    DIRECTIONS.into_iter().any(|(dx, dy)| 1 + run(dx, dy) + run(-dx, -dy) >= K)
}

impl Walked {
    fn add(&mut self, other: Self) {
        self.boards += other.boards;
        self.wins += other.wins;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_boards_tell_the_same() {
        let ways = ways(1);
        // 56 pairs, two of them a row, and 56 replies to each of the others, two of them a row.
        let wanted = Walked { boards: 56 + 54 * 56, wins: 2 + 54 * 2 };
        for way in ways {
            assert_eq!(way.walked, wanted, "{}", way.name);
        }
    }
}
