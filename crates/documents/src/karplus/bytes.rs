//! The compact board that document 003 plans: a byte per column, and the players swapped by a table.
//!
//! A byte begins with one zero more than the column has empty cells, then a one; the bits below it
//! are the discs from the top down to the bottom, 1 for X and 0 for O:
//!
//! ```text
//! 0 0 0 0 0 1 1 0      four empty cells, X on top of O
//! ```
//!
//! The players use bit words. This board is measured beside others (the study `boards`), and it is a
//! twin for the tests: a second board, told by somebody else, that must agree with ours.

const HEIGHT: u32 = 6;

/// X is the player to move, as in the document: after each move the board is inverted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bytes([u8; 7]);

/// By byte of a column the same with X and O swapped.
pub(crate) struct InvertTable([u8; 256]);

impl InvertTable {
    pub(crate) fn new() -> Self {
        Self(std::array::from_fn(|byte| match (byte as u8).checked_ilog2() {
            Some(top) => byte as u8 ^ ((1 << top) - 1),
            None => 0,
        }))
    }
}

impl Bytes {
    pub(crate) const EMPTY: Self = Self([1; 7]);

    fn filled(&self, column: usize) -> u32 {
        self.0[column].ilog2()
    }

    pub(crate) fn has_room(&self, column: usize) -> bool {
        self.filled(column) < HEIGHT
    }

    /// The marker becomes X's disc, and a new marker stands above it.
    pub(crate) fn play(&mut self, column: usize) {
        self.0[column] |= 2 << self.filled(column);
    }

    /// The top disc becomes the marker.
    pub(crate) fn unplay(&mut self, column: usize) {
        let marker = 1 << (self.filled(column) - 1);
        self.0[column] = (self.0[column] & (marker - 1)) | marker;
    }

    pub(crate) fn invert(&mut self, table: &InvertTable) {
        for column in &mut self.0 {
            *column = table.0[usize::from(*column)];
        }
    }

    /// Whether X has a disc there: row 0 is the bottom, the lowest bit.
    fn at(&self, column: usize, row: u32) -> Option<bool> {
        (row < self.filled(column)).then(|| self.0[column] >> row & 1 != 0)
    }

    /// Whether X has four in a row through the top disc of this column.
    pub(crate) fn is_movewin(&self, column: usize) -> bool {
        let row = self.filled(column) as i32 - 1;
        let own = |x: i32, y: i32| {
            (0..7).contains(&x)
                && (0..HEIGHT as i32).contains(&y)
                && self.at(x as usize, y as u32) == Some(true)
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let run = |sign: i32| {
                (1..4)
                    .take_while(|i| own(column as i32 + sign * i * dx, row + sign * i * dy))
                    .count()
            };
            1 + run(1) + run(-1) >= 4
        })
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Outcome, Player, Position, Rules};
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;
    use rand::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn a_column_is_written_as_the_document_says() {
        let mut board = Bytes::EMPTY;
        assert_eq!(board.0[3], 0b0000_0001);
        let table = InvertTable::new();
        board.play(3);
        board.invert(&table);
        board.play(3);
        // Four empty cells: five zeros, the marker, X above O.
        assert_eq!(board.0[3], 0b0000_0110);
        assert_eq!(board.0[3].leading_zeros(), (HEIGHT - 2) + 1);
        for byte in 1..=255_u8 {
            assert_eq!(table.0[usize::from(table.0[usize::from(byte)])], byte);
        }
    }

    #[test]
    fn the_board_of_bytes_agrees_with_ours_in_random_games() {
        let table = InvertTable::new();
        let mut rng = SmallRng::seed_from_u64(8);
        for _ in 0..200 {
            let mut position = Position::new(Rules::CONNECT4);
            let mut bytes = Bytes::EMPTY;
            let length = rng.random_range(1..43);
            for _ in 0..length {
                let Some(&cell) = position.legal_cells().choose(&mut rng) else { break };
                let (column, mover) = (position.rules().column(cell), position.to_move());
                position.play(cell).expect("legal");
                bytes.play(column);
                let mut before = bytes.clone();
                before.unplay(column);
                before.play(column);
                assert_eq!(before, bytes);
                assert_eq!(
                    bytes.is_movewin(column),
                    position.outcome() == Outcome::Won(mover),
                    "{position}"
                );
                for x in 0..7 {
                    for y in 0..HEIGHT {
                        let cell = position.rules().cell(x, y as usize).expect("on the board");
                        let expected = position.at(cell).map(|player: Player| player == mover);
                        assert_eq!(bytes.at(x, y), expected, "{position}");
                    }
                }
                bytes.invert(&table);
                if position.is_over() {
                    break;
                }
            }
        }
    }
}
