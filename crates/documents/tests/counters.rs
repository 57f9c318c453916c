//! The counters of the literature where they are right, and where they fail.

use collinear_documents::connectk::{
    GeneralisedOptions, Marks, Priority, Reading, count_marking, generalised, mark_all, wu_huang,
};
use collinear_rules::{Player, Position, Rules, Setup, notation};
use collinear_windows::{ThreatCounter, Windows, exact};
use proptest::prelude::*;

/// A position drawn row by row from the top, in the lower left corner of a Connect6 board.
fn drawn(rules: Rules, drawing: &str) -> Position {
    let rows: Vec<&str> = drawing.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let mut setup = Setup { to_move: Some((Player::White, 1)), ..Setup::default() };
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, sign) in row.chars().filter(|sign| !sign.is_whitespace()).enumerate() {
            let cell = rules.cell(x, y).expect("the drawing fits the board");
            match sign {
                'X' => setup.black.push(cell),
                'O' => setup.white.push(cell),
                _ => {}
            }
        }
    }
    Position::from_setup(rules, &setup).expect("a position")
}

fn counts(position: &Position) -> (usize, usize, usize) {
    let black = Player::Black;
    (wu_huang(position, black), mark_all(position, black), exact(position, black))
}

fn names(position: &Position, defences: &[Vec<collinear_rules::Cell>]) -> Vec<String> {
    defences.iter().map(|cells| notation::names(position.rules(), cells)).collect()
}

/// The row has its mark at the far end, so the column that crosses its near end counts again.
#[test]
fn wu_huang_counts_two_where_one_stone_stops_both() {
    let position = drawn(
        Rules::CONNECT6,
        ". . O . . . . . .
         . . X . . . . . .
         . . X . . . . . .
         . . X . . . . . .
         . . X . . . . . .
         . O . X X X X . O
         . . . . . . . . .
         . . O . . . . . .",
    );
    assert_eq!(counts(&position), (2, 1, 1));
    let defences =
        ThreatCounter::new().defences(&Windows::of(&position), Player::Black, usize::MAX);
    assert_eq!(names(&position, &defences), ["c3"]);
}

/// Both empty cells of the row are marked, which hides a column through each of them.
#[test]
fn mark_all_counts_one_where_two_stones_are_needed() {
    let position = drawn(
        Rules::CONNECT6,
        ". . O . . . . O .
         . . X . . . . X .
         . . X . . . . X .
         . . X . . . . X .
         . . X . . . . X .
         . O . X X X X . O
         . . . . . . . . .
         . . O . . . . O .",
    );
    let (_, mark_all, exact) = counts(&position);
    assert_eq!((mark_all, exact), (1, 2));
}

#[test]
fn sliding_windows_of_the_paper_find_two_threats_in_a_live_four() {
    let position = drawn(Rules::CONNECT6, ". . . X X X X . . .");
    assert_eq!(counts(&position), (2, 2, 2));
    let marking = count_marking(&Windows::of(&position), Player::Black, Marks::Last);
    assert_eq!(notation::names(position.rules(), &marking.marks), "c1 i1");
}

#[test]
fn a_threat_that_no_turn_stops_is_one_more_than_the_turn() {
    let position = drawn(
        Rules::CONNECT6,
        ". . . X X X X . . .
         . . . . . . . . . .
         . . . X X X X . . .",
    );
    let (wu_huang, mark_all, exact) = counts(&position);
    assert_eq!((wu_huang, mark_all, exact), (4, 4, 3));
    let mut counter = ThreatCounter::new();
    assert!(counter.defences(&Windows::of(&position), Player::Black, usize::MAX).is_empty());
}

#[test]
fn generalised_threats_value_the_longer_row_and_both_rows_a_cell_serves() {
    let position = drawn(Rules::CONNECT6, ". . . X X X . . O O . . . . . . . . .");
    let read = |x: usize, only, reading| {
        let cell = position.rules().cell(x, 0).expect("on the board");
        let options = GeneralisedOptions { only, reading, ..Default::default() };
        generalised(&position, options).worth[cell.index()]
    };
    let worth = |x: usize, only| read(x, only, Reading::Apart);
    let tier = |t: u32| 1_u128 << (6 * (t - 1));
    // Black's three stones alone, then the two rows that meet in the gap: columns and diagonals
    // through an empty cell of the bottom row hold nothing.
    assert_eq!(worth(1, None), tier(3));
    assert_eq!(worth(6, None), tier(3) + tier(2));
    assert_eq!(worth(6, Some(Player::White)), tier(2));
    assert_eq!(worth(12, None), tier(2));
    // As printed a second value counts whoever's it is, and the three silence White's two, which lie
    // within six cells. The cells beside the three have two windows, that one cell on only one.
    let text = |x| read(x, None, Reading::Text);
    assert_eq!((text(2), text(6), text(7)), (2 * tier(3), tier(3), tier(3)));
    assert_eq!((text(1), text(12)), (tier(3), 0));
    // With empty cells behind the cell every one near the three has two.
    let loose = |x| read(x, None, Reading::Loose);
    assert_eq!((loose(1), loose(6), loose(12)), (2 * tier(3), tier(3), 0));
}

#[test]
fn re_prioritising_makes_several_short_rows_better_than_one_that_cannot_be_finished() {
    let position = drawn(
        Rules::CONNECT6,
        ". X X X X . . . . . . . . . . . .
         . . . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . X X X .",
    );
    let best = |left: usize| {
        let options = GeneralisedOptions {
            priority: Priority::Unfinished { mover: Player::Black, left },
            ..GeneralisedOptions::default()
        };
        let worth = generalised(&position, options).worth;
        let at = |x: usize, y: usize| worth[position.rules().cell(x, y).expect("on").index()];
        (at(5, 3), at(12, 0))
    };
    let (four, three) = best(2);
    assert!(four > three, "two stones finish the four");
    let (four, three) = best(1);
    assert_eq!(four, three, "one stone does not, so it is worth no more than the three");
}

#[test]
fn one_pair_of_rows_counts_each_generalised_threat_once() {
    let position = drawn(
        Rules::CONNECT6,
        ". . . X X X X . . .
         . . . . . . . . . .
         . . . . . . . O O O O . .",
    );
    let threats = |only| {
        let options = GeneralisedOptions { only, ..GeneralisedOptions::default() };
        generalised(&position, options).threats
    };
    assert_eq!(threats(Some(Player::Black)), 1);
    assert_eq!(threats(Some(Player::White)), 1);
    assert_eq!(threats(None), 2);
}

/// A board on which 0 and 1 are black stones, 2 is a white one, and the rest is empty.
fn windows_of(rules: Rules, stones: &[u8]) -> Windows {
    let mut windows = Windows::new(Position::new(rules).geometry().clone());
    for (cell, stone) in rules.all_cells().zip(stones) {
        match stone {
            0 | 1 => windows.place(cell, Player::Black),
            2 => windows.place(cell, Player::White),
            _ => {}
        }
    }
    windows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// On a board with a single line both marking counters are exact up to the cap.
    #[test]
    fn on_one_line_counting_is_exact(stones in proptest::collection::vec(0..4_u8, 24)) {
        let rules: Rules = "24x1,k=6,p=2,q=1".parse().expect("rules");
        let windows = windows_of(rules, &stones);
        // A completed row cannot be stopped, only counted.
        prop_assume!(!windows.can_win(Player::Black, 0));
        let exact = ThreatCounter::new().count(&windows, Player::Black);
        for marks in [Marks::Last, Marks::All] {
            let counted = count_marking(&windows, Player::Black, marks).counted.len();
            prop_assert!(marks == Marks::All || counted.min(3) == exact);
            prop_assert!(counted.min(3) <= exact);
        }
    }

    /// Counted windows of mark-all share no empty cell, so each needs a stone of its own.
    #[test]
    fn mark_all_never_counts_too_much(stones in proptest::collection::vec(0..5_u8, 100)) {
        let rules: Rules = "10x10,k=5,p=2,q=1".parse().expect("rules");
        let windows = windows_of(rules, &stones);
        prop_assume!(!windows.can_win(Player::Black, 0));
        let exact = ThreatCounter::new().count(&windows, Player::Black);
        let counted = count_marking(&windows, Player::Black, Marks::All).counted.len();
        prop_assert!(counted.min(3) <= exact);
    }

    #[test]
    fn every_rule_set_has_its_counts(
        game in 0..6_usize,
        moves in proptest::collection::vec(0..4096_usize, 0..60),
    ) {
        let games = [
            "3x3,k=3", "8x8,k=6,p=3,q=2", "7x6,k=4,gravity", "64x64,k=64", "5x5,k=2,p=4,q=1",
            "12x12,k=5,exact",
        ];
        let rules: Rules = games[game].parse().expect("rules");
        let mut position = Position::new(rules);
        for index in moves {
            let legal = position.legal_cells();
            if legal.is_empty() {
                break;
            }
            position.play(legal[index % legal.len()]).expect("legal");
        }
        for player in Player::BOTH {
            let exact = exact(&position, player);
            prop_assert!(exact <= rules.p() + 1);
            // Where there is a threat, every counter sees one.
            prop_assert_eq!(wu_huang(&position, player) > 0, exact > 0);
            prop_assert_eq!(mark_all(&position, player) > 0, exact > 0);
        }
        let options = GeneralisedOptions::default();
        prop_assert_eq!(generalised(&position, options).worth.len(), rules.cells());
    }
}
