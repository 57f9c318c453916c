//! A proof played out: the defences against a winning turn, the one that holds out longest first, and
//! what the proof answers to each.
//!
//! ```text
//! attacker: turn ──▶ defences(position, proof) ──▶ answer(position, proof, defence) ──▶ turn ──▶ …
//! ```
//!
//! What the [checker](super::check) tries against a proof is what can be asked here: a defence that
//! leaves a row open loses to that row, any other one has its place in the tree.

use std::sync::Arc;

use collinear_play::{Turn, play_turn};
use collinear_rules::{Cell, Player, Position};
use collinear_windows::{ThreatCounter, Windows, offsets};

use super::{Answer, COUNT_STEPS, Proof, Then};
use crate::search::row;

/// More defences than anybody tries.
const MAX_DEFENCES: usize = 48;
/// More stones than any board that is drawn holds in a forced line.
const MAX_LINE: usize = 120;

/// A turn of the defender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defence {
    /// Its stones.
    pub cells: Turn,
    /// Turns that the attacker still needs after it, at most.
    pub turns: u16,
}

/// What the attacker plays next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// These stones complete a row.
    Row(Turn),
    /// The turn of this proof.
    Proof(Arc<Proof>),
}

impl Step {
    /// The stones.
    pub fn turn(&self) -> &[Cell] {
        match self {
            Self::Row(turn) => turn,
            Self::Proof(proof) => &proof.turn,
        }
    }
}

/// What the defender may try against a proof whose turn was just played, the longest resistance first.
/// Where no turn stops all threats it is the one that stops most of them; nothing when the game is over.
pub fn defences(position: &Position, proof: &Proof) -> Vec<Defence> {
    if position.is_over() {
        return Vec::new();
    }
    let mut found = match &proof.then {
        Then::Row => Vec::new(),
        Then::Overload => vec![Defence { cells: crowded(position), turns: 1 }],
        Then::Union { next, .. } => {
            let defence = |cells| Defence { cells, turns: next.turns() };
            covers(position).into_iter().map(defence).collect()
        }
        Then::Covers(covers) => covers
            .iter()
            .map(|(cells, next)| Defence { cells: cells.clone(), turns: next.turns() })
            .collect(),
        Then::Quiet(answer) => {
            let mut found = Vec::new();
            quiet(position, answer, &mut Vec::new(), &mut found);
            found
        }
    };
    found.retain(|defence| is_playable(position, &defence.cells));
    found.sort_by_key(|defence| std::cmp::Reverse(defence.turns));
    found.truncate(MAX_DEFENCES);
    found
}

/// The attacker's next turn. `before` is the position before the defender's turn, after that of the
/// proof; none when the defence is no turn or the proof does not know it.
pub fn answer(before: &Position, proof: &Proof, defence: &[Cell]) -> Option<Step> {
    let mut after = before.clone();
    play_turn(&mut after, defence).ok()?;
    if after.is_over() {
        return None;
    }
    if let Some(turn) = row(&after) {
        return Some(Step::Row(turn));
    }
    let next = match &proof.then {
        Then::Row | Then::Overload => None,
        Then::Union { cells, next, .. } => {
            defence.iter().all(|cell| cells.contains(cell)).then(|| next.clone())
        }
        Then::Covers(covers) => covers
            .iter()
            .find(|(cover, _)| {
                cover.len() == defence.len() && cover.iter().all(|cell| defence.contains(cell))
            })
            .map(|(_, next)| next.clone()),
        Then::Quiet(answer) => Some(answer_to(answer, defence)),
    };
    next.map(Step::Proof)
}

/// The proof's main line to its end: the attacker's turns with the longest defence between them.
pub fn line(position: &Position, proof: &Arc<Proof>) -> Vec<Cell> {
    let mut position = position.clone();
    let mut line = Vec::new();
    let mut step = Some(Step::Proof(proof.clone()));
    while let Some(now) = step.take() {
        if line.len() >= MAX_LINE || play_turn(&mut position, now.turn()).is_err() {
            break;
        }
        line.extend_from_slice(now.turn());
        let Step::Proof(proof) = now else { break };
        let Some(defence) = defences(&position, &proof).into_iter().next() else { break };
        step = answer(&position, &proof, &defence.cells);
        if step.is_none() || play_turn(&mut position, &defence.cells).is_err() {
            break;
        }
        line.extend(defence.cells);
    }
    line
}

/// The smallest sets of cells that stop all threats of whoever has just moved.
fn covers(position: &Position) -> Vec<Turn> {
    let mut counter = ThreatCounter::with_steps(COUNT_STEPS);
    counter.defences(&Windows::of(position), position.to_move().opponent(), MAX_DEFENCES)
}

/// A turn on the cells that most threats need, where no turn stops them all.
fn crowded(position: &Position) -> Turn {
    let defender = position.to_move();
    let mut windows = Windows::of(position);
    let mut turn = Turn::new();
    let mut ahead = position.clone();
    while ahead.to_move() == defender && !ahead.is_over() {
        let mut worth = vec![0_u32; position.rules().cells()];
        for (line, found) in windows.lines_within(defender.opponent(), position.rules().p()) {
            let cells = windows.geometry().line_cells(line);
            for offset in offsets(found) {
                for index in offsets(windows.empties(line, offset)) {
                    worth[cells[index].index()] += 1;
                }
            }
        }
        let free = position.rules().all_cells().filter(|&cell| is_allowed_in(&ahead, cell));
        let Some(cell) = free.max_by_key(|cell| (worth[cell.index()], std::cmp::Reverse(*cell)))
        else {
            break;
        };
        ahead.play_unchecked(cell);
        windows.place(cell, defender);
        turn.push(cell);
    }
    turn
}

/// The turns that need an answer of their own after a quiet turn, filled up where fewer stones do.
fn quiet(position: &Position, answer: &Answer, chosen: &mut Turn, found: &mut Vec<Defence>) {
    if found.len() >= MAX_DEFENCES {
        return;
    }
    let mut ahead = position.clone();
    if chosen.iter().any(|&cell| ahead.play(cell).is_err()) {
        return;
    }
    if ahead.to_move() != position.to_move() {
        let mut cells = chosen.clone();
        cells.sort_unstable();
        if !found.iter().any(|known| known.cells == cells) {
            found.push(Defence { cells, turns: answer.proof.turns() });
        }
        return;
    }
    for (cell, next) in &answer.stones {
        chosen.push(*cell);
        quiet(position, next, chosen, found);
        chosen.pop();
    }
    // Any other stone changes nothing: one stands for all of them.
    if answer.stones.is_empty() {
        let free = position.rules().all_cells().find(|&cell| is_allowed_in(&ahead, cell));
        if let Some(cell) = free {
            chosen.push(cell);
            quiet(position, answer, chosen, found);
            chosen.pop();
        }
    }
}

/// The proof for a turn of the defender: down the tree of answers, by any stone that is in it.
fn answer_to(answer: &Answer, turn: &[Cell]) -> Arc<Proof> {
    for (cell, next) in &answer.stones {
        if let Some(at) = turn.iter().position(|stone| stone == cell) {
            let rest = [&turn[..at], &turn[at + 1..]].concat();
            return answer_to(next, &rest);
        }
    }
    answer.proof.clone()
}

/// Whether a turn is legal and loses by no forbidden point.
fn is_playable(position: &Position, cells: &[Cell]) -> bool {
    let mut ahead = position.clone();
    let stones = cells.iter().all(|&cell| is_allowed_in(&ahead, cell) && ahead.play(cell).is_ok());
    stones && (ahead.is_over() || ahead.to_move() != position.to_move())
}

fn is_allowed_in(position: &Position, cell: Cell) -> bool {
    let foul = position.to_move() == Player::Black && position.is_forbidden(cell);
    position.check(cell).is_ok() && !foul
}
