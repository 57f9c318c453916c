//! What the player to move should do: the value of a position, a stone that keeps it, and how soon a
//! win comes. For players, who ask position after position of one game with one table.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use collinear_rules::{Cell, Player, Position, Rules};

use crate::ProveError;
use crate::board::bits;
use crate::certificate::{Goal, Value};
use crate::extract::{Place, Step, Unwritten, Writer};
use crate::node::{Key, Node, Question};
use crate::prover::{Limits, NEVER, Prover};
use crate::search::Search;

/// The value of a position and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Who wins with perfect play.
    pub value: Value,
    /// A stone that keeps the value; none where the position is lost.
    pub cell: Option<Cell>,
    /// Where somebody wins: the row is complete after this many stones from now, at most.
    pub stones: Option<u32>,
}

impl Prover {
    /// Goes to another position of the same game; what the table knows stays.
    pub fn turn_to(&mut self, position: &Position) -> Result<(), ProveError> {
        if position.rules() != self.position().rules() {
            return Err(ProveError::OtherGame);
        }
        if position.is_over() {
            return Err(ProveError::Over);
        }
        self.set_position(position);
        Ok(())
    }

    /// Says what the position is worth and which stone keeps that.
    pub fn advise(&self, limits: &Limits<'_>) -> Result<Advice, ProveError> {
        let value = self.value(limits)?;
        let mover = self.position().to_move();
        let stop = limits.stop.unwrap_or(&NEVER);
        let halt = AtomicBool::new(false);
        let (attacker, goal) = match value {
            Value::Won(player) => (player, Goal::Wins),
            Value::Draw => (!mover, Goal::Holds),
        };
        // The weak form of the question, where it is answered, has the shorter strategy.
        let weak = goal == Goal::Holds && self.is_answered(attacker, true) == Some(false);
        let mut search = self.search(Question { attacker, weak }, (&halt, stop));
        let root = self.root(attacker);
        let tries = limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes()));
        let found = if value == Value::Won(mover) {
            soonest(&mut search, &root, tries).map(|(cell, stones)| (Some(cell), Some(stones)))
        } else if value == Value::Draw {
            Writer::new(&mut search, goal).right_move(&root).map(|cell| (Some(cell), None))
        } else {
            let stones = stones_to_row(&mut search, &root, &mut HashMap::new());
            stones.map(|stones| (None, Some(stones)))
        };
        search.count_rest();
        let (cell, stones) = found.map_err(|why| self.unwritten(why))?;
        let cell = cell.map(|cell| Cell::new(cell.trailing_zeros() as usize));
        Ok(Advice { value, cell, stones })
    }
}

/// The attacker's stone with the shortest strategy, of those that win within a few nodes, and the
/// stones until the row. Other stones than the one that is known to win get `tries` nodes.
fn soonest(search: &mut Search<'_>, node: &Node, tries: u64) -> Result<(u64, u32), Unwritten> {
    if let Some(row) = row_at_once(search, node) {
        return Ok((row & row.wrapping_neg(), row.count_ones()));
    }
    let mut known = HashMap::new();
    let sure = Writer::new(search, Goal::Wins).right_move(node)?;
    let mut best = (sure, stones_to_row(search, &node.play(search.board, sure), &mut known)?);
    let moves = search.moves(node);
    let most = search.most;
    for cell in bits(moves & !sure) {
        let child = node.play(search.board, cell);
        let allowed = search.nodes.saturating_add(TRY_NODES).min(tries);
        search.most = most.min(allowed);
        let wins = search.solve(&child) == Ok(true);
        search.most = most;
        if wins {
            let stones = stones_to_row(search, &child, &mut known)?;
            best = if stones < best.1 { (cell, stones) } else { best };
        }
    }
    Ok((best.0, best.1 + 1))
}

/// The cells of a row that the attacker, to move, completes in this turn; with gravity only by the
/// next stone.
fn row_at_once(search: &mut Search<'_>, node: &Node) -> Option<u64> {
    let board = search.board;
    search.live.find(board, search.question, node);
    let playable = board.playable(node.empty(board));
    let left = u32::from(node.turn.left);
    let near = |window: u64| {
        if board.nature.gravity {
            window.is_power_of_two() && window & playable != 0
        } else {
            window.count_ones() <= left
        }
    };
    search
        .live
        .attack
        .iter()
        .copied()
        .filter(|&window| near(window))
        .min_by_key(|window| window.count_ones())
}

/// Stones until the attacker's row is complete, with the strategy of the table and the reply that
/// holds out longest against it. The attacker wins from here.
fn stones_to_row(
    search: &mut Search<'_>,
    node: &Node,
    known: &mut HashMap<Key, u32>,
) -> Result<u32, Unwritten> {
    let (board, question) = (search.board, search.question);
    let Place::Open(live) = Place::of(board, question, node, Goal::Wins) else {
        return Ok(row_at_once(search, node).map_or(0, u64::count_ones));
    };
    let form = live.form(board, question, node);
    if let Some(&stones) = known.get(&form) {
        return Ok(stones);
    }
    let stones = match Step::at(board, node, &live, Goal::Wins) {
        Step::Mine => {
            let cell = Writer::new(search, Goal::Wins).right_move(node)?;
            stones_to_row(search, &node.play(board, cell), known)?
        }
        Step::Theirs(moves) => {
            let mut most = 0;
            for cell in bits(moves) {
                most = most.max(stones_to_row(search, &node.play(board, cell), known)?);
            }
            most
        }
    };
    known.insert(form, stones + 1);
    Ok(stones + 1)
}

/// Whether a game has positions small enough to be proved while somebody waits.
pub fn is_quick(rules: &Rules) -> bool {
    rules.cells() <= QUICK_CELLS && !rules.is_renju()
}

/// Nodes for each other stone, when one that wins is known.
const TRY_NODES: u64 = 1000;
/// Boards of this many cells are proved in seconds.
const QUICK_CELLS: usize = 25;

/// Turns of a player in which this many stones from now are placed.
pub fn turns_of(position: &Position, player: Player, stones: u32) -> u32 {
    let p = position.rules().p() as u32;
    let left = position.stones_left() as u32;
    let own = u32::from(position.to_move() == player);
    if stones <= left {
        return own;
    }
    let turns = (stones - left).div_ceil(p);
    // The turns after this one alternate, the opponent's first where this one is the player's.
    own + if own == 1 { turns / 2 } else { turns.div_ceil(2) }
}
