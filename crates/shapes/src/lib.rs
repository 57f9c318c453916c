//! What a line means: windows and their needs, connections and their types, threats and the
//! stones that stop them, for every (k, p, q).
//!
//! The crate looks at one position; it searches nothing.
//!
//! ```
//! use collinear_rules::{Player, Position, Rules, Setup, notation};
//! use collinear_shapes::{ThreatCounter, Windows};
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

mod classify;
mod connections;
mod counters;
mod exact;
mod generalised;
mod intersections;
mod promotions;
mod shape;
mod stones;
mod survey;
mod table;
mod types;
mod windows;

pub use classify::Measure;
pub use connections::{Connection, Connections};
pub use counters::{Marking, Marks, count_marking, mark_all, wu_huang};
pub use exact::{ThreatCounter, exact};
pub use generalised::{Generalised, GeneralisedOptions, Reading, generalised, generalised_line};
pub use intersections::{Composite, Intersections};
pub use promotions::Promotions;
pub use shape::{LineRules, Shape, ShapeError};
pub use stones::Stones;
pub use survey::{Errors, Survey, SurveyRow};
pub use table::{Entry, TableBase};
pub use types::{Grade, ShapeType};
pub use windows::{Windows, offsets};
