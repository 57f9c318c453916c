//! Files of our own: weights, games for fitting, books. A changed byte is noticed or harmless.

use collinear_engine::Weights;
use collinear_engine::fit::{FittedGame, GameFile};
use collinear_rules::{Cell, Player, Rules};

use crate::{Run, Target};

pub(super) fn targets() -> Vec<Target> {
    let moves = [180, 181, 200, 3, 4].map(Cell::new);
    let game = FittedGame {
        stones: moves.to_vec(),
        opening: 1,
        winner: Some(Player::White),
        scores: vec![12, -700],
    };
    let games = GameFile { rules: Rules::CONNECT6, origin: "a test".to_owned(), games: vec![game] };
    let mut book = collinear_book::Book::new(Rules::CONNECT6, 6);
    // The moves are legal: a book without them would still be an example.
    let _ = book.add(&moves, Some(Player::Black));
    vec![
        Target {
            name: "weights",
            examples: vec![Weights::formula(4, 1).to_bytes(1), games.to_bytes()],
            words: &["SXW1", "SXW2", "SXG1", "SXG2"],
            test_cases: 400,
            start: weights,
        },
        Target {
            name: "books",
            examples: vec![book.to_bytes(), b"C4BOOK".to_vec()],
            words: &["COLBOOK\0", "connect4", "\0\0\0\0"],
            test_cases: 3000,
            start: books,
        },
    ]
}

fn weights() -> Run {
    Box::new(|input| {
        let _ = Weights::from_bytes(input);
        match GameFile::from_bytes(input) {
            Ok(file) if GameFile::from_bytes(&file.to_bytes()).as_ref() != Ok(&file) => {
                Err("a file of games does not come back".to_owned())
            }
            _ => Ok(()),
        }
    })
}

fn books() -> Run {
    Box::new(|input| {
        let _ = collinear_connect4::Book::from_bytes(input.to_vec());
        match collinear_book::Book::from_bytes(input) {
            Ok(book)
                if collinear_book::Book::from_bytes(&book.to_bytes()).as_ref() != Ok(&book) =>
            {
                Err("a book does not come back".to_owned())
            }
            _ => Ok(()),
        }
    })
}
