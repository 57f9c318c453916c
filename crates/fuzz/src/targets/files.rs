//! Files of our own: weights, games for fitting, books. A changed byte is noticed or harmless.

use std::sync::Arc;

use collinear_book::Book;
use collinear_connect4 as connect4;
use collinear_engine::fit::labels::LabelFile;
use collinear_engine::fit::records::{Origin, Records, header_bytes, record_bytes};
use collinear_engine::fit::{GameFile, SearchedGame, StoneThought};
use collinear_engine::net::Net;
use collinear_engine::{LineNet, Weights};
use collinear_rules::hash::fnv1a;
use collinear_rules::{Cell, Player, Position, Rules};

use crate::{Run, Target};

pub(super) fn targets() -> Vec<Target> {
    let moves = [180, 181, 200, 3, 4].map(Cell::new);
    let mut book = Book::new(Rules::CONNECT6, 6);
    // The moves are legal: a book without them would still be an example.
    let _ = book.add(&moves, Some(Player::Black));
    let thought = StoneThought { value: -9, teaches: true, looks: vec![(moves[0], 65_535)] };
    let searched = SearchedGame {
        number: 1,
        stones: moves.to_vec(),
        opening: 1,
        winner: None,
        thoughts: vec![thought; 4],
    };
    let origin = Origin::new(&Rules::CONNECT6, "a test").with("seed", 1);
    let record = searched.to_bytes();
    let body = record[8..record.len() - 8].to_vec();
    let games = [GameFile::header(&origin), record].concat();
    vec![
        Target {
            name: "weights",
            examples: vec![
                Weights::formula(4, 1).to_bytes(1),
                Weights::for_rules(&Rules::GOMOKU).to_bytes(1),
                games,
                body,
            ],
            words: &["SXW2", "SXC1", "SXGAMES1", "SXLABEL1", "SXLINES1", "SXLINES2"],
            test_cases: 400,
            start: weights,
        },
        Target {
            name: "books",
            examples: vec![
                book.to_bytes(),
                solved_positions(),
                b"# game renju\n# a note\nb h8h9i9\nw h8i9\n= h8h9g7\n".to_vec(),
            ],
            words: &["COLBOOK\0", "C4BOOK", "4x4,k=4,gravity", "\0\0\0\0"],
            test_cases: 3000,
            start: books,
        },
    ]
}

/// The bytes of a small book of Connect Four.
fn solved_positions() -> Vec<u8> {
    let make = || {
        let rules: Rules = "4x4,k=4,gravity".parse().ok()?;
        let maker = connect4::BookMaker::new(&rules, 4).ok()?;
        let mut solver = connect4::Solver::without_book(&rules).ok()?.memory(1 << 16);
        let chunk = maker.solve(&mut solver, 0..maker.len(), &|| false).ok()?;
        Some(maker.finish(&chunk.scores).ok()?.as_bytes().to_vec())
    };
    make().unwrap_or_default()
}

/// Every input twice: as it is, which the checksum nearly always refuses, and with the checksum
/// that a forger would give it.
fn weights() -> Run {
    Box::new(|input| {
        let sealed = seal(input, fnv1a);
        for bytes in [input, &sealed] {
            let _ = Weights::from_bytes(bytes);
            let _ = Net::from_bytes(bytes);
            let _ = LineNet::from_bytes(bytes);
            let _ = LabelFile::from_bytes(bytes);
        }
        games(input)
    })
}

/// Games to learn from: the input as a file, and the input as the one game of a file, with the checksums of a forger.
fn games(input: &[u8]) -> Result<(), String> {
    let origin = Origin::new(&Rules::CONNECT6, "a forger");
    let forged = [GameFile::header(&origin), record_bytes(input)].concat();
    for bytes in [input, &forged] {
        let Ok(records) = Records::from_bytes(bytes, GameFile::KIND) else { continue };
        let mut again = header_bytes(GameFile::KIND, &records.origin);
        again.extend(records.bodies.iter().flat_map(|body| record_bytes(body)));
        if again != bytes[..records.whole] {
            return Err("records do not come back".to_owned());
        }
        let Ok(file) = GameFile::from_bytes(bytes) else { continue };
        again = GameFile::header(&file.origin);
        again.extend(file.games.iter().flat_map(SearchedGame::to_bytes));
        match GameFile::from_bytes(&again) {
            Ok(same) if same.games == file.games => {}
            other => return Err(format!("games do not come back: {other:?}")),
        }
    }
    Ok(())
}

fn books() -> Run {
    Box::new(|input| {
        let sealed = seal(input, fnv1a);
        for bytes in [input, &sealed] {
            if let Ok(book) = Book::from_bytes(bytes) {
                if Book::from_bytes(&book.to_bytes()).as_ref() != Ok(&book) {
                    return Err("a book does not come back".to_owned());
                }
                let _ = book.entries(&Position::new(*book.rules()));
            }
        }
        if let Ok(book) = std::str::from_utf8(input)
            .map_err(drop)
            .and_then(|text| Book::of_games(text).map_err(drop))
        {
            let _ = book.entries(&Position::new(*book.rules()));
        }
        for bytes in [input.to_vec(), seal(input, connect4::Book::checksum)] {
            if let Ok(book) = connect4::Book::from_bytes(bytes) {
                consult(book)?;
            }
        }
        Ok(())
    })
}

/// Looks up a few positions of a book of solved ones; scores may be wrong, but must be scores.
fn consult(book: connect4::Book) -> Result<(), String> {
    let rules = *book.rules();
    // Larger games are only read: their solver's table takes a moment to make.
    if rules.cells() > 42 {
        return Ok(());
    }
    let Ok(solver) = connect4::Solver::without_book(&rules) else { return Ok(()) };
    let depth = book.depth();
    let mut solver = solver.memory(1 << 16).book(Some(Arc::new(book)));
    let mut position = Position::new(rules);
    while position.stone_count() <= depth && !position.is_over() {
        let limits = connect4::Limits { nodes: Some(1000), ..connect4::Limits::default() };
        if let Ok(solution) = solver.solve_within(&position, connect4::Mode::Strong, &limits) {
            let stones = solution.score.stones_to_end(position.empty_count());
            if stones > position.empty_count() {
                return Err(format!("{rules}: {stones} stones to the end of {position:?}"));
            }
        }
        let Some(&cell) = position.legal_cells().first() else { break };
        position.play_unchecked(cell);
    }
    Ok(())
}

/// The bytes with another checksum at their end.
fn seal(bytes: &[u8], checksum: fn(&[u8]) -> u64) -> Vec<u8> {
    let content = &bytes[..bytes.len().saturating_sub(8)];
    [content, &checksum(content).to_le_bytes()].concat()
}
