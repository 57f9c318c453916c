//! Random games: the fast playout beside the plain one, from the empty board, and beside the one that
//! looks for a row after every stone, as it must where longer rows do not win.

#![allow(missing_docs, reason = "criterion's macro makes a public function")]
use collinear_documents::search::{Playouts, plain_playout};
use collinear_rules::{Position, Rules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn playouts(c: &mut Criterion) {
    for (name, rules) in [("connect6", Rules::CONNECT6), ("connect4", Rules::CONNECT4)] {
        let start = Position::new(rules);
        let mut group = c.benchmark_group(format!("playout/{name}"));
        group.throughput(Throughput::Elements(1));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut fast = Playouts::new(start.geometry().clone());
        fast.load(&start);
        group.bench_function("fast", |b| b.iter(|| fast.run(&[], &mut random)));
        let exact = Position::new(format!("{rules},exact").parse().expect("rules"));
        let mut every = Playouts::new(exact.geometry().clone());
        every.load(&exact);
        group.bench_function("a look per stone", |b| b.iter(|| every.run(&[], &mut random)));
        group.bench_function("plain", |b| b.iter(|| plain_playout(&start, &mut random)));
        group.finish();
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
