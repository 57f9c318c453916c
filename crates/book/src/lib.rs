//! Opening statistics (document 000, §3.3, Opening Book): a graph of positions with the results of
//! the games that passed through them, links labelled by turns.
//!
//! ```text
//!            ●  812 games                a node is a position after a turn; other orders of the
//!     k9 k11/ \h8 i10                    same stones lead to the same node, and so do turned and
//!          ○   ○                         mirrored boards and, where Black opens with one stone,
//!           \ /                          boards shifted as a whole
//!            ●
//! ```
//!
//! Games go in as moves and come out as recommendations. Bytes go in and out; files are the
//! caller's business.
//!
//! ```
//! use collinear_book::{Book, Rule};
//! use collinear_rules::{Cell, Player, Position, Rules};
//!
//! let mut book = Book::new(Rules::TICTACTOE, 3);
//! book.add(&[4, 1, 0, 8, 3, 5, 6].map(Cell::new), Some(Player::Black)).expect("legal");
//! let start = Position::new(Rules::TICTACTOE);
//! let best = book.recommend(&start, Rule::PAPER).expect("one game was seen");
//! assert_eq!(best.turn, [Cell::new(4)]);
//! assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book));
//! ```

#![forbid(unsafe_code)]

mod file;
mod frame;
mod games;
mod graph;
mod names;
mod rule;

pub use file::BookError;
pub use games::{GamesError, OpeningGame, games_header};
pub use graph::{Book, Entry, Tally};
pub use names::{NAMED_OPENINGS, NamedOpening, opening_name};
pub use rule::Rule;
