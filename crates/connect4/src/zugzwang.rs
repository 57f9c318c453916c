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

/// An upper bound of at most `target` for the score of a quiet position, if zugzwang gives one.
#[inline(always)]
pub(crate) fn upper_bound<S: Shape>(shape: S, board: &Board<S::Word>, target: i32) -> Option<i32> {
    let empty = shape.full() & !board.mask;
    let landing = board.landing(shape);
    let even = (shape.cells() - board.stones).is_multiple_of(2);
    // The rows in which B plays and A answers above.
    let first = !shape.follow_up();
    // B never gets beyond the cell below a threat in a row of A's answers.
    let barred = shape.up_from(board.threats & !first);
    let open = empty & first & !barred;
    // Cells nobody comes to fill: those from right below such a threat on.
    let spare = (barred | barred >> 1) & empty;
    let saved = (spare.count() / 2) as i32;
    if even {
        if target < -1 && -saved > target {
            return None;
        }
        if has_row(shape, board.me | landing | open) {
            return None;
        }
        if -saved <= target {
            return Some(-saved);
        }
        let sure = (board.me ^ board.mask) | empty & !first & !landing;
        return if target == -1 && has_row(shape, sure) { Some(-1) } else { None };
    }
    let mut useful = board.threats & first & !barred;
    while !useful.is_zero() {
        let threat = useful.lowest_bit();
        useful = useful & !threat;
        let at = threat.lowest();
        let column = shape.column(at / shape.stride());
        let to_top = shape.height() - at % shape.stride();
        let score = -(((spare & !column).count() + to_top + 1) as i32 / 2);
        if score > target {
            continue;
        }
        let below = (threat - S::Word::ONE) & column & empty & !first;
        if !has_row(shape, board.me | landing | open & !column | below) {
            return Some(score);
        }
    }
    None
}
