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
//! odd: call them B's rows, the others A's. If B's stones, with all landing cells and all empty
//! cells of B's rows, contain no row of k then B cannot win: his score is at most 0.
//!
//! If moreover A's stones, with all empty cells of A's rows that are not loose, contain a row of k,
//! then A has completed it when the board is full: B's score is at most −1.
//!
//! **Barred columns.** Let s be a cell in one of A's rows that completes a row of A. In its column A
//! answers the cell right below s with s and wins; so B never gets beyond that cell, and A, who
//! plays only A's rows and loose cells there, never plays it (it is in B's rows, and with s above it
//! it is not loose). The strategy and its parities are the same with the column ending at s, so the
//! cells above s drop out of what B may get, in any number of columns. If there is such a column, B
//! loses: when everything else is full he must play right below some s. The cells from right below
//! each s to the top, say n in all, are then empty but for the last two stones, so the winning stone
//! has the number cells − n + 2, a score of n / 2 for A.
//!
//! **Odd threat.** Let E be odd, and let s be a cell of B's rows that completes a row of A, in a
//! column c that is not barred below it. A treats c as if it ended at s. From s to the top there is
//! an even number of cells, q; without those above s an even number of cells counts, E − q + 1, and
//! in c the rows change roles: A gets the cells at an even distance below s, B those at an odd
//! distance. As before A answers the cell right below s with s and never plays it himself. So the
//! win of a barred column holds with c as one more.
//!
//! All of it is checked against the exact value of every position of small boards in the tests.

use crate::board::{Board, has_row};
use crate::shape::BoardShape;
use crate::word::Word;

/// An upper bound of at most `target` for the score of a quiet position, if zugzwang gives one.
#[inline(always)]
pub(crate) fn upper_bound<S: BoardShape>(
    shape: S,
    board: &Board<S::Word>,
    target: i32,
) -> Option<i32> {
    let empty = shape.full() & !board.mask;
    let landing = board.landing(shape);
    let even = (shape.cells() - board.stones).is_multiple_of(2);
    // The rows in which B plays and A answers above.
    let first = !shape.follow_up();
    // B never gets beyond the cell below a threat in a row of A's answers.
    let barred = shape.up_from(board.threats & !first);
    let open = empty & first & !barred;
    // Cells nobody comes to fill: from right below such a threat up.
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
        useful &= !threat;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::for_every_position;
    use crate::resolve::{Resolved, resolve};
    use crate::shape::with_shape;
    use collinear_rules::Rules;

    /// How often each kind of bound was seen: draw, early or late win.
    #[test]
    fn no_bound_is_below_the_exact_score_of_any_position() {
        let boards = [
            "4x4,k=3,gravity",
            "4x4,k=4,gravity",
            "5x3,k=3,gravity",
            "3x5,k=3,gravity",
            "5x4,k=4,gravity",
            "4x5,k=4,gravity",
        ];
        let (mut draws, mut last_stone, mut earlier) = (0, 0, 0);
        for text in boards {
            let rules: Rules = text.parse().expect(text);
            with_shape!(&rules, |shape| for_every_position(shape, |board, exact| {
                let can_win = !(board.wins & board.landing(shape)).is_zero();
                if can_win || !matches!(resolve(shape, *board), Resolved::Mine(b) if b == *board) {
                    return;
                }
                for target in -6..=1 {
                    let Some(bound) = upper_bound(shape, board, target) else { continue };
                    assert!(bound <= target && exact <= bound, "{text} {board:?} {exact} {bound}");
                    match bound {
                        0 => draws += 1,
                        -1 => last_stone += 1,
                        _ => earlier += 1,
                    }
                }
            }))
            .expect(text);
        }
        assert!(
            draws > 1000 && last_stone > 1000 && earlier > 100,
            "{draws} {last_stone} {earlier}"
        );
    }
}
