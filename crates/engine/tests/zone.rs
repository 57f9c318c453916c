//! The relevance zone, by brute force: no turn outside it spoils the proof.

mod common;

use collinear_engine::proof::{ProofLimits, Solver, Verdict, Zone, check};
use collinear_rules::{Cell, Position, Rules};
use collinear_windows::Windows;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use common::turns;

#[test]
fn a_turn_outside_the_zone_leaves_the_proof_as_it_is() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    for text in ["7x7,k=5", "7x7,k=5,p=2,q=1", "8x7,k=6,p=2,q=1", "7x7,k=5,exact", "8x8,k=5,renju"]
    {
        let rules: Rules = text.parse().expect(text);
        let mut solver = Solver::new(&rules);
        let (mut zones, mut outside) = (0, 0);
        for _ in 0..400 {
            let mut position = Position::new(rules);
            let count = rules.q() + rules.p() * random.random_range(3..9);
            while position.stone_count() < count && !position.is_over() {
                let legal = position.legal_cells();
                position.play(legal[random.random_range(0..legal.len())]).expect("legal");
            }
            let (mover, left) = (position.to_move(), position.stones_left());
            let mut windows = Windows::of(&position);
            if position.is_over() || windows.can_win(mover, left) {
                continue;
            }
            let limits = ProofLimits { nodes: 500, ..ProofLimits::default() };
            let Verdict::Proved(proof) = solver.prove(&mut windows, !mover, rules.p(), limits)
            else {
                continue;
            };
            let before = windows.clone();
            let zone = Zone::of(&mut windows, !mover, &proof, left);
            assert!(windows == before, "the windows are put back");
            let cells: Vec<Cell> =
                position.legal_cells().into_iter().filter(|&cell| !zone.contains(cell)).collect();
            for turn in turns(&cells, left) {
                let mut after = position.clone();
                for &cell in &turn {
                    after.play(cell).expect("legal");
                }
                assert_eq!(check(&after, &proof), Ok(()), "{text} {turn:?}\n{position:?}");
                outside += 1;
            }
            zones += 1;
        }
        assert!(zones > 5 && outside > 20, "{text}: {zones} zones, {outside} turns outside");
    }
}
