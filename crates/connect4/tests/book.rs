//! The embedded book against published counts and against searches from scratch.

use std::collections::HashSet;

use collinear_connect4::{Book, Solver};
use collinear_rules::{Position, Rules};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Every position with this many stones, once, its mirror image counted apart.
fn positions(stones: usize) -> Vec<Position> {
    let mut level = vec![Position::new(Rules::CONNECT4)];
    for _ in 0..stones {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for position in level {
            for cell in position.legal_cells() {
                let mut after = position.clone();
                after.play_unchecked(cell);
                if seen.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        level = next;
    }
    level
}

/// Won, drawn and lost for the first player after 2, 3 and 4 stones: John Tromp, "John's Connect
/// Four Playground".
const OUTCOMES: [(usize, [usize; 3]); 3] =
    [(2, [27, 12, 10]), (3, [35, 58, 145]), (4, [690, 200, 230])];

#[test]
fn outcomes_after_the_first_stones_are_the_published_ones() {
    let depth = Book::embedded().expect("whole").depth();
    let mut solver = Solver::new(&Rules::CONNECT4).expect("known");
    for (stones, expected) in OUTCOMES.into_iter().filter(|(stones, _)| *stones <= depth) {
        let mut counts = [0; 3];
        for position in positions(stones) {
            let score = solver.solve(&position).expect("ongoing").score.get();
            let first = if stones % 2 == 0 { score } else { -score };
            counts[(1 - first.signum()) as usize] += 1;
        }
        assert_eq!(counts, expected, "after {stones} stones");
    }
}

#[test]
fn the_empty_board_and_its_columns() {
    let mut solver = Solver::new(&Rules::CONNECT4).expect("known");
    let empty = Position::new(Rules::CONNECT4);
    assert_eq!(solver.solve(&empty).expect("ongoing").score.get(), 1);
    let columns = solver.scores(&empty).expect("ongoing");
    let scores: Vec<i8> = columns.iter().flatten().map(|score| score.get()).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
}

/// Nodes to spend on searches from scratch: some seconds.
const NODES: u64 = 10_000_000;

#[test]
fn a_sample_of_the_book_agrees_with_searches_from_scratch() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut with_book = Solver::new(&Rules::CONNECT4).expect("known");
    let mut searching = Solver::without_book(&Rules::CONNECT4).expect("known");
    let depth = Book::embedded().expect("whole").depth();
    let (mut nodes, mut compared) = (0, 0);
    while nodes < NODES {
        let mut position = Position::new(Rules::CONNECT4);
        while position.stone_count() < depth && !position.is_over() {
            let cell = *position.legal_cells().choose(&mut random).expect("room");
            position.play(cell).expect("legal");
        }
        if position.is_over() {
            continue;
        }
        let known = with_book.solve(&position).expect("ongoing");
        let found = searching.solve(&position).expect("ongoing");
        assert_eq!(known.nodes, 0, "{position:?}");
        assert_eq!(known.score, found.score, "{position:?}");
        nodes += found.nodes.max(1000);
        compared += 1;
    }
    assert!(compared > 0);
}
