//! A game in progress: the position, everything that was tried, the clocks, and the end.
//!
//! Pure logic: no time of day, no threads, no I/O. The referee, the page, the terminal and the
//! protocols drive it and decide who is asked when; what a stone, an undo or a resignation means is
//! decided here.

mod back;
mod opening;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use collinear_rules::{Cell, IllegalMove, Player, Position, Rules, notation};
use thiserror::Error;

use crate::record::setup_of;
use crate::{
    Agent, AgentError, Budget, Dialogue, DialogueError, End, Fault, GameRecord, IllegalTurn,
    NodeId, Notes, Reason, ReplayError, Report, Seat, StopFlag, Thought, TimeControl, Tree,
    TurnRecord, Watchdog, play_turn,
};

/// Why something asked of a game cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The rules forbid the stone.
    #[error("{cell}: {reason}")]
    Illegal {
        /// The cell as people write it.
        cell: String,
        /// Why.
        reason: IllegalMove,
    },
    /// The stones are not a turn.
    #[error(transparent)]
    Turn(#[from] IllegalTurn),
    /// The colours are being settled, and this is not what comes next.
    #[error(transparent)]
    Opening(#[from] DialogueError),
    /// The game has ended.
    #[error("the game is over: take back, go back in the move list or begin a new one")]
    Over,
    /// There is no stone to take back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// Nothing was taken back.
    #[error("there is nothing to play again")]
    NothingToRedo,
    /// No such node.
    #[error("this move is not in the game any more")]
    NoSuchNode,
    /// The tree is full.
    #[error("this game has {} moves and variations: no more can be added", Game::MAX_NODES)]
    Full,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Game {
    /// Black's seat and White's.
    pub seats: [Seat; 2],
    /// The players' names, where they differ from their seats' labels.
    pub names: [Option<String>; 2],
    /// Anything else that belongs into the record.
    pub metadata: BTreeMap<String, String>,
    controls: [TimeControl; 2],
    left: [Option<Duration>; 2],
    root: Position,
    opening: usize,
    tree: Tree,
    node: NodeId,
    position: Position,
    live: bool,
    /// What was taken back last.
    undone: Option<Undone>,
    ended: Option<(NodeId, End)>,
    unanswered: Option<Thought>,
    /// How the colours are or were settled, where the game has an opening rule.
    dialogue: Option<Dialogue>,
}

/// A line that was taken back: its first node, and the one that was shown before.
#[derive(Clone, Copy, Debug)]
struct Undone {
    first: NodeId,
    last: NodeId,
}

impl Game {
    /// The most nodes of a game in progress.
    pub const MAX_NODES: usize = 20_000;

    /// An empty board, two people, no clocks.
    pub fn new(rules: Rules) -> Self {
        Self::from_position(Position::new(rules))
    }

    /// A game that starts from this position: the stones of its history are the opening.
    pub fn from_position(start: Position) -> Self {
        let opening = start.history().len();
        let mut root = start.clone();
        while root.undo().is_some() {}
        let room = start.rules().cells().min(USUAL_STONES);
        let (mut tree, mut node) = (Tree::with_capacity(room), NodeId::ROOT);
        for &cell in start.history() {
            node = tree.add(node, cell).unwrap_or(node);
        }
        Self {
            seats: [Seat::Person, Seat::Person],
            names: [None, None],
            metadata: BTreeMap::new(),
            controls: [TimeControl::default(); 2],
            left: [None; 2],
            root,
            opening,
            tree,
            node,
            position: start,
            live: true,
            undone: None,
            ended: None,
            unanswered: None,
            dialogue: None,
        }
    }

    /// The game of a record, shown at the end of its main line.
    pub fn from_record(record: GameRecord) -> Result<Self, ReplayError> {
        record.check()?;
        let mut game = Self::from_position(record.start()?);
        game.opening = record.opening;
        game.names = record.players;
        game.metadata = record.metadata;
        game.unanswered = record.unanswered;
        game.tree = record.tree;
        let tip = game.tree.tip(NodeId::ROOT);
        game.show(tip);
        game.ended = record.end.filter(|_| !game.position.is_over()).map(|end| (tip, end));
        game.restore_clocks();
        Ok(game)
    }

    /// The same with these seats.
    #[must_use]
    pub fn with_seats(mut self, seats: [Seat; 2]) -> Self {
        self.seats = seats;
        self
    }

    /// The same with these limits; the clocks are set anew.
    #[must_use]
    pub fn with_controls(mut self, controls: [TimeControl; 2]) -> Self {
        self.controls = controls;
        self.restore_clocks();
        self
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.root.rules()
    }

    /// The position before the first stone: set-up stones alone.
    pub const fn root(&self) -> &Position {
        &self.root
    }

    /// How many stones of the main line were given rather than played.
    pub const fn opening(&self) -> usize {
        self.opening
    }

    /// The position shown.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The node shown.
    pub const fn node(&self) -> NodeId {
        self.node
    }

    /// Everything that was tried.
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What is written down beside a node, to be changed.
    pub fn notes_mut(&mut self, node: NodeId) -> Result<&mut Notes, Refusal> {
        self.tree.notes_mut(node).ok_or(Refusal::NoSuchNode)
    }

    /// Whether the game goes on from the position shown; false while one looks back.
    pub const fn is_live(&self) -> bool {
        self.live
    }

    /// How the game ended, if it has at the node shown.
    pub fn end(&self) -> Option<End> {
        let declared = || self.ended.as_ref().filter(|(node, _)| *node == self.node);
        End::on_board(&self.position).or_else(|| declared().map(|(_, end)| end.clone()))
    }

    /// Whether the game has ended at the node shown.
    pub fn is_over(&self) -> bool {
        self.position.is_over() || self.ended.as_ref().is_some_and(|(node, _)| *node == self.node)
    }

    /// An end that the stones do not show, with its node: a resignation, a fault, a clock.
    pub const fn declared_end(&self) -> Option<&(NodeId, End)> {
        self.ended.as_ref()
    }

    /// The seat that [acts](Self::acting).
    pub fn seat_to_move(&self) -> &Seat {
        &self.seats[self.acting().index()]
    }

    /// The agent whose turn it is: nobody while the game is over or looked back at.
    pub fn agent_to_move(&self) -> Option<(Player, &str)> {
        match self.seat_to_move() {
            Seat::Agent { spec, .. } if self.live && !self.is_over() => Some((self.acting(), spec)),
            _ => None,
        }
    }

    /// What the last question to the player to move cost, if it ended in a fault.
    pub const fn unanswered(&self) -> Option<Thought> {
        self.unanswered
    }

    /// What a player may spend.
    pub const fn control(&self, player: Player) -> &TimeControl {
        &self.controls[player.index()]
    }

    /// What is left on a player's clock, if there is one.
    pub const fn left(&self, player: Player) -> Option<Duration> {
        self.left[player.index()]
    }

    /// What the player to move may spend on this turn.
    pub fn budget(&self, stop: StopFlag) -> Budget {
        let player = self.acting();
        self.control(player).budget(self.left(player), stop)
    }

    /// Sets what is left on the clocks that there are.
    pub fn set_left(&mut self, left: [Option<Duration>; 2]) {
        for (now, then) in self.left.iter_mut().zip(left) {
            if now.is_some() {
                *now = then.or(*now);
            }
        }
    }

    /// Takes time off the clock of the player to move. True when that ended the game.
    pub fn spend(&mut self, time: Duration) -> bool {
        let player = self.acting();
        if self.is_over() {
            return false;
        }
        self.charge(player, time);
        let flagged = self.left(player) == Some(Duration::ZERO);
        if flagged {
            self.end_here(End::won(player.opponent(), Reason::TimeForfeit));
        }
        flagged
    }

    fn charge(&mut self, player: Player, time: Duration) {
        if let Some(left) = &mut self.left[player.index()] {
            *left = left.saturating_sub(time);
        }
    }

    /// Places one stone of the player to move.
    pub fn play(&mut self, cell: Cell) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        self.position.check(cell).map_err(|reason| Refusal::Illegal {
            cell: match reason {
                IllegalMove::Outside => format!("cell {}", cell.index()),
                _ => notation::name(self.rules(), cell),
            },
            reason,
        })?;
        self.check_opening()?;
        self.make_room(1)?;
        let (player, step) = (self.position.to_move(), self.step());
        self.position.play_unchecked(cell);
        self.enter(&[cell]);
        if let Some(step) = step {
            self.note_step(step);
        } else if self.position.to_move() != player || self.position.is_over() {
            self.finish_turn(player, None);
        }
        Ok(())
    }

    /// Places all the stones left of a turn, or none of them.
    pub fn play_turn(&mut self, stones: &[Cell], thought: Thought) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        if self.step().is_some() {
            return Err(DialogueError::ChoiceFirst.into());
        }
        self.check_opening()?;
        self.make_room(stones.len())?;
        let player = self.position.to_move();
        play_turn(&mut self.position, stones)?;
        self.enter(stones);
        self.finish_turn(player, Some(thought));
        Ok(())
    }

    /// Asks an agent for the turn of the player to move and plays it; its clock is charged. After a
    /// fault the game stands where it stood: see [`Self::forfeit`].
    pub fn ask(
        &mut self,
        agent: &mut dyn Agent,
        watchdog: &mut Watchdog,
        stop: StopFlag,
        on: &mut dyn FnMut(&Report),
    ) -> Result<TurnRecord, Fault> {
        if self.step().is_some() {
            let error = AgentError::Engine(DialogueError::ChoiceFirst.to_string());
            return Err(Fault::Agent(error));
        }
        let player = self.position.to_move();
        let budget = self.budget(stop);
        let (answer, thought) = watchdog.choose(agent, &self.position, &budget, on);
        self.charge(player, thought.time.unwrap_or_default());
        let played = answer.and_then(|stones| {
            play_turn(&mut self.position, &stones)?;
            Ok(stones)
        });
        match played {
            Ok(stones) => {
                self.enter(&stones);
                let thought = self.finish_turn(player, Some(thought));
                Ok(TurnRecord { player, stones, thought })
            }
            Err(fault) => {
                self.unanswered = Some(thought);
                Err(fault)
            }
        }
    }

    /// A player gives up.
    pub fn resign(&mut self, player: Player) -> Result<(), Refusal> {
        self.adjudicate(End::won(player.opponent(), Reason::Resignation))
    }

    /// A player loses by a fault.
    pub fn forfeit(&mut self, player: Player, fault: &Fault) -> Result<(), Refusal> {
        self.adjudicate(End::lost_by(player, fault))
    }

    /// Somebody decides the game, for whatever reason.
    pub fn adjudicate(&mut self, end: End) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        self.end_here(end);
        Ok(())
    }

    /// Who gives up when a person says so: the only person, or else whoever is to move.
    pub fn who_resigns(&self) -> Player {
        let persons: Vec<Player> =
            Player::BOTH.into_iter().filter(|p| self.seats[p.index()].is_person()).collect();
        match persons[..] {
            [only] => only,
            _ => self.acting(),
        }
    }

    /// The game written down.
    pub fn record(&self) -> GameRecord {
        self.clone().into_record()
    }

    /// The game written down, when it is not needed any more.
    pub fn into_record(self) -> GameRecord {
        let tip = self.tree.tip(NodeId::ROOT);
        let end = if tip == self.node {
            self.end()
        } else {
            let declared = self.ended.filter(|(node, _)| *node == tip).map(|(_, end)| end);
            let shown = || End::on_board(&replay(&self.root, &self.tree, tip));
            declared.or_else(shown)
        };
        let label = |seat: Seat| match seat {
            Seat::Person => None,
            Seat::Agent { label, .. } => Some(label),
        };
        let [black, white] = self.seats.map(label);
        let [black_name, white_name] = self.names;
        GameRecord {
            rules: *self.root.rules(),
            players: [black_name.or(black), white_name.or(white)],
            setup: setup_of(&self.root),
            opening: self.opening,
            tree: self.tree,
            unanswered: self.unanswered,
            end,
            metadata: self.metadata,
        }
    }

    fn end_here(&mut self, end: End) {
        self.live = true;
        self.ended = Some((self.node, end));
    }

    /// Whether this many stones can be added. Stones of a turn that was never complete make room for
    /// them where nobody wrote anything; a turn that was played and taken back stays as a variation.
    fn make_room(&mut self, stones: usize) -> Result<(), Refusal> {
        if self.tree.len() + stones > Self::MAX_NODES {
            return Err(Refusal::Full);
        }
        if let Some(Undone { first, last }) = self.undone_here()
            && self.tree.tip(first) == last
            && self.tree.path(last).len() - self.tree.path(self.node).len()
                < self.position.stones_left()
            && self.tree.is_bare_line(first)
        {
            self.undone = None;
            self.tree.remove(first);
            self.forget_lost_end();
        }
        Ok(())
    }

    /// Follows stones that the position has already got.
    fn enter(&mut self, stones: &[Cell]) {
        if !self.live {
            self.restore_clocks();
        }
        // Instead of what was taken back the game goes on with these.
        let replaces = self
            .undone
            .take()
            .is_some_and(|undone| self.tree.first_child(self.node) == Some(undone.first));
        for (at, &cell) in stones.iter().enumerate() {
            // There is room: that was asked for before.
            self.node = self.tree.add(self.node, cell).unwrap_or(self.node);
            if replaces && at == 0 {
                self.tree.put_first(self.node);
            }
        }
        self.unanswered = None;
        self.live |= self.tree.is_leaf(self.node);
    }

    /// The clock gains its increment, and the turn is written down at the node shown.
    fn finish_turn(&mut self, player: Player, thought: Option<Thought>) -> Thought {
        let left = &mut self.left[player.index()];
        if let (Some(left), Some(clock)) = (left, self.controls[player.index()].clock) {
            *left = left.saturating_add(clock.increment);
        }
        let clock = self.left(player);
        let thought = Thought { clock, ..thought.unwrap_or_default() };
        if !thought.is_empty()
            && let Some(notes) = self.tree.notes_mut(self.node)
        {
            notes.thought = thought;
        }
        thought
    }
}

/// Stones that a new game has room for at once.
const USUAL_STONES: usize = 128;

/// The position at a node.
fn replay(root: &Position, tree: &Tree, node: NodeId) -> Position {
    let mut position = root.clone();
    for cell in tree.stones_to(node) {
        position.play_unchecked(cell);
    }
    position
}
