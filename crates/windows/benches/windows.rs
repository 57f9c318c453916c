//! What the window state costs: a stone against recounting the board, and the exact threat count
//! against brute force over cell subsets. Connect6 on 19×19, ratios are what counts.

#![allow(missing_docs, reason = "criterion_group! writes a public function")]

use std::hint::black_box;
use std::sync::Arc;

use collinear_rules::{Cell, Geometry, Player, Rules};
use collinear_windows::{ThreatCounter, Windows};
use criterion::{Criterion, criterion_group, criterion_main};

/// A middle game of Connect6: every few cells around the centre a stone, colours mixed, so that
/// some windows are live with three or four stones and most are blocked.
fn middle_game(stones: usize) -> (Arc<Geometry>, Windows, Vec<(Cell, Player)>) {
    let geometry = Arc::new(Geometry::new(Rules::CONNECT6));
    let rules = *geometry.rules();
    let mut windows = Windows::new(geometry.clone());
    let mut state = 7_u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) % below
    };
    let mut placed = Vec::new();
    while placed.len() < stones {
        let (column, row) = (4 + next(11) as usize, 4 + next(11) as usize);
        let Some(cell) = rules.cell(column, row) else { continue };
        let player = if next(2) == 0 { Player::Black } else { Player::White };
        if windows.is_empty(cell) {
            windows.place(cell, player);
            placed.push((cell, player));
        }
    }
    (geometry, windows, placed)
}

/// Black stones of every window, White's, and whether it is a threat: what the state replaces.
fn recount(geometry: &Geometry, windows: &Windows) -> usize {
    let p = geometry.rules().p();
    geometry
        .windows()
        .filter(|&window| {
            let mut counts = [0_usize; 3];
            for &cell in geometry.window_cells(window) {
                counts[windows.at(cell).map_or(2, Player::index)] += 1;
            }
            counts[2] <= p && (counts[0] == 0 || counts[1] == 0)
        })
        .count()
}

fn brute_force(sets: &[Vec<Cell>], cells: &[Cell]) -> usize {
    let hits = |chosen: &[Cell]| sets.iter().all(|set| set.iter().any(|c| chosen.contains(c)));
    if sets.is_empty() {
        0
    } else if cells.iter().any(|&a| hits(&[a])) {
        1
    } else if cells.iter().any(|&a| cells.iter().any(|&b| hits(&[a, b]))) {
        2
    } else {
        3
    }
}

fn updates(c: &mut Criterion) {
    let (geometry, mut windows, placed) = middle_game(40);
    let mut group = c.benchmark_group("stone");
    let mut turn = 0;
    group.bench_function("remove and place", |b| {
        b.iter(|| {
            turn = (turn + 1) % placed.len();
            let (cell, player) = placed[turn];
            windows.remove(black_box(cell), player);
            windows.place(black_box(cell), player);
        });
    });
    group.bench_function("recount", |b| b.iter(|| recount(&geometry, black_box(&windows))));
    group.finish();
}

fn counts(c: &mut Criterion) {
    let (_, quiet, _) = middle_game(12);
    assert!(!quiet.has_threat(Player::Black));
    let (geometry, mut windows, _) = middle_game(40);
    let rules = *geometry.rules();
    // Two crossing fours: three sets on the row, and a column that shares a cell with them.
    for (column, row) in [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2), (4, 3), (4, 5), (4, 6)] {
        let cell = rules.cell(column, row).expect("on the board");
        if windows.is_empty(cell) {
            windows.place(cell, Player::Black);
        }
    }
    let sets: Vec<Vec<Cell>> = windows
        .threats(Player::Black)
        .map(|w| {
            geometry.window_cells(w).iter().copied().filter(|&c| windows.is_empty(c)).collect()
        })
        .collect();
    let empty: Vec<Cell> = rules.all_cells().filter(|&cell| windows.is_empty(cell)).collect();
    let mut counter = ThreatCounter::new();
    let exact = counter.count(&windows, Player::Black);
    assert_eq!(exact, brute_force(&sets, &empty));
    let mut group = c.benchmark_group("exact count");
    group.bench_function("no threat", |b| {
        b.iter(|| counter.count(black_box(&quiet), Player::Black));
    });
    group.bench_function(format!("{} threat windows", sets.len()), |b| {
        b.iter(|| counter.count(black_box(&windows), Player::Black));
    });
    group.sample_size(10);
    group.bench_function("brute force over cell pairs", |b| {
        b.iter(|| brute_force(black_box(&sets), &empty));
    });
    group.finish();
}

criterion_group!(benches, updates, counts);
criterion_main!(benches);
