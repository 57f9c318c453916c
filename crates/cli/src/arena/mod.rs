//! What `match`, `tournament` and `experiment` share: arguments of a run, live progress, the final
//! table as text.

mod boards;
mod live;
mod setup;
mod text;

pub(crate) use live::{Style, run_job, stop_on_ctrl_c};
pub(crate) use setup::{ResultsFile, RunArgs, cores, data_folder, shard};
pub(crate) use text::{match_text, swiss_text, table_text};
