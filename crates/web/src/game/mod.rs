//! One game as it is played and looked at: rules, seats, the move tree, the node shown, the clocks.
//!
//! Pure logic: no time of day, no searches, no I/O. [`crate::table`] drives it.

mod back;
mod clock;
#[cfg(test)]
mod tests;
mod view;

use collinear_rules::{Cell, IllegalMove, Outcome, Player, Position, Rules, Setup};
use thiserror::Error;

use crate::convert::colour;
use crate::tree::{NodeId, Tree};
use crate::wire::{Ending, EndingReason, GameInfo, Seat, Timing};

pub(crate) use view::Abilities;

/// Why something asked of a game cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Refusal {
    /// The rules forbid the stone.
    #[error("{cell}: {reason}")]
    Illegal {
        /// The cell as people write it.
        cell: String,
        /// Why.
        reason: IllegalMove,
    },
    /// The page was behind.
    #[error("the position has changed meanwhile: please place the stone again")]
    Behind,
    /// It is an agent's turn.
    #[error("it is the turn of {0}")]
    NotYours(String),
    /// The game has ended.
    #[error("the game is over: go back in the move list or begin a new one")]
    Over,
    /// There is no stone to take back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// No such node.
    #[error("this move is not in the game any more")]
    NoSuchNode,
    /// The text names no cell.
    #[error("{0}")]
    Typed(String),
    /// The game does not fit a record.
    #[error("{0}")]
    Record(String),
    /// Nobody can be asked.
    #[error("no agent can analyse this game")]
    NoAnalyst,
    /// The tree is full.
    #[error("this game has {} moves and variations: no more can be added", crate::tree::MAX_NODES)]
    Full,
}

/// A game with everything that belongs to it.
#[derive(Clone)]
pub(crate) struct Game {
    /// Black's seat and White's.
    pub(crate) seats: [Seat; 2],
    /// How time is kept.
    pub(crate) timing: Timing,
    /// Whether agents are held back.
    pub(crate) paused: bool,
    /// The least time between two turns of agents, in milliseconds.
    pub(crate) pace_ms: u32,
    /// Everything random in this game follows from it.
    pub(crate) seed: u64,
    /// The head of a record.
    pub(crate) info: Vec<GameInfo>,
    /// The move tree.
    pub(crate) tree: Tree,
    /// What is left on the clocks.
    pub(crate) left_ms: [u32; 2],
    /// Why an agent could not move.
    pub(crate) trouble: Option<String>,
    setup: Setup,
    root: Position,
    current: NodeId,
    position: Position,
    /// Who placed each stone of the path.
    players: Vec<Player>,
    live: bool,
    ended: Option<(NodeId, Ending)>,
}

impl Game {
    /// An empty board.
    pub(crate) fn new(rules: Rules, seats: [Seat; 2], timing: Timing, seed: u64) -> Self {
        Self::from_root(Position::new(rules), Setup::default(), seats, timing, seed)
    }

    /// A game that begins with these stones on the board; `root` is their position.
    pub(crate) fn from_root(
        root: Position,
        setup: Setup,
        seats: [Seat; 2],
        timing: Timing,
        seed: u64,
    ) -> Self {
        let left_ms = match timing {
            Timing::Clock { start_ms, .. } => [start_ms; 2],
            Timing::Turn { .. } => [0; 2],
        };
        Self {
            seats,
            timing,
            paused: false,
            pace_ms: DEFAULT_PACE_MS,
            seed,
            info: Vec::new(),
            tree: Tree::default(),
            left_ms,
            trouble: None,
            setup,
            position: root.clone(),
            root,
            current: NodeId::ROOT,
            players: Vec::new(),
            live: true,
            ended: None,
        }
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &Rules {
        self.root.rules()
    }

    /// Stones on the board before the first move.
    pub(crate) const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The position before the first move.
    pub(crate) const fn root(&self) -> &Position {
        &self.root
    }

    /// The node shown.
    pub(crate) const fn current(&self) -> NodeId {
        self.current
    }

    /// The position shown.
    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the game goes on from the position shown.
    pub(crate) const fn is_live(&self) -> bool {
        self.live
    }

    /// An end that the stones do not show: a resignation, a clock.
    pub(crate) const fn declared_end(&self) -> Option<(NodeId, Ending)> {
        self.ended
    }

    /// Puts the end of a stored game back.
    pub(crate) fn restore(&mut self, current: NodeId, live: bool, ended: Option<(NodeId, Ending)>) {
        self.ended = ended;
        self.show(current);
        self.live = live;
    }

    /// The position at any node of the tree.
    pub(crate) fn position_at(&self, node: NodeId) -> Position {
        let mut position = self.root.clone();
        for cell in self.tree.path(node) {
            position.play_unchecked(cell);
        }
        position
    }

    /// The nodes on the way to a node where a turn is complete, the root among them.
    pub(crate) fn turn_ends(&self, node: NodeId) -> Vec<NodeId> {
        let mut position = self.root.clone();
        let mut ends = Vec::new();
        for node in self.tree.path_nodes(node) {
            let before = position.to_move();
            if let Some(cell) = self.tree.cell(node) {
                position.play_unchecked(cell);
            }
            if node == NodeId::ROOT || position.to_move() != before {
                ends.push(node);
            }
        }
        ends
    }

    /// Whether every line of the tree is legal: one walk over the tree, playing and undoing.
    pub(crate) fn is_sound(&self) -> bool {
        if !self.tree.is_sound() {
            return false;
        }
        let children = self.tree.child_lists();
        let mut position = self.root.clone();
        let mut open: Vec<(NodeId, usize)> = vec![(NodeId::ROOT, 0)];
        while let Some((node, next)) = open.pop() {
            match children[node.index()].get(next) {
                Some(&child) => {
                    let legal = self.tree.cell(child).map(|cell| position.play(cell));
                    if legal != Some(Ok(())) {
                        return false;
                    }
                    open.push((node, next + 1));
                    open.push((child, 0));
                }
                None => {
                    position.undo();
                }
            }
        }
        true
    }

    /// How the game ended, if it has at the node shown.
    pub(crate) fn ending(&self) -> Option<Ending> {
        match self.position.outcome() {
            Outcome::Won(player) => {
                Some(Ending { winner: Some(colour(player)), reason: EndingReason::Row })
            }
            Outcome::Drawn => Some(Ending { winner: None, reason: EndingReason::Full }),
            Outcome::Ongoing => {
                self.ended.filter(|(node, _)| *node == self.current).map(|(_, ending)| ending)
            }
        }
    }

    /// The agent whose turn it is now: nobody while the game is over, held or looked back at.
    pub(crate) fn agent_to_move(&self) -> Option<(Player, &str)> {
        let player = self.position.to_move();
        match &self.seats[player.index()] {
            Seat::Agent { spec, .. }
                if self.live
                    && !self.paused
                    && self.ending().is_none()
                    && self.trouble.is_none() =>
            {
                Some((player, spec))
            }
            _ => None,
        }
    }

    /// Places a person's stone; `ply` is how many stones the page saw before it.
    pub(crate) fn play_person(&mut self, ply: usize, cell: Cell) -> Result<(), Refusal> {
        if ply != self.players.len() {
            return Err(Refusal::Behind);
        }
        if self.live
            && let Some((player, _)) = self.agent_to_move()
        {
            return Err(Refusal::NotYours(self.seat_name(player)));
        }
        self.play(cell)
    }

    /// Places a stone, whoever chose it.
    pub(crate) fn play(&mut self, cell: Cell) -> Result<(), Refusal> {
        if self.ending().is_some() {
            return Err(Refusal::Over);
        }
        self.position.check(cell).map_err(|reason| Refusal::Illegal {
            cell: if reason == IllegalMove::Outside {
                format!("cell {}", cell.index())
            } else {
                collinear_rules::notation::name(self.rules(), cell)
            },
            reason,
        })?;
        if !self.tree.has_room() {
            return Err(Refusal::Full);
        }
        let player = self.position.to_move();
        let starts_variation = !self.live;
        self.current = self.tree.enter(self.current, cell);
        self.position.play_unchecked(cell);
        self.players.push(player);
        self.trouble = None;
        self.live = self.tree.is_leaf(self.current);
        if starts_variation && let Some(left) = self.tree.clocks(self.current) {
            self.left_ms = left;
        }
        if self.position.to_move() != player || self.position.is_over() {
            self.finish_turn(player);
        }
        Ok(())
    }

    fn end(&mut self, winner: Player, reason: EndingReason) {
        self.ended = Some((self.current, Ending { winner: Some(colour(winner)), reason }));
    }

    /// The person to move gives up; against an agent, whoever is to move.
    pub(crate) fn resign(&mut self) -> Result<(), Refusal> {
        if self.ending().is_some() {
            return Err(Refusal::Over);
        }
        let person = Player::BOTH
            .into_iter()
            .filter(|p| self.seats[p.index()] == Seat::Person)
            .collect::<Vec<_>>();
        let loser = match person[..] {
            [only] => only,
            _ => self.position.to_move(),
        };
        self.live = true;
        self.end(loser.opponent(), EndingReason::Resigned);
        Ok(())
    }
}

/// The pause between turns of agents unless somebody changes it.
const DEFAULT_PACE_MS: u32 = 600;
