//! From yes-or-no questions to the score: the interval of possible scores is halved until one is
//! left.
//!
//! The idea of a score by null windows, short wins first, is that of Pons' solver.

use crate::board::Board;
use crate::machine::Machine;
use crate::resolve::{Resolved, best_quiet, resolve, worst_quiet};
use crate::search::{Search, Stopped};
use crate::shape::Shape;
use crate::word::Word;

/// How much is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The exact score: who wins and how soon.
    #[default]
    Strong,
    /// Only the sign of the score: who wins.
    Weak,
}

/// The score of a board with a game that goes on; in weak mode −1, 0 or 1.
pub(crate) fn score<S: Shape, M: Machine>(
    search: &mut Search<'_, S, M>,
    board: &Board<S::Word>,
    mode: Mode,
) -> Result<i32, Stopped> {
    let shape = search.shape;
    let exact = if (board.wins & board.landing(shape)).is_zero() {
        match resolve(shape, *board) {
            Resolved::Decided(score) => score,
            Resolved::Mine(end) => quiet_score(search, &end, mode)?,
            Resolved::Theirs(end) => -quiet_score(search, &end, mode)?,
        }
    } else {
        win_now(shape, board.stones)
    };
    Ok(match mode {
        Mode::Strong => exact,
        Mode::Weak => exact.signum(),
    })
}

/// The score of winning with the next stone.
pub(crate) fn win_now<S: Shape>(shape: S, stones: u32) -> i32 {
    ((shape.cells() + 1 - stones) / 2) as i32
}

fn quiet_score<S: Shape, M: Machine>(
    search: &mut Search<'_, S, M>,
    board: &Board<S::Word>,
    mode: Mode,
) -> Result<i32, Stopped> {
    let mut least = worst_quiet(search.shape, board.stones);
    let mut most = best_quiet(search.shape, board.stones);
    if mode == Mode::Weak {
        (least, most) = (least.max(-1), most.min(1));
    }
    while least < most {
        let ask = next_question(least, most);
        let found = search.is_above(board, ask)?;
        if found <= ask {
            most = found;
        } else {
            least = found;
        }
    }
    Ok(least)
}

/// The score to ask about: cheap questions first. A question far from zero is answered by short
/// searches, each step towards zero costs several times more, so the interval shrinks from both
/// ends until zero itself is worth asking, and only then by halving. On the empty 7×6 board this
/// asks 7 questions and searches a fifth less than halving the larger half each time.
const fn next_question(least: i32, most: i32) -> i32 {
    if most > NEAR_ZERO && most / 2 >= least {
        most / 2
    } else if least < -NEAR_ZERO && least / 2 < most {
        least / 2
    } else if least < 0 && most > 0 {
        0
    } else {
        least + (most - least) / 2
    }
}

/// From here on a question is as dear as the one about zero.
const NEAR_ZERO: i32 = 4;
