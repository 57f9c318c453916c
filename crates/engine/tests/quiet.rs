//! Quiet wins: the checker tries every turn of the free defender.

mod common;

use std::sync::Arc;

use collinear_engine::proof::{Answer, Proof, ProofLimits, Then, check};
use collinear_engine::tactics::{QuietLimits, Tactics};
use collinear_rules::{Position, Rules};
use collinear_windows::Windows;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use common::random_position;

fn quiet_win(tactics: &mut Tactics, position: &Position, turns: u16) -> Option<Arc<Proof>> {
    let mut windows = Windows::of(position);
    let before = windows.clone();
    let (mover, left) = (position.to_move(), position.stones_left());
    let proof = ProofLimits { nodes: 300, ..ProofLimits::default() };
    if tactics.prove(&mut windows, mover, left, proof).proof().is_some() {
        return None;
    }
    let limits = QuietLimits { turns, proof, total: 30_000 };
    let found = tactics.prove_quiet(&mut windows, mover, left, limits);
    assert!(windows == before, "the windows are put back");
    found
}

#[test]
fn quiet_wins_hold_against_every_turn() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(41);
    for (text, turns, wanted) in [
        ("7x7,k=4", 2, 5),
        ("8x8,k=5", 3, 5),
        ("8x8,k=5,exact", 2, 3),
        ("9x9,k=5,renju", 2, 3),
        ("7x7,k=5,p=2,q=1", 1, 5),
        ("8x8,k=5,p=2,q=1", 1, 3),
    ] {
        let rules: Rules = text.parse().expect(text);
        let mut tactics = Tactics::new(&rules);
        let mut found = 0;
        for _ in 0..400 {
            let count = random.random_range(rules.cells() / 6..rules.cells() / 2);
            let Some(position) = random_position(rules, count, &mut random) else { continue };
            let Some(proof) = quiet_win(&mut tactics, &position, turns) else { continue };
            assert!(matches!(proof.then, Then::Quiet(_)) && proof.turns() > 1);
            assert_eq!(check(&position, &proof), Ok(()), "{text}\n{position:?}");
            found += 1;
            if found == 12 {
                break;
            }
        }
        assert!(found >= wanted, "{text}: only {found} quiet wins");
    }
}

/// Without one of its answers a proof is refused.
#[test]
fn an_answer_left_out_is_noticed() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(42);
    let rules: Rules = "8x8,k=5".parse().expect("a game");
    let mut tactics = Tactics::new(&rules);
    let mut refused = 0;
    for _ in 0..400 {
        let count = random.random_range(8..30);
        let Some(position) = random_position(rules, count, &mut random) else { continue };
        let Some(proof) = quiet_win(&mut tactics, &position, 2) else { continue };
        let Then::Quiet(answer) = &proof.then else { continue };
        // A stone on the first cell of the answer cannot be met by the same answer.
        let stone = answer.proof.turn[0];
        let stones = answer.stones.iter().filter(|(cell, _)| *cell != stone).cloned().collect();
        let less = Answer { proof: answer.proof.clone(), stones };
        let then = Then::Quiet(Arc::new(less));
        assert!(check(&position, &Proof { turn: proof.turn.clone(), then }).is_err());
        refused += 1;
    }
    assert!(refused > 2, "only {refused} proofs were tried");
}
