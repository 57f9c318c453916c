//! What the games of a run say about everybody who took part: table, ratings, cost of turns,
//! reasons of endings.

use std::collections::{BTreeMap, HashSet};

use collinear_play::Reason;
use serde::Serialize;

use crate::game::{GameSummary, Side};
use crate::stats::{Crosstable, Interval, RatedGame, Rating, Ratings, Tally};

/// The final table of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// The contestants in the order of the plan.
    pub players: Vec<Standing>,
    /// Who scored how much against whom.
    pub crosstable: Crosstable,
    /// All games, seen by whoever moved first.
    pub first_movers: Tally,
    /// What moving first is worth, all strengths being equal.
    pub first_move: Rating,
    /// How often each reason ended a game.
    pub endings: BTreeMap<Reason, u64>,
    /// Games that do not repeat another one of the same players, stone by stone.
    pub distinct: u64,
}

/// One contestant's line.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// Its name.
    pub label: String,
    /// Its games.
    pub tally: Tally,
    /// Games that do not repeat another one of it, stone by stone.
    pub distinct: u64,
    /// The 95 % interval of its score; repetitions do not count as evidence.
    pub wilson: Interval,
    /// Its rating; repetitions do not count as evidence.
    pub rating: Rating,
    /// What its turns cost in all.
    pub cost: Side,
    /// Games it lost by a fault of its own, by reason.
    pub faults: BTreeMap<Reason, u64>,
}

impl Standing {
    /// Games it lost by a fault of its own.
    pub fn fault_count(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Milliseconds per turn.
    pub fn millis_a_turn(&self) -> f64 {
        self.cost.micros as f64 / 1000.0 / self.cost.turns.max(1) as f64
    }

    /// Nodes per turn.
    pub fn nodes_a_turn(&self) -> f64 {
        self.cost.nodes as f64 / self.cost.turns.max(1) as f64
    }

    /// Depth per turn.
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
            .map(|(index, label)| Standing {
                label: label.clone(),
                tally: crosstable.total(index),
                distinct: 0,
                wilson: crosstable.total(index).wilson(),
                rating: ratings.players[index],
                cost: Side::default(),
                faults: BTreeMap::new(),
            })
            .collect();
        let mut seen = HashSet::new();
        for game in games {
            if seen.insert(game.identity()) {
                players[game.black].distinct += 1;
                players[game.white].distinct += 1;
            }
            *endings.entry(game.reason).or_insert(0) += 1;
            players[game.black].cost += game.sides[0];
            players[game.white].cost += game.sides[1];
            if let Some(loser) = game.loser().filter(|_| game.reason.is_fault()) {
                *players[loser].faults.entry(game.reason).or_insert(0) += 1;
            }
        }
        for player in players.iter_mut().filter(|player| player.distinct < player.tally.games()) {
            let share = player.distinct as f64 / player.tally.games() as f64;
            player.wilson = player.tally.wilson_of(share);
            player.rating.error /= share.sqrt();
        }
        let (first_movers, distinct) = (crosstable.first_movers(), seen.len() as u64);
        Self {
            players,
            crosstable,
            first_movers,
            first_move: ratings.first_move,
            endings,
            distinct,
        }
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
    use collinear_rules::Player::{Black, White};

    use super::*;

    #[test]
    fn faults_are_charged_to_the_loser() {
        let side = |micros| Side { turns: 2, micros, nodes: 10, depth: 4, ..Side::default() };
        let game = |number, black, winner, reason| GameSummary {
            number,
            pair: number / 2,
            black,
            white: 1 - black,
            winner: Some(winner),
            reason,
            key: number,
            sides: [side(4000), side(1000)],
        };
        let games = [
            game(0, 0, Black, Reason::Crash),
            game(1, 1, White, Reason::Row),
            game(2, 0, White, Reason::TimeForfeit),
            game(3, 1, White, Reason::Row),
        ];
        let table = Standings::new(&["a".to_owned(), "b".to_owned()], &games);
        assert_eq!(table.players[1].faults, BTreeMap::from([(Reason::Crash, 1)]));
        assert_eq!(table.players[0].faults, BTreeMap::from([(Reason::TimeForfeit, 1)]));
        assert_eq!(table.endings[&Reason::Row], 2);
        assert_eq!(table.players[0].tally, Tally { wins: 3, draws: 0, losses: 1 });
        assert!((table.players[0].millis_a_turn() - 1.25).abs() < 1e-9);
        assert_eq!(table.ranking(), [0, 1]);
    }
}
