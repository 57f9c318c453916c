//! The solver beside the slow twin, on the same positions in one run:
//! `cargo bench -p collinear-connect4`.

#![allow(missing_docs)]

use std::hint::black_box;

use collinear_connect4::{Solver, plain};
use collinear_rules::{Position, Rules, notation};
use criterion::{Criterion, criterion_group, criterion_main};

/// Late positions of Pascal Pons' test set `Test_L3_R1`, within reach of the twin.
const LATE: [&str; 3] = [
    "2252576253462244111563365343671351441",
    "7422341735647741166133573473242566",
    "23163416124767223154467471272416755633",
];

/// Positions of his sets of the middle of the game and of the opening, for the solver alone.
const HARDER: [(&str, &str); 3] = [
    ("middle, easy", "52753311433677442422121"),
    ("middle, hard", "274552224131661"),
    ("opening, easy", "32164625"),
];

fn position(moves: &str) -> Position {
    let mut position = Position::new(Rules::CONNECT4);
    for sign in moves.chars() {
        let cell = notation::parse_pons(&position, sign).expect("a column");
        position.play(cell).expect("a legal move");
    }
    position
}

fn late_positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("three late positions");
    let positions: Vec<Position> = LATE.iter().map(|moves| position(moves)).collect();
    group.bench_function("plain twin", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(plain::score(&mut position.clone(), &mut 0));
            }
        });
    });
    let mut solver = Solver::without_book(&Rules::CONNECT4).expect("known");
    group.bench_function("solver, table cleared", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                solver.clear();
                black_box(solver.solve(position).expect("ongoing"));
            }
        });
    });
    group.finish();
}

fn harder_positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solver, table cleared");
    let mut solver = Solver::without_book(&Rules::CONNECT4).expect("known");
    for (name, moves) in HARDER {
        let position = position(moves);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                solver.clear();
                black_box(solver.solve(&position).expect("ongoing"))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, late_positions, harder_positions);
criterion_main!(benches);
