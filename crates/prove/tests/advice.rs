//! Whoever follows the advice keeps the value of every position, and wins by the stone that was
//! promised, whatever the opponent does.

use collinear_prove::{Advice, Limits, Prover, Value, turns_of};
use collinear_rules::{Outcome, Player, Position, Rules};
use proptest::prelude::*;

const GAMES: [&str; 10] = [
    "3x3,k=3",
    "4x3,k=3",
    "4x4,k=3",
    "4x4,k=3,p=2,q=1",
    "5x4,k=4,p=2,q=1",
    "4x4,k=4,p=3,q=2",
    "4x4,k=3,gravity",
    "4x3,k=3,p=2,q=1,gravity",
    "4x3,k=3,exact",
    "5x3,k=3,p=2,q=1,exact",
];

fn advice(prover: &mut Prover, position: &Position) -> Advice {
    prover.turn_to(position).expect("the same game");
    prover.advise(&Limits::default()).expect("no limit")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn advice_keeps_its_promises(
        game in prop::sample::select(&GAMES[..]),
        follower in prop::sample::select(&Player::BOTH[..]),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 16),
    ) {
        let mut position = Position::new(game.parse::<Rules>().expect(game));
        let mut prover = Prover::new(&position, 1 << 20).expect("small");
        let mut promise: Option<(Value, Option<u32>)> = None;
        for choice in choices.iter().cycle() {
            let found = advice(&mut prover, &position);
            if let Some((value, last)) = promise {
                let is_better = found.value == Value::Won(follower);
                prop_assert!(found.value == value || is_better, "{game} {position}");
                if let (true, Some(last)) = (value == found.value, last) {
                    prop_assert!(position.stone_count() as u32 <= last, "{game} {position}");
                }
            }
            let last = found.stones.map(|stones| position.stone_count() as u32 + stones);
            if found.value == Value::Won(follower) {
                // A win that was found earlier is still promised.
                let before = promise.and_then(|(_, last)| last);
                promise = Some((found.value, before.min(last).or(before).or(last)));
            } else if found.value == Value::Draw {
                promise = Some((found.value, None));
            }
            let legal = position.legal_cells();
            let cell = match found.cell {
                Some(cell) if position.to_move() == follower => cell,
                other => {
                    prop_assert_eq!(other.is_none(), found.value == Value::Won(!position.to_move()));
                    legal[choice.index(legal.len())]
                }
            };
            position.play(cell).expect("legal");
            match position.outcome() {
                Outcome::Ongoing => {}
                Outcome::Won(winner) => {
                    prop_assert!(promise.is_none() || winner == follower, "{game} {position}");
                    break;
                }
                Outcome::Drawn => {
                    prop_assert!(!matches!(promise, Some((Value::Won(_), _))), "{game} {position}");
                    break;
                }
            }
        }
    }
}

#[test]
fn stones_are_counted_in_turns() {
    let rules: Rules = "5x5,k=5,p=2,q=1".parse().expect("rules");
    let position = Position::new(rules);
    let turns = |player, stones| turns_of(&position, player, stones);
    // One stone of Black, two of White, two of Black, two of White.
    let black: Vec<u32> = [1, 4, 5, 8, 9].map(|stones| turns(Player::Black, stones)).to_vec();
    assert_eq!(black, [1, 2, 2, 3, 3]);
    assert_eq!([2, 3, 6, 7].map(|stones| turns(Player::White, stones)), [1, 1, 2, 2]);
}

#[test]
fn other_games_and_ends_are_refused() {
    let mut prover =
        Prover::new(&Position::new("3x3,k=3".parse().expect("rules")), 1 << 16).expect("small");
    let other = Position::new("4x3,k=3".parse().expect("rules"));
    assert!(prover.turn_to(&other).is_err());
    let mut over = Position::new("1x1,k=1".parse().expect("rules"));
    over.play(collinear_rules::Cell::new(0)).expect("legal");
    let mut tiny = Prover::new(&Position::new(*over.rules()), 1 << 16).expect("small");
    assert!(tiny.turn_to(&over).is_err());
}
