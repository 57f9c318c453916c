//! Going back in a game: retraction, undo, other positions of the tree and its variations.

use super::{Game, Refusal};
use crate::text::lines;
use crate::tree::NodeId;
use crate::wire::{Seat, Timing};

/// The longest comment in characters.
const MAX_COMMENT: usize = 4000;

impl Game {
    /// Takes back the last stone of an incomplete turn.
    pub(crate) fn retract(&mut self) -> Result<(), Refusal> {
        let last = self.players.last().copied();
        if last.is_none() || last != Some(self.position.to_move()) || self.position.is_over() {
            return Err(Refusal::NothingToUndo);
        }
        self.take_back(1);
        Ok(())
    }

    /// Takes back the stones of the turn, or the last turn; against an agent also the one before,
    /// so that the person is to move again.
    pub(crate) fn undo(&mut self) -> Result<(), Refusal> {
        if self.ended.is_some_and(|(node, _)| node == self.current) {
            self.ended = None;
            self.left_ms = self.tree.clocks(self.current).unwrap_or(self.left_ms);
            self.paused |= self.seats.iter().all(|seat| *seat != Seat::Person);
            return Ok(());
        }
        let stones = self.stones_to_undo().ok_or(Refusal::NothingToUndo)?;
        self.take_back(stones);
        // Two agents would at once play the same again.
        self.paused |= self.seats.iter().all(|seat| *seat != Seat::Person);
        Ok(())
    }

    /// How many stones an undo removes: whole turns, until a person is to move.
    pub(super) fn stones_to_undo(&self) -> Option<usize> {
        let has_person = self.seats.contains(&Seat::Person);
        let mut at = self.players.len();
        while at > 0 {
            let player = self.players[at - 1];
            while at > 0 && self.players[at - 1] == player {
                at -= 1;
            }
            if !has_person || self.seats[player.index()] == Seat::Person {
                return Some(self.players.len() - at);
            }
        }
        None
    }

    fn take_back(&mut self, stones: usize) {
        let mut first = self.current;
        let mut before = self.current;
        for _ in 0..stones {
            first = before;
            before = self.tree.parent(before).unwrap_or(NodeId::ROOT);
        }
        if self.tree.is_bare_line(first) {
            // `before` stands earlier in the list than all that goes: its number stays.
            let renamed = self.tree.remove(first);
            self.ended = self.ended.and_then(|(node, end)| Some((renamed[node.index()]?, end)));
        }
        self.show(before);
        self.live = true;
        if let Timing::Clock { start_ms, .. } = self.timing {
            self.left_ms = self.tree.clocks(self.current).unwrap_or([start_ms; 2]);
        }
    }

    /// Shows another node; the game goes on only from the end of a line.
    pub(crate) fn goto(&mut self, number: u32) -> Result<(), Refusal> {
        let node = self.tree.node(number).ok_or(Refusal::NoSuchNode)?;
        self.show(node);
        self.live = self.tree.is_leaf(node);
        Ok(())
    }

    /// Goes on playing from the node shown.
    pub(crate) fn go_on(&mut self) {
        self.live = true;
        self.trouble = None;
        if let Timing::Clock { start_ms, .. } = self.timing {
            self.left_ms = self.tree.clocks(self.current).unwrap_or([start_ms; 2]);
        }
    }

    /// Writes a comment; what is longer than a page of text is cut.
    pub(crate) fn comment(&mut self, number: u32, text: &str) -> Result<(), Refusal> {
        let node = self.tree.node(number).ok_or(Refusal::NoSuchNode)?;
        self.tree.set_comment(node, lines(text, MAX_COMMENT));
        Ok(())
    }

    /// Removes a node and what follows it.
    pub(crate) fn prune(&mut self, number: u32) -> Result<(), Refusal> {
        let node = self.tree.node(number).ok_or(Refusal::NoSuchNode)?;
        if node == NodeId::ROOT {
            return Err(Refusal::NothingToUndo);
        }
        let parent = self.tree.parent(node).unwrap_or(NodeId::ROOT);
        let renamed = self.tree.remove(node);
        self.rename(&renamed, parent);
        Ok(())
    }

    /// Makes the line through a node the main line.
    pub(crate) fn promote(&mut self, number: u32) -> Result<(), Refusal> {
        let node = self.tree.node(number).ok_or(Refusal::NoSuchNode)?;
        let renamed = self.tree.promote(node);
        self.rename(&renamed, NodeId::ROOT);
        Ok(())
    }

    fn rename(&mut self, renamed: &[Option<NodeId>], otherwise: NodeId) {
        let live = self.live;
        let current = renamed[self.current.index()].unwrap_or(otherwise);
        self.ended = self.ended.and_then(|(node, end)| Some((renamed[node.index()]?, end)));
        self.show(current);
        self.live = live || self.tree.is_leaf(self.current);
    }

    pub(super) fn show(&mut self, node: NodeId) {
        self.current = node;
        self.trouble = None;
        self.position = self.root.clone();
        self.players.clear();
        for cell in self.tree.path(node) {
            self.players.push(self.position.to_move());
            self.position.play_unchecked(cell);
        }
    }
}
