//! The slow twin: alpha-beta with a table on [`Position`], nothing clever, nothing shared with the
//! prover. Random small games and positions must have the same value in both, and every
//! certificate must pass the checker.

use std::collections::HashMap;

use collinear_prove::{Limits, Prover, Value, check};
use collinear_rules::{Cell, Outcome, Player, Position, Rules};
use proptest::prelude::*;

/// 1, 0 or −1 from Black's point of view, by trying everything.
fn plain(position: &mut Position, table: &mut HashMap<Vec<u8>, i8>, low: i8, high: i8) -> i8 {
    match position.outcome() {
        Outcome::Won(Player::Black) => return 1,
        Outcome::Won(Player::White) => return -1,
        Outcome::Drawn => return 0,
        Outcome::Ongoing => {}
    }
    // The value is found exactly, so it may be remembered whatever the window was.
    let key: Vec<u8> = position
        .rules()
        .all_cells()
        .map(|cell| position.at(cell).map_or(0, |player| 1 + player.index() as u8))
        .chain([position.to_move().index() as u8, position.stones_left() as u8])
        .collect();
    if let Some(&value) = table.get(&key) {
        return value;
    }
    let black = position.to_move() == Player::Black;
    let mut best = if black { -1 } else { 1 };
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        let value = plain(position, table, low, high);
        position.undo();
        best = if black { best.max(value) } else { best.min(value) };
        if best == if black { high } else { low } {
            break;
        }
    }
    table.insert(key, best);
    best
}

fn plain_value(position: &Position) -> Value {
    match plain(&mut position.clone(), &mut HashMap::new(), -1, 1) {
        1 => Value::Won(Player::Black),
        -1 => Value::Won(Player::White),
        _ => Value::Draw,
    }
}

/// The prover's value, with a table of this many bytes; its certificate is checked.
fn proved(position: &Position, memory: usize) -> Value {
    let prover = Prover::new(position, memory).expect("a small board");
    let certificate = prover.run(&Limits::default()).expect("no limit");
    let checked = check(&certificate).unwrap_or_else(|error| panic!("{position:?}{error}"));
    assert_eq!(checked.value, certificate.value);
    certificate.value
}

/// Rules of small boards: every p and q up to 3, with and without gravity and exact rows.
fn small_rules() -> impl Strategy<Value = Rules> {
    (1..=5_u32, 1..=4_u32, 1..=5_u32, 1..=3_u32, 1..=3_u32, any::<bool>(), 0..4_u8).prop_filter_map(
        "no such game",
        |(width, height, k, p, q, gravity, exact)| {
            let mut rules = Rules::builder(width, height, k).p(p).q(q);
            if gravity {
                rules = rules.gravity();
            }
            if exact == 0 {
                rules = rules.exact();
            }
            rules.build().ok().filter(|rules| rules.cells() <= 16)
        },
    )
}

/// A position reached by random legal stones that leaves few enough empty cells for the slow twin.
fn small_position() -> impl Strategy<Value = Position> {
    (small_rules(), prop::collection::vec(any::<prop::sample::Index>(), 16), 0..=11_usize)
        .prop_filter_map("the game ended", |(rules, choices, empty)| {
            let mut position = Position::new(rules);
            for choice in choices {
                if position.empty_count() <= empty.max(1) {
                    break;
                }
                let legal: Vec<Cell> = position.legal_cells();
                position.play(legal[choice.index(legal.len())]).ok()?;
                if position.is_over() {
                    return None;
                }
            }
            Some(position)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn values_are_those_of_the_slow_twin(position in small_position()) {
        prop_assert_eq!(proved(&position, 1 << 20), plain_value(&position));
    }

    /// A table that holds hardly anything loses time and nothing else.
    #[test]
    fn a_tiny_table_changes_no_value(position in small_position()) {
        prop_assert_eq!(proved(&position, 1 << 10), plain_value(&position));
    }
}

#[test]
fn every_game_on_boards_of_up_to_nine_cells() {
    let mut games = 0;
    for (width, height) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (2, 2), (3, 2), (4, 2), (3, 3)]
    {
        for k in 1..=width {
            for (p, q) in [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (1, 2)] {
                for (gravity, exact) in [(false, false), (true, false), (false, true), (true, true)]
                {
                    let mut builder = Rules::builder(width, height, k).p(p).q(q);
                    if gravity {
                        builder = builder.gravity();
                    }
                    if exact {
                        builder = builder.exact();
                    }
                    let Ok(rules) = builder.build() else { continue };
                    let position = Position::new(rules);
                    assert_eq!(proved(&position, 1 << 16), plain_value(&position), "{rules}");
                    games += 1;
                }
            }
        }
    }
    assert!(games > 400, "{games}");
}
