//! Connect Four and its relatives: the exact score of a stone in every column.

use collinear_connect4::{Limits, Mode, Solver};
use collinear_play::StopFlag;
use collinear_rules::{Outcome, Position, Rules};

use crate::wire::ColumnScore;

/// Memory of one solver's table: several may be at work.
const MEMORY: usize = 64 << 20;

/// A solver for a game.
pub(crate) fn solver(rules: &Rules) -> Option<Solver> {
    Solver::with_memory(rules, MEMORY).ok()
}

/// Solves column after column, the middle ones first, and tells after each what is known so far.
/// Stops early, with what it has, when asked to.
pub(crate) fn scores(
    solver: &mut Solver,
    position: &Position,
    stop: &StopFlag,
    tell: &mut dyn FnMut(&[ColumnScore]),
) -> Vec<ColumnScore> {
    let width = position.rules().width();
    let empty_after = position.empty_count().saturating_sub(1);
    let mut position = position.clone();
    let mut scores: Vec<ColumnScore> = (0..width)
        .map(|column| match position.drop_cell(column) {
            Some(_) => ColumnScore::Unknown,
            None => ColumnScore::Full,
        })
        .collect();
    let ask = || stop.is_stopped();
    let limits = Limits { stop: Some(&ask), ..Limits::default() };
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by_key(|column| (2 * column + 1).abs_diff(width));
    for column in order {
        let Some(cell) = position.drop_cell(column) else { continue };
        position.play_unchecked(cell);
        let score = match position.outcome() {
            // The winning stone is on the board: so many were left to the winner, it included.
            Outcome::Won(_) => {
                Some(ColumnScore::Score { score: (empty_after / 2 + 1) as i8, stones: 1 })
            }
            Outcome::Drawn => Some(ColumnScore::Score { score: 0, stones: 1 }),
            Outcome::Ongoing => {
                solver.solve_within(&position, Mode::Strong, &limits).ok().map(|solution| {
                    ColumnScore::Score {
                        score: -solution.score.get(),
                        stones: 1 + solution.score.stones_to_end(empty_after) as u32,
                    }
                })
            }
        };
        position.undo();
        let Some(score) = score else { break };
        scores[column] = score;
        tell(&scores);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::notation;

    /// Plays a Pons string and solves all columns.
    fn solved(rules: Rules, text: &str) -> (Position, Vec<ColumnScore>) {
        let mut position = Position::new(rules);
        for sign in text.chars() {
            let cell = notation::parse_pons(&position, sign).expect("a column");
            position.play(cell).expect("legal");
        }
        let mut solver = solver(&rules).expect("a gravity game");
        let scores = scores(&mut solver, &position, &StopFlag::default(), &mut |_| ());
        (position, scores)
    }

    #[test]
    fn the_scores_are_those_of_the_solver() {
        let (position, scores) = solved(Rules::CONNECT4, "44444475621");
        let mut solver = solver(&Rules::CONNECT4).expect("a gravity game");
        let wanted = solver.scores(&position).expect("solved");
        for (column, (ours, theirs)) in scores.iter().zip(wanted).enumerate() {
            let ours = match ours {
                ColumnScore::Score { score, .. } => Some(*score),
                _ => None,
            };
            assert_eq!(ours, theirs.map(collinear_connect4::Score::get), "column {column}");
        }
        assert_eq!(scores[3], ColumnScore::Full);
    }

    #[test]
    fn a_win_in_one_ends_with_this_stone() {
        let (_, scores) = solved(Rules::CONNECT4, "121212");
        assert!(matches!(scores[0], ColumnScore::Score { stones: 1, score } if score > 0));
    }

    #[test]
    fn a_stopped_solver_says_what_it_knows() {
        let stop = StopFlag::default();
        stop.stop();
        // Beyond the book, and quiet enough to need a search.
        let mut position = Position::new(Rules::CONNECT4);
        for column in [3, 3, 3, 3, 3, 1, 2, 2, 5, 1] {
            let cell = position.drop_cell(column).expect("room");
            position.play(cell).expect("legal");
        }
        let mut solver = solver(&Rules::CONNECT4).expect("a gravity game");
        let scores = scores(&mut solver, &position, &stop, &mut |_| ());
        assert_eq!(scores.len(), 7);
        assert!(scores.contains(&ColumnScore::Unknown));
    }
}
