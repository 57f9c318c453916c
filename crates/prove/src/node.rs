//! A position as the search sees it: one player attacks, the other defends, and the question is
//! whether the attacker completes a row.
//!
//! Positions that differ only in what cannot matter are one. Where any empty cell may be taken and
//! a stone never harms its owner, a cell in no live window cannot matter, and neither can a stone
//! in no live window of its colour: all of these become walls.
//!
//! ```text
//! k = 3    X O . .        # O . .      X is in no live window, and d1 neither:
//!          . . O .   →    . . O .      the position is the same with walls there
//! ```

use collinear_rules::Player;

use crate::board::Board;

/// "Does this player complete a row?", with or without the opponent's own rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// Who is to win.
    pub(crate) attacker: Player,
    /// The defender's own rows do not count (the Maker-Breaker game). Whoever holds in this game
    /// holds in the real one, where the attacker must answer threats as well.
    pub(crate) weak: bool,
}

/// No limit of stones: [`Node::rest`] of a question that is not about the distance.
pub(crate) const NO_LIMIT: u8 = u8::MAX;

/// Whose stone is next, and how many more the player has in this turn: at most as many as cells
/// are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Turn {
    pub(crate) attacks: bool,
    pub(crate) left: u8,
}

/// Stones and turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The attacker's stones.
    pub(crate) attack: u64,
    /// The defender's stones.
    pub(crate) defence: u64,
    pub(crate) turn: Turn,
    /// Stones of both players after which a row comes too late, or [`NO_LIMIT`].
    pub(crate) rest: u8,
}

impl Node {
    /// How many of the stones up to the limit the player to move places, and the other.
    #[inline]
    pub(crate) fn in_time(&self, p: u8) -> (u32, u32) {
        if self.rest == NO_LIMIT {
            return (u32::MAX, u32::MAX);
        }
        let (rest, p) = (u32::from(self.rest), u32::from(p));
        let this_turn = rest.min(u32::from(self.turn.left));
        let (rounds, more) = ((rest - this_turn) / (2 * p), (rest - this_turn) % (2 * p));
        (this_turn + rounds * p + more.saturating_sub(p), rounds * p + more.min(p))
    }

    #[inline]
    pub(crate) fn empty(&self, board: &Board) -> u64 {
        board.full & !(self.attack | self.defence)
    }

    /// The node after a stone on one cell.
    #[inline]
    pub(crate) fn play(&self, board: &Board, cell: u64) -> Self {
        let Turn { attacks, left } = self.turn;
        let turn = if left > 1 {
            Turn { attacks, left: left - 1 }
        } else {
            let empty = self.empty(board).count_ones() as u8 - 1;
            Turn { attacks: !attacks, left: board.p.min(empty) }
        };
        let rest = if self.rest == NO_LIMIT { NO_LIMIT } else { self.rest.saturating_sub(1) };
        if attacks {
            Self { attack: self.attack | cell, turn, rest, ..*self }
        } else {
            Self { defence: self.defence | cell, turn, rest, ..*self }
        }
    }
}

/// What a node is known by: two bits per cell (empty, attacker, defender, wall), least among the
/// symmetries, with the turn and the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Key {
    pub(crate) low: u64,
    pub(crate) high: u64,
    /// Never 0, which marks an unused entry of the table.
    pub(crate) turn: u16,
    /// Cells that are good for passing only.
    pub(crate) idle: u8,
    /// Stones left until the limit, or [`NO_LIMIT`].
    pub(crate) rest: u8,
}

/// The live windows of a node that can be completed in time, each as the cells it lacks.
#[derive(Debug, Default)]
pub(crate) struct Live {
    /// Of the attacker.
    pub(crate) attack: Vec<u64>,
    /// Of the defender; none in a weak question.
    pub(crate) defence: Vec<u64>,
    /// Cells of the attacker's live windows.
    pub(crate) attack_cells: u64,
    /// Cells of the defender's live windows.
    pub(crate) defence_cells: u64,
}

impl Live {
    /// Finds the live windows of a node.
    pub(crate) fn find(&mut self, board: &Board, question: Question, node: &Node) {
        self.attack.clear();
        self.defence.clear();
        (self.attack_cells, self.defence_cells) = (0, 0);
        let (mover, other) = node.in_time(board.p);
        let (attacker, defender) = if node.turn.attacks { (mover, other) } else { (other, mover) };
        let lacks = |cells: u64| cells.count_ones();
        for window in &board.windows {
            let attacked = window.cells & node.attack != 0;
            let defended = window.cells & node.defence != 0;
            if !defended
                && window.flanks & node.attack == 0
                && lacks(window.cells & !node.attack) <= attacker
            {
                self.attack.push(window.cells & !node.attack);
                self.attack_cells |= window.cells;
            }
            if !question.weak
                && !attacked
                && window.flanks & node.defence == 0
                && lacks(window.cells & !node.defence) <= defender
            {
                self.defence.push(window.cells & !node.defence);
                self.defence_cells |= window.cells;
            }
        }
    }

    /// Which positions are one to a checker, of the node these are the live windows of.
    #[inline]
    pub(crate) fn form(&self, board: &Board, question: Question, node: &Node) -> Key {
        self.form_without(board, question, node, 0)
    }

    /// Which positions are one to the search. With gravity a column whose empty cells are in no live
    /// window is good for passing only: how many cells such columns have is all that matters.
    #[inline]
    pub(crate) fn key(&self, board: &Board, question: Question, node: &Node) -> Key {
        if !board.nature.gravity || board.nature.exact {
            return self.form(board, question, node);
        }
        let empty = node.empty(board);
        let alive = empty & (self.attack_cells | self.defence_cells);
        let idle = board.columns.iter().filter(|&column| column & alive == 0);
        let idle = idle.fold(0, |set, column| set | column & empty);
        let mut key = self.form_without(board, question, node, idle);
        key.idle = idle.count_ones() as u8;
        key
    }

    /// The form in which these empty cells are walls.
    #[inline]
    fn form_without(&self, board: &Board, question: Question, node: &Node, idle: u64) -> Key {
        let empty = node.empty(board) & !idle;
        let (low, high) = if board.nature.exact {
            (node.attack, node.defence)
        } else {
            let attack = node.attack & self.attack_cells;
            let defence = node.defence & self.defence_cells;
            let alive = if board.nature.gravity {
                empty
            } else {
                empty & (self.attack_cells | self.defence_cells)
            };
            let walls = board.full & !(attack | defence | alive);
            (attack | walls, defence | walls)
        };
        let (low, high) = board.canonical(low, high);
        let turn = 1
            | u16::from(node.turn.attacks) << 1
            | u16::from(question.weak) << 2
            | (question.attacker.index() as u16) << 3
            | u16::from(node.turn.left) << 4;
        Key { low, high, turn, idle: 0, rest: node.rest }
    }
}
