//! The network's paths against each other in one run: evaluations of one board.
#![allow(missing_docs)]

use std::hint::black_box;

use collinear_engine::net::{Evaluator, Net, Path};
use collinear_rules::Rules;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn paths(criterion: &mut Criterion) {
    let rules = Rules::CONNECT6;
    let net = Net::for_rules(&rules).expect("shipped");
    // A middle game: every seventh cell has a stone.
    let board: Vec<u8> = (0..rules.cells())
        .map(|cell| if cell % 7 == 0 { 1 + (cell / 7 % 2) as u8 } else { 0 })
        .collect();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(1));
    for path in Path::available() {
        let mut evaluator = Evaluator::with_path(net.clone(), rules.width(), rules.height(), path);
        group.bench_function(path.name(), |bencher| {
            bencher.iter(|| evaluator.evaluate(black_box(&board), false));
        });
    }
    group.finish();
}

criterion_group!(benches, paths);
criterion_main!(benches);
