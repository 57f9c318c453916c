//! The longest chain of a player: neighbouring stones on one line, whatever lies beyond them.

use crate::{Cell, Player, Position};

impl Position {
    /// The longest row of neighbouring stones of a player, the first of equals; empty without stones.
    ///
    /// ```
    /// use collinear_rules::{Cell, Player, Position, Rules};
    ///
    /// let moves = [0, 3, 1, 4, 8].map(Cell::new);
    /// let position = Position::from_moves(Rules::TICTACTOE, &moves).expect("legal");
    /// assert_eq!(position.longest_chain(Player::Black), [0, 1].map(Cell::new));
    /// ```
    pub fn longest_chain(&self, player: Player) -> Vec<Cell> {
        let geometry = self.geometry();
        let mut best: &[Cell] = &[];
        for line in geometry.lines() {
            let cells = geometry.line_cells(line);
            for chain in cells.chunk_by(|&a, &b| self.at(a) == self.at(b)) {
                if self.at(chain[0]) == Some(player) && chain.len() > best.len() {
                    best = chain;
                }
            }
        }
        best.to_vec()
    }
}
