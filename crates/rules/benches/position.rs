//! Play, outcome and undo: line words against a plain mailbox, in one run.
//!
//! `cargo bench -p collinear-rules` prints both; their quotient is what counts.

#![allow(missing_docs)]

use std::hint::black_box;

use collinear_rules::{Cell, Outcome, Player, Position, Rules};
use criterion::{Criterion, criterion_group, criterion_main};

/// A cell array, and after each stone a look along its four lines.
struct Mailbox {
    rules: Rules,
    cells: Vec<Option<Player>>,
    history: Vec<Cell>,
    won: Option<Player>,
}

/// How the mailbox looks for a row.
#[derive(Clone, Copy)]
enum Look {
    /// Every window of k cells on the whole board: what it means that nobody has won.
    Board,
    /// Every window of k cells that holds the stone, cell by cell.
    Windows,
    /// From the stone outwards while the colour lasts: as lean as a mailbox gets, with no key to
    /// keep and no exactly-k rows to tell apart.
    Outwards,
}

impl Mailbox {
    fn new(rules: Rules) -> Self {
        Self { rules, cells: vec![None; rules.cells()], history: Vec::new(), won: None }
    }

    fn to_move(&self) -> Player {
        let n = self.history.len();
        if n < self.rules.q() || (n - self.rules.q()) / self.rules.p() % 2 == 1 {
            Player::Black
        } else {
            Player::White
        }
    }

    fn play(&mut self, cell: Cell, look: Look) {
        let player = self.to_move();
        self.cells[cell.index()] = Some(player);
        self.history.push(cell);
        let stones = if let Look::Board = look {
            0..self.rules.cells()
        } else {
            cell.index()..cell.index() + 1
        };
        if stones.map(Cell::new).any(|cell| self.makes_row(cell, player, look)) {
            self.won = Some(player);
        }
    }

    fn makes_row(&self, cell: Cell, player: Player, look: Look) -> bool {
        let (x, y) = (self.rules.column(cell) as isize, self.rules.row(cell) as isize);
        let k = self.rules.k() as isize;
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let own = |i: isize| {
                let (x, y) = (x + i * dx, y + i * dy);
                x >= 0
                    && y >= 0
                    && (self.rules.cell(x as usize, y as usize))
                        .is_some_and(|cell| self.cells[cell.index()] == Some(player))
            };
            match look {
                Look::Board => (0..k).all(own),
                Look::Windows => (1 - k..=0).any(|start| (start..start + k).all(own)),
                Look::Outwards => {
                    let after = (1..k).take_while(|&i| own(i)).count();
                    let before = (1..k).take_while(|&i| own(-i)).count();
                    before + after + 1 >= self.rules.k()
                }
            }
        })
    }

    fn undo(&mut self) {
        if let Some(cell) = self.history.pop() {
            self.cells[cell.index()] = None;
            self.won = None;
        }
    }
}

/// A fixed pseudo-random game, the same stones for everyone. As in real games most stones go next
/// to others.
fn game(rules: Rules) -> Vec<Cell> {
    let mut position = Position::new(rules);
    let mut state = 0x1234_5678_u64;
    while !position.is_over() {
        let mut legal = position.legal_cells();
        legal.sort_by_key(|&cell| {
            let distance = |other: &Cell| {
                rules
                    .column(cell)
                    .abs_diff(rules.column(*other))
                    .max(rules.row(cell).abs_diff(rules.row(*other)))
            };
            position.history().iter().map(distance).min()
        });
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position.play_unchecked(legal[(state >> 33) as usize % legal.len().min(20)]);
    }
    position.history().to_vec()
}

fn bench(criterion: &mut Criterion) {
    for (name, rules) in [("connect6", Rules::CONNECT6), ("connect4", Rules::CONNECT4)] {
        let moves = game(rules);
        let mut group = criterion
            .benchmark_group(format!("{name}: {} stones, play + outcome + undo", moves.len()));
        let mut position = Position::new(rules);
        group.bench_function("line words", |b| {
            b.iter(|| {
                for &cell in &moves {
                    position.play_unchecked(black_box(cell));
                    black_box(position.outcome());
                }
                while position.undo().is_some() {}
            });
        });
        for (name, look) in [
            ("mailbox, board", Look::Board),
            ("mailbox, windows", Look::Windows),
            ("mailbox, outwards", Look::Outwards),
        ] {
            let mut mailbox = Mailbox::new(rules);
            group.bench_function(name, |b| {
                b.iter(|| {
                    for &cell in &moves {
                        mailbox.play(black_box(cell), look);
                        black_box(mailbox.won.map_or(Outcome::Ongoing, Outcome::Won));
                    }
                    for _ in &moves {
                        mailbox.undo();
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
