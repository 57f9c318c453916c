//! Forbidden stones of Renju: positions judged by another program, the plain twin, the game's end.

mod reference;

use collinear_rules::{Cell, Foul, IllegalMove, Outcome, Player, Position, Rules, Setup, notation};
use proptest::prelude::*;
use reference::Mailbox;

/// Name, black stones, white stones, forbidden cells. Where Black has more stones, White gets
/// [`FILL`] in addition.
type Golden = (&'static str, &'static str, &'static str, &'static str);

/// White stones out of the way.
const FILL: &str = "o15 m15 k15 i15 g15 e15 c15 a15 o1 m1";

/// The forbidden cells are those that Rapfi 0.43.02 lists (`yxshowforbid`) and that a program
/// written from the definitions alone lists, too.
#[rustfmt::skip]
const GOLDEN: [Golden; 22] = [
    ("three and three", "f8 g8 h6 h7", "", "h8"),
    ("a row of five cells has no straight four", "f8 g8 h6 h7", "d8 j8", ""),
    ("two simple fours", "e8 f8 g8 h5 h6 h7", "d8 h4", "h8"),
    ("two fours in one line: X_XXX_X", "e8 g8 i8 k8", "", "h8"),
    ("two fours in one line: XX_XX_XX", "d8 e8 g8 j8 k8", "", "h8"),
    ("two fours in one line: XXX_X_XXX", "d8 e8 f8 j8 k8 l8", "", "h8"),
    ("an overline", "d8 e8 f8 h8 i8", "", "g8"),
    ("five goes before a row of seven", "d8 e8 f8 g8 h6 h7 h9 h10 h11 h12", "", "f9"),
    ("four, three and three", "e8 f8 g8 h9 h10 i9 j10", "d8", "g9 h8 i10"),
    ("four and three is allowed", "e8 f8 g8 h9 h10", "d8", ""),
    ("straight four and four", "f8 g8 i8 h9 h10 h11", "h12", "h8"),
    ("a three at the edge has no straight four", "a8 b8 c6 c7", "", ""),
    ("the row's three needs a double four", "f6 f7 h6 h8 h9 i7", "", "e6 f4"),
    ("the column's three needs a double three", "g5 g7 h6 h7 i6 j9", "", "g6 i7"),
    ("the row's three needs an overline", "e6 f6 f8 g5 g7 g8 g9 g10", "", "d6 d8 e7 f7 g6 h8"),
    ("the diagonal's three needs a five", "e8 g7 g8 g9 g11 h7 h11", "", ""),
    ("wrong without looking ahead", "e9 e10 f7 f8 f9 h8 h9", "", "g8 h6"),
    ("legal after the stone only", "e5 e9 f5 f9 g8 h6 h8", "", "f8 g7 h5 h7 h9"),
    ("one of two ends is legal", "e9 f7 f9 g8 g10 h5 h6 h8", "", "e8 f8 g9 h9"),
    ("looking ahead once misses g6 and g10", "e6 g7 g9 h9 i8 i9 j6 j8 j9", "", "g6 g8 g10 h8"),
    ("looking ahead once misses h6", "e7 e9 f5 f6 f8 f9 g6 g8 h8 j8", "", "d6 g7 g9 h6 h7 i6"),
    ("both ends are double threes", "e7 e10 f7 f10 g6 g8 h8 i9 i10 j9", "", "e8 f9 g7 i7 i8"),
];

fn cells(rules: &Rules, names: &str) -> Vec<Cell> {
    let mut cells: Vec<Cell> =
        names.split_whitespace().map(|name| notation::parse(rules, name).expect(name)).collect();
    cells.sort_unstable();
    cells
}

fn set_up(rules: Rules, black: &str, white: &str) -> Position {
    let black = cells(&rules, black);
    let mut white = cells(&rules, white);
    let missing = black.len() - white.len();
    white.extend(FILL.split_whitespace().take(missing).flat_map(|name| cells(&rules, name)));
    Position::from_setup(rules, &Setup { black, white, to_move: None }).expect("valid")
}

fn mailbox(position: &Position) -> Mailbox {
    let mut plain = Mailbox::new(*position.rules());
    for cell in position.rules().all_cells() {
        plain.cells[cell.index()] = position.at(cell);
    }
    plain
}

fn at(name: &str) -> Cell {
    notation::parse(&Rules::RENJU, name).expect(name)
}

#[test]
fn golden_positions() {
    for (what, black, white, forbidden) in GOLDEN {
        let position = set_up(Rules::RENJU, black, white);
        assert_eq!(position.forbidden(), cells(&Rules::RENJU, forbidden), "{what}");
        let plain = mailbox(&position);
        for cell in position.empty_cells() {
            assert_eq!(position.foul_at(cell), plain.foul(cell), "{what}: {cell:?}");
        }
    }
}

#[test]
fn other_games_forbid_nothing() {
    for rules in [Rules::GOMOKU, Rules::GOMOKU_STANDARD] {
        for (_, black, white, _) in GOLDEN {
            let position = set_up(rules, black, white);
            assert_eq!(position.forbidden(), []);
            assert_eq!(position.legal_count(), position.empty_count());
        }
    }
}

#[test]
fn a_foul_is_refused_or_loses() {
    let (_, black, white, _) = GOLDEN[0];
    let mut position = set_up(Rules::RENJU, black, white);
    let refused = position.play(at("h8")).expect_err("forbidden");
    assert_eq!(refused, IllegalMove::Forbidden(Foul::DoubleThree));
    assert_eq!(refused.to_string(), "the stone is forbidden to Black: double three");
    assert_eq!(position.legal_count(), position.empty_count() - 1);

    let loses = "15x15,k=5,renju=loses".parse().expect("valid");
    let mut position = set_up(loses, black, white);
    assert!(!position.legal_cells().contains(&at("h8")));
    position.play(at("h8")).expect("loses, but may be placed");
    assert_eq!(position.outcome(), Outcome::Won(Player::White));
    assert_eq!(position.lost_by_foul(), Some((at("h8"), Foul::DoubleThree)));
    assert_eq!(position.winning_cells(), []);
    position.undo();
    assert_eq!(position.outcome(), Outcome::Ongoing);
    position.play(at("a1")).expect("legal");
    position.play(at("h8")).expect("White is free");
    assert_eq!(position.outcome(), Outcome::Ongoing);
}

#[test]
fn white_wins_with_more_than_five() {
    let moves = "h8 a1 h7 b1 h5 c1 h3 e1 f12 f1 j12 d1";
    let moves: Vec<Cell> = moves.split_whitespace().map(at).collect();
    let position = Position::from_moves(Rules::RENJU, &moves).expect("legal");
    assert_eq!(position.outcome(), Outcome::Won(Player::White));
    assert_eq!(position.winning_cells().len(), 6);
}

#[test]
fn black_without_an_allowed_cell_has_lost() {
    // One row: X X X X X . X would be seven; the only other cell is White's to take.
    let rules: Rules = "9x1,k=5,renju".parse().expect("valid");
    let setup = |to_move| Setup {
        black: [0, 1, 2, 4, 5].map(Cell::new).to_vec(),
        white: [6, 8].map(Cell::new).to_vec(),
        to_move: Some((to_move, 1)),
    };
    let mut position = Position::from_setup(rules, &setup(Player::White)).expect("valid");
    position.play(Cell::new(7)).expect("legal");
    assert_eq!(position.empty_cells().collect::<Vec<_>>(), [Cell::new(3)]);
    assert_eq!(position.outcome(), Outcome::Won(Player::White));
    assert_eq!((position.legal_cells(), position.winning_cells()), (vec![], vec![]));
    position.undo();
    assert_eq!(position.outcome(), Outcome::Ongoing);
}

/// Random stones, close together: per cell of a square in the middle 0 to 2 empty, 3 to 5 black,
/// 6 white.
fn crowd(side: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..7_u8, side * side)
}

fn crowded(rules: Rules, crowd: &[u8], side: usize, corner: (usize, usize)) -> Option<Position> {
    let mut setup = Setup { to_move: Some((Player::Black, 1)), ..Setup::default() };
    for (at, kind) in crowd.iter().enumerate() {
        let cell = rules.cell(corner.0 + at % side, corner.1 + at / side)?;
        match kind {
            0..3 => {}
            3..6 => setup.black.push(cell),
            _ => setup.white.push(cell),
        }
    }
    Position::from_setup(rules, &setup).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn crowds_are_judged_as_by_the_plain_twin(
        stones in crowd(7),
        corner in (0..9_usize, 0..9_usize),
    ) {
        let Some(position) = crowded(Rules::RENJU, &stones, 7, corner) else { return Ok(()) };
        let plain = mailbox(&position);
        for cell in position.empty_cells() {
            prop_assert_eq!(position.foul_at(cell), plain.foul(cell), "{:?} {:?}", cell, position);
        }
    }

    /// Thinner crowds have the double threes that look ahead.
    #[test]
    fn thin_crowds_too(
        stones in prop::collection::vec(0..24_u8, 81),
        corner in (0..7_usize, 0..7_usize),
    ) {
        let stones: Vec<u8> = stones.into_iter().map(|n| if n < 6 { 3 } else { u8::from(n == 23) * 6 }).collect();
        let Some(position) = crowded(Rules::RENJU, &stones, 9, corner) else { return Ok(()) };
        let plain = mailbox(&position);
        for cell in position.empty_cells() {
            prop_assert_eq!(position.foul_at(cell), plain.foul(cell), "{:?} {:?}", cell, position);
        }
    }
}
