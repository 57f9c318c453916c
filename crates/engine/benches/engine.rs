//! What a stone costs the search, and how long it takes from the word "stop" to the answer.
//! Connect6 on 19×19.

#![allow(missing_docs, reason = "criterion_group! writes a public function")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use collinear_engine::{Engine, Settings, State, Weights};
use collinear_play::Budget;
use collinear_rules::{Cell, Position, Rules, notation};
use criterion::{Criterion, criterion_group, criterion_main};

/// A quiet middle game, made by `collinear openings --stones 13 --seed 6`.
const STONES: &str = "o9 h5 f12 f13 k8 g9 n8 k14 k7 n6 n12 k15 i8";

fn position() -> Position {
    let rules = Rules::CONNECT6;
    let cells: Vec<Cell> =
        STONES.split_whitespace().filter_map(|name| notation::parse(&rules, name).ok()).collect();
    Position::from_moves(rules, &cells).unwrap_or_else(|_| Position::new(rules))
}

fn stone(c: &mut Criterion) {
    let position = position();
    let mut state = State::new(&position, Arc::new(Weights::for_rules(position.rules())));
    let empty: Vec<Cell> = position.legal_cells();
    let mut next = 0;
    c.bench_function("put and take a stone", |b| {
        b.iter(|| {
            // Cells near each other and far, none favoured.
            next = (next + 97) % empty.len();
            state.play(empty[next]);
            state.undo()
        });
    });
}

fn stop(c: &mut Criterion) {
    let position = position();
    let mut group = c.benchmark_group("answer after stop");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    for threads in [1, 2] {
        let settings = Settings { memory: 16, threads, ..Settings::default() };
        let mut engine = Engine::new(position.rules(), settings, 0);
        group.bench_function(format!("{threads} threads"), |b| {
            b.iter_custom(|times| (0..times).map(|_| latency(&mut engine, &position)).sum());
        });
    }
}

/// Thinks without limit, is stopped from outside after 20 ms, and answers.
fn latency(engine: &mut Engine, position: &Position) -> Duration {
    let budget = Budget::default();
    let stop = budget.stop.clone();
    std::thread::scope(|scope| {
        let asker = scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            let asked = Instant::now();
            stop.stop();
            asked
        });
        let _ = engine.think(position, &budget, &mut |_| {});
        let answered = Instant::now();
        asker.join().map_or(Duration::ZERO, |asked| answered.saturating_duration_since(asked))
    })
}

criterion_group!(benches, stone, stop);
criterion_main!(benches);
