//! Gomoku positions composed for these tests: wins by continuous fours, and the difference that
//! exact rows make.

use collinear_engine::proof::{Proof, Verdict, check};
use collinear_engine::{Engine, Settings};
use collinear_play::{Budget, Value};
use collinear_rules::{Cell, Player, Position, Rules, Setup, notation};

fn cells(rules: &Rules, names: &str) -> Vec<Cell> {
    names.split_whitespace().map(|name| notation::parse(rules, name).expect(name)).collect()
}

fn position(rules: Rules, black: &str, white: &str) -> Position {
    let setup = Setup {
        black: cells(&rules, black),
        white: cells(&rules, white),
        to_move: Some((Player::Black, 1)),
    };
    Position::from_setup(rules, &setup).expect("a position")
}

fn prove(position: &Position) -> Option<std::sync::Arc<Proof>> {
    let settings = Settings { memory: 1, ..Settings::default() };
    let mut engine = Engine::new(position.rules(), settings, 0);
    match engine.prove(position, &Budget::nodes(50_000)) {
        Verdict::Proved(proof) => {
            assert_eq!(check(position, &proof), Ok(()), "{position:?}");
            Some(proof)
        }
        Verdict::Refuted => None,
        Verdict::Unknown => panic!("undecided\n{position:?}"),
    }
}

/// ```text
///  8 . . . O X X X *       two closed threes cross at *: a four each way
///  7 . . . . . . . X
///  6 . . . . . . . X
///  5 . . . . . . . X
///  4 . . . . . . . O
/// ```
#[test]
fn two_fours_at_once() {
    for rules in [Rules::GOMOKU, Rules::GOMOKU_STANDARD] {
        let position = position(rules, "e8 f8 g8 h5 h6 h7", "d8 h4 a1 a15 o1 o15");
        let proof = prove(&position).expect("a win");
        assert_eq!(proof.turns(), 2);
        assert_eq!(proof.turn, cells(&rules, "h8"));
    }
}

/// ```text
///  6 . O X X X * .      f6 makes one four now; after the four at f3 (answered at g3)
///  5 . . . . . X .      column f has three stones and f6 makes two
///  4 . . . . . X .
///  3 . O X X X * .
///  2 . . . . . O .
///    a b c d e f g
/// ```
#[test]
fn a_four_gains_the_stone_that_the_next_one_needs() {
    let black = "c3 d3 e3 f4 f5 c6 d6 e6";
    let position = position(Rules::GOMOKU, black, "b3 f2 b6 o15 o13 o11 o9 o1");
    let proof = prove(&position).expect("a win");
    assert_eq!(proof.turns(), 3);
    let mut engine =
        Engine::new(position.rules(), Settings { memory: 1, ..Settings::default() }, 0);
    let thought = engine.think(&position, &Budget::nodes(20_000), &mut |_| {}).expect("a turn");
    assert_eq!(thought.report.lines[0].value, Value::WinsIn(3));
    // Without the stones on column f nothing is forced.
    let weaker =
        self::position(Rules::GOMOKU, "c3 d3 e3 n11 k11 c6 d6 e6", "b3 f2 b6 o15 o13 o11 o9 o1");
    assert!(prove(&weaker).is_none());
}

/// `X X X * X X`: six in a row wins in the free game and is nothing in the standard one.
#[test]
fn a_row_of_six_is_no_five() {
    let stones = ("e8 f8 g8 i8 j8", "d8 k8 a1 a3 a5");
    let free = position(Rules::GOMOKU, stones.0, stones.1);
    assert_eq!(prove(&free).expect("a win").turns(), 1);
    let standard = position(Rules::GOMOKU_STANDARD, stones.0, stones.1);
    assert!(prove(&standard).is_none());
}
