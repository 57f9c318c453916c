//! One game as it is played and looked at: rules, seats, the move tree, the node shown, the clocks.
//!
//! Pure logic: no time of day, no searches, no I/O. [`crate::table`] drives it.

use collinear_play::{Budget, Clock};
use collinear_rules::{Cell, IllegalMove, Outcome, Player, Position, Rules, Setup};
use std::time::Duration;
use thiserror::Error;

use crate::convert::{cells, colour, rules_view};
use crate::link;
use crate::tree::{NodeId, Tree};
use crate::wire::{
    BoardView, ClockView, Ending, EndingReason, FormatInfo, GameInfo, GameView, Level, NodeView,
    Seat, Timing,
};

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

/// What can be done with a game besides playing it.
pub(crate) struct Abilities {
    /// Opponents.
    pub(crate) levels: Vec<Level>,
    /// Who analyses.
    pub(crate) analyst: Option<String>,
    /// Record formats.
    pub(crate) formats: Vec<FormatInfo>,
    /// Whether columns have exact scores.
    pub(crate) columns: bool,
    /// Whether lines have types.
    pub(crate) shapes: bool,
    /// Whether there is a book.
    pub(crate) book: bool,
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

    fn finish_turn(&mut self, player: Player) {
        if let Timing::Clock { increment_ms, .. } = self.timing {
            let left = &mut self.left_ms[player.index()];
            *left = left.saturating_add(increment_ms);
            self.tree.set_clocks(self.current, self.left_ms);
        }
    }

    /// Takes time off the clock of the player to move; true when it has run out.
    pub(crate) fn spend(&mut self, ms: u32) -> bool {
        let player = self.position.to_move();
        let left = &mut self.left_ms[player.index()];
        *left = left.saturating_sub(ms);
        if *left == 0 && self.clock_runs() {
            self.end(player.opponent(), EndingReason::Time);
            return true;
        }
        false
    }

    /// Whether a clock is running: from the second turn on, while the game goes on.
    pub(crate) fn clock_runs(&self) -> bool {
        matches!(self.timing, Timing::Clock { .. })
            && self.live
            && !self.paused
            && self.ending().is_none()
            && !self.players.is_empty()
            && self.trouble.is_none()
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
    fn stones_to_undo(&self) -> Option<usize> {
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
        self.tree.set_comment(node, text.trim().chars().take(MAX_COMMENT).collect());
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

    fn show(&mut self, node: NodeId) {
        self.current = node;
        self.trouble = None;
        self.position = self.root.clone();
        self.players.clear();
        for cell in self.tree.path(node) {
            self.players.push(self.position.to_move());
            self.position.play_unchecked(cell);
        }
    }

    /// What the agent to move may spend on this turn.
    pub(crate) fn budget(&self) -> Budget {
        match self.timing {
            Timing::Turn { ms } => Budget::time(Duration::from_millis(u64::from(ms))),
            Timing::Clock { increment_ms, .. } => {
                let left = self.left_ms[self.position.to_move().index()];
                Budget {
                    clock: Some(Clock {
                        left: Duration::from_millis(u64::from(left)),
                        increment: Duration::from_millis(u64::from(increment_ms)),
                    }),
                    ..Budget::default()
                }
            }
        }
    }

    /// What to call a side.
    pub(crate) fn seat_name(&self, player: Player) -> String {
        match &self.seats[player.index()] {
            Seat::Person => "Person".to_owned(),
            Seat::Agent { label, .. } => label.clone(),
        }
    }

    /// Both sides in a line.
    pub(crate) fn title(&self) -> String {
        Player::BOTH.map(|player| self.seat_name(player)).join(" – ")
    }

    /// What the page is told once.
    pub(crate) fn view(&self, id: &str, can: Abilities) -> GameView {
        let Abilities { levels, analyst, formats, columns, shapes, book } = can;
        GameView {
            id: id.to_owned(),
            rules: rules_view(self.rules()),
            seats: self.seats.clone(),
            timing: self.timing,
            setup: [cells(&self.setup.black), cells(&self.setup.white)],
            first_to_move: colour(self.root.to_move()),
            first_stones: self.root.stones_left() as u32,
            info: self.info.clone(),
            levels,
            analyst,
            formats,
            columns,
            shapes,
            book,
        }
    }

    /// What the page is told after every change.
    pub(crate) fn board(&self) -> BoardView {
        let to_move = self.position.to_move();
        let placed = self.players.iter().rev().take_while(|player| **player == to_move).count();
        BoardView {
            node: self.current.number(),
            moves: cells(self.position.history()),
            colours: self
                .players
                .iter()
                .map(|p| if *p == Player::Black { 'b' } else { 'w' })
                .collect(),
            to_move: colour(to_move),
            stones_left: self.position.stones_left() as u32,
            turn_stones: (placed + self.position.stones_left()) as u32,
            ending: self.ending(),
            rows: self.position.winning_rows().iter().map(|row| cells(row)).collect(),
            live: self.live,
            paused: self.paused,
            pace_ms: self.pace_ms,
            clock: matches!(self.timing, Timing::Clock { .. }).then(|| ClockView {
                left_ms: self.left_ms,
                running: self.clock_runs().then(|| colour(to_move)),
            }),
            trouble: self.trouble.clone(),
            link: link::write(self),
            can_undo: self.stones_to_undo().is_some()
                || self.ended.is_some_and(|(node, _)| node == self.current),
        }
    }

    /// The nodes from an index on.
    pub(crate) fn nodes_from(&self, from: usize) -> Vec<NodeView> {
        self.tree.view(from..)
    }
}

const DEFAULT_PACE_MS: u32 = 600;
/// The longest comment, in characters.
const MAX_COMMENT: usize = 4000;

#[cfg(test)]
mod tests {
    use super::*;

    const NO_CLOCK: Timing = Timing::Turn { ms: 100 };

    fn agent() -> Seat {
        Seat::Agent { spec: "random".into(), label: "random".into() }
    }

    fn play(game: &mut Game, cells: &[usize]) {
        for &cell in cells {
            game.play(Cell::new(cell)).expect("legal");
        }
    }

    fn connect6(seats: [Seat; 2]) -> Game {
        Game::new(Rules::CONNECT6, seats, NO_CLOCK, 1)
    }

    #[test]
    fn a_turn_of_two_stones_can_be_retracted_until_it_is_complete() {
        let mut game = connect6([Seat::Person, Seat::Person]);
        play(&mut game, &[180, 5]);
        assert_eq!((game.board().stones_left, game.board().turn_stones), (1, 2));
        game.retract().expect("one stone of two lies");
        assert_eq!(game.board().moves, [180]);
        assert_eq!(game.retract(), Err(Refusal::NothingToUndo));
        play(&mut game, &[6, 7]);
        assert_eq!(game.retract(), Err(Refusal::NothingToUndo));
        assert_eq!(game.tree.len(), 4);
    }

    #[test]
    fn undo_against_an_agent_takes_both_turns() {
        let mut game = connect6([Seat::Person, agent()]);
        play(&mut game, &[180, 1, 2, 3, 4, 5, 6]);
        game.undo().expect("something to undo");
        assert_eq!(game.board().moves, [180, 1, 2]);
        game.undo().expect("the first stone");
        assert!(game.board().moves.is_empty() && game.tree.len() == 1);
        assert_eq!(game.undo(), Err(Refusal::NothingToUndo));
        let mut second = connect6([agent(), Seat::Person]);
        play(&mut second, &[180]);
        assert!(!second.board().can_undo, "the agent's first stone is not the person's to undo");
    }

    #[test]
    fn another_move_in_the_past_is_a_variation() {
        let mut game = Game::new(Rules::TICTACTOE, [Seat::Person, Seat::Person], NO_CLOCK, 1);
        play(&mut game, &[4, 0, 8]);
        game.goto(1).expect("the first move");
        assert!(!game.is_live());
        play(&mut game, &[2]);
        assert!(game.is_live());
        assert_eq!(game.tree.children(NodeId::ROOT).count(), 1);
        assert_eq!(game.tree.len(), 5);
        game.promote(game.current().number()).expect("a node");
        assert_eq!(game.position_at(game.tree.tip(NodeId::ROOT)), *game.position());
    }

    #[test]
    fn agents_wait_while_one_looks_back() {
        let mut game = Game::new(Rules::TICTACTOE, [Seat::Person, agent()], NO_CLOCK, 1);
        play(&mut game, &[4, 0]);
        game.goto(1).expect("a node");
        assert_eq!(game.agent_to_move(), None);
        game.go_on();
        assert_eq!(game.agent_to_move(), Some((Player::White, "random")));
        assert!(matches!(game.play_person(1, Cell::new(3)), Err(Refusal::NotYours(_))));
    }

    #[test]
    fn resignation_and_its_undo() {
        let mut game = connect6([Seat::Person, agent()]);
        play(&mut game, &[180, 1, 2]);
        game.resign().expect("running");
        let end = game.ending().expect("over");
        assert_eq!((end.winner, end.reason), (Some(colour(Player::White)), EndingReason::Resigned));
        assert_eq!(game.play(Cell::new(9)), Err(Refusal::Over));
        game.undo().expect("takes the resignation back");
        assert_eq!(game.ending(), None);
        assert_eq!(game.board().moves.len(), 3);
    }

    #[test]
    fn clocks_run_out_and_come_back_with_undo() {
        let timing = Timing::Clock { start_ms: 1000, increment_ms: 100 };
        let mut game = Game::new(Rules::TICTACTOE, [Seat::Person, Seat::Person], timing, 1);
        play(&mut game, &[4]);
        assert!(!game.spend(400));
        play(&mut game, &[0]);
        assert_eq!(game.left_ms, [1100, 700]);
        assert!(game.spend(5000));
        assert_eq!(game.ending().map(|e| e.reason), Some(EndingReason::Time));
        game.undo().expect("takes the loss on time back");
        assert_eq!(game.left_ms, [1100, 700]);
        game.undo().expect("takes the turn back");
        assert_eq!(game.left_ms, [1100, 1000]);
    }
}
