//! A turn of `sequences` on 19×19: only what a stone changes, beside the whole board read again.

#![allow(missing_docs, reason = "criterion's macro makes a public function")]

use collinear_agents::registry;
use collinear_play::{Agent, Budget};
use collinear_rules::{Position, Rules};
use criterion::{Criterion, criterion_group, criterion_main};

/// Positions of a game between two `sequences`, every ten stones.
fn positions() -> Vec<Position> {
    let rules = Rules::CONNECT6;
    let choice = registry().parse("sequences:c=1.5").expect("known");
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
    let mut group = c.benchmark_group("turn/sequences");
    group.sample_size(10);
    for scan in ["incremental", "full"] {
        let choice =
            registry().parse(&format!("sequences:scan={scan},marks=fresh")).expect("known");
        let mut agent: Box<dyn Agent> = choice.build(&Rules::CONNECT6, 1).expect("an agent");
        group.bench_function(scan, |b| {
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
