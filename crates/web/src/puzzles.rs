//! Puzzles for the page: the set that comes with the program, and positions of one's own. Those are
//! named by their link, and the solver must prove the win first.

use std::sync::Arc;

use collinear_agents::puzzles::{Judge, Puzzle, shipped as set};
use collinear_play::Game;
use collinear_rules::{Player, Rules};
use tokio::sync::mpsc;

use crate::convert::{colour, rules_view};
use crate::game::{PageGame, PuzzleOf};
use crate::link;
use crate::pool::{Pool, Slicing};
use crate::socket::game_of_people;
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

/// The position of a link as a puzzle, or why it is none.
pub(crate) async fn own(pool: &Arc<Pool>, id: String) -> Result<Puzzle, String> {
    let linked = link::read(&id).map_err(|error| error.to_string())?;
    let mut position = linked.root;
    for cell in linked.moves {
        position.play(cell).map_err(|error| error.to_string())?;
    }
    let rules = *position.rules();
    if rules.gravity() && rules != Rules::CONNECT4 {
        // The solver would take as long as it takes.
        return Err("of the games with gravity only Connect Four has puzzles".to_owned());
    }
    let (sender, mut answer) = mpsc::channel(1);
    let asked = position.clone();
    let _job = pool.submit(
        Slicing::Whole,
        sender,
        |_| None,
        |_| None,
        move |_| Judge::new(&rules).solution(&asked),
    );
    let Some((_, turns)) = answer.recv().await.flatten() else {
        let player = if position.to_move() == Player::Black { "Black" } else { "White" };
        return Err(format!(
            "no win of {player} can be proved here: change the position, or use it for analysis"
        ));
    };
    Ok(Puzzle { id, position, turns })
}

/// A puzzle on the board.
pub(crate) fn on_board(puzzle: Puzzle) -> PageGame {
    let of = PuzzleOf {
        goal: puzzle.goal(),
        turns: puzzle.turns,
        player: puzzle.player(),
        id: puzzle.id,
    };
    let mut game = game_of_people(Game::from_position(puzzle.position));
    game.puzzle = Some(of);
    game
}
