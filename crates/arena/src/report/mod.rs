//! Findings and standings for people: pictures, pages, terminal tables.

pub mod chart;
mod html;
mod text;

pub use html::{Page, findings_page, standings_page};
pub use text::{findings_text, table_text};
