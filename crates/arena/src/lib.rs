//! Matches, tournaments and experiments whose numbers can be trusted.
//!
//! A [`Plan`] says what is played and numbers the games; [`run`] plays them, each with seeds of its
//! own, and a [`Store`] keeps each one as soon as it ends; [`Scoreboard`] and [`Standings`] turn
//! results into numbers, [`report`] into tables and pictures. The crate names no agent: contestants
//! come from a registry it is given.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use collinear_arena::{Scoreboard, Store, run, tournament};
//! use collinear_play::{Registry, StopFlag};
//!
//! # fn example(registry: &Registry) -> Result<(), Box<dyn std::error::Error>> {
//! let text = "game = \"connect4\"\ngames = 20\nagents = [\"kate\", \"random\"]";
//! let (plan, games) = tournament::parse("cup.toml", text, registry)?;
//! let store = Arc::new(Store::open("results.sqlite".as_ref())?);
//! let job = collinear_arena::Job::new(plan, games);
//! let finished = run(&job, &store, &StopFlag::default(), &mut |_| {})?;
//! let mut score = Scoreboard::new(&job.plan, None);
//! finished.games.iter().for_each(|game| score.add(game));
//! println!("{} {:+.0} Elo", score.tally(0), score.estimate().elo);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod adjudication;
pub mod experiment;
mod game;
mod opening;
mod plan;
pub mod report;
mod runner;
mod score;
mod seed;
mod spec_file;
mod standings;
pub mod stats;
mod store;
#[cfg(test)]
mod testing;
pub mod tournament;
pub mod tune;
mod whole_file;

pub use adjudication::{Adjudication, ScoreRule};
pub use game::{GameSummary, PlayedGame, SURE, Side};
pub use opening::{ColourTally, Judge, JudgeError, OpeningError, Openings, random_opening};
pub use plan::{
    Contestant, ContestantError, FirstMove, Fixture, Format, Plan, PlanError, Schedule,
};
pub use runner::{Ended, Finished, Heard, Job, Progress, RunError, Shard, run};
pub use score::Scoreboard;
pub use spec_file::FileError;
pub use standings::{Standing, Standings};
pub use store::{BatchWriter, Merged, RunRow, SetAside, Store, StoreError};
pub use whole_file::WholeFile;
