//! What a solved position is worth, in the words of a coach: reviews of games with gravity are judged by
//! exact values instead of estimates.

use collinear_connect4::{Limits, Score, Solver};
use collinear_engine::analysis::Searched;
use collinear_play::Value;
use collinear_rules::{Cell, Position};

/// The value of every column, and the best one; none when the solver was stopped or does not know the
/// game.
pub fn searched(solver: &mut Solver, position: &Position, limits: &Limits<'_>) -> Option<Searched> {
    let (cell, score) = columns(solver, position, limits)?.into_iter().next()?;
    Some(Searched {
        best: vec![cell],
        line: vec![cell],
        value: value(score, position.empty_count()),
        depth: position.empty_count() as u32,
        proof: None,
    })
}

/// The columns with their scores for the player to move, the best first, of equals the middle one.
pub(crate) fn columns(
    solver: &mut Solver,
    position: &Position,
    limits: &Limits<'_>,
) -> Option<Vec<(Cell, Score)>> {
    let scores =
        solver.scores_within(position, collinear_connect4::Mode::Strong, limits).ok()?.columns;
    let width = position.rules().width();
    let scored = (0..width).zip(scores).filter_map(|(column, score)| Some((column, score?)));
    let mut columns: Vec<(usize, Score)> = scored.collect();
    columns.sort_by_key(|&(column, score)| {
        (std::cmp::Reverse(score.get()), (2 * column + 1).abs_diff(width))
    });
    columns.into_iter().map(|(column, score)| Some((position.drop_cell(column)?, score))).collect()
}

/// A score as a value for the player to move, with this many cells empty.
pub(crate) fn value(score: Score, empty: usize) -> Value {
    let stones = score.stones_to_end(empty);
    match score.get() {
        0 => Value::Draw,
        1.. => Value::WinsIn(stones.div_ceil(2) as u16),
        ..0 => Value::LosesIn((stones / 2) as u16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_engine::analysis::{Grade, judge, positions, side, turning_point};
    use collinear_rules::{Player, Rules, notation};

    /// Red throws a won game away with the third stone, Yellow gives it back with the fourth.
    #[test]
    fn a_win_that_was_lost_and_given_back_is_marked_on_both_sides() {
        let rules = Rules::CONNECT4;
        let cell = |name: &str| notation::parse(&rules, name).expect(name);
        let stones: Vec<Cell> =
            ["d1", "d2", "c1", "c2", "e1", "d3", "b1"].map(cell).into_iter().collect();
        let start = Position::new(rules);
        let mut solver = Solver::with_memory(&rules, 16 << 20).expect("solves");
        let positions = positions(&start, &stones).expect("legal");
        let searched =
            positions.iter().filter(|(position, _)| !position.is_over()).map(|(position, _)| {
                searched(&mut solver, position, &Limits::default()).expect("solved")
            });
        let turns = judge(&start, &stones, searched.collect()).expect("legal");
        let grade = |at: usize| turns[at - 1].grade;
        assert!(matches!(turns[2].value, Value::WinsIn(_)), "the first player wins");
        assert!(matches!(turns[2].after, Value::LosesIn(_)));
        assert_eq!(grade(3), Grade::MissedWin);
        assert_eq!(grade(4), Grade::MissedWin, "Yellow had the win then");
        assert_eq!((grade(5), grade(7)), (Grade::Best, Grade::Best));
        assert_eq!(side(&turns, Player::Black).missed_wins, 1);
        assert_eq!(turning_point(&turns), Some(2));
    }
}
