//! A turn of `tablebase` on 19×19: types looked up in tables, beside each worked out when asked.

#![allow(missing_docs, reason = "criterion's macro makes a public function")]

use collinear_agents::registry;
use collinear_play::{Agent, Budget};
use collinear_rules::{Position, Rules};
use criterion::{Criterion, criterion_group, criterion_main};

/// Positions of a game of `tablebase` against itself, every ten stones.
fn positions() -> Vec<Position> {
    let rules = Rules::CONNECT6;
    let choice = registry().parse("tablebase").expect("known");
    let mut agent = choice.build(&rules, 1).expect("an agent");
    let mut position = Position::new(rules);
    let mut found = Vec::new();
    while !position.is_over() && position.stone_count() < 61 {
        if position.stone_count() % 10 == 1 {
            found.push(position.clone());
        }
        for cell in agent.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn") {
            position.play(cell).expect("legal");
        }
    }
    found
}

fn turns(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("turn/tablebase");
    group.sample_size(10);
    for types in ["lookup", "compute"] {
        let choice = registry().parse(&format!("tablebase:types={types}")).expect("known");
        let mut agent: Box<dyn Agent> = choice.build(&Rules::CONNECT6, 1).expect("an agent");
        group.bench_function(types, |b| {
            b.iter(|| {
                for position in &positions {
                    agent.choose(position, &Budget::default(), &mut |_| {}).expect("a turn");
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, turns);
criterion_main!(benches);
