//! The games of a run on standard output, board by board: after every turn, as the program of document
//! 003 shows them.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Context, Result};
use collinear_arena::{PlayedGame, Store, StoreError};
use collinear_rules::{Cell, Position, notation};

use crate::report;

/// Shows games of one run.
pub(crate) struct Boards {
    store: Arc<Store>,
    run: String,
    labels: Vec<String>,
}

impl Boards {
    pub(crate) fn new(store: &Arc<Store>, run: String, labels: Vec<String>) -> Self {
        Self { store: Arc::clone(store), run, labels }
    }

    /// A game that has ended: it is in the store.
    pub(crate) fn show(&self, number: u64) -> Result<()> {
        let game = self.game(number)?.with_context(|| format!("game {number} is not stored"))?;
        let names = [game.summary.black, game.summary.white].map(|at| self.labels[at].as_str());
        report::text(&boards(&game, names)?)
    }

    fn game(&self, number: u64) -> Result<Option<PlayedGame>, StoreError> {
        match self.store.run(&self.run)? {
            Some(run) => self.store.game(&run, number),
            None => Ok(None),
        }
    }
}

/// The board after the opening and after every turn, and how the game ended.
fn boards(game: &PlayedGame, names: [&str; 2]) -> Result<String> {
    let record = &game.record;
    let mut out = format!("game {}: {} – {}\n", game.summary.number + 1, names[0], names[1]);
    let mut position = record.position_after(record.opening)?;
    if position.stone_count() > 0 {
        let _ = write!(out, "opening\n{position}");
    }
    let mut turn: Vec<Cell> = Vec::new();
    for cell in record.moves().into_iter().skip(record.opening) {
        let player = position.to_move();
        position.play(cell)?;
        turn.push(cell);
        if position.is_over() || position.to_move() != player {
            write_turn(&mut out, &position, names[player.index()], &turn);
            turn.clear();
        }
    }
    if !turn.is_empty() {
        write_turn(&mut out, &position, names[position.to_move().index()], &turn);
    }
    let _ = match &record.end {
        Some(end) => writeln!(out, "{end}\n"),
        None => writeln!(out),
    };
    Ok(out)
}

fn write_turn(out: &mut String, position: &Position, name: &str, turn: &[Cell]) {
    // Writing into a string cannot fail.
    let _ = write!(out, "{name}: {}\n{position}", notation::names(position.rules(), turn));
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_arena::{GameSummary, Side};
    use collinear_play::{GameRecord, Reason};
    use collinear_rules::{Player, Rules};

    #[test]
    fn a_board_after_every_turn() {
        let rules = Rules::TICTACTOE;
        let cells: Vec<Cell> = ["b2", "a1", "b1", "a2", "b3"]
            .map(|name| notation::parse(&rules, name).expect(name))
            .to_vec();
        let game = PlayedGame {
            summary: GameSummary {
                number: 4,
                pair: 2,
                black: 1,
                white: 0,
                winner: Some(Player::Black),
                reason: Reason::Row,
                key: 0,
                sides: [Side::default(); 2],
            },
            seeds: [1, 2],
            record: GameRecord {
                opening: 1,
                ..GameRecord::from_moves(rules, &cells).expect("legal")
            },
        };
        let text = boards(&game, ["first", "second"]).expect("legal");
        assert!(
            text.starts_with("game 5: first – second\nopening\n 3 . . .\n 2 . X .\n"),
            "{text}"
        );
        assert!(text.contains("second: a1\n 3 . . .\n 2 . X .\n 1 O . .\n"), "{text}");
        assert_eq!(text.matches("   a b c\n").count(), 5, "{text}");
    }
}
