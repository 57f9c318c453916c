//! The fast position against the plain one, on random games of random rules.

mod reference;

use std::collections::HashSet;

use collinear_rules::{
    Cell, Fouls, IllegalMove, InvalidSetup, Outcome, Overline, Player, Position, Rules, Setup,
    Symmetry,
};
use proptest::prelude::*;
use reference::Mailbox;

fn any_rules(side: u32) -> impl Strategy<Value = Rules> {
    (1..=side, 1..=side, 1..=10_u32, 1..=4_u32, 1..=4_u32, any::<bool>(), any::<bool>(), 0..3_u8)
        .prop_map(|(width, height, k, p, q, gravity, exact, fouls)| {
            if fouls > 0 && width.max(height) >= 5 {
                let fouls = if fouls == 1 { Fouls::Refused } else { Fouls::Lose };
                return Rules::builder(width, height, 5).fouls(fouls).build().expect("Renju");
            }
            let mut rules = Rules::builder(width, height, k.min(width.max(height)));
            rules = rules.p(p).q(q.min(width * height));
            rules.gravity = gravity;
            rules.overline = if exact { Overline::Ignored } else { Overline::Wins };
            rules.build().expect("within the ranges")
        })
}

/// Picks legal cells with a preference for some of them, so that rows come about on big boards.
fn choose(position: &Position, pick: u32) -> Cell {
    let legal = position.legal_cells();
    let near = (pick >> 16) as usize % 12;
    legal[if pick & 1 == 0 { near % legal.len() } else { pick as usize % legal.len() }]
}

/// Every field a position shows.
#[derive(Debug, PartialEq)]
struct Snapshot {
    keys: [u64; 2],
    turn: (Player, usize),
    outcome: Outcome,
    empty: usize,
    lines: Vec<[u64; 2]>,
    history: Vec<Cell>,
}

fn snapshot(position: &Position) -> Snapshot {
    Snapshot {
        keys: [position.key(), position.canonical_key()],
        turn: (position.to_move(), position.stones_left()),
        outcome: position.outcome(),
        empty: position.empty_count(),
        lines: position.geometry().lines().map(|line| position.line(line)).collect(),
        history: position.history().to_vec(),
    }
}

fn agree(fast: &Position, plain: &Mailbox) {
    assert_eq!(fast.outcome(), plain.outcome());
    assert_eq!((fast.to_move(), fast.stones_left()), plain.turn());
    for cell in fast.rules().all_cells() {
        assert_eq!(fast.at(cell), plain.cells[cell.index()]);
    }
    let mut legal = fast.legal_cells();
    let counted: Vec<_> = (0..=fast.legal_count()).map(|index| fast.nth_legal(index)).collect();
    assert_eq!(counted, legal.iter().copied().map(Some).chain([None]).collect::<Vec<_>>());
    legal.sort_unstable();
    assert_eq!(legal, plain.legal_cells());
    let rows: HashSet<Vec<Cell>> = fast.winning_rows().into_iter().collect();
    assert_eq!(rows, plain.winning_rows().into_iter().map(|(_, row)| row).collect());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn fast_equals_plain_and_undo_restores_every_field(
        rules in any_rules(12),
        picks in prop::collection::vec(any::<u32>(), 0..150),
    ) {
        let mut fast = Position::new(rules);
        let mut plain = Mailbox::new(rules);
        let mut before = Vec::new();
        for pick in picks {
            if fast.is_over() {
                break;
            }
            before.push(snapshot(&fast));
            let cell = choose(&fast, pick);
            fast.play(cell).expect("chosen from the legal cells");
            plain.play(cell);
            agree(&fast, &plain);
        }
        let scratch = Position::from_moves(rules, fast.history()).expect("replays");
        prop_assert_eq!(snapshot(&scratch), snapshot(&fast));
        while let Some(saved) = before.pop() {
            fast.undo().expect("as many stones as were played");
            prop_assert_eq!(snapshot(&fast), saved);
        }
        prop_assert_eq!(fast.undo(), None);
    }

    #[test]
    fn large_boards_agree_too(rules in any_rules(64), picks in prop::collection::vec(any::<u32>(), 60)) {
        let mut fast = Position::new(rules);
        let mut plain = Mailbox::new(rules);
        for pick in picks {
            if fast.is_over() {
                break;
            }
            let cell = choose(&fast, pick);
            fast.play(cell).expect("legal");
            plain.play(cell);
        }
        agree(&fast, &plain);
    }

    #[test]
    fn keys_tell_positions_apart_and_orders_join(rules in any_rules(8), picks in prop::collection::vec(any::<u32>(), 0..40)) {
        let mut position = Position::new(rules);
        for pick in picks {
            if position.is_over() {
                break;
            }
            position.play(choose(&position, pick)).expect("legal");
        }
        let setup = Setup {
            black: position.stones(Player::Black).collect(),
            white: position.stones(Player::White).collect(),
            to_move: None,
        };
        match Position::from_setup(rules, &setup) {
            Ok(again) => {
                prop_assert_eq!(again.key(), position.key());
                prop_assert_eq!(again, position);
            }
            Err(error) => prop_assert!(
                matches!(error, InvalidSetup::AlreadyWon(_)) && matches!(position.outcome(), Outcome::Won(_))
            ),
        }
    }

    #[test]
    fn symmetric_games_have_equal_canonical_keys(rules in any_rules(10), picks in prop::collection::vec(any::<u32>(), 0..40)) {
        let mut position = Position::new(rules);
        for pick in picks {
            if position.is_over() {
                break;
            }
            position.play(choose(&position, pick)).expect("legal");
        }
        for symmetry in Symmetry::of(&rules) {
            let image: Vec<Cell> = position.history().iter().map(|&c| symmetry.apply(&rules, c)).collect();
            let image = Position::from_moves(rules, &image).expect("the image of a legal game is legal");
            prop_assert_eq!(image.canonical_key(), position.canonical_key());
            prop_assert_eq!(image.outcome(), position.outcome());
            prop_assert_eq!(image.is_dead_draw(), position.is_dead_draw());
        }
    }

    #[test]
    fn dead_draws_are_those_nobody_can_win(rules in any_rules(6), picks in prop::collection::vec(any::<u32>(), 0..36)) {
        let mut fast = Position::new(rules);
        let mut plain = Mailbox::new(rules);
        for pick in picks {
            if fast.is_over() {
                break;
            }
            let cell = choose(&fast, pick | 1);
            fast.play(cell).expect("legal");
            plain.play(cell);
        }
        prop_assert_eq!(fast.is_dead_draw(), plain.is_dead_draw());
    }
}

#[test]
fn illegal_stones_are_refused_with_the_reason() {
    let mut game = Position::new(Rules::CONNECT4);
    let cell = |x, y| Rules::CONNECT4.cell(x, y).expect("on the board");
    assert_eq!(game.play(cell(3, 1)), Err(IllegalMove::Floating));
    assert_eq!(game.play(Cell::new(42)), Err(IllegalMove::Outside));
    for column in [3, 0, 3, 0, 3, 0] {
        game.play(game.drop_cell(column).expect("room")).expect("legal");
    }
    assert_eq!(game.play(cell(3, 0)), Err(IllegalMove::Occupied));
    game.play(cell(3, 3)).expect("legal");
    assert_eq!(game.outcome(), Outcome::Won(Player::Black));
    assert_eq!(game.play(cell(1, 0)), Err(IllegalMove::GameOver));
    assert_eq!(game.legal_cells(), []);
}

#[test]
fn one_stone_may_complete_several_rows() {
    // A cross of two fives that share the stone played last.
    let rules: Rules = "9x9,k=5,p=9,q=9".parse().expect("valid");
    let at = |x, y| rules.cell(x, y).expect("on the board");
    let arms = [2, 3, 5, 6].into_iter().flat_map(|i| [at(i, 4), at(4, i)]);
    let mut game = Position::from_moves(rules, &arms.collect::<Vec<_>>()).expect("legal");
    assert_eq!(game.stones_left(), 1);
    game.play(at(4, 4)).expect("legal");
    assert_eq!(game.winning_rows().len(), 2);
    assert_eq!(game.winning_cells().len(), 9);
}

#[test]
fn a_winning_stone_ends_the_turn_early() {
    let rules: Rules = "9x9,k=3,p=4,q=4".parse().expect("valid");
    let at = |x| rules.cell(x, 0).expect("on the board");
    let game = Position::from_moves(rules, &[at(0), at(1), at(2)]).expect("legal");
    assert_eq!(game.outcome(), Outcome::Won(Player::Black));
}

#[test]
fn the_last_turn_has_as_many_stones_as_cells() {
    let rules: Rules = "2x2,k=2,p=4,q=1,exact".parse().expect("valid");
    let game = Position::from_moves(rules, &[Cell::new(0)]).expect("legal");
    assert_eq!(game.stones_left(), 3);
}

#[test]
fn set_up_positions_are_validated() {
    let rules = Rules::CONNECT6;
    let at = |x, y| rules.cell(x, y).expect("on the board");
    let six: Vec<Cell> = (0..6).map(|x| at(x, 0)).collect();
    let refused = |setup: Setup| Position::from_setup(rules, &setup).expect_err("must be refused");
    let setup = |black: &[Cell], white: &[Cell], to_move| Setup {
        black: black.to_vec(),
        white: white.to_vec(),
        to_move,
    };
    assert_eq!(refused(setup(&six, &[], None)), InvalidSetup::AlreadyWon(Player::Black));
    assert_eq!(refused(setup(&six[..1], &six[..1], None)), InvalidSetup::Occupied("a1".into()));
    assert_eq!(refused(setup(&[Cell::new(361)], &[], None)), InvalidSetup::Outside);
    let left = refused(setup(&six[..1], &[], Some((Player::White, 3))));
    assert_eq!(left.to_string(), "white cannot have 3 stones left in a turn of these rules");

    let puzzle = setup(&six[..4], &[at(9, 9)], Some((Player::Black, 1)));
    let mut game = Position::from_setup(rules, &puzzle).expect("valid");
    assert_eq!((game.to_move(), game.stones_left()), (Player::Black, 1));
    game.play(at(4, 0)).expect("legal");
    assert_eq!((game.to_move(), game.stones_left()), (Player::White, 2));
    assert_eq!((game.undo(), game.undo()), (Some(at(4, 0)), None));

    let floating = Setup { black: vec![Cell::new(7)], ..Setup::default() };
    let refusal = Position::from_setup(Rules::CONNECT4, &floating).expect_err("hangs in the air");
    assert_eq!(refusal, InvalidSetup::Floating("a2".into()));
}
