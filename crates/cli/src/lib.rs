//! `collinear`: the command line of the workbench. Arguments are read here, every command has a
//! file of its own in `commands/`, and the libraries do the work.
//!
//! It is a library so that the Python package can carry the command, and can read the arguments of
//! a run as the command does.

mod arena;
mod commands;
mod experiments;
mod ray;
mod record_file;
mod registry;
mod report;
mod runs;
mod screen;
mod session;
mod session_input;
mod solve_book;
mod studies;
mod typed;
mod whole_file;

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
        Err(error) => {
            eprintln!("collinear: {error:#}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The exit code for anything a person can put right; clap uses the same for wrong arguments.
const BAD_INPUT: u8 = 2;
