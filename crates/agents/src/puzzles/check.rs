//! A set checked: every puzzle is proved, replayed and counted again, as if nothing were known of it.

use collinear_connect4::plain;
use collinear_rules::Position;

use super::{Attempt, Entry, Finder};

/// Empty cells up to which the slow twin of the solver is asked, too.
const PLAIN_CELLS: usize = 16;

/// What was checked of a puzzle besides its facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The proof was replayed against every defence.
    Replayed,
    /// The exact scores are those of the solver.
    Scored,
    /// And those of its slow twin, which shares nothing with it.
    ScoredTwice,
}

/// Whether a puzzle is what its line says, or why not.
pub fn verify(finder: &mut Finder, entry: &Entry) -> Result<Checked, String> {
    let facts = finder
        .facts(&entry.position, entry.goal)
        .ok_or_else(|| format!("{}: this is not proved", entry.id()))?;
    let found = (facts.turns, facts.right, &facts.themes);
    if found != (entry.turns, entry.right, &entry.themes) {
        return Err(format!("{}: found are {facts:?}", entry.id()));
    }
    let position = &entry.position;
    if !position.rules().gravity() {
        return Ok(Checked::Replayed);
    }
    if position.empty_count() > PLAIN_CELLS {
        return Ok(Checked::Scored);
    }
    if slow_facts(position, entry) {
        Ok(Checked::ScoredTwice)
    } else {
        Err(format!("{}: the slow solver says something else", entry.id()))
    }
}

/// The right columns and the length of the win by the slow twin.
fn slow_facts(position: &Position, entry: &Entry) -> bool {
    let mut scores = Vec::new();
    for cell in position.legal_cells() {
        let mut after = position.clone();
        after.play_unchecked(cell);
        scores.push(-plain::score(&mut after, &mut 0));
    }
    let least = i8::from(entry.goal == super::Goal::Win);
    let right = scores.iter().filter(|score| **score >= least).count();
    let best = collinear_connect4::Score::new(scores.into_iter().max().unwrap_or(0));
    let turns = best.stones_to_end(position.empty_count()).div_ceil(2);
    right == usize::from(entry.right)
        && (entry.goal == super::Goal::Hold || turns == usize::from(entry.turns))
}

/// Of all pairs of which levels solved one more often than the other: how many, and in how many of
/// them the one with the lower rating is the one that was solved more often.
pub fn order(tried: &[(u16, Vec<Attempt>)]) -> (u64, u64) {
    let (mut pairs, mut agree) = (0, 0);
    let solved = |attempts: &[Attempt]| attempts.iter().filter(|attempt| attempt.solved).count();
    let counted: Vec<(u16, usize)> =
        tried.iter().map(|(rating, attempts)| (*rating, solved(attempts))).collect();
    for (at, &(rating, solved)) in counted.iter().enumerate() {
        for &(other_rating, other_solved) in &counted[at + 1..] {
            if solved == other_solved {
                continue;
            }
            pairs += 1;
            let (easy, hard) =
                if solved > other_solved { (rating, other_rating) } else { (other_rating, rating) };
            agree += u64::from(easy < hard);
        }
    }
    (pairs, agree)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::{Goal, play_game};
    use collinear_rules::Rules;

    fn found(rules: &Rules, games: std::ops::Range<u64>) -> Vec<Entry> {
        games
            .filter_map(|seed| play_game(rules, seed))
            .flat_map(|game| Finder::new(rules, 1).find(&game))
            .collect()
    }

    #[test]
    fn what_is_found_is_proved_again_and_made_again() {
        for (rules, games) in [(Rules::CONNECT4, 12), (Rules::CONNECT6, 1)] {
            let puzzles = found(&rules, 0..games);
            assert!(!puzzles.is_empty(), "{rules}");
            for puzzle in &puzzles {
                verify(&mut Finder::new(&rules, 9), puzzle).expect("as it was found");
            }
            assert_eq!(found(&rules, 0..games), puzzles, "{rules}");
        }
    }

    #[test]
    fn a_line_that_is_wrong_is_found_out() {
        let rules = Rules::CONNECT4;
        let puzzles = found(&rules, 0..60);
        let mut finder = Finder::new(&rules, 1);
        let win = puzzles.iter().find(|puzzle| puzzle.goal == Goal::Win).expect("a win");
        let longer = Entry { turns: win.turns + 1, ..win.clone() };
        assert!(verify(&mut finder, &longer).is_err());
        let easier = Entry { right: win.right + 1, ..win.clone() };
        assert!(verify(&mut finder, &easier).is_err());
        let empty = Entry { position: Position::new(rules), ..win.clone() };
        assert!(verify(&mut finder, &empty).is_err());
    }

    #[test]
    fn pairs_agree_where_the_harder_one_is_solved_less() {
        let tried = |rating, solved: usize| {
            let attempts = (0..4).map(|at| Attempt { rating: 1500.0, solved: at < solved });
            (rating, attempts.collect())
        };
        assert_eq!(order(&[tried(900, 4), tried(1500, 2), tried(2000, 0)]), (3, 3));
        assert_eq!(order(&[tried(900, 0), tried(1500, 2), tried(2000, 2)]), (2, 0));
    }
}
