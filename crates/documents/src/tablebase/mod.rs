//! Document 002 (Xu, Ma and Xu, *A Method to Construct Knowledge Table-base in K-in-a-row Games*):
//! connections, the types of their shapes, promotions, intersections, and a player by them.

mod classify;
mod connections;
mod intersections;
pub(crate) mod player;
mod promotions;
pub(crate) mod shape;
mod table;
mod types;

pub use classify::Measure;
pub use connections::{Connection, Connections};
pub use intersections::{Composite, Intersections};
pub use promotions::Promotions;
pub use shape::{LineRules, Shape, ShapeError};
pub use table::{Entry, TableBase};
pub use types::{Grade, ShapeType};
