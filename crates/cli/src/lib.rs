//! `collinear`: the command line of the workbench. Arguments are read here, every command has a
//! file of its own in `commands/`, and the libraries do the work.
//!
//! It is a library so that the Python package can carry the command, and can read the arguments of
//! a run as the command does.

#![forbid(unsafe_code)]

mod arena;
mod board;
mod commands;
mod engines_file;
mod experiments;
mod failure;
mod opening_journal;
mod out_file;
mod ray;
mod record_file;
mod registry;
mod report;
mod runs;
mod session_input;
mod signals;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

pub use arena::{build_name_of, game_event};
pub use runs::{Run, match_summary, tournament_summary};

/// Runs the command that the arguments name, the program's own name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let arguments = commands::Arguments::parse_from(&given);
    let result = match arguments.ray() {
        Some(address) => ray::hand_over(&given, address),
        None => commands::run(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::tell(&error),
    }
}
