//! Gomoku positions composed for these tests: wins by continuous fours, and the difference that
//! exact rows make.

use collinear_engine::proof::{Proof, Verdict, check};
use collinear_engine::{Engine, Settings};
use collinear_play::{Budget, Value};
use collinear_rules::{Cell, Outcome, Player, Position, Rules, Setup, notation};

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

fn played(stones: &str) -> Position {
    let rules = Rules::GOMOKU;
    Position::from_moves(rules, &cells(&rules, stones)).expect("legal")
}

/// Five fours in a row, from games of ours; each reply is forced, and the checker tries them all.
#[test]
fn long_rows_of_fours() {
    for (stones, turns) in [
        ("h7 i7 k7 f6 i11 g5 h6 h8 g9 e5 g7 f8 h4 f5 h5 h3 f7 e6 g4 e8 e7 d7 g8", 5),
        ("k11 e9 g11 k5 g5 f8 g7 g9 h10 f9 h9 h8 e11 g8 i8 f11 f12", 5),
    ] {
        assert_eq!(prove(&played(stones)).expect("a win").turns(), turns, "{stones}");
    }
}

/// Where the answer to a four makes a four as well, the attack ends.
///
/// ```text
/// 11 . . . . X O      h9 and h8 in either order make a four and then two at once;
/// 10 . . . O X .      with white stones at i5 i6 i7 the answers i8 and i9 are fours themselves
///  9 O X X X * .
///  8 O X X X * .
///    d e f g h i
/// ```
#[test]
fn a_four_that_is_answered_by_a_four_wins_nothing() {
    let black = "e8 f8 g8 e9 f9 g9 h10 h11";
    let plain = position(Rules::GOMOKU, black, "d8 d9 e7 g10 i11 i5 i6 i2");
    let helped = position(Rules::GOMOKU, black, "d8 d9 e7 g10 i11 i5 i6 i7");
    assert_eq!(prove(&plain).expect("a win").turns(), 3);
    assert!(prove(&helped).is_none());
}

/// White's h10 i10 j10 is open although f10 is taken: a fourth stone at k10 or g10 wins. Whatever
/// the depth, the reply must leave no win by fours.
#[test]
fn an_open_three_is_answered_at_every_depth() {
    let position = played("k5 i11 f11 f6 h7 j10 h8 h10 g9 i10 i7 j6 f10 e11");
    for depth in 1..=5 {
        let settings = Settings { memory: 1, ..Settings::default() };
        let mut engine = Engine::new(position.rules(), settings, 0);
        let thought = engine.think(&position, &Budget::depth(depth), &mut |_| {}).expect("a turn");
        let mut after = position.clone();
        after.play(thought.turn[0]).expect("legal");
        assert!(prove(&after).is_none(), "depth {depth}: {:?}", thought.turn);
    }
}

/// What the search calls a win or a loss is one, for all defences were tried: in the turns that
/// follow, the same side goes on to win.
#[test]
fn claims_of_the_search_are_kept() {
    let mut claims = 0;
    for stones in [
        "g6 j5 e10 g5 e7 i5 h5 i4 e8 e9",
        "k5 h8 j10 g8 e11 h7 i8 h9 h6 f9 i6",
        "h8 h9 i7 j9 g6 g9 i9 i8 g7 f6",
    ] {
        let mut position = played(stones);
        let settings = Settings { memory: 4, ..Settings::default() };
        let mut engine = Engine::new(position.rules(), settings, 0);
        let mut winner = None;
        for _ in 0..16 {
            if position.is_over() {
                break;
            }
            let thought =
                engine.think(&position, &Budget::nodes(6_000), &mut |_| {}).expect("a turn");
            let mover = position.to_move();
            let claim = match thought.report.lines[0].value {
                Value::WinsIn(_) => Some(mover),
                Value::LosesIn(_) => Some(!mover),
                Value::Chance(_) | Value::Draw => None,
            };
            if let (Some(claim), Some(winner)) = (claim, winner) {
                assert_eq!(claim, winner, "{position}");
            }
            claims += usize::from(claim.is_some());
            winner = claim.or(winner);
            position.play(thought.turn[0]).expect("legal");
        }
        if let (Some(winner), Outcome::Won(player)) = (winner, position.outcome()) {
            assert_eq!(winner, player);
        }
    }
    assert!(claims > 0, "no claim was tested");
}
