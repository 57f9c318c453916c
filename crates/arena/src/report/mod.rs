//! Findings and standings for people: pictures, pages, terminal tables.

pub mod chart;
mod csv;
mod html;
mod run;
mod store;
mod text;

pub use csv::{csv, standings_csv};
pub use html::{Page, findings_page, ratings_chart};
pub use run::{run_headline, run_page};
pub use store::{Card, CardFile, DATA, PAGE, Report, ReportError, ReportStore};
pub use text::{elo_text, findings_text, table_text};
