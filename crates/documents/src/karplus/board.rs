//! The board the pruned search plays on: for every four how many discs of each player it holds,
//! and the sum of their worths.
//!
//! A disc changes only the fours through its cell (three in a corner, thirteen in the middle), and
//! the change of each is one look into a table of gains. So the worth of a move is known without
//! making it, and nothing is ever summed over all 69 fours again.
//!
//! ```text
//! a four's discs in one byte    0 0 t t t l l l     l: discs of the player who moves last
//!                                                   t: discs of the other
//! ```

use collinear_rules::{Cell, Geometry, Player, Position, Rules};

use super::evaluation::Evaluation;

/// The two players by the part they have in a search: sums are seen by the one whose disc is the
/// last of the plies looked ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Moves at the last ply: evaluations are this one's.
    Last,
    /// The opponent.
    Other,
}

impl Side {
    pub(crate) const fn opponent(self) -> Self {
        match self {
            Self::Last => Self::Other,
            Self::Other => Self::Last,
        }
    }

    /// What one disc adds to a four's byte.
    const fn disc(self) -> u8 {
        match self {
            Self::Last => 1,
            Self::Other => 8,
        }
    }
}

/// A gain that no sum of ordinary gains comes near: the disc completes a four.
const COMPLETES: i32 = 1 << 24;

/// What a disc adds to the sum, or that it wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gain {
    /// The sum changes by this.
    Sum(i32),
    /// The disc completes a four.
    Win,
}

/// A column of the search: the columns are numbered from the middle outward, since the middle is
/// worth trying first.
///
/// ```text
/// 5 3 1 0 2 4 6
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(u8);

/// Discs by four, heights by column.
pub(crate) struct Board {
    rules: Rules,
    slots: Vec<Column>,
    /// Slot after slot and upward in each.
    places: Vec<Place>,
    discs: Vec<u8>,
    empty: usize,
    sum: i32,
    /// What a disc of each side adds to the sum, by the byte of a four.
    gains: [[i32; 64]; 2],
    evaluation: Evaluation,
}

/// The places of a column: the next disc lands on the first, `end` is beyond the top.
struct Column {
    next: u16,
    end: u16,
}

/// A cell and the fours through it.
struct Place {
    cell: Cell,
    count: u8,
    fours: [u16; Place::MAX_FOURS],
}

impl Place {
    const MAX_FOURS: usize = 16;

    #[inline]
    fn fours(&self) -> &[u16] {
        &self.fours[..usize::from(self.count)]
    }
}

impl Board {
    /// The longest side of a board.
    pub(crate) const MAX_SIDE: usize = 16;

    /// An empty board, to be [set](Self::set) before use.
    pub(crate) fn new(geometry: &Geometry, evaluation: Evaluation) -> Self {
        let rules = *geometry.rules();
        let places = (0..rules.width()).map(|slot| column_of(slot, rules.width())).flat_map(|x| {
            (0..rules.height()).filter_map(move |y| {
                let cell = rules.cell(x, y)?;
                let mut fours = [0; Place::MAX_FOURS];
                let mut count = 0;
                for four in geometry.windows_through(cell) {
                    fours[usize::from(count)] = four.index() as u16;
                    count += 1;
                }
                Some(Place { cell, count, fours })
            })
        });
        Self {
            rules,
            slots: Vec::with_capacity(rules.width()),
            places: places.collect(),
            discs: vec![0; geometry.window_count()],
            empty: rules.cells(),
            sum: 0,
            gains: [gains(&evaluation, Side::Last), gains(&evaluation, Side::Other)],
            evaluation,
        }
    }

    /// Number of fours.
    pub(crate) fn four_count(&self) -> usize {
        self.discs.len()
    }

    /// Takes over a position; `last` is the player who moves at the last ply.
    pub(crate) fn set(&mut self, position: &Position, last: Player) {
        let height = self.rules.height();
        self.discs.fill(0);
        self.slots.clear();
        self.empty = position.empty_count();
        for places in self.places.chunks(height) {
            let mut filled = 0;
            for place in places {
                let Some(player) = position.at(place.cell) else { break };
                let side = if player == last { Side::Last } else { Side::Other };
                for &four in place.fours() {
                    self.discs[usize::from(four)] += side.disc();
                }
                filled += 1;
            }
            let bottom = (self.slots.len() * height) as u16;
            self.slots.push(Column { next: bottom + filled, end: bottom + height as u16 });
        }
        let worth = |&discs: &u8| self.evaluation.four(u32::from(discs & 7), u32::from(discs >> 3));
        self.sum = self.discs.iter().map(worth).sum();
    }

    /// The slots that have room, the middle first.
    #[inline]
    pub(crate) fn open(&self) -> impl Iterator<Item = Slot> + '_ {
        let has_room = |(slot, column): (usize, &Column)| {
            (column.next < column.end).then_some(Slot(slot as u8))
        };
        self.slots.iter().enumerate().filter_map(has_room)
    }

    /// Where a disc in an open slot lands.
    pub(crate) fn landing(&self, slot: Slot) -> Cell {
        self.places[usize::from(self.slots[usize::from(slot.0)].next)].cell
    }

    /// Whether no disc fits any more.
    pub(crate) const fn is_full(&self) -> bool {
        self.empty == 0
    }

    /// The sum over all fours, seen by the side that moves last.
    pub(crate) const fn sum(&self) -> i32 {
        self.sum
    }

    /// What a disc of `side` in this open slot would add to the sum.
    #[inline]
    pub(crate) fn gain(&self, slot: Slot, side: Side) -> Gain {
        let gains = &self.gains[side as usize];
        let place = &self.places[usize::from(self.slots[usize::from(slot.0)].next)];
        let mut sum = 0;
        for &four in place.fours() {
            sum += gains[usize::from(self.discs[usize::from(four)] & 63)];
        }
        if sum >= COMPLETES / 2 { Gain::Win } else { Gain::Sum(sum) }
    }

    /// Drops a disc that does not win; `gain` is what [`gain`](Self::gain) said of it.
    #[inline]
    pub(crate) fn drop(&mut self, slot: Slot, side: Side, gain: i32) {
        let column = &mut self.slots[usize::from(slot.0)];
        for &four in self.places[usize::from(column.next)].fours() {
            self.discs[usize::from(four)] += side.disc();
        }
        column.next += 1;
        self.empty -= 1;
        self.sum += gain;
    }

    /// Takes the topmost disc of a slot back.
    #[inline]
    pub(crate) fn lift(&mut self, slot: Slot, side: Side, gain: i32) {
        let column = &mut self.slots[usize::from(slot.0)];
        column.next -= 1;
        for &four in self.places[usize::from(column.next)].fours() {
            self.discs[usize::from(four)] -= side.disc();
        }
        self.empty += 1;
        self.sum -= gain;
    }
}

/// The column of a slot: 3 2 4 1 5 0 6 of seven, 2 1 3 0 of four.
const fn column_of(slot: usize, width: usize) -> usize {
    if slot % 2 == 1 { width / 2 - slot.div_ceil(2) } else { width / 2 + slot / 2 }
}

/// For every byte of a four, what one more disc of `side` adds to the sum.
fn gains(evaluation: &Evaluation, side: Side) -> [i32; 64] {
    let worth = |discs: u8| evaluation.four(u32::from(discs & 7), u32::from(discs >> 3));
    std::array::from_fn(|discs| {
        let before = discs as u8;
        let after = before + side.disc();
        if before & 7 > 3 || before >> 3 > 3 {
            0
        } else if after == 4 * side.disc() {
            COMPLETES
        } else {
            worth(after) - worth(before)
        }
    })
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;
    use rand::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn discs_and_sums_kept_move_by_move_are_those_counted_from_scratch() {
        let mut rng = SmallRng::seed_from_u64(69);
        for evaluation in [Evaluation::FEVALA, Evaluation::FEVALB, Evaluation::FEVALC] {
            let mut position = Position::new(Rules::CONNECT4);
            let mut board = Board::new(position.geometry(), evaluation);
            let mut fresh = Board::new(position.geometry(), evaluation);
            let mut way_back = Vec::new();
            board.set(&position, Player::White);
            for _ in 0..2000 {
                let side = match position.to_move() {
                    Player::White => Side::Last,
                    Player::Black => Side::Other,
                };
                let open: Vec<Slot> = board.open().collect();
                match open.choose(&mut rng) {
                    Some(&slot) if rng.random_ratio(2, 3) => {
                        let cell = board.landing(slot);
                        let Gain::Sum(gain) = board.gain(slot, side) else {
                            position.play(cell).expect("legal");
                            assert!(position.is_over());
                            position.undo();
                            continue;
                        };
                        board.drop(slot, side, gain);
                        position.play(cell).expect("legal");
                        way_back.push((slot, side, gain));
                    }
                    _ => {
                        let Some((slot, side, gain)) = way_back.pop() else { continue };
                        board.lift(slot, side, gain);
                        position.undo();
                    }
                }
                fresh.set(&position, Player::White);
                assert_eq!((&board.discs, board.sum), (&fresh.discs, fresh.sum), "{position}");
                assert_eq!(board.is_full(), position.empty_count() == 0);
            }
        }
    }
}
