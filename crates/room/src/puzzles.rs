//! Puzzles for the page: the set that comes with the program, and positions of one's own. Those are
//! named by their link, and the solver must prove the win first.

use collinear_agents::puzzles::{Puzzle, shipped as set};
use collinear_rules::Rules;

use crate::convert::{colour, rules_view};
use crate::game::PuzzleOf;
use crate::link;
use crate::wire::PuzzleInfo;

/// The shipped ones, as the page lists them.
pub(crate) fn list() -> Vec<PuzzleInfo> {
    let info = |puzzle: &Puzzle| PuzzleInfo {
        id: puzzle.id.clone(),
        rules: rules_view(puzzle.position.rules()),
        goal: puzzle.goal(),
        turns: puzzle.turns,
        colour: colour(puzzle.player()),
    };
    set().iter().map(info).collect()
}

/// A shipped one by its name.
pub(crate) fn shipped(id: &str) -> Option<Puzzle> {
    set().into_iter().find(|puzzle| puzzle.id == id)
}

/// The position of a link as a puzzle whose win is yet to be proved, in how many turns it does not
/// know, or why it can be none.
pub(crate) fn unproved(id: String) -> Result<Puzzle, String> {
    let linked = link::read(&id).map_err(|error| error.to_string())?;
    let mut position = linked.root;
    for cell in linked.moves {
        position.play(cell).map_err(|error| error.to_string())?;
    }
    let rules = position.rules();
    if rules.gravity() && *rules != Rules::CONNECT4 {
        return Err("of the games with gravity only Connect Four has puzzles".to_owned());
    }
    Ok(Puzzle { id, position, turns: 0 })
}

/// A puzzle as the game on a board knows it.
pub(crate) fn on_board(puzzle: Puzzle) -> PuzzleOf {
    PuzzleOf { goal: puzzle.goal(), turns: puzzle.turns, player: puzzle.player(), id: puzzle.id }
}
