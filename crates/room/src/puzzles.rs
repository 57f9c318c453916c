//! Puzzles for the page: the set that comes with the program, and positions named by their link, whose
//! win or defence the solver must prove first. `hold/` before the link asks for a defence.

use collinear_agents::puzzles::{Goal, Puzzle, shipped as set};
use collinear_play::{Game, Turn};
use collinear_rules::{Cell, Player, Rules};

use crate::convert::{colour, rules_view, side};
use crate::game::PuzzleOf;
use crate::link;
use crate::wire::PuzzleInfo;
use crate::work::{Posed, Unproved};

/// What stands before the link of a position that is to be held.
const HOLD: &str = "hold/";

/// The shipped ones, as the page lists them.
pub(crate) fn list() -> Vec<PuzzleInfo> {
    let info = |puzzle: &Puzzle| PuzzleInfo {
        id: puzzle.id.clone(),
        rules: rules_view(puzzle.position.rules()),
        goal: puzzle.goal(),
        turns: puzzle.turns,
        colour: colour(puzzle.player()),
        hold: false,
    };
    set().iter().map(info).collect()
}

/// A shipped one by its name.
pub(crate) fn shipped(id: &str) -> Option<Posed> {
    set().into_iter().find(|puzzle| puzzle.id == id).map(|puzzle| posed(puzzle, Goal::Win))
}

/// The position of a link, which is yet to be proved a puzzle, or why it can be none.
pub(crate) fn linked(id: &str) -> Result<Unproved, String> {
    let (goal, named) = match id.strip_prefix(HOLD) {
        Some(named) => (Goal::Hold, named),
        None => (Goal::Win, id),
    };
    let linked = link::read(named).map_err(|error| error.to_string())?;
    let mut position = linked.root;
    for cell in linked.moves {
        position.play(cell).map_err(|error| error.to_string())?;
    }
    let rules = position.rules();
    if rules.gravity() && *rules != Rules::CONNECT4 {
        return Err("of the games with gravity only Connect Four has puzzles".to_owned());
    }
    if goal == Goal::Hold && rules.p() > 1 {
        return Err("a defence is asked for only with one stone per turn".to_owned());
    }
    Ok(Unproved { position, goal })
}

/// A position of somebody's own as a puzzle, by what the solver said of it.
pub(crate) fn proved(
    id: &str,
    Unproved { position, goal }: &Unproved,
    solution: Option<(Turn, u16)>,
) -> Result<Posed, String> {
    match (solution, goal) {
        (Some((_, turns)), goal) => {
            let (id, position) = (id.to_owned(), position.clone());
            Ok(posed(Puzzle { id, position, turns }, *goal))
        }
        (None, Goal::Win) => Err(format!(
            "No forced win for {} found here: change the position, or use it for analysis.",
            side(position.to_move())
        )),
        (None, Goal::Hold) => {
            Err("No turn holds here, or every turn does: this is no puzzle.".to_owned())
        }
    }
}

/// A puzzle as the game on a board knows it.
fn posed(puzzle: Puzzle, wanted: Goal) -> Posed {
    let goal = match (wanted, puzzle.player()) {
        (Goal::Win, _) => puzzle.goal(),
        (Goal::Hold, Player::Black) => "Black holds".to_owned(),
        (Goal::Hold, Player::White) => "White holds".to_owned(),
    };
    let player = puzzle.player();
    let Puzzle { id, position, turns } = puzzle;
    Posed { position, puzzle: PuzzleOf { id, goal, turns, player, wanted } }
}

/// The stones of a stored game, if puzzles can be looked for in it.
pub(crate) fn stones(game: Game) -> Option<(Rules, Vec<Cell>)> {
    let rules = *game.rules();
    let from_the_start = game.root().stone_count() == 0;
    let known = [Rules::CONNECT4, Rules::GOMOKU, Rules::CONNECT6, Rules::RENJU].contains(&rules);
    (known && from_the_start).then(|| (rules, game.into_record().moves()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_asks_for_a_win_or_for_a_defence() {
        let wanted = |id: &str| linked(id).map(|found| found.goal);
        assert_eq!(wanted("gomoku/h8.i9"), Ok(Goal::Win));
        assert_eq!(wanted("hold/gomoku/h8.i9"), Ok(Goal::Hold));
        for id in ["hold/", "hold/gomoku/h8.h8", "hold/connect6/j10", "hold/hold/gomoku/h8", "x"] {
            assert!(wanted(id).is_err(), "{id}");
        }
    }

    #[test]
    fn puzzles_are_looked_for_in_games_that_began_with_an_empty_board() {
        assert!(stones(Game::new(Rules::GOMOKU)).is_some());
        let tictactoe: Rules = "tictactoe".parse().expect("rules");
        assert!(stones(Game::new(tictactoe)).is_none());
    }
}
