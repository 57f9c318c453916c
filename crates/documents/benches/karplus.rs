//! The pruned search of the `Nply_…` players against the document's plain one, in one run.
//!
//! Both choose moves for the same positions: one from each ply of a game of the player against
//! itself. The document prints 0.129163 s per move for `5ply_fevala`.

#![allow(missing_docs, reason = "criterion_group! makes a public function")]

use collinear_documents::registry;
use collinear_play::{Agent, Budget};
use collinear_rules::{Position, Rules};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn player(spec: &str) -> Box<dyn Agent> {
    let choice = registry().parse(spec).expect("a known agent");
    choice.build(&Rules::CONNECT4, 1).expect("plays Connect Four")
}

/// Every position of a game of the player against itself.
fn positions(name: &str) -> Vec<Position> {
    let mut position = Position::new(Rules::CONNECT4);
    let mut player = player(name);
    let mut all = Vec::new();
    while !position.is_over() {
        all.push(position.clone());
        let turn = player.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn");
        position.play(turn[0]).expect("legal");
    }
    all
}

fn a_game(criterion: &mut Criterion) {
    for name in ["3ply_fevala", "5ply_wineval", "5ply_fevala"] {
        let positions = positions(name);
        let mut group = criterion.benchmark_group(format!("{name}, {} moves", positions.len()));
        group.sample_size(10);
        for search in ["plain", "pruned"] {
            let mut player = player(&format!("{name}:search={search}"));
            group.bench_function(BenchmarkId::from_parameter(search), |bencher| {
                bencher.iter(|| {
                    for position in &positions {
                        player.choose(position, &Budget::default(), &mut |_| {}).expect("a turn");
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, a_game);
criterion_main!(benches);
