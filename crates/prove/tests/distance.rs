//! Distances beside a slow twin that tries every stone, and beside what others have printed.

use std::collections::HashMap;

use collinear_prove::{
    Certificate, CheckError, Goal, Limits, ProveError, Prover, Reason, Value, check,
};
use collinear_rules::{Outcome, Player, Position, Rules};
use proptest::prelude::*;

/// Who wins and after how many stones, the winner hurrying and the loser delaying.
type Plain = Option<(Player, u32)>;

fn plain(position: &mut Position, table: &mut HashMap<Vec<u8>, Plain>) -> Plain {
    match position.outcome() {
        Outcome::Won(player) => return Some((player, 0)),
        Outcome::Drawn => return None,
        Outcome::Ongoing => {}
    }
    let signs = position
        .rules()
        .all_cells()
        .map(|cell| position.at(cell).map_or(0, |player| 1 + player.index() as u8));
    let key: Vec<u8> =
        signs.chain([position.to_move().index() as u8, position.stones_left() as u8]).collect();
    if let Some(&known) = table.get(&key) {
        return known;
    }
    let mover = position.to_move();
    // Better for the mover is larger: a soon win, a late win, a draw, a late loss, a soon loss.
    let worth = |found: Plain| match found {
        Some((player, stones)) if player == mover => 1000 - stones as i32,
        Some((_, stones)) => stones as i32 - 1000,
        None => 0,
    };
    let mut best = None;
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        let found = plain(position, table).map(|(player, stones)| (player, stones + 1));
        position.undo();
        if best.is_none_or(|best| worth(found) > worth(best)) {
            best = Some(found);
        }
    }
    let best = best.flatten();
    table.insert(key, best);
    best
}

fn with_distance(position: &Position, threads: usize) -> Certificate {
    let prover = Prover::new(position, 1 << 20).expect("a small board");
    let limits = Limits { threads, ..Limits::default() };
    let certificate = prover.run(&limits).expect("no limit");
    let certificate = prover.with_distance(certificate, &limits).expect("no limit");
    let checked = check(&certificate).unwrap_or_else(|error| panic!("{position:?}{error}"));
    assert_eq!(checked.stones, certificate.stones);
    let file = certificate.to_bytes();
    assert_eq!(Certificate::from_bytes(&file).as_ref(), Ok(&certificate));
    certificate
}

fn found(certificate: &Certificate) -> Plain {
    match certificate.value {
        Value::Won(player) => Some((player, certificate.stones.expect("it was asked for"))),
        Value::Draw => {
            assert_eq!(certificate.stones, None);
            None
        }
    }
}

fn small_position() -> impl Strategy<Value = Position> {
    let rules = (1..=5_u32, 1..=4_u32, 2..=4_u32, 1..=3_u32, 1..=3_u32, any::<bool>(), 0..4_u8);
    let rules = rules.prop_filter_map("no such game", |(w, h, k, p, q, gravity, exact)| {
        let mut rules = Rules::builder(w, h, k).p(p).q(q);
        if gravity {
            rules = rules.gravity();
        }
        if exact == 0 {
            rules = rules.exact();
        }
        rules.build().ok().filter(|rules| rules.cells() <= 16)
    });
    (rules, prop::collection::vec(any::<prop::sample::Index>(), 16), 0..=10_usize).prop_filter_map(
        "the game ended",
        |(rules, choices, empty)| {
            let mut position = Position::new(rules);
            for choice in choices {
                if position.empty_count() <= empty.max(1) {
                    break;
                }
                let legal = position.legal_cells();
                position.play(legal[choice.index(legal.len())]).ok()?;
                if position.is_over() {
                    return None;
                }
            }
            Some(position)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn distances_are_those_of_the_slow_twin(position in small_position()) {
        let slow = plain(&mut position.clone(), &mut HashMap::new());
        prop_assert_eq!(found(&with_distance(&position, 1)), slow);
    }
}

/// (4,3,3) in 7 stones: a public solver (`mnk443.js`). The others are of the slow twin.
#[test]
fn known_distances() {
    for (game, stones) in [("4x3,k=3", Some(7)), ("3x3,k=3,p=2,q=1", None)] {
        let position = Position::new(game.parse().expect(game));
        let certificate = with_distance(&position, 2);
        let slow = plain(&mut position.clone(), &mut HashMap::new());
        assert_eq!(found(&certificate), slow, "{game}");
        assert!(stones.is_none_or(|stones| certificate.stones == Some(stones)), "{game}");
    }
}

#[test]
fn a_distance_that_is_too_short_or_too_long_is_refused() {
    let genuine = with_distance(&Position::new("4x3,k=3".parse().expect("a game")), 1);
    for stones in [0, 1, 5, 6, 8, 9, 11, 1000, u32::MAX] {
        let forged = Certificate { stones: Some(stones), ..genuine.clone() };
        assert!(check(&forged).is_err(), "{stones}");
    }
    let mut without = genuine.clone();
    without.parts.retain(|part| part.goal == Goal::Wins);
    assert!(matches!(check(&without), Err(CheckError::Claims { .. })));
    let mut cut = genuine;
    for part in &mut cut.parts {
        let Reason::Strong(bytes) = &mut part.reason else { panic!("a strategy") };
        bytes.pop();
    }
    assert!(check(&cut).is_err());
}

#[test]
fn a_search_that_is_stopped_says_how_far_it_came() {
    let prover = Prover::new(&Position::new("6x5,k=4".parse().expect("a game")), 8 << 20);
    let prover = prover.expect("small");
    let certificate = prover.run(&Limits::default()).expect("no limit");
    let nodes = Some(prover.nodes() + 300);
    let stopped = prover.with_distance(certificate, &Limits { nodes, ..Limits::default() });
    assert!(matches!(stopped, Err(ProveError::StoppedAt { at_least: 2.., .. })), "{stopped:?}");
}
