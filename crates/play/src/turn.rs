//! The stones of a turn: chosen one after the other, and played as a whole or not at all.

use collinear_rules::{Cell, IllegalMove, Position, notation};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{AgentError, Turn};

/// Why stones do not make a turn.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum IllegalTurn {
    /// A stone cannot go where it was put.
    #[error("stone {number} of the turn, {name}: {reason}")]
    Stone {
        /// Which stone of the turn, from 1.
        number: usize,
        /// The cell, in letters and digits.
        name: String,
        /// Why not.
        reason: IllegalMove,
    },
    /// Stones are missing and none of those named won.
    #[error("the turn takes {wanted} stones and only {given} were named")]
    TooFew {
        /// Stones named.
        given: usize,
        /// Stones left of the turn.
        wanted: usize,
    },
    /// More stones than the turn has, or stones after the winning one.
    #[error("the turn takes {wanted} stones and {given} were named")]
    TooMany {
        /// Stones named.
        given: usize,
        /// Stones the turn could use.
        wanted: usize,
    },
}

/// Chooses a turn one stone at a time: `choose` gets the position after the stones before. The turn
/// ends early with a win, or when `choose` has nothing to offer.
///
/// ```
/// use collinear_play::stone_by_stone;
/// use collinear_rules::{Position, Rules};
///
/// let position = Position::new("3x3,k=3,p=2,q=2".parse::<Rules>()?);
/// let turn = stone_by_stone(&position, |ahead| ahead.legal_cells().last().copied())?;
/// assert_eq!(turn.iter().map(|cell| cell.index()).collect::<Vec<_>>(), [8, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stone_by_stone(
    position: &Position,
    mut choose: impl FnMut(&Position) -> Option<Cell>,
) -> Result<Turn, AgentError> {
    if position.is_over() {
        return Err(AgentError::GameOver);
    }
    let mut turn = vec![choose(position).ok_or(AgentError::GameOver)?];
    if turn.len() < position.stones_left() {
        let mut ahead = position.clone();
        // Whoever plays the turn says what is wrong with a stone that is not legal.
        while turn.len() < position.stones_left()
            && ahead.play(turn[turn.len() - 1]).is_ok()
            && !ahead.is_over()
        {
            let Some(cell) = choose(&ahead) else { break };
            turn.push(cell);
        }
    }
    Ok(turn)
}

/// Plays all the stones of a turn, or none of them.
pub fn play_turn(position: &mut Position, stones: &[Cell]) -> Result<(), IllegalTurn> {
    let wanted = position.stones_left();
    let mut placed = 0;
    let verdict = loop {
        let Some(&cell) = stones.get(placed) else {
            break if placed == wanted || position.is_over() {
                Ok(())
            } else {
                Err(IllegalTurn::TooFew { given: stones.len(), wanted })
            };
        };
        if placed == wanted || (placed > 0 && position.is_over()) {
            break Err(IllegalTurn::TooMany { given: stones.len(), wanted: placed });
        }
        if let Err(reason) = position.play(cell) {
            let rules = position.rules();
            let name = if cell.index() < rules.cells() {
                notation::name(rules, cell)
            } else {
                format!("{cell:?}")
            };
            break Err(IllegalTurn::Stone { number: placed + 1, name, reason });
        }
        placed += 1;
    };
    if verdict.is_err() {
        for _ in 0..placed {
            position.undo();
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;

    #[test]
    fn a_turn_is_played_whole_or_not_at_all() {
        let mut game = Position::new(Rules::CONNECT6);
        let before = game.clone();
        let cells: Vec<_> = (0..4).map(Cell::new).collect();
        assert!(matches!(play_turn(&mut game, &cells[..2]), Err(IllegalTurn::TooMany { .. })));
        assert!(matches!(play_turn(&mut game, &[]), Err(IllegalTurn::TooFew { .. })));
        assert_eq!(game, before);
        assert_eq!(play_turn(&mut game, &cells[..1]), Ok(()));
        let refusal = play_turn(&mut game, &[cells[1], cells[0]]).map_err(|e| e.to_string());
        assert_eq!(refusal, Err("stone 2 of the turn, a1: the cell is occupied".to_owned()));
        assert_eq!(game.history(), &cells[..1]);
    }

    #[test]
    fn stones_are_chosen_after_one_another_up_to_a_win() {
        let rules: Rules = "5x1,k=2,p=3,q=1".parse().expect("rules");
        let mut game = Position::new(rules);
        let first = |ahead: &Position| ahead.legal_cells().first().copied();
        let turn = stone_by_stone(&game, first).expect("a turn");
        assert_eq!(turn, [Cell::new(0)]);
        play_turn(&mut game, &turn).expect("legal");
        let turn = stone_by_stone(&game, first).expect("a turn");
        assert_eq!(turn, [1, 2].map(Cell::new), "two of three stones win");
        assert_eq!(stone_by_stone(&game, |_| Some(Cell::new(0))), Ok(vec![Cell::new(0)]));
        play_turn(&mut game, &turn).expect("legal");
        assert_eq!(stone_by_stone(&game, first), Err(AgentError::GameOver));
        assert_eq!(stone_by_stone(&Position::new(rules), |_| None), Err(AgentError::GameOver));
    }

    #[test]
    fn a_winning_stone_may_end_the_turn_early_and_must() {
        let rules: Rules = "5x1,k=2,p=3,q=1".parse().expect("rules");
        let [a, b, c, d] = [0, 1, 2, 3].map(Cell::new);
        let mut game = Position::new(rules);
        play_turn(&mut game, &[a]).expect("legal");
        let mut early = game.clone();
        assert_eq!(play_turn(&mut early, &[b, c]), Ok(()));
        assert!(early.is_over());
        assert!(play_turn(&mut game, &[b, c, d]).is_err());
    }
}
