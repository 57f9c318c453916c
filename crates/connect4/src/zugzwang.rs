//! Bounds from zugzwang: what a player who always answers in the same column cannot lose.
//!
//! The idea is Allis' *Claimeven* and his control of the zugzwang by an odd threat ("A
//! Knowledge-based Approach of Connect-Four", 1988), put so that it needs a few word operations.
//!
//! Let B be to move, A the opponent, E the number of empty cells. Call the empty cell on which a
//! stone lands in a column with an odd number of empty cells *loose*. A's strategy:
//!
//! ```text
//!   B plays a loose cell            → A plays another loose cell
//!   B plays any other cell          → A plays the cell right above it
//! ```
//!
//! **Draw.** Let E be even. Then the number of loose cells is even whenever B is to move (each turn
//! of both players takes two loose cells or none and leaves the parity of the other columns), so A
//! always has an answer: after a loose cell another is left, and in a column with an even number of
//! empty cells there is a cell above. B gets loose cells, and otherwise only cells that have an odd
//! number of empty cells above them at the time, that is, in rows whose distance from the top is
//! odd. If B's stones, with all landing cells and all empty cells of those rows, contain no row
//! then B cannot win: his score is at most 0.
//!
//! **Win.** Let s be a cell that completes a row of A, in column c, with q cells from s to the top,
//! and let E − q be odd. A ignores s and what is above it: column c counts as if it ended right
//! below s. Then the number of cells that count is odd. Give column c, for this count, one cell
//! *more* (s itself): now the number is even and A follows the strategy above, with the parity of
//! column c taken with s as its top. A's answer to the cell right below s is s, which wins. A never
//! opens s to B himself: the cell below s would be A's only as an answer in the same column, but
//! there A takes the cells at an even distance below s, or as a loose cell, and the cell below s is
//! not loose, for with s there are two empty cells. So B gets, in column c, the landing cell and the
//! cells at an odd distance below s; elsewhere the same as before. If those contain no row with B's
//! stones, A wins, at the latest when the other columns are full: with stone number cells − (q − 1)
//! of the game, which is a score of ⌊(q + 1) / 2⌋ for A.
//!
//! Both are checked against exact values of every position of small boards in the tests.

use crate::board::{Board, has_row};
use crate::shape::Shape;
use crate::word::Word;

/// An upper bound for the mover's score, if zugzwang gives one.
#[inline(always)]
pub(crate) fn upper_bound<S: Shape>(shape: S, board: &Board<S::Word>) -> Option<i32> {
    let empty = shape.full() & !board.mask;
    let landing = board.landing(shape);
    let even = (shape.cells() - board.stones).is_multiple_of(2);
    // What B may get in the columns that A answers to the top.
    let reachable = board.me | landing | empty & !shape.follow_up();
    // Threats of A whose distance q from the top fits the parity of E: with E even those in the
    // rows that A gets anyway, with E odd the others.
    let useful = board.threats & if even { shape.follow_up() } else { !shape.follow_up() };
    if even {
        if has_row(shape, reachable) {
            return None;
        }
        if useful.is_zero() {
            return Some(0);
        }
    }
    let mut best = if even { Some(0) } else { None };
    let mut left = useful;
    while !left.is_zero() {
        let threat = left.lowest_bit();
        left = left & !threat;
        let column = shape.column(threat.lowest() / shape.stride());
        let below = (threat - S::Word::ONE) & column & empty;
        let mine = board.me
            | landing
            | empty & !column & !shape.follow_up()
            | below & if even { !shape.follow_up() } else { shape.follow_up() };
        if !has_row(shape, mine) {
            let row = threat.lowest() % shape.stride();
            let q = shape.height() - row;
            let score = -(((q + 1) / 2) as i32);
            best = Some(best.map_or(score, |best| best.min(score)));
        }
    }
    best
}
