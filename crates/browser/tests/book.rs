//! The book that the page without a server fetches: of nine stones, a seventh of the bytes of the
//! embedded one, which must say the same.

use std::sync::Arc;

use collinear_connect4::{Book, Solver};
use collinear_rules::{Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/book/7x6.book");
const POSITIONS: u32 = 300;

#[test]
fn the_small_book_says_what_the_embedded_one_says() {
    let book = Book::from_bytes(std::fs::read(FILE).expect("stored")).expect("whole");
    assert_eq!(book.depth(), 9);
    let solver = || Solver::with_memory(&Rules::CONNECT4, 1 << 20).expect("known");
    let (mut small, mut large) = (solver().book(Some(Arc::new(book))), solver());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..POSITIONS {
        let mut position = Position::new(Rules::CONNECT4);
        for _ in 0..random.random_range(0..=9) {
            if position.is_over() {
                break;
            }
            let cells = position.legal_cells();
            position.play(*cells.choose(&mut random).expect("a column")).expect("legal");
        }
        let said = small.solve(&position).map(|solution| solution.score);
        assert_eq!(said, large.solve(&position).map(|solution| solution.score));
    }
}
