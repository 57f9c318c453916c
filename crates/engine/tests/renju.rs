//! Renju: Black never plays what is forbidden, White wins by it, and no claim is false.

mod common;

use collinear_engine::proof::{Then, Verdict, check};
use collinear_engine::{Engine, Settings};
use collinear_play::{Budget, Value};
use collinear_rules::{Cell, Player, Position, Rules, Setup, notation};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use common::{claims, crowded};

fn cells(names: &str) -> Vec<Cell> {
    let cell = |name| notation::parse(&Rules::RENJU, name).expect(name);
    names.split_whitespace().map(cell).collect()
}

fn position(black: &str, white: &str, to_move: Player) -> Position {
    let setup = Setup { black: cells(black), white: cells(white), to_move: Some((to_move, 1)) };
    Position::from_setup(Rules::RENJU, &setup).expect("valid")
}

fn engine() -> Engine {
    Engine::new(&Rules::RENJU, Settings { memory: 1, ..Settings::default() }, 0)
}

/// White's four on row 8 can be stopped on h8 alone, where Black would make two threes.
#[test]
fn a_four_that_black_may_not_stop_wins() {
    let position = position("h6 h7 g9 i7 m8 g8 a15 c14", "i8 j8 k8 a1 c2 e1 g2 a3", Player::White);
    let Verdict::Proved(proof) = engine().prove(&position, &Budget::nodes(10_000)) else {
        panic!("not proved\n{position}")
    };
    assert_eq!((&proof.turn, &proof.then), (&cells("l8"), &Then::Overload));
    assert_eq!(check(&position, &proof), Ok(()));
    let thought = engine().think(&position, &Budget::nodes(500), &mut |_| {}).expect("a turn");
    assert_eq!(thought.turn, cells("l8"));
    // In Gomoku the same four is stopped.
    let gomoku = Setup {
        black: position.stones(Player::Black).collect(),
        white: position.stones(Player::White).collect(),
        to_move: Some((Player::White, 1)),
    };
    let gomoku = Position::from_setup(Rules::GOMOKU, &gomoku).expect("valid");
    assert!(check(&gomoku, &proof).is_err());
}

/// Black's two fours at once win in Gomoku and are forbidden here; a four and a three win.
#[test]
fn black_wins_by_a_four_and_a_three_alone() {
    let two_fours = position("e8 f8 g8 h5 h6 h7", "d8 h4 a1 c1 e1 g1", Player::Black);
    assert!(two_fours.is_forbidden(cells("h8")[0]));
    let thought = engine().think(&two_fours, &Budget::nodes(2_000), &mut |_| {}).expect("a turn");
    assert_ne!(thought.turn, cells("h8"));
    let four_three = position("e8 f8 g8 h9 h10", "d8 a1 c1 e1 g1", Player::Black);
    let Verdict::Proved(proof) = engine().prove(&four_three, &Budget::nodes(10_000)) else {
        panic!("not proved\n{four_three}")
    };
    assert_eq!(proof.turn, cells("h8"));
    assert_eq!(check(&four_three, &proof), Ok(()));
}

/// Turns are legal, proofs are accepted by the checker, and no longer search finds the contrary of
/// what a search claims.
fn sound(rules: Rules, positions: usize, seed: u64) -> (usize, usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let settings = Settings { memory: 1, ..Settings::default() };
    let (mut engine, mut judge) =
        (Engine::new(&rules, settings, 0), Engine::new(&rules, settings, 0));
    let (mut proofs, mut claimed, mut seen) = (0, 0, 0);
    while seen < positions {
        let position = crowded(rules, random.random_range(6..50), &mut random);
        if position.is_over() {
            continue;
        }
        seen += 1;
        engine.clear();
        judge.clear();
        let nodes = if seen % 10 == 0 { 4_000 } else { 400 };
        let thought = engine.think(&position, &Budget::nodes(nodes), &mut |_| {}).expect("a turn");
        let mut after = position.clone();
        let [cell] = thought.turn[..] else { panic!("one stone: {:?}", thought.turn) };
        assert_eq!(after.play(cell), Ok(()), "{position:?}");
        if let Some(proof) = &thought.proof {
            assert_eq!(check(&position, proof), Ok(()), "{proof:?}\n{position:?}");
            proofs += 1;
        } else if thought.report.lines[0].value != Value::WinsIn(1) {
            claimed += usize::from(claims(&position, &thought, &mut judge, 3 * nodes));
        }
    }
    (proofs, claimed)
}

#[test]
fn turns_are_legal_and_claims_true() {
    for rules in [Rules::RENJU, Rules::GOMOKU_STANDARD] {
        let (proofs, claimed) = sound(rules, 150, 1);
        assert!(proofs > 20 && claimed > 5, "{rules}: {proofs} proofs, {claimed} claims");
    }
}

/// `cargo test --release -p collinear-engine --test renju -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn turns_are_legal_and_claims_true_in_ten_thousand_positions() {
    for rules in [Rules::RENJU, Rules::GOMOKU_STANDARD] {
        let (proofs, claimed) = sound(rules, 10_000, 2);
        println!("{rules}: 10000 positions, {proofs} proofs, {claimed} other claims");
    }
}
