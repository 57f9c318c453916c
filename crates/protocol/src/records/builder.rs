//! Builds a record stone by stone while a position checks every one of them.

use std::sync::Arc;

use collinear_play::{End, GameRecord, NodeId, Reason};
use collinear_rules::notation::NotationError;
use collinear_rules::{Cell, Geometry, Player, Position, Rules, Setup};

use super::error::Problem;
use crate::quote::quoted;

/// The geometry of the last game: most files hold games of one kind.
#[derive(Debug, Default)]
pub(crate) struct Boards(Option<Arc<Geometry>>);

impl Boards {
    pub(crate) fn position(&mut self, rules: Rules) -> Position {
        let geometry = match self.0.take() {
            Some(geometry) if *geometry.rules() == rules => geometry,
            _ => Arc::new(Geometry::new(rules)),
        };
        self.0 = Some(Arc::clone(&geometry));
        Position::with_geometry(geometry)
    }
}

/// A record under construction, standing at one of its nodes.
pub(crate) struct Builder {
    pub(crate) record: GameRecord,
    position: Position,
    at: NodeId,
}

impl Builder {
    pub(crate) fn new(rules: Rules, boards: &mut Boards) -> Self {
        let position = boards.position(rules);
        Self { record: GameRecord::new(rules), position, at: NodeId::ROOT }
    }

    pub(crate) fn set_up(&mut self, setup: Setup) -> Result<(), Problem> {
        self.position = Position::from_setup(self.record.rules, &setup)?;
        self.record.setup = Some(setup);
        Ok(())
    }

    pub(crate) const fn at(&self) -> NodeId {
        self.at
    }

    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// The number of the stone that comes next, counted from 1.
    pub(crate) fn number(&self) -> usize {
        self.position.history().len() + 1
    }

    /// Places the next stone. `text` is how it is written.
    pub(crate) fn place(&mut self, cell: Cell, text: &str) -> Result<(), Problem> {
        let number = self.number();
        self.position.play(cell).map_err(|reason| Problem::Illegal {
            number,
            stone: quoted(text),
            reason,
        })?;
        let added = self.record.tree.add(self.at, cell);
        self.at = added.ok_or(Problem::TooLarge("more than 4,000,000 stones in its variations"))?;
        Ok(())
    }

    /// Places the next stone, which must be this player's.
    pub(crate) fn place_as(
        &mut self,
        player: Player,
        cell: Cell,
        text: &str,
    ) -> Result<(), Problem> {
        if self.position.to_move() != player && !self.position.is_over() {
            let (number, stone) = (self.number(), quoted(text));
            return Err(Problem::WrongTurn { number, stone, player });
        }
        self.place(cell, text)
    }

    /// Places what a notation read.
    pub(crate) fn place_read(
        &mut self,
        cell: Result<Cell, NotationError>,
        text: &str,
    ) -> Result<(), Problem> {
        let number = self.number();
        let cell = cell.map_err(|reason| Problem::Cell { number, reason })?;
        self.place(cell, text)
    }

    /// Goes back to a node on the way from the root to here.
    pub(crate) fn back_to(&mut self, node: NodeId) {
        while self.at != node {
            let Some(parent) = self.record.tree.parent(self.at) else { return };
            self.position.undo();
            self.at = parent;
        }
    }

    /// Adds to the comment on the node the builder stands at.
    pub(crate) fn comment(&mut self, text: &str) {
        self.record.tree.add_comment(self.at, text);
    }

    /// The finished record; where no end or no reason is stated, the stones of the main line decide.
    pub(crate) fn finish(mut self) -> GameRecord {
        let stated = self.record.end.take();
        self.record.end = match stated {
            Some(end) if end.reason != Reason::Unstated => Some(end),
            stated => {
                self.back_to(NodeId::ROOT);
                for cell in self.record.moves() {
                    self.position.play_unchecked(cell);
                }
                let shown = End::on_board(&self.position);
                match stated {
                    // A record may say something else than its stones; then it is believed.
                    Some(end) if shown.as_ref().is_none_or(|shown| shown.winner != end.winner) => {
                        Some(end)
                    }
                    Some(End { detail, .. }) => shown.map(|shown| End { detail, ..shown }),
                    None => shown,
                }
            }
        };
        self.record
    }
}
