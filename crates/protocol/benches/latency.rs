//! What an engine in a process of its own costs a turn: the same instant answer in this process and
//! through pipes from a shell script. `cargo bench -p collinear-protocol --bench latency`

#![allow(missing_docs)] // of what criterion_group! makes

use std::hint::black_box;

use collinear_play::{Agent, AgentError, Budget, Report, Turn};
use collinear_protocol::Protocol;
use collinear_protocol::host::{EngineConfig, External};
use collinear_rules::{Cell, Position, Rules};
use criterion::{Criterion, criterion_group, criterion_main};

const MOCK: &str = r#"sh -c "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; go) echo bestmove a1 b1;; quit) exit;; esac; done""#;

struct Instant;

impl Agent for Instant {
    fn choose(
        &mut self,
        _: &Position,
        _: &Budget,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        Ok(vec![Cell::new(0), Cell::new(1)])
    }
}

fn latency(criterion: &mut Criterion) {
    let rules = Rules::CONNECT6;
    let position = Position::from_moves(rules, &[Cell::new(180)]).expect("legal");
    let config = EngineConfig::new(MOCK, Protocol::Ugi);
    let external = External::start(config, rules).expect("a shell");
    let agents: [(&str, Box<dyn Agent>); 2] =
        [("in this process", Box::new(Instant)), ("through pipes", Box::new(external))];
    let mut group = criterion.benchmark_group("an instant turn");
    for (name, mut agent) in agents {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let turn = agent.choose(black_box(&position), &Budget::default(), &mut |_| {});
                assert!(turn.is_ok(), "{turn:?}");
            });
        });
    }
}

criterion_group!(benches, latency);
criterion_main!(benches);
