//! Who scored how much against whom.

use serde::Serialize;

use super::{RatedGame, Tally};

/// One tally for every ordered pair of players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    rows: Vec<Vec<Tally>>,
    /// Games as first mover, seen by the first mover.
    first: Tally,
}

impl Crosstable {
    /// The table of these games.
    pub fn new(players: usize, games: &[RatedGame]) -> Self {
        let mut rows = vec![vec![Tally::default(); players]; players];
        let mut first = Tally::default();
        for game in games {
            rows[game.black][game.white].add(game.half_points);
            rows[game.white][game.black].add(2 - game.half_points);
            first.add(game.half_points);
        }
        Self { rows, first }
    }

    /// The games of one player against another.
    pub fn between(&self, player: usize, opponent: usize) -> Tally {
        self.rows[player][opponent]
    }

    /// All games of one player; games against itself count from both sides.
    pub fn total(&self, player: usize) -> Tally {
        let mut total = Tally::default();
        for &tally in &self.rows[player] {
            total += tally;
        }
        total
    }

    /// All games, seen by whoever moved first.
    pub const fn first_movers(&self) -> Tally {
        self.first
    }

    /// The players, best score first; ties in their own order.
    pub fn ranking(&self) -> Vec<usize> {
        let mut players: Vec<_> = (0..self.rows.len()).collect();
        players.sort_by(|&a, &b| self.total(b).score().total_cmp(&self.total(a).score()));
        players
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_game_are_counted() {
        let games = [
            RatedGame { black: 0, white: 1, half_points: 2, pair: 0 },
            RatedGame { black: 1, white: 0, half_points: 1, pair: 0 },
            RatedGame { black: 2, white: 1, half_points: 0, pair: 1 },
        ];
        let table = Crosstable::new(3, &games);
        assert_eq!(table.between(0, 1), Tally { wins: 1, draws: 1, losses: 0 });
        assert_eq!(table.between(1, 0), Tally { wins: 0, draws: 1, losses: 1 });
        assert_eq!(table.total(1), Tally { wins: 1, draws: 1, losses: 1 });
        assert_eq!(table.first_movers(), Tally { wins: 1, draws: 1, losses: 1 });
        assert_eq!(table.ranking(), [0, 1, 2]);
    }
}
