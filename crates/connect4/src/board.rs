//! A position as two words, and the one question asked of it all the time: where does a stone win?

use collinear_rules::Position;

use crate::shape::BoardShape;
use crate::word::Word;

/// A position: the stones of the player to move, all stones, and where each side would complete a
/// row. The winning cells follow from the stones; they are kept because every search step needs
/// them and only one side's change with a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board<W> {
    /// Stones of the player to move.
    pub(crate) me: W,
    /// Stones of both.
    pub(crate) mask: W,
    /// Empty cells that complete a row of the player to move.
    pub(crate) wins: W,
    /// Empty cells that complete a row of the opponent.
    pub(crate) threats: W,
    /// Number of stones.
    pub(crate) stones: u32,
}

impl<W: Word> Board<W> {
    pub(crate) const fn empty() -> Self {
        Self { me: W::ZERO, mask: W::ZERO, wins: W::ZERO, threats: W::ZERO, stones: 0 }
    }

    /// The board of a position with the rules of this shape.
    pub(crate) fn new<S: BoardShape<Word = W>>(shape: S, position: &Position) -> Self {
        let rules = position.rules();
        let bits = |player| {
            position.stones(player).fold(W::ZERO, |bits, cell| {
                bits | W::ONE
                    << (rules.column(cell) as u32 * shape.stride() + rules.row(cell) as u32)
            })
        };
        let (me, other) = (bits(position.to_move()), bits(!position.to_move()));
        Self::from_stones(shape, me, me | other)
    }

    /// The board with these stones.
    pub(crate) fn from_stones<S: BoardShape<Word = W>>(shape: S, me: W, mask: W) -> Self {
        Self {
            me,
            mask,
            wins: winning_cells(shape, me) & shape.full() & !mask,
            threats: winning_cells(shape, me ^ mask) & shape.full() & !mask,
            stones: mask.count(),
        }
    }

    /// The cells on which a stone can land, one per column.
    #[inline(always)]
    pub(crate) fn landing<S: BoardShape<Word = W>>(&self, shape: S) -> W {
        (self.mask + shape.bottom()) & shape.full()
    }

    /// The cell on which a stone in this column lands, if there is room.
    pub(crate) fn landing_in<S: BoardShape<Word = W>>(&self, shape: S, column: u32) -> Option<W> {
        let cell = self.landing(shape) & shape.column(column);
        (!cell.is_zero()).then_some(cell)
    }

    /// The board after a stone on an empty cell; the opponent is then to move.
    #[inline(always)]
    pub(crate) fn after<S: BoardShape<Word = W>>(&self, shape: S, cell: W) -> Self {
        let mask = self.mask | cell;
        Self {
            me: self.me ^ self.mask,
            mask,
            wins: self.threats & !cell,
            threats: winning_cells(shape, self.me | cell) & shape.full() & !mask,
            stones: self.stones + 1,
        }
    }

    /// One word that tells positions apart: in each column the mover's stones below one bit on the
    /// lowest empty cell.
    ///
    /// ```text
    /// . ←            0 1
    /// O     mover X  0 0    (the bit above the last stone marks the height,
    /// X              0 1     the stones below it that are not set are the opponent's)
    /// O              0 0
    /// ```
    #[inline(always)]
    pub(crate) fn key<S: BoardShape<Word = W>>(&self, shape: S) -> W {
        self.me | (self.mask + shape.bottom())
    }

    /// The same key for a position and its mirror image.
    #[inline(always)]
    pub(crate) fn canonical_key<S: BoardShape<Word = W>>(&self, shape: S) -> W {
        let key = self.key(shape);
        key.min(shape.mirror(key))
    }

    /// The board of a key.
    pub(crate) fn from_key<S: BoardShape<Word = W>>(shape: S, key: W) -> Self {
        let (mut me, mut mask) = (W::ZERO, W::ZERO);
        for column in 0..shape.width() {
            let bits = key & shape.column(column);
            let below = (0..=shape.height())
                .rev()
                .map(|row| W::ONE << (column * shape.stride() + row))
                .find(|&mark| !(bits & mark).is_zero())
                .map_or(W::ZERO, |mark| mark - (W::ONE << (column * shape.stride())));
            mask |= below;
            me |= bits & below;
        }
        Self::from_stones(shape, me, mask)
    }
}

/// The cells that would complete a row of `stones`, occupied ones and those off the board included.
///
/// In each direction: a run of `i` own stones before the cell and of `k − 1 − i` behind it.
#[inline(always)]
pub(crate) fn winning_cells<S: BoardShape>(shape: S, stones: S::Word) -> S::Word {
    let mut cells = S::Word::ZERO;
    for step in shape.directions() {
        if shape.k() == 4 {
            let (l1, r1) = (stones << step, stones >> step);
            let (l2, r2) = (l1 & stones << (2 * step), r1 & stones >> (2 * step));
            let (l3, r3) = (l2 & stones << (3 * step), r2 & stones >> (3 * step));
            cells |= l3 | l2 & r1 | l1 & r2 | r3;
        } else {
            cells |= winning_cells_on(shape, stones, step);
        }
    }
    cells
}

/// The same along one direction, for any row length.
#[inline(always)]
fn winning_cells_on<S: BoardShape>(shape: S, stones: S::Word, step: u32) -> S::Word {
    let mut cells = S::Word::ZERO;
    // The cells with `i` own stones right before them.
    let mut run = !S::Word::ZERO;
    for i in 0..shape.k() {
        let mut window = run;
        for j in 1..shape.k() - i {
            window &= stones >> (j * step);
        }
        cells |= window;
        run = run << step & stones << step;
    }
    cells
}

/// Whether `stones` contain a row.
#[inline(always)]
pub(crate) fn has_row<S: BoardShape>(shape: S, stones: S::Word) -> bool {
    let mut rows = S::Word::ZERO;
    for step in shape.directions() {
        if shape.k() == 4 {
            let pairs = stones & stones >> step;
            rows |= pairs & pairs >> (2 * step);
        } else {
            let mut runs = stones;
            for i in 1..shape.k() {
                runs &= stones >> (i * step);
            }
            rows |= runs;
        }
    }
    !rows.is_zero()
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Outcome, Rules};
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::shape::with_shape;

    /// Plays random games and holds every board against the rules.
    fn agrees_with_the_rules<S: BoardShape>(shape: S, rules: &Rules, games: u64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(games);
        for _ in 0..games {
            let mut position = Position::new(*rules);
            let mut board = Board::new(shape, &position);
            while let Some(&cell) = position.legal_cells().choose(&mut random) {
                let column = rules.column(cell) as u32;
                let bit = board.landing_in(shape, column).expect("room");
                let wins = !(board.wins & bit).is_zero();
                position.play(cell).expect("legal");
                assert_eq!(matches!(position.outcome(), Outcome::Won(_)), wins, "{position:?}");
                if position.is_over() {
                    break;
                }
                board = board.after(shape, bit);
                assert_eq!(board, Board::new(shape, &position), "{position:?}");
                assert_eq!(board, Board::from_key(shape, board.key(shape)));
                let mirrored = Board::from_key(shape, shape.mirror(board.key(shape)));
                assert_eq!(board.canonical_key(shape), mirrored.canonical_key(shape));
                assert_eq!(shape.mirror(shape.mirror(board.me)), board.me);
            }
        }
    }

    #[test]
    fn boards_agree_with_the_rules_whatever_their_shape() {
        let games = [
            "connect4",
            "3x3,k=3,gravity",
            "8x7,k=4,gravity",
            "9x6,k=4,gravity",
            "8x8,k=5,gravity",
            "9x7,k=5,gravity",
            "5x12,k=6,gravity",
            "2x31,k=4,gravity",
            "1x63,k=3,gravity",
            "64x1,k=6,gravity",
            "21x2,k=6,gravity",
            "11x10,k=3,gravity",
            "16x7,k=4,gravity",
        ];
        for text in games {
            let rules: Rules = text.parse().expect(text);
            with_shape!(&rules, |shape| agrees_with_the_rules(shape, &rules, 40)).expect(text);
        }
    }
}
