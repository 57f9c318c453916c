//! Blind spots: positions in which Sextant's network gives next to nothing to a turn that wins.
//!
//! They come from games of our own. An alpha-beta search, which shares no network, proves the win;
//! how many of them a player finds in a second is a measure of how well its search makes up for
//! what its network does not see.

use collinear_engine::{Engine, Searcher, Settings};
use collinear_play::{Budget, Report, Value};
use collinear_rules::{Cell, Player, Position, Rules};

use super::Puzzle;

/// Nodes of the search that proves.
const NODES: u64 = 200_000;
/// A win within the turn is seen by everyone.
const MIN_TURNS: u16 = 2;
/// The most that the network gives to any stone of the winning turn.
const MAX_SHARE: f32 = 0.01;
/// The winner's turns at the end of a game that are looked at.
const LAST_TURNS: usize = 6;

/// Finds blind spots of the shipped network in games of one set of rules.
pub struct BlindSpots {
    network: Engine,
    prover: Engine,
    rules: Rules,
}

impl BlindSpots {
    /// None where no network is shipped for the game.
    pub fn new(rules: &Rules) -> Option<Self> {
        let settings = |searcher| Settings { searcher, memory: 16, ..Settings::default() };
        let mut network = Engine::new(rules, settings(Searcher::Best), 1);
        network.glance(&Position::new(*rules))?;
        Some(Self {
            network,
            prover: Engine::new(rules, settings(Searcher::AlphaBeta), 1),
            rules: *rules,
        })
    }

    /// The first blind spot among the winner's last turns, if the game has one.
    pub fn find(&mut self, stones: &[Cell], winner: Player, id: &str) -> Option<Puzzle> {
        let mut position = Position::new(self.rules);
        let mut turns = Vec::new();
        for &stone in stones {
            if position.to_move() == winner && position.stones_left() == self.rules.p() {
                turns.push(position.clone());
            }
            position.play(stone).ok()?;
        }
        let from = turns.len().saturating_sub(LAST_TURNS);
        turns.into_iter().skip(from).find_map(|position| {
            let turns = self.unseen_win(&position)?;
            Some(Puzzle { id: id.to_owned(), position, turns })
        })
    }

    /// The length of a proved win whose turn the network does not see.
    fn unseen_win(&mut self, position: &Position) -> Option<u16> {
        self.prover.clear();
        let mut last: Option<Report> = None;
        let thought = self
            .prover
            .think(position, &Budget::nodes(NODES), &mut |report| last = Some(report.clone()))
            .ok()?;
        let Value::WinsIn(turns) = last?.lines.first()?.value else { return None };
        let (_, shares) = self.network.glance(position)?;
        let blind = thought.turn.iter().all(|stone| shares[stone.index()] < MAX_SHARE);
        (blind && turns >= MIN_TURNS).then_some(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::notation;

    fn stones(text: &str) -> Vec<Cell> {
        let parse = |name| notation::parse(&Rules::CONNECT6, name).expect("a cell");
        text.split(' ').map(parse).collect()
    }

    #[test]
    fn a_turn_that_the_network_likes_is_no_blind_spot() {
        let mut spots = BlindSpots::new(&Rules::CONNECT6).expect("a network");
        // Black has four in a row with both ends open: everyone sees that.
        let game = stones("j10 a1 s19 k10 l10 a19 s1 m10 c1 a3 c19 i10 n10");
        assert_eq!(spots.find(&game, Player::Black, "a"), None);
    }

    /// The set was made by `collinear puzzles blind` from 646 games against other programs, most of
    /// them lost. Of its 68 positions 62 were solved with 400 visits when it was made.
    #[test]
    fn the_search_finds_most_of_what_the_network_does_not_see() {
        let set = super::super::read(include_str!("../../puzzles/blind.jsonl")).expect("a set");
        for searcher in [Searcher::Network, Searcher::Best] {
            let found = set.iter().filter(|puzzle| {
                let rules = puzzle.position.rules();
                // A visit takes as long as many nodes of alpha-beta.
                let nodes = if searcher.is_guided(rules) { 20_000 } else { 400 };
                let settings = Settings { memory: 4, searcher, ..Settings::default() };
                let mut engine = Engine::new(rules, settings, 1);
                let thought = engine.think(&puzzle.position, &Budget::nodes(nodes), &mut |_| {});
                let report = thought.expect("ongoing").report;
                matches!(report.lines.first().map(|line| line.value), Some(Value::WinsIn(_)))
            });
            let (found, all) = (found.count(), set.len());
            assert!(all >= 60 && 10 * found >= 8 * all, "{searcher:?}: {found} of {all}");
        }
    }

    #[test]
    fn only_games_with_a_network_have_them() {
        assert!(BlindSpots::new(&Rules::GOMOKU).is_some());
        assert!(BlindSpots::new(&"7x6,k=4,gravity".parse().expect("rules")).is_none());
    }
}
