//! A turn on 19×19 by the fast way beside the slow one that plays the same: `sequences` reads only
//! what a stone changes, or the whole board; `tablebase` looks types up, or works each out.

#![allow(missing_docs, reason = "criterion's macro makes a public function")]

use collinear_documents::registry;
use collinear_play::{Agent, Budget};
use collinear_rules::{Position, Rules};
use criterion::{Criterion, criterion_group, criterion_main};

fn agent(spec: &str) -> Box<dyn Agent> {
    registry().parse(spec).expect("known").build(&Rules::CONNECT6, 1).expect("an agent")
}

/// Positions of a game of the agent against itself, every ten stones.
fn positions(spec: &str) -> Vec<Position> {
    let mut agent = agent(spec);
    let mut position = Position::new(Rules::CONNECT6);
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
    for (name, game, ways) in [
        ("sequences", "sequences:c=1.5", ["scan=incremental,marks=fresh", "scan=full,marks=fresh"]),
        ("tablebase", "tablebase", ["types=lookup", "types=compute"]),
    ] {
        let positions = positions(game);
        let mut group = c.benchmark_group(format!("turn/{name}"));
        group.sample_size(10);
        for way in ways {
            let mut agent = agent(&format!("{name}:{way}"));
            group.bench_function(way, |b| {
                b.iter(|| {
                    for position in &positions {
                        agent.choose(position, &Budget::default(), &mut |_| {}).expect("a turn");
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, turns);
criterion_main!(benches);
