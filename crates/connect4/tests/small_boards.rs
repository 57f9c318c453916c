//! The solver against the slow twin, on boards small enough for it.

use collinear_connect4::{Limits, Mode, Solver, plain};
use collinear_rules::{Outcome, Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const SMALL: [&str; 12] = [
    "3x3,k=3,gravity",
    "4x3,k=3,gravity",
    "4x4,k=3,gravity",
    "4x4,k=4,gravity",
    "5x4,k=4,gravity",
    "4x5,k=4,gravity",
    "5x3,k=4,gravity",
    "3x6,k=4,gravity",
    "6x3,k=5,gravity",
    "5x4,k=5,gravity",
    "2x9,k=6,gravity",
    "1x5,k=4,gravity",
];

/// A random game cut off before it is over, with at most 16 empty cells.
fn random_position(rules: Rules, random: &mut impl Rng) -> Position {
    let mut position = Position::new(rules);
    for _ in 0..random.random_range(rules.cells().saturating_sub(16)..rules.cells()) {
        let legal = position.legal_cells();
        let Some(&cell) = legal.choose(random) else { break };
        position.play(cell).expect("legal");
    }
    if position.is_over() {
        position.undo();
    }
    position
}

#[test]
fn scores_equal_those_of_the_slow_twin() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for text in SMALL {
        let rules: Rules = text.parse().expect(text);
        let mut solver = Solver::new(&rules).expect(text);
        for _ in 0..60 {
            let mut position = random_position(rules, &mut random);
            let found = solver.solve(&position).expect("ongoing").score.get();
            let weak = solver
                .solve_within(&position, Mode::Weak, &Limits::default())
                .expect("ongoing")
                .score
                .get();
            assert_eq!(found, plain::score(&mut position, &mut 0), "{position:?}");
            assert_eq!(weak, found.signum(), "{position:?}");
            let columns = solver.scores(&position).expect("ongoing");
            assert_eq!(columns.iter().flatten().max().map(|s| s.get()), Some(found));
        }
    }
}

#[test]
fn the_game_ends_after_as_many_stones_as_the_score_says() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for text in SMALL {
        let rules: Rules = text.parse().expect(text);
        let mut solver = Solver::new(&rules).expect(text);
        for _ in 0..20 {
            let mut position = random_position(rules, &mut random);
            let score = solver.solve(&position).expect("ongoing").score;
            let expected = score.stones_to_end(position.empty_count());
            let mover = position.to_move();
            let mut played = 0;
            while !position.is_over() {
                let columns = solver.scores(&position).expect("ongoing");
                let best = columns.iter().flatten().max().expect("a move");
                let column = columns.iter().position(|s| s.as_ref() == Some(best)).expect("it");
                position.play(position.drop_cell(column).expect("room")).expect("legal");
                played += 1;
            }
            assert_eq!(played, expected);
            match position.outcome() {
                Outcome::Won(player) => assert_eq!(player == mover, score.get() > 0),
                _ => assert_eq!(score.get(), 0),
            }
        }
    }
}
