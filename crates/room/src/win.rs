//! A win that is played against, as the page is told of it.

use collinear_agents::wins::{Source, Wins, Won};
use collinear_play::play_turn;
use collinear_rules::{Cell, Player, Position};

use crate::convert::{cells, colour};
use crate::wire::{WinBranch, WinDefence, WinSource, WinView};

/// How a player's win goes on after some stones; without a source where none is proved.
pub(crate) fn view(
    wins: &mut Wins,
    start: &Position,
    winner: Player,
    stones: &[Cell],
    node: u32,
) -> WinView {
    let unproved = WinView {
        node,
        winner: colour(winner),
        stones: cells(stones),
        answer: Vec::new(),
        turns: 0,
        rows: Vec::new(),
        defences: Vec::new(),
        source: None,
        tree: Vec::new(),
    };
    let Ok(won) = wins.show(start, winner, stones) else { return unproved };
    let Won { answer, turns, defences, source, tree, .. } = won;
    let mut after = start.clone();
    let legal = stones.iter().all(|&cell| after.play(cell).is_ok());
    if !legal || !answer.is_empty() && play_turn(&mut after, &answer).is_err() {
        return unproved;
    }
    WinView {
        answer: cells(&answer),
        turns,
        rows: after.winning_rows().iter().map(|row| cells(row)).collect(),
        defences: defences
            .into_iter()
            .map(|defence| WinDefence { cells: cells(&defence.cells), turns: defence.turns })
            .collect(),
        source: Some(match source {
            Source::Proof => WinSource::Proof,
            Source::Solver => WinSource::Solver,
            Source::Search => WinSource::Search,
        }),
        tree: tree
            .into_iter()
            .map(|branch| WinBranch {
                depth: branch.depth,
                colour: colour(branch.player),
                cells: cells(&branch.cells),
            })
            .collect(),
        ..unproved
    }
}
