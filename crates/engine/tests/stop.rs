//! Stopping, counted in nodes so that the machine's speed does not matter: at 100,000 nodes a
//! second the bound below is 10 ms.

use collinear_engine::{Engine, Searcher, Settings};
use collinear_play::Budget;
use collinear_rules::{Position, Rules, notation};

/// Nodes after the word "stop".
const MAX_NODES: u64 = 1000;

#[test]
fn a_stopped_search_answers_within_a_few_nodes() {
    let gomoku = "h8 i9 h10 h9 g9 i7";
    for (rules, searcher, stones) in [
        (Rules::CONNECT6, Searcher::Network, "j10 k10 j11 i9 k12 h8 l13 k11 k9"),
        (Rules::CONNECT6, Searcher::Network, "o9 h5 f12 f13 k8 g9 n8 k14 k7 n6 n12 k15 i8"),
        (Rules::GOMOKU, Searcher::Network, gomoku),
        (Rules::GOMOKU, Searcher::Best, gomoku),
    ] {
        let cells: Vec<_> = stones
            .split_whitespace()
            .map(|name| notation::parse(&rules, name).expect(name))
            .collect();
        let position = Position::from_moves(rules, &cells).expect("legal");
        for depth in 2..=4 {
            let settings = Settings { memory: 4, searcher, ..Settings::default() };
            let mut engine = Engine::new(&rules, settings, 0);
            let budget = Budget::default();
            let stop = budget.stop.clone();
            let mut asked = None;
            let thought = engine
                .think(&position, &budget, &mut |report| {
                    if report.depth >= depth && asked.is_none() {
                        asked = Some(report.nodes);
                        stop.stop();
                    }
                })
                .expect("a turn");
            let after = thought.report.nodes - asked.expect("a report");
            assert!(after <= MAX_NODES, "{after} nodes after the stop at depth {depth}, {stones}");
            assert_eq!(thought.turn.len(), position.stones_left());
        }
    }
}

#[test]
fn a_depth_that_is_never_reached_ends_the_turn_all_the_same() {
    // The network search on a board that is full before its main line is so long.
    let rules: Rules = "6x6,k=5".parse().expect("rules");
    let budget = Budget { depth: Some(36), ..Budget::default() };
    let searcher = Searcher::Network;
    let settings = Settings { memory: 4, searcher, ..Settings::default() };
    let thought = Engine::new(&rules, settings, 0)
        .think(
            &Position::from_moves(rules, &[rules.cell(2, 2).expect("a cell")]).expect("legal"),
            &budget,
            &mut |_| {},
        )
        .expect("a turn");
    assert_eq!(thought.turn.len(), 1);
}

#[test]
fn a_search_stopped_anywhere_plays_a_legal_turn() {
    // With falling stones a turn put together from two tries would hang in the air.
    for (text, searcher) in [
        ("7x6,k=4,p=2,q=1,gravity", Searcher::AlphaBeta),
        ("9x9,k=5", Searcher::AlphaBeta),
        ("9x9,k=5", Searcher::Best),
        ("9x9,k=6,p=2,q=1", Searcher::AlphaBeta),
    ] {
        let rules: Rules = text.parse().expect("rules");
        let settings = Settings { memory: 1, searcher, ..Settings::default() };
        let mut engine = Engine::new(&rules, settings, 0);
        for game in 0..4 {
            let mut position = Position::new(rules);
            let mut nodes = 40 + 37 * game;
            while !position.is_over() {
                let budget = Budget { nodes: Some(nodes), ..Budget::default() };
                let thought = engine.think(&position, &budget, &mut |_| {}).expect("a turn");
                for &cell in &thought.turn {
                    position.play(cell).unwrap_or_else(|error| panic!("{text}: {error}"));
                }
                nodes = (nodes * 31 + 7) % 3000 + 20;
            }
        }
    }
}
