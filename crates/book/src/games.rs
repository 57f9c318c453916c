//! Games of openings as a text: what `collinear book make` writes and the page ships, and how a person's
//! own games reach the page.
//!
//! ```text
//! # game 15x15,k=5,renju            the first line that says so names the rules
//! b h8h9i9g9…                       Black won; the stones in order of play, perhaps only the first
//! w h8i9i8…                         White won
//! = h8h9h10…                        nobody did
//! ```

use std::fmt::Write as _;

use collinear_rules::{Cell, ParseRulesError, Player, Rules, notation};
use thiserror::Error;

use crate::graph::Book;

/// The longest text that is read.
const MAX_BYTES: usize = 200_000;
/// Turns of a game that are looked at.
const MAX_TURNS: u16 = 20;

/// A game, or the beginning of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningGame {
    /// The stones in order of play.
    pub moves: Vec<Cell>,
    /// Who won; none for a draw.
    pub winner: Option<Player>,
}

/// Why a text is no list of games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GamesError {
    /// Longer than any list.
    #[error("this is longer than any list of openings: {0} bytes")]
    TooLong(usize),
    /// The game is not named before the first line.
    #[error("no line such as \"# game gomoku\" says which game this is")]
    NoGame,
    /// The rules are none.
    #[error("line {line}: {reason}")]
    Rules {
        /// Counted from 1.
        line: usize,
        /// What is wrong with them.
        reason: ParseRulesError,
    },
    /// A line is no game.
    #[error("line {line}: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl OpeningGame {
    fn read(rules: &Rules, line: &str) -> Result<Self, String> {
        let (winner, stones) = line.split_once(' ').ok_or("a result and stones are expected")?;
        let winner = match winner {
            "b" => Some(Player::Black),
            "w" => Some(Player::White),
            "=" => None,
            _ => return Err(format!("{winner:?} is not a result such as b, w or =")),
        };
        let read = |name| notation::parse(rules, name).map_err(|error| error.to_string());
        let moves = notation::split(stones.trim()).map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { moves, winner })
    }

    /// Its line, with as many turns as are wanted.
    pub fn line(&self, rules: &Rules, turns: u16) -> String {
        let winner = match self.winner {
            Some(Player::Black) => 'b',
            Some(Player::White) => 'w',
            None => '=',
        };
        let stones = rules.q() + rules.p() * usize::from(turns.max(1) - 1);
        let mut line = format!("{winner} ");
        for &cell in self.moves.iter().take(stones) {
            let _ = write!(line, "{}", notation::name(rules, cell));
        }
        line
    }
}

impl Book {
    /// The book of a list of games. Every line must be a legal beginning of a game.
    pub fn of_games(text: &str) -> Result<Self, GamesError> {
        if text.len() > MAX_BYTES {
            return Err(GamesError::TooLong(text.len()));
        }
        let mut book: Option<Self> = None;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(note) = line.strip_prefix('#') {
                if let Some(game) = note.trim().strip_prefix("game ")
                    && book.is_none()
                {
                    let rules: Rules = game
                        .trim()
                        .parse()
                        .map_err(|reason| GamesError::Rules { line: number, reason })?;
                    book = Some(Self::new(rules, MAX_TURNS));
                }
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            let book = book.as_mut().ok_or(GamesError::NoGame)?;
            let wrong = |reason| GamesError::Line { line: number, reason };
            let game = OpeningGame::read(book.rules(), line.trim()).map_err(wrong)?;
            book.add(&game.moves, game.winner)
                .map_err(|(stone, reason)| wrong(format!("stone {}: {reason}", stone + 1)))?;
        }
        book.ok_or(GamesError::NoGame)
    }
}

/// What stands above a list of games.
pub fn games_header(rules: &Rules, command: &str) -> String {
    format!("# game {rules}\n# {command}\n")
}

#[cfg(test)]
mod tests {
    use collinear_rules::Position;

    use super::*;

    const LIST: &str = "# game gomoku\n# a note\n\nb h8h9i9\nw h8h9i9g7\n= h8g8g9\nb h8i9\n";

    fn at(rules: &Rules, stones: &str) -> Position {
        let cells = notation::split(stones).map(|name| notation::parse(rules, name).expect(name));
        Position::from_moves(*rules, &cells.collect::<Vec<_>>()).expect("legal")
    }

    #[test]
    fn the_games_of_a_list_meet_however_they_are_turned() {
        let book = Book::of_games(LIST).expect("a list");
        assert_eq!((book.games(), *book.rules()), (4, Rules::GOMOKU));
        // Three of the four begin with Kagetsu or its mirror image.
        let tally = book.tally(&at(&Rules::GOMOKU, "h8i8i9")).expect("known");
        assert_eq!((tally.wins, tally.ties, tally.losses), (1, 1, 1));
        let entries = book.entries(&at(&Rules::GOMOKU, "h8"));
        let games: Vec<u32> = entries.iter().map(|entry| entry.tally.games()).collect();
        assert_eq!(games, [3, 1]);
    }

    #[test]
    fn a_list_is_written_as_it_is_read() {
        let rules = Rules::CONNECT6;
        let moves = at(&rules, "j10k11i9j11").history().to_vec();
        let game = OpeningGame { moves, winner: Some(Player::White) };
        assert_eq!(game.line(&rules, 9), "w j10k11i9j11");
        assert_eq!(game.line(&rules, 2), "w j10k11i9");
        assert_eq!(game.line(&rules, 0), "w j10");
        let read = OpeningGame::read(&rules, "w j10k11i9j11");
        assert_eq!(read, Ok(game.clone()));
        let text = games_header(&rules, "a command") + &game.line(&rules, 9);
        assert_eq!(Book::of_games(&text).map(|book| book.games()), Ok(1));
    }

    #[test]
    fn what_is_no_list_is_refused_with_the_line() {
        let said = |text: &str| Book::of_games(text).expect_err(text).to_string();
        assert_eq!(Book::of_games(""), Err(GamesError::NoGame));
        assert_eq!(Book::of_games("b h8"), Err(GamesError::NoGame));
        assert!(said("# game 3x\nb h8").starts_with("line 1: "));
        for (line, why) in [
            ("b", "a result and stones"),
            ("x h8", "not a result"),
            ("b h8h8", "stone 2"),
            ("b h8z99", "z99"),
            ("w h8 h9", "h"),
        ] {
            let said = said(&format!("# game gomoku\nb h8\n{line}\n"));
            assert!(said.starts_with("line 3: ") && said.contains(why), "{line}: {said}");
        }
        let long = "# game gomoku\n".repeat(MAX_BYTES / 10);
        assert_eq!(Book::of_games(&long), Err(GamesError::TooLong(long.len())));
        // Cut anywhere it is a shorter list or no list, and never a panic.
        for end in 0..LIST.len() {
            let _ = Book::of_games(&LIST[..end]);
        }
    }
}
