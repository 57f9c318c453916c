//! The tree of a short proof, to be drawn: every answer with every defence that stops all threats.

use std::sync::Arc;

use collinear_engine::proof::{self, Proof, Step};
use collinear_play::{Turn, Value, play_turn};
use collinear_rules::{Cell, Player, Position};

use super::Wins;

/// More turns than a drawing holds.
const MAX_BRANCHES: usize = 60;
/// Turns of the winner in a drawn tree of a game with gravity, where every column is a defence.
const MAX_DROPS: u16 = 2;

/// One turn in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Turns before it.
    pub depth: u16,
    /// Whose.
    pub player: Player,
    /// Its stones.
    pub cells: Turn,
}

/// The tree of a proof in its position, parents before children; nothing when it is too large.
pub(super) fn of_proof(position: &Position, proof: &Arc<Proof>) -> Vec<Branch> {
    let mut branches = Vec::new();
    grow(position, &Step::Proof(proof.clone()), 0, &mut branches);
    if branches.len() > MAX_BRANCHES { Vec::new() } else { branches }
}

fn grow(position: &Position, step: &Step, depth: u16, branches: &mut Vec<Branch>) {
    if branches.len() > MAX_BRANCHES {
        return;
    }
    let mut after = position.clone();
    let player = position.to_move();
    if play_turn(&mut after, step.turn()).is_err() {
        return;
    }
    branches.push(Branch { depth, player, cells: step.turn().to_vec() });
    let Step::Proof(proof) = step else { return };
    for defence in proof::defences(&after, proof) {
        let Some(next) = proof::answer(&after, proof, &defence.cells) else { continue };
        let mut defended = after.clone();
        if play_turn(&mut defended, &defence.cells).is_err() {
            continue;
        }
        let cells = defence.cells;
        branches.push(Branch { depth: depth + 1, player: player.opponent(), cells });
        grow(&defended, &next, depth + 2, branches);
    }
}

impl Wins {
    /// The same with gravity: the quickest win against every column.
    pub(super) fn drop_tree(
        &mut self,
        position: &Position,
        winner: Player,
        turns: u16,
    ) -> Vec<Branch> {
        let mut branches = Vec::new();
        if turns > MAX_DROPS {
            return branches;
        }
        self.drop_branches(position, winner, 0, &mut branches);
        if branches.len() > MAX_BRANCHES { Vec::new() } else { branches }
    }

    fn drop_branches(
        &mut self,
        position: &Position,
        winner: Player,
        depth: u16,
        branches: &mut Vec<Branch>,
    ) {
        if position.is_over() || branches.len() > MAX_BRANCHES {
            return;
        }
        let Ok(ranked) = self.ranked(position) else { return };
        let player = position.to_move();
        let cells: Vec<Cell> = if player == winner {
            ranked.into_iter().take(1).map(|(cell, _)| cell).collect()
        } else {
            let lost = |(cell, value)| matches!(value, Value::LosesIn(_)).then_some(cell);
            ranked.into_iter().filter_map(lost).collect()
        };
        for cell in cells {
            branches.push(Branch { depth, player, cells: vec![cell] });
            let mut after = position.clone();
            after.play_unchecked(cell);
            self.drop_branches(&after, winner, depth + 1, branches);
        }
    }
}
