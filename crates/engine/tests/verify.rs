//! The turn to be chosen is verified: turns after which the opponent wins by continuous threats are
//! found out before they are played.

use collinear_engine::{Engine, Feature, Searcher, Settings};
use collinear_play::{Budget, Value};
use collinear_rules::{Position, Rules};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A position with `stones` stones near the middle, nobody about to win.
fn crowded(random: &mut Xoshiro256PlusPlus, stones: usize) -> Position {
    let rules = Rules::CONNECT6;
    let middle: Vec<_> =
        (6..13).flat_map(|x| (6..13).filter_map(move |y| rules.cell(x, y))).collect();
    let mut position = Position::new(rules);
    while position.stone_count() < stones {
        let cell = *middle.choose(random).expect("cells");
        if position.check(cell).is_ok() {
            position.play_unchecked(cell);
        }
    }
    position
}

/// Turns of shallow searches that lose to a proof of some thousand nodes, out of those that the
/// search thought well of.
fn refuted(settings: Settings) -> usize {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut engine = Engine::new(&Rules::CONNECT6, settings, 0);
    let mut prover = Engine::new(&Rules::CONNECT6, settings, 0);
    (0..120)
        .filter(|_| {
            let mut position = crowded(&mut random, 13);
            if position.is_over() {
                return false;
            }
            engine.clear();
            let thought = engine.think(&position, &Budget::depth(4), &mut |_| {}).expect("ongoing");
            if !matches!(thought.report.lines[0].value, Value::Chance(0.1..)) {
                return false;
            }
            thought.turn.iter().for_each(|&cell| position.play_unchecked(cell));
            !position.is_over() && prover.prove(&position, &Budget::nodes(2_000)).proof().is_some()
        })
        .count()
}

#[test]
fn fewer_turns_lose_to_a_proof_when_they_are_verified() {
    // The proof searches inside the tree find most of these turns already: they are switched off.
    let features = Settings::default().features.without(Feature::TreeProof);
    let searcher = Searcher::AlphaBeta;
    let verified = Settings { memory: 4, features, searcher, ..Settings::default() };
    let bare = Settings { features: features.without(Feature::Verify), ..verified };
    let (with, without) = (refuted(verified), refuted(bare));
    assert!(with < without, "{with} verified turns lose, {without} others");
}
