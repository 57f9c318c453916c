//! What the games of a run say about everybody who took part: table, ratings, cost of turns,
//! reasons of endings.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{GameSummary, Outcome, Side};
use crate::score::is_fault;
use crate::stats::{Crosstable, Interval, RatedGame, Rating, Ratings, Tally};

/// The final table of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// The contestants in the order of the plan.
    pub players: Vec<Player>,
    /// Who scored how much against whom.
    pub crosstable: Crosstable,
    /// All games, seen by whoever moved first.
    pub first_movers: Tally,
    /// What moving first is worth, all strengths being equal.
    pub first_move: Rating,
    /// How often each reason ended a game.
    pub endings: BTreeMap<String, u64>,
}

/// One contestant's line.
#[derive(Clone, Debug, Serialize)]
pub struct Player {
    /// Its name.
    pub label: String,
    /// Its games.
    pub tally: Tally,
    /// The 95 % interval of its score.
    pub wilson: Interval,
    /// Its rating.
    pub rating: Rating,
    /// What its turns cost in all.
    pub cost: Side,
    /// Games it lost by a fault of its own, by reason.
    pub faults: BTreeMap<String, u64>,
}

impl Player {
    /// Milliseconds a turn.
    pub fn millis_a_turn(&self) -> f64 {
        self.cost.micros as f64 / 1000.0 / self.cost.turns.max(1) as f64
    }

    /// Nodes a turn.
    pub fn nodes_a_turn(&self) -> f64 {
        self.cost.nodes as f64 / self.cost.turns.max(1) as f64
    }

    /// Depth a turn.
    pub fn depth_a_turn(&self) -> f64 {
        self.cost.depth as f64 / self.cost.turns.max(1) as f64
    }
}

impl Standings {
    /// The table of these games.
    pub fn new(labels: &[String], games: &[GameSummary]) -> Self {
        let rated: Vec<RatedGame> = games.iter().map(GameSummary::rated).collect();
        let crosstable = Crosstable::new(labels.len(), &rated);
        let ratings = Ratings::fit(labels.len(), &rated);
        let mut endings = BTreeMap::new();
        let mut players: Vec<_> = labels
            .iter()
            .enumerate()
            .map(|(index, label)| Player {
                label: label.clone(),
                tally: crosstable.total(index),
                wilson: crosstable.total(index).wilson(),
                rating: ratings.players[index],
                cost: Side::default(),
                faults: BTreeMap::new(),
            })
            .collect();
        for game in games {
            *endings.entry(game.ending.clone()).or_insert(0) += 1;
            players[game.black].cost += game.sides[0];
            players[game.white].cost += game.sides[1];
            if is_fault(&game.ending) {
                let loser = if game.result == Outcome::White { game.black } else { game.white };
                *players[loser].faults.entry(game.ending.clone()).or_insert(0) += 1;
            }
        }
        let first_movers = crosstable.first_movers();
        Self { players, crosstable, first_movers, first_move: ratings.first_move, endings }
    }

    /// The contestants, best rating first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<_> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| self.players[b].rating.elo.total_cmp(&self.players[a].rating.elo));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_charged_to_the_loser() {
        let side = |micros| Side { turns: 2, micros, nodes: 10, depth: 4 };
        let game = |number, black, result, ending: &str| GameSummary {
            number,
            pair: number / 2,
            black,
            white: 1 - black,
            result,
            ending: ending.to_owned(),
            sides: [side(4000), side(1000)],
        };
        let games = [
            game(0, 0, Outcome::Black, "crash"),
            game(1, 1, Outcome::White, "row"),
            game(2, 0, Outcome::White, "time-forfeit"),
            game(3, 1, Outcome::White, "row"),
        ];
        let table = Standings::new(&["a".to_owned(), "b".to_owned()], &games);
        assert_eq!(table.players[1].faults, BTreeMap::from([("crash".to_owned(), 1)]));
        assert_eq!(table.players[0].faults, BTreeMap::from([("time-forfeit".to_owned(), 1)]));
        assert_eq!(table.endings["row"], 2);
        assert_eq!(table.players[0].tally, Tally { wins: 3, draws: 0, losses: 1 });
        assert!((table.players[0].millis_a_turn() - 1.25).abs() < 1e-9);
        assert_eq!(table.ranking(), [0, 1]);
    }
}
