//! Alpha-beta with the network as a guide, from outside: it repeats itself, listens to the network, and
//! claims only what is so.

mod common;

use std::sync::Arc;

use collinear_engine::{Engine, Searcher, Settings, Weights};
use collinear_play::{Budget, Value};
use collinear_rules::{Position, Rules};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use common::crowded;

fn engine(searcher: Searcher) -> Engine {
    Engine::new(&Rules::GOMOKU, Settings { memory: 4, searcher, ..Settings::default() }, 0)
}

/// The same with the evaluation before the learned one.
fn combinations(searcher: Searcher) -> Engine {
    let settings = Settings { memory: 4, searcher, ..Settings::default() };
    let weights = Weights::for_rules(&Rules::GOMOKU).with_learned(None);
    Engine::with_weights(&Rules::GOMOKU, settings, 0, Arc::new(weights))
}

/// Positions with this many stones near the centre.
fn positions(stones: usize, seed: u64) -> impl Iterator<Item = Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    std::iter::from_fn(move || Some(crowded(Rules::GOMOKU, stones, &mut random)))
        .filter(|position| !position.is_over())
}

fn chance(engine: &mut Engine, position: &Position, budget: &Budget) -> Option<f32> {
    let thought = engine.think(position, budget, &mut |_| {}).expect("ongoing");
    match thought.report.lines[0].value {
        Value::Chance(chance) => Some(chance),
        _ => None,
    }
}

#[test]
fn the_same_nodes_give_the_same_turns_whatever_went_before() {
    for position in positions(7, 1).take(3) {
        let mut used = engine(Searcher::Best);
        for other in positions(9, 2).take(2) {
            used.think(&other, &Budget::nodes(2_000), &mut |_| {}).expect("ongoing");
        }
        used.clear();
        let think = |engine: &mut Engine| {
            let thought =
                engine.think(&position, &Budget::nodes(6_000), &mut |_| {}).expect("ongoing");
            (thought.turn, thought.report.nodes, thought.report.depth, thought.report.lines)
        };
        let first = think(&mut used);
        used.clear();
        assert_eq!(first, think(&mut used), "what the network said is remembered");
        assert_eq!(first, think(&mut engine(Searcher::Best)), "and asked for");
    }
}

#[test]
fn the_chance_is_nearer_to_the_networks_than_without_a_guide() {
    // Deep enough for the root and a few nodes to ask.
    let budget = Budget::depth(7);
    // The learned evaluation is near by itself.
    let [mut guided, mut plain] = [Searcher::Best, Searcher::AlphaBeta].map(combinations);
    let (mut with, mut without, mut count) = (0.0, 0.0, 0);
    for position in positions(8, 3).take(30) {
        let both =
            (chance(&mut guided, &position, &budget), chance(&mut plain, &position, &budget));
        let (Some(a), Some(b)) = both else { continue };
        let (network, _) = guided.glance(&position).expect("a network");
        with += (f64::from(a) - network).abs();
        without += (f64::from(b) - network).abs();
        count += 1;
    }
    assert!(count >= 10, "only {count} positions are open");
    assert!(with < 0.8 * without, "{with} against {without} in {count} positions");
}

#[test]
fn claims_are_not_refuted_by_the_network_search() {
    let mut claims = 0;
    let (mut guided, mut judge) = (engine(Searcher::Best), engine(Searcher::Network));
    for position in positions(12, 5).take(40) {
        let thought = guided.think(&position, &Budget::nodes(5_000), &mut |_| {}).expect("ongoing");
        claims += usize::from(common::claims(&position, &thought, &mut judge, 150));
    }
    assert!(claims >= 5, "{claims} claims are too few to test anything");
}

#[test]
fn levels_below_full_strength_draw_from_the_network_search() {
    let settings = Settings { memory: 4, level: 2, ..Settings::default() };
    let position = positions(6, 7).next().expect("a position");
    let think = |seed| {
        let mut engine = Engine::new(&Rules::GOMOKU, settings, seed);
        engine.think(&position, &Budget::default(), &mut |_| {}).expect("ongoing").turn
    };
    assert_eq!(think(1), think(1));
    assert!((2..12).any(|seed| think(seed) != think(1)), "a level varies its turns");
}
