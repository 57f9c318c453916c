//! Forced chains: a position is played on while the mover has no choice.
//!
//! ```text
//! . . . . . . .     X threatens the cell ×: O must play there. If that makes a threat of O, X must
//! . . × . . . .     answer in turn, and so on: the chain is followed without any search, and ends
//! . O X . . . .     with a decided game or with a *quiet* position, in which the mover has at
//! . X X X O . .     least two moves that do not lose at once.
//! ```
//!
//! Every child of a search node is resolved before any of them is searched: most nodes end here.

use crate::board::Board;
use crate::shape::BoardShape;
use crate::word::Word;

/// How a chain ends, seen by the player who began it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resolved<W> {
    /// The game is decided: its score.
    Decided(i32),
    /// A quiet position with the same player to move.
    Mine(Board<W>),
    /// A quiet position with the other player to move.
    Theirs(Board<W>),
}

/// Follows the chain that starts with the mover of `board`, who cannot win at once.
#[inline(always)]
pub(crate) fn resolve<S: BoardShape>(shape: S, mut board: Board<S::Word>) -> Resolved<S::Word> {
    let mut mine = true;
    loop {
        let landing = board.landing(shape);
        debug_assert!((board.wins & landing).is_zero());
        let forced = board.threats & landing;
        let only = if forced.is_zero() {
            // A stone right below a threat hands over the game.
            let sound = landing & !(board.threats >> 1);
            if sound.several() {
                return if mine { Resolved::Mine(board) } else { Resolved::Theirs(board) };
            }
            if landing.is_zero() {
                return Resolved::Decided(0);
            }
            sound
        } else if forced.several() || !(forced << 1 & board.threats).is_zero() {
            // Two threats at once, or one on top of the other.
            S::Word::ZERO
        } else {
            forced
        };
        if only.is_zero() {
            let lost = loss_after(shape, board.stones + 2);
            return Resolved::Decided(if mine { lost } else { -lost });
        }
        board = board.after(shape, only);
        mine = !mine;
    }
}

/// The loser's score when the winner's last stone is the `stones`-th of the game.
#[inline(always)]
pub(crate) fn loss_after<S: BoardShape>(shape: S, stones: u32) -> i32 {
    -(((shape.cells() + 2 - stones) / 2) as i32)
}

/// The best the mover of a quiet position can hope for: two stones to make and complete a row.
#[inline(always)]
pub(crate) fn best_quiet<S: BoardShape>(shape: S, stones: u32) -> i32 {
    ((shape.cells() - 1).saturating_sub(stones) / 2) as i32
}

/// The worst that can befall the mover of a quiet position: his next stone loses nothing at once.
#[inline(always)]
pub(crate) fn worst_quiet<S: BoardShape>(shape: S, stones: u32) -> i32 {
    -(((shape.cells() - 2).saturating_sub(stones) / 2) as i32)
}
