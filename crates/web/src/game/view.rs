//! A game as the pages are told of it.

use collinear_rules::Player;

use super::Game;
use crate::convert::{cells, colour, rules_view};
use crate::link;
use crate::wire::{BoardView, ClockView, FormatInfo, GameView, Level, NodeView, Seat, Timing};

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

impl Game {
    /// What to call a side.
    pub(crate) fn seat_name(&self, player: Player) -> String {
        match &self.seats[player.index()] {
            Seat::Person => "Person".to_owned(),
            Seat::Agent { label, .. } => label.clone(),
        }
    }

    /// The name of a side: as a record says, else as it sits.
    pub(crate) fn player_name(&self, player: Player) -> String {
        let known = self.info.iter().find(|info| info.key == player.name());
        known.map_or_else(|| self.seat_name(player), |info| info.value.clone())
    }

    /// Both sides in a line.
    pub(crate) fn title(&self) -> String {
        Player::BOTH.map(|player| self.player_name(player)).join(" – ")
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

    /// All nodes of the tree.
    pub(crate) fn nodes(&self) -> Vec<NodeView> {
        self.tree.view()
    }
}
