//! Going back in a game: retraction, undo and redo, other nodes of the tree and its variations.

use std::time::Duration;

use collinear_rules::{Player, Position};

use super::{Game, Refusal, Undone, replay};
use crate::{DialogueError, NodeId};

impl Game {
    /// Takes back the last stone of an unfinished turn.
    pub fn retract(&mut self) -> Result<(), Refusal> {
        if self.step().is_some() {
            return self.undo_in_opening();
        }
        let last = self.position.history().last().and_then(|&cell| self.position.at(cell));
        let unfinished = last == Some(self.position.to_move()) && !self.is_over();
        if !unfinished || self.position.history().len() <= self.opening {
            return Err(Refusal::NothingToUndo);
        }
        self.back(1);
        Ok(())
    }

    /// Takes back a declared end, or the stones of the turn, or the last turn; against an agent
    /// also the one before, so that the person is to move again.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        if self.ended.as_ref().is_some_and(|(node, _)| *node == self.node) {
            self.ended = None;
            self.unanswered = None;
            self.restore_clocks();
            return Ok(());
        }
        if self.step().is_some() {
            return self.undo_in_opening();
        }
        let stones = self.stones_to_undo().ok_or(Refusal::NothingToUndo)?;
        self.back(stones);
        Ok(())
    }

    /// Whether there is anything to take back.
    pub fn can_undo(&self) -> bool {
        self.ended.as_ref().is_some_and(|(node, _)| *node == self.node)
            || if self.step().is_some() {
                self.can_undo_in_opening()
            } else {
                self.stones_to_undo().is_some()
            }
    }

    /// Plays again what was taken back last: until a person is to move, or to its end.
    pub fn redo(&mut self) -> Result<(), Refusal> {
        let Undone { first, last } = self.undone_here().ok_or(Refusal::NothingToRedo)?;
        let persons = self.seats.iter().any(crate::Seat::is_person);
        let mut position = self.position.clone();
        let mut rest = Vec::new();
        let (mut to, mut stopped) = (first, false);
        for node in self.tree.line(first) {
            if stopped {
                rest.push(node);
                break;
            }
            let player = position.to_move();
            if let Some(cell) = self.tree.stone(node) {
                position.play_unchecked(cell);
            }
            to = node;
            let next = position.to_move();
            stopped = next != player && (!persons || self.seats[next.index()].is_person());
        }
        self.show(to);
        self.live = true;
        self.undone = rest.first().map(|&first| Undone { first, last });
        self.restore_clocks();
        Ok(())
    }

    /// Whether something that was taken back can be played again.
    pub fn can_redo(&self) -> bool {
        self.undone_here().is_some()
    }

    pub(super) fn undone_here(&self) -> Option<Undone> {
        self.undone.filter(|undone| self.tree.parent(undone.first) == Some(self.node))
    }

    /// How many stones an undo takes back: whole turns, until a person is to move.
    fn stones_to_undo(&self) -> Option<usize> {
        let persons = self.seats.iter().any(crate::Seat::is_person);
        let played = self.position.history().get(self.opening..)?;
        let player_of = |at: usize| self.position.at(played[at]);
        let mut at = played.len();
        while at > 0 {
            let player = player_of(at - 1);
            while at > 0 && player_of(at - 1) == player {
                at -= 1;
            }
            if !persons || player.is_some_and(|player| self.seats[player.index()].is_person()) {
                return Some(played.len() - at);
            }
        }
        None
    }

    fn back(&mut self, stones: usize) {
        let last = self.undone_here().map_or(self.node, |undone| undone.last);
        let mut first = self.node;
        let mut before = self.node;
        for _ in 0..stones {
            first = before;
            before = self.tree.parent(before).unwrap_or(NodeId::ROOT);
        }
        self.show(before);
        self.live = true;
        self.undone = Some(Undone { first, last });
        self.restore_clocks();
    }

    /// Shows another node; the game goes on only from the end of a line.
    pub fn go_to(&mut self, node: NodeId) -> Result<(), Refusal> {
        if !self.tree.contains(node) {
            return Err(Refusal::NoSuchNode);
        }
        self.show(node);
        self.live = self.tree.is_leaf(node);
        Ok(())
    }

    /// Goes on playing from the node shown.
    pub fn go_on(&mut self) {
        if self.step().is_some() {
            self.show(self.tree.tip(NodeId::ROOT));
        }
        self.live = true;
        self.restore_clocks();
    }

    /// Removes a node and what follows it; the root stays.
    pub fn remove(&mut self, node: NodeId) -> Result<(), Refusal> {
        let parent = self.tree.parent(node).ok_or(Refusal::NoSuchNode)?;
        if self.is_fixed(self.tree.stones_to(node).len()) {
            return Err(DialogueError::Fixed.into());
        }
        self.tree.remove(node);
        self.forget_lost_end();
        if !self.tree.contains(self.node) {
            self.show(parent);
        }
        self.live |= self.tree.is_leaf(self.node);
        Ok(())
    }

    /// Makes the line through a node the main line.
    pub fn promote(&mut self, node: NodeId) -> Result<(), Refusal> {
        if !self.tree.contains(node) {
            return Err(Refusal::NoSuchNode);
        }
        self.tree.promote(node);
        Ok(())
    }

    /// The position at any node of the tree.
    pub fn position_at(&self, node: NodeId) -> Option<Position> {
        self.tree.contains(node).then(|| replay(&self.root, &self.tree, node))
    }

    /// The nodes on the way to a node where a turn is complete, the root among them.
    pub fn turn_ends(&self, node: NodeId) -> Vec<NodeId> {
        let mut position = self.root.clone();
        let mut ends = Vec::new();
        for node in self.tree.path(node) {
            let before = position.to_move();
            if let Some(cell) = self.tree.stone(node) {
                position.play_unchecked(cell);
            }
            if node == NodeId::ROOT || position.to_move() != before {
                ends.push(node);
            }
        }
        ends
    }

    /// What was left on the clocks at a node.
    pub fn clocks_at(&self, node: NodeId) -> [Option<Duration>; 2] {
        let mut left = Player::BOTH.map(|player| self.control(player).clock.map(|c| c.left));
        if left == [None, None] {
            return left;
        }
        let mut position = self.root.clone();
        for node in self.tree.path(node) {
            let player = position.to_move();
            if let Some(cell) = self.tree.stone(node) {
                position.play_unchecked(cell);
            }
            let clock = self.tree.thought(node).and_then(|thought| thought.clock);
            if let (Some(left), Some(clock)) = (&mut left[player.index()], clock) {
                *left = clock;
            }
        }
        left
    }

    /// Sets the clocks to what they showed at the node.
    pub(super) fn restore_clocks(&mut self) {
        self.left = self.clocks_at(self.node);
    }

    /// An end belongs to its node.
    pub(super) fn forget_lost_end(&mut self) {
        if self.ended.as_ref().is_some_and(|(node, _)| !self.tree.contains(*node)) {
            self.ended = None;
        }
    }

    /// Shows a node that the tree has.
    pub(super) fn show(&mut self, node: NodeId) {
        self.node = node;
        self.undone = None;
        self.position = replay(&self.root, &self.tree, node);
    }
}
