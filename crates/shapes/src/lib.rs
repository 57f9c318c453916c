//! What a line means: windows and their needs, connections and their types, threats and the
//! stones that stop them, for every (k, p, q).
//!
//! The crate looks at one position; it searches nothing.

#![forbid(unsafe_code)]

mod classify;
mod connections;
mod counters;
mod exact;
mod generalised;
mod intersections;
mod promotions;
mod shape;
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
pub use survey::{Errors, Survey, SurveyRow};
pub use table::{Entry, TableBase};
pub use types::{Grade, ShapeType};
pub use windows::{Windows, offsets};
