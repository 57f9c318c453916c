//! A game as the pages are told of it.

use collinear_agents::puzzles::Goal;
use collinear_play::{NodeId, Seat, Side};
use collinear_rules::{Cell, Player};

use super::PageGame;
use crate::convert::{cells, colour, ending, rules_view, seat_view, timing};
use crate::link;
use crate::wire::{
    BoardView, ClockView, FormatInfo, GameInfo, GameView, Level, NodeView, OpeningView, Overlay,
    PuzzleInfo, ReplayView, Timing,
};

/// What can be done with a game besides playing it.
#[derive(Default)]
pub(crate) struct Abilities {
    /// Opponents.
    pub(crate) levels: Vec<Level>,
    /// Who analyses.
    pub(crate) analyst: Option<String>,
    /// Record formats.
    pub(crate) formats: Vec<FormatInfo>,
    /// What can be shown besides the stones.
    pub(crate) overlays: Vec<Overlay>,
}

impl PageGame {
    /// The name of a side: as a record says, else as it sits.
    pub(crate) fn name(&self, player: Player) -> String {
        let seat: &Seat = &self.model.seats[player.index()];
        let known = self.model.names[player.index()].as_deref();
        known.unwrap_or_else(|| seat.label()).to_owned()
    }

    /// The name of a side of an opening: its seat may have changed since.
    fn name_of_side(&self, side: Side) -> String {
        let swapped = self.model.black() == Some(Side::Chooser);
        self.name(if swapped { side.other().seat() } else { side.seat() })
    }

    /// Both sides in a line.
    pub(crate) fn title(&self) -> String {
        Player::BOTH.map(|player| self.name(player)).join(" – ")
    }

    /// What the page is told once.
    pub(crate) fn view(&self, id: &str, can: Abilities) -> GameView {
        let Abilities { levels, analyst, formats, overlays } = can;
        let root = self.model.root();
        let line =
            |key: &str, value: &str| GameInfo { key: key.to_owned(), value: value.to_owned() };
        let names = Player::BOTH.into_iter().filter_map(|player| {
            self.model.names[player.index()].as_deref().map(|name| line(player.name(), name))
        });
        let others = self.model.metadata.iter().map(|(key, value)| line(key, value));
        GameView {
            id: id.to_owned(),
            rules: rules_view(self.rules()),
            seats: [seat_view(&self.model.seats[0]), seat_view(&self.model.seats[1])],
            timing: timing(&self.model),
            setup: Player::BOTH.map(|player| cells(&root.stones(player).collect::<Vec<Cell>>())),
            first_to_move: colour(root.to_move()),
            first_stones: root.stones_left() as u32,
            info: names.chain(others).collect(),
            levels,
            analyst,
            formats,
            overlays,
            puzzle: self.puzzle.as_ref().map(|puzzle| PuzzleInfo {
                id: puzzle.id.clone(),
                rules: rules_view(self.rules()),
                goal: puzzle.goal.clone(),
                turns: puzzle.turns,
                colour: colour(puzzle.player),
                hold: puzzle.wanted == Goal::Hold,
            }),
            replay: self
                .replay
                .as_ref()
                .map(|from| ReplayView { run: from.run.clone(), number: from.number }),
        }
    }

    /// What the page is told after every change.
    pub(crate) fn board(&self) -> BoardView {
        let position = self.model.position();
        let to_move = position.to_move();
        let players: Vec<Option<Player>> =
            position.history().iter().map(|&cell| position.at(cell)).collect();
        let placed = players.iter().rev().take_while(|player| **player == Some(to_move)).count();
        let sign = |player: &Option<Player>| if *player == Some(Player::Black) { 'b' } else { 'w' };
        BoardView {
            node: self.model.node().number(),
            moves: cells(position.history()),
            colours: players.iter().map(sign).collect(),
            to_move: colour(to_move),
            stones_left: position.stones_left() as u32,
            turn_stones: (placed + position.stones_left()) as u32,
            ending: self.model.end().as_ref().map(ending),
            forbidden: cells(&position.forbidden()),
            rows: position.winning_rows().iter().map(|row| cells(row)).collect(),
            live: self.model.is_live(),
            opening: OpeningView::of(&self.model, |side| self.name_of_side(side)),
            paused: self.paused,
            pace_ms: self.pace_ms,
            clock: matches!(timing(&self.model), Timing::Clock { .. }).then(|| ClockView {
                left_ms: self.left_ms(),
                running: self.clock_runs().then(|| colour(self.model.acting())),
            }),
            why: self
                .why
                .as_ref()
                .filter(|(node, _)| *node == self.model.node())
                .map(|(_, words)| words.clone()),
            link: link::write(&self.model),
            can_undo: self.can_undo(),
            can_redo: self.can_redo(),
        }
    }

    /// All nodes of the tree, parents before children, the main line first.
    pub(crate) fn nodes(&self) -> Vec<NodeView> {
        let tree = self.model.tree();
        let view = |node: NodeId| {
            let notes = tree.notes(node);
            NodeView {
                id: node.number(),
                parent: tree.parent(node).map(NodeId::number),
                cell: tree.stone(node).map(|cell| cell.index() as u16),
                comment: notes.map(|notes| notes.comment.clone()).unwrap_or_default(),
                chance: notes.and_then(|notes| notes.chance),
            }
        };
        tree.walk().into_iter().map(view).collect()
    }
}
