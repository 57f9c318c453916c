//! Windows: the `k` cells in a row that decide every game of the family, for every (k, p, q). Which
//! stones they hold, what each still needs, which of them threaten, and exactly how many stones stop
//! all threats; and what players of five in a row call the lines they make.
//!
//! The crate looks at one position; it searches nothing. Every player that reads threats stands on it.
//!
//! ```
//! use collinear_rules::{Player, Position, Rules, Setup, notation};
//! use collinear_windows::{ThreatCounter, Windows};
//!
//! let rules = Rules::CONNECT6;
//! let cells = |names: &str| -> Vec<_> {
//!     names.split(' ').map(|name| notation::parse(&rules, name).expect(name)).collect()
//! };
//! // A live four: two stones win on either side, so two stones must stop it.
//! let black = cells("h10 i10 j10 k10");
//! let setup = Setup { black, white: cells("a1 s19"), to_move: Some((Player::White, 2)) };
//! let windows = Windows::of(&Position::from_setup(rules, &setup)?);
//! assert_eq!(ThreatCounter::default().count(&windows, Player::Black), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod exact;
mod shapes;
mod stones;
mod windows;

pub use exact::{ThreatCounter, exact};
pub use shapes::{FoundShape, LineShape, has_shapes, shapes};
pub use stones::Stones;
pub use windows::{Windows, offsets};
