//! The lists of an agent with its horizon judged for both players, whose turn it is included.

use crate::search::{Appraise, Candidate, Score};
use collinear_rules::{Cell, Player, Position};

/// An appraiser that can judge a whole position.
pub(crate) trait Balance: Appraise {
    /// What the position is worth to a player, against the opponent's.
    fn balance(&mut self, position: &Position, player: Player) -> Score;
}

/// The same lists as the appraiser alone; the last position of a line is worth its balance.
#[derive(Clone)]
pub(crate) struct Balanced<A>(pub(crate) A);

impl<A: Balance> Appraise for Balanced<A> {
    const EVALUATES: bool = true;

    fn load(&mut self, position: &Position) {
        self.0.load(position);
    }

    fn place(&mut self, cell: Cell, player: Player) {
        self.0.place(cell, player);
    }

    fn remove(&mut self, cell: Cell, player: Player) {
        self.0.remove(cell, player);
    }

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        self.0.list(position, list);
    }

    fn value(&mut self, position: &Position, player: Player) -> Score {
        self.0.balance(position, player)
    }
}
