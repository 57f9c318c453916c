//! The independent checker: replays a proof against every defence.
//!
//! It shares nothing with the search but the rules: it looks at a plain [`Position`], scans all
//! windows anew at every step, and tries every set of stones of the defender that leaves the
//! attacker no row. A defence that leaves one loses to that row, so nothing else need be tried.

use std::collections::HashSet;

use collinear_rules::{Cell, Outcome, Overline, Player, Position};
use thiserror::Error;

use super::{Answer, Proof, Then};

/// Why a proof proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refutation {
    /// A stone of the attacker cannot be placed.
    #[error("after {line:?} the stone {cell:?} cannot be placed")]
    Illegal {
        /// Stones so far.
        line: Vec<Cell>,
        /// The stone.
        cell: Cell,
    },
    /// The turn has the wrong number of stones.
    #[error("after {line:?} the turn has {stones} stones")]
    TurnLength {
        /// Stones so far.
        line: Vec<Cell>,
        /// Stones of the turn.
        stones: usize,
    },
    /// A row was claimed that is not there.
    #[error("{line:?} completes no row")]
    NoRow {
        /// Stones so far.
        line: Vec<Cell>,
    },
    /// The defender completes a row.
    #[error("after {line:?} the defender completes a row")]
    DefenderWins {
        /// Stones so far.
        line: Vec<Cell>,
    },
    /// The defender stops everything and the proof has no answer.
    #[error("after {line:?} the proof has no answer to {defence:?}")]
    Unanswered {
        /// Stones so far.
        line: Vec<Cell>,
        /// The defence.
        defence: Vec<Cell>,
    },
}

/// Checks that the player to move wins as the proof says, whatever the opponent does.
pub fn check(position: &Position, proof: &Proof) -> Result<(), Refutation> {
    let attacker = position.to_move();
    Checker { attacker, line: Vec::new(), done: HashSet::new() }.turn(&mut position.clone(), proof)
}

struct Checker {
    attacker: Player,
    line: Vec<Cell>,
    /// Positions with the proof node that was found good for them.
    done: HashSet<(u64, *const Proof)>,
}

impl Checker {
    fn turn(&mut self, position: &mut Position, proof: &Proof) -> Result<(), Refutation> {
        let known = (position.key(), std::ptr::from_ref(proof));
        if self.done.contains(&known) {
            return Ok(());
        }
        let left = position.stones_left();
        let length = proof.turn.len();
        if length == 0 || length > left || length < left && proof.then != Then::Row {
            return Err(Refutation::TurnLength { line: self.line.clone(), stones: length });
        }
        for &cell in &proof.turn {
            if is_foul(position, cell) || position.play(cell).is_err() {
                return Err(Refutation::Illegal { line: self.line.clone(), cell });
            }
            self.line.push(cell);
        }
        self.judge(position, proof)?;
        for _ in &proof.turn {
            position.undo();
            self.line.pop();
        }
        self.done.insert(known);
        Ok(())
    }

    fn judge(&mut self, position: &mut Position, proof: &Proof) -> Result<(), Refutation> {
        if proof.then == Then::Row {
            return match position.outcome() {
                Outcome::Won(player) if player == self.attacker => Ok(()),
                _ => Err(Refutation::NoRow { line: self.line.clone() }),
            };
        }
        // Renju: every cell left is forbidden to Black.
        if position.outcome() == Outcome::Won(self.attacker) {
            return Ok(());
        }
        let stones = position.stones_left();
        if !open_windows(position, !self.attacker, stones).is_empty() {
            return Err(Refutation::DefenderWins { line: self.line.clone() });
        }
        if let Then::Quiet(answer) = &proof.then {
            return self.free(position, answer, Cell::new(0), &mut Vec::new());
        }
        // The attacker's next turn has as many stones as the board has room for.
        let room = position.empty_count().saturating_sub(stones);
        let next = position.rules().p().min(room);
        let threats = open_windows(position, self.attacker, next);
        let mut defences = Vec::new();
        hitting_sets(&threats, stones, &mut Vec::new(), &mut defences);
        for defence in defences {
            self.defence(position, proof, &defence)?;
        }
        Ok(())
    }

    /// After a quiet turn the defender may do anything: every turn of his, in every choice of cells
    /// from `from` on, must have an answer.
    fn free(
        &mut self,
        position: &mut Position,
        answer: &Answer,
        from: Cell,
        turn: &mut Vec<Cell>,
    ) -> Result<(), Refutation> {
        if position.to_move() == self.attacker {
            let next = answer_to(answer, turn);
            return self.turn(position, next);
        }
        for index in from.index()..position.rules().cells() {
            let cell = Cell::new(index);
            if !position.is_empty(cell) || is_foul(position, cell) {
                continue;
            }
            if position.play(cell).is_err() || position.is_over() {
                return Err(Refutation::DefenderWins { line: self.line.clone() });
            }
            self.line.push(cell);
            turn.push(cell);
            self.free(position, answer, Cell::new(index + 1), turn)?;
            turn.pop();
            self.line.pop();
            position.undo();
        }
        Ok(())
    }

    /// A defence that stops every threat: the proof must go on.
    fn defence(
        &mut self,
        position: &mut Position,
        proof: &Proof,
        defence: &[Cell],
    ) -> Result<(), Refutation> {
        let unanswered =
            || Refutation::Unanswered { line: self.line.clone(), defence: defence.to_vec() };
        // What Renju forbids is not a defence.
        if defence.iter().any(|&cell| is_foul(position, cell)) {
            return Ok(());
        }
        // Stones to spare could go anywhere: the proof must force all of them.
        if defence.len() < position.stones_left() {
            return Err(unanswered());
        }
        let next = match &proof.then {
            Then::Row | Then::Overload | Then::Quiet(_) => None,
            Then::Union { cells, next, .. } => {
                defence.iter().all(|cell| cells.contains(cell)).then_some(next)
            }
            Then::Covers(covers) => covers
                .iter()
                .find(|(cover, _)| {
                    cover.len() == defence.len() && cover.iter().all(|c| defence.contains(c))
                })
                .map(|(_, next)| next),
        };
        let next = next.ok_or_else(unanswered)?.clone();
        for &cell in defence {
            if position.play(cell).is_err() {
                return Err(Refutation::Illegal { line: self.line.clone(), cell });
            }
            self.line.push(cell);
        }
        self.turn(position, &next)?;
        for _ in defence {
            position.undo();
            self.line.pop();
        }
        Ok(())
    }
}

/// Whether the player to move loses by this stone.
fn is_foul(position: &Position, cell: Cell) -> bool {
    position.to_move() == Player::Black && position.is_forbidden(cell)
}

/// The proof for a turn of the defender: down the tree of answers, by any stone that is in it.
fn answer_to<'a>(answer: &'a Answer, turn: &[Cell]) -> &'a Proof {
    for (cell, next) in &answer.stones {
        if let Some(at) = turn.iter().position(|stone| stone == cell) {
            let rest = [&turn[..at], &turn[at + 1..]].concat();
            return answer_to(next, &rest);
        }
    }
    &answer.proof
}

/// The empty cells of every window that a player could fill with this many stones and win.
fn open_windows(position: &Position, player: Player, stones: usize) -> Vec<Vec<Cell>> {
    let geometry = position.geometry();
    let mut found = Vec::new();
    for window in geometry.windows() {
        let cells = geometry.window_cells(window);
        if cells.iter().any(|&cell| position.at(cell) == Some(!player)) {
            continue;
        }
        let empty: Vec<Cell> =
            cells.iter().copied().filter(|&cell| position.is_empty(cell)).collect();
        let spoiled = position.rules().overline(player) == Overline::Ignored
            && geometry
                .window_flanks(window)
                .into_iter()
                .flatten()
                .any(|cell| position.at(cell) == Some(player));
        if empty.len() <= stones && !spoiled {
            found.push(empty);
        }
    }
    found
}

/// Every set of at most `size` cells that hits all sets, some of them more than once.
fn hitting_sets(
    sets: &[Vec<Cell>],
    size: usize,
    chosen: &mut Vec<Cell>,
    found: &mut Vec<Vec<Cell>>,
) {
    let Some(open) = sets.iter().find(|set| !set.iter().any(|cell| chosen.contains(cell))) else {
        let mut cells = chosen.clone();
        cells.sort_unstable();
        if !found.contains(&cells) {
            found.push(cells);
        }
        return;
    };
    if size == 0 {
        return;
    }
    for &cell in open {
        chosen.push(cell);
        hitting_sets(sets, size - 1, chosen, found);
        chosen.pop();
    }
}
