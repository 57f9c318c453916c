//! The network search from outside: it repeats itself, keeps its limits, and claims only what is so.

mod common;

use collinear_engine::{Engine, Searcher, Settings};
use collinear_play::Budget;
use collinear_rules::{Cell, Position, Rules, notation};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use common::crowded;

fn position(game: &str, stones: &str) -> Position {
    let rules: Rules = game.parse().expect(game);
    let cells: Vec<Cell> =
        stones.split_whitespace().map(|name| notation::parse(&rules, name).expect(name)).collect();
    Position::from_moves(rules, &cells).expect("legal")
}

fn engine(rules: &Rules) -> Engine {
    let searcher = Searcher::Network;
    Engine::new(rules, Settings { memory: 16, searcher, ..Settings::default() }, 0)
}

#[test]
fn the_same_visits_give_the_same_turns_whatever_went_before() {
    for (game, stones) in
        [("connect6", "j10 k11 i9"), ("gomoku", "h8 i9 h10"), ("9x9,k=6,p=2,q=1", "e5")]
    {
        let position = position(game, stones);
        let mut fresh = engine(position.rules());
        let mut used = engine(position.rules());
        let other = Position::new(*position.rules());
        used.think(&other, &Budget::nodes(30), &mut |_| {}).expect("ongoing");
        used.clear();
        let think = |engine: &mut Engine| {
            let thought =
                engine.think(&position, &Budget::nodes(200), &mut |_| {}).expect("ongoing");
            (thought.turn, thought.report.nodes, thought.report.depth, thought.report.lines)
        };
        assert_eq!(think(&mut fresh), think(&mut used), "{game}");
    }
}

#[test]
fn whole_games_are_legal_with_one_thread_and_with_two_on_any_board() {
    for (game, threads) in [("connect6", 2), ("11x7,k=6,p=2,q=1", 1), ("gomoku", 2), ("6x6,k=5", 1)]
    {
        let rules: Rules = game.parse().expect(game);
        let searcher = Searcher::Network;
        let settings = Settings { memory: 1, threads, searcher, ..Settings::default() };
        let mut engine = Engine::new(&rules, settings, 0);
        let mut position = Position::new(rules);
        while !position.is_over() {
            let left = position.stones_left();
            let thought =
                engine.think(&position, &Budget::nodes(12), &mut |_| {}).expect("ongoing");
            assert!(thought.turn.len() == left || thought.turn.len() < left, "{game}");
            for cell in thought.turn {
                position.play(cell).expect("legal");
            }
        }
    }
}

#[test]
fn lines_are_whole_turns_all_different_and_the_first_is_played() {
    let position = position("connect6", "j10 k11 i9 j12 i11");
    let budget = Budget { lines: 4, ..Budget::nodes(400) };
    let thought = engine(position.rules()).think(&position, &budget, &mut |_| {}).expect("ongoing");
    let mut turns: Vec<Vec<Cell>> = thought
        .report
        .lines
        .iter()
        .map(|line| {
            let mut turn = line.stones[..2].to_vec();
            turn.sort();
            turn
        })
        .collect();
    let mut played = thought.turn.clone();
    played.sort();
    assert_eq!(turns[0], played);
    assert_eq!(turns.len(), 4);
    turns.sort();
    turns.dedup();
    assert_eq!(turns.len(), 4);
}

#[test]
fn claims_are_not_refuted_by_the_other_search() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut claims = 0;
    for number in 0..40 {
        let (rules, stones) =
            if number % 2 == 0 { (Rules::CONNECT6, 15) } else { (Rules::GOMOKU, 12) };
        let position = crowded(rules, stones, &mut random);
        if position.is_over() {
            continue;
        }
        let thought =
            engine(&rules).think(&position, &Budget::nodes(150), &mut |_| {}).expect("ongoing");
        let settings = Settings { memory: 4, searcher: Searcher::AlphaBeta, ..Settings::default() };
        let mut judge = Engine::new(&rules, settings, 0);
        claims += usize::from(common::claims(&position, &thought, &mut judge, 8_000));
    }
    assert!(claims >= 5, "{claims} claims are too few to test anything");
}

#[test]
fn the_network_sees_where_it_would_play() {
    let position = position("connect6", "j10 k11 i9");
    let (chance, shares) = engine(position.rules()).glance(&position).expect("a network");
    assert!((0.0..=1.0).contains(&chance));
    assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-3);
    for cell in position.history() {
        assert!(shares[cell.index()] <= 0.0, "a stone stands there");
    }
    let near = |cell: usize| (cell / 19).abs_diff(9) <= 4 && (cell % 19).abs_diff(9) <= 4;
    let inside: f32 = (0..361).filter(|&cell| near(cell)).map(|cell| shares[cell]).sum();
    assert!(inside > 0.8, "the stones that matter lie near the others: {inside}");
}
