//! The Connect(m,n,k,p,q) family, exactly: who may place which stone where, and who has won.
//!
//! Black opens with `q` stones, then the players place `p` stones in turn on a board of `width` ×
//! `height` cells; `k` in a row wins. Connect Four adds gravity, standard Gomoku refuses rows
//! longer than `k`, Renju forbids some stones to Black. One stone is the atom: a turn is just the stones one player places in a row.
//!
//! ```
//! use collinear_rules::{Outcome, Player, Position, Rules};
//!
//! let mut game = Position::new(Rules::CONNECT4);
//! for column in [3, 0, 3, 0, 3, 0, 3] {
//!     let cell = game.drop_cell(column).expect("the column has room");
//!     game.play(cell).expect("a legal move");
//! }
//! assert_eq!(game.outcome(), Outcome::Won(Player::Black));
//! ```
//!
//! The crate evaluates nothing and does no I/O.

#![forbid(unsafe_code)]

mod cell;
mod chain;
mod geometry;
pub mod hash;
pub mod notation;
mod position;
mod renju;
mod rules;
#[cfg(feature = "serde")]
mod serde_forms;
mod symmetry;
pub mod typed;
mod zobrist;

pub use cell::{Cell, Player};
pub use geometry::{DIRECTIONS, Direction, Geometry, LineId, LineRef, WindowId};
pub use position::{IllegalMove, InvalidSetup, Outcome, Position, Setup};
pub use renju::{Foul, LineStones};
pub use rules::{Fouls, Overline, ParseRulesError, Rules, RulesBuilder, RulesError};
pub use symmetry::Symmetry;
