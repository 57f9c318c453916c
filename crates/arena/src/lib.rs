//! Matches, tournaments and experiments whose numbers can be trusted.
//!
//! A [`RunSpec`] says what is played, whoever asks for it; its [`Plan`] numbers the games; [`run`]
//! plays them, each with seeds of its own, and a [`Store`] keeps each one as soon as it ends;
//! [`Scoreboard`] and [`Standings`] turn results into numbers, [`report`] into tables and pictures.
//! The crate names no agent: contestants come from a registry it is given.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use collinear_arena::{RunSpec, Scoreboard, Store, build_name, run};
//! use collinear_play::{Registry, StopFlag};
//!
//! # fn example(registry: &Registry) -> Result<(), Box<dyn std::error::Error>> {
//! let text = "game = \"connect4\"\ngames = 20\nagents = [\"kate\", \"random\"]";
//! let spec = RunSpec::from_toml("cup.toml", text, registry)?;
//! let store = Arc::new(Store::open("results.sqlite".as_ref())?);
//! let job = spec.job(registry, &build_name(&std::env::current_exe()?)?)?;
//! let finished = run(&job, &store, &StopFlag::default(), &mut |_| {})?;
//! let mut score = Scoreboard::new(&job.plan, None);
//! finished.games.iter().for_each(|game| score.add(game));
//! println!("{} {:+.0} Elo", score.tally(0), score.estimate().elo);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod adjudication;
mod build;
pub mod experiment;
mod game;
mod kept;
mod opening;
mod plan;
pub mod report;
mod run_spec;
mod runner;
mod score;
mod seed;
mod spec_file;
mod standings;
pub mod stats;
mod store;
mod summary;
mod swiss;
#[cfg(test)]
mod testing;
pub mod tune;
mod whole_file;

pub use adjudication::{Adjudication, ScoreRule};
pub use build::build_name;
pub use game::{GameSummary, PlayedGame, SURE, Side};
pub use kept::KeptError;
pub use opening::{
    ColourTally, Judge, JudgeError, OpeningError, OpeningSource, Openings, random_opening,
};
pub use plan::{
    Contestant, ContestantError, FirstMove, Fixture, Format, Pairings, Plan, PlanError, Schedule,
};
pub use run_spec::{RunSpec, RunSpecError};
pub use runner::{
    Ended, EndedGame, Finished, Job, LiveGame, LiveGames, Progress, RunError, Shard, run,
};
pub use score::Scoreboard;
pub use spec_file::FileError;
pub use standings::{Standing, Standings};
pub use store::{Merged, RunRow, Store, StoreError};
pub use summary::{game_event, standing, summary, tables};
pub use swiss::{Meeting, Swiss, SwissPlace, SwissRound};
pub use whole_file::WholeFile;
