//! Writes a strategy out of the table: the walk that the checker will make, with the search asked
//! wherever the table has forgotten.
//!
//! The walk goes down every move of the opponent that matters and one move of the player who
//! proves; positions already shown are not shown again. Only what the checker cannot work out
//! itself is written: a byte per move of the player, and the leaves of a holding strategy.

use std::collections::HashSet;

use crate::board::{Board, bits};
use crate::certificate::Goal;
use crate::judge::{Judgement, completes, judge, threatened, undominated};
use crate::node::{Key, Live, Node, Question};
use crate::refute;
use crate::search::{GROUP_STEPS, Search, Stopped};

/// Disjoint groups follow: their number, then `p + 1` cells each.
pub(crate) const GROUPS: u8 = 0x80;
/// The potential is low enough.
pub(crate) const POTENTIAL: u8 = 0x81;
/// The holder answers on top of every stone.
pub(crate) const FOLLOW_UP: u8 = 0x82;
/// No reason: the opponent's moves are shown one by one.
pub(crate) const EVERY_MOVE: u8 = 0xfe;

/// Nodes for the first try at each child when the table has forgotten which one is right.
const FIRST_TRY: u64 = 1000;

/// Why no strategy was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unwritten {
    /// The search was ended.
    Stopped,
    /// A node is decided in the table and no child of it fits: the table is not of our making.
    Contradicted,
}

impl From<Stopped> for Unwritten {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The strategy that shows what the search found.
pub(crate) fn strategy(
    search: &mut Search<'_>,
    root: &Node,
    goal: Goal,
) -> Result<Vec<u8>, Unwritten> {
    let mut writer = Writer::new(search, goal);
    writer.show(root)?;
    Ok(writer.out)
}

/// Walks over a strategy and writes it.
pub(crate) struct Writer<'w, 'a> {
    search: &'w mut Search<'a>,
    goal: Goal,
    shown: HashSet<Key>,
    out: Vec<u8>,
}

/// What the walk of a strategy does at a node before any byte: the rules that every reader of a
/// certificate follows.
pub(crate) enum Place {
    /// Nothing has to be shown.
    Shown,
    /// Bytes follow, unless the same form was shown before.
    Open(Live),
}

impl Place {
    pub(crate) fn of(board: &Board, question: Question, node: &Node, goal: Goal) -> Self {
        // A weak question does not see the holder's own row, which ends the game all the same.
        if board.has_row(node.defence) {
            return Self::Shown;
        }
        let mut live = Live::default();
        live.find(board, question, node);
        let own = if node.turn.attacks { &live.attack } else { &live.defence };
        let playable = board.playable(node.empty(board));
        let over = completes(board, own, node.turn.left, playable)
            || (goal == Goal::Holds && live.attack.is_empty());
        if over { Self::Shown } else { Self::Open(live) }
    }
}

/// How the walk goes on where no reason stands.
pub(crate) enum Step {
    /// At one cell of the player who proves.
    Mine,
    /// At each of these cells of the other.
    Theirs(u64),
}

impl Step {
    pub(crate) fn at(board: &Board, node: &Node, live: &Live, goal: Goal) -> Self {
        if node.turn.attacks == (goal == Goal::Wins) {
            return Self::Mine;
        }
        let other = if node.turn.attacks { &live.defence } else { &live.attack };
        let playable = board.playable(node.empty(board));
        let moves = if board.nature.gravity {
            playable
        } else {
            threatened(other, u32::from(board.p)).unwrap_or(playable)
        };
        Self::Theirs(if board.nature.free() { undominated(live, moves) } else { moves })
    }
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(crate) fn new(search: &'w mut Search<'a>, goal: Goal) -> Self {
        Self { search, goal, shown: HashSet::new(), out: Vec::new() }
    }

    fn show(&mut self, node: &Node) -> Result<(), Unwritten> {
        if self.search.stopped() {
            return Err(Unwritten::Stopped);
        }
        let (board, question) = (self.search.board, self.search.question);
        let Place::Open(live) = Place::of(board, question, node, self.goal) else {
            return Ok(());
        };
        let form = live.form(board, question, node);
        if self.shown.contains(&form) {
            return Ok(());
        }
        if self.goal == Goal::Holds && self.leaf(node, &live) {
            self.shown.insert(form);
            return Ok(());
        }
        match Step::at(board, node, &live, self.goal) {
            Step::Mine => {
                let cell = self.right_move(node)?;
                self.out.push(cell.trailing_zeros() as u8);
                self.show(&node.play(board, cell))?;
            }
            Step::Theirs(moves) => {
                for cell in bits(moves) {
                    self.show(&node.play(board, cell))?;
                }
            }
        }
        self.shown.insert(form);
        Ok(())
    }

    /// Writes a reason why the holder holds here, if one is known.
    fn leaf(&mut self, node: &Node, live: &Live) -> bool {
        let board = self.search.board;
        let sum = self.search.potential.of(live);
        if self.search.potential.refutes(board, node, sum) {
            self.out.push(POTENTIAL);
        } else if refute::follow_up(board, node, live) {
            self.out.push(FOLLOW_UP);
        } else if let Some(groups) = refute::groups(board, node, live, GROUP_STEPS) {
            self.out.extend([GROUPS, groups.len() as u8]);
            self.out
                .extend(groups.into_iter().flat_map(bits).map(|cell| cell.trailing_zeros() as u8));
        } else {
            if node.turn.attacks {
                self.out.push(EVERY_MOVE);
            }
            return false;
        }
        true
    }

    /// A move that keeps the promise: the one whose proof was cheapest.
    pub(crate) fn right_move(&mut self, node: &Node) -> Result<u64, Unwritten> {
        let wins = self.goal == Goal::Wins;
        self.search.live.find(self.search.board, self.search.question, node);
        let moves = match judge(self.search.board, node, &self.search.live) {
            Judgement::Open { moves } => moves,
            Judgement::Wins | Judgement::Fails => {
                self.search.board.playable(node.empty(self.search.board))
            }
        };
        if let Some(cell) = self.known_move(node, moves, wins) {
            return Ok(cell);
        }
        self.search.solve(node)?;
        if let Some(cell) = self.known_move(node, moves, wins) {
            return Ok(cell);
        }
        // The children were forgotten again: give each of them a little more until one is decided.
        let most = self.search.most;
        let mut share = FIRST_TRY;
        loop {
            let mut all_fail = true;
            for cell in bits(moves) {
                let child = node.play(self.search.board, cell);
                self.search.most = most.min(self.search.nodes.saturating_add(share));
                let found = self.search.solve(&child);
                self.search.most = most;
                if found == Ok(wins) {
                    return Ok(cell);
                }
                all_fail &= found == Ok(!wins);
                if self.search.stopped() {
                    return Err(Unwritten::Stopped);
                }
            }
            if all_fail {
                return Err(Unwritten::Contradicted);
            }
            share = share.saturating_mul(2);
        }
    }

    fn known_move(&mut self, node: &Node, moves: u64, wins: bool) -> Option<u64> {
        let right = bits(moves).filter_map(|cell| {
            let child = self.search.look(&node.play(self.search.board, cell));
            let effort = self.search.table.get(&child.key).map_or(0, |entry| entry.effort);
            (child.numbers.verdict() == Some(wins)).then_some((effort, cell))
        });
        right.min().map(|(_, cell)| cell)
    }
}
