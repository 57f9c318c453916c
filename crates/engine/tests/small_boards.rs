//! The engine against plain full minimax on boards small enough for it, and its proofs against the
//! independent checker.

mod common;

use std::collections::HashMap;

use collinear_engine::proof::{Verdict, check};
use collinear_engine::{Engine, Searcher, Settings};
use collinear_play::{Budget, Value, play_turn};
use collinear_rules::{Outcome, Player, Position, Rules, notation};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use common::random_position;

/// 1 when the player to move wins, 0 for a draw, −1 when he loses: every stone of every turn.
fn minimax(position: &mut Position, memory: &mut HashMap<u64, i8>) -> i8 {
    let player = position.to_move();
    match position.outcome() {
        Outcome::Won(winner) => return if winner == player { 1 } else { -1 },
        Outcome::Drawn => return 0,
        Outcome::Ongoing => {}
    }
    if let Some(&known) = memory.get(&position.key()) {
        return known;
    }
    let mut best = -1;
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        let value = minimax(position, memory);
        best = best.max(if position.to_move() == player { value } else { -value });
        position.undo();
        if best == 1 {
            break;
        }
    }
    memory.insert(position.key(), best);
    best
}

fn engine(rules: &Rules) -> Engine {
    engine_of(Searcher::AlphaBeta, rules)
}

fn engine_of(searcher: Searcher, rules: &Rules) -> Engine {
    Engine::new(rules, Settings { memory: 4, searcher, ..Settings::default() }, 1)
}

/// The engine's value agrees with minimax, and so does the value of the turn it chooses.
fn agrees(text: &str, stones: std::ops::Range<usize>, positions: usize) {
    agrees_of(Searcher::AlphaBeta, text, stones, positions);
}

fn agrees_of(searcher: Searcher, text: &str, stones: std::ops::Range<usize>, positions: usize) {
    let rules: Rules = text.parse().expect(text);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut memory = HashMap::new();
    let mut engine = engine_of(searcher, &rules);
    let mut seen = [0; 3];
    for _ in 0..positions {
        let count = random.random_range(stones.clone());
        let Some(mut position) = random_position(rules, count, &mut random) else { continue };
        let player = position.to_move();
        let truth = minimax(&mut position, &mut memory);
        let thought = engine.think(&position, &Budget::depth(30), &mut |_| {}).expect("a turn");
        let value = match thought.report.lines[0].value {
            Value::WinsIn(_) => 1,
            Value::LosesIn(_) => -1,
            Value::Draw | Value::Chance(_) => 0,
        };
        assert_eq!(value, truth, "{text}: {:?}\n{position:?}", thought.report);
        let mut after = position.clone();
        for cell in thought.turn {
            after.play(cell).expect("legal");
        }
        let reached = minimax(&mut after, &mut memory);
        let reached = if after.to_move() == player { reached } else { -reached };
        assert_eq!(reached, truth, "{text}: the turn spoils it\n{position:?}");
        seen[(truth + 1) as usize] += 1;
    }
    assert!(seen[2] > 0, "{text}: no win among {seen:?}");
}

#[test]
fn tictactoe_is_perfect() {
    agrees("tictactoe", 0..7, 200);
}

#[test]
fn four_by_four_three_in_a_row() {
    agrees("4x4,k=3", 3..12, 100);
    agrees("4x4,k=4", 5..13, 60);
}

#[test]
fn five_by_five_four_in_a_row() {
    agrees("5x5,k=4", 13..20, 60);
    agrees("5x5,k=4,p=2,q=1", 12..20, 60);
    agrees("5x5,k=4,exact", 13..20, 40);
    agrees("4x5,k=4,p=3,q=2", 8..16, 40);
}

/// The search for one stone per turn, with its pruning, against everything.
#[test]
fn six_by_six_five_in_a_row() {
    agrees("6x6,k=5", 26..33, 60);
    agrees("6x6,k=5,exact", 26..33, 40);
    agrees("6x7,k=6", 32..39, 40);
}

/// The same with stones that are forbidden to Black.
#[test]
fn seven_by_six_renju() {
    agrees("7x6,k=5,renju", 31..39, 150);
}

/// White moves last on a board of 30 cells, and Black may have nothing left but forbidden stones.
#[test]
fn renju_on_a_narrow_board() {
    agrees("10x3,k=5,renju=loses", 18..27, 60);
}

/// The same with a network as a guide.
#[test]
fn six_by_six_five_in_a_row_with_a_guide() {
    agrees_of(Searcher::Best, "6x6,k=5", 26..33, 60);
}

#[test]
fn gravity_is_played_well_on_a_small_board() {
    agrees("4x4,k=3,gravity", 4..12, 60);
}

/// Wins by continuous threats are wins of the game, on boards where minimax can tell; and whoever
/// has one is told so by a proof that the checker accepts.
#[test]
fn proofs_hold_against_every_defence() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    for text in ["5x5,k=4", "5x5,k=4,p=2,q=1", "5x5,k=4,exact", "7x7,k=6,p=3,q=1"] {
        let rules: Rules = text.parse().expect(text);
        let mut memory = HashMap::new();
        let mut engine = engine(&rules);
        let mut proved = 0;
        for _ in 0..120 {
            let count = random.random_range(8..17);
            let Some(mut position) = random_position(rules, count, &mut random) else { continue };
            if let Verdict::Proved(proof) = engine.prove(&position, &Budget::nodes(5_000)) {
                assert_eq!(check(&position, &proof), Ok(()), "{text}\n{position:?}");
                if position.empty_count() <= 12 {
                    assert_eq!(minimax(&mut position, &mut memory), 1, "{text}\n{position:?}");
                }
                proved += usize::from(proof.turns() > 1);
            }
        }
        assert!(proved > 0, "{text}: only {proved} wins of more than one turn");
    }
}

/// A proof that lacks an answer is refused: the checker is not a rubber stamp.
#[test]
fn the_checker_refuses_what_is_no_proof() {
    use collinear_engine::proof::{Proof, Then};
    let rules: Rules = Rules::CONNECT6;
    let cell = |x, y| rules.cell(x, y).expect("on the board");
    let mut position = Position::new(rules);
    for (x, y) in [(9, 9), (0, 0), (18, 0)] {
        position.play(cell(x, y)).expect("legal");
    }
    assert_eq!(position.to_move(), Player::Black);
    let turn = vec![cell(10, 9), cell(11, 9)];
    for then in [Then::Row, Then::Overload, Then::Covers(Vec::new())] {
        assert!(check(&position, &Proof { turn: turn.clone(), then }).is_err());
    }
}

/// A turn of many stones ends where its row is complete, in whatever order gravity lets them fall.
#[test]
fn a_turn_stops_with_the_stone_that_ends_the_game() {
    let rules: Rules = "6x2,k=3,p=5,q=4,gravity,exact".parse().expect("rules");
    let moves = ["b1", "d1", "e1", "e2"].map(|name| notation::parse(&rules, name).expect(name));
    let position = Position::from_moves(rules, &moves).expect("legal");
    let budget = Budget { nodes: Some(1000), ..Budget::default() };
    let thought = engine(&rules).think(&position, &budget, &mut |_| {}).expect("a turn");
    let names = notation::names(&rules, &thought.turn);
    let mut after = position.clone();
    play_turn(&mut after, &thought.turn).unwrap_or_else(|error| panic!("{names}: {error}"));
    // c1 and then b2, c2, d2.
    assert_eq!(after.outcome(), Outcome::Won(Player::White), "{names}");
}
