//! Building the table-base: all lengths up to 19 with the types of cells, and, up to length 12,
//! against the paper's conditions evaluated quantifier by quantifier (types only).

#![allow(missing_docs, reason = "criterion_group! writes a public function")]

#[path = "../tests/literal/mod.rs"]
mod literal;

use std::hint::black_box;
use std::time::Duration;

use collinear_documents::tablebase::{LineRules, Shape, TableBase};
use criterion::{Criterion, criterion_group, criterion_main};
use literal::Literal;

fn build(c: &mut Criterion) {
    let rules = LineRules::CONNECT6;
    let mut group = c.benchmark_group("tables k=6 p=2");
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.bench_function("n=19", |b| b.iter(|| TableBase::new(black_box(rules), 19)));
    group.bench_function("n=12", |b| b.iter(|| TableBase::new(black_box(rules), 12)));
    group.bench_function("n=12, literally", |b| {
        b.iter(|| {
            for length in 6..=12 {
                let void = Shape::new(6, length, 0).expect("a shape");
                black_box(Literal::new(6, 2, length).types(void));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, build);
criterion_main!(benches);
